// The arms of `?:` meet in their common type, which is an int even where both are chars.
// RUN: kernel=leading local=8 groups=2
// ARG: buffer uchar[G] = i + 1
// ARG: buffer int[G] out
// EXPECT: 1[i] = i == 0 ? 31 : i < 3 ? 30 : i < 7 ? 29 : i < 15 ? 28 : 27
kernel void leading(global const uchar *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = clz(i & 1 ? in[i] : (uchar)(in[i] + 0));
}
