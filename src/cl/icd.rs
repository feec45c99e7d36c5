//! The dispatch structure: the first word of every object points to one, and an ICD loader calls through it.
//! Slots stand in the order of CL/cl_icd.h (`tests/host/icd_layout.c` compares them with `offsetof`).

use std::ffi::c_void;

/// A function pointer, or null where Clotho has no such function.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Slot(pub *const c_void);

// SAFETY: a slot is the address of code (or null, or a tag), which any thread may read.
unsafe impl Sync for Slot {}
// SAFETY: as above.
unsafe impl Send for Slot {}

impl Slot {
    /// A slot without a function.
    pub const NONE: Slot = Slot(std::ptr::null());
}

macro_rules! slots {
    ($($name:ident,)*) => {
        /// `struct _cl_icd_dispatch`.
        #[repr(C)]
        #[allow(non_snake_case, missing_docs)]
        pub struct Dispatch {
            $(pub $name: Slot,)*
        }

        impl Dispatch {
            /// The names of the slots, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];
        }
    };
}

slots! {
    clGetPlatformIDs,
    clGetPlatformInfo,
    clGetDeviceIDs,
    clGetDeviceInfo,
    clCreateContext,
    clCreateContextFromType,
    clRetainContext,
    clReleaseContext,
    clGetContextInfo,
    clCreateCommandQueue,
    clRetainCommandQueue,
    clReleaseCommandQueue,
    clGetCommandQueueInfo,
    clSetCommandQueueProperty,
    clCreateBuffer,
    clCreateImage2D,
    clCreateImage3D,
    clRetainMemObject,
    clReleaseMemObject,
    clGetSupportedImageFormats,
    clGetMemObjectInfo,
    clGetImageInfo,
    clCreateSampler,
    clRetainSampler,
    clReleaseSampler,
    clGetSamplerInfo,
    clCreateProgramWithSource,
    clCreateProgramWithBinary,
    clRetainProgram,
    clReleaseProgram,
    clBuildProgram,
    clUnloadCompiler,
    clGetProgramInfo,
    clGetProgramBuildInfo,
    clCreateKernel,
    clCreateKernelsInProgram,
    clRetainKernel,
    clReleaseKernel,
    clSetKernelArg,
    clGetKernelInfo,
    clGetKernelWorkGroupInfo,
    clWaitForEvents,
    clGetEventInfo,
    clRetainEvent,
    clReleaseEvent,
    clGetEventProfilingInfo,
    clFlush,
    clFinish,
    clEnqueueReadBuffer,
    clEnqueueWriteBuffer,
    clEnqueueCopyBuffer,
    clEnqueueReadImage,
    clEnqueueWriteImage,
    clEnqueueCopyImage,
    clEnqueueCopyImageToBuffer,
    clEnqueueCopyBufferToImage,
    clEnqueueMapBuffer,
    clEnqueueMapImage,
    clEnqueueUnmapMemObject,
    clEnqueueNDRangeKernel,
    clEnqueueTask,
    clEnqueueNativeKernel,
    clEnqueueMarker,
    clEnqueueWaitForEvents,
    clEnqueueBarrier,
    clGetExtensionFunctionAddress,
    clCreateFromGLBuffer,
    clCreateFromGLTexture2D,
    clCreateFromGLTexture3D,
    clCreateFromGLRenderbuffer,
    clGetGLObjectInfo,
    clGetGLTextureInfo,
    clEnqueueAcquireGLObjects,
    clEnqueueReleaseGLObjects,
    clGetGLContextInfoKHR,
    clGetDeviceIDsFromD3D10KHR,
    clCreateFromD3D10BufferKHR,
    clCreateFromD3D10Texture2DKHR,
    clCreateFromD3D10Texture3DKHR,
    clEnqueueAcquireD3D10ObjectsKHR,
    clEnqueueReleaseD3D10ObjectsKHR,
    clSetEventCallback,
    clCreateSubBuffer,
    clSetMemObjectDestructorCallback,
    clCreateUserEvent,
    clSetUserEventStatus,
    clEnqueueReadBufferRect,
    clEnqueueWriteBufferRect,
    clEnqueueCopyBufferRect,
    clCreateSubDevicesEXT,
    clRetainDeviceEXT,
    clReleaseDeviceEXT,
    clCreateEventFromGLsyncKHR,
    clCreateSubDevices,
    clRetainDevice,
    clReleaseDevice,
    clCreateImage,
    clCreateProgramWithBuiltInKernels,
    clCompileProgram,
    clLinkProgram,
    clUnloadPlatformCompiler,
    clGetKernelArgInfo,
    clEnqueueFillBuffer,
    clEnqueueFillImage,
    clEnqueueMigrateMemObjects,
    clEnqueueMarkerWithWaitList,
    clEnqueueBarrierWithWaitList,
    clGetExtensionFunctionAddressForPlatform,
    clCreateFromGLTexture,
    clGetDeviceIDsFromD3D11KHR,
    clCreateFromD3D11BufferKHR,
    clCreateFromD3D11Texture2DKHR,
    clCreateFromD3D11Texture3DKHR,
    clCreateFromDX9MediaSurfaceKHR,
    clEnqueueAcquireD3D11ObjectsKHR,
    clEnqueueReleaseD3D11ObjectsKHR,
    clGetDeviceIDsFromDX9MediaAdapterKHR,
    clEnqueueAcquireDX9MediaSurfacesKHR,
    clEnqueueReleaseDX9MediaSurfacesKHR,
    clCreateFromEGLImageKHR,
    clEnqueueAcquireEGLObjectsKHR,
    clEnqueueReleaseEGLObjectsKHR,
    clCreateEventFromEGLSyncKHR,
    clCreateCommandQueueWithProperties,
    clCreatePipe,
    clGetPipeInfo,
    clSVMAlloc,
    clSVMFree,
    clEnqueueSVMFree,
    clEnqueueSVMMemcpy,
    clEnqueueSVMMemFill,
    clEnqueueSVMMap,
    clEnqueueSVMUnmap,
    clCreateSamplerWithProperties,
    clSetKernelArgSVMPointer,
    clSetKernelExecInfo,
    clGetKernelSubGroupInfoKHR,
    clCloneKernel,
    clCreateProgramWithIL,
    clEnqueueSVMMigrateMem,
    clGetDeviceAndHostTimer,
    clGetHostTimer,
    clGetKernelSubGroupInfo,
    clSetDefaultDeviceCommandQueue,
    clSetProgramReleaseCallback,
    clSetProgramSpecializationConstant,
    clCreateBufferWithProperties,
    clCreateImageWithProperties,
    clSetContextDestructorCallback,
    clGetKernelSuggestedLocalWorkSize,
}
