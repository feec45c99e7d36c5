// The barrier is met in even iterations only.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+4)%L + 3
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0), odd = 0;
    for (int step = 0; step < 7; step++) {
        if (step % 2 == 0) {
            tmp[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = tmp[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        } else {
            odd++;
        }
    }
    out[get_global_id(0)] = x + odd;
}
