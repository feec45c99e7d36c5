// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i*7-50
// ARG: buffer int[4*G] = i*3
// ARG: buffer int[4*G] out
// EXPECT: 2[i] = (int(a0[i] << a1[i]%32) ^ a0[i] >> a1[i]%32) + (a0[i] << 2)
kernel void k(global const int4 *a, global const int4 *b, global int4 *out) {
    size_t g = get_global_id(0);
    out[g] = ((a[g] << b[g]) ^ (a[g] >> b[g])) + (a[g] << 2);
}
