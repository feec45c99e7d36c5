// Program-scope constants and constant arguments need no fence.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: buffer int[4] = i+1
// EXPECT: 0[i] = (i%4+1)*10 + (i%3 == 0 ? 2 : i%3 == 1 ? 3 : 5)
constant int primes[3] = { 2, 3, 5 };
kernel void k(global int *out, constant int *table) {
    int g = get_global_id(0), a = 10 * table[g % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a + primes[g % 3];
}
