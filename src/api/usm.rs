//! Entry points of cl_intel_unified_shared_memory 1.1: host, device and shared allocations. All memory is the host's,
//! so that every allocation, and any other memory of the process, may be used by the host and all devices at once, with
//! atomics.

use super::enqueue_sync::{Waits, check_migration_flags, host_queue, submit};
use super::ptr::{Answer, In, Out, properties};
use super::svm::{check_alignment, check_size, copy, fill};
use crate::cl::*;
use crate::runtime::command::Action;
use crate::runtime::svm::{Facts, Kind};
use crate::runtime::{Context, Device, Handle, Queue, object};

/// CL_DEVICE_*_MEM_CAPABILITIES_INTEL, the same for each type of memory.
pub const CAPABILITIES: cl_bitfield = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL
    | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL
    | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL
    | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

const KINDS: &[Kind] = &[Kind::Host, Kind::Device, Kind::Shared];

const PLACEMENT: cl_bitfield =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

/// clHostMemAllocINTEL.
pub fn host_alloc(
    context: cl_context,
    properties: In<cl_properties>,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void> {
    let context = object::lookup::<Context>(context)?;
    alloc(&context, Kind::Host, None, properties, size, alignment)
}

/// clDeviceMemAllocINTEL.
pub fn device_alloc(
    context: cl_context,
    device: cl_device_id,
    properties: In<cl_properties>,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void> {
    let context = object::lookup::<Context>(context)?;
    let device = device_of(&context, device)?;
    alloc(
        &context,
        Kind::Device,
        Some(device),
        properties,
        size,
        alignment,
    )
}

/// clSharedMemAllocINTEL. "If device is NULL then the allocation is not associated with any device."
pub fn shared_alloc(
    context: cl_context,
    device: cl_device_id,
    properties: In<cl_properties>,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void> {
    let context = object::lookup::<Context>(context)?;
    let device = if device.is_null() {
        None
    } else {
        Some(device_of(&context, device)?)
    };
    alloc(&context, Kind::Shared, device, properties, size, alignment)
}

/// "if device is not a valid device or is not associated with context".
fn device_of(context: &Context, device: cl_device_id) -> Result<Handle<Device>> {
    let device = object::lookup::<Device>(device)?;
    if context.has_device(&device) {
        Ok(device)
    } else {
        Err(Error::INVALID_DEVICE)
    }
}

fn alloc(
    context: &Handle<Context>,
    kind: Kind,
    device: Option<Handle<Device>>,
    list: In<cl_properties>,
    size: usize,
    alignment: cl_uint,
) -> Result<*mut c_void> {
    check_alignment(alignment)?;
    let flags = flags_of(kind, list)?;
    check_size(context, size)?;
    let memory = context
        .allocations
        .allocate(kind, size, device, flags, context.memory_limit());
    memory.ok_or(Error::OUT_OF_RESOURCES)
}

/// The value of CL_MEM_ALLOC_FLAGS_INTEL, 0 when it is not given.
fn flags_of(kind: Kind, list: In<cl_properties>) -> Result<cl_bitfield> {
    let list = properties(list)?;
    // "if a memory property name in properties is not a supported property name, if the value specified for a
    // supported property name is not valid, or if the same property name is specified more than once".
    let mut pairs = list.chunks_exact(2);
    let flags = match pairs.next() {
        None => return Ok(0),
        Some(&[name, flags]) if name == CL_MEM_ALLOC_FLAGS_INTEL.into() => flags,
        Some(_) => return Err(Error::INVALID_PROPERTY),
    };
    // Of the flags for the first placement, shared allocations may have one and the others none.
    let most = u32::from(kind == Kind::Shared);
    if pairs.next().is_some()
        || flags & !(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | PLACEMENT) != 0
        || (flags & PLACEMENT).count_ones() > most
    {
        return Err(Error::INVALID_PROPERTY);
    }
    Ok(flags)
}

/// clMemFreeINTEL.
pub fn free(context: cl_context, pointer: *mut c_void) -> Result<()> {
    let context = object::lookup::<Context>(context)?;
    // "If ptr is NULL then no action occurs"; "if ptr is not a value returned by clHostMemAllocINTEL, ...".
    if pointer.is_null() || context.allocations.free(pointer, KINDS) {
        Ok(())
    } else {
        Err(Error::INVALID_VALUE)
    }
}

/// clMemBlockingFreeINTEL: waits for all commands of the context's queues, since any of them may use any memory.
pub fn blocking_free(context: cl_context, pointer: *mut c_void) -> Result<()> {
    let found = {
        let context = object::lookup::<Context>(context)?;
        let facts = context.allocations.find(pointer);
        facts.is_some_and(|facts| facts.base == pointer as usize && KINDS.contains(&facts.kind))
    };
    if found {
        for queue in object::lookup::<Context>(context)?.queues() {
            queue.finish();
        }
    }
    free(context, pointer)
}

/// clGetMemAllocInfoINTEL.
pub fn get_alloc_info(
    context: cl_context,
    pointer: In<c_void>,
    name: cl_uint,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let context = object::lookup::<Context>(context)?;
    let answer = Answer::new(room, value, size_ret);
    let facts = context.allocations.find(pointer.address());
    let facts = facts.filter(|facts| KINDS.contains(&facts.kind));
    match name {
        CL_MEM_ALLOC_TYPE_INTEL => answer.value(match facts.map(|facts| facts.kind) {
            Some(Kind::Host) => CL_MEM_TYPE_HOST_INTEL,
            Some(Kind::Device) => CL_MEM_TYPE_DEVICE_INTEL,
            Some(Kind::Shared) => CL_MEM_TYPE_SHARED_INTEL,
            Some(Kind::Svm) | None => CL_MEM_TYPE_UNKNOWN_INTEL,
        }),
        CL_MEM_ALLOC_BASE_PTR_INTEL => answer.value(facts.map_or(0, |facts| facts.base)),
        CL_MEM_ALLOC_SIZE_INTEL => answer.value(facts.map_or(0, |facts| facts.size)),
        CL_MEM_ALLOC_DEVICE_INTEL => answer.value(device_handle(facts)),
        CL_MEM_ALLOC_FLAGS_INTEL => answer.value(facts.map_or(0, |facts| facts.flags)),
        _ => Err(Error::INVALID_VALUE),
    }
}

fn device_handle(facts: Option<Facts>) -> cl_device_id {
    let device = facts.and_then(|facts| facts.device);
    device.map_or(std::ptr::null_mut(), |device| device.raw())
}

/// clEnqueueMemsetINTEL, of the extension's first versions: each byte becomes `value`.
pub fn memset(
    queue: cl_command_queue,
    target: *mut c_void,
    value: cl_int,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let byte = [value as u8];
    let kind = CL_COMMAND_MEMFILL_INTEL;
    fill(queue, kind, target, In::from_bytes(&byte), 1, size, waits)
}

/// clEnqueueMemFillINTEL.
pub fn mem_fill(
    queue: cl_command_queue,
    target: *mut c_void,
    pattern: In<c_void>,
    pattern_size: usize,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let kind = CL_COMMAND_MEMFILL_INTEL;
    fill(queue, kind, target, pattern, pattern_size, size, waits)
}

/// clEnqueueMemcpyINTEL.
pub fn memcpy(
    queue: cl_command_queue,
    blocking: cl_bool,
    target: *mut c_void,
    source: In<c_void>,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let kind = CL_COMMAND_MEMCPY_INTEL;
    copy(queue, kind, blocking, target, source, size, waits)
}

/// clEnqueueMigrateMemINTEL: a hint; nothing moves.
pub fn migrate(queue: cl_command_queue, flags: cl_mem_migration_flags, waits: Waits) -> Result<()> {
    let queue = host_queue(queue)?;
    check_migration_flags(flags)?;
    hint(&queue, CL_COMMAND_MIGRATEMEM_INTEL, waits)
}

/// clEnqueueMemAdviseINTEL: "if advice is not supported advice for the device". There is none but 0 yet: the
/// extension only reserves numbers.
pub fn advise(queue: cl_command_queue, advice: cl_uint, waits: Waits) -> Result<()> {
    let queue = host_queue(queue)?;
    if advice != 0 {
        return Err(Error::INVALID_VALUE);
    }
    hint(&queue, CL_COMMAND_MEMADVISE_INTEL, waits)
}

fn hint(queue: &Handle<Queue>, kind: cl_command_type, waits: Waits) -> Result<()> {
    let events = waits.events(queue)?;
    submit(queue, kind, Action::Nothing, false, &events, waits.event)
}
