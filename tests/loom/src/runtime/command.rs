//! What a command does, as the model wants it.

use super::arena::{Arena, Memory};
use super::event::Event;
use super::object::Handle;
use crate::cl::Result;
use loom::cell::UnsafeCell;
use std::ops::Range;

pub const HAND_OVER: u64 = 500;

pub enum Action {
    Nothing,
    Marker,
    Barrier,
    Span(Handle<Event>),
    Family(Handle<Event>),
    Work(Work),
}

/// Work of a number of parts.
pub struct Work {
    pub parts: u64,
    pub small: bool,
    pub fits_host: bool,
    pub run: Box<dyn Fn(Range<u64>) -> Result<()> + Send + Sync>,
    /// Read by each part, and written at the end: the end comes after all parts.
    retired: UnsafeCell<bool>,
}

impl Work {
    pub fn new(run: impl Fn(Range<u64>) -> Result<()> + Send + Sync + 'static) -> Work {
        Work {
            parts: 1,
            small: false,
            fits_host: true,
            run: Box::new(run),
            retired: UnsafeCell::new(false),
        }
    }

    pub fn small(self) -> Work {
        Work {
            small: true,
            ..self
        }
    }

    pub fn parts(self, parts: u64) -> Work {
        Work { parts, ..self }
    }

    /// Application threads leave it to workers.
    pub fn for_workers(self) -> Work {
        Work {
            fits_host: false,
            ..self
        }
    }
}

impl Action {
    pub fn is_empty(&self) -> bool {
        !matches!(self, Action::Work(_))
    }

    pub fn is_small(&self) -> bool {
        match self {
            Action::Work(work) => work.small,
            _ => true,
        }
    }

    pub fn is_tiny(&self) -> bool {
        false
    }

    pub fn is_prompt(&self) -> bool {
        false
    }

    pub fn fits_host(&self) -> bool {
        match self {
            Action::Work(work) => work.fits_host,
            _ => true,
        }
    }

    pub fn expected_ticks(&self) -> Option<u64> {
        None
    }

    pub fn parts(&self) -> u64 {
        match self {
            Action::Work(work) => work.parts,
            _ => 0,
        }
    }

    pub fn reserve(&self, _arena: &mut Arena) -> Result<Memory> {
        Ok(Memory)
    }

    pub fn run(&self, parts: Range<u64>, _memory: Memory) -> Result<()> {
        match self {
            Action::Work(work) => {
                // SAFETY: loom checks it.
                work.retired.with(|retired| assert!(!unsafe { *retired }));
                (work.run)(parts)
            }
            _ => Ok(()),
        }
    }

    pub fn learn(&self, _parts: u64, _ticks: u64) {}

    pub fn retire(&mut self) {
        match self {
            Action::Work(work) => {
                // SAFETY: loom checks it.
                work.retired.with_mut(|retired| unsafe { *retired = true });
            }
            Action::Span(_) | Action::Family(_) => *self = Action::Nothing,
            _ => {}
        }
    }
}
