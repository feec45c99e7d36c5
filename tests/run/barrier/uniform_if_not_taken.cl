// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 0
// EXPECT: 0[i] = i
kernel void k(global int *out, local int *tmp, int yes) {
    int l = get_local_id(0), x = get_global_id(0);
    if (yes) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % get_local_size(0)];
    }
    out[get_global_id(0)] = x;
}
