//! Functions of the host program as commands: clEnqueueNativeKernel.

use super::transfer::Held;
use crate::cl::c_void;
use smallvec::SmallVec;

/// `user_func` of clEnqueueNativeKernel.
pub type NativeFn = unsafe extern "C" fn(*mut c_void);

/// A call of the host's function with a copy of its arguments.
pub struct NativeKernel {
    function: NativeFn,
    /// The copied arguments, aligned for any type of C.
    args: SmallVec<[u128; 4]>,
    has_args: bool,
    /// Whose addresses stand in the arguments.
    _memories: Held,
}

impl NativeKernel {
    /// Copies `args`, and writes the addresses of memory objects at byte offsets of the copy, each with 8 bytes behind it.
    pub fn new(function: NativeFn, args: &[u8], memories: Held, places: &[usize]) -> NativeKernel {
        let mut bytes = args.to_vec();
        for (memory, &at) in memories.iter().zip(places) {
            let address = memory.data() as usize;
            bytes[at..at + size_of::<usize>()].copy_from_slice(&address.to_ne_bytes());
        }
        let words = bytes.chunks(size_of::<u128>()).map(|part| {
            let mut word = [0; size_of::<u128>()];
            word[..part.len()].copy_from_slice(part);
            u128::from_ne_bytes(word)
        });
        NativeKernel {
            function,
            args: words.collect(),
            has_args: !args.is_empty(),
            _memories: memories,
        }
    }

    /// Calls the function: once, on a thread of the device, with no lock held.
    pub fn run(mut self) {
        let args = if self.has_args {
            self.args.as_mut_ptr().cast()
        } else {
            std::ptr::null_mut()
        };
        // SAFETY: the application's function, called as clEnqueueNativeKernel specifies.
        unsafe { (self.function)(args) }
    }
}
