// RUN: kernel=k local=* groups=3
// ARG: buffer int[4*G] = i
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = sum(s, 0, 4, 4*(i/L*L) + s*L + (i%L+1)%L)
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0), base = 4 * get_group_id(0) * n;
    int total = 0;
    for (int step = 0; step < 4; step++) {
        event_t e = async_work_group_copy(tmp, in + base + step * n, n, 0);
        wait_group_events(1, &e);
        total += tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total;
}
