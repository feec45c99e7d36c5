//! Accesses of a chunk whose elements lie in a row, in a row from the end, or a few elements apart.
//!
//! Elements that lie apart are read by vectors that cover all of them, and taken out by shuffles. No vector reaches
//! beyond the last element of the last lane: the last vector ends there, and overlaps the one before. Under a mask,
//! each vector has the part of it that belongs to lanes that are on. Stores leave out what lies between the elements.

use crate::ir::types::I64;
use crate::ir::{Elem, SrcLoc, Type, Value};

use super::{Rep, Widen};

/// Where the elements of an access lie.
pub struct Rows {
    first: Value,
    elem: Elem,
    /// Elements in a row for each lane.
    fields: u16,
    stride: Stride,
}

enum Stride {
    /// The lanes of each field one behind the other, then those of the next.
    Row,
    /// As above, from the last lane to the first.
    Reverse,
    /// So many elements from one lane to the next, the fields of a lane together.
    Apart(u16),
}

/// Elements further apart are accessed lane by lane.
pub const MAX_STRIDE: i64 = 8;

impl Rows {
    /// So few elements of many that it is better to write them one by one. (LLVM 22 gets a store of a single lane
    /// under a constant mask wrong; here each vector has two elements or more.)
    pub fn wants_scatter(&self, lanes: u16) -> bool {
        self.is_sparse()
            || matches!(self.stride, Stride::Apart(stride)
                if stride * 2 > lanes * self.fields.min(2))
    }

    /// A mask for each of so many vectors costs more than to go lane by lane.
    pub fn is_sparse(&self) -> bool {
        matches!(self.stride, Stride::Apart(stride) if stride > 4 * self.fields)
    }
}

/// A part of memory as a vector of as many elements as there are lanes.
struct Window {
    /// Its first element, counted from the first of the access.
    start: u16,
    /// The first element that is not in the window before.
    fresh: u16,
}

impl Widen<'_, '_> {
    /// `None` if the lanes are to be accessed one by one.
    pub fn rows(&mut self, ptr: &Rep, ty: Type) -> Option<Rows> {
        let (first, stride) = match ptr {
            Rep::Step(step) => {
                let bytes = ty.elem.bytes() as i64;
                let stride = match step.step / bytes {
                    _ if step.step % bytes != 0 => return None,
                    1 if ty.lanes == 1 => Stride::Row,
                    -1 if ty.lanes == 1 => Stride::Reverse,
                    n if (2..=MAX_STRIDE).contains(&n) && i64::from(ty.lanes) <= n => {
                        Stride::Apart(n as u16)
                    }
                    _ => return None,
                };
                (step.first, stride)
            }
            Rep::Cell(cell) => (self.cell_row(cell)?, Stride::Row),
            _ => return None,
        };
        Some(Rows {
            first,
            elem: ty.elem,
            fields: ty.lanes,
            stride,
        })
    }

    pub fn load_rows(&mut self, rows: &Rows, align: u32, loc: SrcLoc) -> Value {
        let align = align.min(rows.elem.bytes() as u32);
        let ty = Type::vector(rows.elem, rows.fields * self.lanes);
        let mask = self.mask;
        match rows.stride {
            Stride::Row => self.load_part(ty, rows.first, mask, align, loc),
            Stride::Reverse => {
                let start = self.last_place(rows);
                let mask = mask.map(|m| self.reversed(m));
                let value = self.load_part(ty, start, mask, align, loc);
                self.reversed(value)
            }
            Stride::Apart(stride) => {
                let windows = windows(self.lanes, rows.fields, stride);
                let ty = Type::vector(rows.elem, self.lanes);
                let mut parts = Vec::new();
                for window in &windows {
                    let at = self.element(rows, window.start);
                    let mask = mask.map(|m| self.mask_in(m, window, rows.fields, stride));
                    parts.push(self.load_part(ty, at, mask, align, loc));
                }
                let mut fields = Vec::new();
                for field in 0..rows.fields {
                    let wanted = (0..self.lanes).map(|lane| {
                        let element = lane * stride + field;
                        let n = windows.partition_point(|w| w.fresh <= element) - 1;
                        (n, element - windows[n].start)
                    });
                    let wanted: Vec<_> = wanted.collect();
                    fields.push(self.picked(&parts, &wanted));
                }
                self.joined(&fields)
            }
        }
    }

    pub fn store_rows(&mut self, rows: &Rows, value: Value, align: u32, loc: SrcLoc) {
        let align = align.min(rows.elem.bytes() as u32);
        let mask = self.mask;
        match rows.stride {
            Stride::Row => self.store_part(value, rows.first, mask, align, loc),
            Stride::Reverse => {
                let start = self.last_place(rows);
                let mask = mask.map(|m| self.reversed(m));
                let value = self.reversed(value);
                self.store_part(value, start, mask, align, loc);
            }
            Stride::Apart(stride) => {
                let fields: Vec<Value> =
                    (0..rows.fields).map(|n| self.component(value, n)).collect();
                let with_gaps = rows.fields < stride;
                for window in windows(self.lanes, rows.fields, stride) {
                    let at = self.element(rows, window.start);
                    let mask = match mask {
                        None if !with_gaps => None,
                        _ => {
                            let all = self.mask_value();
                            Some(self.mask_in(all, &window, rows.fields, stride))
                        }
                    };
                    let wanted: Vec<_> = (window.start..window.start + self.lanes)
                        .map(|n| (usize::from((n % stride).min(rows.fields - 1)), n / stride))
                        .collect();
                    let part = self.picked(&fields, &wanted);
                    self.store_part(part, at, mask, align, loc);
                }
            }
        }
    }

    fn load_part(
        &mut self,
        ty: Type,
        at: Value,
        mask: Option<Value>,
        align: u32,
        loc: SrcLoc,
    ) -> Value {
        let cur = self.cur;
        let Some(mask) = mask else {
            return self.group.at_loc(cur, loc).load(ty, at, align, false);
        };
        let mask = self.mask_for(mask, ty);
        self.group.at_loc(cur, loc).masked_load(ty, at, mask, align)
    }

    fn store_part(
        &mut self,
        value: Value,
        at: Value,
        mask: Option<Value>,
        align: u32,
        loc: SrcLoc,
    ) {
        let cur = self.cur;
        let Some(mask) = mask else {
            self.group.at_loc(cur, loc).store(value, at, align, false);
            return;
        };
        let mask = self.mask_for(mask, self.ty(value));
        self.group
            .at_loc(cur, loc)
            .masked_store(value, at, mask, align);
    }

    /// The mask for each component.
    fn mask_for(&mut self, mask: Value, ty: Type) -> Value {
        let lanes = self.lanes;
        match self.ty(mask).lanes == ty.lanes {
            true => mask,
            false => self.shuffled(mask, mask, (0..ty.lanes).map(|n| n % lanes).collect()),
        }
    }

    fn reversed(&mut self, value: Value) -> Value {
        self.shuffled(value, value, (0..self.lanes).rev().collect())
    }

    fn last_place(&mut self, rows: &Rows) -> Value {
        let back = -(i64::from(self.lanes - 1) * rows.elem.bytes() as i64);
        let back = self.iconst(I64, back as u64);
        let cur = self.cur;
        self.group.at(cur).ptr_add(rows.first, back)
    }

    fn element(&mut self, rows: &Rows, n: u16) -> Value {
        if n == 0 {
            return rows.first;
        }
        let offset = self.iconst(I64, u64::from(n) * rows.elem.bytes());
        let cur = self.cur;
        self.group.at(cur).ptr_add(rows.first, offset)
    }

    /// The elements of a window that belong to lanes of the mask, and not to the gaps.
    fn mask_in(&mut self, mask: Value, window: &Window, fields: u16, stride: u16) -> Value {
        let lanes = self.lanes;
        let none = self.zeros(self.ty(mask));
        let elements = window.start..window.start + lanes;
        let from = |n: u16| match n % stride < fields {
            true => n / stride,
            false => lanes,
        };
        self.shuffled(mask, none, elements.map(from).collect())
    }

    /// A vector of single lanes of others: for each lane the number of the vector and the lane in it.
    fn picked(&mut self, from: &[Value], wanted: &[(usize, u16)]) -> Value {
        let mut used: Vec<usize> = wanted.iter().map(|w| w.0).collect();
        used.sort_unstable();
        used.dedup();
        let lanes = self.lanes;
        // The value, and the lanes of it that are in place, by the number of their vectors.
        let mut whole: Option<Value> = None;
        for pair in used.chunks(2) {
            let (a, b) = (pair[0], pair[pair.len() - 1]);
            let mask = wanted.iter().map(|&(n, lane)| match n == b && b != a {
                true => lanes + lane,
                false => lane,
            });
            let part = self.shuffled(from[a], from[b], mask.collect());
            whole = Some(match whole {
                None => part,
                Some(before) => {
                    let mask = (0..lanes)
                        .zip(wanted)
                        .map(|(n, w)| match pair.contains(&w.0) {
                            true => lanes + n,
                            false => n,
                        });
                    self.shuffled(before, part, mask.collect())
                }
            });
        }
        whole.expect("at least one lane")
    }
}

/// The windows over an access; the last one ends with the last element.
fn windows(lanes: u16, fields: u16, stride: u16) -> Vec<Window> {
    let span = (lanes - 1) * stride + fields;
    (0..span)
        .step_by(usize::from(lanes))
        .map(|n| Window {
            start: n.min(span - lanes),
            fresh: n,
        })
        .collect()
}
