/* What the device does not have answers with the specification's error. */
#include "check.h"
#include <CL/cl_gl.h>

int main(void)
{
    cl_uint pattern = 0;
    char room[64];
    set_up();
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateProgramWithIL(context, room, sizeof room, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, "none", &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 0, NULL, "none", &err));
    REFUSES(CL_INVALID_CONTEXT, clCreateFromGLBuffer(context, 0, 1, (int *)&err));
    IS(CL_INVALID_GL_OBJECT, clGetGLObjectInfo(buffer, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueAcquireGLObjects(queue, 1, &buffer, 0, NULL, NULL));

    const char *source = "kernel void k() {}";
    cl_program program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    IS(CL_INVALID_OPERATION, clSetProgramSpecializationConstant(program, 0, 4, &pattern));
    IS(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, NULL, NULL));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(buffer));
    tear_down();
    return done();
}
