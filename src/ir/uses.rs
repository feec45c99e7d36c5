//! What instructions and terminators use and where terminators lead, for whoever walks or rewrites them.
//!
//! The order of an instruction's operands is that of its fields.

use super::entities::Value;
use super::inst::{BlockCall, Divergent, InstData, Team, Terminator};

impl Terminator {
    pub fn for_each_call<'a>(&'a self, mut f: impl FnMut(&'a BlockCall)) {
        match self {
            Terminator::Jump(call) => f(call),
            Terminator::Branch { then, els, .. } => {
                f(then);
                f(els);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, call)| f(call));
                f(default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. } => f(next),
        }
    }

    pub fn for_each_call_mut(&mut self, mut f: impl FnMut(&mut BlockCall)) {
        match self {
            Terminator::Jump(call) => f(call),
            Terminator::Branch { then, els, .. } => {
                f(then);
                f(els);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, call)| f(call));
                f(default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. } => f(next),
        }
    }

    /// Every value that the terminator uses, block arguments included.
    pub fn for_each_use(&self, mut f: impl FnMut(Value)) {
        match self {
            Terminator::Branch { cond, .. } => f(*cond),
            Terminator::Switch { value, .. } => f(*value),
            Terminator::Return(Some(value)) => f(*value),
            Terminator::Collective { args, .. } => args.iter().copied().for_each(&mut f),
            Terminator::Jump(_)
            | Terminator::Return(None)
            | Terminator::Unreachable
            | Terminator::Barrier { .. } => {}
        }
        self.for_each_call(|call| call.args.iter().copied().for_each(&mut f));
    }

    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::Return(Some(value)) => f(value),
            Terminator::Collective { args, .. } => args.iter_mut().for_each(&mut f),
            Terminator::Jump(_)
            | Terminator::Return(None)
            | Terminator::Unreachable
            | Terminator::Barrier { .. } => {}
        }
        self.for_each_call_mut(|call| call.args.iter_mut().for_each(&mut f));
    }

    /// The work-items that wait for each other here, of a barrier or collective.
    pub fn team(&self) -> Option<Team> {
        match self {
            Terminator::Barrier { team, .. } | Terminator::Collective { team, .. } => Some(*team),
            _ => None,
        }
    }

    /// A barrier or a collective: where a region ends.
    pub fn is_barrier(&self) -> bool {
        matches!(
            self,
            Terminator::Barrier { .. } | Terminator::Collective { .. }
        )
    }
}

/// Calls `$f` with a reference to each operand place of the instruction `$self`, in the order of the fields; `$iter`
/// is `iter` or `iter_mut`. One list of the places for the shared and the exclusive visitor.
macro_rules! visit_operands {
    ($self:expr, $f:expr, $iter:ident) => {{
        let mut f = $f;
        match $self {
            InstData::IConst { .. }
            | InstData::FConst { .. }
            | InstData::Undef { .. }
            | InstData::Alloca { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
            | InstData::Fence { .. }
            | InstData::WorkItem { .. }
            | InstData::Clock
            | InstData::ScratchBase => {}
            InstData::Unary { arg, .. }
            | InstData::Cast { arg, .. }
            | InstData::Splat { arg, .. } => f(arg),
            InstData::Binary { args, .. }
            | InstData::ICmp { args, .. }
            | InstData::FCmp { args, .. } => args.$iter().for_each(&mut f),
            InstData::Ternary { args, .. } => args.$iter().for_each(&mut f),
            InstData::Select { cond, then, els } => {
                f(cond);
                f(then);
                f(els);
            }
            InstData::BuildVector { args }
            | InstData::Call { args, .. }
            | InstData::Device { args, .. }
            | InstData::Printf { args, .. } => args.$iter().for_each(&mut f),
            InstData::Extract { vec, .. } => f(vec),
            InstData::Insert { vec, scalar, .. } => {
                f(vec);
                f(scalar);
            }
            InstData::ExtractDyn { vec, lane } => {
                f(vec);
                f(lane);
            }
            InstData::InsertDyn { vec, scalar, lane } => {
                f(vec);
                f(scalar);
                f(lane);
            }
            InstData::Shuffle { a, b, .. } => {
                f(a);
                f(b);
            }
            InstData::Load { ptr, .. }
            | InstData::AtomicLoad { ptr, .. }
            | InstData::InSpace { ptr, .. } => f(ptr),
            InstData::Store { value, ptr, .. } | InstData::AtomicStore { value, ptr, .. } => {
                f(value);
                f(ptr);
            }
            InstData::MaskedLoad { ptr, mask, .. } => {
                f(ptr);
                f(mask);
            }
            InstData::MaskedStore {
                value, ptr, mask, ..
            } => {
                f(value);
                f(ptr);
                f(mask);
            }
            InstData::Gather {
                base,
                offsets,
                mask,
                ..
            } => {
                f(base);
                f(offsets);
                f(mask);
            }
            InstData::Scatter {
                value,
                base,
                offsets,
                mask,
                ..
            } => {
                f(value);
                f(base);
                f(offsets);
                f(mask);
            }
            InstData::AnyLane { mask } | InstData::MaskBits { mask } => f(mask),
            InstData::Prefetch { ptr } => f(ptr),
            InstData::MemCpy { dst, src, .. } => {
                f(dst);
                f(src);
            }
            InstData::MemSet { dst, byte, .. } => {
                f(dst);
                f(byte);
            }
            InstData::PtrAdd { ptr, offset } => {
                f(ptr);
                f(offset);
            }
            InstData::AtomicRmw { ptr, value, .. } => {
                f(ptr);
                f(value);
            }
            InstData::AtomicCmpXchg {
                ptr, expected, new, ..
            } => {
                f(ptr);
                f(expected);
                f(new);
            }
            InstData::ReportDivergence(Divergent {
                lines: [a, b],
                regions: [c, d],
                next,
            }) => {
                f(a);
                f(b);
                f(c);
                f(d);
                f(next);
            }
        }
    }};
}

impl InstData {
    /// Every value that the instruction uses.
    pub fn for_each_use(&self, mut f: impl FnMut(Value)) {
        visit_operands!(self, |v: &Value| f(*v), iter);
    }

    pub fn for_each_use_mut(&mut self, f: impl FnMut(&mut Value)) {
        visit_operands!(self, f, iter_mut);
    }

    /// The same with other operands, one for each in the order of [`InstData::for_each_use`].
    pub fn with_uses(&self, values: impl IntoIterator<Item = Value>) -> Self {
        let mut data = self.clone();
        let mut values = values.into_iter();
        data.for_each_use_mut(|v| *v = values.next().expect("a value for each operand"));
        data
    }

    /// Must stay even when its result is unused: it writes, synchronises, calls, or reads what may change or fault.
    pub fn has_side_effects(&self) -> bool {
        matches!(
            self,
            InstData::Store { .. }
                | InstData::MaskedStore { .. }
                | InstData::Scatter { .. }
                | InstData::MemCpy { .. }
                | InstData::MemSet { .. }
                | InstData::AtomicLoad { .. }
                | InstData::AtomicStore { .. }
                | InstData::AtomicRmw { .. }
                | InstData::AtomicCmpXchg { .. }
                | InstData::Fence { .. }
                | InstData::Call { .. }
                | InstData::Printf { .. }
                | InstData::ReportDivergence(_)
                | InstData::Clock
                | InstData::Device { .. }
                | InstData::Load { volatile: true, .. }
        )
    }
}
