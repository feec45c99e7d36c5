/* Valid commands on images and shared memory, recorded commands, and what only synchronises. */
#ifndef API_SOAK_MORE_H
#define API_SOAK_MORE_H

#include "commands.h"

/* Images: rows of SIDE texels of 4 bytes. */

static const cl_image_format FORMAT = {CL_RGBA, CL_UNSIGNED_INT8};

struct area {
    size_t origin[3], region[3];
};

static struct area draw_area(struct thread *t)
{
    struct area a = {{below(t, SIDE), below(t, SIDE), 0}, {0, 0, 1}};
    a.region[0] = 1 + below(t, (uint32_t)(SIDE - a.origin[0]));
    a.region[1] = 1 + below(t, (uint32_t)(SIDE - a.origin[1]));
    return a;
}

/* Copies the texels of an area between an image's bytes and bytes without gaps. */
static void copy_area(unsigned char *image, const struct area *a, unsigned char *tight, int out)
{
    for (size_t n = 0; n < a->region[1]; n++) {
        unsigned char *row = image + ((a->origin[1] + n) * SIDE + a->origin[0]) * 4, *other = tight + n * a->region[0] * 4;
        memcpy(out ? other : row, out ? row : other, a->region[0] * 4);
    }
}

static void image_transfer(struct thread *t, struct memory *m)
{
    struct job j;
    struct area a = draw_area(t);
    size_t size = a.region[0] * a.region[1] * 4;
    int reads = one_in(t, 2);
    cl_bool blocking = one_in(t, 4);
    struct region *r = m->regions;
    if (!begin(t, &j, m->slot.context, r, NULL))
        return;
    if (blocking) {
        may_be_unnamed(t, &j);
        settle_own(t);
    }
    unsigned char *host = room(size), *expected;
    draw_bytes(t, host, size);
    expected = copy_of(host, size);
    if (reads)
        IS(result_of(&j, blocking), clEnqueueReadImage(j.q, m->slot.object, blocking, a.origin, a.region, 0, 0, host, WAIT_LIST(&j)));
    else
        IS(result_of(&j, blocking), clEnqueueWriteImage(j.q, m->slot.object, blocking, a.origin, a.region, 0, 0, host, WAIT_LIST(&j)));
    if (!j.fate)
        copy_area(r->bytes, &a, expected, reads);
    enqueued(t, &j, reads ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE, blocking, host, expected, size);
}

static void image_fill(struct thread *t, struct memory *m)
{
    struct job j;
    struct area a = draw_area(t);
    cl_uint color[4];
    unsigned char tight[REGION];
    for (int n = 0; n < 4; n++)
        color[n] = below(t, 256);
    for (size_t n = 0; n < REGION; n++)
        tight[n] = (unsigned char)color[n % 4];
    if (!begin(t, &j, m->slot.context, m->regions, NULL))
        return;
    OK(clEnqueueFillImage(j.q, m->slot.object, color, a.origin, a.region, WAIT_LIST(&j)));
    if (!j.fate)
        copy_area(m->regions->bytes, &a, tight, 0);
    enqueued(t, &j, CL_COMMAND_FILL_IMAGE, 0, NULL, NULL, 0);
}

static struct memory *other_image(struct thread *t, const struct memory *m)
{
    struct memory *other = &images[below(t, IMAGES / CONTEXTS) * CONTEXTS + (uint32_t)m->slot.context];
    return other != m && use(&other->slot) ? other : NULL;
}

static void image_copy(struct thread *t, struct memory *m)
{
    struct job j;
    struct area a = draw_area(t), b = draw_area(t);
    unsigned char tight[REGION];
    struct memory *from = other_image(t, m);
    if (!from)
        return;
    for (int n = 0; n < 2; n++) {
        if (b.origin[n] + a.region[n] > SIDE)
            b.origin[n] = SIDE - a.region[n];
        b.region[n] = a.region[n];
    }
    if (begin(t, &j, m->slot.context, m->regions, from->regions)) {
        OK(clEnqueueCopyImage(j.q, from->slot.object, m->slot.object, a.origin, b.origin, a.region, WAIT_LIST(&j)));
        if (!j.fate) {
            copy_area(from->regions->bytes, &a, tight, 1);
            copy_area(m->regions->bytes, &b, tight, 0);
        }
        enqueued(t, &j, CL_COMMAND_COPY_IMAGE, 0, NULL, NULL, 0);
    }
    leave(&from->slot);
}

/* Between an image and a region of a buffer. */
static void image_and_buffer(struct thread *t, struct memory *m)
{
    struct job j;
    struct area a = draw_area(t);
    struct memory *b = &buffers[below(t, BUFFERS / CONTEXTS) * CONTEXTS + (uint32_t)m->slot.context];
    size_t region = below(t, REGIONS), size = a.region[0] * a.region[1] * 4, offset = below(t, (uint32_t)(REGION - size) + 1);
    int to_buffer = one_in(t, 2);
    if (!use(&b->slot))
        return;
    struct region *r = &b->regions[region];
    if (begin(t, &j, m->slot.context, m->regions, r)) {
        struct place p = place_of(t, b, region);
        if (to_buffer)
            OK(clEnqueueCopyImageToBuffer(j.q, m->slot.object, p.memory, a.origin, a.region, p.offset + offset, WAIT_LIST(&j)));
        else
            OK(clEnqueueCopyBufferToImage(j.q, p.memory, m->slot.object, p.offset + offset, a.origin, a.region, WAIT_LIST(&j)));
        if (!j.fate)
            copy_area(m->regions->bytes, &a, r->bytes + offset, to_buffer);
        leave_place(t, &p);
        enqueued(t, &j, to_buffer ? CL_COMMAND_COPY_IMAGE_TO_BUFFER : CL_COMMAND_COPY_BUFFER_TO_IMAGE, 0, NULL, NULL, 0);
    }
    leave(&b->slot);
}

static void image_launch(struct thread *t, struct memory *m)
{
    struct job j;
    struct kernel *k = take_kernel(t, m->slot.context, 1);
    if (!k)
        return;
    struct memory *from = other_image(t, m);
    struct slot *s = &samplers[m->slot.context];
    if (from && use(s)) {
        if (begin(t, &j, m->slot.context, m->regions, from->regions)) {
            cl_kernel kernel = k->slot.object;
            size_t global[] = {SIDE, SIDE};
            OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from->slot.object));
            OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &m->slot.object));
            OK(clSetKernelArg(kernel, 2, sizeof(cl_sampler), &s->object));
            OK(clEnqueueNDRangeKernel(j.q, kernel, 2, NULL, global, NULL, WAIT_LIST(&j)));
            for (size_t y = 0; y < SIDE && !j.fate; y++)
                for (size_t x = 0; x < SIDE; x++)
                    memcpy(m->regions->bytes + (y * SIDE + x) * 4, from->regions->bytes + (y * SIDE + SIDE - 1 - x) * 4, 4);
            enqueued(t, &j, CL_COMMAND_NDRANGE_KERNEL, 0, NULL, NULL, 0);
        }
        leave(s);
    }
    if (from)
        leave(&from->slot);
    leave_kernel(k);
}

static void image_map(struct thread *t, struct memory *m)
{
    struct job j;
    struct area a = draw_area(t);
    unsigned char tight[REGION], seen[REGION];
    size_t pitch = 0, size = a.region[0] * a.region[1] * 4;
    cl_event after = NULL;
    if (!begin(t, &j, m->slot.context, m->regions, NULL))
        return;
    settle_own(t);
    DOING("clEnqueueMapImage");
    unsigned char *p = clEnqueueMapImage(j.q, m->slot.object, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, a.origin, a.region, &pitch, NULL,
                                         WAIT_LIST(&j), &code);
    made(t, p, code, j.fate, "clEnqueueMapImage", __FILE__, __LINE__);
    if (!p) {
        drop_job(t, &j);
        return;
    }
    OK(clReleaseEvent(j.event));
    copy_area(m->regions->bytes, &a, tight, 1);
    for (size_t n = 0; n < a.region[1]; n++)
        memcpy(seen + n * a.region[0] * 4, p + n * pitch, a.region[0] * 4);
    if (memcmp(tight, seen, size))
        WRONG("a mapped image is not what it should be");
    draw_bytes(t, tight, size);
    copy_area(m->regions->bytes, &a, tight, 0);
    for (size_t n = 0; n < a.region[1]; n++)
        memcpy(p + n * pitch, tight + n * a.region[0] * 4, a.region[0] * 4);
    OK(clEnqueueUnmapMemObject(j.q, m->slot.object, p, 0, NULL, &after));
    j.event = after;
    enqueued(t, &j, CL_COMMAND_UNMAP_MEM_OBJECT, 0, NULL, NULL, 0);
}

static void on_image(struct thread *t)
{
    static void (*const all[])(struct thread *, struct memory *) = {image_transfer, image_fill, image_copy, image_and_buffer, image_launch, image_map};
    void (*one)(struct thread *, struct memory *) = all[below(t, sizeof all / sizeof *all)];
    struct memory *m = &images[below(t, IMAGES)];
    if (!use(&m->slot))
        return;
    one(t, m);
    leave(&m->slot);
}

static void on_buffer(struct thread *t)
{
    static void (*const all[])(struct thread *, struct memory *, size_t) = {transfer, transfer, rectangle, fill, copy, native, migrate, map, launch_on_buffer, launch_on_buffer};
    void (*one)(struct thread *, struct memory *, size_t) = all[below(t, sizeof all / sizeof *all)];
    struct memory *m = &buffers[below(t, BUFFERS)];
    size_t region = below(t, REGIONS);
    if (!use(&m->slot))
        return;
    one(t, m, region);
    leave(&m->slot);
}

/* Shared virtual memory: each allocation is one region. */
static void on_shared(struct thread *t)
{
    struct memory *m = &shared[below(t, SHARED)];
    struct region *r = m->regions;
    struct job j;
    unsigned what = below(t, 5);
    size_t offset = below(t, REGION), size = below(t, (uint32_t)(REGION - offset) + 1);
    unsigned char pattern[128];
    if (!use(&m->slot))
        return;
    unsigned char *p = m->slot.object;
    struct kernel *k = what == 4 ? take_kernel(t, m->slot.context, 0) : NULL;
    if ((what != 4 || k) && begin(t, &j, m->slot.context, r, NULL)) {
        unsigned char *host = NULL, *expected = NULL;
        cl_command_type type = CL_COMMAND_SVM_MEMCPY;
        size_t compared = 0;
        if (what == 0) {
            host = room(size);
            draw_bytes(t, host, size);
            expected = copy_of(j.fate ? host : r->bytes + offset, size);
            compared = size;
            OK(clEnqueueSVMMemcpy(j.q, CL_FALSE, host, p + offset, size, WAIT_LIST(&j)));
        } else if (what == 1) {
            host = room(size);
            draw_bytes(t, host, size);
            expected = copy_of(host, size);
            compared = size;
            OK(clEnqueueSVMMemcpy(j.q, CL_FALSE, p + offset, host, size, WAIT_LIST(&j)));
            if (!j.fate)
                memcpy(r->bytes + offset, host, size);
        } else if (what == 2) {
            type = CL_COMMAND_SVM_MEMFILL;
            size_t unit = (size_t)1 << below(t, 8);
            draw_bytes(t, pattern, unit);
            offset = offset / unit * unit;
            size = size / unit * unit;
            OK(clEnqueueSVMMemFill(j.q, p + offset, pattern, unit, size, WAIT_LIST(&j)));
            for (size_t i = 0; i < size && !j.fate; i += unit)
                memcpy(r->bytes + offset + i, pattern, unit);
        } else if (what == 3) {
            type = CL_COMMAND_SVM_UNMAP;
            settle_own(t);
            j.named = 0;
            IS(j.fate, clEnqueueSVMMap(j.q, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, REGION, WAIT_LIST(&j)));
            j.named = 1;
            if (!j.fate) {
                if (memcmp(p, r->bytes, REGION))
                    WRONG("mapped shared memory is not what it should be");
                draw_bytes(t, r->bytes, REGION);
                memcpy(p, r->bytes, REGION);
                OK(clEnqueueSVMUnmap(j.q, p, 0, NULL, &j.event));
            }
        } else {
            type = CL_COMMAND_NDRANGE_KERNEL;
            launch(t, k, &j, NULL, p, 0);
        }
        if (what == 3 && j.fate)
            drop_job(t, &j);
        else
            enqueued(t, &j, type, 0, host, expected, compared);
    }
    if (k)
        leave_kernel(k);
    leave(&m->slot);
}

/* Command buffers (cl_khr_command_buffer 0.9.8: headers of distributions may have an earlier one) */

enum { COMMAND_BUFFER = 0x12A8 /* CL_COMMAND_COMMAND_BUFFER_KHR */ };

static void *(CL_API_CALL *create_commands)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *);
static cl_int(CL_API_CALL *finalize_commands)(void *);
static cl_int(CL_API_CALL *retain_commands)(void *);
static cl_int(CL_API_CALL *release_commands)(void *);
static cl_int(CL_API_CALL *enqueue_commands)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *);
static cl_int(CL_API_CALL *record_fill)(void *, cl_command_queue, const cl_properties *, cl_mem, const void *, size_t, size_t, size_t, cl_uint,
                                        const cl_uint *, cl_uint *, void **);
static cl_int(CL_API_CALL *record_launch)(void *, cl_command_queue, const cl_properties *, cl_kernel, cl_uint, const size_t *, const size_t *,
                                          const size_t *, cl_uint, const cl_uint *, cl_uint *, void **);

static void load_commands(void)
{
    struct thread *t = NULL;
#define LOAD(function, name) TRUE_((*(void **)&function = clGetExtensionFunctionAddressForPlatform(platform, name)) != NULL)
    LOAD(create_commands, "clCreateCommandBufferKHR");
    LOAD(finalize_commands, "clFinalizeCommandBufferKHR");
    LOAD(retain_commands, "clRetainCommandBufferKHR");
    LOAD(release_commands, "clReleaseCommandBufferKHR");
    LOAD(enqueue_commands, "clEnqueueCommandBufferKHR");
    LOAD(record_fill, "clCommandFillBufferKHR");
    LOAD(record_launch, "clCommandNDRangeKernelKHR");
}

/* Fills a region and scales it, both recorded; released as soon as it is enqueued. */
static void recorded(struct thread *t)
{
    struct memory *m = &buffers[below(t, BUFFERS)];
    size_t region = below(t, REGIONS);
    struct job j;
    if (!use(&m->slot))
        return;
    struct kernel *k = take_kernel(t, m->slot.context, 0);
    if (k && k->which == 0 && begin(t, &j, m->slot.context, &m->regions[region], NULL)) {
        struct region *r = j.regions[0];
        cl_uint value = draw(t), by = draw(t), add = draw(t), first = below(t, 512), filled = 77, scaled = 77;
        cl_uint start = (cl_uint)(region * REGION / sizeof(cl_uint)) + first;
        size_t count = 1 + below(t, 512);
        void *commands = MAKES(CL_SUCCESS, create_commands(1, &j.q, NULL, &code));
        IS(CL_INVALID_OPERATION, enqueue_commands(0, NULL, commands, 0, NULL, NULL));
        OK(record_fill(commands, NULL, NULL, m->slot.object, &value, sizeof value, region * REGION, REGION, 0, NULL, &filled, NULL));
        IS(CL_INVALID_VALUE, record_fill(commands, NULL, NULL, m->slot.object, &value, 3, 0, 3, 0, NULL, NULL, NULL));
        cl_kernel kernel = k->slot.object;
        OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &m->slot.object));
        OK(clSetKernelArg(kernel, 1, sizeof start, &start));
        OK(clSetKernelArg(kernel, 2, sizeof by, &by));
        OK(clSetKernelArg(kernel, 3, sizeof add, &add));
        OK(record_launch(commands, NULL, NULL, kernel, 1, NULL, &count, NULL, 1, &filled, &scaled, NULL));
        TRUE_(filled != scaled);
        OK(finalize_commands(commands));
        IS(CL_INVALID_OPERATION, finalize_commands(commands));
        OK(retain_commands(commands));
        OK(enqueue_commands(0, NULL, commands, WAIT_LIST(&j)));
        OK(release_commands(commands));
        OK(release_commands(commands));
        if (!j.fate) {
            for (size_t i = 0; i < REGION; i += sizeof value)
                memcpy(r->bytes + i, &value, sizeof value);
            scale_bytes(r->bytes, first, count, by, add);
        }
        enqueued(t, &j, COMMAND_BUFFER, 0, NULL, NULL, 0);
    }
    if (k)
        leave_kernel(k);
    leave(&m->slot);
}

/* Synchronisation */

static void synchronise(struct thread *t)
{
    struct job j;
    unsigned what = below(t, 8);
    if (!begin(t, &j, (int)below(t, CONTEXTS), NULL, NULL))
        return;
    if (what < 2) {
        OK(clEnqueueMarkerWithWaitList(j.q, WAIT_LIST(&j)));
        enqueued(t, &j, CL_COMMAND_MARKER, 0, NULL, NULL, 0);
        return;
    }
    if (what < 4) {
        OK(clEnqueueBarrierWithWaitList(j.q, WAIT_LIST(&j)));
        enqueued(t, &j, CL_COMMAND_BARRIER, 0, NULL, NULL, 0);
        return;
    }
    if (what < 6)
        OK(clFlush(j.q));
    else {
        settle_own(t);
        OK(clFinish(j.q));
    }
    drop_job(t, &j);
}

/* A user event that the thread will set, or that a callback sets, to success or an error. */
static void make_user_event(struct thread *t)
{
    int context = (int)below(t, CONTEXTS);
    cl_int fate = one_in(t, 4) ? -(cl_int)(1 + below(t, 1000)) : CL_COMPLETE;
    int by_callback = one_in(t, 3), posted = one_in(t, 3);
    struct job j;
    if (!by_callback) {
        if (t->user_count == USERS)
            settle_own(t);
        cl_event event = MAKES(CL_SUCCESS, clCreateUserEvent(contexts[context].object, &code));
        t->users[t->user_count++] = (struct user){event, fate, context};
        if (posted)
            post(t, event, fate, context);
        return;
    }
    if (!begin(t, &j, context, NULL, NULL))
        return;
    /* The command is there before the event is, so that it can't wait for it. */
    OK(clEnqueueMarkerWithWaitList(j.q, WAIT_LIST(&j)));
    cl_event event = MAKES(CL_SUCCESS, clCreateUserEvent(contexts[context].object, &code));
    if (posted)
        post(t, event, fate, context);
    OK(clFlush(j.q));
    uintptr_t call = expect_call(t, j.fate ? j.fate : CL_COMPLETE, event, fate);
    OK(clSetEventCallback(j.event, CL_COMPLETE, event_came, (void *)call));
    enqueued(t, &j, CL_COMMAND_MARKER, 0, NULL, NULL, 0);
}

/* A command that waits for a user event that nobody sets: it ends with an error when that is gone. */
static void abandon(struct thread *t)
{
    struct job j;
    struct memory *m = &buffers[below(t, BUFFERS)];
    size_t region = below(t, REGIONS);
    if (!use(&m->slot))
        return;
    if (begin(t, &j, m->slot.context, &m->regions[region], NULL)) {
        cl_event event = MAKES(CL_SUCCESS, clCreateUserEvent(context_of(&m->slot), &code));
        cl_uint zero = 0;
        wait_for(t, &j, event, -1);
        OK(clEnqueueFillBuffer(j.q, m->slot.object, &zero, sizeof zero, region * REGION, REGION, WAIT_LIST(&j)));
        /* The wait list's own reference goes first: `enqueued` may block. */
        OK(clReleaseEvent(event));
        OK(clReleaseEvent(j.waits[--j.count]));
        enqueued(t, &j, CL_COMMAND_FILL_BUFFER, 0, NULL, NULL, 0);
    }
    leave(&m->slot);
}

/* Asks a posted event, or waits for it. */
static void ask_posted(struct thread *t)
{
    struct posted *p = &board[below(t, BOARD)];
    unsigned what = below(t, 4);
    if (pthread_mutex_trylock(&p->lock))
        return;
    cl_event event = p->event;
    cl_int fate = p->fate;
    int context = p->context;
    if (event)
        OK(clRetainEvent(event));
    pthread_mutex_unlock(&p->lock);
    if (!event)
        return;
    cl_context of = NULL;
    cl_int status = 7;
    cl_uint refs = 0;
    OK(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof of, &of, NULL));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    TRUE_(of == contexts[context].object && refs >= 1);
    TRUE_(status == fate || (status > CL_COMPLETE && status <= CL_QUEUED));
    if (what == 0)
        call_back(t, event, fate);
    else if (what == 1) {
        settle_own(t);
        IS(fate ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : 0, clWaitForEvents(1, &event));
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        TRUE_(status == fate);
    }
    OK(clReleaseEvent(event));
}
#endif
