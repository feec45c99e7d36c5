// An address that is only valid for some work-items is only touched by those.
// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer int[1] = 5
// ARG: buffer int[G] out
// EXPECT: 1[i] = i == 17 ? 5 : -1
kernel void k(global const int *in, global int *out) {
    int g = get_global_id(0), x = -1;
    if (g == 17) {
        long far = (long)(g - 17) << 40;
        x = in[far];
    }
    long wild = (long)(g - 17) << 40;
    if (wild == 0)
        x = in[wild];
    out[g] = x;
}
