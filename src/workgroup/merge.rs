//! Whether neighbouring groups of a kernel may run as one larger group, and whether that pays.
//!
//! A kernel that asks for nothing but global ids, has no barrier and no local memory can't tell in which groups its
//! items run. Then a launch may join groups: fewer calls, fewer tails, and longer rows of memory. Joining along x is
//! always good for a kernel without loops whose accesses move on by a few bytes from one item to the next; where they
//! move on by rows (a transpose) or come back (a product of matrices), the group's shape is what keeps the caches
//! warm, and only very short groups are joined.

use super::prompt;
use crate::ir::abi::Merging;
use crate::ir::cfg::Cfg;
use crate::ir::{AddrSpace, BinaryOp, Function, InstData, Value, WorkItemQuery};

/// Bytes from one item's access to the next one's that count as a stream: a cache line.
const STREAM_STEP: i64 = 64;

pub fn run(func: &Function) -> Merging {
    if !ignores_groups(func) {
        return Merging::Never;
    }
    let cfg = Cfg::compute(func);
    if !prompt::has_loops(&cfg) && Steps::new(func, &cfg, 0).all_stream() {
        Merging::Rows
    } else {
        Merging::Short
    }
}

/// Whether no item can tell which group it is in.
fn ignores_groups(func: &Function) -> bool {
    let in_local = |value: Value| func.ty(value).addr_space() == Some(AddrSpace::Local);
    let global_query = |query: WorkItemQuery| {
        matches!(
            query,
            WorkItemQuery::GlobalId
                | WorkItemQuery::GlobalLinearId
                | WorkItemQuery::GlobalSize
                | WorkItemQuery::GlobalOffset
                | WorkItemQuery::WorkDim
        )
    };
    let innocent = |data: &InstData| match data {
        InstData::WorkItem { query, .. } => global_query(*query),
        InstData::LocalAddr { .. } => false,
        _ => true,
    };
    !func.param_values().iter().any(|&param| in_local(param))
        && func.layout().iter().all(|&block| {
            !func.term(block).is_barrier()
                && func
                    .block(block)
                    .insts
                    .iter()
                    .all(|&inst| innocent(func.inst(inst)))
        })
}

/// By how many bytes or units a value moves on from one item to the next in a dimension, as a guess: what is unknown is large.
pub struct Steps<'a> {
    func: &'a Function,
    dim: u8,
    known: Vec<Option<i64>>,
}

const UNKNOWN: i64 = 1 << 40;

impl<'a> Steps<'a> {
    /// Of a function without loops.
    pub fn new(func: &'a Function, cfg: &Cfg, dim: u8) -> Self {
        let mut steps = Steps {
            func,
            dim,
            known: vec![None; func.num_values()],
        };
        for &param in func.param_values() {
            steps.known[param.index()] = Some(0);
        }
        // Without loops, this order has each value behind those that it is computed from.
        for block in cfg.reverse_postorder() {
            for &inst in &func.block(block).insts {
                if let Some(result) = func.result(inst) {
                    let step = steps.step_of(func.inst(inst));
                    steps.known[result.index()] = Some(step.clamp(-UNKNOWN, UNKNOWN));
                }
            }
            func.term(block).for_each_call(|call| {
                for (&param, &arg) in func.block(call.block).params.iter().zip(&call.args) {
                    let before = steps.known[param.index()].unwrap_or(0);
                    steps.known[param.index()] = Some(before.abs().max(steps.of(arg).abs()));
                }
            });
        }
        steps
    }

    fn all_stream(&self) -> bool {
        let insts = self
            .func
            .layout()
            .iter()
            .flat_map(|&b| &self.func.block(b).insts);
        insts.copied().all(|inst| match self.func.inst(inst) {
            InstData::Load { ptr, .. }
            | InstData::Store { ptr, .. }
            | InstData::AtomicRmw { ptr, .. }
            | InstData::AtomicLoad { ptr, .. }
            | InstData::AtomicStore { ptr, .. }
            | InstData::AtomicCmpXchg { ptr, .. } => {
                self.is_private(*ptr) || self.of(*ptr).abs() <= STREAM_STEP
            }
            InstData::MemCpy { dst, src, .. } => [dst, src]
                .into_iter()
                .all(|&ptr| self.is_private(ptr) || self.of(ptr).abs() <= STREAM_STEP),
            InstData::Call { .. } => false,
            _ => true,
        })
    }

    fn is_private(&self, ptr: Value) -> bool {
        self.func.ty(ptr).addr_space() == Some(AddrSpace::Private)
    }

    pub fn of(&self, value: Value) -> i64 {
        self.known[value.index()].unwrap_or(UNKNOWN)
    }

    fn step_of(&self, data: &InstData) -> i64 {
        match data {
            InstData::WorkItem {
                query: WorkItemQuery::GlobalId | WorkItemQuery::LocalId,
                dim,
            } => i64::from(*dim == self.dim),
            InstData::WorkItem {
                query: WorkItemQuery::GlobalLinearId | WorkItemQuery::LocalLinearId,
                ..
            } => match self.dim {
                0 => 1,
                _ => UNKNOWN,
            },
            InstData::Binary { op, args } => self.binary(*op, args[0], args[1]),
            InstData::Cast { arg, .. } => self.of(*arg),
            InstData::PtrAdd { ptr, offset } => self.of(*ptr).saturating_add(self.of(*offset)),
            InstData::Select { then, els, .. } => self.either(*then, *els),
            other => {
                let mut all_same = true;
                other.for_each_use(|value| all_same &= self.of(value) == 0);
                if all_same { 0 } else { UNKNOWN }
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: Value, b: Value) -> i64 {
        let (x, y) = (self.of(a), self.of(b));
        match op {
            BinaryOp::Add => x.saturating_add(y),
            BinaryOp::Sub => x.saturating_sub(y),
            BinaryOp::Mul if x == 0 && y == 0 => 0,
            BinaryOp::Mul => match (self.func.const_int(a), self.func.const_int(b)) {
                (Some(c), _) => y.saturating_mul(c),
                (_, Some(c)) => x.saturating_mul(c),
                _ => UNKNOWN,
            },
            BinaryOp::Shl => match self.func.const_int(b) {
                Some(c @ 0..=30) => x.saturating_mul(1 << c),
                _ if x == 0 && y == 0 => 0,
                _ => UNKNOWN,
            },
            // Clamping and wrapping at the rim.
            BinaryOp::And | BinaryOp::SMin | BinaryOp::SMax | BinaryOp::UMin | BinaryOp::UMax => {
                self.either(a, b)
            }
            _ if x == 0 && y == 0 => 0,
            _ => UNKNOWN,
        }
    }

    fn either(&self, a: Value, b: Value) -> i64 {
        self.of(a).abs().max(self.of(b).abs())
    }
}
