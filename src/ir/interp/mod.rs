//! The interpreter: runs kernels over an NDRange on simulated memory. It is the oracle of the tests, so it is plain
//! before it is fast: one work-item after the other, each up to its next barrier, work-groups in order.
//!
//! It takes a kernel as the front end makes it (one work-item, barriers and collectives as terminators) or a group
//! function as the work-group pass makes it (one call a group). Operators mean what [`super::eval`] says; `Undef` and
//! fresh private and local memory are zero. A bad access is a [`Fault`] with its place in the source, never executed.
//!
//! Invariants: the module has passed the verifier (a broken one may panic here); no host recursion; steps, call
//! depth, private memory and group size are limited, so every launch ends.

mod exec;
mod fault;
mod group;
mod item;
mod launch;
mod masked;
mod memory;
mod step;
#[cfg(test)]
mod tests;

use std::rc::Rc;

pub use fault::{Fault, FaultKind};
pub use memory::Access;

use super::abi::BASE_ALIGN;
use super::entities::{Block, FuncId, Inst};
use super::function::Function;
use super::inst::{InstData, Team};
use super::meet::Meetings;
use super::module::Module;
use super::types::AddrSpace;
use item::FuncInfo;
use memory::{Addr, Memory, Segment};

/// Instructions that a launch may run unless [`Machine::set_step_limit`] says otherwise.
const DEFAULT_STEPS: u64 = 1 << 34;

/// A buffer of a [`Machine`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferId(usize);

/// A kernel argument.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A scalar, vector or struct by its bytes, little-endian; a 3-vector may have 3 or 4 lanes.
    Bytes(&'a [u8]),
    /// A pointer to a byte of a buffer.
    Buffer(BufferId, u64),
    /// A null pointer.
    Null,
    /// A `__local` pointer to that many bytes.
    Local(u64),
}

/// The index space of a launch; unused dimensions have offset 0 and sizes 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NdRange {
    pub dims: u32,
    pub offset: [u64; 3],
    pub global: [u64; 3],
    /// Need not divide `global`: the last groups are then smaller (OpenCL 2.0 and up).
    pub local: [u64; 3],
}

impl NdRange {
    /// Without offset; 1 to 3 dimensions, as many in `global` as in `local`.
    pub fn new(global: &[u64], local: &[u64]) -> Self {
        let mut range = Self {
            dims: global.len() as u32,
            offset: [0; 3],
            global: [1; 3],
            local: [1; 3],
        };
        for (to, from) in range.global.iter_mut().zip(global) {
            *to = *from;
        }
        for (to, from) in range.local.iter_mut().zip(local) {
            *to = *from;
        }
        range
    }

    pub fn num_groups(&self) -> [u64; 3] {
        std::array::from_fn(|n| self.global[n].div_ceil(self.local[n].max(1)))
    }
}

/// Bytes of scratch that a group function wants, see [`super::abi::Group`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scratch {
    pub fixed: u64,
    pub per_item: u64,
}

/// An argument of `printf`.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintfArg {
    /// Lanes by their bits, zero-extended; `bytes` is the size of one.
    Int {
        bytes: u8,
        lanes: Vec<u64>,
    },
    Float {
        bytes: u8,
        lanes: Vec<f64>,
    },
    /// `text` is what it points to, up to a NUL, if it points to a string.
    Pointer {
        addr: u64,
        text: Option<Vec<u8>>,
    },
}

/// Work-items of one group waited at these two barriers (source lines) at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divergence {
    pub group: [u64; 3],
    pub line_a: u32,
    pub line_b: u32,
}

/// Gets each printf of a work-item: the format without its NUL, and the arguments.
pub type PrintfHook<'m> = Box<dyn FnMut(&[u8], &[PrintfArg]) + 'm>;

/// A module with its memory.
pub struct Machine<'m> {
    module: &'m Module,
    infos: Rc<[FuncInfo]>,
    memory: Memory,
    /// The address of each global.
    globals: Vec<Addr>,
    printf: PrintfHook<'m>,
    divergences: Vec<Divergence>,
    step_limit: u64,
    steps_left: u64,
    /// Of [`InstData::Clock`]: each look at it is a tick.
    ticks: u64,
    buffers: usize,
}

impl<'m> Machine<'m> {
    /// Program-scope variables get their initial values here, once.
    pub fn new(module: &'m Module) -> Self {
        let mut infos: Vec<FuncInfo> = module
            .functions
            .iter()
            .map(|slot| match &slot.body {
                Some(body) => FuncInfo::new(body),
                None => FuncInfo::default(),
            })
            .collect();
        find_meetings(module, &mut infos);
        let mut memory = Memory::new();
        let globals: Vec<Addr> = module
            .globals
            .iter()
            .map(|global| {
                memory.add(Segment {
                    bytes: global.init.clone(),
                    align: global.align,
                    writable: global.space != AddrSpace::Constant,
                    space: global.space,
                    name: format!("'{}'", global.name),
                })
            })
            .collect();
        for (global, &addr) in module.globals.iter().zip(&globals) {
            for &(offset, target, addend) in &global.relocs {
                let pointer = globals[target.index()].wrapping_add_signed(addend);
                let at = offset as usize;
                let bytes = &mut memory.segment_mut(Memory::number(addr)).bytes;
                bytes[at..at + 8].copy_from_slice(&pointer.to_le_bytes());
            }
        }
        Self {
            module,
            infos: infos.into(),
            memory,
            globals,
            printf: Box::new(|_, _| {}),
            divergences: Vec::new(),
            step_limit: DEFAULT_STEPS,
            steps_left: 0,
            ticks: 0,
            buffers: 0,
        }
    }

    /// Calls `hook` for each printf from now on.
    pub fn on_printf(&mut self, hook: impl FnMut(&[u8], &[PrintfArg]) + 'm) {
        self.printf = Box::new(hook);
    }

    /// Instructions that each launch may run, all work-items together.
    pub fn set_step_limit(&mut self, steps: u64) {
        self.step_limit = steps;
    }

    pub fn add_buffer(&mut self, bytes: Vec<u8>) -> BufferId {
        let id = BufferId(self.memory.len());
        self.memory.add(Segment {
            bytes,
            align: BASE_ALIGN as u32,
            writable: true,
            space: AddrSpace::Global,
            name: format!("buffer {}", self.buffers),
        });
        self.buffers += 1;
        id
    }

    pub fn buffer(&self, id: BufferId) -> &[u8] {
        &self.memory.segment(id.0).bytes
    }

    pub fn buffer_mut(&mut self, id: BufferId) -> &mut [u8] {
        &mut self.memory.segment_mut(id.0).bytes
    }

    /// The address of a byte of a buffer, as a kernel sees it: for structs and buffers that hold pointers.
    pub fn address(&self, id: BufferId, offset: u64) -> u64 {
        Memory::address(id.0, offset)
    }

    /// What was reported since the last call: by the scheduler of work-items, or by a group function.
    pub fn take_divergences(&mut self) -> Vec<Divergence> {
        std::mem::take(&mut self.divergences)
    }

    /// Runs `kernel` for every work-item of `range`, the groups in order, x fastest.
    pub fn launch(&mut self, kernel: FuncId, args: &[Arg], range: &NdRange) -> Result<(), Fault> {
        self.launch_with_scratch(kernel, args, range, Scratch::default())
    }

    /// As `launch`; a group function finds that much scratch.
    pub fn launch_with_scratch(
        &mut self,
        kernel: FuncId,
        args: &[Arg],
        range: &NdRange,
        scratch: Scratch,
    ) -> Result<(), Fault> {
        let kept = self.memory.len();
        let result = launch::launch(self, kernel, args, range, scratch);
        self.memory.truncate(kept);
        result
    }
}

/// Where items of a sub-group meet again, in the functions from which something is reached that it does together.
fn find_meetings(module: &Module, infos: &mut [FuncInfo]) {
    let mut reaches = vec![false; infos.len()];
    let together = |func: &Function, block: Block, reaches: &[bool]| {
        let team = func.block(block).term.as_ref().and_then(|term| term.team());
        let calls = |&inst: &Inst| match func.inst(inst) {
            InstData::Call { func, .. } => reaches[func.index()],
            _ => false,
        };
        team.is_some_and(|team| team != Team::Group) || func.block(block).insts.iter().any(calls)
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (n, slot) in module.functions.iter().enumerate() {
            if let Some(func) = slot.body.as_ref().filter(|_| !reaches[n])
                && func.layout().iter().any(|&b| together(func, b, &reaches))
            {
                reaches[n] = true;
                changed = true;
            }
        }
    }
    for (n, slot) in module.functions.iter().enumerate() {
        if let Some(func) = slot.body.as_ref().filter(|_| reaches[n]) {
            infos[n].meetings = Some(Meetings::new(func, |b| together(func, b, &reaches)));
        }
    }
}
