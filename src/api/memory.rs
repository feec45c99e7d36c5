//! Entry points of memory objects: buffers and sub-buffers, and what holds for all memory objects.

use super::ptr::{Answer, In, Out, properties};
use crate::cl::*;
use crate::runtime::context::Callback;
use crate::runtime::memory::DestructorFn;
use crate::runtime::{Context, Memory, Object, object};

pub const KERNEL_ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
pub const HOST_ACCESS: cl_mem_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
pub const HOST_PTR: cl_mem_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// The flags of a memory object, with the default access filled in.
/// # Errors
/// CL_INVALID_VALUE: "if values specified in flags are not valid as defined in the Memory Flags table".
pub fn check_flags(flags: cl_mem_flags) -> Result<cl_mem_flags> {
    let at_most_one = |mask: cl_mem_flags| (flags & mask).count_ones() <= 1;
    let valid = flags & !(KERNEL_ACCESS | HOST_ACCESS | HOST_PTR) == 0
        && at_most_one(KERNEL_ACCESS)
        && at_most_one(HOST_ACCESS)
        && at_most_one(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)
        && at_most_one(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if !valid {
        return Err(Error::INVALID_VALUE);
    }
    let default = if flags & KERNEL_ACCESS == 0 {
        CL_MEM_READ_WRITE
    } else {
        0
    };
    Ok(flags | default)
}

/// clCreateBuffer.
pub fn create_buffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    create(context, Vec::new(), flags, size, host_ptr)
}

/// clCreateBufferWithProperties.
pub fn create_buffer_with_properties(
    context: cl_context,
    property_list: In<cl_mem_properties>,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    object::lookup::<Context>(context)?;
    let list = properties(property_list)?;
    // "if a property name in properties is not a supported property name": there is none yet.
    if list.len() > 1 {
        return Err(Error::INVALID_PROPERTY);
    }
    create(context, list, flags, size, host_ptr)
}

fn create(
    context: cl_context,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    let context = object::lookup::<Context>(context)?;
    let flags = check_flags(flags)?;
    // "if size is zero", "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in context".
    if size == 0
        || context
            .devices
            .iter()
            .all(|device| size as u64 > device.max_alloc_size)
    {
        return Err(Error::INVALID_BUFFER_SIZE);
    }
    // "if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set", and the other way round.
    let wants_host_ptr = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    if host_ptr.is_null() == wants_host_ptr {
        return Err(Error::INVALID_HOST_PTR);
    }
    // "if CL_MEM_USE_HOST_PTR is set in flags and host_ptr is a pointer returned by clSVMAlloc and size is greater than
    // the size passed to clSVMAlloc"; the same for other allocations, and pointers into them.
    if flags & CL_MEM_USE_HOST_PTR != 0
        && let Some(facts) = context.allocations.find(host_ptr)
        && size > facts.bytes_from(host_ptr as usize)
    {
        return Err(Error::INVALID_BUFFER_SIZE);
    }
    let memory = Memory::buffer(context, flags, size, host_ptr, properties)?;
    Ok(Object::new(memory).raw())
}

/// clCreateSubBuffer.
pub fn create_sub_buffer(
    buffer: cl_mem,
    flags: cl_mem_flags,
    create_type: cl_buffer_create_type,
    create_info: In<c_void>,
) -> Result<cl_mem> {
    let parent = object::lookup::<Memory>(buffer)?;
    // "if buffer is not a valid buffer object or is a sub-buffer object".
    if parent.parent.is_some() || !parent.is_buffer() {
        return Err(Error::INVALID_MEM_OBJECT);
    }
    let flags = sub_buffer_flags(parent.flags, flags)?;
    // "if the value specified in buffer_create_type is not valid, if buffer_create_info is NULL".
    if create_type != CL_BUFFER_CREATE_TYPE_REGION || create_info.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let region = create_info
        .cast::<[usize; 2]>()
        .get()
        .ok_or(Error::INVALID_VALUE)?;
    let [origin, size] = region;
    // "if the region is out of bounds in buffer".
    let in_bounds = origin
        .checked_add(size)
        .is_some_and(|end| end <= parent.size);
    if !in_bounds {
        return Err(Error::INVALID_VALUE);
    }
    if size == 0 {
        return Err(Error::INVALID_BUFFER_SIZE);
    }
    // "if there are no devices for which origin is aligned to the CL_DEVICE_MEM_BASE_ADDR_ALIGN value" (in bits).
    if !origin.is_multiple_of(crate::compiler::abi::BASE_ALIGN) {
        return Err(Error::MISALIGNED_SUB_BUFFER_OFFSET);
    }
    Ok(Object::new(Memory::sub_buffer(parent, flags, origin, size)).raw())
}

/// The flags of a sub-buffer, or of an image on a buffer: its own where given, else the parent's.
pub fn sub_buffer_flags(parent: cl_mem_flags, flags: cl_mem_flags) -> Result<cl_mem_flags> {
    let clash = |of_parent: cl_mem_flags, wanted: cl_mem_flags| {
        parent & of_parent != 0 && flags & wanted != 0
    };
    if check_flags(flags).is_err()
        || flags & HOST_PTR != 0
        || clash(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)
        || clash(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)
        || clash(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY)
        || clash(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY)
        || clash(
            CL_MEM_HOST_NO_ACCESS,
            CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        )
    {
        return Err(Error::INVALID_VALUE);
    }
    let pick = |mask: cl_mem_flags| {
        if flags & mask != 0 {
            flags & mask
        } else {
            parent & mask
        }
    };
    // "CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR [...] are inherited".
    Ok(pick(KERNEL_ACCESS) | pick(HOST_ACCESS) | parent & HOST_PTR)
}

/// clRetainMemObject.
pub fn retain(memory: cl_mem) -> Result<()> {
    object::retain::<Memory>(memory)
}

/// clReleaseMemObject.
pub fn release(memory: cl_mem) -> Result<()> {
    object::release::<Memory>(memory).map(drop)
}

/// clGetMemObjectInfo.
pub fn get_info(
    memory: cl_mem,
    name: cl_mem_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let memory = object::lookup::<Memory>(memory)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_MEM_TYPE => answer.value(match &memory.image {
            Some(image) => image.shape.kind,
            None if memory.pipe.is_some() => CL_MEM_OBJECT_PIPE,
            None => CL_MEM_OBJECT_BUFFER,
        }),
        CL_MEM_FLAGS => answer.value(memory.flags),
        CL_MEM_SIZE => answer.value(memory.size),
        CL_MEM_HOST_PTR => answer.value(memory.host_ptr),
        CL_MEM_MAP_COUNT => answer.value(memory.map_count() as cl_uint),
        CL_MEM_REFERENCE_COUNT => answer.value(memory.reference_count()),
        CL_MEM_CONTEXT => answer.value(memory.context.raw()),
        CL_MEM_ASSOCIATED_MEMOBJECT => answer.value::<cl_mem>(
            memory
                .parent
                .as_ref()
                .map_or(std::ptr::null_mut(), |parent| parent.raw()),
        ),
        CL_MEM_OFFSET => answer.value(memory.offset),
        CL_MEM_USES_SVM_POINTER => answer.flag(memory.uses_svm),
        CL_MEM_PROPERTIES => answer.list(&memory.properties),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clSetMemObjectDestructorCallback.
pub fn set_destructor_callback(
    memory: cl_mem,
    notify: Option<DestructorFn>,
    user_data: *mut c_void,
) -> Result<()> {
    let memory = object::lookup::<Memory>(memory)?;
    // "if pfn_notify is NULL".
    let function = notify.ok_or(Error::INVALID_VALUE)?;
    memory.add_destructor(Callback {
        function,
        user_data,
    });
    Ok(())
}
