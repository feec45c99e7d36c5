//! Loops of a chunk. A uniform loop is a loop like that of one item: all lanes that came in leave together. A divergent
//! one runs while any lane is alive; what leaves it is collected on the way, in parameters of its head: the values that
//! are used behind it, and for each exit the lanes that took it and the arguments they brought.

use std::rc::Rc;

use crate::ir::types::I64;
use crate::ir::{Type, Value};

use super::shape::Shape;
use super::ssa::{Held, Var};
use super::{Cell, Rep, Widen};

impl Widen<'_, '_> {
    /// Goes from the current segment, where the lanes have come together and one is on, into the head of the loop.
    pub fn enter_loop(&mut self, index: usize, params: &[Value], reps: &[Rep]) {
        let plan = self.plan;
        let this = &plan.loops[index];
        let seg = self.flow.seg;
        let mut first: Vec<Value> = params
            .iter()
            .zip(reps)
            .map(|(&p, rep)| self.argument(rep, plan.shape(p)))
            .collect();
        if this.divergent {
            first.push(self.mask_value());
        }
        let changing = self.changing(index);
        for &var in &changing {
            let ty = self.type_of(var);
            let held = match var {
                Var::Out(value) if plan.temporal[&value] == index => Held::Nothing,
                _ => self.read(seg, var),
            };
            first.push(self.value_of(held, ty));
        }
        let head = self.group.clone_of(self.graph.block(this.header));
        let cur = self.cur;
        self.group.at(cur).jump(head, first);
        self.next_segment(seg, 0, head);
        let seg = self.flow.seg;
        let reps: Vec<Rep> = params
            .iter()
            .map(|&p| {
                let ty = self.group.func.ty(p);
                self.segs.set(seg, Var::Arg(p), Held::Nothing);
                self.parameter(head, ty, plan.shape(p))
            })
            .collect();
        if this.divergent {
            let masks = self.mask_type();
            let alive = self.group.out.add_param(head, masks);
            self.mask = Some(alive);
            self.segs.set(seg, Var::Mask(this.header), Held::Nothing);
        }
        for &var in &changing {
            let ty = self.type_of(var);
            let param = self.group.out.add_param(head, ty);
            self.segs.set(seg, var, Held::Is(param));
        }
        self.on = true;
        self.flow.open[index] = Some((head, changing));
        for (&param, rep) in params.iter().zip(reps) {
            self.define(param, rep);
        }
    }

    /// Where the edges back of a loop meet: once more, or on to where the lanes have gone.
    pub fn latch(&mut self, index: usize, waiting: &[u32]) {
        let plan = self.plan;
        let this = &plan.loops[index];
        let seg = self.flow.seg;
        let (head, changing) = self.flow.open[index]
            .take()
            .expect("a loop is entered first");
        let func = self.group.func;
        let params = &func.block(self.graph.block(this.header)).params;
        let mut next = Vec::new();
        for &param in params {
            let ty = match plan.shape(param) {
                Shape::Varying => self.wide(func.ty(param)),
                _ => func.ty(param),
            };
            let held = self.read(seg, Var::Arg(param));
            next.push(self.value_of(held, ty));
        }
        if this.divergent {
            let held = self.read(seg, Var::Mask(this.header));
            let masks = self.mask_type();
            next.push(self.value_of(held, masks));
        }
        for &var in &changing {
            let ty = self.type_of(var);
            let held = self.read(seg, var);
            next.push(self.value_of(held, ty));
        }
        let cur = self.cur;
        if !this.divergent {
            self.group.at(cur).jump(head, next);
            return;
        }
        let alive = next[params.len()];
        let leaves = this.leaves.then_some(plan.end());
        let mut targets: Vec<u32> = this.exits.iter().copied().chain(leaves).collect();
        for to in &mut targets {
            *to = self.land(this.parent, *to);
        }
        targets.sort_unstable();
        targets.dedup();
        let after = self.go(1, &targets, waiting, Vec::new(), false);
        let mut b = self.group.at(cur);
        let more = b.any_lane(alive);
        b.branch(more, (head, next), (after, Vec::new()));
    }

    /// What changes from one iteration to the next, besides parameters and the mask.
    fn changing(&self, index: usize) -> Vec<Var> {
        let plan = self.plan;
        let this = &plan.loops[index];
        let mut values: Vec<Value> = plan
            .temporal
            .iter()
            .filter(|&(&v, &outermost)| {
                let def = self.graph.node(self.group.crossing.def_block(v));
                index <= outermost && def.is_some_and(|d| this.inside[d as usize])
            })
            .map(|(&v, _)| v)
            .collect();
        values.sort_unstable();
        let mut vars: Vec<Var> = values.into_iter().map(Var::Out).collect();
        if this.divergent {
            for &to in &this.exits {
                vars.push(Var::Mask(to));
                let params = &self.group.func.block(self.graph.block(to)).params;
                vars.extend(params.iter().map(|&p| Var::Arg(p)));
            }
            if this.leaves && self.wants_codes() {
                vars.push(Var::Codes);
            }
        }
        vars
    }

    fn type_of(&self, var: Var) -> Type {
        let func = self.group.func;
        match var {
            Var::Mask(_) => self.mask_type(),
            Var::Codes => self.wide(super::ends::CODE),
            Var::Out(value) if self.cell_root(value).is_some() => self.wide(I64),
            Var::Arg(value) | Var::Out(value) | Var::Part(value, _) => self.wide(func.ty(value)),
        }
    }

    /// Notes a computed value, and what each lane computed last where that is asked for behind a loop.
    pub fn define(&mut self, value: Value, rep: Rep) {
        let seg = self.flow.seg;
        self.map.insert(value, (rep.clone(), seg));
        self.keep_definition(value);
        if !self.plan.temporal.contains_key(&value) {
            return;
        }
        // An address in a cell has a base that stays as it is.
        let mut now = match &rep {
            Rep::Cell(cell) => self.lanes(&cell.offset),
            _ => self.lanes(&rep),
        };
        if let (Held::Is(before), Some(mask)) = (self.read(seg, Var::Out(value)), self.mask) {
            now = self.select(mask, now, before);
        }
        self.segs.set(seg, Var::Out(value), Held::Is(now));
    }

    /// A value that a divergent loop computed, where it is used behind it.
    pub fn left_behind(&mut self, value: Value) -> Rep {
        let ty = self.type_of(Var::Out(value));
        let held = self.read(self.flow.seg, Var::Out(value));
        let last = Rep::Lanes(self.value_of(held, ty));
        let Some(root) = self.cell_root(value) else {
            return last;
        };
        let Rep::Cell(cell) = self.brought(root) else {
            panic!("{root} is laid out by elements");
        };
        Rep::Cell(Rc::new(Cell {
            offset: last,
            ..*cell
        }))
    }
}
