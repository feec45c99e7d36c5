// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i + 3
kernel void k(global int *out) {
    volatile int x = get_global_id(0);
    for (int step = 0; step < 3; step++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x++;
    }
    out[get_global_id(0)] = x;
}
