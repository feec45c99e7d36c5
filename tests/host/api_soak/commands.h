/* Valid commands on shared memory, what they leave there, and how their ends are looked at. */
#ifndef API_SOAK_COMMANDS_H
#define API_SOAK_COMMANDS_H

#include "world.h"

/* User events of a thread */

/* Sets all of the thread's user events: before anything that blocks. */
static void settle_own(struct thread *t)
{
    while (t->user_count) {
        struct user *u = &t->users[--t->user_count];
        OK(clSetUserEventStatus(u->event, u->fate));
        OK(clReleaseEvent(u->event));
    }
}

/* The end of the oldest command: its status, its type, its times, and what it has read. */
static void reap(struct thread *t)
{
    if (!t->count)
        return;
    struct pending *p = &t->pending[t->first];
    settle_own(t);
    IS(p->fate ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS, clWaitForEvents(1, &p->event));
    cl_int status = 1;
    cl_command_type type = 0;
    cl_context context = NULL;
    OK(clGetEventInfo(p->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clGetEventInfo(p->event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    OK(clGetEventInfo(p->event, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    TRUE_(status == p->fate && type == p->type && context == contexts[p->context].object);
    cl_ulong times[5];
    for (cl_profiling_info name = CL_PROFILING_COMMAND_QUEUED; name <= CL_PROFILING_COMMAND_COMPLETE; name++) {
        cl_ulong *time = &times[name - CL_PROFILING_COMMAND_QUEUED];
        cl_int want = p->profiled && !p->fate ? CL_SUCCESS : CL_PROFILING_INFO_NOT_AVAILABLE;
        IS(want, clGetEventProfilingInfo(p->event, name, sizeof *time, time, NULL));
        if (!want && name > CL_PROFILING_COMMAND_QUEUED)
            TRUE_(time[0] >= time[-1]);
    }
    if (p->size && memcmp(p->host, p->expected, p->size)) {
        size_t at = 0;
        while (p->host[at] == p->expected[at])
            at++;
        WRONG("a command of type %x gave %02x, not %02x, at byte %zu of %zu", type, p->host[at], p->expected[at], at, p->size);
    }
    OK(clReleaseEvent(p->event));
    free(p->host);
    free(p->expected);
    t->first = (t->first + 1) % PENDING;
    t->count--;
}

/* One command: its queue, what it waits for, and how it must end. */
struct job {
    struct queue *queue;
    cl_command_queue q;
    cl_event waits[WAITS];
    cl_uint count;
    cl_int fate;
    int named;
    cl_event event;
    struct region *regions[2];
};

static void wait_for(struct thread *t, struct job *j, cl_event event, cl_int fate)
{
    OK(clRetainEvent(event));
    j->waits[j->count++] = event;
    if (fate)
        j->fate = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

/* Orders the job after what its region has had. An event of another queue may be waited for once that is flushed. */
static int order(struct thread *t, struct job *j, struct region *r)
{
    if (!r->last && !r->unnamed)
        return 1;
    int same = r->queue == j->queue && r->generation == j->queue->slot.generation;
    if (same && j->queue->in_order && (r->unnamed || one_in(t, 2)))
        return 1;
    if (!same || r->unnamed) {
        if (!use(&r->queue->slot))
            return 0;
        /* A queue that has been released was flushed, and finished if it had commands without events. */
        if (r->generation == r->queue->slot.generation) {
            cl_command_queue other = r->queue->slot.object;
            if (r->unnamed)
                OK(clEnqueueMarkerWithWaitList(other, 0, NULL, &r->last));
            OK(clFlush(other));
        }
        r->unnamed = 0;
        leave(&r->queue->slot);
    }
    if (r->last)
        wait_for(t, j, r->last, 0);
    return 1;
}

static void drop_job(struct thread *t, struct job *j)
{
    for (cl_uint n = 0; n < j->count; n++)
        OK(clReleaseEvent(j->waits[n]));
    for (int n = 0; n < 2; n++)
        if (j->regions[n])
            pthread_mutex_unlock(&j->regions[n]->lock);
    leave(&j->queue->slot);
}

/* Finds a queue, locks the regions and makes the wait list. 0 when something is in use. */
static int begin(struct thread *t, struct job *j, int context, struct region *a, struct region *b)
{
    *j = (struct job){.queue = &queues[below(t, QUEUES / CONTEXTS) * CONTEXTS + (uint32_t)context], .named = 1};
    if (!use(&j->queue->slot))
        return 0;
    j->q = j->queue->slot.object;
    struct region *both[] = {a, b};
    for (int n = 0; n < 2; n++) {
        if (!both[n])
            continue;
        if (pthread_mutex_trylock(&both[n]->lock)) {
            drop_job(t, j);
            return 0;
        }
        j->regions[n] = both[n];
        if (!order(t, j, both[n])) {
            drop_job(t, j);
            return 0;
        }
    }
    if (one_in(t, 8))
        for (int n = 0; n < t->user_count; n++)
            if (t->users[n].context == context) {
                wait_for(t, j, t->users[n].event, t->users[n].fate);
                break;
            }
    if (one_in(t, 4)) {
        struct posted *p = &board[below(t, BOARD)];
        if (!pthread_mutex_trylock(&p->lock)) {
            if (p->event && p->context == context)
                wait_for(t, j, p->event, p->fate);
            pthread_mutex_unlock(&p->lock);
        }
    }
    return 1;
}

/* A command that need not have an event. */
static void may_be_unnamed(struct thread *t, struct job *j)
{
    j->named = !j->queue->in_order || j->fate || one_in(t, 2);
}

#define WAIT_LIST(j) (j)->count, ((j)->count ? (j)->waits : NULL), ((j)->named ? &(j)->event : NULL)

/* What a call that blocks answers, and what one answers that does not. */
static cl_int result_of(const struct job *j, cl_bool blocking)
{
    return blocking ? j->fate : CL_SUCCESS;
}

static void post(struct thread *t, cl_event event, cl_int fate, int context)
{
    struct posted *p = &board[below(t, BOARD)];
    if (pthread_mutex_trylock(&p->lock))
        return;
    if (p->event)
        OK(clReleaseEvent(p->event));
    OK(clRetainEvent(event));
    p->event = event;
    p->fate = fate;
    p->context = context;
    pthread_mutex_unlock(&p->lock);
}

/* Callbacks for one event, for statuses that it reaches. */
static void call_back(struct thread *t, cl_event event, cl_int fate)
{
    static const cl_int kinds[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
    cl_int kind = kinds[below(t, 3)];
    uintptr_t call = expect_call(t, fate ? fate : kind, NULL, 0);
    /* A command that will fail has been submitted all the same. */
    if (kind == CL_SUBMITTED)
        calls[call % CALLS].other_status = kind;
    OK(clSetEventCallback(event, kind, event_came, (void *)call));
}

/* Takes note of an enqueued command. `host` and `expected` become its. */
static void enqueued(struct thread *t, struct job *j, cl_command_type type, int over, unsigned char *host, unsigned char *expected,
                     size_t size)
{
    struct region **r = j->regions;
    for (int n = 0; n < 2 && !j->fate; n++)
        if (r[n]) {
            forget_last(r[n]);
            r[n]->queue = j->queue;
            r[n]->generation = j->queue->slot.generation;
            r[n]->unnamed = !over && !j->named;
            if (!over && j->named) {
                OK(clRetainEvent(j->event));
                r[n]->last = j->event;
            }
        }
    if (!j->named || (over && j->fate)) {
        TRUE_(!j->event);
        if (!j->named && !over)
            j->queue->unnamed = 1;
        if (size && memcmp(host, expected, size))
            WRONG("a blocking command of type %x gave something else", type);
        free(host);
        free(expected);
        drop_job(t, j);
        return;
    }
    TRUE_(j->event);
    if (one_in(t, 4)) {
        OK(clFlush(j->q));
        post(t, j->event, j->fate, j->queue->slot.context);
    }
    if (one_in(t, 4))
        call_back(t, j->event, j->fate);
    if (t->count == PENDING) {
        /* Nothing that the thread holds is waited for by others without a way out. */
        reap(t);
    }
    t->pending[(t->first + t->count++) % PENDING] =
        (struct pending){j->event, j->fate, type, j->queue->profiled, j->queue->slot.context, host, expected, size};
    drop_job(t, j);
}

static unsigned char *room(size_t size)
{
    unsigned char *bytes = malloc(size ? size : 1);
    if (!bytes) {
        fprintf(stderr, "the test has no memory\n");
        _exit(1);
    }
    return bytes;
}

static unsigned char *copy_of(const unsigned char *bytes, size_t size)
{
    return memcpy(room(size), bytes, size);
}

/* Buffers */

static int host_may(const struct memory *m, cl_mem_flags forbidden)
{
    return !(m->flags & (forbidden | CL_MEM_HOST_NO_ACCESS));
}

/* The region of a buffer as the buffer itself and an offset, or as a sub-buffer of its own. */
struct place {
    cl_mem memory;
    size_t offset;
    int sub;
};

static struct place place_of(struct thread *t, struct memory *m, size_t region)
{
    if (!one_in(t, 4))
        return (struct place){m->slot.object, region * REGION, 0};
    cl_buffer_region where = {region * REGION, REGION};
    cl_mem sub = MAKES(CL_SUCCESS, clCreateSubBuffer(m->slot.object, 0, CL_BUFFER_CREATE_TYPE_REGION, &where, &code));
    if (one_in(t, 8))
        watch_life(t, NULL, sub);
    return (struct place){sub, 0, 1};
}

static void leave_place(struct thread *t, const struct place *p)
{
    if (p->sub)
        OK(clReleaseMemObject(p->memory));
}

static void transfer(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    size_t offset = below(t, REGION), size = below(t, (uint32_t)(REGION - offset) + 1);
    int reads = one_in(t, 2);
    cl_bool blocking = one_in(t, 4);
    struct region *r = &m->regions[region];
    if (!begin(t, &j, m->slot.context, r, NULL))
        return;
    if (blocking) {
        may_be_unnamed(t, &j);
        settle_own(t);
    }
    struct place p = place_of(t, m, region);
    unsigned char *host = room(size), *expected;
    draw_bytes(t, host, size);
    int allowed = host_may(m, reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY);
    cl_int want = allowed ? result_of(&j, blocking) : CL_INVALID_OPERATION;
    if (reads) {
        expected = copy_of(j.fate || !allowed ? host : r->bytes + offset, size);
        IS(want, clEnqueueReadBuffer(j.q, p.memory, blocking, p.offset + offset, size, host, WAIT_LIST(&j)));
    } else {
        expected = copy_of(host, size);
        IS(want, clEnqueueWriteBuffer(j.q, p.memory, blocking, p.offset + offset, size, host, WAIT_LIST(&j)));
        if (!j.fate && allowed)
            memcpy(r->bytes + offset, host, size);
    }
    leave_place(t, &p);
    if (allowed) {
        enqueued(t, &j, reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER, blocking, host, expected, size);
        return;
    }
    TRUE_(!j.event && !memcmp(host, expected, size));
    free(host);
    free(expected);
    drop_job(t, &j);
}

/* Rows of a region, seen as 64 rows of 64 bytes. */
static void rectangle(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    enum { PITCH = 64 };
    size_t x = below(t, PITCH), y = below(t, PITCH), width = 1 + below(t, (uint32_t)(PITCH - x)), height = 1 + below(t, (uint32_t)(PITCH - y));
    size_t host_pitch = width + below(t, 5);
    struct region *r = &m->regions[region];
    int reads = one_in(t, 2);
    if (!host_may(m, reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) || !begin(t, &j, m->slot.context, r, NULL))
        return;
    struct place p = place_of(t, m, region);
    unsigned char *host = room(host_pitch * height), *expected;
    draw_bytes(t, host, host_pitch * height);
    size_t at[] = {x, p.offset / PITCH + y, 0}, host_at[] = {0, 0, 0}, extent[] = {width, height, 1};
    expected = copy_of(host, host_pitch * height);
    if (reads)
        OK(clEnqueueReadBufferRect(j.q, p.memory, CL_FALSE, at, host_at, extent, PITCH, 0, host_pitch, 0, host, WAIT_LIST(&j)));
    else
        OK(clEnqueueWriteBufferRect(j.q, p.memory, CL_FALSE, at, host_at, extent, PITCH, 0, host_pitch, 0, host, WAIT_LIST(&j)));
    for (size_t n = 0; n < height && !j.fate; n++) {
        unsigned char *row = r->bytes + (y + n) * PITCH + x;
        if (reads)
            memcpy(expected + n * host_pitch, row, width);
        else
            memcpy(row, expected + n * host_pitch, width);
    }
    leave_place(t, &p);
    enqueued(t, &j, reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, 0, host, expected, host_pitch * height);
}

static void fill(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    unsigned char pattern[128];
    size_t unit = (size_t)1 << below(t, 8), count = REGION / unit, first = below(t, (uint32_t)count), n = below(t, (uint32_t)(count - first) + 1);
    draw_bytes(t, pattern, unit);
    struct region *r = &m->regions[region];
    if (!begin(t, &j, m->slot.context, r, NULL))
        return;
    may_be_unnamed(t, &j);
    struct place p = place_of(t, m, region);
    OK(clEnqueueFillBuffer(j.q, p.memory, pattern, unit, p.offset + first * unit, n * unit, WAIT_LIST(&j)));
    for (size_t i = first; i < first + n && !j.fate; i++)
        memcpy(r->bytes + i * unit, pattern, unit);
    leave_place(t, &p);
    enqueued(t, &j, CL_COMMAND_FILL_BUFFER, 0, NULL, NULL, 0);
}

static void copy(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    struct memory *from = &buffers[below(t, BUFFERS / CONTEXTS) * CONTEXTS + (uint32_t)m->slot.context];
    size_t from_region = below(t, REGIONS), size = below(t, REGION + 1);
    size_t a = below(t, (uint32_t)(REGION - size) + 1), b = below(t, (uint32_t)(REGION - size) + 1);
    if ((from == m && from_region == region) || !use(&from->slot))
        return;
    struct region *r = &m->regions[region], *s = &from->regions[from_region];
    if (begin(t, &j, m->slot.context, r, s)) {
        may_be_unnamed(t, &j);
        struct place to = place_of(t, m, region), of = place_of(t, from, from_region);
        OK(clEnqueueCopyBuffer(j.q, of.memory, to.memory, of.offset + a, to.offset + b, size, WAIT_LIST(&j)));
        if (!j.fate)
            memcpy(r->bytes + b, s->bytes + a, size);
        leave_place(t, &to);
        leave_place(t, &of);
        enqueued(t, &j, CL_COMMAND_COPY_BUFFER, 0, NULL, NULL, 0);
    }
    leave(&from->slot);
}

static void CL_CALLBACK invert(void *arguments)
{
    struct {
        unsigned char *bytes;
        size_t first, size;
    } *a = arguments;
    for (size_t i = 0; i < a->size; i++)
        a->bytes[a->first + i] ^= 0xff;
}

static void native(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    struct region *r = &m->regions[region];
    size_t first = below(t, REGION), size = below(t, (uint32_t)(REGION - first) + 1);
    if (!begin(t, &j, m->slot.context, r, NULL))
        return;
    struct {
        cl_mem memory;
        size_t first, size;
    } a = {m->slot.object, region * REGION + first, size};
    cl_mem list[] = {a.memory};
    const void *where[] = {&a.memory};
    OK(clEnqueueNativeKernel(j.q, invert, &a, sizeof a, 1, list, where, WAIT_LIST(&j)));
    for (size_t i = first; i < first + size && !j.fate; i++)
        r->bytes[i] ^= 0xff;
    enqueued(t, &j, CL_COMMAND_NATIVE_KERNEL, 0, NULL, NULL, 0);
}

static void migrate(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    if (!begin(t, &j, m->slot.context, &m->regions[region], NULL))
        return;
    cl_mem list[] = {m->slot.object};
    OK(clEnqueueMigrateMemObjects(j.q, 1, list, one_in(t, 2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0, WAIT_LIST(&j)));
    enqueued(t, &j, CL_COMMAND_MIGRATE_MEM_OBJECTS, 0, NULL, NULL, 0);
}

/* Maps, looks at the bytes, changes them, unmaps. The region stays locked; whoever wants it does something else. */
static void map(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    struct region *r = &m->regions[region];
    cl_bool blocking = one_in(t, 2);
    cl_map_flags flags = (cl_map_flags[]){CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}[below(t, 4)];
    size_t offset = below(t, REGION), size = 1 + below(t, (uint32_t)(REGION - offset));
    cl_mem_flags forbidden = (flags & CL_MAP_READ ? CL_MEM_HOST_WRITE_ONLY : 0) | (flags != CL_MAP_READ ? CL_MEM_HOST_READ_ONLY : 0);
    if (!host_may(m, forbidden) || !begin(t, &j, m->slot.context, r, NULL))
        return;
    settle_own(t);
    DOING("clEnqueueMapBuffer");
    unsigned char *p = clEnqueueMapBuffer(j.q, m->slot.object, blocking, flags, region * REGION + offset, size, WAIT_LIST(&j), &code);
    made(t, p, code, result_of(&j, blocking), "clEnqueueMapBuffer", __FILE__, __LINE__);
    cl_event before = j.event, after = NULL;
    if (!blocking)
        IS(j.fate ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : 0, clWaitForEvents(1, &before));
    if (before)
        OK(clReleaseEvent(before));
    j.event = NULL;
    if (p && !j.fate) {
        if (flags != CL_MAP_WRITE_INVALIDATE_REGION && memcmp(p, r->bytes + offset, size))
            WRONG("mapped memory is not what it should be");
        if (flags != CL_MAP_READ) {
            draw_bytes(t, p, size);
            memcpy(r->bytes + offset, p, size);
        }
    }
    if (!p) {
        drop_job(t, &j);
        return;
    }
    OK(clEnqueueUnmapMemObject(j.q, m->slot.object, p, 0, NULL, &after));
    if (j.fate) {
        /* The region's last command is still what it was. */
        OK(clWaitForEvents(1, &after));
        OK(clReleaseEvent(after));
        drop_job(t, &j);
        return;
    }
    j.event = after;
    enqueued(t, &j, CL_COMMAND_UNMAP_MEM_OBJECT, 0, NULL, NULL, 0);
}

/* Kernels */

static const size_t LOCALS[] = {1, 2, 4, 7, 16, 33, 64, 128};

static void scale_bytes(unsigned char *bytes, cl_uint first, size_t count, cl_uint by, cl_uint add)
{
    for (size_t i = first; i < first + count; i++) {
        cl_uint x;
        memcpy(&x, bytes + i * sizeof x, sizeof x);
        x = x * by + add;
        memcpy(bytes + i * sizeof x, &x, sizeof x);
    }
}

static void turn_bytes(unsigned char *bytes, size_t first, size_t groups, size_t local)
{
    cl_uint was[REGION / sizeof(cl_uint)], is[REGION / sizeof(cl_uint)];
    memcpy(was, bytes, REGION);
    memcpy(is, bytes, REGION);
    for (size_t g = 0; g < groups; g++)
        for (size_t l = 0; l < local; l++)
            is[first + g * local + l] = was[first + g * local + local - 1 - l];
    memcpy(bytes, is, REGION);
}

/* A kernel on a region that starts at byte `base` of `memory`, or of shared memory. */
static void launch(struct thread *t, struct kernel *k, struct job *j, cl_mem memory, unsigned char *pointer, size_t base)
{
    enum { WORDS = REGION / sizeof(cl_uint) };
    struct region *r = j->regions[0];
    cl_kernel kernel = k->slot.object;
    if (pointer)
        OK(clSetKernelArgSVMPointer(kernel, 0, pointer));
    else
        OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    cl_uint first = below(t, WORDS / 2), start = (cl_uint)(base / sizeof(cl_uint)) + first;
    OK(clSetKernelArg(kernel, 1, sizeof start, &start));
    may_be_unnamed(t, j);
    if (k->which == 0) {
        size_t count = below(t, WORDS / 2);
        cl_uint by = draw(t), add = draw(t);
        OK(clSetKernelArg(kernel, 2, sizeof by, &by));
        OK(clSetKernelArg(kernel, 3, sizeof add, &add));
        OK(clEnqueueNDRangeKernel(j->q, kernel, 1, NULL, &count, NULL, WAIT_LIST(j)));
        if (!j->fate)
            scale_bytes(r->bytes, first, count, by, add);
    } else {
        size_t local = LOCALS[below(t, sizeof LOCALS / sizeof *LOCALS)], groups = 1 + below(t, (uint32_t)(WORDS / 2 / local));
        size_t global = groups * local;
        OK(clSetKernelArg(kernel, 2, local * sizeof(cl_uint), NULL));
        OK(clEnqueueNDRangeKernel(j->q, kernel, 1, NULL, &global, &local, WAIT_LIST(j)));
        if (!j->fate)
            turn_bytes(r->bytes, first, groups, local);
    }
}

static struct kernel *take_kernel(struct thread *t, int context, int images_wanted)
{
    struct kernel *k = &kernels[below(t, KERNELS / CONTEXTS) * CONTEXTS + (uint32_t)context];
    if (!use(&k->slot))
        return NULL;
    if ((k->which == 2) == images_wanted && !pthread_mutex_trylock(&k->args))
        return k;
    leave(&k->slot);
    return NULL;
}

static void leave_kernel(struct kernel *k)
{
    pthread_mutex_unlock(&k->args);
    leave(&k->slot);
}

static void launch_on_buffer(struct thread *t, struct memory *m, size_t region)
{
    struct job j;
    struct kernel *k = take_kernel(t, m->slot.context, 0);
    if (!k)
        return;
    if (begin(t, &j, m->slot.context, &m->regions[region], NULL)) {
        struct place p = place_of(t, m, region);
        launch(t, k, &j, p.memory, NULL, p.offset);
        leave_place(t, &p);
        enqueued(t, &j, CL_COMMAND_NDRANGE_KERNEL, 0, NULL, NULL, 0);
    }
    leave_kernel(k);
}
#endif
