// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0);
    int x = (tmp[l] = get_global_id(0), barrier(CLK_LOCAL_MEM_FENCE), tmp[(l + 1) % get_local_size(0)]);
    out[get_global_id(0)] = x;
}
