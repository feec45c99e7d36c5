/* The table of medians and ratios: how much longer the best of the other platforms takes than the first, and plain C. */
#include "table.h"
#include <unistd.h>

static double median(struct cell *cell)
{
    return cell->count ? host_median(cell->times, (size_t)cell->count) : -1;
}

static int is_plain(const struct platform *p)
{
    return !*p->vendors;
}

/* The best of the platforms behind the first, or of plain C; negative when there is none. */
static double best(struct table *t, struct row *row, int plain)
{
    double least = -1;
    for (int p = 1; p < t->platforms; p++) {
        double ms = median(&row->cell[p]);
        if (is_plain(&t->platform[p]) == plain && ms > 0 && (least < 0 || ms < least))
            least = ms;
    }
    return least;
}

static void put_time(FILE *to, struct cell *cell, const char *separator)
{
    if (cell->count)
        fprintf(to, "%s%11.4f", separator, median(cell));
    else
        fprintf(to, "%s%11s", separator, cell->failed ? "failed" : "-");
}

static void put_ratio(FILE *to, double above, double below, const char *separator)
{
    if (above > 0 && below > 0)
        fprintf(to, "%s%7.2f", separator, above / below);
    else
        fprintf(to, "%s%7s", separator, "-");
}

/* Speed of the first platform that ran the case, or of plain C for a measure of the machine. */
static void put_speed(FILE *to, struct table *t, struct row *row, const char *separator)
{
    for (int p = 0; p < t->platforms; p++) {
        struct cell *cell = &row->cell[p];
        if (p > 0 && row->bench_case->run)
            break;
        double ms = median(cell);
        if (ms > 0 && (cell->bytes > 0 || cell->flops > 0)) {
            double speed = (cell->bytes > 0 ? cell->bytes : cell->flops) / ms * 1e-6;
            fprintf(to, "%s%7.1f %-7s", separator, speed, cell->bytes > 0 ? "GB/s" : "GFLOP/s");
            return;
        }
    }
    fprintf(to, "%s%15s", separator, "");
}

static void put_rows(FILE *to, struct table *t, const char *start, const char *separator, const char *end)
{
    fprintf(to, "%s%-16s", start, "median ms");
    for (int p = 0; p < t->platforms; p++)
        fprintf(to, "%s%11s", separator, t->platform[p].label);
    fprintf(to, "%s%7s%s%7s%s%15s%s%s%s\n", separator, "best", separator, "plain", separator, "", separator, "case", end);
    if (*start) {
        fprintf(to, "|---|");
        for (int p = 0; p < t->platforms + 2; p++)
            fprintf(to, "---:|");
        fprintf(to, "---|---|\n");
    }
    for (struct row *row = t->row; row < t->row + t->rows; row++) {
        fprintf(to, "%s%-16s", start, row->bench_case->name);
        for (int p = 0; p < t->platforms; p++)
            put_time(to, &row->cell[p], separator);
        put_ratio(to, best(t, row, 0), median(&row->cell[0]), separator);
        put_ratio(to, best(t, row, 1), median(&row->cell[0]), separator);
        put_speed(to, t, row, separator);
        fprintf(to, "%s%s%s\n", separator, row->bench_case->what, end);
    }
}

static void put_summary(FILE *to, struct table *t)
{
    double sum = 0;
    int count = 0, behind = 0;
    for (struct row *row = t->row; row < t->row + t->rows; row++) {
        double peer = best(t, row, 0), own = median(&row->cell[0]);
        if (peer > 0 && own > 0) {
            sum += log(peer / own);
            count++;
            behind += peer < own;
        }
    }
    if (count)
        fprintf(to, "Geometric mean of (best peer / %s) over %d cases: %.2f; behind in %d.\n", t->platform[0].label, count,
                exp(sum / count), behind);
}

static void put_machine(FILE *to)
{
    char line[256], model[256] = "unknown CPU\n", date[64];
    time_t now = time(NULL);
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            strcpy(model, strchr(line, ':') + 2);
            break;
        }
    if (info)
        fclose(info);
    model[strcspn(model, "\n")] = 0;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    fprintf(to, "%s, %ld CPUs, %s\n", model, sysconf(_SC_NPROCESSORS_ONLN), date);
}

int table_print(struct table *t, const char *results)
{
    int failed = 0;
    for (int p = 0; p < t->platforms; p++)
        printf("%-12s %s\n", t->platform[p].label, t->platform[p].name[0] ? t->platform[p].name : "(nothing ran)");
    printf("\n");
    put_rows(stdout, t, "", " ", "");
    printf("\n");
    put_summary(stdout, t);
    for (struct row *row = t->row; row < t->row + t->rows; row++)
        failed |= row->cell[0].failed;
    if (!*results)
        return failed;
    FILE *to = fopen(results, "w");
    if (!to)
        FAIL("%s can't be written", results);
    fprintf(to, "# Benchmark results\n\nWritten by `benches/run`. ");
    put_machine(to);
    fprintf(to, "\n");
    for (int p = 0; p < t->platforms; p++)
        fprintf(to, "- %s: %s\n", t->platform[p].label, t->platform[p].name);
    fprintf(to, "\nTimes are medians in ms of alternating runs. \"best\" is the best other platform's time over %s's, \"plain\" "
                "plain C's over it: above 1, %s is faster.\n\n", t->platform[0].label, t->platform[0].label);
    put_rows(to, t, "| ", " | ", " |");
    fprintf(to, "\n");
    put_summary(to, t);
    if (fclose(to))
        FAIL("%s can't be written", results);
    return failed;
}
