//! Memory for buffers and shared allocations: from the heap, or pages of its own where it is large.
//!
//! Invariants: addresses are multiples of [`BASE_ALIGN`]; a sum of all living allocations is kept, so that asking for
//! more than the device has fails instead of calling the system's out-of-memory killer. A large one must also fit in
//! what the system has left at that time.

use super::headroom;
use super::pages::{LARGE, Pages};
use crate::compiler::abi::BASE_ALIGN;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// One allocation; freed when it is dropped. Its bytes are unsynchronised, as OpenCL's memory model has them.
pub struct Storage {
    source: Source,
    /// Counted in [`ALLOCATED`].
    bytes: u64,
}

enum Source {
    Heap { data: *mut u8, layout: Layout },
    Pages(Pages),
}

// SAFETY: plain memory; who accesses it is the owner's business.
unsafe impl Send for Storage {}
// SAFETY: as above.
unsafe impl Sync for Storage {}

/// Asking the system takes some tens of microseconds: less than it takes to touch so many bytes once.
const WORTH_ASKING: u64 = 64 << 20;

/// Bytes in living allocations.
static ALLOCATED: AtomicU64 = AtomicU64::new(0);

impl Storage {
    /// At least `size` bytes; none when there would be more than `limit` bytes in all, or the system has no more.
    pub fn allocate(size: usize, limit: u64) -> Option<Storage> {
        // Whole cache lines, so that wide accesses at the end stay inside.
        let padded = size.checked_next_multiple_of(BASE_ALIGN)?.max(BASE_ALIGN);
        let bytes = padded as u64;
        // Relaxed: only the sum matters, no other memory hangs on it.
        let before = ALLOCATED.fetch_add(bytes, Ordering::Relaxed);
        let source = if before.saturating_add(bytes) > limit || !fits_now(bytes, before) {
            None
        } else if padded >= LARGE {
            Pages::new(padded).map(Source::Pages)
        } else {
            Source::heap(padded)
        };
        if source.is_none() {
            // Relaxed: as above.
            ALLOCATED.fetch_sub(bytes, Ordering::Relaxed);
        }
        source.map(|source| Storage { source, bytes })
    }

    /// The first byte.
    pub fn data(&self) -> *mut u8 {
        match &self.source {
            Source::Heap { data, .. } => *data,
            Source::Pages(pages) => pages.data(),
        }
    }
}

/// Whether all of a new allocation can be touched, besides those of `before` bytes, of which not all need to be touched
/// yet. Of small ones it is believed.
fn fits_now(bytes: u64, before: u64) -> bool {
    if bytes < WORTH_ASKING {
        return true;
    }
    let promised = before.saturating_sub(headroom::resident());
    headroom::untouched().is_none_or(|left| bytes.saturating_add(promised) <= left)
}

impl Source {
    fn heap(size: usize) -> Option<Source> {
        let layout = Layout::from_size_align(size, BASE_ALIGN).ok()?;
        // SAFETY: the size is not zero.
        let data = unsafe { System.alloc(layout) };
        (!data.is_null()).then_some(Source::Heap { data, layout })
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Source::Heap { data, layout } = self.source {
            // SAFETY: allocated with this layout in `heap`, and freed only here.
            unsafe { System.dealloc(data, layout) }
        }
        // Relaxed: as in `allocate`.
        ALLOCATED.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_for_all_allocations_together() {
        // Other tests allocate at the same time, but not so much.
        let limit = 1 << 40;
        let first = Storage::allocate(1, limit).unwrap();
        assert_eq!(first.data() as usize % BASE_ALIGN, 0);
        assert!(Storage::allocate(limit as usize, limit).is_none());
        assert!(Storage::allocate(usize::MAX, u64::MAX).is_none());
        assert!(Storage::allocate(LARGE + 1, limit).is_some());
    }
}
