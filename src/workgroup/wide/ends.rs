//! Where lanes leave the region: what they store for the regions behind, and what the driver is told of where they go.

use crate::ir::types::{I32, I64};
use crate::ir::{
    BinaryOp, Block, BlockCall, CastOp, Elem, IntCC, SrcLoc, Terminator, Type, UnaryOp, Value,
};
use crate::workgroup::crossing::Home;
use crate::workgroup::group::{DONE, Group};
use crate::workgroup::item::Report;

use super::ssa::{Held, Var};
use super::{Rep, Widen};

/// The type of region numbers.
pub const CODE: Type = I32;

/// Where the lanes go from the region.
enum Codes {
    One(u32),
    Lanes(Value),
}

impl Widen<'_, '_> {
    /// What a barrier's or an edge's target wants stored, of the lanes that are on.
    pub fn store_for_region(
        &mut self,
        node: u32,
        target: Option<usize>,
        barrier: Option<&Terminator>,
        params: &[(Value, Rep)],
    ) {
        if let (Some(Terminator::Collective { args, .. }), Some(target)) = (barrier, target) {
            for (n, &arg) in args.iter().enumerate() {
                let rep = self.operand(arg, node);
                let slot = self.group.operands[&target][n];
                let address = self.slot(slot);
                self.keep_lanes(&rep, address);
            }
        }
        for (param, rep) in params {
            self.store_home(*param, rep);
        }
        let crossing = self.group.crossing;
        for &value in target.iter().flat_map(|&t| &crossing.live[t]) {
            if self.is_direct(value, node) && !matches!(crossing.home(value), Home::ItemAtDef(_)) {
                let rep = self.operand(value, node);
                self.store_home(value, &rep);
            }
        }
    }

    /// Which parameters of a head an edge out of `node` stores, of those for which it passes `reps`.
    pub fn stored_params(&self, node: u32, call: &BlockCall, reps: Vec<Rep>) -> Vec<(Value, Rep)> {
        let params = self.group.func.block(call.block).params.iter();
        let all = params.zip(&call.args).zip(reps);
        let stored =
            all.filter(|((param, arg), _)| !self.group.stays(self.graph, node, **param, **arg));
        stored.map(|((&param, _), rep)| (param, rep)).collect()
    }

    /// Stores a value that is the same for all lanes that are on, if one is.
    pub fn keep_shared(&mut self, rep: &Rep, offset: u64) {
        let cur = self.cur;
        let address = self.group.fixed_place(cur, offset);
        let mut rep = match rep {
            Rep::One(_) => rep.clone(),
            _ => Rep::Lanes(self.lanes(rep)),
        };
        if let Rep::One(value) | Rep::Lanes(value) = &mut rep
            && self.ty(*value).elem == Elem::I1
        {
            let bytes = self.ty(*value).with_elem(Elem::I8);
            *value = self.cast(CastOp::ZExt, *value, bytes);
        }
        self.store(&rep, &Rep::One(address), 1, SrcLoc::default());
    }

    /// The lanes that are on go to `target`, or have returned; if no other lane has gone before or waits, they end the
    /// chunk, else they wait for its end.
    pub fn leave(&mut self, node: u32, target: Option<usize>, waiting: &[u32]) {
        let mut level = self.plan.innermost[node as usize];
        let mut alone = waiting.is_empty() && self.codes.is_none();
        while let Some(l) = level {
            alone &= !self.plan.loops[l].divergent;
            level = self.plan.loops[l].parent;
        }
        if alone {
            self.tell(&Codes::One(number(target)));
            return;
        }
        self.note(target);
        let end = self.land(self.plan.innermost[node as usize], self.plan.end());
        let next = self.go(0, &[end], waiting, Vec::new(), false);
        let cur = self.cur;
        self.group.at(cur).jump(next, Vec::new());
    }

    /// The end of the region, after lanes have left at different places.
    pub fn finish(&mut self) {
        self.mask = self.row_mask;
        let seg = self.flow.seg;
        let codes = if self.wants_codes() {
            let ty = self.wide(CODE);
            let held = self.read(seg, Var::Codes);
            Codes::Lanes(self.value_of(held, ty))
        } else {
            let info = &self.group.regions.list[self.frame.region];
            Codes::One(number(info.exits.first().copied()))
        };
        self.tell(&codes);
    }

    /// Each lane's next region must be kept track of.
    pub fn wants_codes(&self) -> bool {
        let info = &self.group.regions.list[self.frame.region];
        let ends = info.exits.len() + usize::from(info.returns);
        self.codes.is_some() || ((self.frame.report != Report::Nothing || self.notes()) && ends > 1)
    }

    fn notes(&self) -> bool {
        let group = &self.group;
        group.flow.notes_next(group.regions, self.frame.region)
    }

    /// Notes where the lanes go that are on.
    pub fn note(&mut self, target: Option<usize>) {
        if !self.wants_codes() {
            return;
        }
        let seg = self.flow.seg;
        let cur = self.cur;
        let code = self.group.region_const(cur, number(target));
        let mut codes = self.splat(code);
        if let Some(mask) = self.mask {
            let ty = self.wide(CODE);
            let held = self.read(seg, Var::Codes);
            let before = self.value_of(held, ty);
            codes = self.select(mask, codes, before);
        }
        self.segs.set(seg, Var::Codes, Held::Is(codes));
    }

    /// No lane goes anywhere: as if all had returned.
    pub fn no_codes(&mut self) -> Value {
        let (start, lanes) = (self.frame.start, self.lanes);
        let done = self.group.region_const(start, DONE);
        self.group.at(start).splat(done, lanes)
    }

    /// Ends the chunk: stores the next region of each item where that is wanted, and jumps to the latch with what it
    /// asks for.
    fn tell(&mut self, codes: &Codes) {
        if self.notes() {
            let slot = self.group.next.expect("a slot for the next region");
            let address = self.slot(slot);
            let rep = match codes {
                Codes::One(code) => {
                    let cur = self.cur;
                    Rep::One(self.group.region_const(cur, *code))
                }
                Codes::Lanes(codes) => Rep::Lanes(*codes),
            };
            self.keep_lanes(&rep, address);
        }
        let (cur, latch) = (self.cur, self.frame.latch);
        let by_dispatch = self.group.flow.by_dispatch(self.frame.region);
        let args = match (self.frame.report, codes) {
            (Report::Nothing, _) => Vec::new(),
            (Report::Next, Codes::One(code)) if by_dispatch => {
                let high = if *code == DONE { 0 } else { *code };
                [*code, high]
                    .map(|code| self.group.region_const(cur, code))
                    .to_vec()
            }
            (Report::Next, Codes::Lanes(codes)) if by_dispatch => {
                bounds(self.group, cur, *codes, self.lanes).to_vec()
            }
            (Report::Next, Codes::One(code)) => vec![self.group.region_const(cur, *code)],
            (Report::Next, Codes::Lanes(codes)) => {
                vec![fold(self.group, cur, BinaryOp::UMin, *codes, self.lanes)]
            }
            (Report::Alive, Codes::One(DONE)) => vec![self.group.region_const(cur, 0)],
            (Report::Alive, Codes::One(_)) => vec![match self.mask {
                Some(mask) => self.number_of(mask, CODE),
                None => self.group.region_const(cur, u32::from(self.lanes)),
            }],
            (Report::Alive, Codes::Lanes(codes)) => {
                let done = self.group.region_const(cur, DONE);
                let mut b = self.group.at(cur);
                let done = b.splat(done, self.lanes);
                let alive = b.icmp(IntCC::Ne, *codes, done);
                vec![self.number_of(alive, CODE)]
            }
        };
        self.group.at(cur).jump(latch, args);
    }

    /// How many lanes of a mask are set.
    pub fn number_of(&mut self, mask: Value, ty: Type) -> Value {
        let cur = self.cur;
        let mut b = self.group.at(cur);
        let bits = b.mask_bits(mask);
        let count = b.unary(UnaryOp::Popcount, bits);
        match ty {
            I64 => count,
            _ => b.cast(CastOp::Trunc, count, ty),
        }
    }
}

fn number(target: Option<usize>) -> u32 {
    target.map_or(DONE, |t| t as u32)
}

/// The lowest and the highest of the regions that lanes go to; those that have returned count for neither.
pub fn bounds(group: &mut Group, here: Block, codes: Value, lanes: u16) -> [Value; 2] {
    let low = fold(group, here, BinaryOp::UMin, codes, lanes);
    let done = group.region_const(here, DONE);
    let mut b = group.at(here);
    let none = b.iconst(Type::vector(CODE.elem, lanes), 0);
    let done = b.splat(done, lanes);
    let is_done = b.icmp(IntCC::Eq, codes, done);
    let counted = b.select(is_done, none, codes);
    let high = fold(group, here, BinaryOp::UMax, counted, lanes);
    [low, high]
}

/// All lanes of a vector in one; their number is a power of two.
pub fn fold(group: &mut Group, here: Block, op: BinaryOp, mut value: Value, lanes: u16) -> Value {
    let mut b = group.at(here);
    let mut far = lanes;
    while far > 1 {
        far /= 2;
        let turned = (0..lanes).map(|lane| (lane + far) % lanes).collect();
        let turned = b.shuffle(value, value, turned);
        value = b.binary(op, value, turned);
    }
    b.extract(value, 0)
}
