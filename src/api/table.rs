//! Every entry point once, in the order of the dispatch structure: its name, its C signature and what it calls. The
//! macros below make of each line the exported `extern "C"` function with its panic guard, its dispatch slot, and
//! its entry for lookup by name.
//!
//! Kinds of lines: `status` returns an error code. `create` returns a handle (or a pointer) and has one more argument,
//! `errcode_ret`. `enqueue` is a status with three more arguments: the wait list and the event. `map` is both. `command` is a status of a
//! clCommand*KHR function, which has three arguments before these and four behind.
//! `plain` returns what its function returns, and zero when it fails. `tagged` is a `status` whose slot holds the tag
//! of cl_khr_icd 2.0. `absent` is a slot without a function (extensions of other systems).

use super::enqueue_sync::Waits;
use super::ptr::{Answer, In, Out};
use super::shim::{self, Created, FirstArgument};
use super::{
    command_buffer, context, device, enqueue_buffer, enqueue_image, enqueue_kernel, enqueue_sync,
    event, gl, icd, image, kernel, kernel_info, memory, mutable_dispatch, pipe, platform, program,
    program_info, queue, sampler, semaphore, sub_device, svm, usm,
};
use crate::cl::icd::Slot;
use crate::cl::*;
use crate::runtime::object;
use crate::runtime::{
    context as contexts, event as events, memory as memories, native::NativeFn, program as programs,
};
use std::ffi::c_void;

use command_buffer::Record;
use enqueue_buffer::{Corners, Pitches};
use enqueue_kernel::IndexSpace;

/// Makes new objects point to the dispatch structure. Before the first handle goes out.
pub fn install() {
    object::install_dispatch(&DISPATCH);
}

/// The address of an entry point by its name.
pub fn function(name: &str) -> Option<*const c_void> {
    find(SLOTS, name).or_else(|| extension_function(name))
}

/// The address of an entry point of an extension, one that has no dispatch slot, by its name.
pub fn extension_function(name: &str) -> Option<*const c_void> {
    find(OTHERS, name)
}

fn find(functions: &[(&str, Slot)], name: &str) -> Option<*const c_void> {
    let found = functions.iter().find(|(known, _)| *known == name);
    found.map(|(_, slot)| slot.0)
}

macro_rules! entry_points {
    (
        slots { $($kind:ident $name:ident ( $($arg:ident : $ty:ty),* ) $(-> $ret:ty)? $(= $body:expr)?;)* }
        others { $($kind2:ident $name2:ident ( $($arg2:ident : $ty2:ty),* ) $(-> $ret2:ty)? = $body2:expr;)* }
    ) => {
        $(shim! { $kind $name ( $($arg : $ty),* ) $(-> $ret)? $(= $body)? })*
        $(shim! { $kind2 $name2 ( $($arg2 : $ty2),* ) $(-> $ret2)? = $body2 })*

        static DISPATCH: Dispatch = Dispatch { $($name: slot!($kind $name),)* };

        static SLOTS: &[(&str, Slot)] = &[$((stringify!($name), address!($kind $name)),)*];

        static OTHERS: &[(&str, Slot)] = &[$((stringify!($name2), address!($kind2 $name2)),)*];
    };
}

macro_rules! slot {
    (absent $name:ident) => {
        Slot::NONE
    };
    (tagged $name:ident) => {
        Slot(std::ptr::without_provenance(CL_ICD2_TAG_KHR))
    };
    ($kind:ident $name:ident) => {
        Slot($name as *const c_void)
    };
}

macro_rules! address {
    (absent $name:ident) => {
        Slot::NONE
    };
    ($kind:ident $name:ident) => {
        Slot($name as *const c_void)
    };
}

macro_rules! first {
    () => {
        std::ptr::null_mut()
    };
    ($first:ident $(, $rest:ident)*) => {
        FirstArgument::handle(&$first)
    };
}

macro_rules! shim {
    (absent $name:ident ()) => {};
    (tagged $name:ident ( $($arg:ident : $ty:ty),* ) = $body:expr) => {
        shim! { status $name ( $($arg : $ty),* ) = $body }
    };
    (status $name:ident ( $($arg:ident : $ty:ty),* ) = $body:expr) => {
        /// See the OpenCL specification.
        /// # Safety
        /// As any OpenCL function: pointers are null or valid as the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> cl_int {
            shim::status(shim::guard(stringify!($name), first!($($arg),*), || ($body)($($arg),*)))
        }
    };
    (enqueue $name:ident ( $($arg:ident : $ty:ty),* ) = $body:expr) => {
        /// See the OpenCL specification.
        /// # Safety
        /// As any OpenCL function: pointers are null or valid as the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty,)* count: cl_uint, list: In<cl_event>, event: Out<cl_event>) -> cl_int {
            let waits = Waits { count, list, event };
            shim::status(shim::guard_making(stringify!($name), first!($($arg),*), || ($body)($($arg,)* waits)))
        }
    };
    (create $name:ident ( $($arg:ident : $ty:ty),* ) = $body:expr) => {
        /// See the OpenCL specification.
        /// # Safety
        /// As any OpenCL function: pointers are null or valid as the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty,)* errcode_ret: Out<cl_int>) -> *mut c_void {
            Created::give(shim::guard_making(stringify!($name), first!($($arg),*), || ($body)($($arg),*)), errcode_ret)
        }
    };
    (map $name:ident ( $($arg:ident : $ty:ty),* ) = $body:expr) => {
        /// See the OpenCL specification.
        /// # Safety
        /// As any OpenCL function: pointers are null or valid as the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty,)* count: cl_uint, list: In<cl_event>, event: Out<cl_event>, errcode_ret: Out<cl_int>
        ) -> *mut c_void {
            let waits = Waits { count, list, event };
            Created::give(shim::guard_making(stringify!($name), first!($($arg),*), || ($body)($($arg,)* waits)), errcode_ret)
        }
    };
    (command $name:ident ( $($arg:ident : $ty:ty),* ) = $body:expr) => {
        /// See the OpenCL specification.
        /// # Safety
        /// As any OpenCL function: pointers are null or valid as the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            buffer: cl_command_buffer_khr, queue: cl_command_queue, properties: In<cl_properties>, $($arg: $ty,)*
            count: cl_uint, list: In<cl_uint>, sync_point: Out<cl_uint>, handle: Out<*mut c_void>
        ) -> cl_int {
            let record = Record { buffer, queue, properties, count, list, sync_point, handle };
            shim::status(shim::guard_making(stringify!($name), buffer, || ($body)($($arg,)* record)))
        }
    };
    (plain $name:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty = $body:expr) => {
        /// See the OpenCL specification.
        /// # Safety
        /// As any OpenCL function: pointers are null or valid as the specification says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
            let result: Result<$ret> = shim::guard(stringify!($name), first!($($arg),*), || ($body)($($arg),*));
            result.unwrap_or(shim::Zero::ZERO)
        }
    };
}

type Origin = In<usize>;

entry_points! {
slots {
    tagged clGetPlatformIDs(num_entries: cl_uint, platforms: Out<cl_platform_id>, num_platforms: Out<cl_uint>)
        = platform::get_ids;
    status clGetPlatformInfo(platform: cl_platform_id, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = platform::get_info;
    status clGetDeviceIDs(platform: cl_platform_id, kind: cl_device_type, num_entries: cl_uint, devices: Out<cl_device_id>,
        num_devices: Out<cl_uint>) = device::get_ids;
    status clGetDeviceInfo(device: cl_device_id, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = device::get_info;
    create clCreateContext(properties: In<cl_context_properties>, num_devices: cl_uint, devices: In<cl_device_id>,
        notify: Option<contexts::NotifyFn>, user_data: *mut c_void) = context::create;
    create clCreateContextFromType(properties: In<cl_context_properties>, kind: cl_device_type,
        notify: Option<contexts::NotifyFn>, user_data: *mut c_void) = context::create_from_type;
    status clRetainContext(context: cl_context) = context::retain;
    status clReleaseContext(context: cl_context) = context::release;
    status clGetContextInfo(context: cl_context, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = context::get_info;
    create clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties)
        = queue::create;
    status clRetainCommandQueue(queue: cl_command_queue) = queue::retain;
    status clReleaseCommandQueue(queue: cl_command_queue) = queue::release;
    status clGetCommandQueueInfo(queue: cl_command_queue, name: cl_uint, size: usize, value: Out<c_void>,
        size_ret: Out<usize>) = queue::get_info;
    status clSetCommandQueueProperty(queue: cl_command_queue, properties: cl_command_queue_properties, enable: cl_bool,
        old: Out<cl_command_queue_properties>) = queue::set_property;
    create clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void)
        = memory::create_buffer;
    create clCreateImage2D(context: cl_context, flags: cl_mem_flags, format: In<cl_image_format>, width: usize,
        height: usize, row_pitch: usize, host_ptr: *mut c_void) = |context, flags, format, width, height, pitch, host_ptr|
        image::create_2d(context, flags, format, [width, height], pitch, host_ptr);
    create clCreateImage3D(context: cl_context, flags: cl_mem_flags, format: In<cl_image_format>, width: usize,
        height: usize, depth: usize, row_pitch: usize, slice_pitch: usize, host_ptr: *mut c_void)
        = |context, flags, format, width, height, depth, row, slice, host_ptr|
        image::create_3d(context, flags, format, [width, height, depth], [row, slice], host_ptr);
    status clRetainMemObject(memory: cl_mem) = memory::retain;
    status clReleaseMemObject(memory: cl_mem) = memory::release;
    status clGetSupportedImageFormats(context: cl_context, flags: cl_mem_flags, kind: cl_mem_object_type,
        num_entries: cl_uint, formats: Out<cl_image_format>, num_formats: Out<cl_uint>) = image::get_supported_formats;
    status clGetMemObjectInfo(memory: cl_mem, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = memory::get_info;
    status clGetImageInfo(image: cl_mem, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = image::get_info;
    create clCreateSampler(context: cl_context, normalized: cl_bool, addressing: cl_addressing_mode,
        filter: cl_filter_mode) = sampler::create;
    status clRetainSampler(sampler: cl_sampler) = sampler::retain;
    status clReleaseSampler(sampler: cl_sampler) = sampler::release;
    status clGetSamplerInfo(sampler: cl_sampler, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = sampler::get_info;
    create clCreateProgramWithSource(context: cl_context, count: cl_uint, strings: In<In<c_char>>, lengths: In<usize>)
        = program::create_with_source;
    create clCreateProgramWithBinary(context: cl_context, num_devices: cl_uint, devices: In<cl_device_id>,
        lengths: In<usize>, binaries: In<In<u8>>, status: Out<cl_int>) = program::create_with_binary;
    status clRetainProgram(program: cl_program) = program::retain;
    status clReleaseProgram(program: cl_program) = program::release;
    status clBuildProgram(program: cl_program, num_devices: cl_uint, devices: In<cl_device_id>, options: In<c_char>,
        notify: Option<programs::NotifyFn>, user_data: *mut c_void) = program::build;
    tagged clUnloadCompiler() = program::unload_compiler;
    status clGetProgramInfo(program: cl_program, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = program_info::get_info;
    status clGetProgramBuildInfo(program: cl_program, device: cl_device_id, name: cl_uint, size: usize,
        value: Out<c_void>, size_ret: Out<usize>) = program_info::get_build_info;
    create clCreateKernel(program: cl_program, name: In<c_char>) = kernel::create;
    status clCreateKernelsInProgram(program: cl_program, num_kernels: cl_uint, kernels: Out<cl_kernel>,
        num_kernels_ret: Out<cl_uint>) = kernel::create_all;
    status clRetainKernel(kernel: cl_kernel) = kernel::retain;
    status clReleaseKernel(kernel: cl_kernel) = kernel::release;
    status clSetKernelArg(kernel: cl_kernel, index: cl_uint, size: usize, value: In<c_void>) = kernel::set_arg;
    status clGetKernelInfo(kernel: cl_kernel, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = kernel_info::get_info;
    status clGetKernelWorkGroupInfo(kernel: cl_kernel, device: cl_device_id, name: cl_uint, size: usize,
        value: Out<c_void>, size_ret: Out<usize>) = kernel_info::get_work_group_info;
    status clWaitForEvents(num_events: cl_uint, events: In<cl_event>) = event::wait;
    status clGetEventInfo(event: cl_event, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = event::get_info;
    status clRetainEvent(event: cl_event) = event::retain;
    status clReleaseEvent(event: cl_event) = event::release;
    status clGetEventProfilingInfo(event: cl_event, name: cl_uint, size: usize, value: Out<c_void>,
        size_ret: Out<usize>) = event::get_profiling_info;
    status clFlush(queue: cl_command_queue) = queue::flush;
    status clFinish(queue: cl_command_queue) = queue::finish;
    enqueue clEnqueueReadBuffer(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, offset: usize, size: usize,
        ptr: *mut c_void) = enqueue_buffer::read;
    enqueue clEnqueueWriteBuffer(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, offset: usize, size: usize,
        ptr: In<c_void>) = enqueue_buffer::write;
    enqueue clEnqueueCopyBuffer(queue: cl_command_queue, source: cl_mem, target: cl_mem, source_offset: usize,
        target_offset: usize, size: usize) = enqueue_buffer::copy_buffer;
    enqueue clEnqueueReadImage(queue: cl_command_queue, image: cl_mem, blocking: cl_bool, origin: Origin, region: Origin,
        row_pitch: usize, slice_pitch: usize, ptr: *mut c_void)
        = |queue, image, blocking, origin, region, row, slice, ptr, waits| {
            let area = enqueue_image::Area { origin, region, pitches: [row, slice] };
            enqueue_image::read(queue, image, blocking, &area, ptr, waits)
        };
    enqueue clEnqueueWriteImage(queue: cl_command_queue, image: cl_mem, blocking: cl_bool, origin: Origin,
        region: Origin, row_pitch: usize, slice_pitch: usize, ptr: In<c_void>)
        = |queue, image, blocking, origin, region, row, slice, ptr, waits| {
            let area = enqueue_image::Area { origin, region, pitches: [row, slice] };
            enqueue_image::write(queue, image, blocking, &area, ptr, waits)
        };
    enqueue clEnqueueCopyImage(queue: cl_command_queue, source: cl_mem, target: cl_mem, source_origin: Origin,
        target_origin: Origin, region: Origin) = |queue, source, target, from, to, region, waits|
        enqueue_image::copy(queue, source, target, [from, to, region], waits);
    enqueue clEnqueueCopyImageToBuffer(queue: cl_command_queue, image: cl_mem, buffer: cl_mem, origin: Origin,
        region: Origin, offset: usize) = |queue, image, buffer, origin, region, offset, waits|
        enqueue_image::copy_to_buffer(queue, image, buffer, [origin, region], offset, waits);
    enqueue clEnqueueCopyBufferToImage(queue: cl_command_queue, buffer: cl_mem, image: cl_mem, offset: usize,
        origin: Origin, region: Origin) = |queue, buffer, image, offset, origin, region, waits|
        enqueue_image::copy_from_buffer(queue, buffer, image, offset, [origin, region], waits);
    map clEnqueueMapBuffer(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, flags: cl_map_flags,
        offset: usize, size: usize) = enqueue_buffer::map;
    map clEnqueueMapImage(queue: cl_command_queue, image: cl_mem, blocking: cl_bool, flags: cl_map_flags,
        origin: Origin, region: Origin, row_pitch: Out<usize>, slice_pitch: Out<usize>)
        = |queue, image, blocking, flags, origin, region, row, slice, waits|
        enqueue_image::map(queue, image, (blocking, flags), [origin, region], [row, slice], waits);
    enqueue clEnqueueUnmapMemObject(queue: cl_command_queue, memory: cl_mem, mapped: *mut c_void)
        = enqueue_buffer::unmap;
    enqueue clEnqueueNDRangeKernel(queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint, offset: Origin,
        global: In<usize>, local: In<usize>) = |queue, kernel, dimensions, offset, global, local, waits| {
            let space = IndexSpace { dimensions, offset, global, local };
            enqueue_kernel::nd_range(queue, kernel, space, waits)
        };
    enqueue clEnqueueTask(queue: cl_command_queue, kernel: cl_kernel) = enqueue_kernel::task;
    enqueue clEnqueueNativeKernel(queue: cl_command_queue, function: Option<NativeFn>, args: In<c_void>,
        args_size: usize, num_objects: cl_uint, objects: In<cl_mem>, places: In<In<c_void>>) = enqueue_kernel::native;
    status clEnqueueMarker(queue: cl_command_queue, event: Out<cl_event>) = enqueue_sync::marker;
    status clEnqueueWaitForEvents(queue: cl_command_queue, num_events: cl_uint, events: In<cl_event>)
        = enqueue_sync::wait_for_events;
    status clEnqueueBarrier(queue: cl_command_queue) = enqueue_sync::barrier;
    plain clGetExtensionFunctionAddress(name: In<c_char>) -> *const c_void = icd::extension_function;
    create clCreateFromGLBuffer(context: cl_context, flags: cl_mem_flags, object: cl_GLuint)
        = |context, _, _| gl::create(context);
    create clCreateFromGLTexture2D(context: cl_context, flags: cl_mem_flags, target: cl_GLenum, level: cl_GLint,
        texture: cl_GLuint) = |context, _, _, _, _| gl::create(context);
    create clCreateFromGLTexture3D(context: cl_context, flags: cl_mem_flags, target: cl_GLenum, level: cl_GLint,
        texture: cl_GLuint) = |context, _, _, _, _| gl::create(context);
    create clCreateFromGLRenderbuffer(context: cl_context, flags: cl_mem_flags, object: cl_GLuint)
        = |context, _, _| gl::create(context);
    status clGetGLObjectInfo(memory: cl_mem, kind: Out<cl_uint>, name: Out<cl_GLuint>)
        = |memory, _, _| gl::get_object_info(memory);
    status clGetGLTextureInfo(memory: cl_mem, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = |memory, _, _, _, _| gl::get_object_info(memory);
    enqueue clEnqueueAcquireGLObjects(queue: cl_command_queue, count: cl_uint, objects: In<cl_mem>)
        = |queue, _, _, _| gl::enqueue(queue);
    enqueue clEnqueueReleaseGLObjects(queue: cl_command_queue, count: cl_uint, objects: In<cl_mem>)
        = |queue, _, _, _| gl::enqueue(queue);
    status clGetGLContextInfoKHR(properties: In<cl_context_properties>, name: cl_uint, size: usize,
        value: Out<c_void>, size_ret: Out<usize>) = |_, _, _, _, _| Err(gl::NO_SHARE_GROUP);

    absent clGetDeviceIDsFromD3D10KHR();
    absent clCreateFromD3D10BufferKHR();
    absent clCreateFromD3D10Texture2DKHR();
    absent clCreateFromD3D10Texture3DKHR();
    absent clEnqueueAcquireD3D10ObjectsKHR();
    absent clEnqueueReleaseD3D10ObjectsKHR();

    status clSetEventCallback(event: cl_event, kind: cl_int, notify: Option<events::EventFn>, user_data: *mut c_void)
        = event::set_callback;
    create clCreateSubBuffer(buffer: cl_mem, flags: cl_mem_flags, kind: cl_buffer_create_type, info: In<c_void>)
        = memory::create_sub_buffer;
    status clSetMemObjectDestructorCallback(memory: cl_mem, notify: Option<memories::DestructorFn>,
        user_data: *mut c_void) = memory::set_destructor_callback;
    create clCreateUserEvent(context: cl_context) = event::create_user;
    status clSetUserEventStatus(event: cl_event, status: cl_int) = event::set_user_status;
    enqueue clEnqueueReadBufferRect(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, buffer_origin: Origin,
        host_origin: Origin, region: Origin, row: usize, slice: usize, host_row: usize, host_slice: usize,
        ptr: *mut c_void)
        = |queue, buffer, blocking, buffer_origin, other_origin, region, row, slice, row2, slice2, ptr, waits| {
            let corners = Corners { buffer_origin, other_origin, region };
            let pitches = Pitches { buffer: [row, slice], other: [row2, slice2] };
            enqueue_buffer::read_rect(queue, buffer, blocking, &corners, &pitches, ptr, waits)
        };
    enqueue clEnqueueWriteBufferRect(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, buffer_origin: Origin,
        host_origin: Origin, region: Origin, row: usize, slice: usize, host_row: usize, host_slice: usize,
        ptr: In<c_void>)
        = |queue, buffer, blocking, buffer_origin, other_origin, region, row, slice, row2, slice2, ptr, waits| {
            let corners = Corners { buffer_origin, other_origin, region };
            let pitches = Pitches { buffer: [row, slice], other: [row2, slice2] };
            enqueue_buffer::write_rect(queue, buffer, blocking, &corners, &pitches, ptr, waits)
        };
    enqueue clEnqueueCopyBufferRect(queue: cl_command_queue, source: cl_mem, target: cl_mem, source_origin: Origin,
        target_origin: Origin, region: Origin, source_row: usize, source_slice: usize, target_row: usize,
        target_slice: usize)
        = |queue, source, target, buffer_origin, other_origin, region, row, slice, row2, slice2, waits| {
            let corners = Corners { buffer_origin, other_origin, region };
            let pitches = Pitches { buffer: [row, slice], other: [row2, slice2] };
            enqueue_buffer::copy_rect(queue, source, target, &corners, &pitches, waits)
        };

    status clCreateSubDevicesEXT(device: cl_device_id, properties: In<cl_ulong>, num_entries: cl_uint,
        devices: Out<cl_device_id>, num_devices: Out<cl_uint>) = |device, _, _, _, _| sub_device::create_ext(device);
    status clRetainDeviceEXT(device: cl_device_id) = sub_device::retain;
    status clReleaseDeviceEXT(device: cl_device_id) = sub_device::release;
    create clCreateEventFromGLsyncKHR(context: cl_context, sync: *mut c_void) = |context, _| gl::create(context);

    status clCreateSubDevices(device: cl_device_id, properties: In<cl_device_partition_property>, num_entries: cl_uint,
        devices: Out<cl_device_id>, num_devices: Out<cl_uint>) = sub_device::create;
    status clRetainDevice(device: cl_device_id) = sub_device::retain;
    status clReleaseDevice(device: cl_device_id) = sub_device::release;
    create clCreateImage(context: cl_context, flags: cl_mem_flags, format: In<cl_image_format>,
        desc: In<cl_image_desc>, host_ptr: *mut c_void) = image::create;
    create clCreateProgramWithBuiltInKernels(context: cl_context, num_devices: cl_uint, devices: In<cl_device_id>,
        names: In<c_char>) = |context, count, devices, _| program::create_with_built_in_kernels(context, count, devices);
    status clCompileProgram(program: cl_program, num_devices: cl_uint, devices: In<cl_device_id>, options: In<c_char>,
        num_headers: cl_uint, headers: In<cl_program>, names: In<In<c_char>>, notify: Option<programs::NotifyFn>,
        user_data: *mut c_void) = program::compile;
    create clLinkProgram(context: cl_context, num_devices: cl_uint, devices: In<cl_device_id>, options: In<c_char>,
        num_programs: cl_uint, programs: In<cl_program>, notify: Option<programs::NotifyFn>, user_data: *mut c_void)
        = program::link;
    status clUnloadPlatformCompiler(platform: cl_platform_id) = platform::unload_compiler;
    status clGetKernelArgInfo(kernel: cl_kernel, index: cl_uint, name: cl_uint, size: usize, value: Out<c_void>,
        size_ret: Out<usize>) = kernel_info::get_arg_info;
    enqueue clEnqueueFillBuffer(queue: cl_command_queue, buffer: cl_mem, pattern: In<c_void>, pattern_size: usize,
        offset: usize, size: usize) = enqueue_buffer::fill;
    enqueue clEnqueueFillImage(queue: cl_command_queue, image: cl_mem, color: In<c_void>, origin: Origin,
        region: Origin) = |queue, image, color, origin, region, waits|
        enqueue_image::fill(queue, image, color, [origin, region], waits);
    enqueue clEnqueueMigrateMemObjects(queue: cl_command_queue, count: cl_uint, objects: In<cl_mem>,
        flags: cl_mem_migration_flags) = enqueue_sync::migrate;
    enqueue clEnqueueMarkerWithWaitList(queue: cl_command_queue) = enqueue_sync::marker_with_wait_list;
    enqueue clEnqueueBarrierWithWaitList(queue: cl_command_queue) = enqueue_sync::barrier_with_wait_list;
    plain clGetExtensionFunctionAddressForPlatform(platform: cl_platform_id, name: In<c_char>) -> *const c_void
        = icd::extension_function_for_platform;
    create clCreateFromGLTexture(context: cl_context, flags: cl_mem_flags, target: cl_GLenum, level: cl_GLint,
        texture: cl_GLuint) = |context, _, _, _, _| gl::create(context);

    absent clGetDeviceIDsFromD3D11KHR();
    absent clCreateFromD3D11BufferKHR();
    absent clCreateFromD3D11Texture2DKHR();
    absent clCreateFromD3D11Texture3DKHR();
    absent clCreateFromDX9MediaSurfaceKHR();
    absent clEnqueueAcquireD3D11ObjectsKHR();
    absent clEnqueueReleaseD3D11ObjectsKHR();
    absent clGetDeviceIDsFromDX9MediaAdapterKHR();
    absent clEnqueueAcquireDX9MediaSurfacesKHR();
    absent clEnqueueReleaseDX9MediaSurfacesKHR();
    absent clCreateFromEGLImageKHR();
    absent clEnqueueAcquireEGLObjectsKHR();
    absent clEnqueueReleaseEGLObjectsKHR();
    absent clCreateEventFromEGLSyncKHR();

    create clCreateCommandQueueWithProperties(context: cl_context, device: cl_device_id,
        properties: In<cl_queue_properties>) = queue::create_with_properties;
    create clCreatePipe(context: cl_context, flags: cl_mem_flags, packet_size: cl_uint, max_packets: cl_uint,
        properties: In<cl_pipe_properties>) = pipe::create;
    status clGetPipeInfo(pipe: cl_mem, name: cl_uint, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = pipe::get_info;
    plain clSVMAlloc(context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint) -> *mut c_void
        = svm::alloc;
    plain clSVMFree(context: cl_context, pointer: *mut c_void) -> () = svm::free;
    enqueue clEnqueueSVMFree(queue: cl_command_queue, count: cl_uint, pointers: In<*mut c_void>,
        free: Option<svm::FreeFn>, user_data: *mut c_void) = svm::enqueue_free;
    enqueue clEnqueueSVMMemcpy(queue: cl_command_queue, blocking: cl_bool, target: *mut c_void, source: In<c_void>,
        size: usize) = svm::memcpy;
    enqueue clEnqueueSVMMemFill(queue: cl_command_queue, target: *mut c_void, pattern: In<c_void>, pattern_size: usize,
        size: usize) = svm::mem_fill;
    enqueue clEnqueueSVMMap(queue: cl_command_queue, blocking: cl_bool, flags: cl_map_flags, pointer: *mut c_void,
        size: usize) = svm::map;
    enqueue clEnqueueSVMUnmap(queue: cl_command_queue, pointer: *mut c_void) = svm::unmap;
    create clCreateSamplerWithProperties(context: cl_context, properties: In<cl_sampler_properties>)
        = sampler::create_with_properties;
    status clSetKernelArgSVMPointer(kernel: cl_kernel, index: cl_uint, value: In<c_void>)
        = svm::set_kernel_arg;
    status clSetKernelExecInfo(kernel: cl_kernel, name: cl_uint, size: usize, value: In<c_void>)
        = svm::set_kernel_exec_info;
    status clGetKernelSubGroupInfoKHR(kernel: cl_kernel, device: cl_device_id, name: cl_uint, input_size: usize,
        input: In<c_void>, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = |kernel, device, name, input_size, input, size, value, size_ret| kernel_info::get_sub_group_info(
            kernel, device, name, kernel_info::Input { size: input_size, value: input },
            Answer::new(size, value, size_ret));
    create clCloneKernel(kernel: cl_kernel) = kernel::clone;
    create clCreateProgramWithIL(context: cl_context, il: In<c_void>, length: usize)
        = |context, _, _| program::create_with_il(context);
    enqueue clEnqueueSVMMigrateMem(queue: cl_command_queue, count: cl_uint, pointers: In<*mut c_void>,
        sizes: In<usize>, flags: cl_mem_migration_flags) = svm::migrate;
    status clGetDeviceAndHostTimer(device: cl_device_id, device_time: Out<cl_ulong>, host_time: Out<cl_ulong>)
        = device::get_device_and_host_timer;
    status clGetHostTimer(device: cl_device_id, host_time: Out<cl_ulong>) = device::get_host_timer;
    status clGetKernelSubGroupInfo(kernel: cl_kernel, device: cl_device_id, name: cl_uint, input_size: usize,
        input: In<c_void>, size: usize, value: Out<c_void>, size_ret: Out<usize>)
        = |kernel, device, name, input_size, input, size, value, size_ret| kernel_info::get_sub_group_info(
            kernel, device, name, kernel_info::Input { size: input_size, value: input },
            Answer::new(size, value, size_ret));
    status clSetDefaultDeviceCommandQueue(context: cl_context, device: cl_device_id, queue: cl_command_queue)
        = queue::set_default;
    status clSetProgramReleaseCallback(program: cl_program, notify: Option<programs::NotifyFn>, user_data: *mut c_void)
        = |program, _, _| program::not_for_source(program);
    status clSetProgramSpecializationConstant(program: cl_program, id: cl_uint, size: usize, value: In<c_void>)
        = |program, _, _, _| program::not_for_source(program);
    create clCreateBufferWithProperties(context: cl_context, properties: In<cl_mem_properties>, flags: cl_mem_flags,
        size: usize, host_ptr: *mut c_void) = memory::create_buffer_with_properties;
    create clCreateImageWithProperties(context: cl_context, properties: In<cl_mem_properties>, flags: cl_mem_flags,
        format: In<cl_image_format>, desc: In<cl_image_desc>, host_ptr: *mut c_void)
        = image::create_with_properties;
    status clSetContextDestructorCallback(context: cl_context, notify: Option<contexts::DestructorFn>,
        user_data: *mut c_void) = context::set_destructor_callback;
    status clGetKernelSuggestedLocalWorkSize(queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint,
        offset: Origin, global: In<usize>, suggested: Out<usize>) = enqueue_kernel::suggested_local_size;
}
others {
    status clGetKernelSuggestedLocalWorkSizeKHR(queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint,
        offset: Origin, global: In<usize>, suggested: Out<usize>) = enqueue_kernel::suggested_local_size;
    create clCreateCommandQueueWithPropertiesKHR(context: cl_context, device: cl_device_id,
        properties: In<cl_queue_properties>) = queue::create_with_properties;
    create clCreateSemaphoreWithPropertiesKHR(context: cl_context, properties: In<cl_properties>) = semaphore::create;
    enqueue clEnqueueWaitSemaphoresKHR(queue: cl_command_queue, count: cl_uint, semaphores: In<cl_semaphore_khr>,
        payloads: In<cl_ulong>) = |queue, count, semaphores, _, waits|
            semaphore::enqueue_wait(queue, count, semaphores, waits);
    enqueue clEnqueueSignalSemaphoresKHR(queue: cl_command_queue, count: cl_uint, semaphores: In<cl_semaphore_khr>,
        payloads: In<cl_ulong>) = |queue, count, semaphores, _, waits|
            semaphore::enqueue_signal(queue, count, semaphores, waits);
    status clGetSemaphoreInfoKHR(semaphore: cl_semaphore_khr, name: cl_uint, size: usize, value: Out<c_void>,
        size_ret: Out<usize>) = semaphore::get_info;
    status clGetSemaphoreHandleForTypeKHR(semaphore: cl_semaphore_khr, device: cl_device_id, kind: cl_uint, size: usize,
        handle: Out<c_void>, size_ret: Out<usize>) = |semaphore, device, _, _, _, _| semaphore::handle(semaphore, device);
    status clRetainSemaphoreKHR(semaphore: cl_semaphore_khr) = semaphore::retain;
    status clReleaseSemaphoreKHR(semaphore: cl_semaphore_khr) = semaphore::release;
    create clCreateCommandBufferKHR(num_queues: cl_uint, queues: In<cl_command_queue>, properties: In<cl_properties>)
        = command_buffer::create;
    status clFinalizeCommandBufferKHR(buffer: cl_command_buffer_khr) = command_buffer::finalize;
    status clRetainCommandBufferKHR(buffer: cl_command_buffer_khr) = command_buffer::retain;
    status clReleaseCommandBufferKHR(buffer: cl_command_buffer_khr) = command_buffer::release;
    enqueue clEnqueueCommandBufferKHR(num_queues: cl_uint, queues: In<cl_command_queue>,
        buffer: cl_command_buffer_khr) = command_buffer::enqueue;
    status clGetCommandBufferInfoKHR(buffer: cl_command_buffer_khr, name: cl_uint, size: usize, value: Out<c_void>,
        size_ret: Out<usize>) = command_buffer::get_info;
    status clUpdateMutableCommandsKHR(buffer: cl_command_buffer_khr, num_configs: cl_uint, types: In<cl_uint>,
        configs: In<In<c_void>>) = mutable_dispatch::update;
    status clGetMutableCommandInfoKHR(command: cl_mutable_command_khr, name: cl_uint, size: usize, value: Out<c_void>,
        size_ret: Out<usize>) = mutable_dispatch::get_info;
    command clCommandBarrierWithWaitListKHR() = command_buffer::barrier;
    command clCommandCopyBufferKHR(source: cl_mem, target: cl_mem, source_offset: usize, target_offset: usize,
        size: usize) = command_buffer::copy_buffer;
    command clCommandCopyBufferRectKHR(source: cl_mem, target: cl_mem, source_origin: Origin, target_origin: Origin,
        region: Origin, source_row: usize, source_slice: usize, target_row: usize, target_slice: usize)
        = |source, target, buffer_origin, other_origin, region, row, slice, row2, slice2, record| {
            let corners = Corners { buffer_origin, other_origin, region };
            let pitches = Pitches { buffer: [row, slice], other: [row2, slice2] };
            command_buffer::copy_rect(source, target, &corners, &pitches, record)
        };
    command clCommandCopyBufferToImageKHR(source: cl_mem, image: cl_mem, offset: usize, origin: Origin, region: Origin)
        = |source, image, offset, origin, region, record|
            command_buffer::copy_buffer_to_image(source, image, offset, [origin, region], record);
    command clCommandCopyImageKHR(source: cl_mem, target: cl_mem, source_origin: Origin, target_origin: Origin,
        region: Origin) = |source, target, source_origin, target_origin, region, record|
            command_buffer::copy_image(source, target, [source_origin, target_origin, region], record);
    command clCommandCopyImageToBufferKHR(image: cl_mem, target: cl_mem, origin: Origin, region: Origin, offset: usize)
        = |image, target, origin, region, offset, record|
            command_buffer::copy_image_to_buffer(image, target, [origin, region], offset, record);
    command clCommandFillBufferKHR(target: cl_mem, pattern: In<c_void>, pattern_size: usize, offset: usize, size: usize)
        = command_buffer::fill_buffer;
    command clCommandFillImageKHR(image: cl_mem, color: In<c_void>, origin: Origin, region: Origin)
        = |image, color, origin, region, record|
            command_buffer::fill_image(image, color, [origin, region], record);
    command clCommandNDRangeKernelKHR(kernel: cl_kernel, dimensions: cl_uint, offset: Origin, global: In<usize>,
        local: In<usize>) = |kernel, dimensions, offset, global, local, record| {
            let space = IndexSpace { dimensions, offset, global, local };
            command_buffer::nd_range(kernel, space, record)
        };
    command clCommandSVMMemcpyKHR(target: *mut c_void, source: In<c_void>, size: usize) = command_buffer::svm_memcpy;
    command clCommandSVMMemFillKHR(target: *mut c_void, pattern: In<c_void>, pattern_size: usize, size: usize)
        = command_buffer::svm_mem_fill;
    create clHostMemAllocINTEL(context: cl_context, properties: In<cl_properties>, size: usize, alignment: cl_uint)
        = usm::host_alloc;
    create clDeviceMemAllocINTEL(context: cl_context, device: cl_device_id, properties: In<cl_properties>, size: usize,
        alignment: cl_uint) = usm::device_alloc;
    create clSharedMemAllocINTEL(context: cl_context, device: cl_device_id, properties: In<cl_properties>, size: usize,
        alignment: cl_uint) = usm::shared_alloc;
    status clMemFreeINTEL(context: cl_context, pointer: *mut c_void) = usm::free;
    status clMemBlockingFreeINTEL(context: cl_context, pointer: *mut c_void) = usm::blocking_free;
    status clGetMemAllocInfoINTEL(context: cl_context, pointer: In<c_void>, name: cl_uint, size: usize,
        value: Out<c_void>, size_ret: Out<usize>) = usm::get_alloc_info;
    status clSetKernelArgMemPointerINTEL(kernel: cl_kernel, index: cl_uint, value: In<c_void>) = svm::set_kernel_arg;
    enqueue clEnqueueMemsetINTEL(queue: cl_command_queue, target: *mut c_void, value: cl_int, size: usize)
        = usm::memset;
    enqueue clEnqueueMemFillINTEL(queue: cl_command_queue, target: *mut c_void, pattern: In<c_void>,
        pattern_size: usize, size: usize) = usm::mem_fill;
    enqueue clEnqueueMemcpyINTEL(queue: cl_command_queue, blocking: cl_bool, target: *mut c_void, source: In<c_void>,
        size: usize) = usm::memcpy;
    enqueue clEnqueueMigrateMemINTEL(queue: cl_command_queue, pointer: In<c_void>, size: usize,
        flags: cl_mem_migration_flags) = |queue, _, _, flags, waits| usm::migrate(queue, flags, waits);
    enqueue clEnqueueMemAdviseINTEL(queue: cl_command_queue, pointer: In<c_void>, size: usize, advice: cl_uint)
        = |queue, _, _, advice, waits| usm::advise(queue, advice, waits);
    status clIcdGetPlatformIDsKHR(num_entries: cl_uint, platforms: Out<cl_platform_id>, num_platforms: Out<cl_uint>)
        = platform::get_ids;
    plain clIcdGetFunctionAddressForPlatformKHR(platform: cl_platform_id, name: In<c_char>) -> *const c_void
        = icd::function_for_platform;
    status clIcdSetPlatformDispatchDataKHR(platform: cl_platform_id, data: *mut c_void) = icd::set_dispatch_data;
}
}
