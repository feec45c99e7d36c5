//! Memory for large buffers: pages of its own, huge ones where the system has them.
//!
//! Streaming over a large array with 4 KiB pages spends up to a third of the time in the page tables, and the system
//! gives huge pages only to those who ask (`madvise` is the usual setting). Sources: madvise(2), mmap(2); the kernel's
//! Documentation/admin-guide/mm/transhuge.rst.
//!
//! Invariants: the address is a multiple of [`HUGE`] plus a multiple of [`STAGGER`] below one page; the memory is
//! zero at first, and given back as a whole.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a huge page.
const HUGE: usize = 2 << 20;

/// Smaller buffers come from the heap.
pub const LARGE: usize = 2 << 20;

/// Buffers begin at different distances from a page's start, because loads and stores at the same distance compete
/// for the same sets of the caches.
const STAGGER: usize = 512;

const PAGE: usize = 4096;

/// One allocation; freed when it is dropped.
pub struct Pages {
    start: *mut u8,
    mapped: usize,
    data: *mut u8,
}

// SAFETY: plain memory; who accesses it is the owner's business.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// At least `size` bytes; none when the system has no more.
    pub fn new(size: usize) -> Option<Pages> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // Relaxed: any number will do.
        let offset = COUNT.fetch_add(1, Ordering::Relaxed) % (PAGE / STAGGER) * STAGGER;
        let mapped = size
            .checked_add(offset)?
            .checked_next_multiple_of(PAGE)?
            .checked_add(HUGE)?;
        // SAFETY: a new mapping; nothing else is touched.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = start.cast::<u8>();
        let aligned = start.wrapping_add(start.align_offset(HUGE));
        // A refusal costs speed only.
        // SAFETY: advice on pages of the new mapping.
        unsafe { libc::madvise(aligned.cast(), mapped - HUGE, libc::MADV_HUGEPAGE) };
        Some(Pages {
            start,
            mapped,
            data: aligned.wrapping_add(offset),
        })
    }

    /// The first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this size, and unmapped only here.
        unsafe { libc::munmap(self.start.cast(), self.mapped) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_there_and_start_apart() {
        let (a, b) = (Pages::new(LARGE).unwrap(), Pages::new(LARGE + 5).unwrap());
        assert_ne!(a.data() as usize % PAGE, b.data() as usize % PAGE);
        for pages in [&a, &b] {
            assert_eq!(pages.data() as usize % STAGGER, 0);
            // SAFETY: at least so many bytes were asked for.
            unsafe {
                assert_eq!(*pages.data().add(LARGE - 1), 0);
                pages.data().write_bytes(7, LARGE);
            }
        }
        assert!(Pages::new(usize::MAX - 100).is_none());
    }
}
