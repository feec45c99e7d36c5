//! Private variables of a chunk, and accesses of many bytes.
//!
//! A variable of which every use is an access to elements of one size is laid out by elements (`private`): of each
//! element first all lanes. So an index that is the same for all lanes is a row, and any other a gather with offsets of
//! 32 bits. Every other variable has a whole copy for each lane, one behind the other.

use std::rc::Rc;

use crate::ir::types::{I8, I32, I64};
use crate::ir::{BinaryOp, Elem, InstData, IntCC, SrcLoc, Type, Value};
use crate::workgroup::crossing::{Address, Home};
use crate::workgroup::private::Copies;

use super::{Cell, Rep, Widen};

/// A copy of more elements is a loop.
const UNROLLED: u64 = 8;

impl Widen<'_, '_> {
    /// The lanes' addresses of a private variable.
    pub fn private(&mut self, value: Value, address: Address) -> Rep {
        let copies = self.group.crossing.copies(value);
        if let Address::Item(slot) = address {
            let first = self.slot(slot);
            let size = self.group.layout.size(slot) as i64;
            return Self::step(first, size);
        }
        let setup = self.frame.setup;
        let base = self.group.lanes_of_private(setup, value, self.lanes);
        match copies {
            Copies::Apart(step) => Self::step(base, step),
            Copies::Elements(bytes) => Rep::Cell(Rc::new(Cell {
                base,
                bytes,
                offset: Rep::One(self.iconst(I64, 0)),
            })),
            Copies::Never => panic!("{value} has no copies for lanes"),
        }
    }

    /// The variable that an address is in, if it is laid out by elements. (Then every address in it is made by
    /// additions: `elements`.)
    pub fn cell_root(&self, mut value: Value) -> Option<Value> {
        let group = &self.group;
        while let Some(&InstData::PtrAdd { ptr, .. }) = group.func.def_inst(value) {
            value = ptr;
        }
        let private = matches!(group.home(value), Home::Private(_));
        let by_elements = private && matches!(group.crossing.copies(value), Copies::Elements(_));
        by_elements.then_some(value)
    }

    /// Where the lanes of an element lie in a row: if all lanes are at the same one.
    pub fn cell_row(&mut self, cell: &Cell) -> Option<Value> {
        let Rep::One(offset) = cell.offset else {
            return None;
        };
        let lanes = self.iconst(I64, self.lanes.into());
        let offset = self.binary(BinaryOp::Mul, offset, lanes);
        let cur = self.cur;
        Some(self.group.at(cur).ptr_add(cell.base, offset))
    }

    /// Base, offsets and their scale, where each lane has an element of its own. A variable is small.
    pub fn cell_place(&mut self, cell: &Cell) -> (Value, Value, u32) {
        let offset = self.loosen(&cell.offset);
        let offset = self.narrow(&offset);
        let wide = self.wide(I32);
        let lanes = self.iconst(wide, self.lanes.into());
        let offset = self.binary(BinaryOp::Mul, offset, lanes);
        let row = self.row(Elem::I32, cell.bytes as i64);
        let offset = self.binary(BinaryOp::Add, offset, row);
        (cell.base, offset, 1)
    }

    pub fn fill(&mut self, dst: &Rep, byte: &Rep, size: u64, align: u32, loc: SrcLoc) {
        let lanes = u64::from(self.lanes);
        if let (Rep::One(dst), Rep::One(byte)) = (dst, byte) {
            self.once(loc, |b| b.memset(*dst, *byte, size, align));
            return;
        }
        let (start, all) = match dst {
            Rep::Cell(cell) => (self.cell_row(cell), size * lanes),
            Rep::Step(step) if step.guard.is_none() && step.step as u64 == size => {
                (Some(step.first), size * lanes)
            }
            _ => (None, size),
        };
        if let (Some(start), Rep::One(byte), None) = (start, byte, self.mask) {
            let cur = self.cur;
            self.group.at_loc(cur, loc).memset(start, *byte, all, align);
            return;
        }
        let Rep::Cell(cell) = dst else {
            let data = InstData::MemSet {
                dst: Value::new(0),
                byte: Value::new(0),
                size,
                align,
            };
            self.serial(&data, None, vec![dst.clone(), byte.clone()], loc);
            return;
        };
        let bytes = cell.bytes;
        let ty = integer(bytes);
        let byte = self.first(byte);
        let value = self.repeated_byte(byte, ty);
        self.elements(size / bytes, |this, n| {
            let offset = n.times(this, bytes);
            let to = this.ptr_add(dst, &offset);
            this.store(&Rep::One(value), &to, bytes as u32, loc);
        });
    }

    /// An integer of which every byte is `byte`.
    fn repeated_byte(&mut self, byte: Value, ty: Type) -> Value {
        let cur = self.cur;
        let mut b = self.group.at(cur);
        let lanes = ty.elem.bytes() as u16;
        if lanes == 1 {
            return byte;
        }
        let all = b.splat(byte, lanes);
        b.cast(crate::ir::CastOp::Bitcast, all, ty)
    }

    pub fn copy(&mut self, dst: &Rep, src: &Rep, size: u64, align: u32, loc: SrcLoc) {
        let bytes = match (dst, src) {
            (Rep::Cell(cell), _) | (_, Rep::Cell(cell)) => cell.bytes,
            (Rep::One(dst), Rep::One(src)) => {
                let (dst, src) = (*dst, *src);
                self.once(loc, |b| b.memcpy(dst, src, size, align));
                return;
            }
            _ => {
                let data = InstData::MemCpy {
                    dst: Value::new(0),
                    src: Value::new(0),
                    size,
                    align,
                };
                self.serial(&data, None, vec![dst.clone(), src.clone()], loc);
                return;
            }
        };
        if let (Rep::Cell(to), Rep::Cell(from), None) = (dst, src, self.mask)
            && to.bytes == from.bytes
            && let (Some(to), Some(from)) = (self.cell_row(to), self.cell_row(from))
        {
            let (cur, all) = (self.cur, size * u64::from(self.lanes));
            self.group
                .at_loc(cur, loc)
                .memcpy(to, from, all, bytes as u32);
            return;
        }
        let ty = integer(bytes);
        let align = align.min(bytes as u32);
        self.elements(size / bytes, |this, n| {
            let offset = n.times(this, bytes);
            let (to, from) = (this.ptr_add(dst, &offset), this.ptr_add(src, &offset));
            let value = this.load(ty, &from, align, loc);
            this.store(&value, &to, align, loc);
        });
    }

    /// What happens once for all lanes, if any is on.
    pub fn once(&mut self, loc: SrcLoc, emit: impl FnOnce(&mut crate::ir::Builder)) {
        let Some(mask) = self.doubtful() else {
            let cur = self.cur;
            emit(&mut self.group.at_loc(cur, loc));
            return;
        };
        let (then, after) = self.begin_if_any();
        emit(&mut self.group.at_loc(then, loc));
        self.end_if_any(mask, (then, then, Vec::new()), (after, Vec::new()));
    }

    /// Does something for the numbers from 0 to `count`: in a loop, if they are many.
    fn elements(&mut self, count: u64, mut each: impl FnMut(&mut Self, Number)) {
        if count <= UNROLLED {
            for n in 0..count {
                each(self, Number::Known(n));
            }
            return;
        }
        let (head, after) = (self.group.out.add_block(), self.group.out.add_block());
        let n = self.group.out.add_param(head, I64);
        let zero = self.iconst(I64, 0);
        let cur = std::mem::replace(&mut self.cur, head);
        self.group.at(cur).jump(head, vec![zero]);
        each(self, Number::Counted(n));
        let end = self.cur;
        let mut b = self.group.at(end);
        let one = b.iconst(I64, 1);
        let next = b.binary(BinaryOp::Add, n, one);
        let count = b.iconst(I64, count);
        let more = b.icmp(IntCC::Ult, next, count);
        b.branch(more, (head, vec![next]), (after, Vec::new()));
        self.cur = after;
    }
}

/// The number of an element.
enum Number {
    Known(u64),
    Counted(Value),
}

impl Number {
    fn times(&self, pass: &mut Widen, by: u64) -> Rep {
        Rep::One(match self {
            Number::Known(n) => pass.iconst(I64, n * by),
            Number::Counted(n) => {
                let by = pass.iconst(I64, by);
                pass.binary(BinaryOp::Mul, *n, by)
            }
        })
    }
}

/// The integer of so many bytes.
fn integer(bytes: u64) -> Type {
    match bytes {
        1 => I8,
        2 => crate::ir::types::I16,
        4 => I32,
        _ => I64,
    }
}
