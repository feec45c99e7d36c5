// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] = (i-8)*100003
// ARG: buffer int[G] = 5-i
// ARG: buffer int[2*G] out
// EXPECT: 2[i] = a0[i/2]*a1[i/2] + (i%2 ? 77 : 0)
kernel void k(global const int *a, global const int *b, global int *out) {
    size_t g = get_global_id(0);
    out[2 * g] = mul24(a[g], b[g]);
    out[2 * g + 1] = mad24(a[g], b[g], 77);
}
