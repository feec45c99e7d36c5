// Irreducible control flow: groups enter the loop at different places.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + 3)%L + (i/L%2 ? 20 : 30)
// SKIP-PEER: PoCL 3.1 aborts on irreducible control flow
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0), heads = 0, step = 0;
    if (get_group_id(0) % 2)
        goto middle;
head:
    heads += 10;
middle:
    tmp[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = tmp[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (++step < 3)
        goto head;
    out[get_global_id(0)] = x + heads;
}
