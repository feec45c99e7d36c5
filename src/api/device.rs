//! Entry points of devices: clGetDeviceIDs, clGetDeviceInfo, timers. (Sub-devices: `sub_device`.)

use super::command_buffer;
use super::mutable_dispatch;
use super::platform::{VERSION, find as find_platform};
use super::ptr::{Answer, Out};
use super::queue;
use super::semaphore;
use super::sub_device;
use super::svm;
use super::usm;
use crate::cl::*;
use crate::compiler::abi::MAX_PACKET;
use crate::compiler::target::{self, SUB_GROUP_SIZES};
use crate::runtime::device::{
    LOCAL_MEM_SIZE, MAX_DIMENSIONS, MAX_PARAMETER_SIZE, MAX_WORK_GROUP_SIZE,
};
use crate::runtime::{Device, Object, clock, identity, image, object, platform as home};

/// CL_LUID_SIZE_KHR.
const LUID_SIZE: usize = 8;

/// Nanoseconds of a tick of the clock that events and clGetDeviceAndHostTimer show.
pub const TIMER_RESOLUTION: cl_ulong = 1;

const CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: cl_uint = 0x105F;

/// Extensions that are not of the language; those are the compiler's (`target::EXTENSIONS`).
const API_EXTENSIONS: &[&str] = &[
    "cl_intel_unified_shared_memory",
    "cl_khr_command_buffer",
    "cl_khr_command_buffer_mutable_dispatch",
    "cl_khr_create_command_queue",
    "cl_khr_device_uuid",
    "cl_khr_extended_versioning",
    "cl_khr_image2d_from_buffer",
    "cl_khr_priority_hints",
    "cl_khr_semaphore",
    "cl_khr_suggested_local_work_size",
    "cl_khr_throttle_hints",
];

/// The largest variable at program scope, in bytes; the compiler holds all of a program in memory.
const MAX_VARIABLE: usize = 64 << 20;

/// Reservations of packets that a work-item can be sure to have at a time, if the pipe has so many.
const MAX_RESERVATIONS: cl_uint = 1 << 16;

/// What the language's atomic features promise (`compiler::target::FEATURES`).
const ATOMIC_CAPABILITIES: cl_device_atomic_capabilities = CL_DEVICE_ATOMIC_ORDER_RELAXED
    | CL_DEVICE_ATOMIC_ORDER_ACQ_REL
    | CL_DEVICE_ATOMIC_ORDER_SEQ_CST
    | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
    | CL_DEVICE_ATOMIC_SCOPE_DEVICE
    | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

/// cl_ext_float_atomics, of float and double.
const FLOAT_ATOMICS: cl_bitfield = CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT
    | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT
    | CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT
    | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT
    | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT
    | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;

/// The versions of OpenCL C.
const C_VERSIONS: &[(u32, u32)] = &[(1, 0), (1, 1), (1, 2), (3, 0)];

/// The device's extensions.
pub fn extensions() -> impl Iterator<Item = &'static str> {
    target::EXTENSIONS.iter().chain(API_EXTENSIONS).copied()
}

/// The version of an extension.
pub fn extension_version(name: &str) -> cl_version {
    match name {
        "cl_intel_unified_shared_memory" => make_version(1, 1, 0),
        "cl_khr_command_buffer" => make_version(0, 9, 8),
        "cl_khr_command_buffer_mutable_dispatch" => make_version(0, 9, 5),
        "cl_khr_integer_dot_product" => make_version(2, 0, 0),
        _ => make_version(1, 0, 0),
    }
}

/// Whether a `cl_device_type` has bits that mean something.
pub fn check_type(device_type: cl_device_type) -> Result<()> {
    let known = CL_DEVICE_TYPE_DEFAULT
        | CL_DEVICE_TYPE_CPU
        | CL_DEVICE_TYPE_GPU
        | CL_DEVICE_TYPE_ACCELERATOR
        | CL_DEVICE_TYPE_CUSTOM;
    // "CL_INVALID_DEVICE_TYPE if device_type is not a valid value".
    if device_type == CL_DEVICE_TYPE_ALL || (device_type != 0 && device_type & !known == 0) {
        Ok(())
    } else {
        Err(Error::INVALID_DEVICE_TYPE)
    }
}

/// Whether the CPU is among the devices that a valid `cl_device_type` asks for.
pub fn matches_type(device_type: cl_device_type) -> bool {
    device_type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT) != 0
}

/// clGetDeviceIDs.
pub fn get_ids(
    platform: cl_platform_id,
    device_type: cl_device_type,
    num_entries: cl_uint,
    devices: Out<cl_device_id>,
    num_devices: Out<cl_uint>,
) -> Result<()> {
    find_platform(platform)?;
    check_type(device_type)?;
    // "if num_entries is equal to zero and devices is not NULL", "if both num_devices and devices are NULL".
    if (num_entries == 0 && !devices.is_null()) || (num_devices.is_null() && devices.is_null()) {
        return Err(Error::INVALID_VALUE);
    }
    if !matches_type(device_type) {
        num_devices.put(0);
        return Err(Error::DEVICE_NOT_FOUND);
    }
    devices.put_list([home::device().raw()], num_entries as usize);
    num_devices.put(1);
    Ok(())
}

/// clGetDeviceInfo.
pub fn get_info(
    device: cl_device_id,
    name: cl_device_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let device = object::lookup::<Device>(device)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        0x1000..=0x1019 => limits(&device, name, answer),
        0x101A..=0x103F => properties(&device, name, answer),
        0x1040..=0x105D => later_limits(&device, name, answer),
        _ => versions_and_features(&device, name, answer),
    }
}

/// OpenCL 1.0: identity, sizes and limits.
fn limits(device: &Device, name: cl_device_info, answer: Answer) -> Result<()> {
    match name {
        CL_DEVICE_TYPE => answer.value(CL_DEVICE_TYPE_CPU),
        CL_DEVICE_VENDOR_ID => answer.value(device.machine.vendor_id),
        CL_DEVICE_MAX_COMPUTE_UNITS => answer.value(device.compute_units as cl_uint),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => answer.value(MAX_DIMENSIONS as cl_uint),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => answer.value(MAX_WORK_GROUP_SIZE),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => answer.list(&[MAX_WORK_GROUP_SIZE; MAX_DIMENSIONS]),
        // Work-items run next to each other in vector lanes, so that scalar code is the best code.
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE => answer.value::<cl_uint>(1),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => answer.value(device.machine.clock_mhz),
        CL_DEVICE_ADDRESS_BITS => answer.value(usize::BITS),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE => answer.value(device.max_alloc_size),
        CL_DEVICE_MAX_READ_IMAGE_ARGS | CL_DEVICE_MAX_WRITE_IMAGE_ARGS => {
            answer.value::<cl_uint>(128)
        }
        CL_DEVICE_MAX_SAMPLERS => answer.value::<cl_uint>(64),
        CL_DEVICE_IMAGE2D_MAX_WIDTH | CL_DEVICE_IMAGE2D_MAX_HEIGHT => answer.value(image::MAX_2D),
        CL_DEVICE_IMAGE3D_MAX_WIDTH
        | CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_DEPTH => answer.value(image::MAX_3D),
        CL_DEVICE_IMAGE_SUPPORT => answer.flag(true),
        CL_DEVICE_MAX_PARAMETER_SIZE => answer.value(MAX_PARAMETER_SIZE),
        // In bits: the size of the largest type, long16.
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => answer.value::<cl_uint>(1024),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// OpenCL 1.0 to 1.2: floating point, caches, memory, strings.
fn properties(device: &Device, name: cl_device_info, answer: Answer) -> Result<()> {
    let native = |bytes: usize| answer.value((device.machine.vector_bytes / bytes) as cl_uint);
    match name {
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => answer.value::<cl_uint>(128),
        CL_DEVICE_SINGLE_FP_CONFIG => answer.value(single_fp_config(device)),
        CL_DEVICE_DOUBLE_FP_CONFIG => answer.value(
            CL_FP_DENORM
                | CL_FP_INF_NAN
                | CL_FP_ROUND_TO_NEAREST
                | CL_FP_ROUND_TO_ZERO
                | CL_FP_ROUND_TO_INF
                | CL_FP_FMA,
        ),
        CL_DEVICE_HALF_FP_CONFIG => {
            answer.value(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA)
        }
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => answer.value(if device.machine.cache_size > 0 {
            CL_READ_WRITE_CACHE
        } else {
            CL_NONE
        }),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => answer.value(device.machine.cache_line),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => answer.value(device.machine.cache_size),
        CL_DEVICE_GLOBAL_MEM_SIZE => answer.value(device.global_mem_size),
        // Constant memory is memory like any other; nobody needs more of it than this.
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => answer.value(device.max_alloc_size.min(1 << 30)),
        CL_DEVICE_MAX_CONSTANT_ARGS => {
            answer.value((MAX_PARAMETER_SIZE / size_of::<usize>()) as cl_uint)
        }
        CL_DEVICE_LOCAL_MEM_TYPE => answer.value(CL_GLOBAL),
        CL_DEVICE_LOCAL_MEM_SIZE => answer.value(LOCAL_MEM_SIZE as cl_ulong),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT => answer.flag(false),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => answer.value(TIMER_RESOLUTION as usize),
        CL_DEVICE_ENDIAN_LITTLE => answer.flag(cfg!(target_endian = "little")),
        CL_DEVICE_AVAILABLE | CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE => {
            answer.flag(true)
        }
        CL_DEVICE_EXECUTION_CAPABILITIES => answer.value(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL),
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            answer.value(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_NAME => answer.text(&device.machine.cpu_name),
        CL_DEVICE_VENDOR => answer.text(&device.machine.vendor),
        CL_DRIVER_VERSION => answer.text(env!("CARGO_PKG_VERSION")),
        CL_DEVICE_PROFILE => answer.text("FULL_PROFILE"),
        CL_DEVICE_VERSION => answer.text(VERSION),
        CL_DEVICE_EXTENSIONS => {
            let names: Vec<&str> = extensions().collect();
            answer.text(&names.join(" "))
        }
        CL_DEVICE_PLATFORM => answer.value(home::platform().raw()),
        CL_DEVICE_HOST_UNIFIED_MEMORY => answer.flag(true),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF => answer.value::<cl_uint>(1),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR => native(1),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT => native(2),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_INT | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => native(4),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => native(8),
        // Without an instruction set for half, it is computed as float.
        CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => native(if device.machine.has_fp16 { 2 } else { 4 }),
        // A newer version may be told here "if and only if all optional features" of it are there.
        CL_DEVICE_OPENCL_C_VERSION => {
            answer.text(concat!("OpenCL C 1.2 Clotho ", env!("CARGO_PKG_VERSION")))
        }
        CL_DEVICE_BUILT_IN_KERNELS => answer.text(""),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// OpenCL 1.2 to 2.2: images, partitions, device queues, SVM, pipes, sub-groups; some of them not supported.
fn later_limits(device: &Object<Device>, name: cl_device_info, answer: Answer) -> Result<()> {
    match name {
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => answer.value(image::MAX_BUFFER),
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => answer.value(image::MAX_ARRAY),
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS => answer.value::<cl_uint>(64),
        // In texels: any will do.
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT => {
            answer.value::<cl_uint>(1)
        }
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE => answer.value::<usize>(MAX_VARIABLE),
        // They stand in memory like any other.
        CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => answer.value::<usize>(MAX_VARIABLE),
        CL_DEVICE_PARENT_DEVICE
        | CL_DEVICE_PARTITION_PROPERTIES
        | CL_DEVICE_PARTITION_TYPE
        | CL_DEVICE_PARTITION_AFFINITY_DOMAIN
        | CL_DEVICE_PARTITION_MAX_SUB_DEVICES
        | CL_DEVICE_REFERENCE_COUNT => sub_device::get_info(device, name, answer),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => answer.flag(true),
        CL_DEVICE_PRINTF_BUFFER_SIZE => answer.value::<usize>(1 << 20),
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES => {
            answer.value(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE => answer.value(queue::PREFERRED_SIZE),
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE => answer.value(queue::MAX_SIZE),
        // Only memory limits them.
        CL_DEVICE_MAX_ON_DEVICE_QUEUES => answer.value::<cl_uint>(1 << 10),
        CL_DEVICE_MAX_ON_DEVICE_EVENTS => answer.value::<cl_uint>(1 << 16),
        CL_DEVICE_SVM_CAPABILITIES => answer.value(svm::CAPABILITIES),
        // An atomic is best aligned to its size, "which may be 0".
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => answer.value::<cl_uint>(0),
        CL_DEVICE_MAX_PIPE_ARGS => {
            answer.value((MAX_PARAMETER_SIZE / size_of::<usize>()) as cl_uint)
        }
        // Only a pipe's size limits them.
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS => answer.value(MAX_RESERVATIONS),
        CL_DEVICE_PIPE_MAX_PACKET_SIZE => answer.value(MAX_PACKET),
        CL_DEVICE_MAX_NUM_SUB_GROUPS => {
            answer.value((MAX_WORK_GROUP_SIZE / SUB_GROUP_SIZES[0] as usize) as cl_uint)
        }
        CL_DEVICE_IL_VERSION => answer.text(""),
        // The sub-groups of a group take turns at barriers only.
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => answer.flag(false),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// OpenCL 3.0: versions and optional features.
fn versions_and_features(device: &Device, name: cl_device_info, answer: Answer) -> Result<()> {
    match name {
        CL_DEVICE_SUB_GROUP_SIZES_INTEL => answer.list(&SUB_GROUP_SIZES.map(|size| size as usize)),
        CL_DEVICE_NUMERIC_VERSION => answer.value(make_version(3, 0, 0)),
        CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR => answer.value(make_version(1, 2, 0)),
        CL_DEVICE_EXTENSIONS_WITH_VERSION => {
            let list: Vec<_> = extensions()
                .map(|name| cl_name_version::new(name, extension_version(name)))
                .collect();
            answer.list(&list)
        }
        CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR => answer.value(
            CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_KHR
                | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_PACKED_KHR,
        ),
        // cl_device_integer_dot_product_acceleration_properties_khr: six times cl_bool. No form is quicker than its
        // products and sums.
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR
        | CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4X8BIT_PACKED_KHR => {
            answer.value([CL_FALSE; 6])
        }
        CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR => answer.value(
            CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR
                | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR
                | CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR,
        ),
        CL_DEVICE_ILS_WITH_VERSION | CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION => {
            answer.list::<cl_name_version>(&[])
        }
        CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
        | CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT => answer.value(FLOAT_ATOMICS),
        CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT => answer.value::<cl_bitfield>(0),
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => answer.value(ATOMIC_CAPABILITIES),
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => {
            answer.value(ATOMIC_CAPABILITIES | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM)
        }
        CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => answer.flag(true),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let list: Vec<_> = C_VERSIONS
                .iter()
                .map(|&(major, minor)| {
                    cl_name_version::new("OpenCL C", make_version(major, minor, 0))
                })
                .collect();
            answer.list(&list)
        }
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => answer.value(preferred_multiple(device)),
        CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT
        | CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT => answer.flag(true),
        CL_DEVICE_PIPE_SUPPORT => answer.flag(true),
        CL_DEVICE_OPENCL_C_FEATURES => {
            let list: Vec<_> = target::FEATURES
                .iter()
                .map(|&name| cl_name_version::new(name, make_version(3, 0, 0)))
                .collect();
            answer.list(&list)
        }
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => {
            answer.value(CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT)
        }
        CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR => answer.value(
            CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR,
        ),
        CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR => answer.value(mutable_dispatch::FIELDS),
        CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR => {
            answer.value(command_buffer::QUEUE_PROPERTIES)
        }
        CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR => {
            answer.value::<cl_command_queue_properties>(0)
        }
        CL_DEVICE_SEMAPHORE_TYPES_KHR => answer.list(semaphore::TYPES),
        CL_DEVICE_UUID_KHR => answer.value(identity::device(device)),
        CL_DRIVER_UUID_KHR => answer.value(identity::driver()),
        // There are no LUIDs on this system; what the other two answer then means nothing.
        CL_DEVICE_LUID_VALID_KHR => answer.flag(false),
        CL_DEVICE_LUID_KHR => answer.value([0u8; LUID_SIZE]),
        CL_DEVICE_NODE_MASK_KHR => answer.value::<cl_uint>(0),
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL => answer.value(usm::CAPABILITIES),
        // No version has been passed in the official process; this is how that is written.
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => answer.text("v0000-01-01-00"),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Work-items that fill the CPU's vectors with 32-bit lanes.
pub fn preferred_multiple(device: &Device) -> usize {
    device.machine.vector_bytes / 4
}

fn single_fp_config(device: &Device) -> cl_device_fp_config {
    let fma = if device.machine.has_fma { CL_FP_FMA } else { 0 };
    CL_FP_DENORM
        | CL_FP_INF_NAN
        | CL_FP_ROUND_TO_NEAREST
        | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
        | fma
}

/// clGetDeviceAndHostTimer: the device is the host, so both show one clock.
pub fn get_device_and_host_timer(
    device: cl_device_id,
    device_timestamp: Out<cl_ulong>,
    host_timestamp: Out<cl_ulong>,
) -> Result<()> {
    object::lookup::<Device>(device)?;
    // "if host_timestamp or device_timestamp is NULL".
    if device_timestamp.is_null() || host_timestamp.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let now = clock::nanoseconds();
    device_timestamp.put(now);
    host_timestamp.put(now);
    Ok(())
}

/// clGetHostTimer.
pub fn get_host_timer(device: cl_device_id, host_timestamp: Out<cl_ulong>) -> Result<()> {
    object::lookup::<Device>(device)?;
    if host_timestamp.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    host_timestamp.put(clock::nanoseconds());
    Ok(())
}
