/* Program binaries in files. */
#ifndef BINARY_H
#define BINARY_H

#include "host.h"

/* At most `most` bytes of a file; how many there are. */
static inline size_t read_file(const char *name, unsigned char *bytes, size_t most)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        FAIL("%s can't be read", name);
    size_t size = fread(bytes, 1, most, file);
    fclose(file);
    return size;
}

static inline void save_binary(const char *name, cl_program program)
{
    size_t size = 0;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        FAIL("%s can't be written", name);
    free(bytes);
}

/* The program of a binary, built. */
static inline cl_program load_binary(struct host *h, const char *name)
{
    static unsigned char bytes[1 << 20];
    const unsigned char *start = bytes;
    size_t size = read_file(name, bytes, sizeof bytes);
    cl_int code, status;
    cl_program program = clCreateProgramWithBinary(h->context, 1, &h->device, &size, &start, &status, &code);
    CHECK(code);
    CHECK(clBuildProgram(program, 1, &h->device, "", NULL, NULL));
    return program;
}

#endif
