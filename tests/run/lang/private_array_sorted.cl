// Insertion sort in private memory, with data-dependent loops.
// RUN: kernel=k local=16 groups=2
// RUN: kernel=k local=37 groups=2
// ARG: buffer int[8*G] out
// EXPECT: 0[i] = i%8 + i/8
kernel void k(global int *out) {
    int g = get_global_id(0), a[8];
    for (int j = 0; j < 8; j++)
        a[j] = (j * 5 + g) % 8 + g;
    for (int j = 1; j < 8; j++) {
        int x = a[j], m = j;
        while (m > 0 && a[m - 1] > x) {
            a[m] = a[m - 1];
            m--;
        }
        a[m] = x;
    }
    for (int j = 0; j < 8; j++)
        out[8 * g + j] = a[j];
}
