// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%5 == 4 ? -1 : i%5*10
kernel void k(global int *out) {
    int g = get_global_id(0), x = 0, n = g % 5;
again:
    if (n == 4)
        goto failed;
    if (x == 10 * n)
        goto done;
    x += 10;
    goto again;
failed:
    x = -1;
done:
    out[g] = x;
}
