//! Entry points of events.

use super::ptr::{Answer, In, Out};
use crate::cl::*;
use crate::runtime::context::Callback;
use crate::runtime::event::EventFn;
use crate::runtime::{Context, Event, Handle, Object, object};

/// clCreateUserEvent.
pub fn create_user(context: cl_context) -> Result<cl_event> {
    let context = object::lookup::<Context>(context)?;
    Ok(Object::<Event>::user(context).publish())
}

/// clSetUserEventStatus.
pub fn set_user_status(event: cl_event, status: cl_int) -> Result<()> {
    object::lookup::<Event>(event)?.set_user_status(status)
}

/// clRetainEvent.
pub fn retain(event: cl_event) -> Result<()> {
    object::retain::<Event>(event)
}

/// clReleaseEvent.
pub fn release(event: cl_event) -> Result<()> {
    object::release::<Event>(event).map(drop)
}

/// clWaitForEvents.
pub fn wait(count: cl_uint, list: In<cl_event>) -> Result<()> {
    // "if num_events is zero or event_list is NULL".
    if count == 0 || list.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut events: Vec<Handle<Event>> = Vec::new();
    for event in list.list(count as usize) {
        events.push(object::lookup::<Event>(event)?);
    }
    let context = |event: &Handle<Event>| event.context().map(|context| context.raw());
    // "if events specified in event_list do not belong to the same context".
    if events
        .iter()
        .any(|event| context(event) != context(&events[0]))
    {
        return Err(Error::INVALID_CONTEXT);
    }
    let mut failed = false;
    for event in &events {
        failed |= event.wait().is_err();
    }
    // "if the execution status of any of the events in event_list is a negative integer value".
    if failed {
        Err(Error::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    } else {
        Ok(())
    }
}

/// clGetEventInfo.
pub fn get_info(
    event: cl_event,
    name: cl_event_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let event = object::lookup::<Event>(event)?;
    let answer = Answer::new(room, value, size_ret);
    let null = std::ptr::null_mut();
    match name {
        // "For user event objects, a NULL value is returned."
        CL_EVENT_COMMAND_QUEUE => {
            answer.value::<cl_command_queue>(event.queue().map_or(null, |queue| queue.raw()))
        }
        CL_EVENT_CONTEXT => {
            answer.value::<cl_context>(event.context().map_or(null, |context| context.raw()))
        }
        CL_EVENT_COMMAND_TYPE => answer.value(event.command_type()),
        CL_EVENT_COMMAND_EXECUTION_STATUS => answer.value(event.poll()),
        CL_EVENT_REFERENCE_COUNT => answer.value(event.reference_count()),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clSetEventCallback.
pub fn set_callback(
    event: cl_event,
    kind: cl_int,
    notify: Option<EventFn>,
    user_data: *mut c_void,
) -> Result<()> {
    let event = object::lookup::<Event>(event)?;
    // "if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING, or CL_COMPLETE".
    let function = notify.ok_or(Error::INVALID_VALUE)?;
    if ![CL_SUBMITTED, CL_RUNNING, CL_COMPLETE].contains(&kind) {
        return Err(Error::INVALID_VALUE);
    }
    event.add_callback(
        kind,
        Callback {
            function,
            user_data,
        },
    );
    Ok(())
}

/// clGetEventProfilingInfo.
pub fn get_profiling_info(
    event: cl_event,
    name: cl_profiling_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let event = object::lookup::<Event>(event)?;
    Answer::new(room, value, size_ret).value(event.profiling(name)?)
}
