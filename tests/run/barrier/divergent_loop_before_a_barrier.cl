// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = (i%L+1)%L * ((i%L+1)%L + 1) / 2
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), total = 0;
    for (int j = 0; j <= l; j++)
        total += j;
    tmp[l] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
}
