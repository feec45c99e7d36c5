// The address of an element of a private array, made in a loop that the lanes leave in different iterations and used
// again behind it: by each lane as it was in its own last iteration, also behind two loops, and for lanes that did not
// come into the outer one.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer int[G] = 7*i
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out) {
    int a[8], g = get_global_id(0), x = in[g], h = 0, i = 0, *p;
    for (int n = 0; n < 8; n++)
        a[n] = x + n;
    do {
        p = &a[(x + i) & 7];
        h = h * 3 + *p;
        i++;
    } while (i < (h & 7));
    *p += 100;
    if (x & 2) {
        int m = 0;
        do {
            int k = m;
            do {
                p = &a[(k ^ x) & 7];
                h += *p;
                k += 3;
            } while (k < (h & 15));
            m++;
        } while (m < (g & 3));
        *p -= h;
    }
    for (int n = 0; n < 8; n++)
        h = h * 5 + a[n];
    out[g] = h;
}
