//! One pool for each run of a model.

use super::pool::Pool;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct DevicePool {
    pool: &'static Pool,
}

/// Workers of the pool.
static WORKERS: AtomicUsize = AtomicUsize::new(0);

pub fn set_workers(count: usize) {
    // Relaxed, here and below: models run on one thread of the system.
    WORKERS.store(count, Ordering::Relaxed);
}

loom::lazy_static! {
    static ref ROOT: DevicePool = DevicePool {
        pool: Box::leak(Box::new(Pool::new(0, WORKERS.load(Ordering::Relaxed), None))),
    };
}

pub fn root() -> &'static DevicePool {
    &ROOT
}

impl DevicePool {
    pub(super) fn get(&self) -> &'static Pool {
        self.pool
    }

    pub fn workers(&self) -> usize {
        self.pool.workers()
    }

    pub fn is_pinned(&self) -> bool {
        false
    }
}
