//! Entry points of shared virtual memory. The device supports all of it, fine-grain system with atomics included, so
//! that any pointer of the host is good in kernels and commands. Source: OpenCL API 5.6 and 5.9.2.

use super::enqueue_buffer::{MAX_PATTERN, check_map_flags};
use super::enqueue_sync::{Waits, check_migration_flags, host_queue, submit};
use super::ptr::In;
use crate::cl::*;
use crate::compiler::ParamKind;
use crate::runtime::command::{Action, Call};
use crate::runtime::kernel::Arg;
use crate::runtime::svm::Kind;
use crate::runtime::transfer::{Fill, Held, Transfer};
use crate::runtime::{Context, Device, Handle, Kernel, object};

/// `pfn_free_func` of clEnqueueSVMFree.
pub type FreeFn = unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void);

/// CL_DEVICE_SVM_CAPABILITIES.
pub const CAPABILITIES: cl_device_svm_capabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
    | CL_DEVICE_SVM_FINE_GRAIN_BUFFER
    | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
    | CL_DEVICE_SVM_ATOMICS;

/// Bytes of the largest data type, `double16`: the strictest alignment that can be asked for.
const MAX_ALIGNMENT: cl_uint = 128;

/// clSVMAlloc: NULL for whatever is wrong.
pub fn alloc(
    context: cl_context,
    flags: cl_svm_mem_flags,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void> {
    const ACCESS: cl_svm_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    const GRAIN: cl_svm_mem_flags = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    let context = object::lookup::<Context>(context)?;
    // "flags does not contain CL_MEM_SVM_FINE_GRAIN_BUFFER but does contain CL_MEM_SVM_ATOMICS", "values specified in
    // flags do not follow rules described for supported values".
    if flags & !(ACCESS | GRAIN) != 0
        || (flags & ACCESS).count_ones() > 1
        || flags & GRAIN == CL_MEM_SVM_ATOMICS
    {
        return Err(Error::INVALID_VALUE);
    }
    check_alignment(alignment)?;
    check_size(&context, size)?;
    let memory = context
        .allocations
        .allocate(Kind::Svm, size, None, flags, context.memory_limit());
    memory.ok_or(Error::OUT_OF_RESOURCES)
}

/// "alignment is not a power of two or the OpenCL implementation cannot support the specified alignment"; 0 stands for
/// the strictest, which every allocation has.
pub fn check_alignment(alignment: cl_uint) -> Result<()> {
    if alignment == 0 || (alignment.is_power_of_two() && alignment <= MAX_ALIGNMENT) {
        Ok(())
    } else {
        Err(Error::INVALID_VALUE)
    }
}

/// "size is 0 or > CL_DEVICE_MAX_MEM_ALLOC_SIZE value for any device in context".
pub fn check_size(context: &Context, size: usize) -> Result<()> {
    let too_large = |device: &Handle<Device>| size as u64 > device.max_alloc_size;
    if size == 0 || context.devices.iter().any(too_large) {
        Err(Error::INVALID_BUFFER_SIZE)
    } else {
        Ok(())
    }
}

/// clSVMFree. "If a NULL pointer is passed in svm_pointer, no action occurs."
pub fn free(context: cl_context, pointer: *mut c_void) -> Result<()> {
    let context = object::lookup::<Context>(context)?;
    // A pointer that clSVMAlloc did not return is undefined behaviour; here nothing happens.
    context.allocations.free(pointer, &[Kind::Svm]);
    Ok(())
}

/// clEnqueueSVMFree.
pub fn enqueue_free(
    queue: cl_command_queue,
    count: cl_uint,
    pointers: In<*mut c_void>,
    free: Option<FreeFn>,
    user_data: *mut c_void,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL and num_svm_pointers is not 0".
    if pointers.is_null() != (count == 0) {
        return Err(Error::INVALID_VALUE);
    }
    let events = waits.events(&queue)?;
    let work = FreeList {
        queue: queue.raw(),
        pointers: pointers.list(count as usize),
        free,
        user_data,
    };
    let context = queue.context.clone();
    let action = Action::Call(Call::new(move || {
        work.run(&context);
        Ok(())
    }));
    submit(
        &queue,
        CL_COMMAND_SVM_FREE,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueSVMFree is to do when its turn comes.
struct FreeList {
    queue: cl_command_queue,
    pointers: Vec<*mut c_void>,
    free: Option<FreeFn>,
    user_data: *mut c_void,
}

// SAFETY: the application says by enqueueing them that its pointers may be used on any thread; the queue's handle is
// only passed on, and the command keeps the queue alive.
unsafe impl Send for FreeList {}

impl FreeList {
    fn run(mut self, context: &Context) {
        match self.free {
            // SAFETY: the application's function, called as clEnqueueSVMFree specifies, no lock held.
            Some(free) => unsafe {
                let count = self.pointers.len() as cl_uint;
                free(
                    self.queue,
                    count,
                    self.pointers.as_mut_ptr(),
                    self.user_data,
                );
            },
            None => {
                for pointer in self.pointers {
                    context.allocations.free(pointer, &[Kind::Svm]);
                }
            }
        }
    }
}

/// clEnqueueSVMMemcpy.
pub fn memcpy(
    queue: cl_command_queue,
    blocking: cl_bool,
    target: *mut c_void,
    source: In<c_void>,
    size: usize,
    waits: Waits,
) -> Result<()> {
    copy(
        queue,
        CL_COMMAND_SVM_MEMCPY,
        blocking,
        target,
        source,
        size,
        waits,
    )
}

/// A copy between two addresses.
pub fn copy(
    queue: cl_command_queue,
    kind: cl_command_type,
    blocking: cl_bool,
    target: *mut c_void,
    source: In<c_void>,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = copy_action(target, source, size)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        kind,
        action,
        blocking != CL_FALSE,
        &events,
        waits.event,
    )
}

/// What copies between two addresses check, and do.
pub fn copy_action(target: *mut c_void, source: In<c_void>, size: usize) -> Result<Action> {
    // "if dst_ptr is NULL", "if src_ptr is NULL".
    if target.is_null() || source.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // "if the values specified for dst_ptr, src_ptr and size result in an overlapping copy".
    let (from, to) = (source.address() as usize, target as usize);
    if from.abs_diff(to) < size {
        return Err(Error::MEM_COPY_OVERLAP);
    }
    if size == 0 {
        return Ok(Action::Nothing);
    }
    let source = source.address().cast::<u8>();
    // SAFETY: that both are valid for `size` bytes is the application's promise.
    Ok(Action::Transfer(unsafe {
        Transfer::linear(source, target.cast(), size, Held::new())
    }))
}

/// clEnqueueSVMMemFill.
pub fn mem_fill(
    queue: cl_command_queue,
    target: *mut c_void,
    pattern: In<c_void>,
    pattern_size: usize,
    size: usize,
    waits: Waits,
) -> Result<()> {
    fill(
        queue,
        CL_COMMAND_SVM_MEMFILL,
        target,
        pattern,
        pattern_size,
        size,
        waits,
    )
}

/// A pattern written over memory at an address.
pub fn fill(
    queue: cl_command_queue,
    kind: cl_command_type,
    target: *mut c_void,
    pattern: In<c_void>,
    pattern_size: usize,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = fill_action(target, pattern, pattern_size, size)?;
    let events = waits.events(&queue)?;
    submit(&queue, kind, action, false, &events, waits.event)
}

/// What fills of memory at an address check, and do.
pub fn fill_action(
    target: *mut c_void,
    pattern: In<c_void>,
    pattern_size: usize,
    size: usize,
) -> Result<Action> {
    // "if svm_ptr is NULL", "if svm_ptr is not aligned to pattern_size bytes", "if pattern is NULL", "if pattern_size
    // is zero", "is not a power of two", "is greater than 128", "if size is not a multiple of pattern_size".
    if target.is_null()
        || pattern.is_null()
        || !pattern_size.is_power_of_two()
        || pattern_size > MAX_PATTERN
        || !(target as usize).is_multiple_of(pattern_size)
        || !size.is_multiple_of(pattern_size)
    {
        return Err(Error::INVALID_VALUE);
    }
    if size == 0 {
        return Ok(Action::Nothing);
    }
    let pattern = pattern.cast::<u8>();
    let pattern = pattern.byte_slice(pattern_size);
    // SAFETY: that the target is valid for `size` bytes is the application's promise.
    Ok(Action::Fill(unsafe {
        Fill::new(target.cast(), size, pattern, Held::new())
    }))
}

/// clEnqueueSVMMap: the host sees what kernels write as it is, so that only the order counts.
pub fn map(
    queue: cl_command_queue,
    blocking: cl_bool,
    flags: cl_map_flags,
    pointer: *mut c_void,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if svm_ptr is NULL", "if size is zero", "if values specified in map_flags are not valid".
    if pointer.is_null() || size == 0 {
        return Err(Error::INVALID_VALUE);
    }
    check_map_flags(flags)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_SVM_MAP,
        Action::Nothing,
        blocking != CL_FALSE,
        &events,
        waits.event,
    )
}

/// clEnqueueSVMUnmap.
pub fn unmap(queue: cl_command_queue, pointer: *mut c_void, waits: Waits) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if svm_ptr is NULL".
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_SVM_UNMAP,
        Action::Nothing,
        false,
        &events,
        waits.event,
    )
}

/// clEnqueueSVMMigrateMem: all memory is where the device is already, so only the order counts.
pub fn migrate(
    queue: cl_command_queue,
    count: cl_uint,
    pointers: In<*mut c_void>,
    sizes: In<usize>,
    flags: cl_mem_migration_flags,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if num_svm_pointers is zero", "if svm_pointers is NULL".
    if count == 0 || pointers.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    check_migration_flags(flags)?;
    let pointers = pointers.list(count as usize);
    // "if sizes[i] is non-zero and the memory range described by svm_pointers[i] and sizes[i] is not contained within
    // an SVM allocation returned by clSVMAlloc".
    for (pointer, size) in pointers.into_iter().zip(sizes.list(count as usize)) {
        let inside = || {
            let facts = queue.context.allocations.find(pointer);
            facts.is_some_and(|facts| {
                facts.kind == Kind::Svm && size <= facts.bytes_from(pointer as usize)
            })
        };
        if size != 0 && !inside() {
            return Err(Error::INVALID_VALUE);
        }
    }
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_SVM_MIGRATE_MEM,
        Action::Nothing,
        false,
        &events,
        waits.event,
    )
}

/// clSetKernelArgSVMPointer and clSetKernelArgMemPointerINTEL: any pointer is good, since the device supports fine-grain system SVM.
pub fn set_kernel_arg(kernel: cl_kernel, index: cl_uint, value: In<c_void>) -> Result<()> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    let arg = read_kernel_arg(&kernel, index, value)?;
    kernel.set_arg(index as usize, arg);
    Ok(())
}

/// A pointer as an argument, checked against its parameter.
pub fn read_kernel_arg(kernel: &Kernel, index: cl_uint, value: In<c_void>) -> Result<Arg> {
    // "if arg_index is not a valid argument index".
    let param = kernel
        .code
        .params
        .get(index as usize)
        .ok_or(Error::INVALID_ARG_INDEX)?;
    // "The SVM pointer can only be used for arguments that are declared to be a pointer to global or constant memory":
    // "if arg_value specified is not a valid value".
    if !matches!(
        param.kind,
        ParamKind::GlobalPointer | ParamKind::ConstantPointer
    ) {
        return Err(Error::INVALID_ARG_VALUE);
    }
    Ok(Arg::Pointer(value.address() as usize))
}

/// clSetKernelExecInfo. Kernels may use any memory of the process, so that what is told here need not be kept.
pub fn set_kernel_exec_info(
    kernel: cl_kernel,
    name: cl_uint,
    size: usize,
    value: In<c_void>,
) -> Result<()> {
    object::lookup::<Kernel>(kernel)?;
    check_exec_info(name, size, value)
}

/// CL_INVALID_VALUE for what clSetKernelExecInfo does not take.
pub fn check_exec_info(name: cl_uint, size: usize, value: In<c_void>) -> Result<()> {
    let good = match name {
        // "specify an empty set by passing param_value_size equal to zero and param_value equal to NULL".
        CL_KERNEL_EXEC_INFO_SVM_PTRS | CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL => {
            size.is_multiple_of(size_of::<*mut c_void>()) && value.is_null() == (size == 0)
        }
        CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM
        | CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL => {
            size == size_of::<cl_bool>() && !value.is_null()
        }
        _ => false,
    };
    // "if param_name is not valid, if param_value is NULL and param_value_size is greater than zero, or if the size
    // specified by param_value_size is not valid".
    if good {
        Ok(())
    } else {
        Err(Error::INVALID_VALUE)
    }
}
