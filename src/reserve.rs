//! Memory for the time when the system gives none: the allocator of all Rust code in the library.
//!
//! Rust ends the process when a small allocation fails. A library in somebody else's process must not: so what the system
//! refuses comes from a reserve that is part of the library's own data, and whoever is asked to make something new looks first
//! whether memory is short ([`is_short`]) and refuses it with an error. Calls that only release, wait or ask go on working,
//! so that an application can get out of where it is. Large memory (buffers, scratch, programs' variables) does not come from
//! here: who allocates it asks [`System`] and handles the refusal.
//!
//! Invariants: nothing here allocates or panics. A block is freed with the layout that it was allocated with, so that blocks need
//! no headers: one bit stands for each [`UNIT`] of the reserve. Pages that are never used cost nothing.

use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of the reserve: a thousand calls in flight with some kilobytes each.
const SIZE: usize = 16 << 20;

/// The reserve is given out in multiples of so many bytes.
const UNIT: usize = 64;

const UNITS: usize = SIZE / UNIT;

/// What must be free again before new objects are made.
const ENOUGH: usize = 1 << 20;

/// What must be free before a program is built, or machine code is made: LLVM ends the process where it gets no memory.
pub const FOR_BUILDS: usize = 64 << 20;

/// The system's allocator, and behind it the reserve.
pub struct Allocator;

#[repr(C, align(4096))]
struct Bytes(UnsafeCell<[u8; SIZE]>);

// SAFETY: each part belongs to whoever has allocated it.
unsafe impl Sync for Bytes {}

static BYTES: Bytes = Bytes(UnsafeCell::new([0; SIZE]));

/// A bit for each unit, set while it is in use.
static USED: Mutex<[u64; UNITS / 64]> = Mutex::new([0; UNITS / 64]);

/// The reserve has been drawn on since memory was last seen to be there.
static DRAWN: AtomicBool = AtomicBool::new(false);

// SAFETY: blocks are from the system or from the reserve, do not overlap, and are told apart by their addresses.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout has a size.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { take(layout) } else { block }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout has a size.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            return block;
        }
        let block = take(layout);
        if !block.is_null() {
            // SAFETY: so many bytes have just been taken.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match place(block) {
            Some(first) => give_back(first, layout),
            // SAFETY: the caller's block, which is the system's.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if place(block).is_none() {
            // SAFETY: the caller's block, which is the system's.
            let moved = unsafe { System.realloc(block, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller says that the size is good for this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the caller's size is not 0; both blocks have so many bytes, and the old one is the caller's.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// The lock of the reserve, which is taken under any other.
pub fn lock() -> &'static dyn HeldOverFork {
    &USED
}

/// Whether the system has refused memory lately and still has none to spare: nothing new is to be made then.
pub fn is_short() -> bool {
    // Relaxed, both: a hint; nothing else hangs on it.
    if !DRAWN.load(Ordering::Relaxed) {
        return false;
    }
    let short = !has(ENOUGH);
    if !short {
        DRAWN.store(false, Ordering::Relaxed);
    }
    short
}

/// Whether the system gives so many bytes (not 0) in one piece. They are given back at once. Pages are asked for, not the
/// heap, whose own thresholds would move with a large block.
pub fn has(bytes: usize) -> bool {
    // SAFETY: a mapping of its own, which nobody uses.
    unsafe {
        let pages = libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        pages != libc::MAP_FAILED && libc::munmap(pages, bytes) == 0
    }
}

fn base() -> *mut u8 {
    BYTES.0.get().cast()
}

/// The unit that a block of the reserve begins at.
fn place(block: *mut u8) -> Option<usize> {
    let offset = (block as usize).wrapping_sub(base() as usize);
    (offset < SIZE).then_some(offset / UNIT)
}

fn units(layout: Layout) -> usize {
    layout.size().div_ceil(UNIT)
}

/// A block of the reserve, or null when it has no room left.
#[cold]
fn take(layout: Layout) -> *mut u8 {
    // Relaxed: see `is_short`.
    DRAWN.store(true, Ordering::Relaxed);
    // The reserve is aligned to a page, and nothing of ours is aligned to more.
    let (count, step) = (units(layout), layout.align().div_ceil(UNIT));
    let mut used = USED.lock();
    let mut first = 0;
    while first + count <= UNITS {
        match (first..first + count)
            .rev()
            .find(|&n| is_used(&used[..], n))
        {
            // Behind the last unit that is in the way.
            Some(taken) => first = (taken + 1).next_multiple_of(step),
            None => {
                (first..first + count).for_each(|n| used[n / 64] |= 1 << (n % 64));
                return base().wrapping_add(first * UNIT);
            }
        }
    }
    std::ptr::null_mut()
}

#[cold]
fn give_back(first: usize, layout: Layout) {
    let mut used = USED.lock();
    (first..first + units(layout)).for_each(|n| used[n / 64] &= !(1 << (n % 64)));
}

fn is_used(used: &[u64], unit: usize) -> bool {
    used[unit / 64] >> (unit % 64) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_of_the_reserve_are_apart_and_come_back() {
        let sizes = [1, 64, 65, 4000, 100_000];
        let blocks: Vec<_> = sizes
            .iter()
            .map(|&size| (take(layout(size, 8)), layout(size, 8)))
            .collect();
        for (n, (block, layout)) in blocks.iter().enumerate() {
            assert!(place(*block).is_some());
            // SAFETY: the block is ours.
            unsafe { block.write_bytes(n as u8, layout.size()) };
        }
        let page = layout(100, 4096);
        let aligned = take(page);
        assert_eq!(aligned as usize % 4096, 0);
        for (n, (block, layout)) in blocks.iter().enumerate() {
            // SAFETY: written above.
            let bytes = unsafe { std::slice::from_raw_parts(*block, layout.size()) };
            assert!(bytes.iter().all(|&byte| byte == n as u8));
        }
        // SAFETY: allocated above, and grown out of the reserve.
        unsafe {
            let grown = Allocator.realloc(blocks[3].0, blocks[3].1, 9000);
            assert!(place(grown).is_none() && *grown.add(3999) == 3);
            Allocator.dealloc(grown, layout(9000, 8));
            Allocator.dealloc(aligned, page);
            for n in [0, 1, 2, 4] {
                Allocator.dealloc(blocks[n].0, blocks[n].1);
            }
        }
        assert!(USED.lock().iter().all(|&word| word == 0));
        assert!(take(layout(SIZE + 1, 8)).is_null());
        assert!(has(1) && !has(isize::MAX as usize / UNIT * UNIT));
        assert!(!is_short());
    }
}
