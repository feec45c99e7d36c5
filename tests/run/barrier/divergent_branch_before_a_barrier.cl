// Work-items take different paths and meet again at the barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = (i%L+1)%L%3 == 0 ? 100 : (i%L+1)%L%3 == 1 ? 7*((i%L+1)%L) : -1
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0);
    if (l % 3 == 0)
        tmp[l] = 100;
    else if (l % 3 == 1)
        tmp[l] = 7 * l;
    else
        tmp[l] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
}
