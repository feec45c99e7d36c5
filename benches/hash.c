/* The cases of kernels/hash.cl, checked with the same text read as C and with one digest that is known. */
#include "bench.h"
#define AS_C "kernels/hash.cl"
#include "as_c.h"

static const char file[] = "hash.cl";

enum { FIRST = 0x61626364 }; /* "abcd" as SHA-256 reads it */

/* Compares all digests of `words` words; the first one with the one that is known. */
static void check(const char *name, const uint32_t *found, const uint32_t *wanted, size_t items, size_t words, uint32_t known)
{
    if (wanted[0] != known)
        FAIL("%s: plain C is wrong", name);
    if (memcmp(found, wanted, items * words * sizeof *found))
        FAIL("%s: wrong result", name);
}

static void run_sha256(struct work *w)
{
    enum { ITEMS = 512 << 10, WORDS = 8 };
    size_t size = (size_t)ITEMS * WORDS * sizeof(uint32_t);
    uint32_t *wanted = bench_alloc(size);
    work_kernel(w, file, "sha256");
    cl_mem out = work_buffer(w, size, NULL);
    work_int(w, FIRST);
    work_1d(w, ITEMS, 64);
    work_once(w);
    FOR_ITEMS(ITEMS, 1, 1, sha256(wanted, FIRST));
    check("sha256", work_read(w, out, size), wanted, ITEMS, WORDS, 0x88d4266f);
    work_time(w);
}

static void run_md5(struct work *w)
{
    enum { ITEMS = 1 << 20, WORDS = 4 };
    size_t size = (size_t)ITEMS * WORDS * sizeof(uint32_t);
    uint32_t *wanted = bench_alloc(size), sines[64], first = 0x64636261; /* "abcd", the other way round */
    for (int t = 0; t < 64; t++)
        sines[t] = (uint32_t)(int64_t)floor(4294967296.0 * fabs(sin(t + 1)));
    work_kernel(w, file, "md5");
    cl_mem out = work_buffer(w, size, NULL);
    work_int(w, (cl_int)first);
    work_buffer(w, sizeof sines, sines);
    work_1d(w, ITEMS, 64);
    work_once(w);
    FOR_ITEMS(ITEMS, 1, 1, md5(wanted, first, sines));
    check("md5", work_read(w, out, size), wanted, ITEMS, WORDS, 0x4c71fce2);
    work_time(w);
}

static void run_monte_carlo(struct work *w)
{
    enum { ITEMS = 64 << 10, POINTS = 1000 };
    uint32_t *wanted = bench_alloc(ITEMS * sizeof *wanted);
    work_kernel(w, file, "monte_carlo");
    cl_mem out = work_buffer(w, ITEMS * sizeof *wanted, NULL);
    work_int(w, POINTS);
    work_1d(w, ITEMS, 64);
    work_once(w);
    FOR_ITEMS(ITEMS, 1, 1, monte_carlo(wanted, POINTS));
    uint32_t *found = work_read(w, out, ITEMS * sizeof *found);
    /* Contraction may move a point across the circle's edge. */
    for (size_t i = 0; i < ITEMS; i++)
        if (abs((int)(found[i] - wanted[i])) > 1)
            FAIL("monte_carlo: wrong result %u, plain C says %u", found[i], wanted[i]);
    work_time(w);
}

const struct bench_case hash_cases[] = {
    {"sha256", "512 Ki messages", run_sha256, NULL, 0},
    {"md5", "1 Mi messages", run_md5, NULL, 0},
    {"monte_carlo", "64 Ki work-items of 1000 points, xorshift", run_monte_carlo, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
