//! Pipes: memory objects that hold packets for kernels (clCreatePipe). What kernels do with them is the library's
//! (`builtins/pipe.cl`); here they are laid out (`abi::PipeHeader`).

use super::context::Context;
use super::memory::Memory;
use super::object::Handle;
use crate::cl::*;
use crate::compiler::abi::{BASE_ALIGN, PipeCounter, PipeHeader};

/// Positions of packets are 32-bit numbers that wrap, and must not meet.
const MAX_PLACES: u32 = 1 << 30;

/// What clCreatePipe was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// In bytes.
    pub packet_size: u32,
    pub max_packets: u32,
}

impl Pipe {
    /// An empty pipe. Neither of its numbers is 0; `flags` must have been checked.
    /// # Errors
    /// CL_MEM_OBJECT_ALLOCATION_FAILURE when there is no memory for so many packets.
    pub fn create(self, context: Handle<Context>, flags: cl_mem_flags) -> Result<Memory> {
        let failure = Error::MEM_OBJECT_ALLOCATION_FAILURE;
        if self.max_packets > MAX_PLACES {
            return Err(failure);
        }
        let places = self.max_packets.next_power_of_two();
        let states = size_of::<PipeHeader>();
        // Both products are less than 2^63.
        let packets = (states + places as usize * size_of::<u32>()).next_multiple_of(BASE_ALIGN);
        let size = packets + places as usize * self.packet_size as usize;
        let memory = Memory::buffer(context, flags, size, std::ptr::null_mut(), Vec::new())?;
        let header = PipeHeader {
            packet_size: self.packet_size,
            max_packets: self.max_packets,
            mask: places - 1,
            unused: 0,
            packets: packets as u64,
            claimed_by_writers: PipeCounter::default(),
            written: PipeCounter::default(),
            claimed_by_readers: PipeCounter::default(),
            freed: PipeCounter::default(),
        };
        let data = memory.data();
        // SAFETY: the allocation is new, has `size` bytes and the header's alignment (BASE_ALIGN); the header and a state
        // for each place are inside.
        unsafe {
            data.cast::<PipeHeader>().write(header);
            let states = data.add(states).cast::<u32>();
            for place in 0..places {
                // Free for the position of the same number.
                states.add(place as usize).write(2 * place);
            }
        }
        Ok(memory.with_pipe(self))
    }
}
