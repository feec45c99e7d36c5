//! Error codes. [`Error`] can't hold CL_SUCCESS, so that success is never mistaken for an error.
//! Source: CL/cl.h, CL/cl_ext.h and CL/cl_gl.h.

use std::fmt;
use std::num::NonZeroI32;

/// An OpenCL error code: one of the `CL_*` codes below zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error(NonZeroI32);

impl Error {
    /// The code as C sees it.
    pub const fn code(self) -> i32 {
        self.0.get()
    }

    /// The error for a negative code; anything else (a success or a status) is none.
    pub const fn from_code(code: i32) -> Option<Error> {
        if code >= 0 {
            return None;
        }
        match NonZeroI32::new(code) {
            Some(code) => Some(Error(code)),
            None => None,
        }
    }
}

macro_rules! errors {
    ($($name:ident = $code:literal),* $(,)?) => {
        #[allow(missing_docs)]
        impl Error {
            $(pub const $name: Error = Error(NonZeroI32::new($code).unwrap());)*

            /// The name of the code without its `CL_`, where the code is one of the specification's.
            pub fn name(self) -> Option<&'static str> {
                match self.code() {
                    $($code => Some(stringify!($name)),)*
                    _ => None,
                }
            }
        }
    };
}

errors! {
    DEVICE_NOT_FOUND = -1,
    DEVICE_NOT_AVAILABLE = -2,
    COMPILER_NOT_AVAILABLE = -3,
    MEM_OBJECT_ALLOCATION_FAILURE = -4,
    OUT_OF_RESOURCES = -5,
    OUT_OF_HOST_MEMORY = -6,
    PROFILING_INFO_NOT_AVAILABLE = -7,
    MEM_COPY_OVERLAP = -8,
    IMAGE_FORMAT_MISMATCH = -9,
    IMAGE_FORMAT_NOT_SUPPORTED = -10,
    BUILD_PROGRAM_FAILURE = -11,
    MAP_FAILURE = -12,
    MISALIGNED_SUB_BUFFER_OFFSET = -13,
    EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    COMPILE_PROGRAM_FAILURE = -15,
    LINKER_NOT_AVAILABLE = -16,
    LINK_PROGRAM_FAILURE = -17,
    DEVICE_PARTITION_FAILED = -18,
    KERNEL_ARG_INFO_NOT_AVAILABLE = -19,
    INVALID_VALUE = -30,
    INVALID_DEVICE_TYPE = -31,
    INVALID_PLATFORM = -32,
    INVALID_DEVICE = -33,
    INVALID_CONTEXT = -34,
    INVALID_QUEUE_PROPERTIES = -35,
    INVALID_COMMAND_QUEUE = -36,
    INVALID_HOST_PTR = -37,
    INVALID_MEM_OBJECT = -38,
    INVALID_IMAGE_FORMAT_DESCRIPTOR = -39,
    INVALID_IMAGE_SIZE = -40,
    INVALID_SAMPLER = -41,
    INVALID_BINARY = -42,
    INVALID_BUILD_OPTIONS = -43,
    INVALID_PROGRAM = -44,
    INVALID_PROGRAM_EXECUTABLE = -45,
    INVALID_KERNEL_NAME = -46,
    INVALID_KERNEL_DEFINITION = -47,
    INVALID_KERNEL = -48,
    INVALID_ARG_INDEX = -49,
    INVALID_ARG_VALUE = -50,
    INVALID_ARG_SIZE = -51,
    INVALID_KERNEL_ARGS = -52,
    INVALID_WORK_DIMENSION = -53,
    INVALID_WORK_GROUP_SIZE = -54,
    INVALID_WORK_ITEM_SIZE = -55,
    INVALID_GLOBAL_OFFSET = -56,
    INVALID_EVENT_WAIT_LIST = -57,
    INVALID_EVENT = -58,
    INVALID_OPERATION = -59,
    INVALID_GL_OBJECT = -60,
    INVALID_BUFFER_SIZE = -61,
    INVALID_MIP_LEVEL = -62,
    INVALID_GLOBAL_WORK_SIZE = -63,
    INVALID_PROPERTY = -64,
    INVALID_IMAGE_DESCRIPTOR = -65,
    INVALID_COMPILER_OPTIONS = -66,
    INVALID_LINKER_OPTIONS = -67,
    INVALID_DEVICE_PARTITION_COUNT = -68,
    INVALID_PIPE_SIZE = -69,
    INVALID_DEVICE_QUEUE = -70,
    INVALID_SPEC_ID = -71,
    MAX_SIZE_RESTRICTION_EXCEEDED = -72,
    INVALID_GL_SHAREGROUP_REFERENCE_KHR = -1000,
    PLATFORM_NOT_FOUND_KHR = -1001,
    INVALID_COMMAND_BUFFER_KHR = -1138,
    INVALID_SYNC_POINT_WAIT_LIST_KHR = -1139,
    INCOMPATIBLE_COMMAND_QUEUE_KHR = -1140,
    INVALID_MUTABLE_COMMAND_KHR = -1141,
    INVALID_SEMAPHORE_KHR = -1142,
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(out, "CL_{name}"),
            None => write!(out, "error {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn success_is_no_error() {
        assert_eq!(Error::from_code(0), None);
        assert_eq!(Error::from_code(3), None);
        assert_eq!(Error::from_code(-5), Some(Error::OUT_OF_RESOURCES));
        assert_eq!(format!("{:?}", Error::INVALID_VALUE), "CL_INVALID_VALUE");
    }
}
