// Neighbours in rows, with coordinates kept within bounds by min and max, to and fro over every edge; and sums of ids
// that are cut to fewer bits before and after.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=16,4 groups=3
// RUN: kernel=k local=64 groups=1
// ARG: buffer int[G] = i*i*7 + i
// ARG: buffer int[G] out
// ARG: scalar int GX
// ARG: scalar int GY
// ARG: scalar int -2147483647
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, int width, int height, int lowest) {
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int j = -2; j <= 2; j++) {
        int row = min(max(y + j, 0), height - 1);
        for (int i = -3; i <= 3; i++) {
            int column = min(max(x + i, 0), width - 1), back = max(min(width - 1 - x + i, width - 1), 0);
            sum = sum * 3 + in[row * width + column] + in[row * width + back];
        }
    }
    sum += in[max(x, lowest)] + in[min(max(min(x + 5, width - 3), 2), 40) % width];
    uint wrapped = (uint)x + (uint)get_global_size(0) * 2u;
    wrapped += get_global_size(0);
    uchar low = (uchar)(x + 250);
    low += get_global_size(0);
    sum += in[wrapped % (uint)width] * 5 + in[low % width] * 7;
    out[y * width + x] = sum;
}
