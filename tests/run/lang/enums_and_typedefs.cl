// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%3 == 0 ? 0 : i%3 == 1 ? 10 : 11
enum colour { RED, GREEN = 10, BLUE };
typedef enum colour colour_t;
typedef int row_t[2];
kernel void k(global int *out) {
    row_t r = { GREEN, BLUE };
    int n = get_global_id(0) % 3;
    colour_t c = n == 0 ? RED : n == 1 ? (colour_t)r[0] : BLUE;
    out[get_global_id(0)] = c;
}
