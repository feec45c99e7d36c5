//! Entry points of images, samplers and pipes. The device has none of them (CL_DEVICE_IMAGE_SUPPORT and
//! CL_DEVICE_PIPE_SUPPORT are CL_FALSE), so creating one fails as specified, and no handle of one can be valid.

use super::enqueue_sync::{Waits, memory};
use super::memory::check_flags;
use super::ptr::Out;
use crate::cl::*;
use crate::runtime::{Context, Queue, object};

/// clGetImageInfo, clGetPipeInfo: "if image is not a valid image object".
pub const NO_SUCH_IMAGE: Error = Error::INVALID_MEM_OBJECT;

/// clRetainSampler, clReleaseSampler, clGetSamplerInfo: "if sampler is not a valid sampler object".
pub const NO_SUCH_SAMPLER: Error = Error::INVALID_SAMPLER;

/// clCreateImage*, clCreateSampler* and clCreatePipe: CL_INVALID_OPERATION "if there are no devices in context that
/// support images" (samplers, pipes).
pub fn create(context: cl_context) -> Result<*mut c_void> {
    object::lookup::<Context>(context)?;
    Err(Error::INVALID_OPERATION)
}

/// clGetSupportedImageFormats: a list of none.
pub fn get_supported_formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_mem_object_type,
    num_entries: cl_uint,
    formats: Out<cl_image_format>,
    num_formats: Out<cl_uint>,
) -> Result<()> {
    object::lookup::<Context>(context)?;
    check_flags(flags & !CL_MEM_KERNEL_READ_AND_WRITE)?;
    // "if image_type is not valid", "if num_entries is zero and image_formats is not NULL".
    let is_image = (CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER).contains(&image_type);
    if !is_image || (num_entries == 0 && !formats.is_null()) {
        return Err(Error::INVALID_VALUE);
    }
    num_formats.put(0);
    Ok(())
}

/// The clEnqueue*Image* commands: "if the device associated with command_queue does not support images". The handles
/// that must be buffers are checked before that.
pub fn enqueue(queue: cl_command_queue, buffers: &[cl_mem], waits: Waits) -> Result<()> {
    let queue = object::lookup::<Queue>(queue)?;
    for &buffer in buffers {
        memory(&queue, buffer)?;
    }
    waits.events(&queue)?;
    Err(Error::INVALID_OPERATION)
}

/// clEnqueueMapImage.
pub fn map(queue: cl_command_queue, waits: Waits) -> Result<*mut c_void> {
    enqueue(queue, &[], waits).map(|()| std::ptr::null_mut())
}
