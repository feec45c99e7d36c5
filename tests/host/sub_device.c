/* Sub-devices: divided equally, by counts, by what CPUs share, and again; their queries, references and errors; and
 * that the commands of each run on its CPUs alone, by threads that end with it. */
#define _GNU_SOURCE
#include "check.h"
#include <dirent.h>
#include <sched.h>
#include <time.h>

enum { MOST = 256 };
static cl_uint units;

static cl_uint compute_units(cl_device_id d)
{
    cl_uint n = 0;
    OK(clGetDeviceInfo(d, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof n, &n, NULL));
    return n;
}

static cl_uint references(cl_device_id d)
{
    cl_uint n = 0;
    OK(clGetDeviceInfo(d, CL_DEVICE_REFERENCE_COUNT, sizeof n, &n, NULL));
    return n;
}

static cl_device_id parent(cl_device_id d)
{
    cl_device_id p = GARBAGE(cl_device_id);
    OK(clGetDeviceInfo(d, CL_DEVICE_PARENT_DEVICE, sizeof p, &p, NULL));
    return p;
}

static int has_type(cl_device_id d, const cl_device_partition_property *want, size_t count)
{
    cl_device_partition_property got[MOST];
    size_t size = 0;
    OK(clGetDeviceInfo(d, CL_DEVICE_PARTITION_TYPE, sizeof got, got, &size));
    return size == count * sizeof *got && !memcmp(got, want, size);
}

/* What a device tells of how it may be divided. */
static void root(void)
{
    cl_device_partition_property list[8] = {99};
    cl_device_affinity_domain domains = 99;
    cl_uint most = 99;
    size_t size = 0;
    cl_device_partition_property none[] = {0};
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof list, list, &size));
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, NULL));
    TRUE_(parent(device) == NULL && references(device) == 1 && has_type(device, none, 1));
    OK(clRetainDevice(device));
    OK(clReleaseDevice(device));
    OK(clReleaseDevice(device));
    TRUE_(references(device) == 1);
    if (units == 1) {
        TRUE_(size == sizeof *list && list[0] == 0 && domains == 0 && most == 0);
    } else {
        TRUE_(list[0] == CL_DEVICE_PARTITION_EQUALLY && list[1] == CL_DEVICE_PARTITION_BY_COUNTS && most == units);
        TRUE_(size == (domains ? 3 : 2) * sizeof *list);
    }
}

static void errors(void)
{
    cl_device_id out[MOST];
    cl_uint count;
    cl_device_partition_property empty[] = {0}, unknown[] = {0x1234, 1, 0}, zero[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0};
    cl_device_partition_property negative[] = {CL_DEVICE_PARTITION_EQUALLY, -1, 0};
    cl_device_partition_property large[] = {CL_DEVICE_PARTITION_EQUALLY, (cl_device_partition_property)units + 1, 0};
    cl_device_partition_property whole[] = {CL_DEVICE_PARTITION_EQUALLY, (cl_device_partition_property)units, 0};
    cl_device_partition_property two[] = {CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_partition_property few[] = {CL_DEVICE_PARTITION_BY_COUNTS, 0, 0};
    cl_device_partition_property below[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, -1, 0, 0};
    cl_device_partition_property many[] = {CL_DEVICE_PARTITION_BY_COUNTS, units, 1, 0, 0};
    cl_device_partition_property bits[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 3, 0};
    cl_device_partition_property domain[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 6, 0};
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    IS(CL_INVALID_DEVICE, clCreateSubDevices(NULL, equally, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, empty, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, unknown, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, zero, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, negative, MOST, out, &count));
    IS(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, large, MOST, out, &count));
    IS(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(device, whole, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, two, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, few, MOST, out, &count));
    IS(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, below, MOST, out, &count));
    IS(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, many, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, bits, MOST, out, &count));
    IS(CL_INVALID_VALUE, clCreateSubDevices(device, domain, MOST, out, &count));
    if (units > 1)
        IS(CL_INVALID_VALUE, clCreateSubDevices(device, equally, units - 1, out, &count));
}

/* Devices of one CPU, and of all in pieces of different sizes; the parts can't be divided any more. */
static void divisions(void)
{
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, (cl_device_partition_property)units - 1, 0, 0};
    cl_device_partition_property whole[] = {CL_DEVICE_PARTITION_BY_COUNTS, (cl_device_partition_property)units, 0, 0};
    cl_device_id parts[MOST], inner[MOST], all = NULL;
    cl_uint count = 0;
    OK(clCreateSubDevices(device, equally, 0, NULL, &count));
    TRUE_(count == units);
    OK(clCreateSubDevices(device, equally, MOST, parts, &count));
    for (cl_uint i = 0; i < count; i++) {
        cl_device_partition_property none = 9;
        TRUE_(compute_units(parts[i]) == 1 && parent(parts[i]) == device && has_type(parts[i], equally, 3));
        OK(clGetDeviceInfo(parts[i], CL_DEVICE_PARTITION_PROPERTIES, sizeof none, &none, NULL));
        TRUE_(none == 0);
        IS(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(parts[i], equally, MOST, inner, NULL));
        IS(CL_DEVICE_PARTITION_FAILED,
           clCreateSubDevices(parts[i], (cl_device_partition_property[]){CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}, MOST, inner, NULL));
        TRUE_(references(parts[i]) == 1);
        OK(clRetainDevice(parts[i]));
        TRUE_(references(parts[i]) == 2);
        OK(clReleaseDevice(parts[i]));
        OK(clReleaseDevice(parts[i]));
    }
    OK(clCreateSubDevices(device, counts, 2, parts, &count));
    TRUE_(count == 2 && compute_units(parts[0]) == 1 && compute_units(parts[1]) == units - 1);
    TRUE_(has_type(parts[0], counts, 5) && has_type(parts[1], counts, 5));
    OK(clReleaseDevice(parts[0]));
    OK(clReleaseDevice(parts[1]));
    /* The inner ones keep the outer one alive. */
    OK(clCreateSubDevices(device, whole, 1, &all, NULL));
    OK(clCreateSubDevices(all, equally, MOST, parts, &count));
    TRUE_(count == units && compute_units(all) == units && parent(parts[0]) == all && parent(all) == device);
    OK(clReleaseDevice(all));
    TRUE_(parent(parts[0]) == all && compute_units(all) == units);
    for (cl_uint i = 0; i < count; i++)
        OK(clReleaseDevice(parts[i]));
}

static void domains(void)
{
    cl_device_affinity_domain domains = 0, first = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, NULL));
    for (cl_device_affinity_domain d = CL_DEVICE_AFFINITY_DOMAIN_NUMA; d <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; d *= 2) {
        cl_device_partition_property list[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, (cl_device_partition_property)d, 0};
        int next = d == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
        cl_device_id parts[MOST];
        cl_uint count = 0, sum = 0;
        if (!(domains & d)) {
            IS(next ? CL_DEVICE_PARTITION_FAILED : CL_INVALID_VALUE, clCreateSubDevices(device, list, MOST, parts, &count));
            continue;
        }
        if (!first)
            first = d;
        OK(clCreateSubDevices(device, list, MOST, parts, &count));
        TRUE_(count > 1);
        if (next) /* tells which one it was */
            list[1] = (cl_device_partition_property)first;
        for (cl_uint i = 0; i < count; i++) {
            sum += compute_units(parts[i]);
            TRUE_(has_type(parts[i], list, 3));
            OK(clReleaseDevice(parts[i]));
        }
        TRUE_(sum == units);
    }
}

/* Runs on a thread of the device. */
static void CL_CALLBACK where(cl_command_queue q, cl_uint count, void *pointers[], void *user_data)
{
    TRUE_(q != NULL && count == 0 && pointers != NULL);
    TRUE_(sched_getaffinity(0, sizeof(cpu_set_t), user_data) == 0);
}

static int workers(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(tasks));) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file) {
            count += fgets(name, sizeof name, file) && !strncmp(name, "clotho-worker", 13);
            fclose(file);
        }
    }
    closedir(tasks);
    return count;
}

static void execution(void)
{
    const char *source = "kernel void k(global int *p) { p[get_global_id(0)] += get_global_id(0); }\n";
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    enum { ITEMS = 9984 };
    static cl_int data[MOST * ITEMS];
    cl_device_id parts[MOST];
    cl_command_queue queues[MOST];
    cl_uint count = 0;
    int before = workers();
    memset(data, 0, sizeof data);
    OK(clCreateSubDevices(device, equally, MOST, parts, &count));
    cl_context both = MAKES(clCreateContext(NULL, count, parts, NULL, NULL, &err));
    cl_program program = MAKES(clCreateProgramWithSource(both, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = MAKES(clCreateKernel(program, "k", &err));
    cl_mem whole = MAKES(clCreateBuffer(both, CL_MEM_USE_HOST_PTR, count * ITEMS * sizeof *data, data, &err));
    REFUSES(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(both, device, NULL, &err));
    cpu_set_t sets[MOST], seen;
    CPU_ZERO(&seen);
    for (cl_uint i = 0; i < count; i++) {
        cl_buffer_region region = {i * ITEMS * sizeof *data, ITEMS * sizeof *data};
        cl_mem part = MAKES(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
        size_t items = ITEMS, local = 96;
        queues[i] = MAKES(clCreateCommandQueueWithProperties(both, parts[i], NULL, &err));
        OK(clSetKernelArg(kernel, 0, sizeof part, &part));
        for (int n = 0; n < 20; n++)
            OK(clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &items, &local, 0, NULL, NULL));
        OK(clEnqueueSVMFree(queues[i], 0, NULL, where, &sets[i], 0, NULL, NULL));
        OK(clFlush(queues[i]));
        OK(clReleaseMemObject(part));
    }
    /* Across devices: each waits for the one before it. */
    cl_event last = NULL, event;
    for (cl_uint i = 0; i < count; i++) {
        OK(clEnqueueMarkerWithWaitList(queues[i], last != NULL, last ? &last : NULL, &event));
        if (last)
            OK(clReleaseEvent(last));
        last = event;
        OK(clFlush(queues[i]));
    }
    OK(clWaitForEvents(1, &last));
    OK(clReleaseEvent(last));
    for (cl_uint i = 0; i < count; i++) {
        OK(clFinish(queues[i]));
        TRUE_(CPU_COUNT(&sets[i]) == 1);
        CPU_OR(&seen, &seen, &sets[i]);
    }
    TRUE_(CPU_COUNT(&seen) == (int)count);
    for (cl_uint i = 0; i < count * ITEMS; i++)
        if (data[i] != (cl_int)(20 * (i % ITEMS))) {
            TRUE_(data[i] == (cl_int)(20 * (i % ITEMS)));
            break;
        }
    TRUE_(workers() > before);
    for (cl_uint i = 0; i < count; i++) {
        OK(clReleaseCommandQueue(queues[i]));
        OK(clReleaseDevice(parts[i]));
        TRUE_(compute_units(parts[i]) == 1); /* the context holds it */
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(whole));
    OK(clReleaseContext(both));
    for (int n = 0; workers() > before && n < 10000; n++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    TRUE_(workers() == before);
}

int main(void)
{
    set_up();
    units = compute_units(device);
    root();
    errors();
    if (units > 1 && units <= MOST) {
        divisions();
        domains();
        /* Again and again: threads that have ended are made anew. */
        for (int n = 0; n < 5; n++)
            execution();
    }
    tear_down();
    return done();
}
