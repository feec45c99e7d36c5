// RUN: kernel=k local=8
// ARG: buffer int[3*G] = i
// ARG: buffer int[2*G] = -1
// EXPECT: 1[i] = i%2 ? -1 : i/2*3 + 1
kernel void k(global const int *in, global int *out) {
    local int tmp[8];
    size_t l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
    event_t e = async_work_group_strided_copy(tmp, in + 3 * group * n, n, 3, 0);
    wait_group_events(1, &e);
    tmp[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out + 2 * group * n, (local const int *)tmp, n, 2, 0);
    wait_group_events(1, &e);
}
