// In the last iteration some work-items break before the end of the body, after the barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+4)%L + (i%L%3 ? 40000 : 30000)
// SKIP-PEER: PoCL 3.1 hangs
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0), extra = 0;
    for (int step = 0; step < 4; step++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == 3 && l % 3 == 0)
            break;
        extra += 10000;
    }
    out[get_global_id(0)] = x + extra;
}
