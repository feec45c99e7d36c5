// Loads that move on by a step which is not known, or far, from one round to the next: by a counter of ids, by rows of a
// matrix across barriers, downwards, and where the step is added to a narrower counter.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=1
// RUN: kernel=k local=16 groups=3
// ARG: buffer int[8*G] = i*i*7 + i
// ARG: buffer int[G] out
// ARG: scalar int G
// ARG: scalar uint 8*G
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, int n, uint size) {
    local int row[64];
    int g = get_global_id(0), l = get_local_id(0), sum = 0;
    for (uint i = g; i < size; i += get_global_size(0))
        sum += in[i];
    for (int k = 7; k >= 0; k--)
        sum = sum * 3 + in[k * n + g] + in[(size_t)k * n + n - 1 - g];
    for (int k = 0; k < 8; k += 2) {
        row[l] = in[(k + 1) * n + g];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += row[(l + 1) % get_local_size(0)] * (k + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < 3; k++)
        sum += in[(k * 1024 + g) % (int)size] + in[k * n];
    out[g] = sum;
}
