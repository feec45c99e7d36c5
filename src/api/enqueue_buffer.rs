//! Commands on buffers: read, write, copy, fill, their rectangular forms, map and unmap.

use super::enqueue_sync::{Waits, buffer as memory, host_queue, memory as any_memory, submit};
use super::ptr::In;
use super::region::Rect;
use crate::cl::*;
use crate::runtime::command::Action;
use crate::runtime::memory::Mapping;
use crate::runtime::transfer::{Fill, Held, Side, Transfer};
use crate::runtime::{Handle, Memory, Queue};
use smallvec::smallvec;

/// The largest fill pattern: the size of the largest vector type, `double16`.
pub const MAX_PATTERN: usize = 128;

/// What the host may not do with a memory object: CL_INVALID_OPERATION.
pub fn check_host_access(memory: &Memory, forbidden: cl_mem_flags) -> Result<()> {
    if memory.flags & (forbidden | CL_MEM_HOST_NO_ACCESS) != 0 {
        Err(Error::INVALID_OPERATION)
    } else {
        Ok(())
    }
}

/// "if the region specified by offset and size is out of bounds".
fn check_bounds(memory: &Memory, offset: usize, size: usize) -> Result<()> {
    let inside = offset
        .checked_add(size)
        .is_some_and(|end| end <= memory.size);
    if inside {
        Ok(())
    } else {
        Err(Error::INVALID_VALUE)
    }
}

/// CL_INVALID_VALUE: "if values specified in map_flags are not valid"; "CL_MAP_READ or CL_MAP_WRITE and
/// CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive".
pub fn check_map_flags(flags: cl_map_flags) -> Result<()> {
    let plain = flags & (CL_MAP_READ | CL_MAP_WRITE) != 0;
    let known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if flags & !known != 0 || (plain && flags & CL_MAP_WRITE_INVALIDATE_REGION != 0) {
        Err(Error::INVALID_VALUE)
    } else {
        Ok(())
    }
}

/// clEnqueueReadBuffer.
pub fn read(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: usize,
    size: usize,
    ptr: *mut c_void,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let buffer = memory(&queue, buffer)?;
    check_bounds(&buffer, offset, size)?;
    // "if ptr is NULL".
    if ptr.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let events = waits.events(&queue)?;
    check_host_access(&buffer, CL_MEM_HOST_WRITE_ONLY)?;
    let source = buffer.data().wrapping_add(offset);
    let action = copy(source, ptr.cast(), size, smallvec![buffer]);
    submit(
        &queue,
        CL_COMMAND_READ_BUFFER,
        action,
        blocking != CL_FALSE,
        &events,
        waits.event,
    )
}

/// clEnqueueWriteBuffer.
pub fn write(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: usize,
    size: usize,
    ptr: In<c_void>,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let buffer = memory(&queue, buffer)?;
    check_bounds(&buffer, offset, size)?;
    if ptr.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let events = waits.events(&queue)?;
    check_host_access(&buffer, CL_MEM_HOST_READ_ONLY)?;
    let target = buffer.data().wrapping_add(offset);
    let action = copy(ptr.address().cast(), target, size, smallvec![buffer]);
    submit(
        &queue,
        CL_COMMAND_WRITE_BUFFER,
        action,
        blocking != CL_FALSE,
        &events,
        waits.event,
    )
}

/// clEnqueueCopyBuffer.
pub fn copy_buffer(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    source_offset: usize,
    target_offset: usize,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = copy_action(&queue, source, target, source_offset, target_offset, size)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_COPY_BUFFER,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueCopyBuffer and clCommandCopyBufferKHR check, and do.
pub fn copy_action(
    queue: &Queue,
    source: cl_mem,
    target: cl_mem,
    source_offset: usize,
    target_offset: usize,
    size: usize,
) -> Result<Action> {
    let source = memory(queue, source)?;
    let target = memory(queue, target)?;
    check_bounds(&source, source_offset, size)?;
    check_bounds(&target, target_offset, size)?;
    // "if src_buffer and dst_buffer are the same buffer or sub-buffer object and the regions overlap, or if they are
    // different sub-buffers of the same associated buffer object and they overlap".
    if same_storage(&source, &target) {
        let (from, to) = (source.offset + source_offset, target.offset + target_offset);
        if from < to + size && to < from + size {
            return Err(Error::MEM_COPY_OVERLAP);
        }
    }
    let from = source.data().wrapping_add(source_offset);
    let to = target.data().wrapping_add(target_offset);
    Ok(copy(from, to, size, smallvec![source, target]))
}

/// clEnqueueFillBuffer.
pub fn fill(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: In<c_void>,
    pattern_size: usize,
    offset: usize,
    size: usize,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = fill_action(&queue, buffer, pattern, pattern_size, offset, size)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_FILL_BUFFER,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueFillBuffer and clCommandFillBufferKHR check, and do.
pub fn fill_action(
    queue: &Queue,
    buffer: cl_mem,
    pattern: In<c_void>,
    pattern_size: usize,
    offset: usize,
    size: usize,
) -> Result<Action> {
    let buffer = memory(queue, buffer)?;
    check_bounds(&buffer, offset, size)?;
    // "if pattern is NULL, if pattern_size is zero, not a power of two or greater than 128", "if offset is not a
    // multiple of pattern_size, if size is not a multiple of pattern_size".
    if pattern.is_null()
        || !pattern_size.is_power_of_two()
        || pattern_size > MAX_PATTERN
        || !offset.is_multiple_of(pattern_size)
        || !size.is_multiple_of(pattern_size)
    {
        return Err(Error::INVALID_VALUE);
    }
    if size == 0 {
        return Ok(Action::Nothing);
    }
    let bytes = pattern.cast::<u8>();
    let target = buffer.data().wrapping_add(offset);
    // SAFETY: inside the buffer, as checked, and the buffer is held.
    Ok(Action::Fill(unsafe {
        Fill::new(
            target,
            size,
            bytes.byte_slice(pattern_size),
            smallvec![buffer],
        )
    }))
}

/// The four pitches of a rectangular command.
pub struct Pitches {
    pub buffer: [usize; 2],
    pub other: [usize; 2],
}

/// The three arrays of a rectangular command.
pub struct Corners {
    pub buffer_origin: In<usize>,
    pub other_origin: In<usize>,
    pub region: In<usize>,
}

impl Corners {
    /// The rectangles of the first buffer and of the other side. "if buffer_origin, host_origin, or region is NULL".
    fn rects(&self, pitches: &Pitches) -> Result<(Rect, Rect)> {
        let triple = |list: In<usize>| {
            <[usize; 3]>::try_from(list.list(3)).map_err(|_| Error::INVALID_VALUE)
        };
        let (first, second) = (triple(self.buffer_origin)?, triple(self.other_origin)?);
        let region = triple(self.region)?;
        let [row, slice] = pitches.buffer;
        let [other_row, other_slice] = pitches.other;
        Ok((
            Rect::new(first, region, row, slice)?,
            Rect::new(second, region, other_row, other_slice)?,
        ))
    }
}

/// clEnqueueReadBufferRect.
pub fn read_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    corners: &Corners,
    pitches: &Pitches,
    ptr: *mut c_void,
    waits: Waits,
) -> Result<()> {
    let side = HostSide {
        pointer: ptr.cast(),
        forbidden: CL_MEM_HOST_WRITE_ONLY,
        reads: true,
    };
    host_rect(queue, buffer, blocking, corners, pitches, side, waits)
}

/// clEnqueueWriteBufferRect.
pub fn write_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    corners: &Corners,
    pitches: &Pitches,
    ptr: In<c_void>,
    waits: Waits,
) -> Result<()> {
    let pointer = ptr.address().cast::<u8>().cast_mut();
    let side = HostSide {
        pointer,
        forbidden: CL_MEM_HOST_READ_ONLY,
        reads: false,
    };
    host_rect(queue, buffer, blocking, corners, pitches, side, waits)
}

/// The host's side of a rectangular read or write.
struct HostSide {
    pointer: *mut u8,
    /// The buffer's flag that forbids it.
    forbidden: cl_mem_flags,
    reads: bool,
}

fn host_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    corners: &Corners,
    pitches: &Pitches,
    host: HostSide,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let buffer = memory(&queue, buffer)?;
    let (in_buffer, in_host) = corners.rects(pitches)?;
    // "if the region specified by buffer_origin, region, ... is out of bounds", "if ptr is NULL".
    if in_buffer.end > buffer.size || host.pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let events = waits.events(&queue)?;
    check_host_access(&buffer, host.forbidden)?;
    let (of_buffer, of_host) = (
        side(buffer.data(), &in_buffer),
        side(host.pointer, &in_host),
    );
    let (source, target, kind) = if host.reads {
        (of_buffer, of_host, CL_COMMAND_READ_BUFFER_RECT)
    } else {
        (of_host, of_buffer, CL_COMMAND_WRITE_BUFFER_RECT)
    };
    // SAFETY: the buffer's side is in bounds and held; the host's side is the application's promise.
    let action = Action::Transfer(unsafe {
        Transfer::rectangle(source, target, in_buffer.region, smallvec![buffer])
    });
    submit(
        &queue,
        kind,
        action,
        blocking != CL_FALSE,
        &events,
        waits.event,
    )
}

/// clEnqueueCopyBufferRect.
pub fn copy_rect(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    corners: &Corners,
    pitches: &Pitches,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = copy_rect_action(&queue, source, target, corners, pitches)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_COPY_BUFFER_RECT,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueCopyBufferRect and clCommandCopyBufferRectKHR check, and do.
pub fn copy_rect_action(
    queue: &Queue,
    source: cl_mem,
    target: cl_mem,
    corners: &Corners,
    pitches: &Pitches,
) -> Result<Action> {
    let source = memory(queue, source)?;
    let target = memory(queue, target)?;
    let (from, to) = corners.rects(pitches)?;
    if from.end > source.size || to.end > target.size {
        return Err(Error::INVALID_VALUE);
    }
    // "if src_buffer and dst_buffer are the same buffer object and src_row_pitch is not equal to dst_row_pitch", and
    // so for the slice pitches.
    if source.raw() == target.raw()
        && (from.row_pitch, from.slice_pitch) != (to.row_pitch, to.slice_pitch)
    {
        return Err(Error::INVALID_VALUE);
    }
    if same_storage(&source, &target)
        && shifted(&from, source.offset).overlaps(&shifted(&to, target.offset))
    {
        return Err(Error::MEM_COPY_OVERLAP);
    }
    let (of_source, of_target) = (side(source.data(), &from), side(target.data(), &to));
    // SAFETY: both sides are in bounds and held.
    Ok(Action::Transfer(unsafe {
        Transfer::rectangle(of_source, of_target, from.region, smallvec![source, target])
    }))
}

/// clEnqueueMapBuffer: the address is known at once, because a buffer's bytes are in the host's memory.
pub fn map(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
    waits: Waits,
) -> Result<*mut c_void> {
    let queue = host_queue(queue)?;
    let buffer = memory(&queue, buffer)?;
    check_bounds(&buffer, offset, size)?;
    // "if size is zero", "if values specified in map_flags are not valid".
    if size == 0 {
        return Err(Error::INVALID_VALUE);
    }
    check_map_flags(flags)?;
    let events = waits.events(&queue)?;
    if flags & CL_MAP_READ != 0 {
        check_host_access(&buffer, CL_MEM_HOST_WRITE_ONLY)?;
    }
    let writes = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    if writes {
        check_host_access(&buffer, CL_MEM_HOST_READ_ONLY)?;
    }
    // "if mapping would lead to overlapping regions being mapped for writing".
    let mapping = Mapping {
        offset,
        origin: [offset, 0, 0],
        region: [size, 1, 1],
        writes,
    };
    let address = buffer.map(mapping)?;
    let action = Action::Hold(smallvec![buffer.clone()]);
    let done = submit(
        &queue,
        CL_COMMAND_MAP_BUFFER,
        action,
        blocking != CL_FALSE,
        &events,
        waits.event,
    );
    if done.is_err() {
        buffer.unmap(address)?;
    }
    done.map(|()| address)
}

/// clEnqueueUnmapMemObject.
pub fn unmap(
    queue: cl_command_queue,
    object: cl_mem,
    mapped: *mut c_void,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let object = any_memory(&queue, object)?;
    let events = waits.events(&queue)?;
    // "if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer for memobj".
    object.unmap(mapped)?;
    submit(
        &queue,
        CL_COMMAND_UNMAP_MEM_OBJECT,
        Action::Hold(smallvec![object]),
        false,
        &events,
        waits.event,
    )
}

fn copy(source: *const u8, target: *mut u8, size: usize, held: Held) -> Action {
    if size == 0 {
        return Action::Hold(held);
    }
    // SAFETY: buffers are in bounds and held; a host pointer is valid by the application's promise.
    Action::Transfer(unsafe { Transfer::linear(source, target, size, held) })
}

fn side(base: *mut u8, rect: &Rect) -> Side {
    Side {
        address: base.wrapping_add(rect.start),
        row_pitch: rect.row_pitch,
        slice_pitch: rect.slice_pitch,
    }
}

/// A rectangle as seen from the start of the parent buffer.
fn shifted(rect: &Rect, by: usize) -> Rect {
    Rect {
        start: rect.start + by,
        end: rect.end + by,
        ..*rect
    }
}

/// Whether both are the same buffer, or parts of it.
fn same_storage(one: &Handle<Memory>, other: &Handle<Memory>) -> bool {
    let root = |memory: &Handle<Memory>| memory.parent.as_ref().unwrap_or(memory).raw();
    root(one) == root(other)
}
