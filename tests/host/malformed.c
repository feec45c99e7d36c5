/* No source text may crash, hang or eat the host: a build error with a log, or a program. */
#include "host.h"
#include <stdarg.h>

enum { MOST_SECONDS = 60, MOST_GIB = 2 };

static struct host h;
static int builds;

enum verdict { MUST_FAIL, MAY_PASS };

/* Builds `size` bytes of `text`; `what` names the case in messages. */
static void try_build(const char *what, const char *text, size_t size, enum verdict verdict)
{
    static char log[1 << 20];
    size_t log_size = 0;
    cl_int code;
    double start = host_seconds();
    cl_program program = clCreateProgramWithSource(h.context, 1, &text, &size, &code);
    if (code == CL_INVALID_VALUE && size == 0)
        return;
    CHECK(code);
    code = clBuildProgram(program, 1, &h.device, "", NULL, NULL);
    double seconds = host_seconds() - start;
    builds++;
    if (code != CL_BUILD_PROGRAM_FAILURE && !(code == CL_SUCCESS && verdict == MAY_PASS))
        FAIL("%s: clBuildProgram answered %d", what, code);
    if (seconds > MOST_SECONDS)
        FAIL("%s: %.1f s", what, seconds);
    CHECK(clGetProgramBuildInfo(program, h.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, &log_size));
    if (code != CL_SUCCESS && log_size < 8)
        FAIL("%s: no build log", what);
    if (strstr(log, "internal"))
        FAIL("%s: our mistake, not the source's: %s", what, log);
    CHECK(clReleaseProgram(program));
}

static void try_text(const char *what, const char *text, enum verdict verdict)
{
    try_build(what, text, strlen(text), verdict);
}

/* A text made of `before`, `count` times `repeated`, `middle`, `count` times `closing`, and `after`. */
static void try_nested(const char *what, size_t count, const char *before, const char *repeated, const char *middle,
                       const char *closing, const char *after, enum verdict verdict)
{
    size_t room = strlen(before) + count * (strlen(repeated) + strlen(closing)) + strlen(middle) + strlen(after) + 1;
    char *text = malloc(room), *end = text;
    if (!text)
        FAIL("out of memory");
    end = stpcpy(end, before);
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, repeated);
    end = stpcpy(end, middle);
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, closing);
    end = stpcpy(end, after);
    try_build(what, text, (size_t)(end - text), verdict);
    free(text);
}

/* About a hundred lines with something of everything. */
static const char sample[] =
    "// A sample: structs, macros, functions, barriers, vectors.\n"
    "#define N 16\n"
    "#define SQUARE(x) ((x) * (x))\n"
    "#ifdef NEVER\n"
    "#error never\n"
    "#else\n"
    "typedef struct { int a; float4 b; } item;\n"
    "#endif\n"
    "enum mode { UP = 1, DOWN = -1 };\n"
    "constant float weights[4] = { 0.5f, 1.5e-3f, 0x1p3f, 'a' };\n"
    "constant char text[] = \"a \\\"string\\\"\\n\";\n"
    "\n"
    "int fold(const int *values, int count) {\n"
    "    int total = 0;\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        if (values[i] < 0)\n"
    "            continue;\n"
    "        total += values[i];\n"
    "    }\n"
    "    return total;\n"
    "}\n"
    "\n"
    "static inline item make(int a, float f) {\n"
    "    item it;\n"
    "    it.a = a;\n"
    "    it.b = (float4)(f, f + 1, 0, weights[a & 3]);\n"
    "    it.b.yx = it.b.xy;\n"
    "    return it;\n"
    "}\n"
    "\n"
    "/* A kernel\n"
    "   with a comment */\n"
    "kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
    "void work(global const int *in, global float *out, local int *tmp, const uint n) {\n"
    "    uint l = get_local_id(0), g = get_global_id(0);\n"
    "    int mine[N] = { 1, 2, [5] = 7 };\n"
    "    local int shared[N][2];\n"
    "    item it = make((int)l, in[g] * 0.5f);\n"
    "    tmp[l] = g < n ? in[g] : -1;\n"
    "    shared[l][0] = SQUARE(tmp[l]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    switch (l % 3) {\n"
    "    case 0: it.a <<= 2; break;\n"
    "    case UP: it.a = ~it.a; /* fall through */\n"
    "    default: it.a -= !l;\n"
    "    }\n"
    "    for (uint s = N / 2; s; s >>= 1) {\n"
    "        if (l < s)\n"
    "            shared[l][0] += shared[l + s][0];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    }\n"
    "    do {\n"
    "        mine[l & 7]++;\n"
    "    } while (mine[l & 7] < 3 && fold(mine, N) != 0);\n"
    "    while (1) {\n"
    "        if (it.a-- < 0 || l)\n"
    "            goto out_of_it;\n"
    "    }\n"
    "out_of_it:\n"
    "    out[g] = it.b.x + dot(it.b, it.b.wzyx) + convert_float_rte(shared[0][0])\n"
    "        + (sizeof(item) == 32 ? text[1] : weights[2]);\n"
    "}\n"
    "\n"
    "// Inclusive scan, two barriers a step.\n"
    "kernel void scan(global const uint *in, global uint *out, local uint *tmp) {\n"
    "    size_t l = get_local_id(0);\n"
    "    size_t n = get_local_size(0);\n"
    "    tmp[l] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (size_t stride = 1; stride < n; stride *= 2) {\n"
    "        uint x = l >= stride\n"
    "            ? tmp[l - stride]\n"
    "            : 0u;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        tmp[l] += x;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[get_global_id(0)] = tmp[l];\n"
    "}\n"
    "\n"
    "union bits {\n"
    "    float f;\n"
    "    uint u;\n"
    "    uchar4 bytes;\n"
    "};\n"
    "\n"
    "#if defined(N) && N > 8 && \\\n"
    "    !defined(NEVER)\n"
    "kernel void bytes(\n"
    "    global const float *restrict in,\n"
    "    global uchar4 *restrict out,\n"
    "    constant uchar *table __attribute__((unused)),\n"
    "    volatile global int *counter)\n"
    "{\n"
    "    union bits b;\n"
    "    size_t g = get_global_id(0) + get_global_size(0) * get_global_id(1);\n"
    "    b.f = vload4(g, in).s2;\n"
    "    if (b.u & 0x80000000u && b.bytes.w >= 128) {\n"
    "        atomic_inc(counter);\n"
    "        b.u ^= 0x80000000u;\n"
    "    } else if (isnan(b.f)) {\n"
    "        return;\n"
    "    }\n"
    "    b.bytes = select(b.bytes, (uchar4)(table[0]), b.bytes > (uchar4)(9));\n"
    "    out[g] = as_uchar4(b.u) + convert_uchar4_sat((int4)(1, -2, 300, 'x'));\n"
    "}\n"
    "#endif\n";

static void truncated(void)
{
    char what[64];
    for (size_t size = 0; size < sizeof sample - 1; size++) {
        snprintf(what, sizeof what, "sample cut after %zu bytes", size);
        try_build(what, sample, size, MAY_PASS);
    }
    try_text("whole sample", sample, MAY_PASS);
}

static unsigned below(unsigned limit)
{
    static unsigned state = 99;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void random_texts(void)
{
    static const char *const words[] = {
        "kernel", "void", "int", "float4", "global", "local", "*", "x", "y", "(", ")", "{", "}", "[", "]", ";", ",", "=",
        "+", "-", "<<", "==", "?", ":", "if", "else", "for", "while", "do", "switch", "case", "default", "break",
        "continue", "return", "goto", "struct", "union", "enum", "typedef", "constant", "1", "0x", "1e", "'", "\"", "#",
        "##", "\n#define", "\n#if", "\n#endif", "\n#include", "\\\n", "...", ".", "->", "sizeof", "barrier", "as_int",
        "__attribute__", "half", "double", "&", "!", "~", "%", "@", "\x80", "\t", "const", "volatile", "restrict"};
    char text[4096];
    for (int round = 0; round < 300; round++) {
        size_t size = below(sizeof text);
        for (size_t i = 0; i < size; i++)
            text[i] = (char)below(256);
        try_build("random bytes", text, size, MAY_PASS);
        /* Words, and the sample with a few bytes changed, go deeper. */
        size = 0;
        while (size < sizeof text - 64 && below(200))
            size += (size_t)snprintf(text + size, 64, "%s ", words[below(sizeof words / sizeof *words)]);
        try_build("random words", text, size, MAY_PASS);
        memcpy(text, sample, sizeof sample);
        for (int change = 0; change < 3; change++)
            text[below(sizeof sample - 1)] = words[below(sizeof words / sizeof *words)][0];
        try_build("sample with changed bytes", text, sizeof sample - 1, MAY_PASS);
    }
}

static void nested(void)
{
    const char *body = "kernel void k(global int *p) {", *end = "}";
    try_nested("parentheses", 10000, "kernel void k(global int *p) { *p = ", "(", "1", ")", "; }", MUST_FAIL);
    try_nested("parentheses left open", 10000, "kernel void k(global int *p) { *p = ", "(", "1", "", "; }", MUST_FAIL);
    try_nested("braces", 10000, body, "{", ";", "}", end, MUST_FAIL);
    try_nested("braces left open", 10000, body, "{", ";", "", "", MUST_FAIL);
    try_nested("brackets", 10000, body, "p[", "0", "]", "; }", MUST_FAIL);
    try_nested("initialiser braces", 10000, "kernel void k(void) { int a[1] = ", "{", "1", "}", "; }", MUST_FAIL);
    try_nested("unary operators", 10000, "kernel void k(global int *p) { *p = ", "-~!", "1", "", "; }", MAY_PASS);
    try_nested("pointers", 10000, "kernel void k(void) { int ", "*", "q", "", "; }", MAY_PASS);
    try_nested("casts", 10000, "kernel void k(global int *p) { *p = ", "(int)", "1", "", "; }", MAY_PASS);
    try_nested("ifs", 10000, body, "if (p[0])", ";", "", end, MAY_PASS);
    try_nested("else ifs", 10000, body, "if (p[0]) p[0]++; else ", ";", "", end, MAY_PASS);
    try_nested("loops", 10000, body, "for (;;)", ";", "", end, MAY_PASS);
    try_nested("switches", 10000, body, "switch (p[0]) case 1:", ";", "", end, MAY_PASS);
    try_nested("conditionals", 10000, "kernel void k(global int *p) { *p = ", "p[0] ? 1 : ", "1", "", "; }", MAY_PASS);
    try_nested("sums", 10000, "kernel void k(global int *p) { *p = 1", " + p[0]", "", "", "; }", MAY_PASS);
    try_nested("assignments", 10000, "kernel void k(global int *p) { ", "p[0] = ", "1", "", "; }", MAY_PASS);
    try_nested("commas", 10000, "kernel void k(global int *p) { p[0] = (1", ", p[0]", "", "", "); }", MAY_PASS);
    try_nested("structs", 10000, "", "struct {", "int a;", "} x;", "", MUST_FAIL);
    try_nested("function declarators", 10000, "void f", "(void (*g)", "", ")", ";", MUST_FAIL);
    try_nested("conditions of the preprocessor", 10000, "", "#if 1\n", "", "#endif\n", "kernel void k(void) {}\n", MAY_PASS);
    try_nested("conditions left open", 10000, "", "#if 1\n", "", "", "kernel void k(void) {}\n", MUST_FAIL);
    try_nested("preprocessor parentheses", 10000, "#if ", "(", "1", ")", "\n#endif\nkernel void k(void) {}\n", MAY_PASS);
    try_nested("a long name", 1 << 20, "kernel void k(void) { int ", "a", "", "", "; }", MAY_PASS);
    try_nested("white space", 1 << 20, "", " \n", "kernel void k(void) {}", "", "", MAY_PASS);
    try_nested("statements", 20000, body, "p[0]++;", "", "", end, MAY_PASS);
    try_nested("functions", 3000, "kernel void k(void) {}", "\nint f(int);", "", "", "", MAY_PASS);
    try_nested("macro arguments", 10000, "#define M(x) x\nkernel void k(global int *p) { *p = ", "M(", "1", ")", "; }", MAY_PASS);
}

static void single(void)
{
    static const char *const wrong[] = {
        "#define A B\n#define B A\nkernel void k(void) { A }",
        "#define F(x) F(F(x))\nkernel void k(void) { F(1) + ; }",
        "#include \"nothing.h\"\nkernel void k(void) {}",
        "#include <nothing.h>\n",
        "#include",
        "#if 1 /\n#endif",
        "#if 1 % 0\n#endif",
        "#else\n",
        "#define\n",
        "#define M(\nkernel void k(void) {}",
        "#define M(a, a) a\nM(1, 2)",
        "#define M(a) a\nkernel void k(void) { M(1",
        "#error wrong\n",
        "int f(int x);\nint g(int x) { return f(x); }\nint f(int x) { return g(x); }\n"
        "kernel void k(global int *p) { *p = f(*p); }",
        "int f(int x) { return x ? f(x - 1) : 0; }\nkernel void k(global int *p) { *p = f(*p); }",
        "kernel void k(void) { k(); }",
        "kernel void k(void) { undefined(); }",
        "int f(int x);\nkernel void k(global int *p) { *p = f(*p); }",
        "kernel void k(void) { goto nowhere; }",
        "kernel void k(void) { a: a: ; }",
        "kernel void k(void) { break; }",
        "kernel void k(void) { case 1: ; }",
        "kernel int k(void) { return 1; }",
        "kernel void k(int *p) {}",
        "kernel void k(global int **p) {}",
        "kernel void k(void) {}\nkernel void k(void) {}",
        "kernel void k(void) { int a[-1]; }",
        "kernel void k(void) { int a[1 / 0]; }",
        "kernel void k(void) { int a[100000000000000000000]; a[0] = 1; }",
        "kernel void k(int n) { int a[n]; }",
        "kernel void k(void) { float4 v = (float4)(1, 2, 3); }",
        "kernel void k(void) { float4 v; v.xyzwx = 1; }",
        "kernel void k(void) { float4 v; v.q = 1; }",
        "kernel void k(void) { float5 v; }",
        "kernel void k(void) { struct s x; }",
        "struct s { struct s inner; };\nkernel void k(void) {}",
        "kernel void k(void) { switch (1) { case 1: case 1: ; } }",
        "kernel void k(void) { int x = \"text\"; int y = 'ab",
        "kernel void k(void) { /* no end",
        "kernel void k(void) { char *s = \"no end; }",
        "kernel void k(void) { int x = 0x; }",
        "kernel void k(void) { int x = 08; }",
        "kernel void k(void) { float x = 1e; }",
        "kernel void k(void) { 1 = 2; }",
        "kernel void k(void) { const int x = 1; x = 2; }",
        "kernel void k(constant int *p) { *p = 1; }",
        "kernel void k(global int *p, local int *q) { p = q; }",
        "kernel void k(void) { void (*f)(void); }",
        "kernel __attribute__((reqd_work_group_size(0, 1))) void k(void) {}",
        "kernel void k(void) { int x; int x; }",
        "kernel void k(void) { return 1; }",
        "constant int x;\nkernel void k(void) {}\nconstant int y = z;",
        "#line 99999999999999999999\nkernel void k(void) {}",
        "\xff\xfe kernel void k(void) {}",
        "}",
        ")",
        "kernel",
        "kernel void",
        "kernel void k(",
        "asm(\"int3\");",
    };
    static const char *const odd[] = {
        "", " ", "\n", ";", ";;;;", "// only a comment", "/* only a comment */", "#\n#\n", "\\\n", "#pragma anything goes\n",
        "kernel void k(void) { local int a[1 << 28]; a[0] = 1; }",
        "kernel void k(global int *p) { int a[1 << 20]; a[p[0]] = 1; p[1] = a[p[2]]; }",
        "kernel void k(void) { for (;;) ; }",
        "kernel void k(void) { again: goto again; }",
        "kernel void k(global int *p) { p[0] = 1 / 0; p[1] = 1 % 0; p[2] = 1 << 99; p[3] = (-2147483647 - 1) / -1; }",
        "kernel void k(global int *p) { p[1L << 60] = 1; }",
        "kernel void k(void) { int x = 99999999999999999999; float f = 1e999f; }",
        "kernel void k(void) { *(global int *)0 = 1; }",
        "typedef int T; kernel void k(global T *T) { *T = 1; }",
        "kernel void k(void) { ; { } ; if (0) ; else ; }",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        try_text(wrong[i], wrong[i], MUST_FAIL);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        try_text(odd[i], odd[i], MAY_PASS);
    try_build("NUL in the text", "kernel void k(void) {\0}", 24, MAY_PASS);
}

/* Each macro is twice the one before it: 2^60 tokens. */
static void macro_bomb(void)
{
    static char text[1 << 14];
    size_t at = (size_t)sprintf(text, "#define A0 x +\n");
    for (int n = 1; n <= 60; n++)
        at += (size_t)sprintf(text + at, "#define A%d A%d A%d\n", n, n - 1, n - 1);
    sprintf(text + at, "kernel void k(global int *p) { int x = 1; *p = A60 1; }\n");
    try_text("macros that double 60 times", text, MUST_FAIL);
}

/* A header that includes itself, given to clCompileProgram. */
static void recursive_include(void)
{
    const char *header_text = "#include \"self.h\"\nint x;\n", *text = "#include \"self.h\"\nkernel void k(void) {}\n";
    const char *name = "self.h";
    cl_int code;
    cl_program header = clCreateProgramWithSource(h.context, 1, &header_text, NULL, &code);
    CHECK(code);
    cl_program program = clCreateProgramWithSource(h.context, 1, &text, NULL, &code);
    CHECK(code);
    code = clCompileProgram(program, 1, &h.device, "", 1, &header, &name, NULL, NULL);
    if (code != CL_COMPILE_PROGRAM_FAILURE && code != CL_COMPILER_NOT_AVAILABLE)
        FAIL("a header that includes itself: clCompileProgram answered %d", code);
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseProgram(header));
}

static void bad_options(void)
{
    static const char *const wrong[] = {"-D", "-no-such-option", "-cl-std=CL9.9", "-I", "-D 1x", "\"", "-D\"A"};
    const char *text = "kernel void k(void) {}\n";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cl_int code;
        cl_program program = clCreateProgramWithSource(h.context, 1, &text, NULL, &code);
        CHECK(code);
        code = clBuildProgram(program, 1, &h.device, wrong[i], NULL, NULL);
        if (code != CL_INVALID_BUILD_OPTIONS && code != CL_BUILD_PROGRAM_FAILURE && code != CL_SUCCESS)
            FAIL("options \"%s\": clBuildProgram answered %d", wrong[i], code);
        CHECK(clReleaseProgram(program));
    }
}

/* The most memory this process ever had, in KiB. */
static long peak_kib(void)
{
    char line[256];
    long peak = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmHWM: %ld", &peak);
    if (file)
        fclose(file);
    return peak;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"single", single}, {"nested", nested}, {"macro_bomb", macro_bomb}, {"recursive_include", recursive_include},
                 {"bad_options", bad_options}, {"truncated", truncated}, {"random_texts", random_texts}};
    h = host_open("");
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (argc > 1 && strcmp(argv[1], parts[p].name))
            continue;
        double start = host_seconds();
        parts[p].run();
        printf("%s: %.1f s\n", parts[p].name, host_seconds() - start);
    }
    /* And the compiler still works. */
    cl_program program = host_build(&h, sample, "");
    CHECK(clReleaseKernel(host_kernel(program, "work")));
    CHECK(clReleaseProgram(program));
    long peak = peak_kib();
    printf("%d builds, at most %ld MiB\n", builds, peak / 1024);
    host_close(&h);
    if (peak > MOST_GIB * 1024L * 1024L)
        FAIL("more than %d GiB of memory", MOST_GIB);
    return 0;
}
