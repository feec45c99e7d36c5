//! Memory for machine code and its constants, in one piece, so that they reach each other by 32-bit distances.
//!
//! Invariants: pages are never writable and executable at once; the code's pages come first, then the constants'.

use std::ptr::NonNull;

/// A mapping that is being filled.
pub struct Draft(Mapping);

/// Code and constants that nobody changes any more, unmapped when it is dropped.
pub struct CodeMemory(Mapping);

struct Mapping {
    start: NonNull<u8>,
    /// In bytes, of whole pages: the code's, and all.
    code: usize,
    all: usize,
}

// SAFETY: plain memory, which only a `Draft`'s owner writes.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Draft {
    /// Zeros. `code` and `constants` are in bytes; the constants start at [`Draft::constants`]. None when the memory
    /// can't be had.
    pub fn new(code: usize, constants: usize) -> Option<Draft> {
        let page = page_size();
        let code = code.checked_next_multiple_of(page)?;
        let constants = constants.checked_next_multiple_of(page)?;
        // There is no mapping of no pages.
        let all = constants.checked_add(code)?.max(page);
        // SAFETY: a new mapping of no file, wherever there is room.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                all,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = NonNull::new(start.cast())?;
        Some(Draft(Mapping { start, code, all }))
    }

    /// Where the constants start, in bytes from the start.
    pub fn constants(&self) -> usize {
        self.0.code
    }

    pub fn address(&self) -> usize {
        self.0.start.as_ptr().addr()
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: mapped, writable and initialised (zeros), and nobody else has it yet.
        unsafe { std::slice::from_raw_parts_mut(self.0.start.as_ptr(), self.0.all) }
    }

    /// Makes the code executable, and all of it read-only. None when the system does not allow that.
    pub fn finish(self) -> Option<CodeMemory> {
        let Mapping { start, code, all } = self.0;
        let protect = |from: usize, size: usize, how| {
            // SAFETY: whole pages of the mapping, of which no reference is left.
            size == 0 || unsafe { libc::mprotect(start.as_ptr().add(from).cast(), size, how) } == 0
        };
        let done = protect(0, code, libc::PROT_READ | libc::PROT_EXEC)
            && protect(code, all - code, libc::PROT_READ);
        done.then_some(CodeMemory(self.0))
    }
}

impl CodeMemory {
    pub fn address(&self) -> usize {
        self.0.start.as_ptr().addr()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped by `Draft::new`; the owner says that nothing in it is used any more. A failure leaves it mapped.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.all) };
    }
}

fn page_size() -> usize {
    // SAFETY: a question with an answer on every system.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}
