//! Which pool of threads works for which device: one for the whole machine, and one for each set of CPUs that is a
//! sub-device. Sub-devices with the same CPUs share theirs, so that these are not overbooked.
//!
//! Invariants: pools live as long as the process, and a fork's child has its own; the threads of a pool for which there
//! is no sub-device any more end as soon as they have nothing to do. A pinned pool's work is done by its threads alone,
//! which stay on its CPUs; for the whole machine, application threads lend a hand.

use super::affinity;
use super::pool::Pool;
use crate::observe;
use crate::sync::Mutex;
use crate::sync::fork::{self, HeldOverFork};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// A device's pool, made when there is work for it.
pub struct DevicePool {
    current: AtomicPtr<Pool>,
    /// The CPUs of a sub-device, by the system's numbers.
    cpus: Option<&'static [usize]>,
}

/// The pool of a set of CPUs.
struct Shared {
    pool: &'static DevicePool,
    /// Living sub-devices.
    users: usize,
}

static ROOT: DevicePool = DevicePool::new(None);

static SHARED: Mutex<BTreeMap<&'static [usize], Shared>> = Mutex::new(BTreeMap::new());

/// The lock of the pools of sub-devices.
pub(super) fn lock() -> &'static dyn HeldOverFork {
    &SHARED
}

/// The pool of the whole machine.
pub fn root() -> &'static DevicePool {
    &ROOT
}

/// The pool of a sub-device with these CPUs (not none). Each call has its [`DevicePool::leave`].
pub fn of_cpus(cpus: &[usize]) -> &'static DevicePool {
    let mut all = SHARED.lock();
    if !all.contains_key(cpus) {
        let cpus: &'static [usize] = cpus.to_vec().leak();
        let pool = Box::leak(Box::new(DevicePool::new(Some(cpus))));
        all.insert(cpus, Shared { pool, users: 0 });
    }
    let shared = all.get_mut(cpus).expect("it is there now");
    shared.users += 1;
    if shared.users == 1
        && let Some(pool) = shared.pool.made()
    {
        pool.open();
    }
    shared.pool
}

impl DevicePool {
    const fn new(cpus: Option<&'static [usize]>) -> DevicePool {
        DevicePool {
            current: AtomicPtr::new(std::ptr::null_mut()),
            cpus,
        }
    }

    /// A sub-device ends. Its threads do, too, if it was the last one.
    pub fn leave(&self) {
        let mut all = SHARED.lock();
        let shared = self.cpus.and_then(|cpus| all.get_mut(cpus));
        if let Some(shared) = shared {
            shared.users -= 1;
            if shared.users == 0
                && let Some(pool) = self.made()
            {
                pool.close();
            }
        }
    }

    /// Whether its threads stay on CPUs of their own.
    pub fn is_pinned(&self) -> bool {
        self.cpus.is_some()
    }

    /// Threads of the pool, made or not: the device's CPUs, or CLOTHO_WORKERS for the whole machine.
    pub fn workers(&self) -> usize {
        match self.cpus {
            Some(cpus) => cpus.len(),
            None => self.get().workers(),
        }
    }

    /// The pool of this process, if it has been made.
    fn made(&self) -> Option<&'static Pool> {
        // Acquire: pairs with the Release that publishes a new pool.
        let current = self.current.load(Ordering::Acquire);
        // SAFETY: a pool lives forever once it is published.
        let pool = unsafe { current.as_ref() };
        pool.filter(|pool| pool.generation() == fork::generation())
    }

    pub(super) fn get(&self) -> &'static Pool {
        match self.made() {
            Some(pool) => pool,
            None => self.make(),
        }
    }

    #[cold]
    fn make(&self) -> &'static Pool {
        // Acquire: as in `made`.
        let current = self.current.load(Ordering::Acquire);
        let workers = self.cpus.map_or_else(worker_count, <[usize]>::len);
        let fresh = Box::into_raw(Box::new(Pool::new(fork::generation(), workers, self.cpus)));
        // AcqRel: publishes the new pool, or sees the one that another thread was faster to make.
        match self
            .current
            .compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire)
        {
            // SAFETY: published just now, so that it lives forever.
            Ok(_) => unsafe { &*fresh },
            Err(other) => {
                // SAFETY: nobody else has seen `fresh`; `other` is published.
                unsafe {
                    drop(Box::from_raw(fresh));
                    &*other
                }
            }
        }
    }
}

/// CPUs that the process may use, or CLOTHO_WORKERS.
fn worker_count() -> usize {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let count = |text: &str| text.parse().ok().filter(|n| (1..=1024).contains(n));
    let wish = observe::setting("CLOTHO_WORKERS", "a number from 1 to 1024", &TOLD, count);
    wish.unwrap_or_else(affinity::usable_cpus)
}
