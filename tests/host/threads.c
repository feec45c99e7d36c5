/* Threads that share a context and queues: objects are made, used and released at the same time; handles that one
   thread releases while others ask for them give an error or the object, never a crash. */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 200, ITEMS = 512 };

static const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";
static cl_program program;
static _Atomic(cl_mem) shared;
static atomic_int wrong;

/* Counts what goes wrong; check.h has one `err`. */
#define GOOD(condition)                                           \
    do {                                                          \
        if (!(condition)) {                                       \
            wrong++;                                              \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        }                                                         \
    } while (0)

static void *work(void *argument)
{
    int id = (int)(intptr_t)argument;
    cl_int e = 0, back[ITEMS];
    size_t items = ITEMS;
    cl_kernel kernel = clCreateKernel(program, "add", &e);
    GOOD(kernel && !e);
    for (cl_int round = 0; round < ROUNDS; round++) {
        cl_mem memory = clCreateBuffer(context, 0, sizeof back, NULL, &e);
        cl_int zero = 0;
        cl_event filled, added;
        GOOD(memory && !e);
        GOOD(!clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, sizeof back, 0, NULL, &filled));
        cl_int n = id * 1000 + round;
        GOOD(!clSetKernelArg(kernel, 0, sizeof memory, &memory));
        GOOD(!clSetKernelArg(kernel, 1, sizeof n, &n));
        GOOD(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &filled, &added));
        GOOD(!clReleaseEvent(filled));
        GOOD(!clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof back, back, 1, &added, NULL));
        GOOD(!clReleaseEvent(added));
        GOOD(back[0] == n && back[ITEMS - 1] == n);

        /* Swap it for the shared one and let go of that; others may be asking for it right now. */
        cl_mem old = atomic_exchange(&shared, memory);
        cl_mem seen = shared;
        size_t size = 0;
        e = clGetMemObjectInfo(seen, CL_MEM_SIZE, sizeof size, &size, NULL);
        GOOD(e == CL_INVALID_MEM_OBJECT || (!e && size == sizeof back));
        if (!clRetainMemObject(seen))
            GOOD(!clReleaseMemObject(seen));
        if (old)
            GOOD(!clReleaseMemObject(old));
    }
    GOOD(!clReleaseKernel(kernel));
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    set_up();
    OK(clReleaseCommandQueue(queue));
    queue = MAKES(clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err));
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    for (intptr_t i = 0; i < THREADS; i++)
        TRUE_(!pthread_create(threads + i, NULL, work, (void *)i));
    for (int i = 0; i < THREADS; i++)
        TRUE_(!pthread_join(threads[i], NULL));
    TRUE_(wrong == 0);
    OK(clReleaseMemObject(shared));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
