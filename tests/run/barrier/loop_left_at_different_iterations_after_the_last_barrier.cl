// Every work-item meets the barrier in the first three iterations; after that none does, and each leaves when it likes.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+3)%L + 100000*(3 + i%L%6)
// SKIP-PEER: PoCL 3.1 hangs
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    uint step = 0;
    for (; step < 3 + l % 6; step++) {
        if (step < 3) {
            tmp[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = tmp[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[get_global_id(0)] = x + 100000 * step;
}
