//! The launch ABI: what a work-group function takes, shared by code generation (which emits loads from these
//! structures by offset) and by the runtime (which fills them). One function call runs one whole work-group.
//!
//! Invariants: the layout is `repr(C)` and versioned by [`ABI_VERSION`], because machine code that was made for
//! one layout can come back from a binary. All sizes are in work-items unless a name says bytes.

use std::ffi::c_void;

use super::function::Function;

/// Changes whenever a layout or a calling convention below changes.
pub const ABI_VERSION: u32 = 5;

/// Alignment in bytes of the argument block, `Group::scratch`, `Group::local` and every buffer.
pub const BASE_ALIGN: usize = 128;

/// What is the same for all work-groups of one NDRange.
#[repr(C)]
pub struct Launch {
    pub global_offset: [u64; 3],
    pub global_size: [u64; 3],
    /// The local size that was enqueued (get_enqueued_local_size); a remainder group is smaller.
    pub local_size: [u64; 3],
    pub num_groups: [u64; 3],
    pub work_dim: u64,
    /// Called for each printf of a work-item, see [`PrintfFn`].
    pub printf: PrintfFn,
    /// Called when work-items of one group wait at different barriers, see [`DivergenceFn`].
    pub divergence: DivergenceFn,
    /// Called when a work-item asks something of the runtime, see [`DeviceFn`].
    pub device: DeviceFn,
    /// Passed back to the functions above; opaque to machine code.
    pub user: *mut c_void,
}

/// What one work-group gets. `scratch` holds the values that live across barriers:
/// `scratch_fixed + scratch_per_item * local_size[0]*local_size[1]*local_size[2]` bytes, uninitialised.
/// `local` holds the kernel's `__local` variables first, then the `__local` arguments.
#[repr(C)]
pub struct Group {
    pub launch: *const Launch,
    pub group_id: [u64; 3],
    /// The size of this group, which is smaller than `Launch::local_size` in a remainder group.
    pub local_size: [u64; 3],
    pub scratch: *mut u8,
    pub local: *mut u8,
    /// Bytes of `scratch` and `local`: what a generic pointer is compared with.
    pub scratch_bytes: u64,
    pub local_bytes: u64,
}

/// Whether a launch may run groups of a kernel that are neighbours as one larger group, which the machine code can't
/// tell from a launch with a larger local size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merging {
    /// The kernel can tell its groups, or its code is made for one local size.
    #[default]
    Never,
    /// It may, and groups that take next to no time should be joined.
    Short,
    /// It may, and the longer the rows of items in x are the better.
    Rows,
}

/// Along which dimensions groups of a kernel with barriers fill local memory with the same, so that joining them saves work: several
/// neighbours in x (that have one number in y), or in y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// They can be joined, whether or not it pays.
    pub joins: bool,
    /// They have places in y, and no loop keeps them long where they are: joining groups with short rows makes longer runs of memory.
    pub rows: bool,
    pub x: bool,
    pub y: bool,
}

/// How many rows of items run at once where that makes long accesses of far ones (the columns of a matrix that is transposed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiles {
    /// A power of two; 0 where it is not so.
    pub rows: u32,
    /// It is what they read: then the tiles below each other should follow each other, so that memory is read in long runs.
    pub down: bool,
}

/// What a work-item of a kernel without loops moves, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    /// What it stores in passing, to memory that the kernel does not read; 0 if there is no such thing.
    pub stored: u32,
    /// What it reads and stores again in passing; 0 if there is no such thing.
    pub updated: u32,
    /// What it reads and writes in all.
    pub all: u32,
}

impl Streams {
    /// Whether there may be code for launches that move more than the caches hold.
    pub fn any(&self) -> bool {
        self.stored > 0 || self.updated > 0
    }
}

/// A compiled work-group function. `args` is the argument block: every kernel parameter at the offset that
/// [`args_layout`] gives. A pointer to `__local` stands there as a u64 byte offset from `Group::local`; every other
/// pointer as an address; a value or a struct by its bytes.
pub type GroupFn = unsafe extern "C" fn(args: *const u8, group: *const Group);

/// `format` is the NUL-terminated format string. `args` is `count` packed arguments, each a header word
/// (`kind` in bits 0..8: 0 integer, 1 floating point, 2 string or pointer; element size in bytes in bits 8..16;
/// number of elements in bits 16..32) followed by one 8-byte slot for each element (integers by their bits,
/// zero-extended; floating point as f64; a `char*` string as its address). Header words are 8 bytes wide.
pub type PrintfFn =
    unsafe extern "C" fn(launch: *const Launch, format: *const u8, args: *const u64, count: u32);

/// Work-items of `group` wait at two barriers at the same time: the source lines of these, the numbers of the regions behind them, and
/// where the number of each item's next region stands, by linear local id.
pub type DivergenceFn = unsafe extern "C" fn(
    group: *const Group,
    line_a: u32,
    line_b: u32,
    region_a: u32,
    region_b: u32,
    next: *const u32,
);

/// `op` is a [`DeviceOp`](super::DeviceOp) by its number; `args` are `count` 64-bit words: integers zero-extended, pointers
/// as addresses.
pub type DeviceFn =
    unsafe extern "C" fn(launch: *const Launch, op: u32, args: *const u64, count: u32) -> u64;

/// `ndrange_t` as kernels have it in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceRange {
    pub dimensions: u32,
    pub has_local: u32,
    pub offset: [u64; 3],
    pub global: [u64; 3],
    pub local: [u64; 3],
}

/// What an image argument points to: where its texels are and how to read them. The functions of `builtins/image_*.cl`
/// read it by the offsets of these fields. Sizes that a kind of image does not have are 1.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageDescriptor {
    /// Address of the first texel.
    pub data: u64,
    /// Bytes from a row to the next, and from a slice of a 3D image or a layer of an array to the next.
    pub row_pitch: u64,
    pub slice_pitch: u64,
    /// In texels.
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    /// Images in an image array.
    pub layers: u32,
    /// See [`image_format`]; with [`IMAGE_LARGE`] where it applies.
    pub format: u32,
}

/// A bit of [`ImageDescriptor::format`]: a texel may stand 2^31 bytes or more behind the first.
pub const IMAGE_LARGE: u32 = 1 << 16;

/// Offset in bytes of [`ImageDescriptor::format`], of which code may know the value when it is made.
pub const IMAGE_FORMAT_OFFSET: u64 = std::mem::offset_of!(ImageDescriptor, format) as u64;

/// What a pipe argument points to: how its packets are laid out, and who has which of them. The functions of
/// `builtins/pipe.cl` read and write it by the offsets of these fields. Positions of packets count up from 0 and wrap;
/// position `p` is in place `p % places`.
///
/// Behind it stand `places` words of state, one for each place: `2 * p` when it is free for position `p`, `2 * p + 1`
/// when the packet of position `p` is in it.
#[repr(C, align(128))]
pub struct PipeHeader {
    /// In bytes.
    pub packet_size: u32,
    pub max_packets: u32,
    /// `places - 1`; a power of two of places, `max_packets` or more.
    pub mask: u32,
    pub unused: u32,
    /// Where the first place is, in bytes from here.
    pub packets: u64,
    /// Up to which position packets are given to writers, are written, are given to readers, and are free again.
    pub claimed_by_writers: PipeCounter,
    pub written: PipeCounter,
    pub claimed_by_readers: PipeCounter,
    pub freed: PipeCounter,
}

/// A counter with a line of the cache to itself.
#[repr(C, align(128))]
#[derive(Default)]
pub struct PipeCounter(pub u32);

/// The largest packet of a pipe, in bytes.
pub const MAX_PACKET: u32 = 1 << 16;

/// Channel order and channel data type as one word: the low bytes of CL's constants, which all are `0x10nn`.
pub const fn image_format(channel_order: u32, channel_data_type: u32) -> u32 {
    (channel_data_type & 0xff) << 8 | (channel_order & 0xff)
}

/// Where each parameter of a kernel stands in the argument block, in bytes, and the size of the block: in order, each
/// at its natural alignment, pointers as 8 bytes, structs by their bytes.
pub fn args_layout(kernel: &Function) -> (Vec<u64>, u64) {
    let mut at = 0u64;
    let offsets = kernel
        .params
        .iter()
        .zip(kernel.param_values())
        .map(|(param, &value)| {
            let ty = kernel.ty(value);
            let (size, align) = match param.by_value {
                Some((size, align)) => (size, u64::from(align.max(1))),
                None => (ty.bytes(), ty.align()),
            };
            let offset = at.next_multiple_of(align);
            at = offset + size;
            offset
        })
        .collect();
    (offsets, at)
}
