// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 5
// EXPECT: 0[i] = (i%L == 0 ? 100 : i%L%3 == 1 ? 7 : 0) + sum(s, 0, 5, (i%L + s) % L)
kernel void k(global int *out, local int *tmp, int steps) {
    uint l = get_local_id(0), n = get_local_size(0);
    int total = 0;
    tmp[l] = l;
    if (l == 0)
        total = 100;
    else if (l % 3 == 1)
        total = 7;
    if (l == n - 1)
        out[get_global_id(0)] = 0;
    for (int step = 0; step < steps; step++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tmp[(l + step) % n];
    }
    out[get_global_id(0)] = total;
}
