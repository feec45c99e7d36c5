//! Work whose effects a model looks at.

use crate::cl::cl_command_queue_properties;
use crate::runtime::command::{Action, Work};
use crate::runtime::context::Context;
use crate::runtime::device::Device;
use crate::runtime::device_pool;
use crate::runtime::object::{Handle, Object};
use crate::runtime::queue::Queue;
use crate::runtime::thread;
use loom::cell::UnsafeCell;
use std::sync::Arc;

/// A variable that loom watches.
pub struct Shared(UnsafeCell<u32>);

// SAFETY: loom finds accesses that are not ordered.
unsafe impl Sync for Shared {}

impl Shared {
    pub fn new() -> Shared {
        Shared(UnsafeCell::new(0))
    }

    #[track_caller]
    pub fn get(&self) -> u32 {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    pub fn add(&self) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }
}

/// How often each part has run.
pub struct Counted(Arc<Vec<Shared>>);

impl Counted {
    /// Each part has run once, and its effects are seen.
    pub fn check(&self) {
        for part in &*self.0 {
            assert_eq!(part.get(), 1);
        }
    }
}

pub fn counted(parts: usize) -> (Work, Counted) {
    let cells = Arc::new((0..parts).map(|_| Shared::new()).collect::<Vec<_>>());
    let seen = Counted(cells.clone());
    let work = Work::new(move |range| {
        for part in range {
            cells[part as usize].add();
        }
        Ok(())
    });
    (work.parts(parts as u64), seen)
}

impl Work {
    pub fn action(self) -> Action {
        Action::Work(self)
    }
}

pub fn queue(properties: cl_command_queue_properties) -> Handle<Queue> {
    let device = Object::new(Device {
        pool: device_pool::root(),
    });
    Queue::new(Object::new(Context), device, properties, Vec::new())
}

/// The model has no more work: its workers end.
pub fn finish() {
    device_pool::root().get().close();
    thread::join_all();
}
