// Short loops over neighbours that are clamped, or come round, are unrolled: by themselves, in each other, around and behind what they
// are not to be unrolled with.
// RUN: kernel=k local=64,2 global=256,4
// RUN: kernel=k local=33,3 global=99,3
// RUN: kernel=k local=300 global=600 offset=3
// ARG: buffer int[4096] = i*i*7 + i
// ARG: buffer int[G] out
// ARG: scalar int 200
// ARG: scalar int 63
// EXPECT: 1 as interpreted
// RUN: kernel=k local=256 global=256
// ARG: buffer int[4096] = i*i*7 + i
// ARG: buffer int[G] out
// ARG: scalar int 1
// ARG: scalar int 0
// EXPECT: 1 as interpreted
// RUN: kernel=k local=256 global=256
// ARG: buffer int[4096] = i*i*7 + i
// ARG: buffer int[G] out
// ARG: scalar int 4000
// ARG: scalar int 0x5a
// EXPECT: 1 as interpreted
// RUN: kernel=bytes local=128 global=512
// ARG: buffer uchar[4096] = i*i*7 + i
// ARG: buffer uchar[G] out
// ARG: scalar int 16
// ARG: scalar int 256
// EXPECT: 1 as interpreted
// RUN: kernel=with_a_barrier local=128 global=512
// ARG: buffer int[4096] = i*i*7 + i
// ARG: buffer int[G] out
// ARG: scalar int 500
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, int n, int mask) {
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int j = -1; j <= 1; j++) {
        int row = clamp(y + j, 0, 3);
        for (int i = -2; i <= 2; i++) {
            if (i == j)
                continue;
            sum = sum * 3 + in[row * 16 + min(max(x + i, 0), n - 1)];
            if (sum == 12345)
                break;
        }
    }
    for (int i = 0; i < 4; i++)
        sum += in[(x + i * i) & mask] * (i + 1);
    for (int round = 0; round < (n & 3); round++)
        for (int i = 0; i < 3; i++)
            sum = sum * 5 + in[(uint)(x + i + round) % (uint)n];
    int i = 0;
    do
        sum ^= in[max(min(n - 1, x - i), 0)];
    while (++i < 3 && sum != 17);
    global const int *last;
    i = 0;
    do {
        last = in + min(x + i, n - 1);
        sum += *last;
    } while (++i < 3);
    for (i = 0; i < 3; i++)
        sum = sum * 3 + *last + in[max(x - i, 0) & mask];
    out[(y - get_global_offset(1)) * get_global_size(0) + x - get_global_offset(0)] = sum;
}

kernel void bytes(global const uchar *in, global uchar *out, int height, int width) {
    int x = get_global_id(0), y = get_global_id(1), across = 0, down = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int v = in[min(max(y + j, 0), height - 1) * width + min(max(x + i, 0), width - 1)];
            across += v * i * (2 - (j < 0 ? -j : j));
            down += v * j * (2 - (i < 0 ? -i : i));
        }
    out[y * get_global_size(0) + x] = across + 3 * down;
}

kernel void with_a_barrier(global const int *in, global int *out, int n) {
    local int cells[256];
    int x = get_global_id(0), at = get_local_id(0), size = get_local_size(0), sum = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            sum += in[min(x + i + round, n - 1)];
        cells[at] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = -1; i <= 1; i++)
            sum = sum * 3 + cells[clamp(at + i, 0, size - 1)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[x] = sum;
}
