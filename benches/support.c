#include "bench.h"
#include <math.h>
#include <stdint.h>

double bench_repeat(void (*body)(void *data), void *data)
{
    enum { MOST = 200 };
    double times[MOST], start;
    size_t count = 0;
    body(data);
    start = host_seconds();
    do {
        double before = host_seconds();
        body(data);
        times[count++] = 1e3 * (host_seconds() - before);
    } while (count < 3 || (count < MOST && host_seconds() - start < 0.3));
    return host_median(times, count);
}

float *bench_random(size_t count, float low, float high)
{
    static uint32_t state = 12345;
    float *values = malloc(count * sizeof *values);
    if (!values)
        FAIL("out of memory");
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = low + (high - low) * (float)(state >> 8) / 16777216.0f;
    }
    return values;
}

void bench_check(const char *name, double found, double wanted, double tolerance)
{
    double size = fabs(wanted) > 1 ? fabs(wanted) : 1;
    if (!(fabs(found - wanted) <= tolerance * size))
        FAIL("%s: wrong result %.9g, plain C says %.9g", name, found, wanted);
}
