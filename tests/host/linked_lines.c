/* A program of two units and a header, linked: the message about a fault names the line of the file that it stands in. Both units have
 * a static function of the same name in the same line. The argument is a build option for debug information. */
#include "said.h"
#include <sys/mman.h>
#include <unistd.h>

static const char *HEADER =
    "inline void in_header(global int *p) {\n"
    "    *p = 1;\n"
    "}\n";

static const char *FIRST =
    "#include \"shared.h\"\n"
    "static void here(global int *p) {\n"
    "    *p = 2;\n"
    "}\n"
    "void elsewhere(global int *p, int which);\n"
    "kernel void k(global int *p, int which) {\n"
    "    if (which == 0) *p = 3;\n"
    "    if (which == 1) here(p);\n"
    "    if (which == 2) in_header(p);\n"
    "    if (which > 2) elsewhere(p, which);\n"
    "}\n";

static const char *SECOND =
    "#include \"shared.h\"\n"
    "static void here(global int *p) {\n"
    "\n"
    "    *p = 4;\n"
    "}\n"
    "void elsewhere(global int *p, int which) {\n"
    "    if (which == 3) here(p);\n"
    "    if (which == 4) in_header(p);\n"
    "    if (which == 5)\n"
    "        *p = 5;\n"
    "}\n"
    "kernel void other(global int *p, int which) {\n"
    "    if (which == 6)\n"
    "        *p = 6;\n"
    "}\n";

enum { IN_FIRST, IN_SECOND, IN_HEADER };

static const struct {
    const char *kernel;
    int which, file, line;
} CASES[] = {
    {"k", 0, IN_FIRST, 7}, {"k", 1, IN_FIRST, 3}, {"k", 2, IN_HEADER, 2},     {"k", 3, IN_SECOND, 4},
    {"k", 4, IN_HEADER, 2}, {"k", 5, IN_SECOND, 10}, {"other", 6, IN_SECOND, 14},
};

/* Whether the file whose path begins at `path` and ends in front of a comma has this text. */
static int has_text(const char *path, const char *text)
{
    char name[4096], found[4096];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(path, ","), path);
    FILE *file = fopen(name, "r");
    if (!file)
        return 0;
    size_t size = fread(found, 1, sizeof found, file);
    fclose(file);
    return size == strlen(text) && !memcmp(found, text, size);
}

static void expect_line(int line, const char *text)
{
    char part[64], copy[sizeof said];
    snprintf(part, sizeof part, ", line %d of ", line);
    for (int n = 0; n < 2000; n++) {
        copy_said(copy);
        const char *at = strstr(copy, part);
        if (at && has_text(at + strlen(part), text))
            return;
        usleep(copy[0] ? 100 : 5000);
    }
    FAIL("it was said '%s', where line %d was expected of:\n%s", copy, line, text);
}

static cl_program compiled(struct host *h, const char *source, cl_program header, const char *options)
{
    const char *name = "shared.h";
    cl_int code;
    cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &code);
    CHECK(code);
    CHECK(clCompileProgram(program, 0, NULL, options, 1, &header, &name, NULL, NULL));
    return program;
}

int main(int argc, char **argv)
{
    const char *options = argc > 1 ? argv[argc - 1] : "-g", *texts[] = {FIRST, SECOND, HEADER};
    struct host h = open_with(on_error);
    cl_int code;
    void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cl_program header = clCreateProgramWithSource(h.context, 1, &HEADER, NULL, &code);
    CHECK(code);
    cl_program first = compiled(&h, FIRST, header, options), second = compiled(&h, SECOND, header, options);
    for (int order = 0; order < 2; order++) {
        cl_program units[] = {order ? second : first, order ? first : second};
        cl_program program = clLinkProgram(h.context, 1, &h.device, "", 2, units, NULL, NULL, &code);
        CHECK(code);
        for (size_t n = 0; n < sizeof CASES / sizeof *CASES; n++) {
            cl_kernel kernel = host_kernel(program, CASES[n].kernel);
            size_t one = 1;
            said[0] = 0;
            CHECK(clSetKernelArgSVMPointer(kernel, 0, page));
            CHECK(clSetKernelArg(kernel, 1, sizeof CASES[n].which, &CASES[n].which));
            CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
            CHECK(clFinish(h.queue));
            expect_line(CASES[n].line, texts[CASES[n].file]);
            CHECK(clReleaseKernel(kernel));
        }
        CHECK(clReleaseProgram(program));
    }
    CHECK(clReleaseProgram(first));
    CHECK(clReleaseProgram(second));
    CHECK(clReleaseProgram(header));
    host_close(&h);
    return 0;
}
