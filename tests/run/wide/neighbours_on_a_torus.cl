// Neighbours whose places come round at the rim, or are clamped to it: chunks in the middle ask once whether all of them are a
// step apart. Some places depend on what is in memory, which can't be asked first.
// RUN: kernel=ring local=64 global=256
// RUN: kernel=ring local=16 global=48
// RUN: kernel=ring local=33 global=99
// ARG: buffer int[G] = i*i
// ARG: buffer int[G] out
// ARG: scalar int 32
// EXPECT: 1[i] = a0[(i+31)%32] + 3*a0[i%32] + 5*a0[(i+1)%32] + 7*a0[(i+2)%32] + 11*a0[min(i+1,G-1)] + 13*a0[max(i-1,0)]
// RUN: kernel=ring local=64 global=256
// ARG: buffer int[G] = i*i
// ARG: buffer int[G] out
// ARG: scalar int 256
// EXPECT: 1[i] = a0[(i+255)%256] + 3*a0[i%256] + 5*a0[(i+1)%256] + 7*a0[(i+2)%256] + 11*a0[min(i+1,G-1)] + 13*a0[max(i-1,0)]
// RUN: kernel=odd_mask local=64 global=256
// ARG: buffer int[512] = 3*i
// ARG: buffer int[G] out
// ARG: scalar int 0x1f5
// EXPECT: 1[i] = sum(k, 0, 4, 3*((i+k-1) & 0x1f5))
// RUN: kernel=odd_mask local=64 global=256
// ARG: buffer int[512] = 3*i
// ARG: buffer int[G] out
// ARG: scalar int 0x1ff
// EXPECT: 1[i] = sum(k, 0, 4, 3*((i+k-1) & 0x1ff))
// RUN: kernel=from_memory local=64 global=128
// ARG: buffer int[256] = i < 4 ? 5*i : i
// ARG: buffer int[G] out
// ARG: scalar int 128
// EXPECT: 1[i] = a0[(i+127)%128] + a0[(i+1)%128] + a0[(i+2)%128] + a0[(i+3)%128 + a0[1]]
// RUN: kernel=far_ahead local=64 global=256
// ARG: buffer int[G] = i*i
// ARG: buffer int[G] out
// ARG: scalar int 1
// EXPECT: 1[i] = a0[(i+1)%256] + a0[(i+2)%256] + a0[(i+3)%256] + a0[(i+4)%256]

kernel void ring(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), mask = n - 1, last = get_global_size(0) - 1;
    out[i] = in[(i - 1) & mask] + 3 * in[i & mask] + 5 * in[(i + 1) & mask] + 7 * in[(i + 2) & mask] + 11 * in[min(i + 1, last)] +
             13 * in[max(i - 1, 0)];
}

kernel void odd_mask(global const int *in, global int *out, int mask)
{
    int i = get_global_id(0);
    out[i] = in[(i - 1) & mask] + in[i & mask] + in[(i + 1) & mask] + in[(i + 2) & mask];
}

kernel void from_memory(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), mask = n - 1, far = in[1];
    out[i] = in[(i - 1) & mask] + in[(i + 1) & mask] + in[(i + 2) & mask] + in[((i + 3) & mask) + far];
}

// Each step uses the one before it twice: who looks at every use looks at them a million times.
kernel void far_ahead(global const int *in, global int *out, int one)
{
    int i = get_global_id(0), mask = 256 * one - 1, far = one;
    far *= far, far *= far, far *= far, far *= far, far *= far, far *= far, far *= far;
    far *= far, far *= far, far *= far, far *= far, far *= far, far *= far, far *= far;
    far *= far, far *= far, far *= far, far *= far, far *= far, far *= far, far *= far;
    out[i] = in[(i + far) & mask] + in[(i + far + 1) & mask] + in[(i + far + 2) & mask] + in[(i + far + 3) & mask];
}
