// Forward declaration, several returns, pointers to results, static and inline.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = (i%3 == 0 ? 100 : i%3 == 1 ? i : -i) + i/4 + i%4 + 9
int pick(int which, int value);
static inline int nine(void) { return 9; }
void split(int x, int *quotient, int *remainder) {
    *quotient = x / 4;
    *remainder = x % 4;
}
kernel void k(global int *out) {
    int g = get_global_id(0), q, r;
    split(g, &q, &r);
    out[g] = pick(g % 3, g) + q + r + nine();
}
int pick(int which, int value) {
    if (which == 0)
        return 100;
    if (which == 1)
        return value;
    return -value;
}
