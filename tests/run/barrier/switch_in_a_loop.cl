// The case changes with the iteration, the same for the whole group.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + 1+3+1+3) % L + 200
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0), skipped = 0;
    for (int step = 0; step < 6; step++) {
        switch (step % 3) {
        case 0:
            tmp[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = tmp[(l + 1) % n];
            break;
        case 2:
            tmp[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = tmp[(l + 3) % n];
            break;
        default:
            skipped += 100;
            continue;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x + skipped;
}
