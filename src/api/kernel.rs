//! Entry points of kernels: creating, cloning and setting arguments. (Queries: `kernel_info`.)

use super::ptr::{In, Out};
use crate::cl::*;
use crate::compiler::{Access, ImageKind, ParamInfo, ParamKind};
use crate::runtime::image;
use crate::runtime::kernel::Arg;
use crate::runtime::{Handle, Kernel, Memory, Program, Queue, Sampler, object};
use std::sync::Arc;

/// clCreateKernel.
pub fn create(program: cl_program, name: In<c_char>) -> Result<cl_kernel> {
    let program = object::lookup::<Program>(program)?;
    // "if kernel_name is NULL".
    let name = name.c_str().ok_or(Error::INVALID_VALUE)?;
    // "if there is no successfully built executable for program", "if kernel_name is not found in program".
    let code = program.executable()?;
    let found = code
        .named_kernels()
        .find(|kernel| kernel.name.as_bytes() == name.to_bytes());
    let kernel = found.ok_or(Error::INVALID_KERNEL_NAME)?.clone();
    Ok(Kernel::new(program, kernel).raw())
}

/// clCreateKernelsInProgram.
pub fn create_all(
    program: cl_program,
    num_kernels: cl_uint,
    kernels: Out<cl_kernel>,
    num_kernels_ret: Out<cl_uint>,
) -> Result<()> {
    let program = object::lookup::<Program>(program)?;
    let code = program.executable()?;
    let count = code.named_kernels().count();
    if !kernels.is_null() {
        // "if kernels is not NULL and num_kernels is less than the number of kernels in program".
        if (num_kernels as usize) < count {
            return Err(Error::INVALID_VALUE);
        }
        let made = code
            .named_kernels()
            .map(|kernel| Kernel::new(program.clone(), kernel.clone()).raw());
        kernels.put_list(made, count);
    }
    num_kernels_ret.put(count as cl_uint);
    Ok(())
}

/// clCloneKernel.
pub fn clone(kernel: cl_kernel) -> Result<cl_kernel> {
    Ok(object::lookup::<Kernel>(kernel)?.duplicate().raw())
}

/// clRetainKernel.
pub fn retain(kernel: cl_kernel) -> Result<()> {
    object::retain::<Kernel>(kernel)
}

/// clReleaseKernel.
pub fn release(kernel: cl_kernel) -> Result<()> {
    object::release::<Kernel>(kernel).map(drop)
}

/// clSetKernelArg.
pub fn set_arg(kernel: cl_kernel, index: cl_uint, size: usize, value: In<c_void>) -> Result<()> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    let arg = read_arg(&kernel, index, size, value)?;
    kernel.set_arg(index as usize, arg);
    Ok(())
}

/// An argument, checked against its parameter.
pub fn read_arg(
    kernel: &Handle<Kernel>,
    index: cl_uint,
    size: usize,
    value: In<c_void>,
) -> Result<Arg> {
    // "if arg_index is not a valid argument index".
    let param = kernel
        .code
        .params
        .get(index as usize)
        .ok_or(Error::INVALID_ARG_INDEX)?;
    match param.kind {
        ParamKind::Value => by_value(param, size, value),
        ParamKind::LocalPointer => local(size, value),
        ParamKind::GlobalPointer | ParamKind::ConstantPointer => buffer(kernel, size, value),
        ParamKind::Image { kind, access } => image_object(kernel, (kind, access), size, value),
        ParamKind::Sampler => sampler(kernel, size, value),
        ParamKind::Queue => device_queue(kernel, size, value),
        ParamKind::Pipe { packet, .. } => pipe(kernel, packet, size, value),
    }
}

fn by_value(param: &ParamInfo, size: usize, value: In<c_void>) -> Result<Arg> {
    // "arg_size does not match the size of the data type for the argument".
    if size != param.size {
        return Err(Error::INVALID_ARG_SIZE);
    }
    if value.is_null() {
        return Err(Error::INVALID_ARG_VALUE);
    }
    Ok(Arg::Value(value.cast::<u8>().byte_slice(size).into()))
}

fn local(size: usize, value: In<c_void>) -> Result<Arg> {
    // "if the kernel argument is a pointer to the local address space and arg_size is zero".
    if size == 0 {
        return Err(Error::INVALID_ARG_SIZE);
    }
    // "If the argument is declared with the local qualifier, the arg_value entry must be NULL."
    if !value.is_null() {
        return Err(Error::INVALID_ARG_VALUE);
    }
    Ok(Arg::Local(size))
}

fn buffer(kernel: &Handle<Kernel>, size: usize, value: In<c_void>) -> Result<Arg> {
    // "arg_size is not equal to sizeof(cl_mem)".
    if size != size_of::<cl_mem>() {
        return Err(Error::INVALID_ARG_SIZE);
    }
    // "If the argument is a buffer object, the arg_value pointer can be NULL or point to a NULL value".
    let handle = value.cast::<cl_mem>().get().unwrap_or(std::ptr::null_mut());
    if handle.is_null() {
        return Ok(Arg::Buffer(None));
    }
    let memory = object::lookup::<Memory>(handle)?;
    if !memory.is_buffer() {
        return Err(Error::INVALID_MEM_OBJECT);
    }
    // "if the context associated with kernel and an OpenCL object pointed to by arg_value are not the same".
    if memory.context.raw() != kernel.program.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    Ok(Arg::Buffer(Some(Arc::downgrade(&memory))))
}

fn image_object(
    kernel: &Handle<Kernel>,
    (kind, access): (ImageKind, Access),
    size: usize,
    value: In<c_void>,
) -> Result<Arg> {
    if size != size_of::<cl_mem>() {
        return Err(Error::INVALID_ARG_SIZE);
    }
    let handle = value.cast::<cl_mem>().get();
    let handle = handle.ok_or(Error::INVALID_ARG_VALUE)?;
    // "for an argument declared to be a memory object when the specified arg_value is not a valid memory object".
    let memory = object::lookup::<Memory>(handle)?;
    let image = memory.image.as_ref().ok_or(Error::INVALID_MEM_OBJECT)?;
    if memory.context.raw() != kernel.program.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    // "if the argument is an image declared with the read_only qualifier and arg_value refers to an image object created with
    // cl_mem_flags of CL_MEM_WRITE_ONLY", and so on; the dimensions must be the declared ones as well.
    if !image.fits(kind) || !image::may_be(memory.flags, access) {
        return Err(Error::INVALID_ARG_VALUE);
    }
    Ok(Arg::Image(Arc::downgrade(&memory)))
}

fn device_queue(kernel: &Handle<Kernel>, size: usize, value: In<c_void>) -> Result<Arg> {
    if size != size_of::<cl_command_queue>() {
        return Err(Error::INVALID_ARG_SIZE);
    }
    let handle = value.cast::<cl_command_queue>().get();
    // "for an argument declared to be of type queue_t when the specified arg_value is not a valid device queue object".
    let queue = object::lookup::<Queue>(handle.ok_or(Error::INVALID_DEVICE_QUEUE)?);
    let queue = queue.ok().filter(|queue| queue.is_on_device());
    let queue = queue.ok_or(Error::INVALID_DEVICE_QUEUE)?;
    if queue.context.raw() != kernel.program.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    Ok(Arg::Queue(queue.raw() as usize))
}

fn pipe(kernel: &Handle<Kernel>, packet: u32, size: usize, value: In<c_void>) -> Result<Arg> {
    if size != size_of::<cl_mem>() {
        return Err(Error::INVALID_ARG_SIZE);
    }
    let handle = value.cast::<cl_mem>().get();
    let memory = object::lookup::<Memory>(handle.ok_or(Error::INVALID_ARG_VALUE)?)?;
    let pipe = memory.pipe.ok_or(Error::INVALID_MEM_OBJECT)?;
    if memory.context.raw() != kernel.program.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    // "arg_value specified is not a valid value": the kernel's packets are of another size.
    if pipe.packet_size != packet {
        return Err(Error::INVALID_ARG_VALUE);
    }
    Ok(Arg::Buffer(Some(Arc::downgrade(&memory))))
}

fn sampler(kernel: &Handle<Kernel>, size: usize, value: In<c_void>) -> Result<Arg> {
    if size != size_of::<cl_sampler>() {
        return Err(Error::INVALID_ARG_SIZE);
    }
    let handle = value.cast::<cl_sampler>().get();
    // "for an argument declared to be of type sampler_t when the specified arg_value is not a valid sampler object".
    let sampler = object::lookup::<Sampler>(handle.ok_or(Error::INVALID_SAMPLER)?)?;
    if sampler.context.raw() != kernel.program.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    Ok(Arg::Sampler(sampler.bits()))
}
