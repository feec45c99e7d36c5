// Division is guarded unless the divisor is a constant, shift counts are masked, conversions are never poison.
kernel void arith(global int *p, global float *f, int n, uint u) {
    p[0] = p[1] / n;
    p[1] = p[2] % 7;
    p[2] = p[3] << n;
    p[3] = (int)f[0];
    p[4] = u / p[5];
}
