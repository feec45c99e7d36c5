// RUN: kernel=k local=* groups=7
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L == 1 ? i/L*L + (i%L+1)%L : i/L == 4 ? i/L*L + (i%L+4)%L : i/L == 5 ? i : -5
// SKIP-PEER: PoCL 3.1 aborts
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    switch (get_group_id(0)) {
    case 1:
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        break;
    case 4:
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 4) % n];
        break;
    case 5:
        break;
    default:
        x = -5;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
