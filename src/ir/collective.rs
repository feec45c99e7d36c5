//! What collectives compute, on the bits of scalars: the order of their operations, which the interpreter and the code
//! for groups have in common, so that a sum of floats has one result whatever the width of the machine's vectors.
//!
//! The operands of a sub-group or cluster stand in as many lanes as it has places; a place of which the work-item takes
//! no part holds the neutral element. A fold adds the upper half of the lanes to the lower half, until one is left. A
//! scan adds to each lane the one 1 before it, then the one 2 before it, and so on (Hillis and Steele, "Data Parallel
//! Algorithms", 1986). A whole group comes in rows of [`GROUP_ROW`] lanes, by linear local id: for a fold, rows are added
//! lane by lane first; for a scan, the last lane's result is added to each of the next row.

use super::eval;
use super::inst::{BinaryOp, Collective};
use super::types::Elem;

/// Work-items of a group that are folded side by side.
pub const GROUP_ROW: usize = 16;

impl Collective {
    /// The operation of a reduction or scan.
    pub fn fold(self) -> Option<BinaryOp> {
        match self {
            Collective::Reduce(op)
            | Collective::ScanInclusive(op)
            | Collective::ScanExclusive(op) => Some(op),
            _ => None,
        }
    }

    /// The word for it in the text form, without the operation.
    pub fn name(self) -> &'static str {
        match self {
            Collective::All => "all",
            Collective::Any => "any",
            Collective::Ballot => "ballot",
            Collective::Broadcast => "broadcast",
            Collective::Shuffle => "shuffle",
            Collective::Reduce(_) => "reduce",
            Collective::ScanInclusive(_) => "scan_inclusive",
            Collective::ScanExclusive(_) => "scan_exclusive",
        }
    }

    /// All work-items of the team get the same.
    pub fn gives_one(self) -> bool {
        !matches!(
            self,
            Collective::Shuffle | Collective::ScanInclusive(_) | Collective::ScanExclusive(_)
        )
    }
}

impl BinaryOp {
    /// What an exclusive scan gives the first work-item (OpenCL C 3.0, 6.15.16), as bits; `None` if the operation is none
    /// of those that collectives fold with.
    pub fn identity(self, elem: Elem) -> Option<u64> {
        let ones = eval::mask(elem);
        let float = |value: f64| eval::from_f64(elem, value);
        Some(match self {
            BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor | BinaryOp::UMax => 0,
            BinaryOp::Mul => 1,
            BinaryOp::And | BinaryOp::UMin => ones,
            BinaryOp::SMin => ones >> 1,
            BinaryOp::SMax => ones ^ (ones >> 1),
            BinaryOp::FAdd => 0,
            BinaryOp::FMul => float(1.0),
            BinaryOp::FMin => float(f64::INFINITY),
            BinaryOp::FMax => float(f64::NEG_INFINITY),
            _ => return None,
        })
    }

    /// What changes no operand, negative zeros and NaNs included: it stands for work-items that take no part.
    pub fn neutral(self, elem: Elem) -> Option<u64> {
        match self {
            BinaryOp::FAdd => Some(eval::from_f64(elem, -0.0)),
            BinaryOp::FMin | BinaryOp::FMax => Some(eval::from_f64(elem, f64::NAN)),
            _ => self.identity(elem),
        }
    }
}

/// One of the operations on operands of one type.
#[derive(Clone, Copy)]
pub struct Fold {
    op: BinaryOp,
    elem: Elem,
    identity: u64,
    neutral: u64,
}

impl Fold {
    /// `None` if collectives do not fold with the operation.
    pub fn new(op: BinaryOp, elem: Elem) -> Option<Fold> {
        Some(Fold {
            op,
            elem,
            identity: op.identity(elem)?,
            neutral: op.neutral(elem)?,
        })
    }

    fn apply(&self, a: u64, b: u64) -> u64 {
        eval::binary(self.op, self.elem, a, b)
    }

    /// The operands with the neutral element where none is, filled up to a multiple of `lanes`.
    fn filled(&self, operands: &[Option<u64>], lanes: usize) -> Vec<u64> {
        let mut out: Vec<u64> = operands.iter().map(|x| x.unwrap_or(self.neutral)).collect();
        out.resize(operands.len().next_multiple_of(lanes), self.neutral);
        out
    }

    /// All lanes in one; their number is a power of two.
    fn halves(&self, mut lanes: Vec<u64>) -> u64 {
        while lanes.len() > 1 {
            let upper = lanes.split_off(lanes.len() / 2);
            for (low, high) in lanes.iter_mut().zip(upper) {
                *low = self.apply(*low, high);
            }
        }
        lanes.first().copied().unwrap_or(self.neutral)
    }

    fn steps(&self, lanes: &mut [u64]) {
        let mut far = 1;
        while far < lanes.len() {
            for n in (far..lanes.len()).rev() {
                lanes[n] = self.apply(lanes[n - far], lanes[n]);
            }
            far *= 2;
        }
    }

    /// A sub-group's or cluster's operands, by place; it has `size` places, a power of two.
    pub fn reduce(&self, operands: &[Option<u64>], size: usize) -> u64 {
        self.halves(self.filled(operands, size))
    }

    /// A group's operands, by linear local id.
    pub fn reduce_group(&self, operands: &[Option<u64>]) -> u64 {
        let mut sums = vec![self.neutral; GROUP_ROW];
        for row in self.filled(operands, GROUP_ROW).chunks(GROUP_ROW) {
            for (sum, &x) in sums.iter_mut().zip(row) {
                *sum = self.apply(*sum, x);
            }
        }
        self.halves(sums)
    }

    /// Each one's result, by place, in rows of `row` that are carried from one to the next. A sub-group is one row.
    pub fn scan(&self, operands: &[Option<u64>], row: usize, exclusive: bool) -> Vec<u64> {
        let mut lanes = self.filled(operands, row);
        let mut carry = self.neutral;
        for row in lanes.chunks_mut(row) {
            self.steps(row);
            for x in row.iter_mut() {
                *x = self.apply(carry, *x);
            }
            carry = row.last().copied().unwrap_or(carry);
        }
        if exclusive {
            lanes.insert(0, self.neutral);
            for x in &mut lanes {
                *x = self.apply(self.identity, *x);
            }
        }
        lanes.truncate(operands.len());
        lanes
    }
}
