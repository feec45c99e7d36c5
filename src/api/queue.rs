//! Entry points of command queues.

use super::enqueue_sync::host_queue;
use super::ptr::{Answer, In, Out, properties};
use crate::cl::*;
use crate::runtime::{Context, Device, Handle, Queue, object};

const ON_HOST: cl_command_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
const ON_DEVICE: cl_command_queue_properties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE and CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, in bytes: device queues have all the
/// memory that they need, whatever they are asked to have.
pub const MAX_SIZE: cl_uint = 1 << 20;
pub const PREFERRED_SIZE: cl_uint = 64 << 10;

/// clCreateCommandQueue.
pub fn create(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> Result<cl_command_queue> {
    let (context, device) = find(context, device)?;
    // "if values specified in properties are not valid": this call is of before device queues.
    if properties & !ON_HOST != 0 {
        return Err(Error::INVALID_VALUE);
    }
    Ok(Queue::new(context, device, properties, Vec::new()).raw())
}

/// clCreateCommandQueueWithProperties and clCreateCommandQueueWithPropertiesKHR.
pub fn create_with_properties(
    context: cl_context,
    device: cl_device_id,
    property_list: In<cl_queue_properties>,
) -> Result<cl_command_queue> {
    let (context, device) = find(context, device)?;
    let list = properties(property_list).map_err(|_| Error::INVALID_VALUE)?;
    let mut flags: Option<cl_command_queue_properties> = None;
    let mut size = None;
    let (mut priority, mut throttle) = (None, None);
    for pair in list.chunks_exact(2) {
        let slot = match u32::try_from(pair[0]) {
            Ok(CL_QUEUE_PROPERTIES) => &mut flags,
            Ok(CL_QUEUE_SIZE) => &mut size,
            Ok(CL_QUEUE_PRIORITY_KHR) => &mut priority,
            Ok(CL_QUEUE_THROTTLE_KHR) => &mut throttle,
            // "if values specified in properties are not valid".
            _ => return Err(Error::INVALID_VALUE),
        };
        if slot.replace(pair[1]).is_some() {
            return Err(Error::INVALID_VALUE);
        }
    }
    // Hints (cl_khr_priority_hints, cl_khr_throttle_hints): one of HIGH, MED and LOW, which have the same values in
    // both. Commands of all queues are taken in turn, whatever they are.
    let hints = [priority, throttle].into_iter().flatten();
    let known = [
        CL_QUEUE_PRIORITY_HIGH_KHR,
        CL_QUEUE_PRIORITY_MED_KHR,
        CL_QUEUE_PRIORITY_LOW_KHR,
    ];
    if hints.into_iter().any(|hint| !known.contains(&hint)) {
        return Err(Error::INVALID_VALUE);
    }
    let flags = flags.unwrap_or(0);
    let on_device = flags & CL_QUEUE_ON_DEVICE != 0;
    if flags & !(ON_HOST | ON_DEVICE) != 0
        // "If CL_QUEUE_ON_DEVICE is set, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE must also be set".
        || (on_device && flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0)
        // CL_QUEUE_ON_DEVICE_DEFAULT "can only be used with CL_QUEUE_ON_DEVICE", and so can CL_QUEUE_SIZE; hints are
        // for host queues.
        || (on_device && (priority.is_some() || throttle.is_some()))
        || (!on_device && (flags & CL_QUEUE_ON_DEVICE_DEFAULT != 0 || size.is_some()))
    {
        return Err(Error::INVALID_VALUE);
    }
    if !on_device {
        return Ok(Queue::new(context, device, flags, list).raw());
    }
    // "must be a value less than or equal to CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE".
    if size.is_some_and(|size| size == 0 || size > MAX_SIZE.into()) {
        return Err(Error::INVALID_QUEUE_PROPERTIES);
    }
    let is_default = flags & CL_QUEUE_ON_DEVICE_DEFAULT != 0;
    // "If there is already a default queue [...] will return the default device queue that has already been created and
    // increment its retain count by 1".
    if is_default && let Some(known) = context.default_queue(&device) {
        object::retain::<Queue>(known.raw())?;
        return Ok(known.raw());
    }
    let queue = Queue::new(context.clone(), device, flags, list);
    if is_default {
        context.set_default_queue(&queue);
    }
    Ok(queue.raw())
}

/// clSetDefaultDeviceCommandQueue.
pub fn set_default(
    context: cl_context,
    device: cl_device_id,
    queue: cl_command_queue,
) -> Result<()> {
    let (context, device) = find(context, device)?;
    // "if command_queue is not a valid command-queue for device".
    let queue = object::lookup::<Queue>(queue)?;
    if !queue.is_on_device()
        || queue.context.raw() != context.raw()
        || queue.device.raw() != device.raw()
    {
        return Err(Error::INVALID_COMMAND_QUEUE);
    }
    context.set_default_queue(&queue);
    Ok(())
}

fn find(context: cl_context, device: cl_device_id) -> Result<(Handle<Context>, Handle<Device>)> {
    let context = object::lookup::<Context>(context)?;
    let device = object::lookup::<Device>(device)?;
    // "if device is not associated with context".
    if context.has_device(&device) {
        Ok((context, device))
    } else {
        Err(Error::INVALID_DEVICE)
    }
}

/// clRetainCommandQueue.
pub fn retain(queue: cl_command_queue) -> Result<()> {
    object::retain::<Queue>(queue)
}

/// clReleaseCommandQueue.
pub fn release(queue: cl_command_queue) -> Result<()> {
    object::release::<Queue>(queue).map(drop)
}

/// clGetCommandQueueInfo.
pub fn get_info(
    queue: cl_command_queue,
    name: cl_command_queue_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let queue = object::lookup::<Queue>(queue)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_QUEUE_CONTEXT => answer.value(queue.context.raw()),
        CL_QUEUE_DEVICE => answer.value(queue.device.raw()),
        CL_QUEUE_REFERENCE_COUNT => answer.value(queue.reference_count()),
        CL_QUEUE_PROPERTIES => answer.value(queue.properties),
        CL_QUEUE_PROPERTIES_ARRAY => answer.list(&queue.property_list),
        // "if command_queue is not a valid command-queue for param_name": the size of a device queue.
        CL_QUEUE_SIZE if !queue.is_on_device() => Err(Error::INVALID_COMMAND_QUEUE),
        CL_QUEUE_SIZE => {
            let mut pairs = queue.property_list.chunks_exact(2);
            let given = pairs.find(|pair| pair[0] == CL_QUEUE_SIZE.into());
            answer.value(given.map_or(PREFERRED_SIZE, |pair| pair[1] as cl_uint))
        }
        CL_QUEUE_DEVICE_DEFAULT => {
            let default = queue.context.default_queue(&queue.device);
            answer.value::<cl_command_queue>(default.map_or(std::ptr::null_mut(), |q| q.raw()))
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clSetCommandQueueProperty: "if no devices in the context associated with command_queue support modifying the
/// properties of a command-queue".
pub fn set_property(
    queue: cl_command_queue,
    properties: cl_command_queue_properties,
    enable: cl_bool,
    old_properties: Out<cl_command_queue_properties>,
) -> Result<()> {
    object::lookup::<Queue>(queue)?;
    let _ = (properties, enable, old_properties);
    Err(Error::INVALID_OPERATION)
}

/// clFlush.
pub fn flush(queue: cl_command_queue) -> Result<()> {
    host_queue(queue)?.flush();
    Ok(())
}

/// clFinish.
pub fn finish(queue: cl_command_queue) -> Result<()> {
    host_queue(queue)?.finish();
    Ok(())
}
