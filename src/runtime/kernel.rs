//! Kernels: one function of a built program, and the arguments that clSetKernelArg gave it.
//!
//! Arguments do not retain memory objects (the specification says so): they are weak references, upgraded when the
//! kernel is enqueued. [`Kernel::bind`] takes the snapshot that a command runs with.

use super::cost::Cost;
use super::memory::Memory;
use super::object::{Body, Handle, Object};
use super::program::Program;
use super::transfer::Held;
use crate::cl::{Error, Result};
use crate::compiler;
use crate::compiler::COPY_ALIGN;
use crate::compiler::abi::{BASE_ALIGN, ImageDescriptor};
use crate::compiler::{ParamInfo, ParamKind};
use crate::sync::Mutex;
use smallvec::SmallVec;
use std::sync::{Arc, Weak};

pub struct Kernel {
    pub program: Handle<Program>,
    pub code: Arc<compiler::Kernel>,
    /// What earlier launches took, kept across launches and by clones.
    pub cost: Arc<Cost>,
    /// Whether the global size must be a multiple of the local size (see `Build::uniform`).
    pub uniform: bool,
    /// Whether its launches may enqueue others: its program has blocks that are kernels.
    pub may_enqueue: bool,
    args: Mutex<Vec<Arg>>,
}

/// One argument as clSetKernelArg left it.
#[derive(Clone)]
pub enum Arg {
    Unset,
    /// The bytes of a value, `ParamInfo::size` of them.
    Value(SmallVec<[u8; 16]>),
    /// A buffer; none for a NULL pointer.
    Buffer(Option<Weak<Object<Memory>>>),
    /// Any address: shared virtual memory.
    Pointer(usize),
    /// Bytes of `__local` memory, not 0.
    Local(usize),
    /// The handle of a device queue.
    Queue(usize),
    Image(Weak<Object<Memory>>),
    /// Its bits; the object itself is not needed any more.
    Sampler(u32),
}

/// The arguments of one launch, frozen: later clSetKernelArg calls don't touch it.
#[derive(Clone)]
pub struct BoundArgs {
    /// The argument block in the layout of `compiler::Kernel` (see `abi::GroupFn`).
    pub block: ArgBlock,
    /// Bytes of `Group::local`: the kernel's own variables and its `__local` arguments.
    pub local_size: usize,
    /// Bytes of each `__local` argument.
    pub locals: SmallVec<[usize; 2]>,
    /// Keeps the buffers and images alive until the command ends.
    pub memories: Held,
    /// A word for each image and sampler, see `compiler::Kernel::for_objects`.
    pub objects: SmallVec<[u32; 4]>,
}

/// Bytes aligned for the kernel's parameter types.
#[derive(Clone)]
pub struct ArgBlock(Bytes);

/// Few arguments, none of them wide, stand in the launch itself: an allocation with alignment is dear.
#[derive(Clone)]
enum Bytes {
    Few(Words),
    Lines(Vec<Line>),
}

#[repr(C, align(16))]
#[derive(Clone)]
struct Words([u8; LINE]);

#[repr(C, align(128))]
#[derive(Clone, Copy)]
struct Line([u8; LINE]);

const LINE: usize = 128;

impl ArgBlock {
    fn new(code: &compiler::Kernel) -> ArgBlock {
        // Only a value of more than 16 bytes can need more than their alignment.
        let is_wide = |param: &ParamInfo| param.kind == ParamKind::Value && param.size > 16;
        if code.args_size > LINE || code.params.iter().any(is_wide) {
            let lines = vec![Line([0; LINE]); code.args_size.div_ceil(LINE)];
            ArgBlock(Bytes::Lines(lines))
        } else {
            ArgBlock(Bytes::Few(Words([0; LINE])))
        }
    }

    pub fn as_ptr(&self) -> *const u8 {
        match &self.0 {
            Bytes::Few(words) => words.0.as_ptr(),
            Bytes::Lines(lines) => lines.as_ptr().cast(),
        }
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) {
        match &mut self.0 {
            Bytes::Few(words) => words.0[offset..offset + bytes.len()].copy_from_slice(bytes),
            Bytes::Lines(lines) => {
                for (i, &byte) in bytes.iter().enumerate() {
                    lines[(offset + i) / LINE].0[(offset + i) % LINE] = byte;
                }
            }
        }
    }
}

impl BoundArgs {
    /// The arguments of a block that was enqueued: what it captured, if anything, and for its other parameters one word each: an
    /// image's address, a sampler's bits, a size of local memory. None if they are not what the block takes.
    ///
    /// # Safety
    /// Images are there.
    pub unsafe fn of_block(
        code: &compiler::Kernel,
        record: &[u8],
        words: &[u64],
    ) -> Option<BoundArgs> {
        let mut block = ArgBlock::new(code);
        let mut local_size = code.local_mem_size;
        let (mut objects, mut locals) = (SmallVec::new(), SmallVec::new());
        let mut others = &code.params[..];
        if let [first, rest @ ..] = others
            && first.kind == ParamKind::Value
        {
            if first.size != record.len() {
                return None;
            }
            block.write(first.offset, record);
            others = rest;
        } else if !record.is_empty() {
            return None;
        }
        if others.len() != words.len() {
            return None;
        }
        for (param, &word) in others.iter().zip(words) {
            match param.kind {
                ParamKind::Image { .. } => {
                    // SAFETY: the caller's: an image's address is that of its descriptor.
                    objects.push(unsafe { (*(word as *const ImageDescriptor)).format });
                    block.write(param.offset, &word.to_ne_bytes());
                }
                ParamKind::Sampler => {
                    let bits = word as u32;
                    objects.push(bits);
                    block.write(param.offset, &bits.to_ne_bytes());
                }
                ParamKind::LocalPointer if word as u32 != 0 => {
                    locals.push(word as u32 as usize);
                    let (start, end) = place_local(local_size, word as u32 as usize);
                    block.write(param.offset, &(start as u64).to_ne_bytes());
                    local_size = end;
                }
                _ => return None,
            }
        }
        Some(BoundArgs {
            block,
            local_size,
            locals,
            memories: Held::new(),
            objects,
        })
    }

    /// The same for a kernel that was made of `code` by joining so many groups, each of which has its own `__local` arguments.
    pub fn joined(mut self, code: &compiler::Kernel, groups: usize) -> BoundArgs {
        let mut end = code.local_mem_size;
        let params = code.params.iter();
        let params = params.filter(|param| param.kind == ParamKind::LocalPointer);
        for (param, size) in params.zip(&self.locals) {
            let each = size.saturating_add(COPY_ALIGN - 1) / COPY_ALIGN * COPY_ALIGN;
            let (start, past) = place_local(end, each.saturating_mul(groups));
            self.block
                .write(param.offset, &(start as u64).to_ne_bytes());
            end = past;
        }
        self.local_size = end;
        self
    }
}

impl Body for Kernel {
    const INVALID: Error = Error::INVALID_KERNEL;
    const OUTLIVES_RELEASE: bool = false;

    fn on_destroy(&self, _handle: usize) {
        self.program.build_state().kernels -= 1;
    }
}

impl Kernel {
    /// Makes a kernel of a function of `program`, with no argument set. Counts itself in the program.
    pub fn new(program: Handle<Program>, code: Arc<compiler::Kernel>) -> Handle<Kernel> {
        let args = vec![Arg::Unset; code.params.len()];
        Kernel::with_args(program, code, Arc::default(), args)
    }

    /// clCloneKernel: another kernel with the same arguments.
    pub fn duplicate(&self) -> Handle<Kernel> {
        let args = self.args.lock().clone();
        let cost = self.cost.clone();
        Kernel::with_args(self.program.clone(), self.code.clone(), cost, args)
    }

    fn with_args(
        program: Handle<Program>,
        code: Arc<compiler::Kernel>,
        cost: Arc<Cost>,
        args: Vec<Arg>,
    ) -> Handle<Kernel> {
        let (uniform, may_enqueue) = {
            let mut build = program.build_state();
            build.kernels += 1;
            let code = build.executable.as_ref();
            let has_blocks = code.is_some_and(|code| code.kernels.iter().any(|k| k.is_block()));
            (build.uniform, has_blocks)
        };
        Object::new(Kernel {
            program,
            code,
            cost,
            uniform,
            may_enqueue,
            args: Mutex::new(args),
        })
    }

    /// Sets an argument that has been checked against its parameter. `index` must be in range.
    pub fn set_arg(&self, index: usize, arg: Arg) {
        self.args.lock()[index] = arg;
    }

    /// The arguments as they are set now.
    pub fn args(&self) -> Vec<Arg> {
        self.args.lock().clone()
    }

    /// Bytes of `__local` memory that a launch takes with the arguments as they are set now.
    pub fn local_mem_size(&self) -> usize {
        self.args
            .lock()
            .iter()
            .fold(self.code.local_mem_size, |end, arg| match arg {
                Arg::Local(size) => place_local(end, *size).1,
                _ => end,
            })
    }

    /// The argument block for a launch. CL_INVALID_KERNEL_ARGS when an argument is not set, or its buffer is gone.
    pub fn bind(&self) -> Result<BoundArgs> {
        self.bind_to(&self.args.lock())
    }

    /// The argument block for a launch with other arguments, one for each parameter.
    pub fn bind_to(&self, args: &[Arg]) -> Result<BoundArgs> {
        let mut block = ArgBlock::new(&self.code);
        let mut local_size = self.code.local_mem_size;
        let mut memories = Held::new();
        let (mut objects, mut locals) = (SmallVec::new(), SmallVec::new());
        for (param, arg) in self.code.params.iter().zip(args.iter()) {
            match (arg, param.kind) {
                (Arg::Value(bytes), ParamKind::Value) => block.write(param.offset, bytes),
                (Arg::Buffer(buffer), _) => {
                    let address = match buffer {
                        None => 0,
                        Some(buffer) => {
                            let memory = buffer.upgrade().ok_or(Error::INVALID_KERNEL_ARGS)?;
                            let address = memory.data() as u64;
                            memories.push(memory);
                            address
                        }
                    };
                    block.write(param.offset, &address.to_ne_bytes());
                }
                (Arg::Image(image), _) => {
                    let memory = image.upgrade().ok_or(Error::INVALID_KERNEL_ARGS)?;
                    let image = memory.image.as_ref().ok_or(Error::INVALID_KERNEL_ARGS)?;
                    let descriptor = image.descriptor();
                    objects.push(descriptor.format);
                    let address = std::ptr::from_ref(descriptor) as u64;
                    block.write(param.offset, &address.to_ne_bytes());
                    memories.push(memory);
                }
                (Arg::Sampler(bits), _) => {
                    objects.push(*bits);
                    block.write(param.offset, &bits.to_ne_bytes());
                }
                (Arg::Pointer(address) | Arg::Queue(address), _) => {
                    block.write(param.offset, &(*address as u64).to_ne_bytes());
                }
                (Arg::Local(size), _) => {
                    locals.push(*size);
                    let (start, end) = place_local(local_size, *size);
                    block.write(param.offset, &(start as u64).to_ne_bytes());
                    local_size = end;
                }
                _ => return Err(Error::INVALID_KERNEL_ARGS),
            }
        }
        Ok(BoundArgs {
            block,
            local_size,
            locals,
            memories,
            objects,
        })
    }
}

/// Where a `__local` argument of `size` bytes begins and ends behind `end` bytes. Saturates, so that the sum of
/// absurd sizes is still too large.
fn place_local(end: usize, size: usize) -> (usize, usize) {
    let start = end
        .checked_next_multiple_of(BASE_ALIGN)
        .unwrap_or(usize::MAX);
    (start, start.saturating_add(size))
}
