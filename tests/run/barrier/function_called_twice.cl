// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+5)%L
int rotated(local int *tmp, int x, int by) {
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int result = tmp[(get_local_id(0) + by) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}
kernel void k(global int *out, local int *tmp) {
    out[get_global_id(0)] = rotated(tmp, rotated(tmp, get_global_id(0), 2), 3);
}
