/* What the device does not have answers with the specification's error. */
#include "check.h"
#include <CL/cl_gl.h>

int main(void)
{
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    size_t origin[3] = {0}, region[3] = {1, 1, 1}, pitch;
    cl_uint count = 99, pattern = 0;
    cl_mem_properties none[] = {0};
    char room[64];
    set_up();
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateImage(context, 0, &format, &desc, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateImageWithProperties(context, none, 0, &format, &desc, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateImage2D(context, 0, &format, 8, 8, 0, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateImage3D(context, 0, &format, 8, 8, 8, 0, 0, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateSampler(context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err));
    REFUSES(CL_INVALID_OPERATION, clCreateSamplerWithProperties(context, NULL, &err));
    REFUSES(CL_INVALID_OPERATION, clCreatePipe(context, 0, 4, 4, NULL, &err));
    OK(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    TRUE_(count == 0);
    IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_BUFFER, 0, NULL, &count));
    IS(CL_INVALID_VALUE,
       clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, &format, &count));
    IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    IS(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_FORMAT, sizeof room, room, NULL));
    IS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, sizeof room, room, NULL));
    IS(CL_INVALID_OPERATION,
       clEnqueueReadImage(queue, buffer, CL_TRUE, origin, region, 0, 0, room, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION,
       clEnqueueWriteImage(queue, buffer, CL_TRUE, origin, region, 0, 0, room, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, clEnqueueCopyImage(queue, buffer, buffer, origin, origin, region, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, clEnqueueCopyImageToBuffer(queue, buffer, buffer, origin, region, 0, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage(queue, buffer, buffer, 0, origin, region, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, clEnqueueFillImage(queue, buffer, &pattern, origin, region, 0, NULL, NULL));
    REFUSES(CL_INVALID_OPERATION, clEnqueueMapImage(queue, buffer, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL,
                                                    0, NULL, NULL, &err));
    IS(CL_INVALID_OPERATION,
       clEnqueueNativeKernel(queue, (void(CL_CALLBACK *)(void *))(uintptr_t)1, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
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
