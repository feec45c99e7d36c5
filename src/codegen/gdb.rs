//! Debuggers see loaded code by GDB's JIT interface (GDB manual, "JIT Compilation Interface"): a list of objects, and a
//! function that they stop at when it changes.
//!
//! Objects are announced that have debug information (`-g`). A debugger reads a copy of the object in which the section of code says
//! where it was loaded; it unwinds by `.debug_frame`, so that no other section needs an address.
//!
//! Invariants: an entry is in the list from before its code can run until it is unloaded; the list changes under [`lock`].
//! The two symbols are exported, because debuggers look for them in stripped libraries too; our references are bound
//! to our own (`build.rs`), whatever else in the process has them.

use std::ptr;

use object::elf::{FileHeader64, SHF_ALLOC, SectionHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, Object};

use super::lines;
use crate::ir::abi::GroupFn;
use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;

/// What the list is asked to show.
const NOTHING: u32 = 0;
const REGISTERED: u32 = 1;
const UNREGISTERED: u32 = 2;

/// `struct jit_code_entry`.
#[repr(C)]
pub struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    start: *const u8,
    size: u64,
}

/// `struct jit_descriptor`.
#[repr(C)]
pub struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

/// The list.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut __jit_debug_descriptor: Descriptor = Descriptor {
    version: 1,
    action: NOTHING,
    relevant: ptr::null_mut(),
    first: ptr::null_mut(),
};

/// Debuggers have a breakpoint here.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __jit_debug_register_code() {
    // SAFETY: no instruction at all; it keeps calls of this function.
    unsafe { std::arch::asm!("", options(nostack, preserves_flags)) }
}

static LOCK: Mutex<()> = Mutex::new(());

/// The lock of the list.
pub fn lock() -> &'static dyn HeldOverFork {
    &LOCK
}

/// An object that debuggers know of, until this is dropped.
pub struct Registered {
    entry: Box<Entry>,
    /// What `entry` points to.
    _object: Vec<u8>,
}

// SAFETY: the entry is touched under a lock only.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

/// Announces an object that is loaded with its function of `kernel` at `entry`. None if it has no debug information.
pub fn register(object: &[u8], kernel: &str, entry: GroupFn) -> Option<Registered> {
    let file = object::File::parse(object).ok()?;
    file.section_by_name(".debug_info")?;
    let placed = lines::place(&file, kernel, entry)?;
    let copy = located(object, placed.section.0, placed.address)?;
    let mut entry = Box::new(Entry {
        next: ptr::null_mut(),
        previous: ptr::null_mut(),
        start: copy.as_ptr(),
        size: copy.len() as u64,
    });
    let _locked = LOCK.lock();
    let list = &raw mut __jit_debug_descriptor;
    // SAFETY: the lock; entries in the list live until they are taken out.
    unsafe {
        entry.next = (*list).first;
        if let Some(next) = entry.next.as_mut() {
            next.previous = &mut *entry;
        }
        (*list).first = &mut *entry;
        show(list, &mut entry, REGISTERED);
    }
    Some(Registered {
        entry,
        _object: copy,
    })
}

impl Drop for Registered {
    fn drop(&mut self) {
        let _locked = LOCK.lock();
        let list = &raw mut __jit_debug_descriptor;
        let entry = &mut self.entry;
        // SAFETY: as in `register`.
        unsafe {
            match entry.previous.as_mut() {
                Some(previous) => previous.next = entry.next,
                None => (*list).first = entry.next,
            }
            if let Some(next) = entry.next.as_mut() {
                next.previous = entry.previous;
            }
            show(list, entry, UNREGISTERED);
        }
    }
}

/// # Safety
/// Under the lock.
unsafe fn show(list: *mut Descriptor, entry: &mut Entry, action: u32) {
    // SAFETY: the caller's contract.
    unsafe {
        (*list).relevant = entry;
        (*list).action = action;
        __jit_debug_register_code();
        (*list).action = NOTHING;
        (*list).relevant = ptr::null_mut();
    }
}

/// A copy of the object whose code is said to be at `address`, and none of its other sections in memory.
fn located(object: &[u8], code: usize, address: u64) -> Option<Vec<u8>> {
    let header = FileHeader64::<Endianness>::parse(object).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.section_headers(endian, object).ok()?;
    let start = usize::try_from(header.e_shoff(endian)).ok()?;
    let mut copy = object.to_vec();
    for (n, section) in sections.iter().enumerate() {
        let at = start + n * size_of::<SectionHeader64<Endianness>>();
        if n == code {
            write(&mut copy, at + ADDR, address)?;
        } else {
            let flags = section.sh_flags(endian).0 & !SHF_ALLOC.0;
            write(&mut copy, at + FLAGS, flags)?;
        }
    }
    Some(copy)
}

/// Offsets in a section header of 64 bits (System V ABI, "Sections").
const FLAGS: usize = 8;
const ADDR: usize = 16;

fn write(bytes: &mut [u8], at: usize, word: u64) -> Option<()> {
    let place = bytes.get_mut(at..at + 8)?;
    place.copy_from_slice(&word.to_le_bytes());
    Some(())
}
