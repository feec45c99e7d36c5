//! The pool's board: commands that may run, commands that can use more threads, and who is awake to take them.
//!
//! Invariant: everything here happens under the board's lock (see pool.rs, which owns it), and nothing is called out.

use super::event::{Event, Ready};
use super::execute;
use super::object::Handle;
use crate::sync::atomic::{AtomicU32, Ordering};
use std::collections::VecDeque;
use std::sync::Arc;

/// After so many vigils, lazy commands run even though the application goes on enqueueing.
const MOST_VIGILS: u32 = 4;

/// Small commands that a thread takes off the board at a time, at most.
const BATCH: usize = 16;

/// How far a waiting thread looks for a command that it may run.
const HOST_REACH: usize = 32;

#[derive(Default)]
pub(super) struct Board {
    /// Commands that may run and have not begun.
    pub(super) ready: VecDeque<Handle<Event>>,
    /// As `ready`, but small and not flushed: only a flush or the end of a vigil lets workers have them.
    pub(super) lazy: VecDeque<Handle<Event>>,
    /// Commands that run and can use more threads.
    pub(super) shared: Vec<Handle<Event>>,
    pub(super) idle: Vec<&'static Sleeper>,
    /// Workers that have been woken or made and have not looked yet.
    pub(super) rising: usize,
    /// Workers that have found nothing and look again and again.
    pub(super) spinning: usize,
    /// Workers that run small commands and will look soon.
    pub(super) soon: usize,
    pub(super) spawned: usize,
    /// Whether one of the idle workers sleeps with a time limit.
    pub(super) vigil: bool,
    /// Commands put on the board so far.
    pub(super) pushes: u32,
    /// Whether workers end when they find nothing to do.
    pub(super) closed: bool,
    /// Beds of workers that have ended.
    pub(super) spare: Vec<&'static Sleeper>,
}

/// A worker's bed.
#[derive(Default)]
pub(super) struct Sleeper {
    /// 1 while it sleeps. Changes under the board's lock.
    pub(super) asleep: AtomicU32,
    /// Whether it is the one that keeps the vigil. Changes under the board's lock.
    pub(super) keeps_vigil: AtomicU32,
}

/// What the worker that keeps the vigil remembers of lazy commands.
#[derive(Default)]
pub(super) struct Watch {
    /// Commands that their queues had taken so far.
    enqueued: u64,
    /// Ends of vigils at which there were some.
    vigils: u32,
}

/// Something for a thread to do.
pub(super) enum Task {
    /// Commands that have not begun: one, or several small ones.
    Run(Ready),
    /// The thread has been counted in already.
    Join(Handle<Event>),
}

impl Watch {
    /// At each end of a vigil: whether lazy commands must run now, because the application has stopped enqueueing, or
    /// goes on for too long.
    pub(super) fn is_time(&mut self, board: &Board) -> bool {
        if board.lazy.is_empty() {
            *self = Watch::default();
            return false;
        }
        let queues = board.lazy.iter().filter_map(|event| event.queue());
        let enqueued = queues.fold(0u64, |sum, queue| sum.wrapping_add(queue.enqueued()));
        let quiet = self.vigils > 0 && enqueued == self.enqueued;
        self.enqueued = enqueued;
        self.vigils += 1;
        quiet || self.vigils > MOST_VIGILS
    }
}

impl Sleeper {
    /// Under the board's lock, when it is off the idle list.
    pub(super) fn get_up(&self, board: &mut Board) {
        // Relaxed, both: see `Pool::sleep`.
        self.asleep.store(0, Ordering::Relaxed);
        if self.keeps_vigil.swap(0, Ordering::Relaxed) == 1 {
            board.vigil = false;
        }
    }
}

impl Board {
    /// Commands that have been flushed since they came are not lazy any more. Whether there were any.
    pub(super) fn hurry(&mut self) -> bool {
        let before = self.lazy.len();
        if before > 0 {
            let ready = &mut self.ready;
            self.lazy.retain(|event| {
                let stays = event.is_unflushed();
                if !stays {
                    ready.push_back(event.clone());
                }
                stays
            });
        }
        self.lazy.len() != before
    }

    /// As [`Board::find`], for a worker that counts as `soon` when the task is small.
    pub(super) fn take(&mut self, workers: usize) -> Option<Task> {
        let task = self.find(workers)?;
        self.soon += usize::from(task.is_small());
        Some(task)
    }

    /// The next thing for a worker: a command that has not begun, or else one that can use another thread.
    pub(super) fn find(&mut self, workers: usize) -> Option<Task> {
        if let Some(event) = self.ready.pop_front() {
            return Some(self.batch(event, 0, workers, |_| true));
        }
        let event = self.joinable(workers)?.clone();
        event.crew().join();
        Some(Task::Join(event))
    }

    /// A command from the board, and the small ones behind it, at `at`, if there are many: fewer turns at the lock.
    fn batch(
        &mut self,
        event: Handle<Event>,
        at: usize,
        workers: usize,
        fits: impl Fn(&Handle<Event>) -> bool,
    ) -> Task {
        let share = (self.ready.len() / (2 * workers)).min(BATCH);
        let small = event.is_small();
        let mut batch = Ready::new();
        batch.push(event);
        while small
            && batch.len() < share
            && self.ready.get(at).is_some_and(|e| e.is_small() && fits(e))
        {
            batch.extend(self.ready.remove(at));
        }
        Task::Run(batch)
    }

    pub(super) fn joinable(&self, workers: usize) -> Option<&Handle<Event>> {
        self.shared
            .iter()
            .find(|event| can_use_more(event, workers))
    }

    /// Whether the next command is best left to a thread that waits for `target`.
    pub(super) fn leaves_to(&self, target: &Handle<Event>) -> bool {
        let next = self.ready.front();
        next.is_some_and(|event| event.is_tiny() && may_help(event, target))
    }

    /// As [`Board::find`], for an application thread that waits for `target`.
    pub(super) fn find_for(&mut self, target: &Handle<Event>, workers: usize) -> Option<Task> {
        let mut reach = self.ready.iter().take(HOST_REACH);
        if let Some(at) = reach.position(|event| may_help(event, target)) {
            let event = self.ready.remove(at)?;
            return Some(self.batch(event, at, workers, |event| may_help(event, target)));
        }
        let event = self
            .shared
            .iter()
            .find(|event| may_help(event, target) && can_use_more(event, workers))?
            .clone();
        event.crew().join();
        Some(Task::Join(event))
    }
}

/// Whether a command on the board has parts left and fewer threads than there are workers.
fn can_use_more(event: &Handle<Event>, workers: usize) -> bool {
    // SAFETY: a command that is on the board has a participant who has not left; the caller holds the board's lock.
    let total = unsafe { event.action() }.parts();
    (event.crew().participants() as usize) < workers && event.crew().parts_left(total) > 0
}

/// Whether an application thread that waits for `target` may run `event`: one of the same queue that fits its stack,
/// unless the device has CPUs of its own.
pub(super) fn may_help(event: &Handle<Event>, target: &Handle<Event>) -> bool {
    let related = match (event.queue(), target.queue()) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    };
    // SAFETY: the command has not begun, or is on the board, so that its action is there.
    related && !event.device_pool().is_pinned() && unsafe { event.action() }.fits_host()
}

impl Task {
    pub(super) fn is_small(&self) -> bool {
        match self {
            Task::Run(batch) => batch[0].is_small(),
            Task::Join(event) => event.is_small(),
        }
    }

    pub(super) fn run(self, ready: &mut Ready) {
        match self {
            Task::Run(batch) => batch
                .into_iter()
                .for_each(|event| execute::run(event, ready)),
            Task::Join(event) => execute::join(event, ready),
        }
    }
}
