// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i%6-3
// ARG: buffer int[4*G] out
// ARG: buffer int[G] out
// ARG: buffer uint[G] out
// EXPECT: 1[i] = a0[i] < 0 ? 200 + i%4 : 100 + i%4
// EXPECT: 2[i] = (a0[4*i] < 0 || a0[4*i+1] < 0 || a0[4*i+2] < 0 || a0[4*i+3] < 0) + 10*(a0[4*i] < 0 && a0[4*i+1] < 0 && a0[4*i+2] < 0 && a0[4*i+3] < 0) + 100*(i%2 ? 5 : 6)
// EXPECT: 3[i] = 0xf0f0f0f0 & ~i | 0x12345678 & i
kernel void k(global const int4 *c, global int4 *out, global int *flags, global uint *bits) {
    uint g = get_global_id(0);
    out[g] = select((int4)(100, 101, 102, 103), (int4)(200, 201, 202, 203), c[g]);
    flags[g] = any(c[g]) + 10 * all(c[g]) + 100 * select(6, 5, (int)(g % 2));
    bits[g] = bitselect(0xf0f0f0f0u, 0x12345678u, g);
}
