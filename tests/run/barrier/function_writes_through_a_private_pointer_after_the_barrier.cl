// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1)%L + 50*(i%L)
void rotate(local int *tmp, int *x, int *extra) {
    tmp[get_local_id(0)] = *x;
    barrier(CLK_LOCAL_MEM_FENCE);
    *x = tmp[(get_local_id(0) + 1) % get_local_size(0)];
    *extra += 50 * get_local_id(0);
}
kernel void k(global int *out, local int *tmp) {
    int x = get_global_id(0), extra = 0;
    rotate(tmp, &x, &extra);
    out[get_global_id(0)] = x + extra;
}
