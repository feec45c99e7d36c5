// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = 3*(i%L) + 1
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    local int *mine = tmp + l;
    local int *next = tmp + (l + 1) % n;
    *mine = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    *next = 3 * ((l + 1) % n);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *mine + 1;
}
