// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] = i
// EXPECT: 0[i] = ((((((i+100)*3 - 7)/2 % 1000) << 3 >> 1) & 0xfff | 0x1000) ^ 0x55)
kernel void k(global int *data) {
    int x = data[get_global_id(0)];
    x += 100;
    x *= 3;
    x -= 7;
    x /= 2;
    x %= 1000;
    x <<= 3;
    x >>= 1;
    x &= 0xfff;
    x |= 0x1000;
    x ^= 0x55;
    data[get_global_id(0)] = x;
}
