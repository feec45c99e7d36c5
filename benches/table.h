/* What the parent has measured, and how it is shown. */
#ifndef CLOTHO_BENCH_TABLE_H
#define CLOTHO_BENCH_TABLE_H

#include "bench.h"

enum { CASES = 128, PLATFORMS = 8, ROUNDS = 99 };

struct platform {
    const char *label, *vendors; /* no vendors: plain C */
    char name[256];
};

/* One case on one platform. */
struct cell {
    double times[ROUNDS], bytes, flops;
    int count, failed;
};

struct table {
    struct platform platform[PLATFORMS]; /* the first is compared with the others */
    int platforms;
    struct row {
        const struct bench_case *bench_case;
        struct cell cell[PLATFORMS];
    } row[CASES];
    int rows;
};

/* Prints the table, and writes it to `results` in Markdown if that is not "". Whether a case failed on the first
 * platform. */
int table_print(struct table *table, const char *results);

#endif
