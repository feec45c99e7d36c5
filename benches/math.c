/* Functions of the OpenCL C library: each work-item sums 16 values of an expression in x and y. */
#include "bench.h"

enum { ITEMS = 1 << 20, TERMS = 16 };

/* x and y begin between `low` and `high`; x grows by 1/64 with each term. */
struct function {
    const char *name, *type, *expression;
    double low, high;
    double (*plain)(double x, double y);
    double tolerance; /* of a term, relative to the larger of 1 and its size */
};

static double sin_cos(double x, double y)
{
    (void)y;
    return sin(x) + cos(x);
}

#define OF_X(function)                             \
    static double function##_x(double x, double y) \
    {                                              \
        (void)y;                                   \
        return function(x);                        \
    }
OF_X(exp) OF_X(log) OF_X(erf) OF_X(tanh) OF_X(sin)

static double angle(double x, double y)
{
    return atan2(y, x);
}

static double root_divide(double x, double y)
{
    return sqrt(x) + y / x;
}

static double natives(double x, double y)
{
    return sin(x) + exp(y) + log2(x) + 1 / sqrt(y);
}

/* name, type, expression, range, plain C, tolerance, what the platform needs */
#define FUNCTIONS(F)                                                          \
    F(sincos, float, "sin(x) + cos(x)", -10, 10, sin_cos, 1e-5, 0)            \
    F(exp, float, "exp(x)", -10, 3, exp_x, 1e-5, 0)                           \
    F(log, float, "log(x)", 0.01, 100, log_x, 1e-5, 0)                        \
    F(pow, float, "pow(x, y)", 0.1, 4, pow, 1e-5, 0)                          \
    F(atan2, float, "atan2(y, x)", -10, 10, angle, 1e-5, 0)                   \
    F(erf, float, "erf(x)", -3, 3, erf_x, 1e-5, 0)                            \
    F(tanh, float, "tanh(x)", -5, 5, tanh_x, 1e-5, 0)                         \
    F(sqrt_divide, float, "sqrt(x) + y / x", 0.1, 10, root_divide, 1e-5, 0)   \
    F(native, float, "native_sin(x) + native_exp(y) + native_log2(x) + native_rsqrt(y)", 0.1, 3, natives, 1e-3, 0) \
    F(exp_double, double, "exp(x)", -10, 3, exp_x, 1e-14, NEEDS_DOUBLE)       \
    F(sin_double, double, "sin(x)", -10, 10, sin_x, 1e-14, NEEDS_DOUBLE)      \
    F(pow_double, double, "pow(x, y)", 0.1, 4, pow, 1e-14, NEEDS_DOUBLE)

static void *numbers(const struct function *f, double **exact)
{
    int is_double = f->type[0] == 'd';
    float *values = bench_random(ITEMS, (float)f->low, (float)f->high);
    *exact = bench_alloc(ITEMS * sizeof **exact);
    for (size_t i = 0; i < ITEMS; i++)
        (*exact)[i] = values[i];
    return is_double ? (void *)*exact : (void *)values;
}

static void measure(struct work *w, const struct function *f)
{
    char source[1024];
    size_t size = f->type[0] == 'd' ? sizeof(double) : sizeof(float);
    snprintf(source, sizeof source,
             "kernel void sum(global const %s *xs, global const %s *ys, global %s *out) {\n"
             "    size_t i = get_global_id(0);\n"
             "    %s x = xs[i], y = ys[i], total = 0;\n"
             "    for (int t = 0; t < %d; t++) {\n"
             "        total += %s;\n"
             "        x += 0.015625f;\n"
             "    }\n"
             "    out[i] = total;\n"
             "}\n",
             f->type, f->type, f->type, f->type, TERMS, f->expression);
    w->program = host_build(&w->h, source, "");
    w->file = f->name;
    double *x, *y;
    void *xs = numbers(f, &x), *ys = numbers(f, &y);
    work_kernel(w, f->name, "sum");
    work_buffer(w, ITEMS * size, xs);
    work_buffer(w, ITEMS * size, ys);
    cl_mem out = work_buffer(w, ITEMS * size, NULL);
    work_1d(w, ITEMS, 256);
    work_once(w);
    void *found = work_read(w, out, ITEMS * size);
    for (size_t i = 0; i < ITEMS; i += 53) {
        double wanted = 0, error = 0, at = x[i];
        for (int t = 0; t < TERMS; t++) {
            double term = f->plain(at, y[i]);
            wanted += term;
            error += f->tolerance * fmax(1, fabs(term));
            at = size == sizeof(double) ? at + 0.015625 : (float)at + 0.015625f;
        }
        double value = size == sizeof(double) ? ((double *)found)[i] : ((float *)found)[i];
        if (!(fabs(value - wanted) <= error))
            FAIL("%s: wrong result %.17g for %.17g, %.17g: plain C says %.17g", f->name, value, x[i], y[i], wanted);
    }
    work_time(w);
}

#define RUN(name, type, expression, low, high, plain, tolerance, flags)                                 \
    static void run_##name(struct work *w)                                                              \
    {                                                                                                   \
        static const struct function function = {#name, #type, expression, low, high, plain, tolerance}; \
        measure(w, &function);                                                                          \
    }
FUNCTIONS(RUN)

#define CASE(name, type, expression, low, high, plain, tolerance, flags) \
    {#name, #type ", 16 Mi times " expression, run_##name, NULL, flags},

const struct bench_case math_cases[] = {FUNCTIONS(CASE){NULL, NULL, NULL, NULL, 0}};
