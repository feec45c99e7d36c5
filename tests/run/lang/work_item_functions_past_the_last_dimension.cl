// Sizes are 1, ids and offsets 0.
// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = 3
// SKIP-PEER: PoCL 3.1 answers 0 for sizes
kernel void k(global int *out) {
    out[get_global_id(0)] = get_global_size(3) + get_local_size(5) + get_num_groups(9) + get_global_id(3)
        + get_group_id(4) + get_local_id(7) + get_global_offset(3);
}
