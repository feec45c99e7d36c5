//! The state of one work-item between two steps, and where a function's values stand in it.

use super::memory::Private;
use crate::ir::entities::{Block, FuncId, Inst, Value};
use crate::ir::function::Function;
use crate::ir::meet::Meetings;

/// Where each value of a function stands in its frame: one `u64` for each lane, zero-extended bits.
#[derive(Default)]
pub struct FuncInfo {
    /// By value: its first register.
    pub slots: Vec<u32>,
    /// Registers of a frame.
    pub len: usize,
    /// Only where sub-groups do something together, here or in a function that is called.
    pub meetings: Option<Meetings>,
}

impl FuncInfo {
    pub fn new(func: &Function) -> Self {
        let mut len = 0u32;
        let slots = (0..func.num_values())
            .map(|n| {
                let slot = len;
                len += u32::from(func.ty(Value::new(n)).lanes);
                slot
            })
            .collect();
        Self {
            slots,
            len: len as usize,
            meetings: None,
        }
    }
}

/// A call that has not returned.
pub struct Frame {
    pub func: FuncId,
    /// Its first register.
    pub base: usize,
    pub block: Block,
    /// The next instruction of the block; its length stands for the terminator.
    pub pc: usize,
    /// Allocas that were there before.
    pub private_mark: usize,
    /// The call in the frame below, whose result this one gives.
    pub call: Option<Inst>,
}

/// One work-item, or one group for a group function.
#[derive(Default)]
pub struct Item {
    pub local_id: [u64; 3],
    pub global_id: [u64; 3],
    pub regs: Vec<u64>,
    pub frames: Vec<Frame>,
    pub private: Private,
    /// It waits at the end of its block to go round a loop; see [`Meetings::round`].
    pub round: Option<u32>,
}
