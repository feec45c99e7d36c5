//! What atomic operations, fences and barriers do and order (OpenCL C 3.0, 6.15.8 and 6.15.12).

use super::inst::BinaryOp;

/// `memory_order` of C11, and one of ours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemOrder {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    /// Relaxed, of an operation whose old value nobody asks for: memory may see it as late as when the launch has ended
    /// ([`super::deferred`]).
    Deferred,
}

/// `memory_scope` of OpenCL C 3.0, 6.15.12.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MemScope {
    WorkItem,
    SubGroup,
    WorkGroup,
    Device,
    AllSvmDevices,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    Xchg,
    Add,
    Sub,
    And,
    Or,
    Xor,
    SMin,
    SMax,
    UMin,
    UMax,
    FAdd,
    FMin,
    FMax,
}

impl AtomicOp {
    /// The operation, on integers, that several of this one do with what their operands make together by it; what is taken
    /// off adds up. None where order matters or sums round.
    pub fn together(self) -> Option<AtomicOp> {
        match self {
            AtomicOp::Sub => Some(AtomicOp::Add),
            AtomicOp::Xchg | AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => None,
            op => Some(op),
        }
    }

    /// What makes the new value of the old one and the operand; none where the operand is the new value.
    pub fn binary(self) -> Option<BinaryOp> {
        Some(match self {
            AtomicOp::Xchg => return None,
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Sub => BinaryOp::Sub,
            AtomicOp::And => BinaryOp::And,
            AtomicOp::Or => BinaryOp::Or,
            AtomicOp::Xor => BinaryOp::Xor,
            AtomicOp::SMin => BinaryOp::SMin,
            AtomicOp::SMax => BinaryOp::SMax,
            AtomicOp::UMin => BinaryOp::UMin,
            AtomicOp::UMax => BinaryOp::UMax,
            AtomicOp::FAdd => BinaryOp::FAdd,
            AtomicOp::FMin => BinaryOp::FMin,
            AtomicOp::FMax => BinaryOp::FMax,
        })
    }
}

/// `cl_mem_fence_flags` of a barrier or fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FenceFlags {
    pub local: bool,
    pub global: bool,
    pub image: bool,
}
