//! Ending commands: what waits for one that has ended may run, or ends as well.
//!
//! Invariant: ending a node is a loop over a list, never a recursion, however long a chain of commands is.

use super::{CALLBACKS, ENDED_AT, Edges, Event, FAILED, Origin, RAN_AT, Ready, STARTED_AT, WAITED};
use crate::cl::cl_int;
use crate::runtime::callback::Due;
use crate::runtime::command::Action;
use crate::runtime::object::Handle;
use crate::runtime::queue::Queue;
use crate::runtime::{clock, pool, telling};
use crate::sync::atomic::Ordering;
use crate::sync::futex;
use smallvec::SmallVec;
use std::sync::Arc;

/// Commands whose end is decided but not carried out.
pub(super) type Stack = SmallVec<[(Handle<Event>, cl_int); 4]>;

impl Event {
    /// Sets the state. What it was before, and what is due from then on if there are callbacks.
    fn end(&self, state: u32) -> (u32, Option<Arc<Due>>) {
        let mut due = None;
        // Relaxed: an old value makes the exchange fail.
        let mut before = self.state.load(Ordering::Relaxed);
        loop {
            if before & CALLBACKS != 0 && due.is_none() {
                due = Some(Due::new());
            }
            // SeqCst: Release for all that the command wrote; in one order with `Queue::retire`, which sets its mark
            // and then looks at the state, while we set the state and then look at the mark.
            let set =
                self.state
                    .compare_exchange(before, state, Ordering::SeqCst, Ordering::Relaxed);
            match set {
                Ok(_) => return (before, due),
                Err(now) => before = now,
            }
        }
    }
}

/// Ends a command with CL_COMPLETE or an error code, and all that ends with it. Adds to `ready` what may run now.
/// The caller has the command to itself.
pub(in crate::runtime) fn settle(event: Handle<Event>, status: cl_int, ready: &mut Ready) {
    let mut stack = Stack::new();
    stack.push((event, status));
    settle_all(stack, ready);
}

pub(super) fn settle_all(mut stack: Stack, ready: &mut Ready) {
    while let Some((event, status)) = stack.pop() {
        if event.profiled() {
            let now = clock::nanoseconds();
            // Relaxed, all: published by the change of the state below.
            if event.times[STARTED_AT].load(Ordering::Relaxed) == 0 {
                // SAFETY: as below.
                let began = match unsafe { &*event.action.get() } {
                    Action::Span(first) => first.times[ENDED_AT].load(Ordering::Relaxed),
                    Action::Family(own) => {
                        let ran = own.times[ENDED_AT].load(Ordering::Relaxed);
                        event.times[RAN_AT].store(ran, Ordering::Relaxed);
                        own.times[STARTED_AT].load(Ordering::Relaxed)
                    }
                    _ => now,
                };
                event.times[STARTED_AT].store(began, Ordering::Relaxed);
            }
            event.times[ENDED_AT].store(now, Ordering::Relaxed);
        }
        // SAFETY: no participant is left or has ever been, so nobody else looks at the action.
        unsafe { (*event.action.get()).retire() };
        if let Origin::Command(queue) = &event.origin
            && event.profiled()
        {
            // Relaxed: written above, or before this thread had the command to itself.
            let times = [0, 1, 2].map(|n| event.times[n].load(Ordering::Relaxed));
            // SAFETY: as above.
            telling::command(
                &event,
                queue,
                unsafe { &*event.action.get() },
                status,
                times,
            );
        }
        let mut end = 0;
        if status < 0 {
            // Relaxed: published by the change of the state.
            event.fault.store(status, Ordering::Relaxed);
            end = FAILED;
        }
        let (before, due) = event.end(end);
        if before & WAITED != 0 {
            futex::wake(&event.state, i32::MAX);
        }
        let (dependants, callbacks) = event.close();
        if !callbacks.is_empty() {
            event.call_back(callbacks, status, due.unwrap_or_else(Due::new));
        }
        unblock(dependants, status < 0, &mut stack, ready);
        if let Origin::Command(queue) = &event.origin {
            queue.forget(&event);
            if pool::is_worker() {
                Queue::put_away(event);
            }
        }
    }
}

pub(super) fn unblock(dependants: Edges, failed: bool, ended: &mut Stack, ready: &mut Ready) {
    for edge in dependants {
        if failed && edge.by_wait_list {
            // Relaxed: ordered by the decrement of `pending`.
            edge.to.poisoned.store(true, Ordering::Relaxed);
        }
        edge.to.drop_dependency(ended, ready);
    }
}
