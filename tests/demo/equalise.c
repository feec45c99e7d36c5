/* Clotho's demo: a photograph through four kernels full of barriers (Gaussian blur, histogram, exclusive scan,
 * equalisation), each checked against plain C on the same input.
 * Usage: equalise FOLDER-OF-KERNELS PHOTO.png OUTPUT-FOLDER [PART-OF-A-PLATFORM-NAME] */
#include "../host/host.h"
#include "picture.h"
#include "reference.h"
#include <math.h>

enum { RADIUS = 7, WIDTH = 1920, HEIGHT = 1080, RUNS = 10 };

struct stage {
    const char *name;
    double device_ms, c_ms;
    char verdict[80];
};

static cl_kernel load(struct host *h, const char *folder, const char *file, const char *kernel)
{
    char options[64];
    snprintf(options, sizeof options, "-DRADIUS=%d", RADIUS);
    char *source = host_read(folder, file);
    cl_program program = host_build(h, source, options);
    free(source);
    cl_kernel result = host_kernel(program, kernel);
    CHECK(clReleaseProgram(program));
    return result;
}

/* Runs the kernel RUNS times and answers the median of its event times. Before each run, `cleared` (if any) is
 * filled with zeros. */
static double run(struct host *h, cl_kernel kernel, cl_uint dim, const size_t *global, const size_t *local, cl_mem cleared)
{
    double times[RUNS];
    for (int r = 0; r < RUNS; r++) {
        cl_event event;
        cl_uint zero = 0;
        if (cleared)
            CHECK(clEnqueueFillBuffer(h->queue, cleared, &zero, sizeof zero, 0, 256 * sizeof zero, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(h->queue, kernel, dim, NULL, global, local, 0, NULL, &event));
        CHECK(clFinish(h->queue));
        times[r] = host_event_ms(event);
    }
    return host_median(times, RUNS);
}

static void read_back(struct host *h, cl_mem buffer, size_t size, void *to)
{
    CHECK(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

static size_t round_up(int n, size_t to)
{
    return ((size_t)n + to - 1) / to * to;
}

/* Every byte must be the reference's value rounded; a value next to a half may go either way. */
static int check_blur(const unsigned char *found, const float *wanted, size_t count, char *verdict, size_t room)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(found[i] - (double)wanted[i]));
    snprintf(verdict, room, "largest distance to the unrounded C value %.5f", worst);
    return worst <= 0.5 + 1e-3;
}

static int check_equal(const void *found, const void *wanted, size_t size, char *verdict, size_t room)
{
    int same = !memcmp(found, wanted, size);
    snprintf(verdict, room, same ? "identical to C" : "DIFFERS from C");
    return same;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s FOLDER-OF-KERNELS PHOTO.png OUTPUT-FOLDER [PLATFORM]\n", argv[0]);
        return 2;
    }
    double start = host_seconds();
    struct host h = host_open(argc > 4 ? argv[4] : "");
    printf("platform  %s\ndevice    %s\n", h.platform_name, h.device_name);

    struct picture photo = picture_read_png(argv[2]);
    double scale = fmax(1, fmax((double)WIDTH / photo.width, (double)HEIGHT / photo.height));
    struct picture before = picture_scale(&photo, (int)ceil(photo.width * scale - 1e-9), (int)ceil(photo.height * scale - 1e-9));
    printf("picture   %s, %dx%d scaled to %dx%d\n", argv[2], photo.width, photo.height, before.width, before.height);
    int width = before.width, height = before.height;
    cl_uint pixels = (cl_uint)width * (cl_uint)height;
    size_t bytes = (size_t)pixels * 4;

    double build_start = host_seconds();
    cl_kernel rows = load(&h, argv[1], "blur.cl", "blur_rows"), columns = load(&h, argv[1], "blur.cl", "blur_columns");
    cl_kernel histogram = load(&h, argv[1], "histogram.cl", "histogram"), scan = load(&h, argv[1], "scan.cl", "scan");
    cl_kernel equalise = load(&h, argv[1], "equalise.cl", "equalise");
    printf("build     5 programs in %.0f ms\n", 1e3 * (host_seconds() - build_start));

    float weights[2 * RADIUS + 1];
    reference_weights(weights, RADIUS, RADIUS / 2.5);
    cl_mem in = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, before.pixels);
    cl_mem gauss = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof weights, weights);
    cl_mem halfway = host_buffer(&h, CL_MEM_READ_WRITE, 4 * bytes, NULL);
    cl_mem blurred = host_buffer(&h, CL_MEM_READ_WRITE, bytes, NULL);
    cl_mem bins = host_buffer(&h, CL_MEM_READ_WRITE, 256 * sizeof(cl_uint), NULL);
    cl_mem below = host_buffer(&h, CL_MEM_READ_WRITE, 256 * sizeof(cl_uint), NULL);
    cl_mem out = host_buffer(&h, CL_MEM_WRITE_ONLY, bytes, NULL);

    struct stage stages[4] = {{"Gaussian blur", 0, 0, ""}, {"histogram", 0, 0, ""}, {"exclusive scan", 0, 0, ""}, {"equalisation", 0, 0, ""}};
    struct picture c_picture = picture_new(width, height), after = picture_new(width, height);
    unsigned char *found = malloc(bytes);
    float *wanted = malloc(4 * bytes);
    if (!found || !wanted)
        FAIL("out of memory");
    int right = 1;
    double mark;

    /* (1) Two passes over 16x16 tiles. */
    cl_mem from[2] = {in, halfway}, to[2] = {halfway, blurred};
    cl_kernel passes[2] = {rows, columns};
    for (int p = 0; p < 2; p++) {
        size_t global[2] = {round_up(width, 16), round_up(height, 16)}, local[2] = {16, 16};
        CHECK(clSetKernelArg(passes[p], 0, sizeof(cl_mem), &from[p]));
        CHECK(clSetKernelArg(passes[p], 1, sizeof(cl_mem), &to[p]));
        CHECK(clSetKernelArg(passes[p], 2, sizeof(cl_mem), &gauss));
        CHECK(clSetKernelArg(passes[p], 3, sizeof(cl_int), &width));
        CHECK(clSetKernelArg(passes[p], 4, sizeof(cl_int), &height));
        stages[0].device_ms += run(&h, passes[p], 2, global, local, NULL);
    }
    read_back(&h, blurred, bytes, found);
    mark = host_seconds();
    reference_blur(before.pixels, wanted, width, height, weights, RADIUS);
    stages[0].c_ms = 1e3 * (host_seconds() - mark);
    right &= check_blur(found, wanted, bytes, stages[0].verdict, sizeof stages[0].verdict);

    /* (2) The later stages are checked on the device's own blurred picture, so that integers are exact. */
    size_t spread = 64 * 256, group = 256;
    cl_uint c_bins[256], c_below[256], device_bins[256], device_below[256];
    CHECK(clSetKernelArg(histogram, 0, sizeof(cl_mem), &blurred));
    CHECK(clSetKernelArg(histogram, 1, sizeof(cl_mem), &bins));
    CHECK(clSetKernelArg(histogram, 2, sizeof pixels, &pixels));
    stages[1].device_ms = run(&h, histogram, 1, &spread, &group, bins);
    read_back(&h, bins, sizeof device_bins, device_bins);
    mark = host_seconds();
    reference_histogram(found, pixels, c_bins);
    stages[1].c_ms = 1e3 * (host_seconds() - mark);
    right &= check_equal(device_bins, c_bins, sizeof c_bins, stages[1].verdict, sizeof stages[1].verdict);

    /* (3) One group of 128. */
    size_t half_of_bins = 128;
    CHECK(clSetKernelArg(scan, 0, sizeof(cl_mem), &bins));
    CHECK(clSetKernelArg(scan, 1, sizeof(cl_mem), &below));
    stages[2].device_ms = run(&h, scan, 1, &half_of_bins, &half_of_bins, NULL);
    read_back(&h, below, sizeof device_below, device_below);
    mark = host_seconds();
    reference_scan(c_bins, c_below);
    stages[2].c_ms = 1e3 * (host_seconds() - mark);
    right &= check_equal(device_below, c_below, sizeof c_below, stages[2].verdict, sizeof stages[2].verdict);

    /* (4) */
    CHECK(clSetKernelArg(equalise, 0, sizeof(cl_mem), &blurred));
    CHECK(clSetKernelArg(equalise, 1, sizeof(cl_mem), &out));
    CHECK(clSetKernelArg(equalise, 2, sizeof(cl_mem), &below));
    CHECK(clSetKernelArg(equalise, 3, sizeof pixels, &pixels));
    stages[3].device_ms = run(&h, equalise, 1, &spread, &group, NULL);
    read_back(&h, out, bytes, after.pixels);
    mark = host_seconds();
    reference_equalise(found, c_picture.pixels, pixels, c_below);
    stages[3].c_ms = 1e3 * (host_seconds() - mark);
    right &= check_equal(after.pixels, c_picture.pixels, bytes, stages[3].verdict, sizeof stages[3].verdict);

    printf("\n%-16s %12s %12s   check\n", "stage", "device ms", "plain C ms");
    double device_total = 0, c_total = 0;
    for (int s = 0; s < 4; s++) {
        printf("%-16s %12.3f %12.3f   %s\n", stages[s].name, stages[s].device_ms, stages[s].c_ms, stages[s].verdict);
        device_total += stages[s].device_ms;
        c_total += stages[s].c_ms;
    }
    printf("%-16s %12.3f %12.3f   (medians of %d runs; C: one run, one thread)\n\n", "total", device_total, c_total, RUNS);

    char path[4096];
    snprintf(path, sizeof path, "%s/before.png", argv[3]);
    picture_write_png(path, &before);
    printf("wrote %s\n", path);
    snprintf(path, sizeof path, "%s/after.png", argv[3]);
    picture_write_png(path, &after);
    printf("wrote %s\n", path);

    cl_kernel kernels[] = {rows, columns, histogram, scan, equalise};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        CHECK(clReleaseKernel(kernels[k]));
    cl_mem buffers[] = {in, gauss, halfway, blurred, bins, below, out};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        CHECK(clReleaseMemObject(buffers[b]));
    host_close(&h);
    picture_free(&photo);
    picture_free(&before);
    picture_free(&after);
    picture_free(&c_picture);
    free(found);
    free(wanted);
    printf("%s after %.1f s\n", right ? "all four stages agree with plain C" : "WRONG RESULTS", host_seconds() - start);
    return right ? 0 : 1;
}
