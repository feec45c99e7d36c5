// Bits counted one by one; the trip count differs between work-items.
// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer uint[G] = i*i*2654435761
// ARG: buffer int[G] out
// EXPECT: 1[i] = popcount(a0[i])*100 + popcount(a0[i] | 1)
kernel void k(global const uint *in, global int *out) {
    uint x = in[get_global_id(0)], y = x | 1;
    int a = 0, b = 0;
    while (x) {
        x &= x - 1;
        a++;
    }
    do {
        y &= y - 1;
        b++;
    } while (y);
    out[get_global_id(0)] = 100 * a + b;
}
