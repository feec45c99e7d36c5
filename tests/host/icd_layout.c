/* Linked directly: the dispatch structure of our objects against cl_icd.h, slot by slot; cl_khr_icd 1.0 and 2.0. */
#define _GNU_SOURCE
#include "check.h"
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stddef.h>

/* The functions of CL/cl_icd.h: present, holding the tag of cl_khr_icd 2.0, and of other systems. */
#define PRESENT(f)                                                                                                     \
    f(clGetPlatformInfo) f(clGetDeviceIDs) f(clGetDeviceInfo) f(clCreateContext) f(clCreateContextFromType)            \
    f(clRetainContext) f(clReleaseContext) f(clGetContextInfo) f(clCreateCommandQueue) f(clRetainCommandQueue)         \
    f(clReleaseCommandQueue) f(clGetCommandQueueInfo) f(clSetCommandQueueProperty) f(clCreateBuffer)                   \
    f(clCreateImage2D) f(clCreateImage3D) f(clRetainMemObject) f(clReleaseMemObject) f(clGetSupportedImageFormats)     \
    f(clGetMemObjectInfo) f(clGetImageInfo) f(clCreateSampler) f(clRetainSampler) f(clReleaseSampler)                  \
    f(clGetSamplerInfo) f(clCreateProgramWithSource) f(clCreateProgramWithBinary) f(clRetainProgram)                   \
    f(clReleaseProgram) f(clBuildProgram) f(clGetProgramInfo) f(clGetProgramBuildInfo) f(clCreateKernel)               \
    f(clCreateKernelsInProgram) f(clRetainKernel) f(clReleaseKernel) f(clSetKernelArg) f(clGetKernelInfo)              \
    f(clGetKernelWorkGroupInfo) f(clWaitForEvents) f(clGetEventInfo) f(clRetainEvent) f(clReleaseEvent)                \
    f(clGetEventProfilingInfo) f(clFlush) f(clFinish) f(clEnqueueReadBuffer) f(clEnqueueWriteBuffer)                   \
    f(clEnqueueCopyBuffer) f(clEnqueueReadImage) f(clEnqueueWriteImage) f(clEnqueueCopyImage)                          \
    f(clEnqueueCopyImageToBuffer) f(clEnqueueCopyBufferToImage) f(clEnqueueMapBuffer) f(clEnqueueMapImage)             \
    f(clEnqueueUnmapMemObject) f(clEnqueueNDRangeKernel) f(clEnqueueTask) f(clEnqueueNativeKernel) f(clEnqueueMarker)  \
    f(clEnqueueWaitForEvents) f(clEnqueueBarrier) f(clGetExtensionFunctionAddress) f(clCreateFromGLBuffer)             \
    f(clCreateFromGLTexture2D) f(clCreateFromGLTexture3D) f(clCreateFromGLRenderbuffer) f(clGetGLObjectInfo)           \
    f(clGetGLTextureInfo) f(clEnqueueAcquireGLObjects) f(clEnqueueReleaseGLObjects) f(clGetGLContextInfoKHR)           \
    f(clSetEventCallback) f(clCreateSubBuffer) f(clSetMemObjectDestructorCallback) f(clCreateUserEvent)                \
    f(clSetUserEventStatus) f(clEnqueueReadBufferRect) f(clEnqueueWriteBufferRect) f(clEnqueueCopyBufferRect)          \
    f(clCreateSubDevicesEXT) f(clRetainDeviceEXT) f(clReleaseDeviceEXT) f(clCreateEventFromGLsyncKHR)                  \
    f(clCreateSubDevices) f(clRetainDevice) f(clReleaseDevice) f(clCreateImage) f(clCreateProgramWithBuiltInKernels)   \
    f(clCompileProgram) f(clLinkProgram) f(clUnloadPlatformCompiler) f(clGetKernelArgInfo) f(clEnqueueFillBuffer)      \
    f(clEnqueueFillImage) f(clEnqueueMigrateMemObjects) f(clEnqueueMarkerWithWaitList)                                 \
    f(clEnqueueBarrierWithWaitList) f(clGetExtensionFunctionAddressForPlatform) f(clCreateFromGLTexture)               \
    f(clCreateCommandQueueWithProperties) f(clCreatePipe) f(clGetPipeInfo) f(clSVMAlloc) f(clSVMFree)                  \
    f(clEnqueueSVMFree) f(clEnqueueSVMMemcpy) f(clEnqueueSVMMemFill) f(clEnqueueSVMMap) f(clEnqueueSVMUnmap)           \
    f(clCreateSamplerWithProperties) f(clSetKernelArgSVMPointer) f(clSetKernelExecInfo) f(clGetKernelSubGroupInfoKHR)  \
    f(clCloneKernel) f(clCreateProgramWithIL) f(clEnqueueSVMMigrateMem) f(clGetDeviceAndHostTimer) f(clGetHostTimer)   \
    f(clGetKernelSubGroupInfo) f(clSetDefaultDeviceCommandQueue) f(clSetProgramReleaseCallback)                        \
    f(clSetProgramSpecializationConstant) f(clCreateBufferWithProperties) f(clCreateImageWithProperties)               \
    f(clSetContextDestructorCallback)
#define TAGGED(f) f(clGetPlatformIDs) f(clUnloadCompiler)
#define ABSENT(f)                                                                                                      \
    f(clGetDeviceIDsFromD3D10KHR) f(clCreateFromD3D10BufferKHR) f(clCreateFromD3D10Texture2DKHR)                       \
    f(clCreateFromD3D10Texture3DKHR) f(clEnqueueAcquireD3D10ObjectsKHR) f(clEnqueueReleaseD3D10ObjectsKHR)             \
    f(clGetDeviceIDsFromD3D11KHR) f(clCreateFromD3D11BufferKHR) f(clCreateFromD3D11Texture2DKHR)                       \
    f(clCreateFromD3D11Texture3DKHR) f(clCreateFromDX9MediaSurfaceKHR) f(clEnqueueAcquireD3D11ObjectsKHR)              \
    f(clEnqueueReleaseD3D11ObjectsKHR) f(clGetDeviceIDsFromDX9MediaAdapterKHR)                                         \
    f(clEnqueueAcquireDX9MediaSurfacesKHR) f(clEnqueueReleaseDX9MediaSurfacesKHR) f(clCreateFromEGLImageKHR)           \
    f(clEnqueueAcquireEGLObjectsKHR) f(clEnqueueReleaseEGLObjectsKHR) f(clCreateEventFromEGLSyncKHR)

static const uintptr_t TAG = 0x4F50454E434C3331;

struct object {
    const char *dispatch;
    void *loader_data;
};

static void *slot(const void *object, size_t offset)
{
    return *(void **)(((const struct object *)object)->dispatch + offset);
}

typedef void *(CL_API_CALL *get_function)(cl_platform_id, const char *);
typedef cl_int(CL_API_CALL *set_data)(cl_platform_id, void *);
typedef cl_int(CL_API_CALL *get_platforms)(cl_uint, cl_platform_id *, cl_uint *);

int main(void)
{
    size_t slots = 0;
    set_up();
    Dl_info home;
    TRUE_(dladdr(slot(platform, offsetof(cl_icd_dispatch, clGetPlatformInfo)), &home) && home.dli_fname);
    void *library = dlopen(home.dli_fname, RTLD_NOW);
    TRUE_(library);
    get_function by_name = (get_function)clGetExtensionFunctionAddress("clIcdGetFunctionAddressForPlatformKHR");
    set_data set_loader_data = (set_data)clGetExtensionFunctionAddress("clIcdSetPlatformDispatchDataKHR");
    get_platforms icd_platforms = (get_platforms)clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR");
    TRUE_(by_name && set_loader_data && icd_platforms);

#define CHECK_PRESENT(name)                                                                                   \
    slots++;                                                                                                  \
    if (!dlsym(library, #name) || slot(platform, offsetof(cl_icd_dispatch, name)) != dlsym(library, #name)) { \
        failures++;                                                                                           \
        printf("slot of %s\n", #name);                                                                        \
    }                                                                                                         \
    TRUE_(by_name(platform, #name) == dlsym(library, #name));
#define CHECK_TAGGED(name)                                                      \
    slots++;                                                                    \
    TRUE_((uintptr_t)slot(platform, offsetof(cl_icd_dispatch, name)) == TAG); \
    TRUE_(by_name(platform, #name) == dlsym(library, #name) && dlsym(library, #name));
#define CHECK_ABSENT(name)                                        \
    slots++;                                                      \
    TRUE_(!slot(platform, offsetof(cl_icd_dispatch, name))); \
    TRUE_(!by_name(platform, #name));
    PRESENT(CHECK_PRESENT)
    TAGGED(CHECK_TAGGED)
    ABSENT(CHECK_ABSENT)
    TRUE_(sizeof(cl_icd_dispatch) == slots * sizeof(void *));

    /* Every kind of object points to the same structure. */
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));
    cl_event event = MAKES(clCreateUserEvent(context, &err));
    const char *source = "kernel void k() {}";
    cl_program program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    const void *objects[] = {platform, device, context, queue, buffer, event, program};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        TRUE_(((const struct object *)objects[i])->dispatch == ((const struct object *)platform)->dispatch);

    /* cl_khr_icd 2.0: the loader's word goes to the platform, its device and what is made from now on. */
    int word;
    OK(set_loader_data(platform, &word));
    cl_event later = MAKES(clCreateUserEvent(context, &err));
    TRUE_(((const struct object *)platform)->loader_data == &word);
    TRUE_(((const struct object *)device)->loader_data == &word);
    TRUE_(((const struct object *)later)->loader_data == &word);
    IS(CL_INVALID_PLATFORM, set_loader_data(NULL, &word));
    TRUE_(!by_name(platform, "clNoSuchFunction"));
    TRUE_(!by_name(NULL, "clFinish"));

    /* Extension functions by name, and only those. */
    TRUE_(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
    TRUE_(!clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunctionKHR"));
    TRUE_(!clGetExtensionFunctionAddressForPlatform(platform, "clFinish"));
    TRUE_(!clGetExtensionFunctionAddressForPlatform(NULL, "clGetKernelSuggestedLocalWorkSizeKHR"));
    TRUE_(!clGetExtensionFunctionAddress(NULL));
    cl_platform_id same = NULL;
    OK(icd_platforms(1, &same, NULL));
    TRUE_(same == platform);

    OK(clReleaseEvent(later));
    OK(clReleaseEvent(event));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(buffer));
    tear_down();
    return done();
}
