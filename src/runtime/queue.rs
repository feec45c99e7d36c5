//! Command queues, in order and out of order: where a command gets its edges.
//!
//! In order: each command depends on the one before it. Out of order: a command depends on its wait list and on the
//! last barrier. A marker or barrier with an empty list waits for all earlier commands; for that, each command of an
//! out-of-order queue counts in the queue's *gate*, a node that has not begun to end, and the marker depends on the
//! gate and begins a new one. So neither needs a list of commands. The order alone does not carry errors.
//! Sources: OpenCL API 5.1, 5.12 "Markers, Barriers and Waiting for Events", 5.13 "Out-of-order execution", 5.15.
//!
//! Invariant: a queue that the application has released holds no event that has ended (events hold their queue).

use super::callback;
use super::command::{Action, HAND_OVER};
use super::context::Context;
use super::device::Device;
use super::event::{Event, Ready};
use super::execute;
use super::object::{Body, Handle, Object};
use super::pool;
use crate::cl::*;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

pub struct Queue {
    pub context: Handle<Context>,
    pub device: Handle<Device>,
    /// CL_QUEUE_PROPERTIES: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE and CL_QUEUE_PROFILING_ENABLE.
    pub properties: cl_command_queue_properties,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub property_list: Vec<cl_queue_properties>,
    serial: u32,
    tail: Mutex<Tail>,
    retired: AtomicBool,
    /// The number of the last command that has been flushed.
    flushed: AtomicU64,
    /// As `Tail::count`, for a look without the lock.
    enqueued: AtomicU64,
    spent: Spent,
}

struct Tail {
    /// In order: the last command. Out of order: the last barrier.
    last: Option<Handle<Event>>,
    /// Out of order: the node that counts the commands since the last marker or barrier, and it.
    gate: Option<Handle<Event>>,
    /// Commands enqueued so far.
    count: u64,
    /// Expected ticks of the commands since the last flush, as far as they count.
    unflushed: u64,
}

/// Events that have ended and whose memory waits for the application's thread, which made them: a list of
/// [`Event::next_spent`] links from the newest to the oldest, taken as a whole.
struct Spent {
    first: AtomicPtr<Object<Event>>,
    count: AtomicU32,
}

/// Small commands start without a flush when they add up to so many ticks (some 40 microseconds), each counted as far
/// as it is worth a hand-over.
const UNFLUSHED_LIMIT: u64 = 100_000;

/// So many commands start in any case, because they take memory.
const UNFLUSHED_COMMANDS: u64 = 16_384;

/// Spent events that are worth collecting.
const COLLECT: u32 = 64;

/// More spent events than this are freed by the worker.
const SPENT_LIMIT: u32 = 1024;

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
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);
        let unordered = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0;
        let queue = Object::new(Queue {
            context,
            device,
            properties,
            property_list,
            // Relaxed: only to be different.
            serial: NEXT.fetch_add(1, Ordering::Relaxed),
            tail: Mutex::new(Tail {
                last: None,
                gate: unordered.then(Object::<Event>::gate),
                count: 0,
                unflushed: 0,
            }),
            retired: AtomicBool::new(false),
            flushed: AtomicU64::new(0),
            enqueued: AtomicU64::new(0),
            spent: Spent::new(),
        });
        queue.context.add_queue(&queue);
        queue
    }

    /// A number to tell queues apart by.
    pub(super) fn serial(&self) -> u32 {
        self.serial
    }

    pub fn is_out_of_order(&self) -> bool {
        self.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0
    }

    /// Whether only kernels enqueue commands in it.
    pub fn is_on_device(&self) -> bool {
        self.properties & CL_QUEUE_ON_DEVICE != 0
    }

    pub fn is_profiled(&self) -> bool {
        self.properties & CL_QUEUE_PROFILING_ENABLE != 0
    }

    /// clFlush: what can run begins.
    pub fn flush(&self) {
        self.mark_flushed();
        self.device.pool.get().flush();
    }

    /// All commands so far count as flushed. The pool does not know yet.
    pub(super) fn mark_flushed(&self) {
        self.tail.lock().flush(self);
    }

    /// Commands enqueued so far.
    pub(super) fn enqueued(&self) -> u64 {
        // Relaxed: only compared with itself.
        self.enqueued.load(Ordering::Relaxed)
    }

    /// The number of the last command that has been flushed.
    pub(super) fn flushed(&self) -> u64 {
        // SeqCst: see `Pool::put` in pool.rs.
        self.flushed.load(Ordering::SeqCst)
    }

    /// Keeps an event that has ended for the application's thread to free.
    pub(super) fn put_away(event: Handle<Event>) {
        if let Some(queue) = event.queue() {
            let queue = std::ptr::from_ref::<Queue>(queue);
            // SAFETY: the event holds the queue, and `push` does not touch the queue after it has let the event go.
            unsafe { (*queue).spent.push(event) };
        }
    }

    fn retire(&self) {
        // SeqCst: see `settle_all` in event.rs: either it sees the mark, or we see that the event has ended.
        self.retired.store(true, Ordering::SeqCst);
        let ended = {
            let mut tail = self.tail.lock();
            tail.flush(self);
            tail.last.take_if(|last| last.is_done())
        };
        drop(ended);
        self.spent.close();
        self.device.pool.get().flush();
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
    /// Runs a command that nobody waits for by name, if it is so short that this costs less than enqueueing it and
    /// nothing is before it. It has ended when this answers true; else it has not begun.
    pub fn run_at_once(&self, action: &mut Action) -> bool {
        if self.is_profiled() || self.device.pool.is_pinned() || !action.is_prompt() {
            return false;
        }
        // The command runs under the lock, so that it is alone like any command of a queue in order: it takes about
        // a microsecond, and calls nothing that could take the lock.
        let tail = self.tail.lock();
        let idle = tail.last.as_ref().is_none_or(|last| last.is_done());
        idle && execute::at_once(action)
    }

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
        let ticks = action
            .expected_ticks()
            .unwrap_or(0)
            .saturating_sub(HAND_OVER);
        let event = Object::<Event>::command(self, kind, action);
        for other in wait_list {
            other.add_dependant(&event, true);
        }
        let mut ready = Ready::new();
        let (before, gate, flushed) = {
            let mut tail = self.tail.lock();
            let before = if tail.gate.is_some() {
                tail.order_loosely(&event, waits_for_all, is_barrier)
            } else {
                (tail.order_strictly(&event), None)
            };
            tail.count += 1;
            event.set_number(tail.count);
            // Relaxed: see `enqueued`.
            self.enqueued.store(tail.count, Ordering::Relaxed);
            tail.unflushed += ticks;
            // A large command takes those before it along.
            let flushed = !small
                || tail.unflushed > UNFLUSHED_LIMIT
                || tail.count - self.flushed() > UNFLUSHED_COMMANDS;
            if flushed {
                tail.flush(self);
            }
            (before.0, before.1, flushed)
        };
        // Dropped outside the lock: the end of an object can run code of the application.
        drop(before);
        if let Some(gate) = gate {
            gate.release_guard(&mut ready);
        }
        event.release_guard(&mut ready);
        pool::push_all(ready);
        if flushed {
            self.device.pool.get().flush();
        }
        if self.spent.is_worth_collecting() {
            self.spent.collect();
        }
        Ok(event)
    }

    /// clFinish: waits for all commands enqueued so far. The calling thread takes part in the work.
    pub fn finish(self: &Arc<Self>) {
        if self.is_out_of_order() {
            let all = self.enqueue(CL_COMMAND_MARKER, Action::Marker, &[]);
            self.tail.lock().flush(self);
            if let Ok(all) = all {
                pool::wait(&all);
            }
            callback::drain();
            return;
        }
        let last = {
            let mut tail = self.tail.lock();
            tail.flush(self);
            tail.last.clone()
        };
        if let Some(last) = last {
            pool::wait(&last);
        }
        callback::drain();
    }
}

impl Tail {
    /// All commands so far count as flushed. The pool must be told, outside the lock.
    fn flush(&mut self, queue: &Queue) {
        self.unflushed = 0;
        // SeqCst: see `Pool::put` in pool.rs.
        queue.flushed.store(self.count, Ordering::SeqCst);
    }

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

impl Spent {
    /// Stands for the first event once the queue has been released: nothing is kept any more.
    const CLOSED: *mut Object<Event> = std::ptr::without_provenance_mut(1);

    fn new() -> Spent {
        Spent {
            first: AtomicPtr::default(),
            count: AtomicU32::new(0),
        }
    }

    /// Keeps an event, or drops it. Does not touch `self` after another thread can take the event.
    fn push(&self, event: Handle<Event>) {
        // Relaxed, all on `count`: a hint.
        if self.count.load(Ordering::Relaxed) >= SPENT_LIMIT {
            return;
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        // Relaxed: an old value makes the exchange fail.
        let mut first = self.first.load(Ordering::Relaxed);
        let raw = Arc::into_raw(event).cast_mut();
        loop {
            if first == Spent::CLOSED {
                // SAFETY: from `into_raw` above, and not in the list.
                drop(unsafe { Arc::from_raw(raw) });
                return;
            }
            // SAFETY: the reference is ours until the exchange succeeds. Relaxed: published by the exchange.
            unsafe { (*raw).next_spent().store(first, Ordering::Relaxed) };
            // Release: who takes the list sees the link, and all that was done with the event.
            match self
                .first
                .compare_exchange_weak(first, raw, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    fn is_worth_collecting(&self) -> bool {
        // Relaxed: a hint.
        self.count.load(Ordering::Relaxed) >= COLLECT
    }

    /// Frees what has been kept.
    fn collect(&self) {
        // Relaxed: an old value makes the exchange fail, and then the next call does it.
        let first = self.first.load(Ordering::Relaxed);
        if first == Spent::CLOSED {
            return;
        }
        // Acquire: see `push`.
        let taken = self.first.compare_exchange(
            first,
            std::ptr::null_mut(),
            Ordering::Acquire,
            Ordering::Relaxed,
        );
        if let Ok(first) = taken {
            self.free(first);
        }
    }

    /// Frees what has been kept, and keeps nothing any more.
    fn close(&self) {
        // Acquire: see `push`.
        let first = self.first.swap(Spent::CLOSED, Ordering::Acquire);
        if first != Spent::CLOSED {
            self.free(first);
        }
    }

    fn free(&self, mut next: *mut Object<Event>) {
        while !next.is_null() {
            // SAFETY: the list has been taken, so that each reference in it is ours; the link is read first.
            let event = unsafe { Arc::from_raw(next) };
            // Relaxed: ordered by the exchange that took the list.
            next = event.next_spent().load(Ordering::Relaxed);
            self.count.fetch_sub(1, Ordering::Relaxed);
            drop(event);
        }
    }
}
