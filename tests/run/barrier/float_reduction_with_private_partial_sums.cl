// Each work-item first sums several elements of its own.
// RUN: kernel=k local=* groups=3
// ARG: buffer float[8*G] = i%9 * 0.25
// ARG: buffer float[NG] out
// ARG: local 4*L
// EXPECT: 1[i] = sum(k, i*8*L, (i+1)*8*L, k%9 * 0.25)
kernel void k(global const float *in, global float *out, local float *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    global const float *slice = in + 8 * n * get_group_id(0);
    float part = 0;
    for (uint j = l; j < 8 * n; j += n)
        part += slice[j];
    tmp[l] = part;
    for (uint left = n; left > 1; left = (left + 1) / 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < left / 2)
            tmp[l] += tmp[l + (left + 1) / 2];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = tmp[0];
}
