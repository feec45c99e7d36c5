// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[2*G] = i
// ARG: buffer int[6*G] out
// EXPECT: 1[i] = i%6 == 0 ? 2*(i/6) : i%6 == 1 ? 2*(i/6)+1 : i%6 == 2 ? 2*(i/6) : i%6 == 3 ? 1 : i%6 == 4 ? G : 2*G-1
kernel void k(global const int *in, global int *out) {
    size_t g = get_global_id(0), n = 2 * get_global_size(0);
    global const int *p = in + 2 * g, *end = in + n;
    global int *o = out + 6 * g;
    o[0] = *p;
    o[1] = *(p + 1);
    o[2] = p - in;
    o[3] = p < end && p != end && p >= in;
    o[4] = ((global const char *)end - (global const char *)in) / (2 * sizeof(int));
    o[5] = end[-1];
}
