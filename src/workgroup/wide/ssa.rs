//! What changes along the linear form of a region, in SSA form.
//!
//! The code of a chunk is a graph of *segments*, one for each block of the region, and some between. Where an edge
//! leads to a block that comes later, its mask and arguments wait in variables until that block's turn comes. A
//! variable is read by looking back through the segments; where two of them bring different values, a parameter is
//! added. A segment is made when all that lead to it are complete, loops' back edges aside, for which the head of a
//! loop has parameters for all that changes inside (`live`).
//!
//! Source: Braun and others, "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013).

use std::collections::HashMap;
use std::rc::Rc;

use crate::ir::{Block, Elem, Type, Value};

use super::{Cell, Index, Rep, Sum, Widen};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Var {
    /// The lanes that wait to come to a node.
    Mask(u32),
    /// What they bring for a parameter.
    Arg(Value),
    /// What each lane computed last, of a value that leaves a divergent loop.
    Out(Value),
    /// The number of each lane's next region.
    Codes,
    /// A part of a computed value, where its definition does not dominate.
    Part(Value, u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Not set: no lane; nothing that is looked at.
    Nothing,
    /// A mask: all lanes of the chunk.
    All,
    Is(Value),
}

pub type Writes = Vec<(Var, Held)>;

/// Where control comes from: the n-th block call at the end of a segment, and what is set on the way.
pub struct Pred {
    pub seg: u32,
    pub call: usize,
    pub writes: Writes,
    /// Some lane is on, if there was one at the segment.
    pub on: bool,
}

struct Seg {
    entry: Block,
    end: Block,
    preds: Vec<Pred>,
    vars: HashMap<Var, Held>,
    /// Its dominator, one further up, and how many there are.
    above: u32,
    jump: u32,
    depth: u32,
}

#[derive(Default)]
pub struct Segments {
    list: Vec<Seg>,
    nothing: HashMap<Type, Value>,
}

impl Segments {
    /// The first segment has no predecessors; the head of a loop one, which is not in the loop.
    pub fn add(&mut self, entry: Block, preds: Vec<Pred>) -> u32 {
        let this = self.list.len() as u32;
        let above = preds
            .iter()
            .map(|p| p.seg)
            .reduce(|a, b| self.common(a, b))
            .unwrap_or(0);
        let up = self.list.get(above as usize);
        let (jump, depth) = match up {
            None => (0, 0),
            Some(up) => {
                let next = &self.list[up.jump as usize];
                let after = &self.list[next.jump as usize];
                let even = up.depth - next.depth == next.depth - after.depth;
                (if even { next.jump } else { above }, up.depth + 1)
            }
        };
        self.list.push(Seg {
            entry,
            end: entry,
            preds,
            vars: HashMap::new(),
            above,
            jump,
            depth,
        });
        this
    }

    /// Where the segment's code ends.
    pub fn set_end(&mut self, seg: u32, end: Block) {
        self.list[seg as usize].end = end;
    }

    pub fn set(&mut self, seg: u32, var: Var, held: Held) {
        self.list[seg as usize].vars.insert(var, held);
    }

    pub fn dominates(&self, a: u32, b: u32) -> bool {
        self.up_to(b, self.list[a as usize].depth) == a
    }

    /// The ancestor at this depth, in logarithmic time.
    fn up_to(&self, mut seg: u32, depth: u32) -> u32 {
        while self.list[seg as usize].depth > depth {
            let this = &self.list[seg as usize];
            let far = self.list[this.jump as usize].depth >= depth;
            seg = if far { this.jump } else { this.above };
        }
        seg
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        let depth = self.list[a as usize].depth.min(self.list[b as usize].depth);
        let (mut a, mut b) = (self.up_to(a, depth), self.up_to(b, depth));
        while a != b {
            let (x, y) = (&self.list[a as usize], &self.list[b as usize]);
            (a, b) = match x.jump != y.jump {
                true => (x.jump, y.jump),
                false => (x.above, y.above),
            };
        }
        a
    }
}

impl Widen<'_, '_> {
    pub fn read(&mut self, seg: u32, var: Var) -> Held {
        let this = &self.segs.list[seg as usize];
        if let Some(&held) = this.vars.get(&var) {
            return held;
        }
        let found: Vec<Held> = (0..this.preds.len())
            .map(|n| self.read_edge(seg, n, var))
            .collect();
        let held = match found[..] {
            [] => Held::Nothing,
            [first, ref rest @ ..] if rest.iter().all(|&h| h == first) => first,
            _ => self.join(seg, &found),
        };
        self.segs.set(seg, var, held);
        held
    }

    fn read_edge(&mut self, seg: u32, n: usize, var: Var) -> Held {
        let pred = &self.segs.list[seg as usize].preds[n];
        match pred.writes.iter().rev().find(|w| w.0 == var) {
            Some(&(_, held)) => held,
            None => self.read(pred.seg, var),
        }
    }

    fn join(&mut self, seg: u32, found: &[Held]) -> Held {
        let ty = found.iter().find_map(|&h| match h {
            Held::Is(value) => Some(self.group.out.ty(value)),
            _ => None,
        });
        let ty = ty.unwrap_or(Type::vector(Elem::I1, self.lanes));
        let entry = self.segs.list[seg as usize].entry;
        let param = self.group.out.add_param(entry, ty);
        for (n, &held) in found.iter().enumerate() {
            let arg = self.value_of(held, ty);
            let pred = &self.segs.list[seg as usize].preds[n];
            let (end, call) = (self.segs.list[pred.seg as usize].end, pred.call);
            self.add_arg(end, call, arg);
        }
        Held::Is(param)
    }

    /// Adds an argument to the n-th block call at the end of a block.
    fn add_arg(&mut self, end: Block, n: usize, arg: Value) {
        let term = self.group.out.block_mut(end).term.as_mut();
        let mut at = 0;
        term.expect("a complete segment").for_each_call_mut(|call| {
            if at == n {
                call.args.push(arg);
            }
            at += 1;
        });
    }

    /// What stands for it as a value of this type.
    pub fn value_of(&mut self, held: Held, ty: Type) -> Value {
        match (held, self.all) {
            (Held::Is(value), _) => value,
            (Held::All, Some(mask)) => mask,
            (Held::All, None) => self.all_on(),
            (Held::Nothing, _) => self.nothing(ty),
        }
    }

    /// Zero, made once before the chunk's code.
    pub fn nothing(&mut self, ty: Type) -> Value {
        if let Some(&zero) = self.segs.nothing.get(&ty) {
            return zero;
        }
        let cur = std::mem::replace(&mut self.cur, self.frame.start);
        let zero = self.zeros(ty);
        self.cur = cur;
        self.segs.nothing.insert(ty, zero);
        zero
    }

    fn all_on(&mut self) -> Value {
        let start = self.frame.start;
        let ty = Type::vector(Elem::I1, self.lanes);
        self.group.at(start).iconst(ty, 1)
    }

    /// A computed value where it is used, whether or not its definition dominates.
    pub fn computed(&mut self, value: Value) -> Option<Rep> {
        let (rep, seg) = self.map.get(&value)?;
        let (rep, seg, here) = (rep.clone(), *seg, self.flow.seg);
        if self.segs.dominates(seg, here) {
            return Some(rep);
        }
        let cur = std::mem::replace(&mut self.cur, self.segs.list[seg as usize].end);
        let rep = self.loosen(&rep);
        self.cur = cur;
        Some(self.carried(value, &rep, seg, &mut 0))
    }

    /// A value's form with each of its parts as it is here.
    fn carried(&mut self, value: Value, rep: &Rep, seg: u32, parts: &mut u8) -> Rep {
        let mut part = |pass: &mut Self, there: Value| {
            let var = Var::Part(value, *parts);
            *parts += 1;
            pass.segs.set(seg, var, Held::Is(there));
            let ty = pass.ty(there);
            let held = pass.read(pass.flow.seg, var);
            pass.value_of(held, ty)
        };
        match rep {
            Rep::One(v) => Rep::One(part(self, *v)),
            Rep::Lanes(v) => Rep::Lanes(part(self, *v)),
            Rep::Step(step) => Self::step(part(self, step.first), step.step),
            Rep::Sum(sum) => Rep::Sum(Rc::new(Sum {
                first: part(self, sum.first),
                index: Index {
                    value: part(self, sum.index.value),
                    ..sum.index
                },
                scale: sum.scale,
            })),
            Rep::Cell(cell) => Rep::Cell(Rc::new(Cell {
                base: cell.base,
                bytes: cell.bytes,
                offset: self.carried(value, &cell.offset, seg, parts),
            })),
        }
    }
}
