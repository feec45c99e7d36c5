// Halves live in private, local, global and constant memory, in structs and arrays, and are passed by value.
// RUN: kernel=k local=* groups=2
// ARG: buffer half[G] = i * 0.25 - 8
// ARG: buffer half[4*G] out
// ARG: local 2*L
// ARG: scalar half 1.5
// ARG: scalar half4 1, 2, 3, 4
// EXPECT: 1[i] = i%4 == 0 ? half(half(a0[i/4] * 1.5) + 3) : i%4 == 1 ? a0[i/4/L*L + (i/4%L+1)%L] : i%4 == 2 ? half(a0[i/4] + 10) : half(0.333251953125) * (i/4%3)
typedef struct { char tag; half value; half4 row; } item;
constant half weights[3] = {0, 0.333251953125h, 0.66650390625h};
half weigh(item it) { return it.value + it.row.x + it.row.y + it.row.z + it.row.w; }
kernel void k(global const half *in, global half *out, local half *l, half scale, half4 row) {
    size_t g = get_global_id(0), i = get_local_id(0);
    half x = in[g];
    l[i] = x;
    half p[4];
    for (int n = 0; n < 4; n++)
        p[n] = x * scale;
    barrier(CLK_LOCAL_MEM_FENCE);
    item it = {1, x, row};
    out[4 * g] = p[g & 3] + row.z;
    out[4 * g + 1] = l[(i + 1) % get_local_size(0)];
    out[4 * g + 2] = weigh(it);
    out[4 * g + 3] = weights[g % 3];
}
