// The quotient is undefined, but the kernel and the host go on.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] = i%2 ? -2147483648 : i
// ARG: buffer int[G] = i%2 ? -1 : 0
// ARG: buffer int[G] out
// EXPECT: 2[i] = i
// SKIP-PEER: PoCL 3.1 dies of SIGFPE
kernel void k(global const int *a, global const int *b, global int *out) {
    size_t g = get_global_id(0);
    int q = a[g] / b[g], r = a[g] % b[g];
    long ql = (long)a[g] / (b[g] + (b[g] == -1 ? 1 : 0));
    out[g] = g;
    if (q == 12345 && r == 54321 && ql == 99999)
        out[g] = -1;
}
