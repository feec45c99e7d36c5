// Every operation on half is rounded once, to nearest even, denormals and overflow included.
// RUN: kernel=k local=16 global=1024
// RUN: kernel=k local=37 global=1036
// ARG: buffer ushort[G] = (i*2654435761) >> 7
// ARG: buffer ushort[G] = (i*40503+12345)*2246822519 >> 9
// ARG: buffer half[8*G] out
// EXPECT: 2 as interpreted
kernel void k(global const half *a, global const half *b, global half *out) {
    size_t g = get_global_id(0);
    half x = a[g], y = b[g];
    global half *o = out + 8 * g;
#pragma OPENCL FP_CONTRACT OFF
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = sqrt(x);
    o[5] = fma(x, y, (half)1);
    o[6] = fma(x, y, -(x * y));
    o[7] = x * y + x - y / x;
}
