// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer uint[G] = i*0x9e3779b9
// ARG: buffer uint[G] = i*0x85ebca6b + 1
// ARG: buffer uint[5*G] out
// EXPECT: 2[i] = i%5 == 0 ? a0[i/5] & a1[i/5] : i%5 == 1 ? a0[i/5] | a1[i/5] : i%5 == 2 ? a0[i/5] ^ a1[i/5] : i%5 == 3 ? ~a0[i/5] : a0[i/5] & ~a1[i/5] | 1
kernel void k(global const uint *a, global const uint *b, global uint *out) {
    size_t g = get_global_id(0);
    out[5 * g] = a[g] & b[g];
    out[5 * g + 1] = a[g] | b[g];
    out[5 * g + 2] = a[g] ^ b[g];
    out[5 * g + 3] = ~a[g];
    out[5 * g + 4] = a[g] & ~b[g] | 1;
}
