// RUN: kernel=k local=16 groups=16
// RUN: kernel=k local=37 groups=16
// ARG: buffer uchar[G] = i
// ARG: buffer char[G] = i
// ARG: buffer uchar[2*G] out
// ARG: buffer char[2*G] out
// EXPECT: 2[i] = i%2 ? max(0, a0[i/2] - 77) : min(255, a0[i/2] + 77)
// EXPECT: 3[i] = i%2 ? max(-128, min(127, a1[i/2]*3 - 9)) : max(-128, min(127, a1[i/2] + 77))
kernel void k(global const uchar *a, global const char *b, global uchar *c, global char *d) {
    size_t g = get_global_id(0);
    c[2 * g] = add_sat(a[g], (uchar)77);
    c[2 * g + 1] = sub_sat(a[g], (uchar)77);
    d[2 * g] = add_sat(b[g], (char)77);
    d[2 * g + 1] = mad_sat(b[g], (char)3, (char)-9);
}
