// The last work-item that stores stays, of all and of some.
// RUN: kernel=k local=37 groups=1
// ARG: buffer int[8] = i
// EXPECT: 0[i] = i == 0 ? 36 : i == 1 ? 35 : i == 2 ? 2 : i == 3 ? 72 : i
kernel void k(global int *a) {
    int l = get_local_id(0);
    a[0] = l;
    if (l % 3 == 2)
        a[1] = l;
    if (l > 100)
        a[2] = l;
    a[3 + l / 64] = 2 * l;
}
