// The value that lives across was made by one of two divergent paths.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = (i%2 ? i*5 : 7-i) + i%L
kernel void k(global int *out) {
    int g = get_global_id(0), x;
    if (g % 2)
        x = 5 * g;
    else
        x = 7 - g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x + get_local_id(0);
}
