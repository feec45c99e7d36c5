/* Kernels that go wrong: what they touch that is not there, and those that do not end (run with CLOTHO_WATCHDOG=0.3).
 * The command fails, the context's callback says why, later commands run, and the host keeps its own signal handlers.
 * In the mode "lines" the second argument is a build option for debug information: then the source's line is named.
 * In the modes "brief" and "brief callback" the process ends as soon as it has waited. */
#include "said.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *SOURCE =
    "kernel void good(global int *out) { out[get_global_id(0)] = (int)get_global_id(0); }\n"
    "kernel void reads(global int *out, ulong address) { out[get_global_id(0)] = *(global int *)address; }\n"
    "kernel void writes(global int *out, ulong address) { if (get_global_id(0) == 9) *(global int *)address = 1; out[0] = 1; }\n"
    "kernel void gathers(global int *out, ulong address) {\n"
    "    global int *p = (global int *)address;\n"
    "    int i = get_global_id(0);\n"
    "    out[i] = p[(i * 7919) & 1023];\n"
    "}\n"
    "kernel void copies(global int *out, ulong address) {\n"
    "    local int t[64];\n"
    "    event_t e = async_work_group_copy(t, (global int *)address, 64, 0);\n"
    "    wait_group_events(1, &e);\n"
    "    out[get_global_id(0)] = t[get_local_id(0)];\n"
    "}\n"
    "kernel void after_a_barrier(global int *out, ulong address) {\n"
    "    local int t[64];\n"
    "    t[get_local_id(0)] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = t[63 - get_local_id(0)] + *(global int *)(address + get_local_id(0) * 4);\n"
    "}\n"
    "kernel void prints(global int *out, ulong address) {\n"
    "    printf(\"before %d\\n\", (int)get_global_id(0));\n"
    "    *(global int *)address = 1;\n"
    "}\n"
    "kernel void divides(global int *out, ulong by) {\n"
    "    int zero = (int)by - 4096;\n"
    "    out[0] = 7 / zero; out[1] = 7 % zero; out[2] = INT_MIN / (zero - 1); out[3] = INT_MIN % (zero - 1);\n"
    "    out[4] = 7u / (uint)zero; out[5] = (int)(7L / zero); out[6] = (int)(LONG_MIN / (zero - 1));\n"
    "}\n"
    "kernel void parts(global int *out, ulong by) {\n"
    "    local int t[64];\n"
    "    t[get_local_id(0)] = 1;\n"
    "    if (get_local_id(0) % by == 0) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        out[get_local_id(0)] = t[63 - get_local_id(0)];\n"
    "    } else {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        out[get_local_id(0)] = 2 * t[63 - get_local_id(0)];\n"
    "    }\n"
    "}\n"
    "kernel void spins(global volatile int *out, ulong unused) { while (out[0] != 12345) ; }\n"
    "kernel void spins_and_counts(global int *out, ulong unused) { int n = 0; while (n >= 0) n = (n + 1) & 0xffff; out[0] = n; }\n"
    "kernel void spins_at_barriers(global volatile int *out, ulong unused) {\n"
    "    local int t[64];\n"
    "    while (out[0] != 12345) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "}\n"
    /* Operations that may wait: memory is touched at the end of a thread's groups. */
    "kernel void counts(global int *out, ulong address) { atomic_inc((global int *)address + get_global_id(0) % 3); }\n";

/* Waits until the callback has said something with `part` in it. */
static void expect_said(const char *kernel, const char *part)
{
    char text[sizeof said];
    for (int n = 0; n < 2000; n++) {
        copy_said(text);
        if (host_contains(text, kernel) && host_contains(text, part))
            return;
        usleep(5000);
    }
    FAIL("of kernel %s it was said: '%s' (expected: '%s')", kernel, text, part);
}

static struct host h;
static cl_program program;
static cl_mem buffer;
static volatile unsigned char *page;

static void run_good(void)
{
    enum { N = 4096 };
    static int out[N];
    size_t n = N;
    cl_kernel kernel = host_kernel(program, "good");
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        if (out[i] != i)
            FAIL("after a fault, item %d gave %d", i, out[i]);
    CHECK(clReleaseKernel(kernel));
}

static void run_bad(const char *name, cl_ulong address, size_t global, const char *part)
{
    cl_event event, next;
    cl_int status;
    size_t local = 64;
    said[0] = 0;
    cl_kernel kernel = host_kernel(program, name);
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof address, &address));
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    CHECK(clEnqueueMarkerWithWaitList(h.queue, 1, &event, &next));
    clWaitForEvents(1, &next);
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    if (status != CL_OUT_OF_RESOURCES)
        FAIL("kernel %s ended with %d", name, status);
    CHECK(clGetEventInfo(next, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    if (status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        FAIL("what waited for kernel %s ended with %d", name, status);
    expect_said(name, part);
    CHECK(clReleaseEvent(event));
    CHECK(clReleaseEvent(next));
    CHECK(clReleaseKernel(kernel));
    run_good();
}

/* With debug information the message names the line. */
static void lines_are_named(cl_ulong bad, int endless, const char *build_options)
{
    if (endless) {
        run_bad("spins", 0, 64, "line 41 of /");
        run_bad("spins_and_counts", 0, 64, "line 42 of /");
        return;
    }
    for (size_t groups = 1; groups <= 16; groups *= 16) {
        /* Optimised, lanes get copies of the number by an instruction without a line. */
        if (strstr(build_options, "-cl-opt-disable"))
            run_bad("reads", bad, groups * 64, "line 2 of /");
        run_bad("writes", bad, groups * 64, "line 3 of /");
        run_bad("gathers", bad, groups * 64, "line 7 of /");
        run_bad("after_a_barrier", bad, groups * 64, "line 19 of /");
        run_bad("prints", bad, groups * 64, "line 23 of /");
        run_bad("prints", bad, groups * 64, "/program.cl, work-group (");
    }
}

/* Work-items wait at two barriers: it is said who and where, and the command goes on as on a GPU. */
static void divergent_barriers_are_told(void)
{
    size_t n = 64;
    cl_ulong by = 16;
    int out[64];
    cl_kernel kernel = host_kernel(program, "parts");
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof by, &by));
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &n, &n, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        if (out[i] != (i % 16 ? 2 : 1))
            FAIL("item %d gave %d", i, out[i]);
    expect_said("parts", "of group (0, 0, 0) wait at different barriers");
    expect_said("(0, 0, 0) (16, 0, 0) (32, 0, 0) (48, 0, 0) in line", "(1, 0, 0) (2, 0, 0) (3, 0, 0) (4, 0, 0)... (60 items) in line");
    CHECK(clReleaseKernel(kernel));
}

static void division_does_not_trap(void)
{
    size_t one = 1;
    cl_ulong by = 4096;
    cl_event event;
    cl_int status;
    cl_kernel kernel = host_kernel(program, "divides");
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof by, &by));
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    CHECK(clWaitForEvents(1, &event));
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status);
    CHECK(clReleaseEvent(event));
    CHECK(clReleaseKernel(kernel));
}

static sigjmp_buf back;
static volatile sig_atomic_t host_faults;

static void host_handler(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    if (info->si_addr == (void *)page)
        host_faults++;
    siglongjmp(back, 1);
}

/* A fault of the host's own, which its handler gets. */
static void fault_in_host(void)
{
    int before = host_faults;
    if (!sigsetjmp(back, 1)) {
        *page = 1;
        FAIL("the page can be written");
    }
    if (host_faults != before + 1)
        FAIL("the host's handler was not called");
}

/* A host without a handler dies of its own faults as it would without us. */
static void default_action_is_kept(void)
{
    pid_t child = fork();
    if (!child) {
        *page = 1;
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV)
        FAIL("the child ended with %x", status);
    child = fork();
    if (!child) {
        raise(SIGFPE);
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGFPE)
        FAIL("the child that raised a signal ended with %x", status);
}

static void CL_CALLBACK to_stderr(const char *text, const void *info, size_t size, void *user)
{
    (void)info, (void)size, (void)user;
    fprintf(stderr, "%s\n", text);
}

static void end_at_once(int with_callback)
{
    size_t n = 64;
    cl_ulong bad = (cl_ulong)page;
    h = open_with(with_callback ? to_stderr : NULL);
    program = host_build(&h, SOURCE, "");
    buffer = host_buffer(&h, CL_MEM_READ_WRITE, 1 << 12, NULL);
    cl_kernel kernel = host_kernel(program, "writes");
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof bad, &bad));
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
    CHECK(clFinish(h.queue));
    _exit(0);
}

int main(int argc, char **argv)
{
    int own_handler = argc > 1 && !strcmp(argv[1], "handler");
    int lines = argc > 2;
    int endless = argc > 1 && !strcmp(argv[1], "endless");
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && !strcmp(argv[1], "brief"))
        end_at_once(argc > 2);
    if (own_handler) {
        struct sigaction action = {.sa_sigaction = host_handler, .sa_flags = SA_SIGINFO};
        sigaction(SIGSEGV, &action, NULL);
    }
    h = open_with(on_error);
    char options[256];
    snprintf(options, sizeof options, "-cl-std=CL3.0 %s", lines ? argv[2] : "");
    program = host_build(&h, SOURCE, options);
    buffer = host_buffer(&h, CL_MEM_READ_WRITE, 1 << 20, NULL);
    run_good();
    char address[64];
    snprintf(address, sizeof address, "%p", (void *)page);
    cl_ulong bad = (cl_ulong)page;
    if (lines) {
        lines_are_named(bad, endless, argv[2]);
    } else if (endless) {
        for (size_t groups = 1; groups <= 64; groups *= 8) {
            run_bad("spins", 0, groups * 64, "did not end within");
            run_bad("spins_and_counts", 0, groups * 64, "did not end within");
            run_bad("spins_at_barriers", 0, groups * 64, "did not end within");
        }
    } else {
        for (size_t groups = 1; groups <= 256; groups *= 16) {
            run_bad("reads", bad, groups * 64, address);
            run_bad("writes", bad, groups * 64, address);
            run_bad("writes", bad, groups * 64, "wrote to");
            run_bad("gathers", bad, groups * 64, "SIGSEGV");
            run_bad("copies", bad, groups * 64, "SIGSEGV");
            run_bad("after_a_barrier", bad, groups * 64, "read address");
            run_bad("prints", bad, groups * 64, "wrote to");
            run_bad("counts", bad, groups * 64, address);
            run_bad("counts", bad, groups * 64, groups == 1 ? "work-group (0, 0, 0) or one before it" : ", 0, 0) or one before it");
            /* An address that no CPU has. */
            run_bad("reads", 0x8000000000000000u, groups * 64, "SIGSEGV");
        }
        division_does_not_trap();
        divergent_barriers_are_told();
        if (own_handler) {
            fault_in_host();
            run_bad("reads", bad, 64, address);
            fault_in_host();
        } else {
            default_action_is_kept();
        }
    }
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseProgram(program));
    host_close(&h);
    return 0;
}
