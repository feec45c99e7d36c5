//! Memory that the host and kernels name by one address: shared virtual memory, and Intel's unified shared memory.
//!
//! The device is the host, so any address of the process is good in kernels (fine-grain system SVM, with atomics), and
//! nothing is ever copied or moved. What a context keeps of each allocation serves freeing, queries and checks.
//! Sources: OpenCL API 5.6 "Shared Virtual Memory"; cl_intel_unified_shared_memory.

use super::device::Device;
use super::object::Handle;
use super::storage::Storage;
use crate::cl::{c_void, cl_bitfield};
use crate::sync::Mutex;
use std::collections::BTreeMap;

/// Which call made an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// clSVMAlloc.
    Svm,
    /// clHostMemAllocINTEL.
    Host,
    /// clDeviceMemAllocINTEL.
    Device,
    /// clSharedMemAllocINTEL.
    Shared,
}

/// What is known of an allocation.
#[derive(Clone)]
pub struct Facts {
    pub kind: Kind,
    /// Address of the first byte.
    pub base: usize,
    /// Bytes asked for.
    pub size: usize,
    /// The device that it is associated with, if any.
    pub device: Option<Handle<Device>>,
    /// The flags that it was made with: `cl_svm_mem_flags`, or `cl_mem_alloc_flags_intel`.
    pub flags: cl_bitfield,
}

/// A context's allocations, by address.
#[derive(Default)]
pub struct Allocations(Mutex<BTreeMap<usize, Allocation>>);

struct Allocation {
    facts: Facts,
    /// Held for its `Drop`.
    _storage: Storage,
}

impl Facts {
    /// Bytes from `address` to the end of the allocation.
    pub fn bytes_from(&self, address: usize) -> usize {
        self.base + self.size - address
    }
}

impl Allocations {
    /// Allocates `size` bytes (not 0), aligned for every type. None when there would be more than `limit` bytes in use
    /// by all buffers and allocations, or the system has no more.
    pub fn allocate(
        &self,
        kind: Kind,
        size: usize,
        device: Option<Handle<Device>>,
        flags: cl_bitfield,
        limit: u64,
    ) -> Option<*mut c_void> {
        let storage = Storage::allocate(size, limit)?;
        let address = storage.data();
        let facts = Facts {
            kind,
            base: address as usize,
            size,
            device,
            flags,
        };
        let allocation = Allocation {
            facts,
            _storage: storage,
        };
        self.0.lock().insert(address as usize, allocation);
        Some(address.cast())
    }

    /// Frees the allocation that begins at `address`, if its kind is one of `kinds`. Whether there was one.
    pub fn free(&self, address: *mut c_void, kinds: &[Kind]) -> bool {
        let taken = {
            let mut all = self.0.lock();
            let fits = all
                .get(&(address as usize))
                .is_some_and(|found| kinds.contains(&found.facts.kind));
            if fits {
                all.remove(&(address as usize))
            } else {
                None
            }
        };
        // The memory goes back to the system outside the lock.
        taken.is_some()
    }

    /// The allocation that the byte at `address` is in.
    pub fn find(&self, address: *const c_void) -> Option<Facts> {
        let address = address as usize;
        let all = self.0.lock();
        let (_, found) = all.range(..=address).next_back()?;
        (address - found.facts.base < found.facts.size).then(|| found.facts.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_found_by_any_byte_in_them_and_freed_by_their_first() {
        let all = Allocations::default();
        let make = |kind, size| all.allocate(kind, size, None, 0, u64::MAX).unwrap();
        let (a, b) = (make(Kind::Svm, 100), make(Kind::Host, 7));
        let at = |base: *mut c_void, offset: usize| base.cast::<u8>().wrapping_add(offset).cast();
        assert_eq!(all.find(at(a, 99)).unwrap().base, a as usize);
        assert_eq!(all.find(at(a, 98)).unwrap().bytes_from(a as usize + 98), 2);
        assert_eq!(all.find(at(b, 0)).unwrap().kind, Kind::Host);
        assert!(
            all.find(at(a, 100))
                .is_none_or(|other| other.base != a as usize)
        );
        assert!(all.find(std::ptr::null()).is_none());
        assert!(!all.free(at(a, 1), &[Kind::Svm]));
        assert!(!all.free(b, &[Kind::Svm]));
        assert!(all.free(a, &[Kind::Svm]) && !all.free(a, &[Kind::Svm]));
        assert!(all.free(b, &[Kind::Host, Kind::Shared]));
        assert!(all.allocate(Kind::Svm, 200, None, 0, 100).is_none());
    }
}
