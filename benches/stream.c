/* The cases of kernels/stream.cl. */
#include "bench.h"

static const char file[] = "stream.cl";

static void saxpy(struct work *w)
{
    const float a = 0.5f;
    float *x = bench_random(STREAM, -1, 1), *y = bench_random(STREAM, -1, 1);
    work_kernel(w, file, "saxpy");
    work_buffer(w, STREAM * sizeof *x, x);
    cl_mem out = work_buffer(w, STREAM * sizeof *y, y);
    work_float(w, a);
    work_1d(w, STREAM, 256);
    work_once(w);
    float *found = work_read(w, out, STREAM * sizeof *y);
    for (size_t i = 0; i < STREAM; i++)
        bench_check("saxpy", found[i], a * x[i] + y[i], 1e-6);
    w->bytes = 12.0 * STREAM;
    work_time(w);
}

static void triad(struct work *w)
{
    float *b = bench_random(STREAM, -1, 1), *c = bench_random(STREAM, -1, 1);
    work_kernel(w, file, "triad");
    work_buffer(w, STREAM * sizeof *b, b);
    work_buffer(w, STREAM * sizeof *c, c);
    cl_mem out = work_buffer(w, STREAM * sizeof *b, NULL);
    work_float(w, 0.5f);
    work_1d(w, STREAM, 256);
    work_once(w);
    float *found = work_read(w, out, STREAM * sizeof *b);
    for (size_t i = 0; i < STREAM; i++)
        bench_check("triad", found[i], b[i] + 0.5f * c[i], 1e-6);
    w->bytes = 12.0 * STREAM;
    work_time(w);
}

/* Half floats of the numbers 1 to 2 in steps of 1/1024. */
static uint16_t *halves(size_t count)
{
    uint32_t *numbers = bench_numbers(count);
    uint16_t *values = bench_alloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = (uint16_t)(0x3c00 | (numbers[i] & 1023));
    return values;
}

static double half_value(uint16_t bits)
{
    return ldexp(1024 + (bits & 1023), (bits >> 10) - 25);
}

static void saxpy_half(struct work *w)
{
    uint16_t *x = halves(STREAM), *y = halves(STREAM);
    work_kernel(w, file, "saxpy_half");
    work_buffer(w, STREAM * sizeof *x, x);
    cl_mem out = work_buffer(w, STREAM * sizeof *y, y);
    /* Small, so that the many runs stay finite. */
    work_float(w, 0.5f);
    work_1d(w, STREAM, 256);
    work_once(w);
    uint16_t *found = work_read(w, out, STREAM * sizeof *y);
    for (size_t i = 0; i < STREAM; i++)
        bench_check("saxpy_half", half_value(found[i]), 0.5 * half_value(x[i]) + half_value(y[i]), 1e-3);
    w->bytes = 6.0 * STREAM;
    work_time(w);
}

struct particle {
    float place[4], speed[4], mass, charge;
    uint32_t kind, age;
};

static void update(struct work *w)
{
    enum { N = 2 << 20 };
    const float field[4] = {0.5f, -1, 2, 0}, step = 0.01f;
    float *numbers = bench_random(10 * N, 1, 2);
    struct particle *all = bench_alloc(N * sizeof *all);
    for (size_t i = 0; i < N; i++) {
        memcpy(all[i].place, numbers + 10 * i, 10 * sizeof *numbers);
        all[i].kind = all[i].age = (uint32_t)i;
    }
    work_kernel(w, file, "update");
    cl_mem out = work_buffer(w, N * sizeof *all, all);
    work_value(w, sizeof field, field);
    work_float(w, step);
    work_1d(w, N, 256);
    work_once(w);
    struct particle *found = work_read(w, out, N * sizeof *all);
    for (size_t i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++) {
            double speed = all[i].speed[k] + (double)field[k] * all[i].charge / all[i].mass * step;
            bench_check("update speed", found[i].speed[k], speed, 1e-5);
            bench_check("update place", found[i].place[k], all[i].place[k] + speed * step, 1e-5);
        }
        bench_check("update age", found[i].age, i + 1.0, 0);
        bench_check("update kind", found[i].kind, i, 0);
    }
    w->bytes = 2.0 * N * sizeof *all;
    work_time(w);
}

static void dot_char4(struct work *w)
{
    enum { ROWS = 32 << 10, COLUMNS = 256 };
    int8_t *matrix = (int8_t *)bench_numbers((size_t)ROWS * COLUMNS), *vector = (int8_t *)bench_numbers(COLUMNS);
    work_kernel(w, file, "dot_char4");
    work_buffer(w, 4 * (size_t)ROWS * COLUMNS, matrix);
    work_buffer(w, 4 * COLUMNS, vector);
    cl_mem out = work_buffer(w, ROWS * sizeof(cl_int), NULL);
    work_int(w, COLUMNS);
    work_1d(w, ROWS, 64);
    work_once(w);
    cl_int *found = work_read(w, out, ROWS * sizeof *found), *wanted = calloc(ROWS, sizeof *wanted);
    for (size_t k = 0; k < COLUMNS; k++)
        for (size_t row = 0; row < ROWS; row++)
            for (size_t i = 0; i < 4; i++)
                wanted[row] += matrix[(k * ROWS + row) * 4 + i] * vector[4 * k + i];
    for (size_t row = 0; row < ROWS; row++)
        bench_check("dot_char4", found[row], wanted[row], 0);
    w->bytes = 4.0 * ROWS * COLUMNS;
    work_time(w);
}

/* `kernel` sums blocks of a group each. */
static void sum(struct work *w, const char *kernel, int has_local)
{
    enum { PER_ITEM = 16, LOCAL = 256, GROUPS = STREAM / (PER_ITEM * LOCAL) };
    uint32_t *in = bench_numbers(STREAM), found = 0, wanted = 0;
    work_kernel(w, file, kernel);
    work_buffer(w, STREAM * sizeof *in, in);
    cl_mem out = work_buffer(w, GROUPS * sizeof *in, NULL);
    if (has_local)
        work_local(w, LOCAL * sizeof *in);
    work_int(w, PER_ITEM);
    work_1d(w, STREAM / PER_ITEM, LOCAL);
    work_once(w);
    uint32_t *parts = work_read(w, out, GROUPS * sizeof *parts);
    for (size_t i = 0; i < GROUPS; i++)
        found += parts[i];
    for (size_t i = 0; i < STREAM; i++)
        wanted += in[i];
    bench_check(kernel, found, wanted, 0);
    w->bytes = 4.0 * STREAM;
    work_time(w);
}

static void reduce(struct work *w)
{
    sum(w, "reduce", 1);
}

static void reduce_group(struct work *w)
{
    sum(w, "reduce_group", 0);
}

static void reduce_subgroup(struct work *w)
{
    sum(w, "reduce_subgroup", 1);
}

static void bins(struct work *w, const char *kernel, size_t n, int has_size)
{
    uint32_t wanted[256] = {0};
    unsigned char *in = bench_alloc(n);
    for (size_t i = 0; i < n; i++)
        wanted[in[i] = (unsigned char)(i * 2654435761u >> 13)]++;
    work_kernel(w, file, kernel);
    work_buffer(w, n, in);
    cl_mem out = work_buffer(w, sizeof wanted, NULL);
    if (has_size)
        work_int(w, (cl_int)n);
    work_1d(w, has_size ? 128 * 256 : n, 256);
    work_once(w);
    uint32_t *found = work_read(w, out, sizeof wanted);
    for (int b = 0; b < 256; b++)
        bench_check(kernel, found[b], wanted[b], 0);
    work_time(w);
}

static void histogram(struct work *w)
{
    bins(w, "histogram", 16 << 20, 1);
}

static void histogram_global(struct work *w)
{
    bins(w, "histogram_global", 2 << 20, 0);
}

const struct bench_case stream_cases[] = {
    {"saxpy", "16 Mi floats", saxpy, plain_saxpy, 0},
    {"triad", "16 Mi floats, STREAM's a = b + s c", triad, plain_triad, 0},
    {"saxpy_half", "16 Mi halves, vload_half and vstore_half", saxpy_half, plain_saxpy_half, 0},
    {"aos_update", "2 Mi structs of 48 bytes", update, NULL, 0},
    {"dot_char4", "32 Ki rows of 256 char4", dot_char4, NULL, 0},
    {"reduction", "16 Mi uints, tree with barriers", reduce, plain_reduce, 0},
    {"reduce_group", "16 Mi uints, work_group_reduce_add", reduce_group, plain_reduce, NEEDS_COLLECTIVES},
    {"reduce_subgroup", "16 Mi uints, sub_group_reduce_add", reduce_subgroup, plain_reduce, NEEDS_SUBGROUPS},
    {"histogram", "16 MiB, 256 bins, local atomics and barriers", histogram, NULL, 0},
    {"histogram_global", "2 MiB, 256 bins, global atomics", histogram_global, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
