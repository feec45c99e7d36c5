// Vector data, shuffles, geometry and the functions that give more than one result.
// RUN: kernel=k local=8 groups=2
// RUN: kernel=k local=33 groups=2
// ARG: buffer half[4*G] = (i%11 - 5) * 0.5
// ARG: buffer half[16*G] out
// ARG: buffer int[4*G] out
// EXPECT: 1[i] = a0[i/16*4 + 3 - i%16] where i%16 < 4
// EXPECT: 1[i] = sum(k, 0, 4, a0[i/16*4+k] * a0[i/16*4+k]) where i%16 == 4
// EXPECT: 1[i] = hypot(a0[i/16*4], a0[i/16*4+1]) +- 1.25ulp where i%16 == 5
// EXPECT: 1[i] = a0[i/16*4+1] * a0[i/16*4+3] - a0[i/16*4+2] * a0[i/16*4+2] where i%16 == 6
// EXPECT: 1[i] = 0 where i%16 == 7
// EXPECT: 1[i] = a0[i/16*4] - floor(a0[i/16*4]) where i%16 == 8
// EXPECT: 1[i] = floor(a0[i/16*4]) where i%16 == 9
// EXPECT: 1[i] = sin(a0[i/16*4+1]) +- 2ulp where i%16 == 10
// EXPECT: 1[i] = cos(a0[i/16*4+1]) +- 2ulp where i%16 == 11
// EXPECT: 1[i] = min(max(a0[i/16*4], -1), 1) where i%16 == 12
// EXPECT: 1[i] = a0[i/16*4] + (a0[i/16*4+1] - a0[i/16*4]) * 0.25 where i%16 == 13
// EXPECT: 1[i] = a0[i/16*4] < 0.5 ? 0 : 1 where i%16 == 14
// EXPECT: 1[i] = max(a0[i/16*4], a0[i/16*4+3]) where i%16 == 15
// EXPECT: 2[i] = i%4 == 0 ? 2 : i%4 == 1 ? 0 : i%4 == 2 ? 4 : 1
kernel void k(global const half *in, global half *out, global int *n) {
    size_t g = get_global_id(0);
    half4 v = vload4(g, in);
    global half *o = out + 16 * g;
    vstore4(shuffle(v, (ushort4)(3, 2, 1, 0)), 0, o);
    o[4] = dot(v, v);
    o[5] = length(v.xy);
    half4 c = cross((half4)(v.x, v.y, v.z, 0), (half4)(v.y, v.z, v.w, 1));
    o[6] = c.x;
    o[7] = c.w;
    half whole, cosine;
    o[8] = fract(v.x, &whole);
    o[9] = whole;
    o[10] = sincos(v.y, &cosine);
    o[11] = cosine;
    o[12] = clamp(v, -1.0h, 1.0h).x;
    o[13] = mix(v.x, v.y, 0.25h);
    o[14] = step(0.5h, v).x;
    o[15] = fmax(v, shuffle2(v, v, (ushort4)(3))).x;
    int e;
    frexp(3.0h, &e);
    n[4 * g] = e;
    n[4 * g + 1] = ilogb(1.5h);
    n[4 * g + 2] = vec_step(half3);
    n[4 * g + 3] = isnan(nan((ushort)1));
}
