//! Command queues, in order and out of order: where a command gets its edges.
//!
//! In order: each command depends on the one before it. Out of order: a command depends on its wait list and on the
//! last barrier. A marker or barrier with an empty list waits for all earlier commands; for that, each command of an
//! out-of-order queue counts in the queue's *gate*, a node that has not begun to end, and the marker depends on the
//! gate and begins a new one. So neither needs a list of commands. The order alone does not carry errors.
//! Sources: OpenCL API 5.1, 5.12 "Markers, Barriers and Waiting for Events", 5.13 "Out-of-order execution", 5.15.
//!
//! Invariant: a queue that the application has released holds no event that has ended (events hold their queue).

use super::command::Action;
use super::context::Context;
use super::device::Device;
use super::event::{Event, Ready};
use super::futex::Lock;
use super::object::{Body, Handle, Object};
use super::pool;
use crate::cl::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Queue {
    pub context: Handle<Context>,
    pub device: Handle<Device>,
    /// CL_QUEUE_PROPERTIES: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE and CL_QUEUE_PROFILING_ENABLE.
    pub properties: cl_command_queue_properties,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub property_list: Vec<cl_queue_properties>,
    tail: Lock<Tail>,
    retired: AtomicBool,
}

struct Tail {
    /// In order: the last command. Out of order: the last barrier.
    last: Option<Handle<Event>>,
    /// Out of order: the node that counts the commands since the last marker or barrier, and it.
    gate: Option<Handle<Event>>,
    /// Commands since the last flush.
    unflushed: u32,
}

/// So many commands start without a flush.
const UNFLUSHED_LIMIT: u32 = 16;

impl Body for Queue {
    const INVALID: Error = Error::INVALID_COMMAND_QUEUE;
    const OUTLIVES_RELEASE: bool = true;

    /// "clReleaseCommandQueue performs an implicit flush to issue any previously queued OpenCL commands."
    fn on_last_release(this: &Handle<Queue>) {
        this.retire();
    }
}

impl Queue {
    pub fn new(
        context: Handle<Context>,
        device: Handle<Device>,
        properties: cl_command_queue_properties,
        property_list: Vec<cl_queue_properties>,
    ) -> Handle<Queue> {
        let unordered = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0;
        Object::new(Queue {
            context,
            device,
            properties,
            property_list,
            tail: Lock::new(Tail {
                last: None,
                gate: unordered.then(Object::<Event>::gate),
                unflushed: 0,
            }),
            retired: AtomicBool::new(false),
        })
    }

    pub fn is_out_of_order(&self) -> bool {
        self.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0
    }

    pub fn is_profiled(&self) -> bool {
        self.properties & CL_QUEUE_PROFILING_ENABLE != 0
    }

    /// clFlush: what can run begins.
    pub fn flush(&self) {
        self.tail.lock().unflushed = 0;
        pool::flush();
    }

    fn retire(&self) {
        // SeqCst: see `settle_all` in event.rs: either it sees the mark, or we see that the event has ended.
        self.retired.store(true, Ordering::SeqCst);
        let ended = {
            let mut tail = self.tail.lock();
            tail.unflushed = 0;
            tail.last.take_if(|last| last.is_done())
        };
        drop(ended);
        pool::flush();
    }

    /// A command of this queue has ended.
    pub(super) fn forget(&self, event: &Handle<Event>) {
        // SeqCst: as in `retire`.
        if !self.retired.load(Ordering::SeqCst) {
            return;
        }
        let ended = {
            let mut tail = self.tail.lock();
            tail.last.take_if(|last| Arc::ptr_eq(last, event))
        };
        drop(ended);
    }
}

impl Object<Queue> {
    /// Enqueues a command. It may have ended when this returns. The event has no handle until it is published.
    pub fn enqueue(
        self: &Arc<Self>,
        kind: cl_command_type,
        action: Action,
        wait_list: &[Handle<Event>],
    ) -> Result<Handle<Event>> {
        let waits_for_all =
            wait_list.is_empty() && matches!(action, Action::Marker | Action::Barrier);
        let is_barrier = matches!(action, Action::Barrier);
        let small = action.is_small();
        let event = Object::<Event>::command(self, kind, action);
        for other in wait_list {
            other.add_dependant(&event, true);
        }
        let mut ready = Ready::new();
        let (before, gate, nudge) = {
            let mut tail = self.tail.lock();
            let before = if tail.gate.is_some() {
                tail.order_loosely(&event, waits_for_all, is_barrier)
            } else {
                (tail.order_strictly(&event), None)
            };
            tail.unflushed += 1;
            let nudge = tail.unflushed >= UNFLUSHED_LIMIT;
            if nudge {
                tail.unflushed = 0;
            }
            (before.0, before.1, nudge)
        };
        // Dropped outside the lock: the end of an object can run code of the application.
        drop(before);
        if let Some(gate) = gate {
            gate.release_guard(&mut ready);
        }
        event.release_guard(&mut ready);
        for command in ready {
            pool::push(command, small && !nudge);
        }
        if nudge {
            pool::flush();
        }
        Ok(event)
    }

    /// clFinish: waits for all commands enqueued so far. The calling thread takes part in the work.
    pub fn finish(self: &Arc<Self>) {
        if self.is_out_of_order() {
            let all = self.enqueue(CL_COMMAND_MARKER, Action::Marker, &[]);
            if let Ok(all) = all {
                pool::wait(&all);
            }
            return;
        }
        let last = {
            let mut tail = self.tail.lock();
            tail.unflushed = 0;
            tail.last.clone()
        };
        if let Some(last) = last {
            pool::wait(&last);
        }
    }
}

impl Tail {
    /// In order: after the command before it. Gives back what must be dropped outside the lock.
    fn order_strictly(&mut self, event: &Handle<Event>) -> Option<Handle<Event>> {
        let before = self.last.replace(event.clone());
        if let Some(before) = &before {
            before.add_dependant(event, false);
        }
        before
    }

    /// Out of order: after the last barrier, and for a marker or barrier without a list after everything. Gives back
    /// what must be dropped outside the lock, and the gate whose guard must be released.
    fn order_loosely(
        &mut self,
        event: &Handle<Event>,
        waits_for_all: bool,
        is_barrier: bool,
    ) -> (Option<Handle<Event>>, Option<Handle<Event>>) {
        if let Some(barrier) = &self.last {
            barrier.add_dependant(event, false);
        }
        let mut full = None;
        if waits_for_all {
            full = self.gate.replace(Object::<Event>::gate());
            if let Some(full) = &full {
                full.add_dependant(event, false);
            }
        }
        if let Some(gate) = &self.gate {
            event.add_dependant(gate, false);
        }
        let before = if is_barrier {
            self.last.replace(event.clone())
        } else {
            self.last.take_if(|barrier| barrier.is_done())
        };
        (before, full)
    }
}
