// A varying condition is computed on one side of the barrier and branched on at the other.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i%L%3 == 1 ? i/L*L + (i%L+1)%L : -1
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0);
    bool chosen = l % 3 == 1;
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (chosen)
        out[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
    else
        out[get_global_id(0)] = -1;
}
