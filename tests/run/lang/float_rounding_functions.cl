// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = (i-32)*0.25
// ARG: buffer float[8*G] out
// EXPECT: 1[i] = i%8 == 0 ? floor(a0[i/8]) : i%8 == 1 ? ceil(a0[i/8]) : i%8 == 2 ? trunc(a0[i/8]) : i%8 == 3 ? rint(a0[i/8]) : i%8 == 4 ? round(a0[i/8]) : i%8 == 5 ? abs(a0[i/8]) : i%8 == 6 ? a0[i/8] - floor(a0[i/8]) : abs(a0[i/8])*-1
kernel void k(global const float *in, global float *out) {
    size_t g = get_global_id(0);
    float x = in[g], whole;
    global float *o = out + 8 * g;
    o[0] = floor(x);
    o[1] = ceil(x);
    o[2] = trunc(x);
    o[3] = rint(x);
    o[4] = round(x);
    o[5] = fabs(x);
    o[6] = fract(x, &whole);
    o[7] = copysign(x, -1.0f);
}
