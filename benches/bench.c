/* Compares OpenCL platforms on the same kernels.
 * Usage: bench KERNELS-FOLDER ROUNDS LABEL=VENDORS-FOLDER [LABEL=VENDORS-FOLDER ...]
 *
 * Each platform runs in a child process of its own that sees one driver only (two drivers in one process may disturb
 * each other). Rounds alternate A B A B, so that a slow phase of the machine hits all alike. The table has each
 * platform's median over the rounds, and for each but the first the ratio to the first: above 1, the first is faster. */
#include "bench.h"
#include <sys/wait.h>
#include <unistd.h>

enum { CASES = 32, PLATFORMS = 8, ROUNDS = 99 };

static const struct bench_case *const groups[] = {linear_cases, compute_cases, overhead_cases};

struct platform {
    const char *label, *vendors;
    char name[256];
    double times[CASES][ROUNDS];
    int counts[CASES];
};

static int case_count(void)
{
    int count = 0;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const struct bench_case *c = groups[g]; c->name; c++)
            count++;
    return count;
}

static const struct bench_case *case_at(int index)
{
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const struct bench_case *c = groups[g]; c->name; c++)
            if (index-- == 0)
                return c;
    return NULL;
}

/* Runs one case and prints its number and milliseconds to the pipe that is standard output. */
static int child(const char *kernels, int index)
{
    struct host h = host_open("");
    const struct bench_case *chosen = case_at(index);
    if (!chosen)
        return 2;
    printf("%.9g %s / %s\n", chosen->run(&h, kernels), h.platform_name, h.device_name);
    host_close(&h);
    return 0;
}

/* Starts `self --child` for one case; answers milliseconds, or a negative number when the child failed. */
static double measure(const char *self, const char *kernels, struct platform *p, int index)
{
    int ends[2];
    if (pipe(ends))
        FAIL("pipe");
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        FAIL("fork");
    if (pid == 0) {
        char cache[4096], number[16];
        snprintf(cache, sizeof cache, "%s/cache-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        if (!mkdtemp(cache))
            _exit(1);
        setenv("OCL_ICD_VENDORS", p->vendors, 1);
        setenv("POCL_KERNEL_CACHE", "0", 1);
        setenv("POCL_CACHE_DIR", cache, 1);
        setenv("XDG_CACHE_HOME", cache, 1);
        snprintf(number, sizeof number, "%d", index);
        execl(self, self, "--child", kernels, number, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    double ms = -1;
    int status;
    char name[256] = "";
    if (!from || fscanf(from, "%lf %255[^\n]", &ms, name) != 2)
        ms = -1;
    if (from)
        fclose(from);
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return -1;
    memcpy(p->name, name, sizeof name);
    return ms;
}

static void print_table(struct platform *platforms, int count)
{
    for (int p = 0; p < count; p++)
        printf("%-12s %s\n", platforms[p].label, platforms[p].name[0] ? platforms[p].name : "(nothing ran)");
    printf("\n%-16s", "median ms");
    for (int p = 0; p < count; p++)
        printf(" %12s", platforms[p].label);
    for (int p = 1; p < count; p++)
        printf("  %s/%s", platforms[p].label, platforms[0].label);
    printf("\n");
    for (int c = 0; c < case_count(); c++) {
        double medians[PLATFORMS];
        printf("%-16s", case_at(c)->name);
        for (int p = 0; p < count; p++) {
            int n = platforms[p].counts[c];
            medians[p] = n ? host_median(platforms[p].times[c], (size_t)n) : -1;
            if (n)
                printf(" %12.4f", medians[p]);
            else
                printf(" %12s", "failed");
        }
        for (int p = 1; p < count; p++) {
            int width = (int)(strlen(platforms[p].label) + strlen(platforms[0].label)) + 2;
            if (medians[p] > 0 && medians[0] > 0)
                printf(" %*.2f", width, medians[p] / medians[0]);
            else
                printf(" %*s", width, "-");
        }
        printf("   %s\n", case_at(c)->what);
    }
}

int main(int argc, char **argv)
{
    static struct platform platforms[PLATFORMS];
    if (argc == 4 && !strcmp(argv[1], "--child"))
        return child(argv[2], atoi(argv[3]));
    int rounds = argc > 3 ? atoi(argv[2]) : 0, count = 0;
    if (rounds < 1 || rounds > ROUNDS || argc - 3 > PLATFORMS) {
        fprintf(stderr, "usage: %s KERNELS-FOLDER ROUNDS LABEL=VENDORS-FOLDER ...\n", argv[0]);
        return 2;
    }
    for (int a = 3; a < argc; a++) {
        char *equals = strchr(argv[a], '=');
        if (!equals)
            FAIL("\"%s\" is not LABEL=VENDORS-FOLDER", argv[a]);
        *equals = 0;
        platforms[count].label = argv[a];
        platforms[count++].vendors = equals + 1;
    }
    int failed = 0;
    for (int c = 0; c < case_count(); c++) {
        fprintf(stderr, "%s", case_at(c)->name);
        for (int r = 0; r < rounds; r++)
            for (int p = 0; p < count; p++) {
                double ms = measure(argv[0], argv[1], &platforms[p], c);
                if (ms >= 0)
                    platforms[p].times[c][platforms[p].counts[c]++] = ms;
                else
                    failed = 1;
                fprintf(stderr, "  %s %.3f", platforms[p].label, ms);
            }
        fprintf(stderr, "\n");
    }
    print_table(platforms, count);
    return failed;
}
