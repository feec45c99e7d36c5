// Lanes of 8 and 16 bits whose steps come round within a chunk, masked or limited by a number that only a launch knows: they
// are not a step apart, though the last lane is where such steps would lead.
// RUN: kernel=bytes local=64 global=256 std=CL3.0
// ARG: buffer int[256] = i*7+3
// ARG: buffer int[256] out
// ARG: scalar uchar 127
// EXPECT: 1 as interpreted
// RUN: kernel=words local=64 global=256 std=CL3.0
// ARG: buffer int[65536] = i*7+3
// ARG: buffer int[256] out
// ARG: scalar ushort 32767
// EXPECT: 1 as interpreted
kernel void bytes(global const int *in, global int *out, uchar n)
{
    int i = get_global_id(0);
    int total = 0;
    uchar2 v = (uchar2)((uchar)(i * 37), (uchar)(i * 19));
    uchar2 w = v & (uchar2)(n);
    total += in[w.x] * 3 + in[w.y];
    w = min(v, (uchar2)(n));
    total += in[w.x] * 5 + in[w.y];
    w = v | (uchar2)(n);
    total += in[w.x] * 7 + in[w.y];
    w = v % (uchar2)(n);
    total += in[w.x] * 11 + in[w.y];
    w = v / (uchar2)(n);
    total += in[w.x] * 13 + in[w.y];
    w = (uchar2)((uchar)(i * 69), (uchar)(i * 35)) & (uchar2)(n);
    total += in[w.x] * 17 + in[w.y];
    w = (uchar2)((uchar)(i * 18), (uchar)(i * 9)) & (uchar2)(n);
    total += in[w.x] * 19 + in[w.y];
    out[i] = total;
}

kernel void words(global const int *in, global int *out, ushort n)
{
    int i = get_global_id(0);
    int total = 0;
    ushort2 v = (ushort2)((ushort)(i * 21846), (ushort)(i * 9363));
    ushort2 w = v & (ushort2)(n);
    total += in[w.x] * 3 + in[w.y];
    w = min(v, (ushort2)(n));
    total += in[w.x] * 5 + in[w.y];
    w = v % (ushort2)(n);
    total += in[w.x] * 11 + in[w.y];
    w = (ushort2)((ushort)(i * 4370), (ushort)(i * 17477)) & (ushort2)(n);
    total += in[w.x] * 17 + in[w.y];
    out[i] = total;
}
