// RUN: kernel=ints local=1 groups=1
// ARG: buffer long[12] out
// EXPECT: 0[i] = i == 0 ? 255 : i == 1 ? 8 : i == 2 ? 4294967295 : i == 3 ? 9000000000 : i == 4 ? 65 : i == 5 ? 10 : i == 6 ? 92 : i == 7 ? 27 : i == 8 ? 4 : i == 9 ? 8 : i == 10 ? 8 : 4
// RUN: kernel=floats local=1 groups=1
// ARG: buffer float[8] out
// EXPECT: 0[i] = i == 0 ? 1.5 : i == 1 ? 0.25 : i == 2 ? 3000 : i == 3 ? 0.001 : i == 4 ? 10 : i == 5 ? 0.1 : i == 6 ? 1 : 7
kernel void ints(global long *out) {
    out[0] = 0xFF;
    out[1] = 010;
    out[2] = 4294967295u;
    out[3] = 9000000000;
    out[4] = 'A';
    out[5] = '\n';
    out[6] = '\\';
    out[7] = '\x1b';
    out[8] = sizeof(1);
    out[9] = sizeof(1l);
    out[10] = sizeof(1UL);
    out[11] = sizeof('a');
}
kernel void floats(global float *out) {
    out[0] = 1.5f;
    out[1] = .25f;
    out[2] = 3e3f;
    out[3] = 1.0E-3f;
    out[4] = 0x1.4p3f;
    out[5] = 0.1;
    out[6] = 1.f;
    out[7] = 7;
}
