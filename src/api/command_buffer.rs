//! Entry points of cl_khr_command_buffer 0.9. A command is checked as its clEnqueue* sibling checks it.

use super::enqueue_buffer::{self, Corners, Pitches};
use super::enqueue_image;
use super::enqueue_kernel::{self, IndexSpace};
use super::enqueue_sync::{Waits, host_queue};
use super::mutable_dispatch;
use super::ptr::{Answer, In, Out, properties};
use super::svm;
use crate::cl::*;
use crate::runtime::command_buffer::{CommandBuffer, Launch, MutableCommand, Work};
use crate::runtime::{Handle, Object, object};

/// CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR.
pub const QUEUE_PROPERTIES: cl_command_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// clCreateCommandBufferKHR.
pub fn create(
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
    property_list: In<cl_properties>,
) -> Result<cl_command_buffer_khr> {
    // "if the cl_khr_command_buffer_multi_device extension is not supported and num_queues is not one", "if queues is
    // NULL".
    if num_queues != 1 {
        return Err(Error::INVALID_VALUE);
    }
    let queue = queues.get().ok_or(Error::INVALID_VALUE)?;
    let queue = host_queue(queue)?;
    let list = properties(property_list).map_err(|_| Error::INVALID_VALUE)?;
    let mut flags = None;
    let mut asserts = None;
    // "if values specified in properties are not valid, or if the same property name is specified more than once".
    for pair in list.chunks_exact(2) {
        let (place, known) = match pair[0] {
            name if name == CL_COMMAND_BUFFER_FLAGS_KHR.into() => (&mut flags, KNOWN_FLAGS),
            CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR => (&mut asserts, KNOWN_ASSERTS),
            _ => return Err(Error::INVALID_VALUE),
        };
        if place.replace(pair[1]).is_some() || pair[1] & !known != 0 {
            return Err(Error::INVALID_VALUE);
        }
    }
    let flags = flags.unwrap_or(0);
    // "if values specified in properties are valid but are not supported by all the devices".
    if flags & !FLAGS != 0 {
        return Err(Error::INVALID_PROPERTY);
    }
    Ok(Object::new(CommandBuffer::new(queue, list, flags)).raw())
}

/// CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR.
const KNOWN_FLAGS: cl_properties = 7;

/// Those that can be had.
const FLAGS: cl_properties = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;

/// Nothing is made of them: any update will do.
const KNOWN_ASSERTS: cl_properties = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;

/// clRetainCommandBufferKHR.
pub fn retain(buffer: cl_command_buffer_khr) -> Result<()> {
    object::retain::<CommandBuffer>(buffer)
}

/// clReleaseCommandBufferKHR.
pub fn release(buffer: cl_command_buffer_khr) -> Result<()> {
    object::release::<CommandBuffer>(buffer).map(drop)
}

/// clFinalizeCommandBufferKHR.
pub fn finalize(buffer: cl_command_buffer_khr) -> Result<()> {
    object::lookup::<CommandBuffer>(buffer)?.finalize()
}

/// clEnqueueCommandBufferKHR.
pub fn enqueue(
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
    buffer: cl_command_buffer_khr,
    waits: Waits,
) -> Result<()> {
    let buffer = object::lookup::<CommandBuffer>(buffer)?;
    if !buffer.is_executable() {
        return Err(Error::INVALID_OPERATION);
    }
    // "if queues is NULL and num_queues is > 0, or queues is not NULL and num_queues is 0", "if num_queues is > 0 and
    // not the same value as num_queues set on command_buffer creation".
    if queues.is_null() != (num_queues == 0) || num_queues > 1 {
        return Err(Error::INVALID_VALUE);
    }
    let queue = match queues.get() {
        None => buffer.queue.clone(),
        Some(queue) => host_queue(queue)?,
    };
    if queue.properties & !QUEUE_PROPERTIES != 0 {
        return Err(Error::INCOMPATIBLE_COMMAND_QUEUE_KHR);
    }
    // "if any element of queues does not have the same context as the command-queue set on command_buffer creation",
    // and the same device.
    if queue.context.raw() != buffer.queue.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    if queue.device.raw() != buffer.queue.device.raw() {
        return Err(Error::INVALID_DEVICE);
    }
    let events = waits.events(&queue)?;
    let event = buffer.enqueue(&queue, &events)?;
    if !waits.event.is_null() {
        waits.event.put(event.publish());
    }
    Ok(())
}

/// clGetCommandBufferInfoKHR.
pub fn get_info(
    buffer: cl_command_buffer_khr,
    name: cl_uint,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let buffer = object::lookup::<CommandBuffer>(buffer)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_COMMAND_BUFFER_NUM_QUEUES_KHR => answer.value::<cl_uint>(1),
        CL_COMMAND_BUFFER_QUEUES_KHR => answer.value(buffer.queue.raw()),
        CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => answer.value(buffer.reference_count()),
        CL_COMMAND_BUFFER_STATE_KHR => answer.value(if buffer.is_executable() {
            CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
        } else if buffer.is_finalized() {
            CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
        } else {
            CL_COMMAND_BUFFER_STATE_RECORDING_KHR
        }),
        CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => answer.list(&buffer.properties),
        CL_COMMAND_BUFFER_CONTEXT_KHR => answer.value(buffer.queue.context.raw()),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// What all clCommand*KHR calls have: the first three arguments and the last four.
#[derive(Clone, Copy)]
pub struct Record {
    pub buffer: cl_command_buffer_khr,
    pub queue: cl_command_queue,
    pub properties: In<cl_properties>,
    pub count: cl_uint,
    pub list: In<cl_uint>,
    pub sync_point: Out<cl_uint>,
    pub handle: Out<*mut c_void>,
}

impl Record {
    /// The buffer that the command goes to, with the checks that hold for all commands but launches.
    fn buffer(&self) -> Result<Handle<CommandBuffer>> {
        let buffer = self.open()?;
        // "if values specified in properties are not valid": there are none; "if mutable_handle is not NULL".
        let list = properties(self.properties).map_err(|_| Error::INVALID_VALUE)?;
        if list.len() > 1 || !self.handle.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        Ok(buffer)
    }

    /// The buffer that the command goes to, with the checks that hold for all commands.
    fn open(&self) -> Result<Handle<CommandBuffer>> {
        let buffer = object::lookup::<CommandBuffer>(self.buffer)?;
        // "if the cl_khr_command_buffer_multi_device extension is not supported and command_queue is not NULL".
        if !self.queue.is_null() {
            return Err(Error::INVALID_COMMAND_QUEUE);
        }
        // "if command_buffer has been finalized".
        if buffer.is_finalized() {
            return Err(Error::INVALID_OPERATION);
        }
        // "if sync_point_wait_list is NULL and num_sync_points_in_wait_list is > 0", and the other way round.
        if self.list.is_null() != (self.count == 0) {
            return Err(Error::INVALID_SYNC_POINT_WAIT_LIST_KHR);
        }
        Ok(buffer)
    }

    fn record(
        &self,
        buffer: &Handle<CommandBuffer>,
        kind: cl_command_type,
        work: Work,
    ) -> Result<()> {
        let sync_points = self.list.list(self.count as usize);
        let point = buffer.record(kind, work, &sync_points)?;
        self.sync_point.put(point);
        if !self.handle.is_null() {
            self.handle.put(MutableCommand::publish(buffer, point));
        }
        Ok(())
    }
}

/// clCommandBarrierWithWaitListKHR.
pub fn barrier(record: Record) -> Result<()> {
    let buffer = record.buffer()?;
    record.record(&buffer, CL_COMMAND_BARRIER, Work::Nothing)
}

/// clCommandCopyBufferKHR.
pub fn copy_buffer(
    source: cl_mem,
    target: cl_mem,
    source_offset: usize,
    target_offset: usize,
    size: usize,
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let queue = &buffer.queue;
    let action =
        enqueue_buffer::copy_action(queue, source, target, source_offset, target_offset, size)?;
    record.record(&buffer, CL_COMMAND_COPY_BUFFER, action.into())
}

/// clCommandCopyBufferRectKHR.
pub fn copy_rect(
    source: cl_mem,
    target: cl_mem,
    corners: &Corners,
    pitches: &Pitches,
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let action = enqueue_buffer::copy_rect_action(&buffer.queue, source, target, corners, pitches)?;
    record.record(&buffer, CL_COMMAND_COPY_BUFFER_RECT, action.into())
}

/// clCommandFillBufferKHR.
pub fn fill_buffer(
    target: cl_mem,
    pattern: In<c_void>,
    pattern_size: usize,
    offset: usize,
    size: usize,
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let queue = &buffer.queue;
    let action = enqueue_buffer::fill_action(queue, target, pattern, pattern_size, offset, size)?;
    record.record(&buffer, CL_COMMAND_FILL_BUFFER, action.into())
}

/// clCommandSVMMemcpyKHR.
pub fn svm_memcpy(
    target: *mut c_void,
    source: In<c_void>,
    size: usize,
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let action = svm::copy_action(target, source, size)?;
    record.record(&buffer, CL_COMMAND_SVM_MEMCPY, action.into())
}

/// clCommandSVMMemFillKHR.
pub fn svm_mem_fill(
    target: *mut c_void,
    pattern: In<c_void>,
    pattern_size: usize,
    size: usize,
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let action = svm::fill_action(target, pattern, pattern_size, size)?;
    record.record(&buffer, CL_COMMAND_SVM_MEMFILL, action.into())
}

/// clCommandCopyImageKHR.
pub fn copy_image(
    source: cl_mem,
    target: cl_mem,
    corners: [In<usize>; 3],
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let action = enqueue_image::copy_action(&buffer.queue, source, target, corners)?;
    record.record(&buffer, CL_COMMAND_COPY_IMAGE, action.into())
}

/// clCommandCopyImageToBufferKHR.
pub fn copy_image_to_buffer(
    source: cl_mem,
    target: cl_mem,
    area: [In<usize>; 2],
    offset: usize,
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let queue = &buffer.queue;
    let action = enqueue_image::copy_to_buffer_action(queue, source, target, area, offset)?;
    record.record(&buffer, CL_COMMAND_COPY_IMAGE_TO_BUFFER, action.into())
}

/// clCommandCopyBufferToImageKHR.
pub fn copy_buffer_to_image(
    source: cl_mem,
    target: cl_mem,
    offset: usize,
    area: [In<usize>; 2],
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let queue = &buffer.queue;
    let action = enqueue_image::copy_from_buffer_action(queue, source, target, offset, area)?;
    record.record(&buffer, CL_COMMAND_COPY_BUFFER_TO_IMAGE, action.into())
}

/// clCommandFillImageKHR.
pub fn fill_image(
    target: cl_mem,
    color: In<c_void>,
    area: [In<usize>; 2],
    record: Record,
) -> Result<()> {
    let buffer = record.buffer()?;
    let action = enqueue_image::fill_action(&buffer.queue, target, color, area)?;
    record.record(&buffer, CL_COMMAND_FILL_IMAGE, action.into())
}

/// clCommandNDRangeKernelKHR.
pub fn nd_range(kernel: cl_kernel, space: IndexSpace, record: Record) -> Result<()> {
    let buffer = record.open()?;
    let queue = &buffer.queue;
    let (list, wanted) = mutable_dispatch::properties_of(&buffer, record.properties, &space)?;
    let kernel = enqueue_kernel::find_kernel(queue, kernel)?;
    let space = space.read()?;
    let extent = enqueue_kernel::extent(&space, queue, &kernel)?;
    let args = kernel.args();
    let bound = mutable_dispatch::bind(&kernel, &args)?;
    // "if the kernel argument values have not been specified and the CL_MUTABLE_DISPATCH_ARGUMENTS_KHR flag was not set
    // in the properties parameter".
    if bound.is_none() && wanted.unwrap_or(0) & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR == 0 {
        return Err(Error::INVALID_KERNEL_ARGS);
    }
    let launch = Launch {
        kernel,
        args,
        bound,
        space,
        extent,
        fields: wanted.unwrap_or(mutable_dispatch::FIELDS),
        properties: list,
    };
    let work = Work::Launch(Box::new(launch));
    record.record(&buffer, CL_COMMAND_NDRANGE_KERNEL, work)
}
