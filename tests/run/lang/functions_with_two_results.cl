// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer float[G] = i*0.75 + 0.5
// ARG: buffer float[5*G] out
// ARG: buffer int[3*G] out
// EXPECT: 1[i] = i%5 == 0 ? a0[i/5] - trunc(a0[i/5]) : i%5 == 1 ? trunc(a0[i/5]) : i%5 == 2 ? sin(a0[i/5]) : i%5 == 3 ? cos(a0[i/5]) : a0[i/5] / pow(2, floor(log2(a0[i/5])) + 1) +- 4ulp
// EXPECT: 2[i] = i%3 == 0 ? floor(log2(a0[i/3])) + 1 : i%3 == 1 ? floor(log2(a0[i/3])) : int(rint(a0[i/3]/2.0)) % 8
kernel void k(global const float *in, global float *out, global int *ints) {
    size_t g = get_global_id(0);
    float x = in[g], whole, c;
    int e, quotient;
    global float *o = out + 5 * g;
    o[0] = modf(x, &whole);
    o[1] = whole;
    o[2] = sincos(x, &c);
    o[3] = c;
    o[4] = frexp(x, &e);
    (void)remquo(x, 2.0f, &quotient);
    ints[3 * g] = e;
    ints[3 * g + 1] = ilogb(x);
    ints[3 * g + 2] = quotient & 7;
}
