// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 5
// EXPECT: 0[i] = 40 + sum(s, 0, 5, (i%L + s) % L)
kernel void k(global int *out, local int *tmp, int steps) {
    uint l = get_local_id(0), n = get_local_size(0);
    local int first;
    int total = 0, last = 0, step = 0;
    tmp[l] = l;
    if (l == n / 2)
        first = 30;
    while (step < steps) {
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tmp[(l + step) % n];
        step++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        first += 10;
    for (; step > 0; step--) {
        barrier(CLK_LOCAL_MEM_FENCE);
        last = first;
    }
    out[get_global_id(0)] = total + last;
}
