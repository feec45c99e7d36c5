// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%L == 0 ? 100 + i : 50
kernel void k(global int *out) {
    int g = get_global_id(0), x = 50;
    if (get_local_id(0) == 0)
        x = 100 + g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x;
}
