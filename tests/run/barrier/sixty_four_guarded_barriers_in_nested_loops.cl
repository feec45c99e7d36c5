// Build time grows linearly with the number of barriers, whatever guards them.
// RUN: kernel=k local=1 groups=3
// RUN: kernel=k local=33 groups=3
// RUN: kernel=k local=64 groups=3 options="-cl-opt-disable"
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar ulong 0xF0F0A5A5FFFF0001
// EXPECT: 0[i] = i/L*L + (i%L + 2*2*popcount(0xF0F0A5A5FFFF0001))%L
// SKIP-PEER: PoCL's build time grows exponentially with the number of conditional barriers
#define ONE(bit) \
    if (mask >> (bit) & 1) { \
        tmp[l] = x; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        x = tmp[(l + 1) % n]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
    }
#define FOUR(bit) ONE(bit) ONE(bit + 1) ONE(bit + 2) ONE(bit + 3)
#define SIXTEEN(bit) FOUR(bit) FOUR(bit + 4) FOUR(bit + 8) FOUR(bit + 12)
kernel void k(global int *out, local int *tmp, ulong mask) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            SIXTEEN(0)
            SIXTEEN(16)
            SIXTEEN(32)
            SIXTEEN(48)
        }
    }
    out[get_global_id(0)] = x;
}
