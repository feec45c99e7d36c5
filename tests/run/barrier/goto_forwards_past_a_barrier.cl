// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 ? i : i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    if (get_group_id(0) % 2)
        goto done;
    tmp[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = tmp[(l + 1) % n];
done:
    out[get_global_id(0)] = x;
}
