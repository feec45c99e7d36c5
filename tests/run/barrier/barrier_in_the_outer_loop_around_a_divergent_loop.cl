// The inner loop runs a different number of times in each work-item and has no barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = sum(s, 0, 3, 10*s + ((i%L + s + 1) % L % 5))
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int total = 0;
    for (int step = 0; step < 3; step++) {
        int count = 10 * step;
        for (uint j = 0; j < (l + step) % n % 5; j++)
            count++;
        tmp[l] = count;
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total;
}
