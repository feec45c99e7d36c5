// What is the same for the whole group, computed before the barrier: ids, arguments, a load.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: buffer int[NG] = 50*i
// ARG: scalar int 3
// EXPECT: 0[i] = 50*(i/L) + (i/L+1)*3 + L*NG
kernel void k(global int *out, global const int *in, int factor) {
    int base = in[get_group_id(0)];
    int scaled = (get_group_id(0) + 1) * factor;
    int size = get_local_size(0) * get_num_groups(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = base + scaled + size;
}
