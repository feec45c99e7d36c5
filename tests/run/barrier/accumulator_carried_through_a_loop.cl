// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 10
// EXPECT: 0[i] = sum(s, 0, 10, (i%L + s) % L)
kernel void k(global int *out, local int *tmp, int steps) {
    uint l = get_local_id(0), n = get_local_size(0);
    int total = 0;
    tmp[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < steps; step++) {
        int x = tmp[l];
        int next = tmp[(l + 1) % n];
        total += x;
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[l] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total;
}
