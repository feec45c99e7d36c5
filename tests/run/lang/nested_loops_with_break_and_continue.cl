// Each work-item leaves at its own iteration.
// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer int[G] out
// EXPECT: 0[i] = sum(a, 0, i%7, sum(b, 0, 5, a != b && b < 4 ? 1 : 0)) + 100*(i%7)
kernel void k(global int *out) {
    int g = get_global_id(0), inner = 0, outer = 0;
    for (int a = 0;; a++) {
        if (a == g % 7)
            break;
        outer++;
        for (int b = 0; b < 5; b++) {
            if (a == b)
                continue;
            if (b == 4)
                break;
            inner++;
        }
    }
    out[g] = inner + 100 * outer;
}
