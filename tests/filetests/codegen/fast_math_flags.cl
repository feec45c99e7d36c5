// options: -cl-fast-relaxed-math
// The program's own operations carry the flags; the library's do not.
kernel void relaxed(global float *f) {
    f[0] = f[1] * f[2] + f[3];
    f[1] = fdim(f[2], f[3]);
}
