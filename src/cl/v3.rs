//! What `cl-sys` lacks of OpenCL 2.1 to 3.0 and of the extensions that Clotho has: types and constants.
//! Source: CL/cl.h and CL/cl_ext.h of the Khronos headers.

#![allow(missing_docs, non_camel_case_types)]

use cl_sys::{
    c_char, cl_bitfield, cl_channel_order, cl_channel_type, cl_int, cl_mem, cl_mem_object_type,
    cl_uint, cl_ulong,
};

pub type cl_properties = cl_ulong;
pub type cl_mem_properties = cl_properties;
pub type cl_version = cl_uint;
pub type cl_device_atomic_capabilities = cl_bitfield;
pub type cl_device_device_enqueue_capabilities = cl_bitfield;
pub type cl_execution_status = cl_int;

/// Bytes of [`cl_name_version::name`], the terminating NUL included.
pub const CL_NAME_VERSION_MAX_NAME_SIZE: usize = 64;

/// A name (an extension, a language, a feature...) with its version.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_name_version {
    pub version: cl_version,
    pub name: [c_char; CL_NAME_VERSION_MAX_NAME_SIZE],
}

impl cl_name_version {
    /// # Panics
    /// When `name` is longer than the field (the names are ours).
    pub fn new(name: &str, version: cl_version) -> Self {
        assert!(
            name.len() < CL_NAME_VERSION_MAX_NAME_SIZE,
            "{name} is too long"
        );
        let mut out = Self {
            version,
            name: [0; CL_NAME_VERSION_MAX_NAME_SIZE],
        };
        for (to, from) in out.name.iter_mut().zip(name.bytes()) {
            *to = from as c_char;
        }
        out
    }
}

/// As in `cl-sys`, where it can't be copied or compared.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct cl_image_format {
    pub image_channel_order: cl_channel_order,
    pub image_channel_data_type: cl_channel_type,
}

/// As in `cl-sys`, where it can't be copied. `buffer` is `mem_object` since OpenCL 2.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cl_image_desc {
    pub image_type: cl_mem_object_type,
    pub image_width: usize,
    pub image_height: usize,
    pub image_depth: usize,
    pub image_array_size: usize,
    pub image_row_pitch: usize,
    pub image_slice_pitch: usize,
    pub num_mip_levels: cl_uint,
    pub num_samples: cl_uint,
    pub buffer: cl_mem,
}

/// CL_MAKE_VERSION: 10 bits of major, 10 of minor, 12 of patch.
pub const fn make_version(major: u32, minor: u32, patch: u32) -> cl_version {
    (major & 0x3ff) << 22 | (minor & 0x3ff) << 12 | (patch & 0xfff)
}

pub const CL_PLATFORM_NUMERIC_VERSION: cl_uint = 0x0906;
pub const CL_PLATFORM_EXTENSIONS_WITH_VERSION: cl_uint = 0x0907;
pub const CL_PLATFORM_ICD_SUFFIX_KHR: cl_uint = 0x0920;

pub const CL_DEVICE_NUMERIC_VERSION: cl_uint = 0x105E;
pub const CL_DEVICE_EXTENSIONS_WITH_VERSION: cl_uint = 0x1060;
pub const CL_DEVICE_ILS_WITH_VERSION: cl_uint = 0x1061;
pub const CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: cl_uint = 0x1062;
pub const CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: cl_uint = 0x1063;
pub const CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: cl_uint = 0x1064;
pub const CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: cl_uint = 0x1065;
pub const CL_DEVICE_OPENCL_C_ALL_VERSIONS: cl_uint = 0x1066;
pub const CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: cl_uint = 0x1067;
pub const CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: cl_uint = 0x1068;
pub const CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: cl_uint = 0x1069;
pub const CL_DEVICE_OPENCL_C_FEATURES: cl_uint = 0x106F;
pub const CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: cl_uint = 0x1070;
/// cl_intel_required_subgroup_size
pub const CL_DEVICE_SUB_GROUP_SIZES_INTEL: cl_uint = 0x4108;
pub const CL_KERNEL_SPILL_MEM_SIZE_INTEL: cl_uint = 0x4109;
pub const CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: cl_uint = 0x410A;
pub const CL_DEVICE_PIPE_SUPPORT: cl_uint = 0x1071;
pub const CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: cl_uint = 0x1072;

pub const CL_DEVICE_ATOMIC_ORDER_RELAXED: cl_bitfield = 1 << 0;
pub const CL_DEVICE_ATOMIC_ORDER_ACQ_REL: cl_bitfield = 1 << 1;
pub const CL_DEVICE_ATOMIC_ORDER_SEQ_CST: cl_bitfield = 1 << 2;
pub const CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM: cl_bitfield = 1 << 3;
pub const CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP: cl_bitfield = 1 << 4;
pub const CL_DEVICE_ATOMIC_SCOPE_DEVICE: cl_bitfield = 1 << 5;
pub const CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES: cl_bitfield = 1 << 6;

/// cl_khr_integer_dot_product
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: cl_uint = 0x1073;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR: cl_uint = 0x1074;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4X8BIT_PACKED_KHR: cl_uint = 0x1075;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_PACKED_KHR: cl_bitfield = 1 << 0;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_KHR: cl_bitfield = 1 << 1;

pub const CL_QUEUE_PROPERTIES_ARRAY: cl_uint = 0x1098;
pub const CL_MEM_PROPERTIES: cl_uint = 0x110A;
pub const CL_PIPE_PROPERTIES: cl_uint = 0x1122;
pub const CL_SAMPLER_PROPERTIES: cl_uint = 0x1158;
pub const CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT: cl_uint = 0x116A;
pub const CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: cl_uint = 0x116B;
pub const CL_COMMAND_SVM_MIGRATE_MEM: cl_uint = 0x120E;

/// The value that a dispatch slot holds to say "cl_khr_icd 2.0" (CL_ICD2_TAG_KHR).
pub const CL_ICD2_TAG_KHR: usize = 0x4F50_454E_434C_3331;

// cl_intel_unified_shared_memory.
pub const CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL: cl_uint = 0x4190;
pub const CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL: cl_uint = 0x4191;
pub const CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: cl_uint = 0x4192;
pub const CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: cl_uint = 0x4193;
pub const CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: cl_uint = 0x4194;
pub const CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL: cl_bitfield = 1 << 0;
pub const CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL: cl_bitfield = 1 << 1;
pub const CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL: cl_bitfield = 1 << 2;
pub const CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL: cl_bitfield = 1 << 3;
pub const CL_MEM_ALLOC_FLAGS_INTEL: cl_uint = 0x4195;
pub const CL_MEM_ALLOC_WRITE_COMBINED_INTEL: cl_bitfield = 1 << 0;
pub const CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL: cl_bitfield = 1 << 1;
pub const CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL: cl_bitfield = 1 << 2;
pub const CL_MEM_TYPE_UNKNOWN_INTEL: cl_uint = 0x4196;
pub const CL_MEM_TYPE_HOST_INTEL: cl_uint = 0x4197;
pub const CL_MEM_TYPE_DEVICE_INTEL: cl_uint = 0x4198;
pub const CL_MEM_TYPE_SHARED_INTEL: cl_uint = 0x4199;
pub const CL_MEM_ALLOC_TYPE_INTEL: cl_uint = 0x419A;
pub const CL_MEM_ALLOC_BASE_PTR_INTEL: cl_uint = 0x419B;
pub const CL_MEM_ALLOC_SIZE_INTEL: cl_uint = 0x419C;
pub const CL_MEM_ALLOC_DEVICE_INTEL: cl_uint = 0x419D;
pub const CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL: cl_uint = 0x4200;
pub const CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL: cl_uint = 0x4201;
pub const CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: cl_uint = 0x4202;
pub const CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL: cl_uint = 0x4203;
pub const CL_COMMAND_MEMFILL_INTEL: cl_uint = 0x4204;
pub const CL_COMMAND_MEMCPY_INTEL: cl_uint = 0x4205;
pub const CL_COMMAND_MIGRATEMEM_INTEL: cl_uint = 0x4206;
pub const CL_COMMAND_MEMADVISE_INTEL: cl_uint = 0x4207;

// cl_khr_priority_hints and cl_khr_throttle_hints; the values of throttle hints are those of priorities.
pub const CL_QUEUE_PRIORITY_KHR: cl_uint = 0x1096;
pub const CL_QUEUE_THROTTLE_KHR: cl_uint = 0x1097;
pub const CL_QUEUE_PRIORITY_HIGH_KHR: cl_properties = 1 << 0;
pub const CL_QUEUE_PRIORITY_MED_KHR: cl_properties = 1 << 1;
pub const CL_QUEUE_PRIORITY_LOW_KHR: cl_properties = 1 << 2;

// cl_khr_device_uuid.
pub const CL_DEVICE_UUID_KHR: cl_uint = 0x106A;
pub const CL_DRIVER_UUID_KHR: cl_uint = 0x106B;
pub const CL_DEVICE_LUID_VALID_KHR: cl_uint = 0x106C;
pub const CL_DEVICE_LUID_KHR: cl_uint = 0x106D;
pub const CL_DEVICE_NODE_MASK_KHR: cl_uint = 0x106E;

// cl_khr_semaphore.
pub type cl_semaphore_khr = *mut cl_sys::c_void;
pub const CL_SEMAPHORE_TYPE_BINARY_KHR: cl_uint = 1;
pub const CL_PLATFORM_SEMAPHORE_TYPES_KHR: cl_uint = 0x2036;
pub const CL_SEMAPHORE_CONTEXT_KHR: cl_uint = 0x2039;
pub const CL_SEMAPHORE_REFERENCE_COUNT_KHR: cl_uint = 0x203A;
pub const CL_SEMAPHORE_PROPERTIES_KHR: cl_uint = 0x203B;
pub const CL_SEMAPHORE_PAYLOAD_KHR: cl_uint = 0x203C;
pub const CL_SEMAPHORE_TYPE_KHR: cl_uint = 0x203D;
pub const CL_COMMAND_SEMAPHORE_WAIT_KHR: cl_uint = 0x2042;
pub const CL_COMMAND_SEMAPHORE_SIGNAL_KHR: cl_uint = 0x2043;
pub const CL_DEVICE_SEMAPHORE_TYPES_KHR: cl_uint = 0x204C;
pub const CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: cl_uint = 0x2053;

// cl_khr_command_buffer.
pub type cl_command_buffer_khr = *mut cl_sys::c_void;
pub const CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR: cl_uint = 0x12A9;
pub const CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR: cl_uint = 0x129A;
pub const CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: cl_uint = 0x12AA;
pub const CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR: cl_bitfield = 1 << 0;
pub const CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR: cl_bitfield = 1 << 1;
pub const CL_COMMAND_BUFFER_FLAGS_KHR: cl_uint = 0x1293;
pub const CL_COMMAND_BUFFER_QUEUES_KHR: cl_uint = 0x1294;
pub const CL_COMMAND_BUFFER_NUM_QUEUES_KHR: cl_uint = 0x1295;
pub const CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR: cl_uint = 0x1296;
pub const CL_COMMAND_BUFFER_STATE_KHR: cl_uint = 0x1297;
pub const CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: cl_uint = 0x1298;
pub const CL_COMMAND_BUFFER_CONTEXT_KHR: cl_uint = 0x1299;
pub const CL_COMMAND_BUFFER_STATE_RECORDING_KHR: cl_uint = 0;
pub const CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR: cl_uint = 1;
pub const CL_COMMAND_COMMAND_BUFFER_KHR: cl_uint = 0x12A8;

// cl_khr_command_buffer_mutable_dispatch.
pub type cl_mutable_command_khr = *mut cl_sys::c_void;
pub const CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR: cl_properties = 1 << 0;
pub const CL_COMMAND_BUFFER_MUTABLE_KHR: cl_properties = 1 << 1;
pub const CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR: cl_bitfield = 1 << 2;
pub const CL_COMMAND_BUFFER_STATE_FINALIZED_KHR: cl_uint = 2;
pub const CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR: cl_properties = 0x12B7;
pub const CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: cl_uint = 0x12B0;
pub const CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR: cl_properties = 0x12B1;
pub const CL_MUTABLE_DISPATCH_ASSERTS_KHR: cl_properties = 0x12B8;
pub const CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR: cl_properties = 1 << 0;
pub const CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR: cl_properties = 1 << 0;
pub const CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR: cl_properties = 1 << 1;
pub const CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR: cl_properties = 1 << 2;
pub const CL_MUTABLE_DISPATCH_ARGUMENTS_KHR: cl_properties = 1 << 3;
pub const CL_MUTABLE_DISPATCH_EXEC_INFO_KHR: cl_properties = 1 << 4;
pub const CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR: cl_uint = 0x12A0;
pub const CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR: cl_uint = 0x12A1;
pub const CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: cl_uint = 0x12A2;
pub const CL_MUTABLE_DISPATCH_KERNEL_KHR: cl_uint = 0x12A3;
pub const CL_MUTABLE_DISPATCH_DIMENSIONS_KHR: cl_uint = 0x12A4;
pub const CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR: cl_uint = 0x12A5;
pub const CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR: cl_uint = 0x12A6;
pub const CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR: cl_uint = 0x12A7;
pub const CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR: cl_uint = 0x12AD;
pub const CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR: cl_uint = 0;

// cl_device_device_enqueue_capabilities.
pub const CL_DEVICE_QUEUE_SUPPORTED: cl_device_device_enqueue_capabilities = 1 << 0;
pub const CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT: cl_device_device_enqueue_capabilities = 1 << 1;

// cl_khr_kernel_clock.
pub const CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR: cl_uint = 0x1076;
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR: cl_bitfield = 1 << 0;
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR: cl_bitfield = 1 << 1;
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR: cl_bitfield = 1 << 2;

// cl_ext_float_atomics.
pub const CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: cl_uint = 0x4231;
pub const CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: cl_uint = 0x4232;
pub const CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT: cl_uint = 0x4233;
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT: cl_bitfield = 1 << 0;
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT: cl_bitfield = 1 << 1;
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT: cl_bitfield = 1 << 2;
pub const CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT: cl_bitfield = 1 << 16;
pub const CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT: cl_bitfield = 1 << 17;
pub const CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT: cl_bitfield = 1 << 18;
