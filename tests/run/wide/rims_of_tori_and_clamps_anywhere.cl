// Neighbours whose places come round, or are clamped, anywhere in a row: runs of chunks ask once whether all of them are a step
// apart, and find the rims. Rows of many chunks, of one, and of less; rims at multiples of nothing; rows that begin elsewhere.
// RUN: kernel=torus local=1024 global=1024
// RUN: kernel=torus local=1000 global=1000
// RUN: kernel=torus local=320,3 global=640,6
// RUN: kernel=torus local=7 global=21
// RUN: kernel=torus local=512 global=1024 offset=549755813760
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0x3f
// EXPECT: 1 as interpreted
// RUN: kernel=torus local=1024 global=1024
// RUN: kernel=torus local=320,3 global=640,6
// RUN: kernel=torus local=480 global=960 offset=19
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0x1ff
// EXPECT: 1 as interpreted
// RUN: kernel=torus local=1024 global=1024 offset=5
// RUN: kernel=torus local=640,2 global=640,2
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0xfff
// EXPECT: 1 as interpreted
// RUN: kernel=torus local=640 global=640
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 7
// EXPECT: 1 as interpreted
// RUN: kernel=torus local=640 global=640
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0
// EXPECT: 1 as interpreted
// RUN: kernel=torus local=640 global=640
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0xf5f
// EXPECT: 1 as interpreted
// RUN: kernel=torus local=640 global=640
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0xfe0
// EXPECT: 1 as interpreted
// RUN: kernel=whole local=640 global=640
// RUN: kernel=whole local=320 global=640 offset=9223372036854775296
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int -1
// EXPECT: 1 as interpreted
// RUN: kernel=whole local=640 global=640
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int -256
// EXPECT: 1 as interpreted
// RUN: kernel=clamped local=1024 global=1024
// RUN: kernel=clamped local=1000,2 global=1000,2
// RUN: kernel=clamped local=320 global=960 offset=300
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 201
// ARG: scalar int 777
// EXPECT: 1 as interpreted
// RUN: kernel=clamped local=1024 global=1024
// RUN: kernel=clamped local=5 global=25
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 0
// ARG: scalar int 4095
// EXPECT: 1 as interpreted
// RUN: kernel=clamped local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 500
// ARG: scalar int 500
// EXPECT: 1 as interpreted
// RUN: kernel=clamped local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 900
// ARG: scalar int 100
// EXPECT: 1 as interpreted
// RUN: kernel=wrapping local=1024 global=1024
// RUN: kernel=wrapping local=480 global=480 offset=3
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar uint 0x7ffffe00
// ARG: scalar int 0x7fffff11
// EXPECT: 1 as interpreted
// RUN: kernel=wrapping local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar uint 0xfffffe00
// ARG: scalar int 0x11
// EXPECT: 1 as interpreted
// RUN: kernel=quotients local=1024 global=1024
// RUN: kernel=quotients local=480 global=960 offset=100
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 333
// EXPECT: 1 as interpreted
// RUN: kernel=quotients local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 5000
// EXPECT: 1 as interpreted
// RUN: kernel=quotients local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 3
// EXPECT: 1 as interpreted
// RUN: kernel=narrow local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 100
// EXPECT: 1 as interpreted
// RUN: kernel=parts local=1024 global=1024
// RUN: kernel=parts local=480,2 global=480,2
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 700
// EXPECT: 1 as interpreted
// RUN: kernel=some local=1024 global=1024
// RUN: kernel=some local=200 global=600
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 1027
// ARG: scalar int 511
// EXPECT: 1 as interpreted
// RUN: kernel=some local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 600
// ARG: scalar int 255
// EXPECT: 1 as interpreted
// RUN: kernel=beyond local=1024 global=1024
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: scalar int 600
// ARG: scalar int 0x7fffffff-600
// ARG: scalar int 0x7fffffff-300
// EXPECT: 1 as interpreted
// RUN: kernel=around_a_barrier local=1024 global=1024
// RUN: kernel=around_a_barrier local=224 global=672
// ARG: buffer int[4096] = i*i + 1
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 127
// EXPECT: 1 as interpreted

kernel void torus(global const int *in, global int *out, int mask) {
    int x = get_global_id(0), y = get_global_id(1);
    size_t at = (y - get_global_offset(1)) * get_global_size(0) + (get_global_id(0) - get_global_offset(0));
    out[at] = in[(x - 1) & mask] + 3 * in[x & mask] + 5 * in[(x + 2) & mask] + 7 * in[(x + 100) & mask] + y;
}

// Masks of all bits, negative ones and those of long: what is left may be anywhere, so that it is cut once more.
kernel void whole(global const int *in, global int *out, int mask) {
    long x = get_global_id(0);
    size_t at = get_global_id(0) - get_global_offset(0);
    out[at] = in[((x - 1) & (long)mask) & 4095] + 3 * in[((x + 7) & (long)mask) & 4095] + 5 * in[(((int)x + 5) & mask) & 4095];
}

kernel void clamped(global const int *in, global int *out, int low, int high) {
    int x = get_global_id(0), y = get_global_id(1);
    size_t at = (y - get_global_offset(1)) * get_global_size(0) + (x - get_global_offset(0));
    out[at] = in[min(max(x - 2, low), high)] + 3 * in[min(max(x, low), high)] + 5 * in[max(min(x + 3, high), low)] + 7 * in[2 * min(max(x, low), high) & 4095] + y;
}

// Sums that wrap in the middle of a row, as unsigned numbers and on the way to long.
kernel void wrapping(global const int *in, global int *out, uint far, int bound) {
    uint x = get_global_id(0);
    size_t at = get_global_id(0) - get_global_offset(0);
    int lowest = min((int)(x + far), bound), highest = max((int)(x + far), bound);
    uint least = min(x + far, (uint)bound), most = max(x + far, (uint)bound);
    out[at] = in[lowest & 4095] + 3 * in[highest & 4095] + 5 * in[least & 4095] + 7 * in[most & 4095] + 11 * in[(x + far) % 1000] +
              13 * in[(long)(int)(x + far) & 4095];
}

kernel void quotients(global const int *in, global int *out, int n) {
    int x = get_global_id(0);
    size_t at = get_global_id(0) - get_global_offset(0);
    out[at] = in[x / n] + 3 * in[(x + 7) / n] + 5 * in[x % n & 4095] + 7 * in[(x + 9) % n & 4095] + 11 * in[(x - 50) % n + n & 4095];
}

// Places of 8 and 16 bits come round within a row.
kernel void narrow(global const int *in, global int *out, int n) {
    int x = get_global_id(0);
    uchar byte = x + 250;
    ushort two = x * 100;
    short negative = x * 70;
    out[x] = in[byte] + 3 * in[(uchar)(byte + n)] + 5 * in[min((int)byte, n)] + 7 * in[two & 4095] + 11 * in[(negative + 32768) & 4095] +
             13 * in[min((int)two, 4095)];
}

// What is the same in a chunk, or a step apart there, is not so in a row: numbers of parts of it.
kernel void parts(global const int *in, global int *out, int last) {
    int x = get_global_id(0), y = get_global_id(1), part = get_local_id(0) >> 5, place = get_local_id(0) & 31, even = get_local_id(0) & ~15;
    out[y * (int)get_global_size(0) + x] = in[min(part + x, last)] + 3 * in[min(place + 32 * part, last)] + 5 * in[min(place * 3 + part, last)] +
                                        7 * in[min(even + x, last)] + 11 * in[max(place + part, 5)];
}

// Items that do not get there would wrap.
kernel void some(global const int *in, global int *out, int most, int mask) {
    int x = get_global_id(0);
    int sum = 1;
    if (x < most) {
        int far = x * 2000000 + 1000;
        if (x <= 1000)
            sum = in[min(far, mask)] + 3 * in[max(far, 4000) & mask] + 5 * in[min(x * 2000000, 4095)];
        sum += 7 * in[(x + 1) & mask] + 11 * in[(x - 1) & mask];
    }
    out[x] = sum;
}

// Those that do not get there do wrap: the last of them is as far from the first as if nothing were clamped between.
kernel void beyond(global const int *in, global int *out, int most, int far, int bound) {
    int x = get_global_id(0);
    int sum = 1;
    if (x <= most)
        sum = in[min(x + far, bound) - far] + 3 * in[min(x + far - 1, bound) - far + 1] + 5 * in[min(x + far - 2, bound) - far + 2];
    out[x] = sum;
}

kernel void around_a_barrier(global const int *in, global int *out, local int *cells, int mask) {
    int x = get_global_id(0), at = get_local_id(0), size = get_local_size(0);
    cells[at] = in[(x - 1) & mask] + in[(x + 1) & mask] + in[(x + 30) & mask];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = cells[min(at + 1, size - 1)] + 3 * cells[max(at - 1, 0)] + 5 * cells[min(at + 40, size - 1)] + in[(x - 1) & mask];
}
