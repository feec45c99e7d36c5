//! Loads and stores of a chunk: scalar where the address is uniform, a vector where elements lie in a row, else lane by
//! lane. A scalar access under a mask, which must not run when no lane is on, gets a branch around it.

use crate::ir::{Block, Elem, SrcLoc, Type, Value};

use super::{Rep, Widen};

impl Widen<'_, '_> {
    pub fn load(&mut self, ty: Type, ptr: &Rep, align: u32, loc: SrcLoc) -> Rep {
        let wide = self.wide(ty);
        match ptr {
            Rep::One(ptr) => {
                let ptr = *ptr;
                let Some(mask) = self.mask else {
                    let cur = self.cur;
                    return Rep::One(self.group.at_loc(cur, loc).load(ty, ptr, align, false));
                };
                let (then, after) = self.begin_if_any();
                let value = self.group.at_loc(then, loc).load(ty, ptr, align, false);
                let out = self.group.out.add_param(after, ty);
                let zero = self.zeros(ty);
                self.end_if_any(mask, (then, vec![value]), (after, vec![zero]));
                Rep::One(out)
            }
            Rep::Step(step) if step.step == ty.bytes() as i64 => {
                let first = step.first;
                let Some(guard) = &step.guard else {
                    return Rep::Lanes(self.load_row(wide, first, align, loc));
                };
                let [fast, slow, after] = self.fork(guard.ok);
                let out = self.group.out.add_param(after, wide);
                self.cur = fast;
                let value = self.load_row(wide, first, align, loc);
                self.group.at(fast).jump(after, vec![value]);
                self.cur = slow;
                let value = self.gather(wide, ptr, align, loc);
                let end = self.cur;
                self.group.at(end).jump(after, vec![value]);
                self.cur = after;
                Rep::Lanes(out)
            }
            _ => Rep::Lanes(self.gather(wide, ptr, align, loc)),
        }
    }

    fn load_row(&mut self, wide: Type, ptr: Value, align: u32, loc: SrcLoc) -> Value {
        let (cur, mask) = (self.cur, self.mask);
        let mut b = self.group.at_loc(cur, loc);
        match mask {
            None => b.load(wide, ptr, align, false),
            Some(mask) => b.masked_load(wide, ptr, mask, align),
        }
    }

    /// With no lane on, the access is skipped: it is slow even then.
    fn gather(&mut self, wide: Type, ptr: &Rep, align: u32, loc: SrcLoc) -> Value {
        let place = self.address(ptr);
        let Some(mask) = self.mask else {
            let (all, cur) = (self.mask_value(), self.cur);
            return self.group.at_loc(cur, loc).gather(wide, place, all, align);
        };
        let (then, after) = self.begin_if_any();
        let value = self
            .group
            .at_loc(then, loc)
            .gather(wide, place, mask, align);
        let out = self.group.out.add_param(after, wide);
        let zero = self.zeros(wide);
        self.end_if_any(mask, (then, vec![value]), (after, vec![zero]));
        out
    }

    pub fn store(&mut self, value: &Rep, ptr: &Rep, align: u32, loc: SrcLoc) {
        match (ptr, value) {
            (Rep::One(ptr), Rep::One(value)) => {
                let (ptr, value) = (*ptr, *value);
                let Some(mask) = self.mask else {
                    let cur = self.cur;
                    self.group.at_loc(cur, loc).store(value, ptr, align, false);
                    return;
                };
                let (then, after) = self.begin_if_any();
                self.group.at_loc(then, loc).store(value, ptr, align, false);
                self.end_if_any(mask, (then, Vec::new()), (after, Vec::new()));
            }
            (Rep::One(ptr), _) if self.mask.is_none() => {
                // Of the lanes' stores the last one stays.
                let (ptr, value) = (*ptr, self.lanes(value));
                let (cur, last) = (self.cur, self.lanes - 1);
                let mut b = self.group.at_loc(cur, loc);
                let value = b.extract(value, last);
                b.store(value, ptr, align, false);
            }
            (Rep::Step(step), _) => {
                let value = self.lanes(value);
                let bytes = self.group.out.ty(value).elem.bytes() as i64;
                if step.step != bytes {
                    self.scatter(value, ptr, align, loc);
                    return;
                }
                let first = step.first;
                let Some(guard) = &step.guard else {
                    self.store_row(value, first, align, loc);
                    return;
                };
                let [fast, slow, after] = self.fork(guard.ok);
                self.cur = fast;
                self.store_row(value, first, align, loc);
                self.group.at(fast).jump(after, Vec::new());
                self.cur = slow;
                self.scatter(value, ptr, align, loc);
                let end = self.cur;
                self.group.at(end).jump(after, Vec::new());
                self.cur = after;
            }
            _ => {
                let value = self.lanes(value);
                self.scatter(value, ptr, align, loc);
            }
        }
    }

    pub fn store_row(&mut self, value: Value, ptr: Value, align: u32, loc: SrcLoc) {
        let (cur, mask) = (self.cur, self.mask);
        let mut b = self.group.at_loc(cur, loc);
        match mask {
            None => b.store(value, ptr, align, false),
            Some(mask) => b.masked_store(value, ptr, mask, align),
        }
    }

    fn scatter(&mut self, value: Value, ptr: &Rep, align: u32, loc: SrcLoc) {
        let place = self.address(ptr);
        let Some(mask) = self.mask else {
            let (all, cur) = (self.mask_value(), self.cur);
            self.group
                .at_loc(cur, loc)
                .scatter(value, place, all, align);
            return;
        };
        let (then, after) = self.begin_if_any();
        self.group
            .at_loc(then, loc)
            .scatter(value, place, mask, align);
        self.end_if_any(mask, (then, Vec::new()), (after, Vec::new()));
    }

    pub fn mask_value(&mut self) -> Value {
        let ty = Type::vector(Elem::I1, self.lanes);
        let cur = self.cur;
        match self.mask {
            Some(mask) => mask,
            None => self.group.at(cur).iconst(ty, 1),
        }
    }

    /// Blocks for a part that must not run when no lane is on, and for what comes after it.
    fn begin_if_any(&mut self) -> (Block, Block) {
        (self.group.out.add_block(), self.group.out.add_block())
    }

    /// Joins them: `then` and the way around it bring their arguments to `after`.
    fn end_if_any(
        &mut self,
        mask: Value,
        (then, brings): (Block, Vec<Value>),
        (after, otherwise): (Block, Vec<Value>),
    ) {
        let cur = self.cur;
        let mut b = self.group.at(cur);
        let any = b.any_lane(mask);
        b.branch(any, (then, Vec::new()), (after, otherwise));
        self.group.at(then).jump(after, brings);
        self.cur = after;
    }

    /// Branches on `ok` to the first of three new blocks, else to the second; the third is for what comes after.
    fn fork(&mut self, ok: Value) -> [Block; 3] {
        let blocks = [(); 3].map(|()| self.group.out.add_block());
        let cur = self.cur;
        self.group
            .at(cur)
            .branch(ok, (blocks[0], Vec::new()), (blocks[1], Vec::new()));
        blocks
    }
}
