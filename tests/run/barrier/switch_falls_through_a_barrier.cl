// Group 0 meets three barriers, group 1 two, group 2 one, group 3 none.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + 3 - i/L) % L
#define ROTATE tmp[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x = tmp[(l + 1) % n]; barrier(CLK_LOCAL_MEM_FENCE);
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    switch (get_group_id(0)) {
    case 0: ROTATE
    case 1: ROTATE
    case 2: ROTATE
    }
    out[get_global_id(0)] = x;
}
