//! What the work-items of a kernel have cost so far: learned from launch to launch, by all threads at once.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Estimates for one kernel.
#[derive(Default)]
pub struct Cost {
    /// Of a work-item, in 1/256 ticks; 0 when it is not known.
    per_item: AtomicU32,
    /// Ticks that its launches have taken in all.
    spent: AtomicU64,
}

/// By what factor a launch's time must differ from the mean so far to be no sample like others.
const OUTLIER: u64 = 8;

impl Cost {
    /// What a work-item costs, in 1/256 ticks; 0 when it is not known.
    pub fn per_item(&self) -> u64 {
        // Relaxed: an estimate; any recent value will do.
        self.per_item.load(Ordering::Relaxed).into()
    }

    /// What so many work-items will take on one thread, if it is known.
    pub fn ticks(&self, items: u64) -> Option<u64> {
        let per_item = self.per_item();
        (per_item != 0).then(|| items.saturating_mul(per_item) >> 8)
    }

    /// Ticks that launches have taken so far, on all threads.
    pub fn spent(&self) -> u64 {
        // Relaxed: an estimate.
        self.spent.load(Ordering::Relaxed)
    }

    /// Learns from `items` work-items, at least 1, that took `ticks`.
    pub fn learn(&self, items: u64, ticks: u64) {
        // Relaxed, all: estimates; a lost update does no harm.
        let spent = self.spent().saturating_add(ticks);
        self.spent.store(spent, Ordering::Relaxed);
        let new = (ticks.saturating_mul(256) / items).clamp(1, u32::MAX.into());
        let old = self.per_item();
        // A thread that lost its CPU for a while says little: a sudden rise is believed in part, a sudden fall at once.
        let mean = match old {
            0 => new,
            _ if new < old / OUTLIER => 2 * new,
            _ => (3 * old + new.min(OUTLIER * old)) / 4,
        };
        if mean != old {
            self.per_item.store(mean.max(1) as u32, Ordering::Relaxed);
        }
    }
}
