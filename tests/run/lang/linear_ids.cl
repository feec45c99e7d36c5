// RUN: kernel=k global=6,4,2 local=3,2,1 offset=10,20,30 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = i + 1000*(i/6%4%2*3 + i%6%3) + 100000*6
kernel void k(global int *out) {
    size_t at = get_global_linear_id();
    out[at] = at + 1000 * get_local_linear_id()
        + 100000 * (get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2));
}
