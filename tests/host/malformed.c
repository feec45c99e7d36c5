/* Sources that are wrong in every way give a build error with a log; the process goes on. */
#include "check.h"
#include <sys/resource.h>

static const char *good =
    "#define TILE 16\n"
    "typedef struct { float a; int b[4]; uchar4 c; } pair;\n"
    "constant float table[4] = { 1.0f, 2e3f, 0x1p-2f, .5f };\n"
    "float helper(global const float *restrict p, int n, pair v);\n"
    "float helper(global const float *restrict p, int n, pair v)\n"
    "{\n"
    "    float sum = 0;\n"
    "    for (int i = 0; i < n; ++i) {\n"
    "        if (p[i] > 0 && i % 2 == 0 || v.b[i & 3] != 7) continue;\n"
    "        sum += p[i] * table[i & 3] + (float)v.c.s2;\n"
    "    }\n"
    "    return sum;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void k(global float *out, local float4 *tmp, int n)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    float4 v = (float4)(1, 2, (float2)(3));\n"
    "    switch (n) {\n"
    "    case 1: v.xy = v.zw; break;\n"
    "    case 'a': goto end;\n"
    "    default: { do { v = v * 2.0f; n--; } while (n > 0); }\n"
    "    }\n"
    "    tmp[get_local_id(0)] = v; /* a comment */\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    pair z = { 1.0f, { 1, 2 }, (uchar4)(9) };\n"
    "    out[i] = helper(out, n ? n : -n, z) + tmp[0].s0 + as_float(0x3f800000u);\n"
    "    printf(\"%d %v4f\\n\", n, v);\n"
    "end:;\n"
    "}\n";

static int builds;

/* Builds; gives the code, which is one of the two that a source can lead to. */
static cl_int build(const char *text, size_t length)
{
    cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &err);
    if (!program)
        return err;
    cl_int code = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    if (code != CL_SUCCESS && (code != CL_BUILD_PROGRAM_FAILURE || size < 2)) {
        failures++;
        printf("code %d, log of %zu bytes for: %.*s\n", code, size, (int)(length > 200 ? 200 : length), text);
    }
    char *log = malloc(size + 1);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    if (strstr(log, "internal")) {
        failures++;
        printf("%.300s for: %.*s\n", log, (int)(length > 200 ? 200 : length), text);
    }
    free(log);
    clReleaseProgram(program);
    builds++;
    return code;
}

/* `count` times `unit` between two texts. */
static cl_int repeated(const char *before, const char *unit, int count, const char *after)
{
    size_t size = strlen(unit), start = strlen(before), length = start + size * (size_t)count + strlen(after);
    char *text = malloc(length + 1);
    strcpy(text, before);
    for (int i = 0; i < count; i++)
        memcpy(text + start + (size_t)i * size, unit, size);
    strcpy(text + start + size * (size_t)count, after);
    cl_int code = build(text, length);
    free(text);
    return code;
}

#define FAILS_TO_BUILD(text) IS(CL_BUILD_PROGRAM_FAILURE, build(text, strlen(text)))

int main(void)
{
    unsigned seed = 7;
    struct rusage usage;
    set_up();
    OK(build(good, strlen(good)));
    OK(build(" ", 1));
    for (size_t cut = 1; cut < strlen(good); cut += cut % 3 + 1)
        build(good, cut);
    for (int i = 0; i < 300; i++) {
        char text[400];
        size_t length = 1 + (size_t)i;
        for (size_t j = 0; j < length; j++) {
            seed = seed * 1103515245 + 12345;
            text[j] = (char)(i % 2 ? seed >> 16 : 32 + (seed >> 16) % 95);
        }
        build(text, length);
    }
    /* One byte changed somewhere. */
    char *copy = strdup(good);
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245 + 12345;
        size_t at = (seed >> 8) % strlen(good);
        char was = copy[at];
        copy[at] = "(){}[];,*&#\"'x0.\\"[seed >> 4 & 15];
        build(copy, strlen(good));
        copy[at] = was;
    }
    free(copy);

    IS(CL_BUILD_PROGRAM_FAILURE, repeated("kernel void k() { int x = ", "(", 10000, "1; }"));
    repeated("kernel void k(global int *p) { *p = ", "(", 10000, "1 ");
    repeated("kernel void k() ", "{", 10000, "");
    repeated("kernel void k() { ", "if (1) ", 10000, "; }");
    repeated("kernel void k() { int x", "[1]", 10000, "; }");
    repeated("kernel void k() { int ", "*", 10000, "x; }");
    repeated("kernel void k() { int x = ", "-", 10001, "1; }");
    repeated("kernel void k() { int x = 1", " + 1", 20000, "; }");
    repeated("kernel void k(global int *p) { *p = 0", " ? 1 : 2", 10000, "; }");
    repeated("", "#if 1\n", 10000, "");
    repeated("", "struct s { ", 10000, "");
    repeated("#define A ", "A ", 1000, "\nint x = A;");
    FAILS_TO_BUILD("#define A B\n#define B A\nint x = A;");
    FAILS_TO_BUILD("#define F(x) F(F(x)) x x\nint x = F(F(F(F(F(F(F(F(1))))))));");
    FAILS_TO_BUILD("#define A B B B B B B B B\n#define B C C C C C C C C\n#define C D D D D D D D D\n"
                   "#define D E E E E E E E E\n#define E F F F F F F F F\n#define F G G G G G G G G\n"
                   "#define G H H H H H H H H\n#define H 1 1 1 1 1 1 1 1\nint x = A;");
    FAILS_TO_BUILD("#include \"no such file\"\n");
    FAILS_TO_BUILD("#include \"/dev/zero\"\n");
    FAILS_TO_BUILD("int f(int x);\nint g(int x) { return f(x); }\nint f(int x) { return g(x); }\n"
                   "kernel void k(global int *p) { *p = f(1); }");
    FAILS_TO_BUILD("kernel void k(global int *p) { *p = k; }");
    FAILS_TO_BUILD("kernel int k() { return 1; }");
    FAILS_TO_BUILD("kernel void k(global int *p) { private int big[1ul << 60]; *p = big[*p]; }");

    OK(build(good, strlen(good)));
    getrusage(RUSAGE_SELF, &usage);
    printf("%d builds, %ld MiB at most\n", builds, usage.ru_maxrss / 1024);
    TRUE_(usage.ru_maxrss < 2L << 20);
    tear_down();
    return done();
}
