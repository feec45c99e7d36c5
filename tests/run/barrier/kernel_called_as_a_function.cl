// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1)%L + 1
kernel void rotate(global int *data, local int *tmp) {
    uint l = get_local_id(0);
    tmp[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *tmp) {
    out[get_global_id(0)] = get_global_id(0);
    rotate(out, tmp);
    out[get_global_id(0)] += 1;
}
