// Most of the grammar, without an error.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef float4 real4;
typedef struct __attribute__((packed)) Pair { int a, b : 3, : 0; union { float f; uint u; }; } Pair;
struct Node { struct Node *next; int (*values)[4]; } __attribute__((aligned(16)));
enum Color { RED, GREEN = 1 << 2, BLUE, };
__constant float weights[3] = { 0.25f, .5f, 1e-2 };
constant Pair pairs[] = { { 1, 2 }, [3].a = 4, [4] = { .b = 2, .f = 1.0f } };
extern int declared(int, const __global float * restrict p, ...);
static inline float twice(float x) { return x + x; }
unsigned long int word; long unsigned other, *third;
int (*table[2])(int a, float[]);
;
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) __attribute__((vec_type_hint(unsigned int)))
void k(__global const float *restrict in, global real4 *out, __local int *tmp, const int n, Pair p)
{
    size_t i = get_global_id(0), j;
    float4 v = (float4)(1.0f, 2.0f, in[i], 4), w = (real4)(0.0f);
    float s = (float)(n) * 2, t = (int)(p).a + -(n);
    uint2 u = (uint2)(1, 2).yx;
    v.xy = w.hi; v.s03 += (float2)(1);
    Pair q = (Pair){ .a = 1 }, *r = &q;
    int a = sizeof(int[4]), b = sizeof a, c = sizeof(Pair){ 1 }, d = vec_step(float3) + vec_step(v);
    r->a = r++->b--, --a;
    a = b = c ? d : a ? b : c;
    a <<= 1, b >>= 2, c &= ~d, d |= !a, a ^= 3, b %= 5;
    typeof(a) e = a && b || c & d ^ a | b == c != d < a <= b > c >= d;
    typeof(int *) pe = &e;
    a = b ?: ({ int x = 1; x + 2; });
    int real4 = 3; real4 * a;
    __attribute__((opencl_unroll_hint(4)))
    for (int k = 0; k < 4; ++k) { if (k == 2) continue; else if (k) break; else ; }
    #pragma unroll
    while (a < 10) a++;
    do a--; while (a > 0);
    switch (n) { case 1: case 2 ... 4: a = 1; break; default: { b = 2; } case 'x': ; }
    for (;;) goto end;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    printf("%d\n" "%f", a, true);
end:
    return;
}
