// The value that is branched on needs a barrier to be computed; the branch itself differs between work-items.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = (i%L+1)%L < 5 ? 1 : 2
int rotated(local int *tmp, int x) {
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *tmp) {
    if (rotated(tmp, get_local_id(0)) < 5)
        out[get_global_id(0)] = 1;
    else
        out[get_global_id(0)] = 2;
}
