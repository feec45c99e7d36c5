//! The memory of a program's variables in global memory (OpenCL C 3.0, 6.7.1): one block, which the machine code of all
//! its kernels shares and knows by the address of [`SYMBOL`].
//!
//! Invariants: where each variable stands follows from the module alone, so that kernels whose code is made apart, or in
//! another process, agree. Constants whose addresses a variable holds stand in the block too, since the rest of them
//! is copied into each kernel's code. The block lives as long as code that was loaded with it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::CStr;
use std::ptr::NonNull;

use crate::ir::{AddrSpace, GlobalId, Module, abi};

/// What stands for the address of the block in an object.
pub const SYMBOL: &CStr = c"program.data";

/// What the block holds when the program has been built; offsets and sizes in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    pub size: u64,
    /// The first bytes; the rest is zero.
    pub bytes: Vec<u8>,
    /// The addresses in it: where one stands, and where in the block it leads.
    pub addresses: Vec<(u64, u64)>,
}

/// Where each of a module's globals stands in the block, if it does, and the block's size.
pub struct Places {
    pub of: Vec<Option<u64>>,
    pub size: u64,
}

impl Places {
    pub fn new(module: &Module) -> Places {
        let mut inside = vec![false; module.globals.len()];
        let variables = module.globals.iter().enumerate();
        let mut work: Vec<usize> = variables
            .filter(|(_, global)| global.space == AddrSpace::Global)
            .map(|(n, _)| n)
            .collect();
        while let Some(n) = work.pop() {
            if !std::mem::replace(&mut inside[n], true) {
                let targets = module.globals[n].relocs.iter();
                work.extend(targets.map(|(_, to, _)| to.index()));
            }
        }
        // What starts as zero comes last, so that an image need not hold it.
        let zero = |n: &usize| {
            let global = &module.globals[*n];
            global.relocs.is_empty() && global.init.iter().all(|&b| b == 0)
        };
        let all = (0..inside.len()).filter(|&n| inside[n]);
        let (zeros, others): (Vec<usize>, Vec<usize>) = all.partition(zero);
        let mut of = vec![None; inside.len()];
        let mut size = 0u64;
        for n in others.into_iter().chain(zeros) {
            let global = &module.globals[n];
            let at = size.next_multiple_of(u64::from(global.align.max(1)));
            of[n] = Some(at);
            // An empty object has an address of its own too.
            size = at + (global.init.len() as u64).max(1);
        }
        Places { of, size }
    }

    fn at(&self, id: GlobalId) -> Option<u64> {
        self.of.get(id.index()).copied().flatten()
    }
}

impl Image {
    pub fn new(module: &Module) -> Image {
        let places = Places::new(module);
        let mut image = Image {
            size: places.size,
            ..Image::default()
        };
        for (n, global) in module.globals.iter().enumerate() {
            let Some(at) = places.of[n] else {
                continue;
            };
            if let Some(last) = global.init.iter().rposition(|&b| b != 0) {
                let (start, end) = (at as usize, at as usize + last + 1);
                if image.bytes.len() < end {
                    image.bytes.resize(end, 0);
                }
                image.bytes[start..end].copy_from_slice(&global.init[..=last]);
            }
            for &(offset, to, addend) in &global.relocs {
                let to = places.at(to).expect("what a variable points to is inside");
                image
                    .addresses
                    .push((at + offset, to.wrapping_add_signed(addend)));
            }
        }
        image
    }

    /// Whether all of it lies in the block.
    fn is_sound(&self) -> bool {
        self.bytes.len() as u64 <= self.size
            && self
                .addresses
                .iter()
                .all(|(at, _)| at.checked_add(8).is_some_and(|end| end <= self.size))
    }
}

/// The block of one built program.
pub struct Data {
    block: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the block is plain memory; what kernels do with it is theirs to order, as with buffers.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    /// A block with its first contents. None if the memory can't be had, or the image is damaged.
    pub fn new(image: &Image) -> Option<Data> {
        let size = usize::try_from(image.size).ok()?.max(1);
        let layout = Layout::from_size_align(size, abi::BASE_ALIGN).ok()?;
        if !image.is_sound() {
            return None;
        }
        // SAFETY: the size is not zero.
        let block = NonNull::new(unsafe { System.alloc_zeroed(layout) })?;
        let data = Data { block, layout };
        // SAFETY: `is_sound` has seen that these bytes and words lie in the block.
        unsafe {
            let start = block.as_ptr();
            start.copy_from_nonoverlapping(image.bytes.as_ptr(), image.bytes.len());
            for &(at, to) in &image.addresses {
                let address = data.address().wrapping_add(to as usize);
                start
                    .add(at as usize)
                    .cast::<u64>()
                    .write_unaligned(address as u64);
            }
        }
        Some(data)
    }

    pub fn address(&self) -> usize {
        self.block.as_ptr() as usize
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout; no code that knows the address is left.
        unsafe { System.dealloc(self.block.as_ptr(), self.layout) }
    }
}
