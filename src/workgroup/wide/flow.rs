//! The control flow of a region for a chunk of work-items: partial linearisation.
//!
//! Each block of the region is emitted once. A branch on a uniform value stays a branch. After a branch that sends the
//! lanes different ways, control goes to the first of its targets, and the others *wait*: control comes to them later
//! on the same way, because wherever it can go, it goes to the first of where it wants to go and of what waits. Each
//! block runs under the mask of the lanes that come to it, the `or` of its edges' masks, and its parameters are chosen
//! from what the edges bring (variables, see `ssa`). Edges back, and edges out of divergent loops, lead to the latch
//! of the loop (`live`); lanes that leave the region while others are left wait at its end (`ends`).
//!
//! A block may run with no lane on. That is harmless for masked accesses; a part that is costly, or must not run then,
//! gets a branch around it, to what waits.
//!
//! Source: Moll and Hack, "Partial Control-Flow Linearization" (PLDI 2018).

use crate::ir::{BinaryOp, Block, BlockCall, IntCC, SrcLoc, Terminator, UnaryOp, Value};

use super::shape::Shape;
use super::ssa::{Held, Pred, Var, Writes};
use super::{Rep, Widen};

/// The state of the walk over the nodes. By node, if nothing else is said.
pub struct Flow {
    /// The segment that is being made.
    pub seg: u32,
    blocks: Vec<Option<Block>>,
    incoming: Vec<Vec<Pred>>,
    /// The nodes at which lanes wait when control comes there.
    waiting: Vec<Vec<u32>>,
    /// What is known of blocks that are emitted: the segment, the mask, and whether a lane is on for certain.
    done: Vec<Option<(u32, Option<Value>, bool)>>,
    /// By loop: its head, and what the head has parameters for besides its own.
    pub open: Vec<Option<(Block, Vec<Var>)>>,
}

impl Flow {
    pub fn new(nodes: usize, loops: usize) -> Self {
        Self {
            seg: 0,
            blocks: vec![None; nodes],
            incoming: (0..nodes).map(|_| Vec::new()).collect(),
            waiting: vec![Vec::new(); nodes],
            done: vec![None; nodes],
            open: vec![None; loops],
        }
    }
}

/// Where an edge leads.
pub enum To {
    Node(u32),
    /// Out of the region: to the head of another.
    Region(usize),
}

impl Widen<'_, '_> {
    pub fn run(&mut self) {
        let start = self.frame.start;
        self.flow.seg = self.segs.add(start, Vec::new());
        if self.wants_codes() {
            let codes = match self.codes {
                Some(codes) => codes,
                None => self.no_codes(),
            };
            self.segs.set(0, Var::Codes, Held::Is(codes));
        }
        let first = self.go(0, &[0], &[], vec![(Var::Mask(0), Held::All)], true);
        self.group.at(start).jump(first, Vec::new());
        let plan = self.plan;
        for &node in &plan.order.nodes {
            let n = node as usize;
            let preds = std::mem::take(&mut self.flow.incoming[n]);
            if preds.is_empty() {
                continue;
            }
            let waiting = std::mem::take(&mut self.flow.waiting[n]);
            let on = waiting.is_empty() || preds.iter().all(|p| p.on);
            let entry = self.flow.blocks[n].expect("made with the first edge");
            self.flow.seg = self.segs.add(entry, preds);
            self.cur = entry;
            if n < plan.len() {
                self.block(node, &waiting, on);
            } else if node == plan.end() {
                self.finish();
            } else {
                self.latch(n - plan.len(), &waiting);
            }
            let (seg, cur) = (self.flow.seg, self.cur);
            self.segs.set_end(seg, cur);
        }
    }

    /// The block that control goes to by the n-th call of the current segment, for lanes that want to go to `to` while
    /// others wait. `on` tells whether a lane goes there for certain.
    pub fn go(
        &mut self,
        call: usize,
        to: &[u32],
        waiting: &[u32],
        writes: Writes,
        on: bool,
    ) -> Block {
        let place = |&&node: &&u32| self.plan.order.place[node as usize];
        let all = || to.iter().chain(waiting);
        let next = *all().min_by_key(place).expect("control goes somewhere");
        let others = &mut self.flow.waiting[next as usize];
        for &node in to.iter().chain(waiting) {
            if node != next && !others.contains(&node) {
                others.push(node);
            }
        }
        self.flow.incoming[next as usize].push(Pred {
            seg: self.flow.seg,
            call,
            writes,
            on: on && to == [next],
        });
        let group = &mut self.group;
        *self.flow.blocks[next as usize].get_or_insert_with(|| group.out.add_block())
    }

    /// Where an edge really leads from inside a loop: edges back, and edges out of divergent loops, to the latch.
    pub fn land(&self, level: Option<usize>, to: u32) -> u32 {
        let mut at = level;
        while let Some(l) = at {
            let this = &self.plan.loops[l];
            let outside = !this.inside.get(to as usize).is_some_and(|&i| i);
            if to == this.header || (outside && this.divergent) {
                return self.plan.latch(l);
            }
            at = this.parent;
        }
        to
    }

    fn block(&mut self, node: u32, waiting: &[u32], on: bool) {
        let func = self.group.func;
        let block = self.graph.block(node);
        let params: &[Value] = match node {
            0 => &[],
            _ => &func.block(block).params,
        };
        let (mask, on) = self.arrive(node, on);
        self.mask = mask;
        self.on = on;
        let reps: Vec<Rep> = params.iter().map(|&p| self.arrived(p)).collect();
        let header = self.plan.headed_loop(node);
        if mask.is_some() && !on && (header.is_some() || self.plan.gated[node as usize]) {
            self.gate(waiting);
        }
        match header {
            Some(l) => self.enter_loop(l, params, &reps),
            None => {
                for (&param, rep) in params.iter().zip(reps) {
                    self.define(param, rep);
                }
            }
        }
        self.flow.done[node as usize] = Some((self.flow.seg, self.mask, self.on));
        for &inst in &func.block(block).insts {
            self.inst(node, inst);
        }
        self.terminator(node, waiting);
    }

    /// The mask of the lanes that come to a block, and whether there is one for certain.
    fn arrive(&mut self, node: u32, on: bool) -> (Option<Value>, bool) {
        if !self.plan.is_partial(node) {
            return (self.all, true);
        }
        let seg = self.flow.seg;
        if let Some(above) = self.plan.like[node as usize]
            && let Some((there, mask, on_there)) = self.flow.done[above as usize]
            && self.segs.dominates(there, seg)
        {
            return (mask, on || on_there);
        }
        match self.read(seg, Var::Mask(node)) {
            Held::All => (self.all, true),
            held => {
                let ty = self.mask_type();
                (Some(self.value_of(held, ty)), on)
            }
        }
    }

    fn arrived(&mut self, param: Value) -> Rep {
        let shape = self.plan.shape(param);
        let ty = self.group.func.ty(param);
        let held = self.read(self.flow.seg, Var::Arg(param));
        match shape {
            Shape::Uniform => Rep::One(self.value_of(held, ty)),
            Shape::Strided { step, .. } => Self::step(self.value_of(held, ty), step),
            Shape::Varying => {
                let ty = self.wide(ty);
                Rep::Lanes(self.value_of(held, ty))
            }
        }
    }

    /// Goes on to where other lanes wait if no lane is on here.
    fn gate(&mut self, waiting: &[u32]) {
        let mask = self.mask.expect("with all lanes on there is no gate");
        let els = self.go(1, &[], waiting, Vec::new(), false);
        let body = self.group.out.add_block();
        let (seg, cur) = (self.flow.seg, self.cur);
        let mut b = self.group.at(cur);
        let any = b.any_lane(mask);
        b.branch(any, (body, Vec::new()), (els, Vec::new()));
        self.next_segment(seg, 0, body);
        self.on = true;
    }

    /// Ends the current segment and begins another, to which its n-th call leads.
    pub fn next_segment(&mut self, seg: u32, call: usize, entry: Block) {
        let cur = self.cur;
        self.segs.set_end(seg, cur);
        let pred = Pred {
            seg,
            call,
            writes: Vec::new(),
            on: true,
        };
        self.flow.seg = self.segs.add(entry, vec![pred]);
        self.cur = entry;
    }

    pub fn to(&self, call: &BlockCall) -> To {
        match self.group.regions.headed_by(call.block) {
            Some(target) => To::Region(target),
            None => To::Node(self.graph.node(call.block).expect("a block of the region")),
        }
    }

    fn terminator(&mut self, node: u32, waiting: &[u32]) {
        let func = self.group.func;
        let block = self.graph.block(node);
        let loc = func.block(block).term_loc;
        let term = func.term(block);
        match term {
            Terminator::Return(_) | Terminator::Unreachable => self.leave(node, None, waiting),
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. }
                if self.group.regions.headed_by(next.block).is_none() =>
            {
                let result = self.lanes_together(node, term);
                let to = self.graph.node(next.block).expect("a block of the region");
                let writes = self.edge(node, to, result.as_slice(), self.mask);
                let to = self.land(self.plan.innermost[node as usize], to);
                let next = self.go(0, &[to], waiting, writes, self.on);
                let cur = self.cur;
                self.group.at_loc(cur, loc).jump(next, Vec::new());
            }
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. } => {
                let target = self.group.regions.headed_by(next.block);
                self.store_for_region(node, target, Some(term), &[]);
                self.leave(node, target, waiting);
            }
            Terminator::Branch { .. } | Terminator::Switch { .. }
                if self.plan.splits[node as usize] =>
            {
                let targets = self.divide(node, term);
                let next = self.go(0, &targets, waiting, Vec::new(), false);
                let cur = self.cur;
                self.group.at_loc(cur, loc).jump(next, Vec::new());
            }
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let mut term = term.clone();
                if let Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } =
                    &mut term
                {
                    let rep = self.operand(*v, node);
                    *v = self.first(&rep);
                }
                let mut n = 0;
                term.for_each_call_mut(|call| {
                    *call = self.together(node, n, call, waiting);
                    n += 1;
                });
                let cur = self.cur;
                self.group.at_loc(cur, loc).terminate(term);
            }
        }
    }

    /// An edge by which all lanes go that are on. What is stored on the way out of the region is in a segment of its own.
    fn together(&mut self, node: u32, n: usize, call: &BlockCall, waiting: &[u32]) -> BlockCall {
        let reps: Vec<Rep> = call.args.iter().map(|&v| self.operand(v, node)).collect();
        let block = match self.to(call) {
            To::Node(to) => {
                let writes = self.edge(node, to, &reps, self.mask);
                let to = self.land(self.plan.innermost[node as usize], to);
                self.go(n, &[to], waiting, writes, self.on)
            }
            To::Region(target) => {
                let exit = self.group.out.add_block();
                let (seg, cur) = (self.flow.seg, self.cur);
                self.next_segment(seg, n, exit);
                let params = self.stored_params(node, call, reps);
                self.store_for_region(node, Some(target), None, &params);
                self.leave(node, Some(target), waiting);
                let (end, own) = (self.cur, self.flow.seg);
                self.segs.set_end(own, end);
                (self.flow.seg, self.cur) = (seg, cur);
                exit
            }
        };
        BlockCall {
            block,
            args: Vec::new(),
        }
    }

    /// The edges out of a block by which lanes go different ways: each has a mask. Returns where they lead.
    fn divide(&mut self, node: u32, term: &Terminator) -> Vec<u32> {
        let mut targets = Vec::new();
        match term {
            Terminator::Branch { cond, then, els } => {
                let rep = self.operand(*cond, node);
                let cond = self.lanes(&rep);
                let cur = self.cur;
                let not = self.group.at(cur).unary(UnaryOp::Not, cond);
                for (call, chosen) in [(then, cond), (els, not)] {
                    let mask = self.and(chosen);
                    targets.push(self.apart(node, call, mask));
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let rep = self.operand(*value, node);
                let value = self.lanes(&rep);
                let ty = self.group.out.ty(value);
                let mut rest = self.mask_value();
                for (bits, call) in cases {
                    let cur = self.cur;
                    let mut b = self.group.at(cur);
                    let bits = b.iconst(ty, *bits);
                    let hit = b.icmp(IntCC::Eq, value, bits);
                    let miss = b.unary(UnaryOp::Not, hit);
                    rest = self.both(rest, miss);
                    let mask = self.and(hit);
                    targets.push(self.apart(node, call, mask));
                }
                targets.push(self.apart(node, default, rest));
            }
            _ => panic!("lanes go one way"),
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The lanes that are on and in `chosen`. What a lane that is off computed may be nothing that LLVM accepts (a NaN
    /// under fast math), so it is not looked at: a select, where `and` would.
    fn and(&mut self, chosen: Value) -> Value {
        match self.mask {
            Some(mask) => self.both(mask, chosen),
            None => chosen,
        }
    }

    fn both(&mut self, mask: Value, chosen: Value) -> Value {
        let off = self.zeros(self.group.out.ty(mask));
        self.select(mask, chosen, off)
    }

    /// An edge of some of the lanes: sets what waits for its turn, or stores what leaves the region.
    fn apart(&mut self, node: u32, call: &BlockCall, mask: Value) -> u32 {
        let args: Vec<Rep> = call.args.iter().map(|&v| self.operand(v, node)).collect();
        let to = match self.to(call) {
            To::Node(to) => {
                let writes = self.edge(node, to, &args, Some(mask));
                for (var, held) in writes {
                    self.segs.set(self.flow.seg, var, held);
                }
                to
            }
            To::Region(target) => {
                let params = self.stored_params(node, call, args);
                let all = (self.mask, self.on);
                (self.mask, self.on) = (Some(mask), false);
                self.store_for_region(node, Some(target), None, &params);
                self.note(Some(target));
                (self.mask, self.on) = all;
                self.plan.end()
            }
        };
        self.land(self.plan.innermost[node as usize], to)
    }

    /// What an edge sets: the lanes that wait at `to`, and what they bring.
    fn edge(&mut self, from: u32, to: u32, args: &[Rep], mask: Option<Value>) -> Writes {
        let seg = self.flow.seg;
        let mask = match mask {
            Some(mask) if Some(mask) != self.all => Held::Is(mask),
            _ => Held::All,
        };
        let mut writes = Vec::new();
        let same_lanes = self.plan.headed_loop(to).is_some_and(|l| {
            let this = &self.plan.loops[l];
            this.inside[from as usize] && !this.divergent
        });
        if self.plan.is_partial(to) && !same_lanes {
            let held = match (self.read(seg, Var::Mask(to)), mask) {
                (Held::Nothing, new) => new,
                (Held::Is(old), Held::Is(new)) => Held::Is(self.binary(BinaryOp::Or, old, new)),
                _ => Held::All,
            };
            writes.push((Var::Mask(to), held));
        }
        let params = &self.group.func.block(self.graph.block(to)).params;
        for (&param, rep) in params.iter().zip(args) {
            let old = self.read(seg, Var::Arg(param));
            let shape = self.plan.shape(param);
            let new = self.argument(rep, shape);
            let chosen = match (old, mask) {
                (Held::Is(old), Held::Is(mask)) if old != new => match shape {
                    Shape::Varying => self.select(mask, new, old),
                    _ => {
                        let cur = self.cur;
                        let any = self.group.at(cur).any_lane(mask);
                        self.select(any, new, old)
                    }
                },
                _ => new,
            };
            writes.push((Var::Arg(param), Held::Is(chosen)));
        }
        writes
    }

    /// Chooses without fast-math flags: a NaN passes.
    pub fn select(&mut self, mask: Value, then: Value, els: Value) -> Value {
        let mask = self.for_components(mask, then);
        let cur = self.cur;
        self.group
            .at_loc(cur, SrcLoc::LIBRARY)
            .select(mask, then, els)
    }
}
