// Elements 1 to 9 apart, forwards and backwards, read and written, of each size.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer uchar[12*G] = 7*i
// ARG: buffer short[12*G] = 5*i
// ARG: buffer int[12*G] = 3*i
// ARG: buffer long[12*G] = 11*i
// ARG: buffer long[12*G] out
// ARG: buffer uchar[12*G] out
// ARG: buffer short[12*G] out
// ARG: buffer int[12*G] out
// EXPECT: 4 as interpreted
// EXPECT: 5 as interpreted
// EXPECT: 6 as interpreted
// EXPECT: 7 as interpreted
kernel void k(global const uchar *a, global const short *b, global const int *c, global const long *d, global long *out,
              global uchar *p, global short *q, global int *r) {
    size_t g = get_global_id(0), n = get_global_size(0), back = n - 1 - g;
    long sum = a[2 * g] + a[3 * g] * 3 + a[4 * g + 1] * 5 + a[8 * g + 7] * 7 + a[back] * 11;
    sum += b[2 * g + 1] + b[5 * g] * 3 + b[7 * g + 6] * 5 + b[back] * 7 + b[9 * g];
    sum += c[2 * g] + c[3 * g + 2] * 3 + c[6 * g] * 5 + c[8 * g] * 7 + c[n - 1 - 2 * (g / 4)] + c[back];
    sum += d[2 * g] + d[3 * g] * 3 + d[4 * g + 3] * 5 + d[back] * 7;
    out[2 * g + 1] = sum;
    out[back * 2] = sum + 1;
    p[3 * g] = sum;
    p[3 * g + 1] = sum >> 8;
    q[2 * g] = sum;
    q[back * 2 + 1] = sum >> 3;
    r[4 * g] = sum;
    r[4 * g + 1] = sum >> 4;
    r[4 * g + 2] = sum >> 5;
    if (g % 3 != 1) {
        r[4 * g + 3] = c[4 * g] + c[4 * g + 3] + c[4 * g + 1];
        p[3 * g + 2] = a[2 * g + 1];
    }
}
