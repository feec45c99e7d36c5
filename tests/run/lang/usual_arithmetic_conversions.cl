// RUN: kernel=k local=1 groups=1
// ARG: buffer int[8] out
// ARG: scalar uchar 200
// ARG: scalar int -1
// ARG: scalar uint 1
// EXPECT: 0[i] = i == 0 ? 400 : i == 1 ? 0 : i == 2 ? 1 : i == 3 ? 2147483647 : i == 4 ? 8 : i == 5 ? 4 : i == 6 ? 4 : 1
kernel void k(global int *out, uchar b, int minus, uint one) {
    out[0] = b + b;
    out[1] = minus < one;
    out[2] = (char)-1 < (uchar)1;
    out[3] = (minus / one) >> 1;
    out[4] = sizeof(1L + 1);
    out[5] = sizeof(b + b);
    out[6] = sizeof(1.0f + 1);
    out[7] = 0.5f + minus < one;
}
