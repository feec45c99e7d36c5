// In each iteration the work-item with that number leaves; the rest go on meeting the barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = -1
// EXPECT: 0[i] = i%L < 8 ? i%L * 100 : 8000
// SKIP-PEER: undefined before us; here, as on GPUs, returned work-items count as arrived
kernel void k(global int *out) {
    int l = get_local_id(0);
    for (int step = 0; step < 8; step++) {
        if (l == step) {
            out[get_global_id(0)] = step * 100;
            return;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = 8000;
}
