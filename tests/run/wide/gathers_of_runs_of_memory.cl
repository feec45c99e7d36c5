// Bytes and halfwords at places that are one or two runs of memory, or none (codegen/runs.rs).
// RUN: kernel=k local=* groups=3
// ARG: buffer uchar[128] = 37*i+5
// ARG: buffer short[128] = 1021*i-7
// ARG: buffer int[G] = i*i*7+3
// ARG: buffer int[G] out
// ARG: scalar int 100
// EXPECT: 3 as interpreted
kernel void k(global const uchar *bytes, global const short *words, global const int *any, global int *out, int n) {
    int g = get_global_id(0), sum = 0;
    for (int step = 0; step < 9; step++) {
        int wrapped = (g + 13 * step) % n, masked = (g - 3 * step) & 127;
        int near = clamp(g - 20 + 5 * step, 0, n - 1), other = any[g] & 127;
        sum = sum * 5 + bytes[wrapped] + 3 * words[masked] + bytes[near];
        // Two runs that take turns, three runs, backwards, all the same, no run at all.
        sum += bytes[(g & 1) * 40 + g % 64] + words[g % 11] + bytes[127 - g % 128] + bytes[step] + words[other];
        // Some of the lanes.
        if ((g + step) % 3)
            sum += bytes[(g + 50) & 63] * words[min(g, n - 1)];
    }
    out[g] = sum;
}

// Offsets whose distance from the lane's number wraps in 32 bits are no runs.
// RUN: kernel=far local=32 groups=2
// ARG: buffer uchar[256] = i
// ARG: buffer int[G] out
// ARG: scalar uint 4294967280
// EXPECT: 1 as interpreted
kernel void far(global const uchar *bytes, global int *out, uint from) {
    int g = get_global_id(0);
    uint at = (from + (uint)g) * 2;
    int back = (int)(from + (uint)g);
    out[g] = bytes[at & 255] + 256 * bytes[(back >> 31) + 3 + (g & 127)] + 65536 * bytes[back < 0 ? back + 128 : back];
}
