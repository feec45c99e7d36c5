//! Divergent loops: they run while any lane is alive. What leaves one is collected on the way, in parameters of its
//! head: the values that are used behind it, and for each exit the lanes that took it and the arguments they brought.

use crate::ir::{BinaryOp, Block, Elem, Type, Value};

use super::flow::{Edge, OpenLoop};
use super::{Rep, Widen};

impl Widen<'_, '_> {
    /// Emits the loop, whose blocks are `inner`.
    pub fn divergent_loop(&mut self, index: usize, inner: &[u32]) {
        let plan = self.plan;
        let this = &plan.loops[index];
        let header = this.header;
        let Some(entry) = self.flow.pending.remove(&header) else {
            return;
        };
        self.mask = self.any_of(&entry);
        let must_check = self.mask.is_some();
        let entered = self.mask_value();
        self.flow.entered.insert(index, entered);
        let params = self
            .group
            .func
            .block(self.graph.block(header))
            .params
            .clone();
        let reps: Vec<Rep> = (0..params.len())
            .map(|k| self.chosen(&entry, k, params[k]))
            .collect();
        let mut first = vec![entered];
        first.extend(self.arguments(header, &reps));
        let here = self.cur;

        let head = self.group.out.add_block();
        let masks = Type::vector(Elem::I1, self.lanes);
        let alive = self.group.out.add_param(head, masks);
        let args = params
            .iter()
            .map(|&p| {
                let ty = self.group.func.ty(p);
                self.parameter(head, ty, plan.shape(p))
            })
            .collect();
        let came = Edge {
            mask: Some(alive),
            args,
        };
        self.flow.pending.insert(header, vec![came]);
        self.flow.open.push(OpenLoop {
            index,
            back: Vec::new(),
            exits: Vec::new(),
        });
        self.cur = head;
        self.line(inner, Some(index));
        let open = self.flow.open.pop().expect("pushed above");

        let mut next = vec![self.any_of(&open.back).expect("a loop has an edge back")];
        let back: Vec<Rep> = (0..params.len())
            .map(|k| self.chosen(&open.back, k, params[k]))
            .collect();
        next.extend(self.arguments(header, &back));
        let mut collected = Vec::new();
        let leaving = self.values_behind(index);
        for &value in &leaving {
            let rep = self.map[&value].clone();
            let now = self.lanes(&rep);
            let mask = self.mask_of(value, index);
            collected.push(self.collect(head, mask, now));
        }
        for (_, edge) in &open.exits {
            let mask = edge.mask.expect("in a loop there are masks");
            let before = self.group.out.add_param(head, masks);
            collected.push(self.binary(BinaryOp::Or, before, mask));
            for rep in &edge.args {
                let now = self.lanes(rep);
                collected.push(self.collect(head, mask, now));
            }
        }
        next.extend(&collected);
        let after = self.group.out.add_block();
        let latch = self.cur;
        {
            let mut b = self.group.at(latch);
            let more = b.any_lane(next[0]);
            b.branch(more, (head, next), (after, Vec::new()));
        }

        self.cur = here;
        let types: Vec<Type> = collected.iter().map(|&v| self.group.out.ty(v)).collect();
        let none: Vec<Value> = types.iter().map(|&ty| self.zeros(ty)).collect();
        first.extend(&none);
        self.cur = after;
        if must_check {
            let join = self.group.out.add_block();
            let out = types
                .iter()
                .map(|&ty| self.group.out.add_param(join, ty))
                .collect();
            let mut b = self.group.at(here);
            let any = b.any_lane(entered);
            b.branch(any, (head, first), (join, none));
            self.group.at(after).jump(join, collected);
            collected = out;
            self.cur = join;
        } else {
            self.group.at(here).jump(head, first);
        }

        let mut out = collected.into_iter();
        let mut take = || out.next().expect("as many as were collected");
        for value in leaving {
            self.map.insert(value, Rep::Lanes(take()));
        }
        let mut edges = Vec::new();
        for (to, edge) in open.exits {
            let mask = Some(take());
            let args = edge.args.iter().map(|_| Rep::Lanes(take())).collect();
            edges.push((to, Edge { mask, args }));
        }
        for (to, edge) in edges {
            self.add_edge(to, edge);
        }
    }

    /// A parameter of the loop's head that keeps, for each lane, `now` of the last time that it was on.
    fn collect(&mut self, head: Block, mask: Value, now: Value) -> Value {
        let ty = self.group.out.ty(now);
        let before = self.group.out.add_param(head, ty);
        self.select(mask, now, before)
    }

    /// The values that the loop computes and that are used behind it.
    fn values_behind(&self, index: usize) -> Vec<Value> {
        let inside = &self.plan.loops[index].inside;
        let mut out: Vec<Value> = self
            .plan
            .uses
            .iter()
            .filter(|&&(v, node)| {
                let def = self.graph.node(self.group.crossing.def_block(v));
                !inside[node as usize] && def.is_some_and(|d| inside[d as usize])
            })
            .map(|&(v, _)| v)
            .collect();
        out.dedup();
        out
    }

    /// The lanes that computed the value in this iteration of the loop.
    fn mask_of(&self, value: Value, index: usize) -> Value {
        let node = self.graph.node(self.group.crossing.def_block(value));
        let node = node.expect("defined in the region");
        let mut child = None;
        let mut at = self.plan.innermost[node as usize];
        while let Some(l) = at.filter(|&l| l != index) {
            child = Some(l);
            at = self.plan.loops[l].parent;
        }
        match child {
            Some(l) => self.flow.entered[&l],
            None => self.flow.masks[&node],
        }
    }
}
