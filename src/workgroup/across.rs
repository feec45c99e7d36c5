//! Operations across the lanes of a vector, for collectives: in each lane stands a work-item's operand. The order is
//! that of `ir::collective`.
//!
//! All of it is exact as written, whatever fast-math options the program has: identities may be infinite.

use crate::ir::types::{I32, I64};
use crate::ir::{
    BinaryOp, Block, Builder, CastOp, Collective, Function, IntCC, LIBRARY_FILE, SrcLoc, Type,
    UnaryOp, Value,
};

/// Makes code at the end of a block.
pub struct Across<'f> {
    b: Builder<'f>,
    /// A power of two, 2 at least.
    lanes: u16,
}

impl<'f> Across<'f> {
    pub fn new(func: &'f mut Function, here: Block, lanes: u16) -> Self {
        let mut b = Builder::new(func);
        b.switch_to(here);
        b.set_loc(SrcLoc {
            file: LIBRARY_FILE,
            ..SrcLoc::default()
        });
        Self { b, lanes }
    }

    fn ty(&self, value: Value) -> Type {
        self.b.func.ty(value)
    }

    /// Such a constant of the scalar type `ty`, in all lanes.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Value {
        let ty = Type::vector(ty.elem, self.lanes);
        match ty.elem.is_float() {
            true => self.b.fconst_bits(ty, bits),
            false => self.b.iconst(ty, bits),
        }
    }

    /// 0, 1, 2...
    pub fn numbers(&mut self) -> Value {
        let numbers = (0..u64::from(self.lanes)).map(|n| self.b.iconst(I32, n));
        let numbers = numbers.collect();
        self.b.build_vector(numbers)
    }

    pub fn splat(&mut self, value: Value) -> Value {
        self.b.splat(value, self.lanes)
    }

    /// `x` in the lanes of the mask, elsewhere what changes no other.
    pub fn or_neutral(&mut self, op: BinaryOp, x: Value, mask: Option<Value>) -> Value {
        let Some(mask) = mask else {
            return x;
        };
        let elem = self.ty(x).elem;
        let neutral = op.neutral(elem).expect("collectives fold with it");
        let neutral = self.constant(Type::scalar(elem), neutral);
        self.b.select(mask, x, neutral)
    }

    /// All lanes in one.
    pub fn fold(&mut self, op: BinaryOp, x: Value) -> Value {
        let folded = self.halves(op, x, self.lanes);
        self.b.extract(folded, 0)
    }

    /// Each group of so many lanes in all of its lanes.
    pub fn fold_clusters(&mut self, op: BinaryOp, x: Value, size: u16) -> Value {
        let folded = self.halves(op, x, size);
        let firsts = (0..self.lanes).map(|lane| lane & !(size - 1)).collect();
        self.b.shuffle(folded, folded, firsts)
    }

    /// The first of each group of `size` lanes holds them all.
    fn halves(&mut self, op: BinaryOp, mut x: Value, size: u16) -> Value {
        let mut far = size;
        while far > 1 {
            far /= 2;
            let partners = (0..self.lanes).map(|lane| lane ^ far).collect();
            let upper = self.b.shuffle(x, x, partners);
            x = self.b.binary(op, x, upper);
        }
        x
    }

    /// Each lane with all below it.
    pub fn scan(&mut self, op: BinaryOp, mut x: Value) -> Value {
        let elem = self.ty(x).elem;
        let neutral = op.neutral(elem).expect("collectives fold with it");
        let neutral = self.constant(Type::scalar(elem), neutral);
        let lanes = self.lanes;
        let mut far = 1;
        while far < lanes {
            // Lane n has that of lane n - far; in front of them the neutral element.
            let before = (0..lanes).map(|lane| lanes - far + lane).collect();
            let before = self.b.shuffle(neutral, x, before);
            x = self.b.binary(op, before, x);
            far *= 2;
        }
        x
    }

    /// An exclusive scan from an inclusive one: `first` (a scalar) in lane 0, in each other that of the lane below, and
    /// the identity in addition to all.
    pub fn exclusive(&mut self, op: BinaryOp, x: Value, first: Value) -> Value {
        let elem = self.ty(x).elem;
        let identity = op.identity(elem).expect("collectives fold with it");
        let identity = self.constant(Type::scalar(elem), identity);
        let first = self.splat(first);
        let lanes = self.lanes;
        let below = (0..lanes).map(|lane| lanes - 1 + lane).collect();
        let below = self.b.shuffle(first, x, below);
        self.b.binary(op, identity, below)
    }

    /// What changes nothing, as a scalar.
    pub fn neutral(&mut self, op: BinaryOp, ty: Type) -> Value {
        let bits = op.neutral(ty.elem).expect("collectives fold with it");
        match ty.elem.is_float() {
            true => self.b.fconst_bits(ty, bits),
            false => self.b.iconst(ty, bits),
        }
    }

    /// What the lanes of the mask get of a collective of a sub-group, or of clusters of `size` lanes of it; where it is the
    /// same for all, as a scalar. `args` are vectors.
    pub fn sub_group(
        &mut self,
        op: Collective,
        size: u16,
        args: &[Value],
        mask: Option<Value>,
    ) -> OfTeam {
        let x = args[0];
        let ty = Type::scalar(self.ty(x).elem);
        match op {
            Collective::All => {
                let all = self.all(x, mask);
                OfTeam::One(self.b.cast(CastOp::ZExt, all, ty))
            }
            Collective::Any => {
                let any = self.any(x, mask);
                OfTeam::One(self.b.cast(CastOp::ZExt, any, ty))
            }
            Collective::Ballot => {
                let set = self.set(x, mask);
                OfTeam::One(self.b.mask_bits(set))
            }
            Collective::Reduce(op) => {
                let x = self.or_neutral(op, x, mask);
                match size == self.lanes {
                    true => OfTeam::One(self.fold(op, x)),
                    false => OfTeam::Lanes(self.fold_clusters(op, x, size)),
                }
            }
            Collective::ScanInclusive(op) => {
                let x = self.or_neutral(op, x, mask);
                OfTeam::Lanes(self.scan(op, x))
            }
            Collective::ScanExclusive(op) => {
                let x = self.or_neutral(op, x, mask);
                let x = self.scan(op, x);
                let first = self.neutral(op, ty);
                OfTeam::Lanes(self.exclusive(op, x, first))
            }
            Collective::Shuffle => {
                let x = self.or_zero(x, mask);
                OfTeam::Lanes(self.shuffle(x, args[1]))
            }
            Collective::Broadcast => panic!("a broadcast is of a group"),
        }
    }

    /// The operand of the lane that `from` (a scalar `i32`) says; 0 if that is not one of the mask.
    pub fn pick(&mut self, x: Value, from: Value, mask: Option<Value>) -> Value {
        let x = self.or_zero(x, mask);
        self.b.extract_dyn(x, from)
    }

    fn or_zero(&mut self, x: Value, mask: Option<Value>) -> Value {
        match mask {
            Some(mask) => {
                let ty = Type::scalar(self.ty(x).elem);
                let zero = self.constant(ty, 0);
                self.b.select(mask, x, zero)
            }
            None => x,
        }
    }

    /// Lanes of the mask in which the operand is not 0.
    fn set(&mut self, x: Value, mask: Option<Value>) -> Value {
        let ty = Type::scalar(self.ty(x).elem);
        let zero = self.constant(ty, 0);
        let set = self.b.icmp(IntCC::Ne, x, zero);
        self.within(set, mask)
    }

    pub fn any(&mut self, x: Value, mask: Option<Value>) -> Value {
        let set = self.set(x, mask);
        self.b.any_lane(set)
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.b.binary(op, a, b)
    }

    pub fn last(&mut self, x: Value) -> Value {
        self.b.extract(x, self.lanes - 1)
    }

    /// No lane of the mask has a 0.
    pub fn all(&mut self, x: Value, mask: Option<Value>) -> Value {
        let ty = Type::scalar(self.ty(x).elem);
        let zero = self.constant(ty, 0);
        let unset = self.b.icmp(IntCC::Eq, x, zero);
        let unset = self.within(unset, mask);
        let any = self.b.any_lane(unset);
        self.b.unary(UnaryOp::Not, any)
    }

    /// The truth values `x` in the lanes of the mask. What other lanes computed is not looked at.
    fn within(&mut self, x: Value, mask: Option<Value>) -> Value {
        match mask {
            Some(mask) => {
                let ty = self.ty(mask);
                let off = self.b.iconst(ty, 0);
                self.b.select(mask, x, off)
            }
            None => x,
        }
    }

    /// Lane by lane that of the lane which `from` (`i32`) says.
    fn shuffle(&mut self, x: Value, from: Value) -> Value {
        let picked = (0..self.lanes).map(|lane| {
            let from = self.b.extract(from, lane);
            self.b.extract_dyn(x, from)
        });
        let picked = picked.collect();
        self.b.build_vector(picked)
    }
}

/// What a collective gives.
pub enum OfTeam {
    /// One scalar for all lanes.
    One(Value),
    Lanes(Value),
}

/// The lanes of a row of items from item `first` on, of `items` in all.
pub fn row_mask(func: &mut Function, here: Block, first: Value, items: Value, lanes: u16) -> Value {
    let mut across = Across::new(func, here, lanes);
    let numbers = across.numbers();
    let b = &mut across.b;
    let rest = b.binary(BinaryOp::Sub, items, first);
    let most = b.iconst(I64, u64::from(lanes));
    let rest = b.binary(BinaryOp::UMin, rest, most);
    let rest = b.cast(CastOp::Trunc, rest, I32);
    let rest = across.splat(rest);
    across.b.icmp(IntCC::Ult, numbers, rest)
}
