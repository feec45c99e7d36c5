// RUN: kernel=k local=16 groups=2
// RUN: kernel=k local=37 groups=2
// ARG: buffer float[G] = (i-16)*0.25
// ARG: buffer float[8*G] out
// EXPECT: 1[i] = i%8 == 0 ? max(-1, min(1, a0[i/8])) : i%8 == 1 ? 2 + a0[i/8]*8 : i%8 == 2 ? (a0[i/8] < 0.5 ? 0 : 1) : i%8 == 3 ? (a0[i/8] < 0 ? -1 : a0[i/8] > 0 ? 1 : 0) : i%8 == 4 ? a0[i/8]*180/pi : i%8 == 5 ? a0[i/8]*pi/180 : i%8 == 6 ? max(0, min(1, a0[i/8]))*max(0, min(1, a0[i/8]))*(3 - 2*max(0, min(1, a0[i/8]))) : max(a0[i/8], 0.75) +- 4ulp
kernel void k(global const float *in, global float *out) {
    size_t g = get_global_id(0);
    float x = in[g];
    global float *o = out + 8 * g;
    o[0] = clamp(x, -1.0f, 1.0f);
    o[1] = mix(2.0f, 10.0f, x);
    o[2] = step(0.5f, x);
    o[3] = sign(x);
    o[4] = degrees(x);
    o[5] = radians(x);
    o[6] = smoothstep(0.0f, 1.0f, x);
    o[7] = max(x, 0.75f);
}
