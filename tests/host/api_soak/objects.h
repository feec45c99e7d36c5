/* Objects come and go: making and replacing what threads share, reference counts, queries, contexts and programs of a moment. */
#ifndef API_SOAK_OBJECTS_H
#define API_SOAK_OBJECTS_H

#include "more.h"

/* What the reference-counted objects have in common, by kind. */
struct kind {
    cl_int (*retain)(void *);
    cl_int (*release)(void *);
    cl_int (*count)(void *, cl_uint *);
    cl_int (*context)(void *, cl_context *);
};

#define KIND(name, type, Retain, Release, info, count_name, context_name)                                                       \
    static cl_int name##_retain(void *o) { return Retain((type)o); }                                                            \
    static cl_int name##_release(void *o) { return Release((type)o); }                                                          \
    static cl_int name##_count(void *o, cl_uint *n) { return info((type)o, count_name, sizeof *n, n, NULL); }                   \
    static cl_int name##_context(void *o, cl_context *c) { return info((type)o, context_name, sizeof *c, c, NULL); }            \
    static const struct kind name##_kind = {name##_retain, name##_release, name##_count, name##_context};

KIND(queue, cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT, CL_QUEUE_CONTEXT)
KIND(memory, cl_mem, clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, CL_MEM_CONTEXT)
KIND(kernel, cl_kernel, clRetainKernel, clReleaseKernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT, CL_KERNEL_CONTEXT)
KIND(sampler, cl_sampler, clRetainSampler, clReleaseSampler, clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT, CL_SAMPLER_CONTEXT)
KIND(program, cl_program, clRetainProgram, clReleaseProgram, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_CONTEXT)

static struct slot *draw_slot(struct thread *t, const struct kind **kind)
{
    switch (below(t, 6)) {
    case 0:
        *kind = &queue_kind;
        return &queues[below(t, QUEUES)].slot;
    case 1:
        *kind = &memory_kind;
        return &buffers[below(t, BUFFERS)].slot;
    case 2:
        *kind = &memory_kind;
        return &images[below(t, IMAGES)].slot;
    case 3:
        *kind = &kernel_kind;
        return &kernels[below(t, KERNELS)].slot;
    case 4:
        *kind = &sampler_kind;
        return &samplers[below(t, SAMPLERS)];
    default:
        *kind = &program_kind;
        return &programs[below(t, CONTEXTS)];
    }
}

/* Retains or releases an object, and asks for its count. Nobody else counts meanwhile. */
static void count(struct thread *t)
{
    const struct kind *kind;
    struct slot *s = draw_slot(t, &kind);
    unsigned what = below(t, 3);
    if (!use(s))
        return;
    if (!pthread_mutex_trylock(&s->refs_lock)) {
        cl_uint refs = 0;
        cl_context context = NULL;
        if (what == 0 && s->refs < 100) {
            OK(kind->retain(s->object));
            s->refs++;
        } else if (what == 1 && s->refs > 1) {
            OK(kind->release(s->object));
            s->refs--;
        }
        OK(kind->count(s->object, &refs));
        OK(kind->context(s->object, &context));
        if (refs != s->refs)
            WRONG("an object has %u references, not %u", refs, s->refs);
        TRUE_(context == context_of(s));
        pthread_mutex_unlock(&s->refs_lock);
    }
    leave(s);
}

static void release_all(struct thread *t, struct slot *s, const struct kind *kind)
{
    for (; s->refs; s->refs--)
        OK(kind->release(s->object));
    s->object = NULL;
}

static void make_queue(struct thread *t, struct queue *q)
{
    cl_command_queue_properties flags = 0;
    q->in_order = one_in(t, 2);
    q->profiled = one_in(t, 2);
    flags |= q->in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    flags |= q->profiled ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    q->unnamed = 0;
    fill_slot(&q->slot, MAKES(CL_SUCCESS, clCreateCommandQueueWithProperties(context_of(&q->slot), device, list, &code)));
}

static void make_buffer(struct thread *t, struct memory *m)
{
    static const cl_mem_flags host_access[] = {0, 0, 0, 0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS};
    static const cl_mem_flags places[] = {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR};
    cl_mem_flags place = places[below(t, 3)];
    unsigned char *host = room(REGIONS * REGION);
    m->flags = CL_MEM_READ_WRITE | host_access[below(t, 7)] | place;
    for (int n = 0; n < REGIONS; n++) {
        draw_bytes(t, m->regions[n].bytes, REGION);
        memcpy(host + n * REGION, m->regions[n].bytes, REGION);
    }
    cl_mem made_buffer = MAKES(CL_SUCCESS, clCreateBuffer(context_of(&m->slot), m->flags, REGIONS * REGION, host, &code));
    fill_slot(&m->slot, made_buffer);
    /* Its own memory goes with it: the callback that was registered first comes last. */
    if (place == CL_MEM_USE_HOST_PTR)
        OK(clSetMemObjectDestructorCallback(made_buffer, host_memory_ends, host));
    else
        free(host);
    watch_life(t, NULL, made_buffer);
}

static void make_image(struct thread *t, struct memory *m)
{
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    m->flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    draw_bytes(t, m->regions->bytes, REGION);
    cl_mem made_image = MAKES(CL_SUCCESS, clCreateImage(context_of(&m->slot), m->flags, &FORMAT, &desc, m->regions->bytes, &code));
    fill_slot(&m->slot, made_image);
    watch_life(t, NULL, made_image);
}

static void make_sampler(struct thread *t, struct slot *s)
{
    cl_addressing_mode mode = one_in(t, 2) ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE;
    cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, mode, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
    fill_slot(s, MAKES(CL_SUCCESS, clCreateSamplerWithProperties(context_of(s), list, &code)));
}

/* Of the kernels of a context, the first takes any buffer, the last images. */
static void make_kernel(struct thread *t, struct kernel *k)
{
    struct slot *p = &programs[k->slot.context];
    k->which = k - kernels < CONTEXTS ? (int)below(t, 2) : 2;
    cl_kernel kernel = MAKES(CL_SUCCESS, clCreateKernel(p->object, KERNEL_NAMES[k->which], &code));
    if (one_in(t, 2)) {
        cl_kernel clone = MAKES(CL_SUCCESS, clCloneKernel(kernel, &code));
        OK(clReleaseKernel(kernel));
        kernel = clone;
    }
    fill_slot(&k->slot, kernel);
}

static void make_shared(struct thread *t, struct memory *m)
{
    m->slot.object = clSVMAlloc(context_of(&m->slot), CL_MEM_READ_WRITE | (one_in(t, 2) ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0), REGION, 0);
    TRUE_(m->slot.object);
    m->slot.generation++;
    draw_bytes(t, m->regions->bytes, REGION);
    memcpy(m->slot.object, m->regions->bytes, REGION);
}

/* Has the region's memory freed after its last command. 0 if that could not be enqueued. */
static int free_shared(struct thread *t, struct memory *m)
{
    struct job j;
    if (!begin(t, &j, m->slot.context, m->regions, NULL))
        return 0;
    if (j.fate) {
        /* The command would fail, and the memory stay. */
        drop_job(t, &j);
        return 0;
    }
    void *pointer = m->slot.object;
    uintptr_t call = expect_call(t, CL_COMPLETE, NULL, 0);
    OK(clEnqueueSVMFree(j.q, 1, &pointer, shared_came, (void *)(call << 1 | (uintptr_t)m->slot.context), WAIT_LIST(&j)));
    m->slot.object = NULL;
    enqueued(t, &j, CL_COMMAND_SVM_FREE, 0, NULL, NULL, 0);
    forget_last(m->regions);
    return 1;
}

static void finish_unnamed(struct thread *t, struct queue *q)
{
    if (q->unnamed) {
        settle_own(t);
        OK(clFinish(q->slot.object));
    }
}

/* Replaces an object that nobody is calling with; commands in flight may still use the old one. */
static void replace(struct thread *t)
{
    unsigned what = below(t, 8), n = draw(t);
    struct queue *q = &queues[n % QUEUES];
    struct memory *b = &buffers[n % BUFFERS], *i = &images[n % IMAGES], *v = &shared[n % SHARED];
    struct kernel *k = &kernels[n % KERNELS];
    struct slot *s = &samplers[n % SAMPLERS];
    struct slot *slot = what < 2 ? &b->slot : what == 2 ? &i->slot : what == 3 ? &q->slot : what == 4 ? &k->slot : what == 5 ? s : &v->slot;
    if (pthread_rwlock_trywrlock(&slot->use))
        return;
    switch (what) {
    case 0:
    case 1: {
        cl_uint maps = 7;
        OK(clGetMemObjectInfo(slot->object, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
        TRUE_(maps == 0);
        release_all(t, slot, &memory_kind);
        for (int r = 0; r < REGIONS; r++)
            forget_last(&b->regions[r]);
        make_buffer(t, b);
        break;
    }
    case 2:
        release_all(t, slot, &memory_kind);
        forget_last(i->regions);
        make_image(t, i);
        break;
    case 3:
        finish_unnamed(t, q);
        release_all(t, slot, &queue_kind);
        make_queue(t, q);
        break;
    case 4:
        release_all(t, slot, &kernel_kind);
        make_kernel(t, k);
        break;
    case 5:
        release_all(t, slot, &sampler_kind);
        make_sampler(t, s);
        break;
    default:
        if (free_shared(t, v))
            make_shared(t, v);
    }
    leave(slot);
}

/* A context of a moment: all that is in it is released in some order while its work waits for a user event. */
static void brief_context(struct thread *t)
{
    cl_context context = MAKES(CL_SUCCESS, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    watch_life(t, context, NULL);
    cl_command_queue queue = MAKES(CL_SUCCESS, clCreateCommandQueue(context, device, one_in(t, 2) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code));
    cl_mem buffer = MAKES(CL_SUCCESS, clCreateBuffer(context, 0, REGION, NULL, &code));
    watch_life(t, NULL, buffer);
    cl_event gate = MAKES(CL_SUCCESS, clCreateUserEvent(context, &code)), filled = NULL, after = NULL;
    cl_int fate = one_in(t, 3) ? -5 : CL_COMPLETE;
    cl_uint zero = 0;
    OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, REGION, 1, &gate, &filled));
    OK(clEnqueueMarkerWithWaitList(queue, 1, &filled, &after));
    int early = one_in(t, 2), forgotten = one_in(t, 4);
    cl_int end = fate || forgotten ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE;
    call_back(t, after, end);
    OK(clFlush(queue));
    if (early && !forgotten)
        OK(clSetUserEventStatus(gate, fate));
    unsigned done = 0;
    while (done != 63) {
        unsigned next = 1u << below(t, 6);
        if (done & next)
            continue;
        done |= next;
        if (next == 1)
            OK(clReleaseContext(context));
        else if (next == 2)
            OK(clReleaseCommandQueue(queue));
        else if (next == 4)
            OK(clReleaseMemObject(buffer));
        else if (next == 8)
            OK(clReleaseEvent(filled));
        else if (next == 16 && (early || forgotten || done & 32))
            OK(clReleaseEvent(gate));
        else if (next == 16)
            done &= ~next;
        else if (early || forgotten)
            OK(clReleaseEvent(after));
        else {
            OK(clSetUserEventStatus(gate, fate));
            OK(clReleaseEvent(after));
        }
    }
}

/* A program of a moment, built here or in the background, right or wrong. */
static void brief_program(struct thread *t)
{
    static const char *const sources[] = {
        "kernel void k(global int *p) { *p = ADD; }",
        "kernel void k(global int *p, int n) { for (int i = 0; i < n; i++) p[i] += ADD; }",
        "kernel void k(global int *p) { *p = missing; }",
        "#error no program\n",
        "kernel void k(global int *p) { *p = 1;",
    };
    unsigned n = below(t, 5);
    int in_background = one_in(t, 2), good = n < 2;
    char options[32], log[4096];
    snprintf(options, sizeof options, "-DADD=%u", below(t, 4));
    int c = (int)below(t, CONTEXTS);
    cl_program program = MAKES(CL_SUCCESS, clCreateProgramWithSource(contexts[c].object, 1, (const char **)&sources[n], NULL, &code));
    IS(CL_INVALID_PROGRAM_EXECUTABLE, (clCreateKernel(program, "k", &code), code));
    cl_build_status status = CL_BUILD_IN_PROGRESS;
    if (in_background) {
        OK(clBuildProgram(program, 1, &device, options, build_came, (void *)expect_call(t, CL_COMPLETE, NULL, 0)));
        while (status == CL_BUILD_IN_PROGRESS) {
            OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
            usleep(200);
        }
    } else {
        IS(good ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, options, NULL, NULL));
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    }
    TRUE_(status == (good ? CL_BUILD_SUCCESS : CL_BUILD_ERROR));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    TRUE_(good || strstr(log, "error: "));
    if (good) {
        cl_kernel kernel = MAKES(CL_SUCCESS, clCreateKernel(program, "k", &code));
        cl_uint arguments = 0;
        OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
        TRUE_(arguments == n + 1);
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseProgram(program));
}
#endif
