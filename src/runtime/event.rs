//! Events: the state of a command, what waits for it, and the command itself. One object is both the node of the
//! dependency graph and the `cl_event`; most events are never given to the application.
//!
//! A node counts the dependencies that have not ended (`pending`). Whoever ends the last one makes the command ready;
//! no thread waits for a dependency. Edges point forward (a node holds those that depend on it), so nothing keeps a
//! command that has ended. Ending a node is a loop over a list, never a recursion, however long the chain is.
//!
//! Status: a command is submitted as it is enqueued (CL_SUBMITTED), CL_RUNNING when a thread begins it, and at last
//! CL_COMPLETE or an error code. Source: OpenCL API 5.11 "Event Objects", 5.14 "Profiling".
//!
//! Invariants: the action belongs to the threads that take part in the command ([`Crew`]) and is retired by
//! the last of them, before the state says that the command has ended. `closed` links take no more edges.

mod settle;

use super::callback::{self, Due};
use super::clock;
use super::command::Action;
use super::context::{Callback, Context};
use super::crew::Crew;
use super::device_pool::{self, DevicePool};
use super::object::{Body, Handle, Object, publish};
use super::pool;
use super::queue::Queue;
use crate::cl::*;
use crate::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::sync::{Mutex, futex};
pub(super) use settle::settle;
use settle::{Stack, settle_all, unblock};
use smallvec::SmallVec;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::Arc;

/// `pfn_notify` of clSetEventCallback.
pub type EventFn = unsafe extern "C" fn(cl_event, cl_int, *mut c_void);

/// The node of a command, or a user event.
pub struct Event {
    /// The status and flags, see the constants below. Threads sleep on this word.
    state: AtomicU32,
    /// Dependencies that have not ended, and one more while the command is being enqueued.
    pending: AtomicU32,
    /// The first error of the command's own; written before the state says that it has ended.
    fault: AtomicI32,
    /// Whether an event of the wait list ended with an error.
    poisoned: AtomicBool,
    /// Whether a user event has been set.
    settled: AtomicBool,
    kind: cl_command_type,
    /// Whether the command is known to take only some microseconds.
    small: bool,
    /// Whether it is known to cost less than handing it to another thread.
    tiny: bool,
    /// Its number in its queue, from 1 on.
    number: AtomicU64,
    /// The next one in the queue's list of events to be freed.
    next_spent: AtomicPtr<Object<Event>>,
    crew: Crew,
    links: Mutex<Links>,
    origin: Origin,
    action: UnsafeCell<Action>,
    /// Nanoseconds at which it was queued, began and ended; 0 where nobody asked for profiling.
    times: [AtomicU64; 4],
}

// SAFETY: `action` is shared read-only among participants and taken by the last one alone; the rest is Sync.
unsafe impl Sync for Event {}
// SAFETY: as above.
unsafe impl Send for Event {}

/// Where an event comes from.
enum Origin {
    Command(Handle<Queue>),
    User(Handle<Context>),
    /// Inside the runtime; it has no context because nobody can see it.
    Internal,
}

/// Commands that have become ready, for somebody to run.
pub(super) type Ready = SmallVec<[Handle<Event>; 4]>;

type Edges = SmallVec<[Edge; 2]>;

/// Each with the status that it is for.
type Callbacks = Vec<(cl_int, Callback<EventFn>)>;

#[derive(Default)]
struct Links {
    closed: bool,
    dependants: Edges,
    callbacks: Callbacks,
}

struct Edge {
    to: Handle<Event>,
    /// Whether an error of the one ends the other. The order within a queue alone does not.
    by_wait_list: bool,
}

/// The status in the low bits of the state: CL_COMPLETE (0) to CL_QUEUED (3).
const STATUS: u32 = 3;
/// With status 0: the status is `fault`.
const FAILED: u32 = 1 << 2;
/// Threads sleep on the word.
const WAITED: u32 = 1 << 3;
/// There are callbacks for a status before CL_COMPLETE.
const EARLY_CALLBACKS: u32 = 1 << 4;
/// There are callbacks for CL_COMPLETE.
const CALLBACKS: u32 = 1 << 5;

const QUEUED_AT: usize = 0;
const STARTED_AT: usize = 1;
const ENDED_AT: usize = 2;
/// When its own work had ended, if others had to end after that; else 0.
const RAN_AT: usize = 3;

impl Body for Event {
    const INVALID: Error = Error::INVALID_EVENT;
    // A callback may use its event after the application has released it.
    const OUTLIVES_RELEASE: bool = true;

    /// A user event that nobody can set any more: what waits for it ends with an error rather than never.
    fn on_destroy(&self, _handle: usize) {
        if self.is_done() {
            return;
        }
        let (dependants, _) = self.close();
        let mut ended = Stack::new();
        let mut ready = Ready::new();
        unblock(dependants, true, &mut ended, &mut ready);
        settle_all(ended, &mut ready);
        pool::push_all(ready);
    }
}

impl Object<Event> {
    /// clCreateUserEvent. It has no handle until it is published.
    pub fn user(context: Handle<Context>) -> Handle<Event> {
        Event::node(
            Origin::User(context),
            CL_COMMAND_USER,
            Action::Nothing,
            false,
        )
    }

    /// The node of a command that is being enqueued: it can't become ready until [`Object::release_guard`].
    pub(super) fn command(
        queue: &Handle<Queue>,
        kind: cl_command_type,
        action: Action,
    ) -> Handle<Event> {
        let profiled = queue.is_profiled() || super::telling::is_wanted();
        Event::node(Origin::Command(queue.clone()), kind, action, profiled)
    }

    /// A node that only collects dependencies.
    pub(super) fn gate() -> Handle<Event> {
        Event::node(Origin::Internal, CL_COMMAND_MARKER, Action::Nothing, false)
    }

    /// Gives the application its handle. Once an event.
    pub fn publish(self: &Arc<Self>) -> cl_event {
        publish(self).cast()
    }

    /// clSetUserEventStatus.
    pub fn set_user_status(self: &Arc<Self>, status: cl_int) -> Result<()> {
        // CL_INVALID_EVENT "if event is not a valid user event object"
        if !matches!(self.origin, Origin::User(_)) {
            return Err(Error::INVALID_EVENT);
        }
        // CL_INVALID_VALUE "if the execution_status is not CL_COMPLETE or a negative integer value"
        if status > CL_COMPLETE {
            return Err(Error::INVALID_VALUE);
        }
        // CL_INVALID_OPERATION "if the execution_status has already been changed"
        // Relaxed: only who comes first matters.
        if self.settled.swap(true, Ordering::Relaxed) {
            return Err(Error::INVALID_OPERATION);
        }
        let mut ready = Ready::new();
        settle(self.clone(), status, &mut ready);
        pool::push_all(ready);
        Ok(())
    }

    /// clSetEventCallback. `kind` is CL_SUBMITTED, CL_RUNNING or CL_COMPLETE.
    pub fn add_callback(self: &Arc<Self>, kind: cl_int, callback: Callback<EventFn>) {
        {
            let mut links = self.links.lock();
            // AcqRel: either the thread that changes the status sees the flag and waits for the lock, or the status
            // that it has set is seen here.
            let flag = if kind == CL_COMPLETE {
                CALLBACKS
            } else {
                EARLY_CALLBACKS
            };
            let state = self.state.fetch_or(flag, Ordering::AcqRel);
            let reached = (state & STATUS) as cl_int <= kind;
            if !links.closed && (kind == CL_COMPLETE || !reached) {
                links.callbacks.push((kind, callback));
                return;
            }
        }
        // The status is there already.
        let status = self.status().min(0);
        self.call_back([(kind, callback)], status, Due::new());
        // Programs that register for what is over have been known to go on as if it had been called.
        callback::drain();
    }

    /// Waits until the event has ended. The calling thread takes part in the work. The error is the event's.
    pub fn wait(self: &Arc<Self>) -> Result<()> {
        if self.is_unflushed() && !self.is_done() {
            self.mark_flushed();
        }
        pool::wait(self);
        callback::drain();
        Error::from_code(self.status()).map_or(Ok(()), Err)
    }

    /// Adds the edge `self -> dependant`. The dependant must still have its guard.
    pub(super) fn add_dependant(&self, dependant: &Handle<Event>, by_wait_list: bool) {
        // Acquire: pairs with the Release in `settle`; a failed event has written its error.
        let mut state = self.state.load(Ordering::Acquire);
        if state & STATUS != 0 {
            let mut links = self.links.lock();
            if !links.closed {
                // Relaxed: the guard keeps the count above zero, and the lock orders this before the decrement.
                dependant.pending.fetch_add(1, Ordering::Relaxed);
                links.dependants.push(Edge {
                    to: dependant.clone(),
                    by_wait_list,
                });
                return;
            }
            // Acquire: the links are closed after the state is set.
            state = self.state.load(Ordering::Acquire);
        }
        if by_wait_list && state & FAILED != 0 {
            // Relaxed: ordered by the decrement of `pending` that follows.
            dependant.poisoned.store(true, Ordering::Relaxed);
        }
    }

    /// It will end with an error, whatever else it waits for. While it has its guard.
    pub(super) fn poison(&self) {
        // Relaxed: the release of the guard orders it.
        self.poisoned.store(true, Ordering::Relaxed);
    }

    /// The command has all its edges. Ends it or says that it is ready, where it depends on nothing that runs.
    pub(super) fn release_guard(self: &Arc<Self>, ready: &mut Ready) {
        let mut ended = Stack::new();
        self.drop_dependency(&mut ended, ready);
        settle_all(ended, ready);
    }

    fn drop_dependency(self: &Arc<Self>, ended: &mut Stack, ready: &mut Ready) {
        // AcqRel: whoever brings the count to zero sees what every dependency wrote (memory and `poisoned`).
        if self.pending.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        // Relaxed: see above.
        if self.poisoned.load(Ordering::Relaxed) {
            let error = Error::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
            ended.push((self.clone(), error.code()));
            return;
        }
        // SAFETY: the command has no participant yet, so nobody takes the action away.
        let empty = unsafe { (*self.action.get()).is_empty() };
        if empty {
            ended.push((self.clone(), CL_COMPLETE));
        } else {
            ready.push(self.clone());
        }
    }

    /// Calls the callbacks, on the callback thread. A status below zero stands for their own.
    fn call_back(
        self: &Arc<Self>,
        callbacks: impl IntoIterator<Item = (cl_int, Callback<EventFn>)>,
        status: cl_int,
        due: Arc<Due>,
    ) {
        for (kind, call) in callbacks {
            let event = self.clone();
            let status = if status < 0 { status } else { kind };
            callback::run_due(due.clone(), move || {
                // Named, so that the closure takes the whole of it and not its pointer.
                let call = call;
                // SAFETY: the application's function, called as clSetEventCallback specifies; the event lives on.
                unsafe { (call.function)(event.raw().cast(), status, call.user_data) }
            });
        }
    }

    /// A thread begins the command: it is the first participant.
    pub(super) fn begin(self: &Arc<Self>) {
        if self.profiled() {
            // Relaxed: read after the state says that the command has ended.
            self.times[STARTED_AT].store(clock::nanoseconds(), Ordering::Relaxed);
        }
        self.crew.begin();
        // AcqRel: see `add_callback`.
        let before = self.state.fetch_sub(1, Ordering::AcqRel);
        if before & EARLY_CALLBACKS != 0 {
            let callbacks: Vec<_> = {
                let mut links = self.links.lock();
                links
                    .callbacks
                    .extract_if(.., |(kind, _)| *kind >= CL_RUNNING)
                    .collect()
            };
            self.call_back(callbacks, CL_COMPLETE, Due::new());
        }
    }
}

impl Event {
    fn node(
        origin: Origin,
        kind: cl_command_type,
        action: Action,
        profiled: bool,
    ) -> Handle<Event> {
        let queued = match &action {
            _ if !profiled => 0,
            // Relaxed: written when that node was made.
            Action::Span(first) | Action::Family(first) => {
                first.times[QUEUED_AT].load(Ordering::Relaxed)
            }
            _ => clock::nanoseconds(),
        };
        Object::unlisted(Event {
            state: AtomicU32::new(CL_SUBMITTED as u32),
            pending: AtomicU32::new(1),
            fault: AtomicI32::new(0),
            poisoned: AtomicBool::new(false),
            settled: AtomicBool::new(false),
            kind,
            small: action.is_small(),
            tiny: action.is_tiny(),
            number: AtomicU64::new(0),
            next_spent: AtomicPtr::default(),
            crew: Crew::default(),
            links: Mutex::default(),
            origin,
            action: UnsafeCell::new(action),
            times: [queued, 0, 0, 0].map(AtomicU64::new),
        })
    }

    /// CL_EVENT_COMMAND_EXECUTION_STATUS: CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or an error code.
    pub fn status(&self) -> cl_int {
        // Acquire: pairs with the Release in `settle`; after CL_COMPLETE the command's effects are seen.
        let state = self.state.load(Ordering::Acquire);
        if state & FAILED != 0 {
            // Relaxed: written before the state.
            self.fault.load(Ordering::Relaxed)
        } else {
            (state & STATUS) as cl_int
        }
    }

    /// As [`Event::status`], for an application that polls: a poll is a sign that the command should run now.
    pub fn poll(&self) -> cl_int {
        if !self.is_done() {
            if self.is_unflushed() {
                self.mark_flushed();
            }
            self.device_pool().get().flush();
        }
        self.status()
    }

    /// Whether the command has completed or failed.
    pub fn is_done(&self) -> bool {
        // Acquire: as in `status`.
        self.state.load(Ordering::Acquire) & STATUS == 0
    }

    /// Counts the command's queue as flushed. The pool does not know yet.
    pub(super) fn mark_flushed(&self) {
        if let Origin::Command(queue) = &self.origin {
            queue.mark_flushed();
        }
    }

    /// Whether the command is small and its queue has not been flushed since it came.
    pub(super) fn is_unflushed(&self) -> bool {
        match &self.origin {
            // Relaxed: written before the command could become ready.
            Origin::Command(queue) => {
                self.small && self.number.load(Ordering::Relaxed) > queue.flushed()
            }
            _ => false,
        }
    }

    /// Whether the command is known to take only some microseconds.
    pub(super) fn is_small(&self) -> bool {
        self.small
    }

    /// Whether running the command is known to cost less than handing it to another thread.
    pub(super) fn is_tiny(&self) -> bool {
        self.tiny
    }

    /// Its place in the queue. While it has its guard.
    pub(super) fn set_number(&self, number: u64) {
        // Relaxed: the release of the guard orders it.
        self.number.store(number, Ordering::Relaxed);
    }

    /// The link of the queue's list of events to be freed, for the queue alone.
    pub(super) fn next_spent(&self) -> &AtomicPtr<Object<Event>> {
        &self.next_spent
    }

    /// CL_EVENT_COMMAND_TYPE.
    pub fn command_type(&self) -> cl_command_type {
        self.kind
    }

    /// CL_EVENT_COMMAND_QUEUE; none for a user event.
    pub fn queue(&self) -> Option<&Handle<Queue>> {
        match &self.origin {
            Origin::Command(queue) => Some(queue),
            _ => None,
        }
    }

    /// The threads that run the command; for events without a queue, which have nothing to run, the root device's.
    pub(super) fn device_pool(&self) -> &'static DevicePool {
        self.queue()
            .map_or_else(device_pool::root, |queue| queue.device.pool)
    }

    /// CL_EVENT_CONTEXT.
    pub fn context(&self) -> Option<&Handle<Context>> {
        match &self.origin {
            Origin::Command(queue) => Some(&queue.context),
            Origin::User(context) => Some(context),
            Origin::Internal => None,
        }
    }

    /// The value of a CL_PROFILING_COMMAND_* query in nanoseconds. CL_PROFILING_INFO_NOT_AVAILABLE for user events,
    /// queues without profiling, and commands that have not completed; CL_INVALID_VALUE for another name.
    pub fn profiling(&self, name: cl_profiling_info) -> Result<u64> {
        let time = match name {
            CL_PROFILING_COMMAND_QUEUED | CL_PROFILING_COMMAND_SUBMIT => QUEUED_AT,
            CL_PROFILING_COMMAND_START => STARTED_AT,
            CL_PROFILING_COMMAND_END => RAN_AT,
            CL_PROFILING_COMMAND_COMPLETE => ENDED_AT,
            _ => return Err(Error::INVALID_VALUE),
        };
        let asked = self.queue().is_some_and(|queue| queue.is_profiled());
        if !asked || !self.profiled() || self.status() != CL_COMPLETE {
            return Err(Error::PROFILING_INFO_NOT_AVAILABLE);
        }
        // Relaxed, both: written before the state that `status` has seen.
        Ok(match self.times[time].load(Ordering::Relaxed) {
            0 if time == RAN_AT => self.times[ENDED_AT].load(Ordering::Relaxed),
            at => at,
        })
    }

    fn profiled(&self) -> bool {
        // Relaxed: written when the node was made.
        self.times[QUEUED_AT].load(Ordering::Relaxed) != 0
    }

    /// The work of the command.
    ///
    /// # Safety
    /// The caller takes part in the command and has not left it.
    pub(super) unsafe fn action(&self) -> &Action {
        // SAFETY: it is taken out by the last participant only.
        unsafe { &*self.action.get() }
    }

    /// Who takes part in the command, and in what.
    pub(super) fn crew(&self) -> &Crew {
        &self.crew
    }

    /// Sleeps until the event has ended, or for no reason.
    pub(super) fn park(&self) {
        // AcqRel: either `settle` sees the flag and wakes, or the end is seen here.
        let state = self.state.fetch_or(WAITED, Ordering::AcqRel);
        if state & STATUS != 0 {
            // A change of the status between here and the sleep makes the kernel return at once.
            futex::wait(&self.state, state | WAITED, None);
        }
    }

    fn close(&self) -> (Edges, Callbacks) {
        let mut links = self.links.lock();
        links.closed = true;
        (
            std::mem::take(&mut links.dependants),
            std::mem::take(&mut links.callbacks),
        )
    }
}
