// Each function has its own; all calls, of all work-items, share it.
// RUN: kernel=k local=1 groups=4 std=CL3.0
// ARG: buffer int[1] = 0
// EXPECT: 0[i] = (3 + 4 + 5 + 6) + (13 + 15 + 17 + 19)
int once(void) {
    static int count = 2;
    return ++count;
}

int twice(void) {
    static int count = 11;
    count += 2;
    extern int start;
    return count + start;
}

int start = 0;

kernel void k(global int *sum) {
    *sum += once() + twice();
}
