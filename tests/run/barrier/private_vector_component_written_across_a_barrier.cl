// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i + 10*(i/L*L + (i%L+1)%L) + 300
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0);
    int4 v = (int4)(get_global_id(0), 0, 3, 0);
    tmp[l] = v.x;
    barrier(CLK_LOCAL_MEM_FENCE);
    v.y = tmp[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    v.zw = v.wz;
    out[get_global_id(0)] = v.x + 10 * v.y + 100 * v.w + v.z;
}
