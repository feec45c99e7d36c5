// Hillis-Steele inclusive scan with two barriers in each iteration.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i%5+1
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = sum(k, i/L*L, i+1, k%5+1)
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0), stride = 1;
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    while (stride < n) {
        int x = l >= stride ? tmp[l - stride] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
        stride *= 2;
    }
    out[get_global_id(0)] = tmp[l];
}
