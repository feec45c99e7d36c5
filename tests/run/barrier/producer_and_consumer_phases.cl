// Even rounds: the first half writes for the second; odd rounds: the other way round.
// RUN: kernel=k local=2 groups=3
// RUN: kernel=k local=16 groups=3
// RUN: kernel=k local=64 groups=3
// RUN: kernel=k local=256 groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i%L < L/2 ? 6 : 5
kernel void k(global int *out, local int *box) {
    uint l = get_local_id(0), n = get_local_size(0);
    bool first = l < n / 2;
    int x = 0;
    box[l] = 0;
    for (int round = 0; round < 6; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first == (round % 2 == 0))
            box[(l + n / 2) % n] = x + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first != (round % 2 == 0))
            x = box[l];
    }
    out[get_global_id(0)] = x;
}
