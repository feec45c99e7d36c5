// Only some work-items write, on both sides of a barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = (i%L%2 ? 1000+i%L : i%L) * 2 - (i%L%4 == 0)
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0);
    tmp[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = (l + 1) % n;
    if (next % 2)
        tmp[next] = 1000 + next;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = tmp[l];
    if (l % 4 == 0)
        x = 2 * x - 1;
    else
        x = 2 * x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x;
}
