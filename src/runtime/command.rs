//! What a command does when it runs, and into how many parts it can be cut for several threads.

use super::arena::{Arena, Memory as ArenaMemory};
use super::callback;
use super::event::Event;
use super::launch::NdRange;
use super::object::Handle;
use super::transfer::{Fill, Held, Transfer};
use crate::cl::{Error, Result};
use crate::sync::Mutex;
use std::ops::Range;
use std::sync::Arc;

/// The work of a command.
pub enum Action {
    /// Ends as soon as it may run.
    Nothing,
    /// Waits for its list, or for all commands before it when the list is empty.
    Marker,
    /// A marker that also holds up all later commands of its queue.
    Barrier,
    /// Stands for several commands, the first of which is this one: it begins when that one has ended.
    Span(Handle<Event>),
    /// Stands for a launch that has ended and for those that it enqueued: it began when that one did.
    Family(Handle<Event>),
    /// Nothing to do but to keep memory objects alive until then (map, unmap and migration of host memory).
    Hold(Held),
    NdRange(Box<NdRange>),
    Transfer(Transfer),
    Fill(Fill),
    /// Any other work, on a worker's stack. The error becomes the event's status.
    Call(Call),
}

/// Work that runs once.
pub struct Call(Mutex<Option<Work>>);

type Work = Box<dyn FnOnce() -> Result<()> + Send>;

/// Expected ticks below which a command is not worth waking a thread for before its queue is flushed.
const SMALL_TICKS: u64 = 50_000;

/// What it costs, in ticks, that another thread runs a command than the one that made it: cache lines must move.
pub const HAND_OVER: u64 = 500;

/// Ticks (about a microsecond) up to which a command takes no longer than enqueueing it and taking it from the queue.
const AT_ONCE_TICKS: u64 = 2_500;

/// As [`SMALL_TICKS`], in bytes to copy.
const SMALL_BYTES: usize = 128 << 10;

impl Call {
    pub fn new(work: impl FnOnce() -> Result<()> + Send + 'static) -> Call {
        Call(Mutex::new(Some(Box::new(work))))
    }
}

impl Action {
    /// The kernel that it runs, if it does.
    pub fn kernel_name(&self) -> Option<&str> {
        match self {
            Action::NdRange(range) => Some(range.kernel_name()),
            _ => None,
        }
    }

    /// What it does, in a word.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Action::Nothing | Action::Marker | Action::Span(_) | Action::Family(_) => "wait",
            Action::Barrier => "barrier",
            Action::Hold(_) => "hold",
            Action::NdRange(_) => "kernel",
            Action::Transfer(_) => "copy",
            Action::Fill(_) => "fill",
            Action::Call(_) => "call",
        }
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        match self {
            Action::Nothing | Action::Marker | Action::Barrier => true,
            Action::Span(_) | Action::Family(_) => true,
            Action::Hold(_) => true,
            Action::NdRange(range) => range.groups() == 0,
            _ => false,
        }
    }

    /// Whether it is known to take only some microseconds.
    pub fn is_small(&self) -> bool {
        match self {
            Action::NdRange(range) => range.expected_ticks().is_some_and(|t| t < SMALL_TICKS),
            Action::Transfer(copy) => copy.size() < SMALL_BYTES,
            Action::Fill(fill) => fill.size() < SMALL_BYTES,
            Action::Call(_) => false,
            _ => true,
        }
    }

    /// Whether running it is known to cost less than handing it to another thread.
    pub fn is_tiny(&self) -> bool {
        self.expected_ticks()
            .is_some_and(|ticks| ticks <= HAND_OVER)
    }

    /// Whether the thread that enqueues it may run it at once: it is short, ends by itself and calls nothing.
    pub fn is_prompt(&self) -> bool {
        match self {
            Action::NdRange(range) if !range.is_prompt() || !self.fits_host() => false,
            Action::NdRange(_) | Action::Transfer(_) | Action::Fill(_) => self
                .expected_ticks()
                .is_some_and(|ticks| ticks <= AT_ONCE_TICKS),
            _ => false,
        }
    }

    /// Whether an application's thread may run it: with a stack of unknown size, and maybe holding locks of its own.
    pub fn fits_host(&self) -> bool {
        match self {
            Action::NdRange(range) => range.fits_host_stack(),
            Action::Call(_) => false,
            _ => true,
        }
    }

    /// Expected ticks on one thread, if known.
    pub fn expected_ticks(&self) -> Option<u64> {
        match self {
            Action::NdRange(range) => range.expected_ticks(),
            // About eight bytes a tick.
            Action::Transfer(copy) => Some(copy.size() as u64 / 8),
            Action::Fill(fill) => Some(fill.size() as u64 / 8),
            _ => Some(0),
        }
    }

    /// Number of parts, each of which runs once.
    pub fn parts(&self) -> u64 {
        match self {
            Action::NdRange(range) => range.groups(),
            Action::Transfer(copy) => copy.parts(),
            Action::Fill(fill) => fill.parts(),
            Action::Call(_) => 1,
            _ => 0,
        }
    }

    /// Memory for one thread that takes part; CL_OUT_OF_RESOURCES when there is none.
    pub fn reserve(&self, arena: &mut Arena) -> Result<ArenaMemory> {
        match self {
            Action::NdRange(range) => range.reserve(arena),
            _ => arena.reserve(0, 0),
        }
        .ok_or(Error::OUT_OF_RESOURCES)
    }

    /// Runs some parts.
    pub fn run(&self, parts: Range<u64>, memory: ArenaMemory) -> Result<()> {
        match self {
            Action::NdRange(range) => return range.run(parts, memory),
            Action::Transfer(copy) => copy.run(parts),
            Action::Fill(fill) => fill.run(parts),
            Action::Call(call) => {
                let work = call.0.lock().take();
                return work.map_or(Ok(()), |work| work());
            }
            _ => {}
        }
        Ok(())
    }

    /// Learns how long some parts took.
    pub fn learn(&self, parts: u64, ticks: u64) {
        if let Action::NdRange(range) = self {
            range.learn(parts, ticks);
        }
    }

    /// The end of a command that ran or was given up: output goes out, memory objects are let go. A memory object
    /// that nobody else holds runs its destructor callbacks on the callback thread. What is left is dropped with the
    /// event, by the thread that made it, if possible: freeing another thread's memory is slow.
    pub fn retire(&mut self) {
        match self {
            Action::NdRange(range) => {
                range.flush_prints();
                range.release_family();
                release(range.memories());
            }
            Action::Transfer(copy) => release(copy.held()),
            Action::Fill(fill) => release(fill.held()),
            Action::Hold(held) => release(held),
            Action::Call(call) => drop(call.0.get_mut().take()),
            Action::Span(_) | Action::Family(_) => *self = Action::Nothing,
            Action::Nothing | Action::Marker | Action::Barrier => {}
        }
    }
}

fn release(held: &mut Held) {
    for memory in held.drain(..) {
        if Arc::strong_count(&memory) == 1 {
            callback::run(move || drop(memory));
        }
    }
}
