// RUN: kernel=k local=16 global=256
// RUN: kernel=k local=37 global=259
// ARG: buffer half[G] = (i - 100) * 0.37
// ARG: buffer half[G] = 3.7 - i * 0.0123
// ARG: buffer half[4*G] out
// ARG: buffer half[G] out
// EXPECT: 2[i] = i%4 == 0 ? a0[i/4] + a1[i/4] : i%4 == 1 ? a0[i/4] - a1[i/4] : i%4 == 2 ? a0[i/4] * a1[i/4] : a0[i/4] / a1[i/4]
// EXPECT: 3[i] = half(half(half(-a0[i] + 1) * 1.5) - 1) + i
kernel void k(global const half *a, global const half *b, global half *out, global half *steps) {
    size_t g = get_global_id(0);
    half x = a[g], y = b[g];
    out[4 * g] = x + y;
    out[4 * g + 1] = x - y;
    out[4 * g + 2] = x * y;
    out[4 * g + 3] = x / y;
    half s = -x;
    s++;
    s *= 1.5h;
    --s;
    s += (half)(ushort)g;
    steps[g] = s;
}
