//! Atomic operations that a kernel leaves for later ([`MemOrder::Deferred`](super::MemOrder)), so that threads do not
//! fight for memory that many work-items change (a histogram): all of them do the same, to integers of the same size.
//!
//! Each thread keeps what it has to do to a place in a table of its own, the first thing in `abi::Group::scratch`: an
//! operation at an address that is in the table changes its entry; any other takes over the entry, after what stood in
//! it has been done to memory. An address's entry is that of the bits above those for the bytes of an integer.
//!
//! Invariant: the table is empty when a thread begins with groups of a launch, and it empties it behind them, so before
//! anybody is told that they have run. Like machine code, that may be left on the way: an address is whatever the kernel
//! made of it.

use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering};

use super::atomic::AtomicOp;
use super::types::{I32, I64, Type};

/// Entries of a table; a power of two.
pub const ENTRIES: usize = 512;

/// Bytes of a table.
pub const TABLE_BYTES: usize = ENTRIES * size_of::<Entry>();

/// What they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deferred {
    pub op: AtomicOp,
    /// 4 or 8.
    pub bytes: u8,
}

impl Deferred {
    /// That operation, if it can wait: what several of them do can be said by one.
    pub fn of(op: AtomicOp, ty: Type) -> Option<Deferred> {
        let bytes = match ty {
            I32 => 4,
            I64 => 8,
            _ => return None,
        };
        op.together().map(|_| Deferred { op, bytes })
    }
}

/// An entry of the table of [`Deferred`] operations, which is that of all addresses with the same bits above those for
/// bytes.
#[repr(C)]
pub struct Entry {
    /// 0: none.
    pub address: u64,
    /// In the low bytes.
    pub operand: u64,
}

/// The table of the thread's part of a launch.
#[derive(Clone, Copy)]
pub struct Table {
    entries: *mut Entry,
    what: Deferred,
}

impl Table {
    /// An empty one.
    ///
    /// # Safety
    /// `scratch` is that of a kernel with such operations, and only this table and the kernel's machine code use it.
    pub unsafe fn new(scratch: *mut u8, what: Deferred) -> Table {
        let entries = scratch.cast::<Entry>();
        // SAFETY: such a kernel's scratch begins with so many entries, which are integers.
        unsafe { entries.write_bytes(0, ENTRIES) };
        Table { entries, what }
    }

    /// Does to memory what waits. Holds no lock and owns no memory: it may be left.
    ///
    /// # Safety
    /// As a call of the launch's machine code.
    pub unsafe fn flush(self) {
        for n in 0..ENTRIES {
            // SAFETY: one of the entries; machine code does not run.
            let entry = unsafe { &*self.entries.add(n) };
            if entry.address != 0 {
                // SAFETY: the kernel asked for this, as it asks for other accesses.
                unsafe { apply(self.what, entry.address as usize, entry.operand) };
            }
        }
    }
}

/// Relaxed: that is what the kernel asked for. What tells others that the launch has ended orders all of it.
const ORDER: Ordering = Ordering::Relaxed;

/// # Safety
/// An atomic operation of a kernel at that address.
unsafe fn apply(what: Deferred, address: usize, operand: u64) {
    /// The operation with what is in the low bytes, as that type.
    macro_rules! on {
        ($atomic:ty, $int:ty, $method:ident) => {
            // SAFETY: the caller's; kernels get pointers to such integers only.
            unsafe {
                <$atomic>::from_ptr(address as *mut $int).$method(operand as $int, ORDER) as u64
            }
        };
    }
    /// For both sizes.
    macro_rules! sized {
        ($small:ty, $i:ty, $large:ty, $l:ty, $method:ident) => {
            match what.bytes {
                4 => on!($small, $i, $method),
                _ => on!($large, $l, $method),
            }
        };
    }
    match what.op {
        AtomicOp::Add => sized!(AtomicU32, u32, AtomicU64, u64, fetch_add),
        AtomicOp::Sub => sized!(AtomicU32, u32, AtomicU64, u64, fetch_sub),
        AtomicOp::And => sized!(AtomicU32, u32, AtomicU64, u64, fetch_and),
        AtomicOp::Or => sized!(AtomicU32, u32, AtomicU64, u64, fetch_or),
        AtomicOp::Xor => sized!(AtomicU32, u32, AtomicU64, u64, fetch_xor),
        AtomicOp::UMin => sized!(AtomicU32, u32, AtomicU64, u64, fetch_min),
        AtomicOp::UMax => sized!(AtomicU32, u32, AtomicU64, u64, fetch_max),
        AtomicOp::SMin => sized!(AtomicI32, i32, AtomicI64, i64, fetch_min),
        AtomicOp::SMax => sized!(AtomicI32, i32, AtomicI64, i64, fetch_max),
        AtomicOp::Xchg | AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => {
            unreachable!("`Deferred::of` knows none of these")
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_done_once_to_each_address() {
        let mut scratch: Vec<Entry> = Vec::with_capacity(ENTRIES);
        let mut memory = [10u32, -5i32 as u32];
        let what = Deferred::of(AtomicOp::SMin, I32).unwrap();
        // SAFETY: room for the entries, which nobody else uses.
        let table = unsafe { Table::new(scratch.as_mut_ptr().cast(), what) };
        let [a, b] = [0, 1].map(|n| std::ptr::from_mut(&mut memory[n]) as u64);
        let first = scratch.as_mut_ptr();
        let entry = |address, operand: i32| Entry {
            address,
            operand: 0xdead_beef << 32 | u64::from(operand as u32),
        };
        // SAFETY: inside of the table.
        unsafe {
            first.add(3).write(entry(a, -7));
            first.add(ENTRIES - 1).write(entry(b, 3));
            table.flush();
        }
        assert_eq!(memory.map(|n| n as i32), [-7, -5]);
    }
}
