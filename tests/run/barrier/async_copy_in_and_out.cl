// async_work_group_copy and wait_group_events are met by all work-items, like a barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = 11*i
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = 11*(i/L*L + L-1-i%L) + 1
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
    event_t e = async_work_group_copy(tmp, in + base, n, 0);
    wait_group_events(1, &e);
    int x = tmp[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l] = x + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + base, (local const int *)tmp, n, 0);
    wait_group_events(1, &e);
}
