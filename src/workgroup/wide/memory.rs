//! Loads and stores of a chunk, by the form of the address: a scalar where it is the same for all lanes, vectors where
//! elements lie in a row or a few apart (`rows`) or in a cell (`cell`), else lane by lane. A scalar access under a mask,
//! which must not run when no lane is on, gets a branch around it.

use crate::ir::types::{I8, I32, I64};
use crate::ir::{BinaryOp, Block, CastOp, Elem, SrcLoc, Type, UnaryOp, Value};

use super::{Rep, Widen};

/// Bytes of a line of the cache, and the most lines that are read ahead for one access.
const LINE: u64 = 64;
const MAX_LINES: u64 = 4;

impl Widen<'_, '_> {
    pub fn load(&mut self, ty: Type, ptr: &Rep, align: u32, loc: SrcLoc) -> Rep {
        if ty.elem == Elem::I1 && !matches!(ptr, Rep::One(_)) {
            let bytes = self.load(ty.with_elem(Elem::I8), ptr, align, loc);
            let bytes = self.lanes(&bytes);
            return Rep::Lanes(self.cast(CastOp::Trunc, bytes, self.wide(ty)));
        }
        if let Rep::One(ptr) = ptr {
            return self.load_one(ty, *ptr, align, loc);
        }
        let same = self.same_place(ptr);
        let masked = self.mask.is_some();
        let rows = self
            .rows(ptr, ty)
            .filter(|rows| !masked || !rows.is_sparse());
        if rows.is_none() && same.is_none() {
            return Rep::Lanes(self.gather(ty, ptr, align, loc));
        }
        let fast_load = |this: &mut Self| match (&rows, same) {
            (Some(rows), _) => Rep::Lanes(this.load_rows(rows, align, loc)),
            (None, Some(ptr)) => this.load_one(ty, ptr, align, loc),
            (None, None) => panic!("looked at above"),
        };
        let Some(ok) = guard_of(ptr) else {
            return fast_load(self);
        };
        let [fast, slow, after] = self.fork(ok);
        let out = self.group.out.add_param(after, self.wide(ty));
        self.cur = fast;
        let value = fast_load(self);
        let value = self.lanes(&value);
        let end = self.cur;
        self.group.at(end).jump(after, vec![value]);
        self.cur = slow;
        let value = self.gather(ty, ptr, align, loc);
        let end = self.cur;
        self.group.at(end).jump(after, vec![value]);
        self.cur = after;
        Rep::Lanes(out)
    }

    /// The address, if it is the same for all lanes (where its guard says so).
    fn same_place(&self, ptr: &Rep) -> Option<Value> {
        match ptr {
            Rep::Step(step) if step.step == 0 => Some(step.first),
            _ => None,
        }
    }

    fn load_one(&mut self, ty: Type, ptr: Value, align: u32, loc: SrcLoc) -> Rep {
        let Some(mask) = self.doubtful() else {
            let cur = self.cur;
            return Rep::One(self.group.at_loc(cur, loc).load(ty, ptr, align, false));
        };
        let (then, after) = self.begin_if_any();
        let value = self.group.at_loc(then, loc).load(ty, ptr, align, false);
        let out = self.group.out.add_param(after, ty);
        let zero = self.zeros(ty);
        self.end_if_any(mask, (then, then, vec![value]), (after, vec![zero]));
        Rep::One(out)
    }

    /// Reads ahead where the lanes lie close together; elsewhere it would take as long as it saves.
    pub fn prefetch(&mut self, ptr: &Rep) {
        let (first, step) = match ptr {
            Rep::One(first) => (*first, 0),
            Rep::Step(step) => (step.first, step.step),
            _ => return,
        };
        let span = step.unsigned_abs() * u64::from(self.lanes);
        if step < 0 || span > LINE * MAX_LINES {
            return;
        }
        for at in (0..span.max(1)).step_by(LINE as usize) {
            let cur = self.cur;
            let offset = self.iconst(I64, at);
            let mut b = self.group.at(cur);
            let ptr = b.ptr_add(first, offset);
            b.prefetch(ptr);
        }
    }

    /// Each component of each lane by itself. With no lane on, the access is skipped: it is slow even then.
    fn gather(&mut self, ty: Type, ptr: &Rep, align: u32, loc: SrcLoc) -> Value {
        let wide = self.wide(ty);
        let Some(mask) = self.doubtful() else {
            return self.gather_parts(ty, ptr, align, loc);
        };
        let (then, after) = self.begin_if_any();
        let out = self.group.out.add_param(after, wide);
        let zero = self.zeros(wide);
        let cur = std::mem::replace(&mut self.cur, then);
        let value = self.gather_parts(ty, ptr, align, loc);
        let end = std::mem::replace(&mut self.cur, cur);
        self.end_if_any(mask, (then, end, vec![value]), (after, vec![zero]));
        out
    }

    fn gather_parts(&mut self, ty: Type, ptr: &Rep, align: u32, loc: SrcLoc) -> Value {
        let mask = self.mask_value();
        let align = align.min(ty.elem.bytes() as u32);
        let wide = self.wide(ty.lane());
        let mut parts = Vec::new();
        for n in 0..ty.lanes {
            let ptr = self.field(ptr, u64::from(n) * ty.elem.bytes());
            let place = self.place(&ptr);
            let cur = self.cur;
            parts.push(self.group.at_loc(cur, loc).gather(wide, place, mask, align));
        }
        self.joined(&parts)
    }

    /// The address, so many bytes on.
    pub fn field(&mut self, ptr: &Rep, offset: u64) -> Rep {
        if offset == 0 {
            return ptr.clone();
        }
        let offset = self.iconst(I64, offset);
        self.ptr_add(ptr, &Rep::One(offset))
    }

    pub fn store(&mut self, value: &Rep, ptr: &Rep, align: u32, loc: SrcLoc) {
        if let (Rep::One(ptr), Rep::One(value)) = (ptr, value) {
            self.store_one(|_| *value, *ptr, align, loc);
            return;
        }
        let mut value = self.lanes(value);
        if let Rep::One(ptr) = ptr {
            // Of the lanes' stores that of the last one stays.
            self.store_one(|this| this.last_on(value), *ptr, align, loc);
            return;
        }
        let wide = self.ty(value);
        if wide.elem == Elem::I1 {
            value = self.cast(CastOp::ZExt, value, wide.with_elem(I8.elem));
        }
        let ty = Type::vector(self.ty(value).elem, wide.lanes / self.lanes);
        let lanes = self.lanes;
        let rows = self.rows(ptr, ty).filter(|rows| !rows.wants_scatter(lanes));
        let Some(rows) = rows else {
            self.scatter(ty, value, ptr, align, loc);
            return;
        };
        let Some(ok) = guard_of(ptr) else {
            self.store_rows(&rows, value, align, loc);
            return;
        };
        let [fast, slow, after] = self.fork(ok);
        self.cur = fast;
        self.store_rows(&rows, value, align, loc);
        let end = self.cur;
        self.group.at(end).jump(after, Vec::new());
        self.cur = slow;
        self.scatter(ty, value, ptr, align, loc);
        let end = self.cur;
        self.group.at(end).jump(after, Vec::new());
        self.cur = after;
    }

    /// Stores the scalar that `value` makes, if any lane is on.
    fn store_one(
        &mut self,
        value: impl FnOnce(&mut Self) -> Value,
        ptr: Value,
        align: u32,
        loc: SrcLoc,
    ) {
        let Some(mask) = self.doubtful() else {
            let value = value(self);
            let cur = self.cur;
            self.group.at_loc(cur, loc).store(value, ptr, align, false);
            return;
        };
        let (then, after) = self.begin_if_any();
        let cur = std::mem::replace(&mut self.cur, then);
        let value = value(self);
        self.group.at_loc(then, loc).store(value, ptr, align, false);
        self.cur = cur;
        self.end_if_any(mask, (then, then, Vec::new()), (after, Vec::new()));
    }

    /// The value of the last lane that is on; there is one.
    fn last_on(&mut self, value: Value) -> Value {
        let Some(mask) = self.mask else {
            return self.lane(value, self.lanes - 1);
        };
        let cur = self.cur;
        let mut b = self.group.at(cur);
        let bits = b.mask_bits(mask);
        let above = b.unary(UnaryOp::Clz, bits);
        let top = b.iconst(I64, 63);
        let lane = b.binary(BinaryOp::Sub, top, above);
        let lane = b.cast(CastOp::Trunc, lane, I32);
        self.dyn_lane(value, lane)
    }

    fn scatter(&mut self, ty: Type, value: Value, ptr: &Rep, align: u32, loc: SrcLoc) {
        let Some(mask) = self.doubtful() else {
            self.scatter_parts(ty, value, ptr, align, loc);
            return;
        };
        let (then, after) = self.begin_if_any();
        let cur = std::mem::replace(&mut self.cur, then);
        self.scatter_parts(ty, value, ptr, align, loc);
        let end = std::mem::replace(&mut self.cur, cur);
        self.end_if_any(mask, (then, end, Vec::new()), (after, Vec::new()));
    }

    fn scatter_parts(&mut self, ty: Type, value: Value, ptr: &Rep, align: u32, loc: SrcLoc) {
        let mask = self.mask_value();
        let align = align.min(ty.elem.bytes() as u32);
        for n in 0..ty.lanes {
            let part = self.component(value, n);
            let ptr = self.field(ptr, u64::from(n) * ty.elem.bytes());
            let place = self.place(&ptr);
            let cur = self.cur;
            self.group
                .at_loc(cur, loc)
                .scatter(part, place, mask, align);
        }
    }

    pub fn mask_type(&self) -> Type {
        Type::vector(Elem::I1, self.lanes)
    }

    /// The mask, where no lane of it may be on.
    pub fn doubtful(&self) -> Option<Value> {
        self.mask.filter(|_| !self.on)
    }

    pub fn mask_value(&mut self) -> Value {
        let ty = self.mask_type();
        match self.mask {
            Some(mask) => mask,
            None => self.iconst(ty, 1),
        }
    }

    /// Blocks for a part that must not run when no lane is on, and for what comes after it.
    pub fn begin_if_any(&mut self) -> (Block, Block) {
        (self.group.out.add_block(), self.group.out.add_block())
    }

    /// Joins them: the part from `then` to `end` and the way around it bring their arguments to `after`.
    pub fn end_if_any(
        &mut self,
        mask: Value,
        (then, end, brings): (Block, Block, Vec<Value>),
        (after, otherwise): (Block, Vec<Value>),
    ) {
        let cur = self.cur;
        let mut b = self.group.at(cur);
        let any = b.any_lane(mask);
        b.branch(any, (then, Vec::new()), (after, otherwise));
        self.group.at(end).jump(after, brings);
        self.cur = after;
    }

    /// Branches on `ok` to the first of three new blocks, else to the second; the third is for what comes after.
    pub fn fork(&mut self, ok: Value) -> [Block; 3] {
        let blocks = [(); 3].map(|()| self.group.out.add_block());
        let cur = self.cur;
        self.group
            .at(cur)
            .branch(ok, (blocks[0], Vec::new()), (blocks[1], Vec::new()));
        blocks
    }
}

/// On what it depends that the lanes are a step apart.
pub fn guard_of(ptr: &Rep) -> Option<Value> {
    match ptr {
        Rep::Step(step) => step.guard.as_ref().map(|g| g.ok),
        _ => None,
    }
}
