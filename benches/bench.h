/* The benchmark's parts: cases that a child process runs on one platform, and the parent that compares platforms. */
#ifndef CLOTHO_BENCH_H
#define CLOTHO_BENCH_H

#include "../tests/host/host.h"

/* One measurement. `run` sets up, checks its result against plain C, and answers milliseconds (median of its own
 * repetitions); it ends the process when the result is wrong. */
struct bench_case {
    const char *name, *what;
    double (*run)(struct host *h, const char *kernels);
};

extern const struct bench_case linear_cases[], compute_cases[], overhead_cases[]; /* each ends with a NULL name */

/* Calls `body(data)` once to warm up and then for about a third of a second, three times at least; the median in ms. */
double bench_repeat(void (*body)(void *data), void *data);

/* `count` floats between `low` and `high` from a fixed generator. */
float *bench_random(size_t count, float low, float high);

/* Ends the process if `found` and `wanted` differ by more than `tolerance` (relative to the larger of 1 and the
 * wanted value's size). */
void bench_check(const char *name, double found, double wanted, double tolerance);

#endif
