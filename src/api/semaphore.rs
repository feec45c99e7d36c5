//! Entry points of cl_khr_semaphore. Binary semaphores are the only type, and they have no payload to be told.

use super::enqueue_sync::{Waits, host_queue};
use super::ptr::{Answer, In, Out};
use crate::cl::*;
use crate::runtime::command::Action;
use crate::runtime::semaphore::{Dependency, Semaphore};
use crate::runtime::{Context, Device, Event, Handle, Object, Queue, object};

/// CL_PLATFORM_SEMAPHORE_TYPES_KHR and CL_DEVICE_SEMAPHORE_TYPES_KHR.
pub const TYPES: &[cl_uint] = &[CL_SEMAPHORE_TYPE_BINARY_KHR];

/// Words of a property list, at most: more means that the end is missing.
const LONGEST: usize = 256;

/// clCreateSemaphoreWithPropertiesKHR.
pub fn create(context: cl_context, properties: In<cl_properties>) -> Result<cl_semaphore_khr> {
    let context = object::lookup::<Context>(context)?;
    // "if sema_props is NULL".
    if properties.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut words = (0..LONGEST).filter_map(|at| properties.at(at));
    let mut next = || words.next().ok_or(Error::INVALID_PROPERTY);
    let (mut kind, mut devices, mut list) = (None, None, Vec::new());
    loop {
        let name = next()?;
        list.push(name);
        match u32::try_from(name) {
            Ok(0) => break,
            // "if the same property name is specified more than once".
            Ok(CL_SEMAPHORE_TYPE_KHR) if kind.is_none() => {
                let value = next()?;
                list.push(value);
                if value != u64::from(CL_SEMAPHORE_TYPE_BINARY_KHR) {
                    return Err(Error::INVALID_PROPERTY);
                }
                kind = Some(value);
            }
            Ok(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) if devices.is_none() => {
                let mut handles = Vec::new();
                loop {
                    let handle = next()?;
                    list.push(handle);
                    if handle == 0 {
                        break;
                    }
                    handles.push(handle);
                }
                devices = Some(handles);
            }
            // "if a property name in sema_props is not a supported property name".
            _ => return Err(Error::INVALID_PROPERTY),
        }
    }
    // "if sema_props do not specify <property, value> pairs for minimum set of properties".
    if kind.is_none() {
        return Err(Error::INVALID_VALUE);
    }
    let devices = match devices {
        // "For a multi-device context CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR must be specified".
        None if context.devices.len() > 1 => return Err(Error::INVALID_PROPERTY),
        None => context.devices.clone(),
        // "does not identify exactly one valid device; or [...] is not one of the devices within context".
        Some(handles) => match handles[..] {
            [handle] => {
                let device = object::lookup::<Device>(handle as usize as cl_device_id)?;
                if !context.has_device(&device) {
                    return Err(Error::INVALID_DEVICE);
                }
                vec![device]
            }
            _ => return Err(Error::INVALID_DEVICE),
        },
    };
    Ok(Object::new(Semaphore::new(context, devices, list)).raw())
}

/// clRetainSemaphoreKHR.
pub fn retain(semaphore: cl_semaphore_khr) -> Result<()> {
    object::retain::<Semaphore>(semaphore)
}

/// clReleaseSemaphoreKHR.
pub fn release(semaphore: cl_semaphore_khr) -> Result<()> {
    object::release::<Semaphore>(semaphore).map(drop)
}

/// clGetSemaphoreInfoKHR.
pub fn get_info(
    semaphore: cl_semaphore_khr,
    name: cl_uint,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let semaphore = object::lookup::<Semaphore>(semaphore)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_SEMAPHORE_CONTEXT_KHR => answer.value(semaphore.context.raw()),
        CL_SEMAPHORE_REFERENCE_COUNT_KHR => answer.value(semaphore.reference_count()),
        CL_SEMAPHORE_PROPERTIES_KHR => answer.list(&semaphore.properties),
        CL_SEMAPHORE_TYPE_KHR => answer.value(CL_SEMAPHORE_TYPE_BINARY_KHR),
        CL_SEMAPHORE_PAYLOAD_KHR => answer.value(semaphore.payload()),
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR => {
            let devices = semaphore.devices.iter().map(|device| device.raw());
            answer.list(&devices.collect::<Vec<_>>())
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clGetSemaphoreHandleForTypeKHR of cl_khr_external_semaphore, which the device does not have; clients of
/// cl_khr_semaphore ask for its address all the same. No semaphore can be exported.
pub fn handle(semaphore: cl_semaphore_khr, device: cl_device_id) -> Result<()> {
    let semaphore = object::lookup::<Semaphore>(semaphore)?;
    let device = object::lookup::<Device>(device)?;
    // "if sema_object belongs to a context that is not associated with device, or if sema_object can not be shared
    // with device".
    if !semaphore
        .devices
        .iter()
        .any(|other| other.raw() == device.raw())
    {
        return Err(Error::INVALID_DEVICE);
    }
    // "if the requested external semaphore handle type was not specified when sema_object was created".
    Err(Error::INVALID_VALUE)
}

/// clEnqueueWaitSemaphoresKHR.
pub fn enqueue_wait(
    queue: cl_command_queue,
    count: cl_uint,
    semaphores: In<cl_semaphore_khr>,
    waits: Waits,
) -> Result<()> {
    let call = Call::check(queue, count, semaphores, waits)?;
    let taken: Vec<Dependency> = call.semaphores.iter().map(|each| each.take()).collect();
    let mut list = call.events;
    list.extend(taken.iter().map(|dependency| dependency.on.clone()));
    let kind = CL_COMMAND_SEMAPHORE_WAIT_KHR;
    let event = call.queue.enqueue(kind, Action::Nothing, &list)?;
    for (semaphore, dependency) in call.semaphores.iter().zip(taken) {
        semaphore.has_taken(dependency, &event);
    }
    if !waits.event.is_null() {
        waits.event.put(event.publish());
    }
    Ok(())
}

/// clEnqueueSignalSemaphoresKHR.
pub fn enqueue_signal(
    queue: cl_command_queue,
    count: cl_uint,
    semaphores: In<cl_semaphore_khr>,
    waits: Waits,
) -> Result<()> {
    let call = Call::check(queue, count, semaphores, waits)?;
    let kind = CL_COMMAND_SEMAPHORE_SIGNAL_KHR;
    let event = call.queue.enqueue(kind, Action::Nothing, &call.events)?;
    for semaphore in &call.semaphores {
        semaphore.give(&event);
    }
    if !waits.event.is_null() {
        waits.event.put(event.publish());
    }
    Ok(())
}

/// What waiting and signalling have in common.
struct Call {
    queue: Handle<Queue>,
    semaphores: Vec<Handle<Semaphore>>,
    events: Vec<Handle<Event>>,
}

impl Call {
    fn check(
        queue: cl_command_queue,
        count: cl_uint,
        semaphores: In<cl_semaphore_khr>,
        waits: Waits,
    ) -> Result<Call> {
        let queue = host_queue(queue)?;
        // "if num_sema_objects is 0".
        if count == 0 || semaphores.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let list = semaphores.list(count as usize);
        let semaphores: Vec<_> = list
            .into_iter()
            .map(object::lookup::<Semaphore>)
            .collect::<Result<_>>()?;
        for semaphore in &semaphores {
            // "if the context associated with command_queue and any of the semaphore objects [...] are not the same".
            if semaphore.context.raw() != queue.context.raw() {
                return Err(Error::INVALID_CONTEXT);
            }
            // "if the device associated with command_queue is not same as one of the devices specified".
            let same = |device: &Handle<Device>| device.raw() == queue.device.raw();
            if !semaphore.devices.iter().any(same) {
                return Err(Error::INVALID_COMMAND_QUEUE);
            }
        }
        let events = waits.events(&queue)?;
        // "if the execution status of any of the events in event_wait_list is a negative integer value".
        if events.iter().any(|event| event.status() < 0) {
            return Err(Error::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
        Ok(Call {
            queue,
            semaphores,
            events,
        })
    }
}
