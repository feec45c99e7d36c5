/* Compares OpenCL platforms on the same kernels.
 * Usage: bench KERNELS-FOLDER ROUNDS CASES RESULTS LABEL=VENDORS-FOLDER [LABEL=VENDORS-FOLDER ...]
 * CASES is an extended regular expression that a case's name must match ("" for all); RESULTS is a file for a table in
 * Markdown ("" for none). A label with no folder, `plain=`, stands for plain C with OpenMP.
 *
 * Each case runs in a child process that sees one driver only (two drivers in one process may disturb each other).
 * Rounds alternate A B A B, so that a slow phase of the machine hits all alike. Each child has an empty cache folder. */
#include "table.h"
#include <regex.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of a child beside 0 and 1: the platform lacks a feature; there is no plain C. */
enum { SKIPPED = 3 };

enum { PATIENCE = 120 }; /* seconds that a child may take */

static const struct bench_case *const groups[] = {machine_cases, stream_cases, grid_cases,    matrix_cases,  search_cases,
                                                  compute_cases, math_cases,   hash_cases, image_cases, overhead_cases};

static const struct bench_case *find(const char *name)
{
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const struct bench_case *c = groups[g]; c->name; c++)
            if (!strcmp(c->name, name))
                return c;
    return NULL;
}

static int lacks(struct host *h, int needs)
{
    cl_device_fp_config doubles = 0;
    cl_bool collectives = CL_FALSE;
    cl_uint subgroups = 0;
    /* A device that does not know the query lacks the feature. */
    clGetDeviceInfo(h->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    clGetDeviceInfo(h->device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof collectives, &collectives, NULL);
    clGetDeviceInfo(h->device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof subgroups, &subgroups, NULL);
    return (needs & NEEDS_DOUBLE && !doubles) || (needs & NEEDS_COLLECTIVES && !collectives) ||
           (needs & NEEDS_SUBGROUPS && !subgroups);
}

/* Runs one case and prints what `measure` reads to the pipe that is standard output. */
static int child(const char *kernels, const char *name, int plain, double started)
{
    const struct bench_case *c = find(name);
    struct work w = {.kernels = kernels, .started = started};
    alarm(PATIENCE);
    if (!c || !(plain ? c->plain : c->run))
        return SKIPPED;
    if (plain) {
        c->plain(&w);
        strcpy(w.h.platform_name, "plain C with OpenMP");
        strcpy(w.h.device_name, "gcc -O3 -march=native");
    } else {
        cl_int code;
        w.h = host_open("");
        if (lacks(&w.h, c->flags))
            return SKIPPED;
        /* A queue without profiling, as programs have it. */
        w.h.queue = clCreateCommandQueueWithProperties(w.h.context, w.h.device, NULL, &code);
        CHECK(code);
        c->run(&w);
    }
    printf("%.9g %.9g %.9g %s / %s\n", w.ms, w.bytes, w.flops, w.h.platform_name, w.h.device_name);
    return 0;
}

/* Starts a child for one case with a cache folder; keeps what it answers, or why not. */
static void start(const char *self, const char *kernels, const struct bench_case *c, struct platform *p, struct cell *cell,
                  const char *cache)
{
    int ends[2], status;
    if (pipe(ends))
        FAIL("pipe");
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        FAIL("fork");
    if (pid == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        setenv("OCL_ICD_VENDORS", p->vendors, 1);
        setenv("POCL_KERNEL_CACHE", c->flags & SECOND_PROCESS ? "1" : "0", 1);
        setenv("POCL_CACHE_DIR", cache, 1);
        setenv("XDG_CACHE_HOME", cache, 1);
        /* Threads of plain C that have nothing to do sleep, so that only work counts as CPU time. */
        if (getenv("BENCH_CPU"))
            setenv("OMP_WAIT_POLICY", "passive", 1);
        execl(self, self, "--child", kernels, c->name, *p->vendors ? "platform" : "plain", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    double ms = -1;
    char name[256] = "";
    if (!from || fscanf(from, "%lf %lf %lf %255[^\n]", &ms, &cell->bytes, &cell->flops, name) != 4)
        ms = -1;
    if (from)
        fclose(from);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
        return;
    if (ms < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "%s fails on %s\n", c->name, p->label);
        cell->failed = 1;
        return;
    }
    memcpy(p->name, name, sizeof name);
    cell->times[cell->count++] = ms;
}

static void measure(const char *self, const char *kernels, const struct bench_case *c, struct platform *p, struct cell *cell)
{
    char cache[4096];
    snprintf(cache, sizeof cache, "%s/cache-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(cache))
        FAIL("no cache folder");
    if (c->flags & SECOND_PROCESS) {
        struct cell first = {0};
        start(self, kernels, c, p, &first, cache);
    }
    start(self, kernels, c, p, cell, cache);
    fprintf(stderr, "  %s", p->label);
    if (cell->count)
        fprintf(stderr, " %.3f", cell->times[cell->count - 1]);
}

int main(int argc, char **argv)
{
    static struct table table;
    double started = host_seconds();
    if (argc == 5 && !strcmp(argv[1], "--child"))
        return child(argv[2], argv[3], !strcmp(argv[4], "plain"), started);
    int rounds = argc > 5 ? atoi(argv[2]) : 0;
    regex_t chosen;
    if (rounds < 1 || rounds > ROUNDS || argc - 5 > PLATFORMS || regcomp(&chosen, argv[3], REG_EXTENDED | REG_NOSUB)) {
        fprintf(stderr, "usage: %s KERNELS-FOLDER ROUNDS CASES RESULTS LABEL=VENDORS-FOLDER ...\n", argv[0]);
        return 2;
    }
    for (int a = 5; a < argc; a++) {
        char *equals = strchr(argv[a], '=');
        if (!equals)
            FAIL("\"%s\" is not LABEL=VENDORS-FOLDER", argv[a]);
        *equals = 0;
        table.platform[table.platforms].label = argv[a];
        table.platform[table.platforms++].vendors = equals + 1;
    }
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const struct bench_case *c = groups[g]; c->name; c++) {
            if (*argv[3] && regexec(&chosen, c->name, 0, NULL, 0))
                continue;
            struct row *row = &table.row[table.rows++];
            row->bench_case = c;
            fprintf(stderr, "%s", c->name);
            for (int r = 0; r < rounds; r++)
                for (int p = 0; p < table.platforms; p++)
                    measure(argv[0], argv[1], c, &table.platform[p], &row->cell[p]);
            fprintf(stderr, "\n");
        }
    return table_print(&table, argv[4]);
}
