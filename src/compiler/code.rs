//! The machine code of one kernel, which may still be in the making.

use super::abi::GroupFn;
use super::background;
use super::cell::{Cell, Job, Recipe};
use crate::codegen::{self, Line, Loaded};
use std::sync::Arc;

/// A kernel's machine code. Dropping it before it is there is no harm.
pub struct Code(Arc<Cell<Ready>>);

/// Machine code that can be called.
pub(super) struct Ready {
    pub entry: GroupFn,
    /// Keeps `entry` alive; `None` for a function that is part of this library.
    pub _loaded: Option<Loaded>,
    /// What it was loaded from, for program binaries.
    pub object: Arc<[u8]>,
}

impl Code {
    /// A function of this library.
    pub fn of_function(entry: GroupFn) -> Code {
        Code(Cell::of(Ready {
            entry,
            _loaded: None,
            object: Arc::default(),
        }))
    }

    /// Code that `recipe` makes; [`background::enqueue`](super::background::enqueue) has it made.
    pub(super) fn later(recipe: Recipe<Ready>) -> Code {
        Code(Cell::later(recipe))
    }

    /// How it will be made, as long as nobody has begun.
    pub(super) fn recipe(&self) -> Option<Recipe<Ready>> {
        self.0.recipe()
    }

    pub(super) fn job(&self) -> Arc<dyn Job> {
        self.0.clone()
    }

    /// The function that runs a work-group; it may be called as long as `self` lives. Waits until it is there. The error
    /// says why there is none.
    pub fn entry(&self) -> Result<GroupFn, &str> {
        self.wait().map(|ready| ready.entry)
    }

    /// Waits, and gives the object that the code was loaded from.
    pub(super) fn object(&self) -> Result<Arc<[u8]>, &str> {
        self.wait().map(|ready| ready.object.clone())
    }

    /// Whether nobody has to wait.
    pub(super) fn is_known(&self) -> bool {
        self.0.known().is_some()
    }

    /// The same; else it is made behind the caller's back.
    pub(super) fn is_known_or_offered(&self) -> bool {
        let known = self.is_known();
        if !known {
            background::offer(&self.job());
        }
        known
    }

    /// The object, if the code is there.
    pub(super) fn known_object(&self) -> Option<Arc<[u8]>> {
        let ready = self.0.known()?.as_ref().ok()?;
        Some(ready.object.clone())
    }

    /// The line of the source that an instruction at `pc` comes from, if that is in this code of the kernel `name`, which is there.
    pub(super) fn line_at(&self, name: &str, pc: usize) -> Option<Line> {
        let ready = self.0.known()?.as_ref().ok()?;
        codegen::line_at(&ready.object, name, ready.entry, pc)
    }

    fn wait(&self) -> Result<&Ready, &str> {
        self.0.wait().as_ref().map_err(String::as_str)
    }
}
