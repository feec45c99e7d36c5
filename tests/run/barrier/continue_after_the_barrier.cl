// Work-items continue at different places, all after the last barrier of the iteration.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+6)%L + (i%L%2 ? 6000 : 0)
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0), extra = 0;
    for (int step = 0; step < 6; step++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 2 == 0)
            continue;
        extra += 1000;
    }
    out[get_global_id(0)] = x + extra;
}
