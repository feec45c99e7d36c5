// Work-items meet the barrier a different number of times: no order is promised, but each finishes its own count.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 10*(i%L%5)
// SKIP-PEER: undefined before us
kernel void k(global int *out) {
    int x = 0;
    for (uint step = 0; step < get_local_id(0) % 5; step++) {
        x += 10;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
