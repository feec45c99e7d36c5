//! Entry points of shared virtual memory. The device has none (CL_DEVICE_SVM_CAPABILITIES is 0), so each fails as
//! specified.

use super::ptr::In;
use crate::cl::*;
use crate::runtime::{Context, Device, Kernel, Queue, object};

/// `pfn_free_func` of clEnqueueSVMFree.
pub type FreeFn = unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void);

/// clSVMAlloc "will fail if no devices in context support SVM": NULL.
pub fn alloc(context: cl_context) -> Result<*mut c_void> {
    object::lookup::<Context>(context)?;
    Err(Error::INVALID_OPERATION)
}

/// The clEnqueueSVM* commands: "if the device associated with command_queue does not support SVM".
pub fn enqueue(queue: cl_command_queue) -> Result<()> {
    object::lookup::<Queue>(queue)?;
    Err(Error::INVALID_OPERATION)
}

/// clSetKernelArgSVMPointer: "if no devices in the context associated with kernel support SVM".
pub fn set_kernel_arg(kernel: cl_kernel) -> Result<()> {
    object::lookup::<Kernel>(kernel)?;
    Err(Error::INVALID_OPERATION)
}

/// clSetKernelExecInfo.
pub fn set_kernel_exec_info(
    kernel: cl_kernel,
    name: cl_uint,
    size: usize,
    value: In<c_void>,
) -> Result<()> {
    object::lookup::<Kernel>(kernel)?;
    match name {
        // "if no devices in the context associated with kernel support SVM".
        CL_KERNEL_EXEC_INFO_SVM_PTRS => Err(Error::INVALID_OPERATION),
        CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM => {
            // "if param_value is NULL, or if the size specified by param_value_size is not valid".
            if size != size_of::<cl_bool>() {
                return Err(Error::INVALID_VALUE);
            }
            let wanted = value.cast::<cl_bool>().get().ok_or(Error::INVALID_VALUE)?;
            // "param_value is CL_TRUE and no devices support fine-grain system SVM".
            if wanted != CL_FALSE {
                Err(Error::INVALID_OPERATION)
            } else {
                Ok(())
            }
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clSetDefaultDeviceCommandQueue: "if device does not support a replaceable default on-device queue".
pub fn set_default_device_queue(context: cl_context, device: cl_device_id) -> Result<()> {
    let context = object::lookup::<Context>(context)?;
    let device = object::lookup::<Device>(device)?;
    // "if device is not associated with context".
    if !context.has_device(&device) {
        return Err(Error::INVALID_DEVICE);
    }
    Err(Error::INVALID_OPERATION)
}
