/* Eight threads make random calls, valid and invalid, on shared objects, against a model of what each call must answer and
 * what memory must hold (api_soak/world.h). At the end nothing is left: every destructor callback has come once, every
 * other callback once, and the process has not grown after its first third.
 *     api_soak [--seconds N] [--seed N] [--growth MIB]
 * A seed gives each thread the same steps again. A thread without a call's end for two minutes is a hang: the state is
 * told, and the process ends by SIGABRT, so that a core or a debugger shows the rest. */
#include "api_soak/invalid.h"

enum { STUCK_SECONDS = 120, GROWTH_MIB = 24 };

/* One step, drawn from its number. */
static void step(struct thread *t)
{
    t->random = mixed(seed ^ mixed((uint64_t)t->number << 40 ^ t->step));
    unsigned what = below(t, 1000);
    if (what < 330)
        on_buffer(t);
    else if (what < 450)
        on_image(t);
    else if (what < 540)
        on_shared(t);
    else if (what < 570)
        recorded(t);
    else if (what < 650)
        synchronise(t);
    else if (what < 700)
        make_user_event(t);
    else if (what < 715)
        abandon(t);
    else if (what < 760)
        ask_posted(t);
    else if (what < 820)
        count(t);
    else if (what < 845)
        replace(t);
    else if (what < 860)
        brief_context(t);
    else if (what < 862)
        brief_program(t);
    else if (what < 950)
        invalid(t);
    else if (what < 980)
        reap(t);
    else
        settle_own(t);
}

static void *work(void *argument)
{
    struct thread *t = argument;
    while (!stop) {
        step(t);
        t->step++;
    }
    settle_own(t);
    while (t->count)
        reap(t);
    return NULL;
}

static void set_up(void)
{
    struct thread *t = &threads[0];
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    load_commands();
    /* The test's own tables count from the start. */
    memset(lives, 0, sizeof lives);
    memset(calls, 0, sizeof calls);
    for (int n = 0; n < BOARD; n++)
        pthread_mutex_init(&board[n].lock, NULL);
    for (int c = 0; c < CONTEXTS; c++) {
        const char *source = SOURCE;
        init_slot(&contexts[c], c);
        init_slot(&programs[c], c);
        fill_slot(&contexts[c], MAKES(CL_SUCCESS, clCreateContext(NULL, 1, &device, NULL, NULL, &code)));
        watch_life(NULL, contexts[c].object, NULL);
        fill_slot(&programs[c], MAKES(CL_SUCCESS, clCreateProgramWithSource(contexts[c].object, 1, &source, NULL, &code)));
        OK(clBuildProgram(programs[c].object, 0, NULL, NULL, NULL, NULL));
    }
    struct memory *memories[] = {buffers, images, shared};
    int counts[] = {BUFFERS, IMAGES, SHARED};
    for (int kind = 0; kind < 3; kind++)
        for (int n = 0; n < counts[kind]; n++) {
            struct memory *m = &memories[kind][n];
            init_slot(&m->slot, n % CONTEXTS);
            for (int r = 0; r < REGIONS; r++)
                pthread_mutex_init(&m->regions[r].lock, NULL);
            (kind == 0 ? make_buffer : kind == 1 ? make_image : make_shared)(t, m);
        }
    for (int n = 0; n < QUEUES; n++) {
        init_slot(&queues[n].slot, n % CONTEXTS);
        make_queue(t, &queues[n]);
    }
    for (int n = 0; n < KERNELS; n++) {
        init_slot(&kernels[n].slot, n % CONTEXTS);
        pthread_mutex_init(&kernels[n].args, NULL);
        make_kernel(t, &kernels[n]);
    }
    for (int n = 0; n < SAMPLERS; n++) {
        init_slot(&samplers[n], n % CONTEXTS);
        make_sampler(t, &samplers[n]);
    }
}

static void tear_down(void)
{
    struct thread *t = &threads[0];
    for (int n = 0; n < BOARD; n++)
        if (board[n].event)
            OK(clReleaseEvent(board[n].event));
    for (int n = 0; n < SHARED; n++) {
        forget_last(shared[n].regions);
        clSVMFree(context_of(&shared[n].slot), shared[n].slot.object);
    }
    for (int n = 0; n < BUFFERS; n++) {
        for (int r = 0; r < REGIONS; r++)
            forget_last(&buffers[n].regions[r]);
        release_all(t, &buffers[n].slot, &memory_kind);
    }
    for (int n = 0; n < IMAGES; n++) {
        forget_last(images[n].regions);
        release_all(t, &images[n].slot, &memory_kind);
    }
    for (int n = 0; n < QUEUES; n++)
        release_all(t, &queues[n].slot, &queue_kind);
    for (int n = 0; n < KERNELS; n++)
        release_all(t, &kernels[n].slot, &kernel_kind);
    for (int n = 0; n < SAMPLERS; n++)
        release_all(t, &samplers[n], &sampler_kind);
    for (int c = 0; c < CONTEXTS; c++) {
        release_all(t, &programs[c], &program_kind);
        OK(clReleaseContext(contexts[c].object));
    }
}

/* Objects and calls whose callbacks have not come. */
static unsigned to_come(void)
{
    unsigned left = 0;
    for (unsigned n = 0; n < lives_used; n++)
        left += lives[n] != 0;
    for (unsigned n = 0; n < CALLS; n++)
        left += calls[n].state & 1;
    return left;
}

static long resident_kib(void)
{
    struct thread *t = NULL;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    TRUE_(file && fscanf(file, "%*s %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Watches until the time is over: that each thread goes on, and that the process does not grow. */
static void watch(int seconds, long growth)
{
    struct thread *t = NULL;
    unsigned long seen[THREADS] = {0}, last[THREADS] = {0};
    long most_early = 0, most = 0;
    for (unsigned long second = 1; second <= (unsigned long)seconds; second++) {
        sleep(1);
        for (int n = 0; n < THREADS; n++) {
            unsigned long now = threads[n].calls + threads[n].step;
            if (now != seen[n] || second == 1)
                last[n] = second;
            seen[n] = now;
            if (second - last[n] > STUCK_SECONDS) {
                fprintf(stderr, "thread %d has not come on for %d s\n", n, STUCK_SECONDS);
                dump();
                abort();
            }
        }
        long kib = resident_kib();
        long *high = second * 3 <= (unsigned long)seconds ? &most_early : &most;
        *high = kib > *high ? kib : *high;
        if (second % 60 == 0 && second < (unsigned long)seconds)
            printf("%lu s, %ld KiB\n", second, kib);
    }
    if (most > most_early + growth * 1024)
        WRONG("resident memory grew from %ld to %ld KiB", most_early, most);
    printf("resident memory: up to %ld KiB in the first third, %ld KiB later\n", most_early, most);
}

/* Joins the threads, or tells who does not end. */
static void join(void)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += STUCK_SECONDS;
    for (int n = 0; n < THREADS; n++)
        if (pthread_timedjoin_np(threads[n].handle, NULL, &limit)) {
            fprintf(stderr, "thread %d does not end\n", n);
            dump();
            abort();
        }
}

int main(int argc, char **argv)
{
    struct thread *t = NULL;
    int seconds = 60;
    long growth = GROWTH_MIB;
    for (int n = 1; n + 1 < argc; n += 2)
        if (!strcmp(argv[n], "--seconds"))
            seconds = atoi(argv[n + 1]);
        else if (!strcmp(argv[n], "--seed"))
            seed = strtoull(argv[n + 1], NULL, 0);
        else if (!strcmp(argv[n], "--growth"))
            growth = atol(argv[n + 1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("api_soak --seconds %d --seed %llu\n", seconds, (unsigned long long)seed);
    for (int n = 0; n < THREADS; n++)
        threads[n].number = n;
    set_up();
    for (int n = 0; n < THREADS; n++)
        TRUE_(!pthread_create(&threads[n].handle, NULL, work, &threads[n]));
    watch(seconds, growth);
    stop = 1;
    join();
    unsigned long steps = 0, all_calls = 0;
    for (int n = 0; n < THREADS; n++) {
        steps += threads[n].step;
        all_calls += threads[n].calls;
    }
    tear_down();
    for (int tenths = 0; to_come() && tenths < 600; tenths++)
        usleep(100000);
    if (to_come())
        WRONG("%u objects or calls are left without their callbacks", to_come());
    printf("%lu steps, %lu calls, %u objects with destructors, %u callbacks: all as they should be\n", steps, all_calls, lives_used,
           calls_used);
    return 0;
}
