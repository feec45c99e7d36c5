//! The memory that work-groups run in: scratch and local memory, one pair for each thread, kept between launches.
//!
//! Invariants: blocks are aligned to [`BASE_ALIGN`] and grow only; what a thread keeps is bounded. Contents are
//! whatever the last work-group left ("uninitialised" for OpenCL C).

use crate::compiler::abi::BASE_ALIGN;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};

/// Bytes that a thread keeps in each block after a launch; a larger block is given back.
const KEEP: usize = 32 << 20;

/// Scratch and local memory of one thread.
pub struct Arena {
    scratch: Block,
    local: Block,
}

/// Addresses in an [`Arena`], valid until it is reserved again.
#[derive(Clone, Copy)]
pub struct Memory {
    pub scratch: *mut u8,
    pub local: *mut u8,
}

thread_local! {
    static ARENA: RefCell<Arena> = const { RefCell::new(Arena::new()) };
    /// That of a thread of ours. It has no destructor, for which the C library would need memory when it is first used:
    /// without it ends the process.
    static OWN: Cell<*const RefCell<Arena>> = const { Cell::new(std::ptr::null()) };
}

/// Runs what a thread of ours does, with an arena for all of it.
pub fn with_own<R>(life: impl FnOnce() -> R) -> R {
    struct Gone;
    impl Drop for Gone {
        fn drop(&mut self) {
            OWN.set(std::ptr::null());
        }
    }
    let arena = RefCell::new(Arena::new());
    OWN.set(&arena);
    let _gone = Gone;
    life()
}

/// Runs `work` with this thread's arena; a nested call, or one while the thread ends, gets an arena of its own.
pub fn with<R>(work: impl FnOnce(&mut Arena) -> R) -> R {
    let mut work = Some(work);
    let mut lend = |arena: &RefCell<Arena>| {
        let mut arena = arena.try_borrow_mut().ok()?;
        work.take().map(|work| work(&mut arena))
    };
    // SAFETY: `with_own` lets it live until it takes the address back, on this thread.
    let done = match unsafe { OWN.get().as_ref() } {
        Some(own) => Ok(lend(own)),
        None => ARENA.try_with(lend),
    };
    match (done, work) {
        (Ok(Some(result)), _) => result,
        (_, Some(work)) => work(&mut Arena::new()),
        (_, None) => unreachable!("the work was taken, so it gave a result"),
    }
}

impl Arena {
    const fn new() -> Arena {
        Arena {
            scratch: Block::EMPTY,
            local: Block::EMPTY,
        }
    }

    /// Makes room for so many bytes of each; none when the memory can't be had.
    pub fn reserve(&mut self, scratch: usize, local: usize) -> Option<Memory> {
        Some(Memory {
            scratch: self.scratch.reserve(scratch)?,
            local: self.local.reserve(local)?,
        })
    }

    /// Gives back what is too large to keep.
    pub fn trim(&mut self) {
        self.scratch.trim();
        self.local.trim();
    }
}

struct Block {
    data: *mut u8,
    size: usize,
}

impl Block {
    const EMPTY: Block = Block {
        data: std::ptr::without_provenance_mut(BASE_ALIGN),
        size: 0,
    };

    fn layout(size: usize) -> Option<Layout> {
        let size = size.checked_next_multiple_of(BASE_ALIGN)?;
        Layout::from_size_align(size, BASE_ALIGN).ok()
    }

    fn reserve(&mut self, size: usize) -> Option<*mut u8> {
        if size > self.size {
            *self = Block::EMPTY;
            // A quarter more, so that slowly growing launches do not allocate each time.
            let layout = Block::layout(size.checked_add(size / 4)?)?;
            // SAFETY: the size is above zero, because it is above the old one.
            let data = unsafe { System.alloc(layout) };
            if data.is_null() {
                return None;
            }
            *self = Block {
                data,
                size: layout.size(),
            };
        }
        Some(self.data)
    }

    fn trim(&mut self) {
        if self.size > KEEP {
            *self = Block::EMPTY;
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.size > 0
            && let Some(layout) = Block::layout(self.size)
        {
            // SAFETY: allocated in `reserve` with this layout: its size is a multiple of the alignment already.
            unsafe { System.dealloc(self.data, layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_grow_and_are_given_back() {
        with(|arena| {
            let memory = arena.reserve(100, 0).unwrap();
            assert_eq!(memory.scratch as usize % BASE_ALIGN, 0);
            assert_eq!(memory.local as usize % BASE_ALIGN, 0);
            // SAFETY: 100 bytes were reserved.
            unsafe { memory.scratch.write_bytes(1, 100) };
            assert!(arena.reserve(KEEP * 2, 128).is_some());
            arena.trim();
            assert_eq!(arena.scratch.size, 0);
            assert!(arena.local.size >= 128);
            assert!(arena.reserve(usize::MAX, 0).is_none());
            with(|inner| assert!(inner.reserve(1, 1).is_some()));
        });
    }
}
