// Works for any local size; two barriers in each of L rounds.
// RUN: kernel=k local=1 groups=3
// RUN: kernel=k local=3 groups=3
// RUN: kernel=k local=7 groups=3
// RUN: kernel=k local=33 groups=3
// RUN: kernel=k local=64 groups=3
// ARG: buffer int[G] = L-1-i%L
// ARG: local 4*L
// EXPECT: 0[i] = i%L
kernel void k(global int *data, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    tmp[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0; round < n; round++) {
        if (l % 2 == round % 2 && l + 1 < n && tmp[l] > tmp[l + 1]) {
            int old = tmp[l];
            tmp[l] = tmp[l + 1];
            tmp[l + 1] = old;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[get_global_id(0)] = tmp[l];
}
