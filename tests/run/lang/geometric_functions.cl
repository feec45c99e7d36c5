// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer float[4*G] = i%11 - 3
// ARG: buffer float[4*G] = i%7 + 1
// ARG: buffer float[G] out
// ARG: buffer float[4*G] out
// ARG: buffer float[G] out
// ARG: buffer float[4*G] out
// EXPECT: 2[i] = sum(k, 0, 4, a0[4*i+k]*a1[4*i+k])
// EXPECT: 3[i] = i%4 == 3 ? 0 : a0[i/4*4+(i+1)%4%3]*a1[i/4*4+(i%4+2)%3] - a0[i/4*4+(i%4+2)%3]*a1[i/4*4+(i+1)%4%3] where i%4 != 2
// EXPECT: 4[i] = sqrt(sum(k, 0, 4, a1[4*i+k]*a1[4*i+k])) +- 4ulp
// EXPECT: 5[i] = a1[i]/sqrt(sum(k, 0, 4, a1[i/4*4+k]*a1[i/4*4+k])) +- 4ulp
kernel void k(global const float4 *a, global const float4 *b, global float *d, global float4 *c, global float *l,
              global float4 *n) {
    size_t g = get_global_id(0);
    d[g] = dot(a[g], b[g]);
    c[g] = cross(a[g], b[g]);
    l[g] = length(b[g]);
    n[g] = normalize(b[g]);
}
