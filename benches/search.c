/* The cases of kernels/search.cl. */
#include "bench.h"

static const char file[] = "search.cl";

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum { KEYS = 256 << 10 };

static void all_passes(struct work *w)
{
    struct step *s = w->step;
    for (cl_uint run = 1; run < KEYS; run *= 2)
        for (cl_uint distance = run; distance > 0; distance /= 2) {
            CHECK(clSetKernelArg(s->kernel, 1, sizeof run, &run));
            CHECK(clSetKernelArg(s->kernel, 2, sizeof distance, &distance));
            CHECK(clEnqueueNDRangeKernel(w->h.queue, s->kernel, 1, NULL, s->global, s->local, 0, NULL, NULL));
        }
}

static void bitonic(struct work *w)
{
    uint32_t *keys = bench_numbers(KEYS);
    work_kernel(w, file, "bitonic");
    cl_mem out = work_buffer(w, KEYS * sizeof *keys, keys);
    work_1d(w, KEYS / 2, 256);
    w->enqueue = all_passes;
    work_once(w);
    qsort(keys, KEYS, sizeof *keys, compare_numbers);
    if (memcmp(keys, work_read(w, out, KEYS * sizeof *keys), KEYS * sizeof *keys))
        FAIL("bitonic: the keys are not sorted");
    work_time(w);
}

/* 4 Mi numbers: blocks of 512, their totals, and the totals' totals; then the sums are added on the way down. */
static void scan(struct work *w)
{
    enum { N = 4 << 20, LEVELS = 3, BLOCK = 512 };
    size_t sizes[LEVELS + 1] = {N};
    uint32_t *in = bench_numbers(N), wanted = 0;
    cl_mem from = NULL, to[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
        size_t blocks = (sizes[level] + BLOCK - 1) / BLOCK, next = (blocks + BLOCK - 1) / BLOCK * BLOCK;
        sizes[level + 1] = blocks;
        work_kernel(w, file, "scan_blocks");
        if (level)
            work_pass(w, from);
        else
            work_buffer(w, N * sizeof *in, in);
        to[level] = work_buffer(w, blocks * BLOCK * sizeof *in, NULL);
        from = work_buffer(w, next * sizeof *in, NULL);
        work_1d(w, blocks * BLOCK / 2, BLOCK / 2);
    }
    for (int level = LEVELS - 2; level >= 0; level--) {
        work_kernel(w, file, "scan_add");
        work_pass(w, to[level]);
        work_pass(w, to[level + 1]);
        work_1d(w, sizes[level + 1] * BLOCK / 2, BLOCK / 2);
    }
    work_once(w);
    uint32_t *found = work_read(w, to[0], N * sizeof *found);
    for (size_t i = 0; i < N; i++) {
        bench_check("scan", found[i], wanted, 0);
        wanted += in[i];
    }
    w->bytes = 8.0 * N;
    work_time(w);
}

static void binary_search(struct work *w)
{
    enum { N = 1 << 20 };
    uint32_t *sorted = bench_numbers(N), *wanted = bench_numbers(N);
    for (size_t i = 0; i < N; i++)
        sorted[i] = (uint32_t)i * 16 + sorted[i] % 16;
    work_kernel(w, file, "binary_search");
    work_buffer(w, N * sizeof *sorted, sorted);
    work_int(w, N);
    work_buffer(w, N * sizeof *wanted, wanted);
    cl_mem out = work_buffer(w, N * sizeof *wanted, NULL);
    work_1d(w, N, 64);
    work_once(w);
    uint32_t *found = work_read(w, out, N * sizeof *found);
    for (size_t i = 0; i < N; i++) {
        uint32_t place = wanted[i] / 16;
        place += place < N && sorted[place] < wanted[i];
        bench_check("binary_search", found[i], place, 0);
    }
    work_time(w);
}

static void find_string(struct work *w)
{
    enum { N = 8 << 20, LENGTH = 8 };
    uint32_t *numbers = bench_numbers(N), wanted = 0;
    /* The four letters make beginnings of the word frequent. */
    char *text = bench_alloc(N + LENGTH), word[LENGTH + 1] = "abacabad";
    for (size_t i = 0; i < N; i++)
        text[i] = "abcd"[numbers[i] >> 9 & 3];
    memset(text + N, '.', LENGTH);
    work_kernel(w, file, "find_string");
    work_buffer(w, N + LENGTH, text);
    work_buffer(w, LENGTH, word);
    work_int(w, LENGTH);
    cl_mem out = work_buffer(w, sizeof wanted, NULL);
    work_1d(w, N, 256);
    work_once(w);
    for (size_t i = 0; i < N; i++)
        wanted += !memcmp(text + i, word, LENGTH);
    bench_check("find_string", *(uint32_t *)work_read(w, out, sizeof wanted), wanted, 0);
    w->bytes = N;
    work_time(w);
}

const struct bench_case search_cases[] = {
    {"bitonic", "256 Ki uints, 171 launches", bitonic, NULL, 0},
    {"scan", "4 Mi uints, blocks of 512 with barriers", scan, NULL, 0},
    {"binary_search", "1 Mi keys among 1 Mi", binary_search, NULL, 0},
    {"find_string", "8 MiB of text, a word of 8", find_string, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
