//! Enqueueing: what all commands share (wait lists, the event to give back), and the commands that only synchronise.

use super::ptr::{In, Out};
use crate::cl::*;
use crate::runtime::command::Action;
use crate::runtime::{Event, Handle, Memory, Queue, object};

/// The last three arguments of a clEnqueue* call.
#[derive(Clone, Copy)]
pub struct Waits {
    pub count: cl_uint,
    pub list: In<cl_event>,
    pub event: Out<cl_event>,
}

impl Waits {
    /// The events of the wait list, checked.
    pub fn events(self, queue: &Queue) -> Result<Vec<Handle<Event>>> {
        // "if event_wait_list is NULL and num_events_in_wait_list is greater than zero", and the other way round.
        if self.list.is_null() != (self.count == 0) {
            return Err(Error::INVALID_EVENT_WAIT_LIST);
        }
        let mut events = Vec::new();
        for event in self.list.list(self.count as usize) {
            // "if event objects in event_wait_list are not valid events".
            let event =
                object::lookup::<Event>(event).map_err(|_| Error::INVALID_EVENT_WAIT_LIST)?;
            // "if the context associated with command_queue and events in event_wait_list are not the same".
            if event
                .context()
                .is_none_or(|context| context.raw() != queue.context.raw())
            {
                return Err(Error::INVALID_CONTEXT);
            }
            events.push(event);
        }
        Ok(events)
    }
}

/// Enqueues a command, waits for it when it is `blocking`, and gives its event to the application.
/// # Errors
/// Of a blocking command also its own: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST and the like.
pub fn submit(
    queue: &Handle<Queue>,
    kind: cl_command_type,
    mut action: Action,
    blocking: bool,
    wait_list: &[Handle<Event>],
    event_ret: Out<cl_event>,
) -> Result<()> {
    if event_ret.is_null() && wait_list.is_empty() && queue.run_at_once(&mut action) {
        return Ok(());
    }
    let event = queue.enqueue(kind, action, wait_list)?;
    if blocking {
        event.wait()?;
    }
    if !event_ret.is_null() {
        event_ret.put(event.publish());
    }
    Ok(())
}

/// A queue that the host may enqueue in: CL_INVALID_COMMAND_QUEUE "if command_queue is not a valid host command-queue".
pub fn host_queue(queue: cl_command_queue) -> Result<Handle<Queue>> {
    let queue = object::lookup::<Queue>(queue)?;
    if queue.is_on_device() {
        return Err(Error::INVALID_COMMAND_QUEUE);
    }
    Ok(queue)
}

/// A memory object of the queue's context.
pub fn memory(queue: &Queue, memory: cl_mem) -> Result<Handle<Memory>> {
    let memory = object::lookup::<Memory>(memory)?;
    // "if the context associated with command_queue and buffer are not the same".
    if memory.context.raw() != queue.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    Ok(memory)
}

/// A buffer of the queue's context: CL_INVALID_MEM_OBJECT "if buffer is not a valid buffer object".
pub fn buffer(queue: &Queue, buffer: cl_mem) -> Result<Handle<Memory>> {
    let buffer = memory(queue, buffer)?;
    if !buffer.is_buffer() {
        return Err(Error::INVALID_MEM_OBJECT);
    }
    Ok(buffer)
}

/// clEnqueueMarkerWithWaitList.
pub fn marker_with_wait_list(queue: cl_command_queue, waits: Waits) -> Result<()> {
    synchronise(queue, CL_COMMAND_MARKER, Action::Marker, waits)
}

/// clEnqueueBarrierWithWaitList.
pub fn barrier_with_wait_list(queue: cl_command_queue, waits: Waits) -> Result<()> {
    synchronise(queue, CL_COMMAND_BARRIER, Action::Barrier, waits)
}

fn synchronise(
    queue: cl_command_queue,
    kind: cl_command_type,
    action: Action,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let events = waits.events(&queue)?;
    submit(&queue, kind, action, false, &events, waits.event)
}

/// clEnqueueMarker.
pub fn marker(queue: cl_command_queue, event: Out<cl_event>) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if event is NULL".
    if event.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    submit(&queue, CL_COMMAND_MARKER, Action::Marker, false, &[], event)
}

/// clEnqueueBarrier.
pub fn barrier(queue: cl_command_queue) -> Result<()> {
    let queue = host_queue(queue)?;
    queue
        .enqueue(CL_COMMAND_BARRIER, Action::Barrier, &[])
        .map(drop)
}

/// clEnqueueWaitForEvents: a barrier for the events of the list.
pub fn wait_for_events(queue: cl_command_queue, count: cl_uint, list: In<cl_event>) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if num_events is 0 or event_list is NULL".
    if count == 0 || list.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut events = Vec::new();
    for event in list.list(count as usize) {
        // "if the events specified in event_list are not valid events" is CL_INVALID_EVENT here.
        let event = object::lookup::<Event>(event)?;
        if event
            .context()
            .is_none_or(|context| context.raw() != queue.context.raw())
        {
            return Err(Error::INVALID_CONTEXT);
        }
        events.push(event);
    }
    queue
        .enqueue(CL_COMMAND_BARRIER, Action::Barrier, &events)
        .map(drop)
}

/// CL_INVALID_VALUE: "if flags is not 0 or is not any of the values described in the table above".
pub fn check_migration_flags(flags: cl_mem_migration_flags) -> Result<()> {
    if flags & !(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) != 0 {
        Err(Error::INVALID_VALUE)
    } else {
        Ok(())
    }
}

/// clEnqueueMigrateMemObjects: all memory is where the device is already, so only the order counts.
pub fn migrate(
    queue: cl_command_queue,
    count: cl_uint,
    objects: In<cl_mem>,
    flags: cl_mem_migration_flags,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if num_mem_objects is zero or if mem_objects is NULL".
    if count == 0 || objects.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    check_migration_flags(flags)?;
    let mut held = Vec::new();
    for object in objects.list(count as usize) {
        held.push(memory(&queue, object)?);
    }
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_MIGRATE_MEM_OBJECTS,
        Action::Hold(held.into()),
        false,
        &events,
        waits.event,
    )
}
