//! What keeps a region from running in chunks.

use crate::ir::{CastOp, Elem, InstData, Value};
use crate::workgroup::crossing::Home;

use super::plan::{Input, Pass};
use super::shape::{Shape, follows, is_private};

impl Pass<'_> {
    /// Scalars only (but lanes may be taken of the kernel's arguments), no private variables, nothing that has no
    /// vector form.
    pub fn only_known_instructions(&self) -> Option<()> {
        let func = self.input.func;
        for &block in &self.graph.blocks {
            if block != func.entry()
                && func
                    .block(block)
                    .params
                    .iter()
                    .any(|&p| func.ty(p).is_vector())
            {
                return None;
            }
            for &inst in &func.block(block).insts {
                let known = match func.inst(inst) {
                    InstData::Load { volatile, ty, .. } => !volatile && ty.elem != Elem::I1,
                    InstData::Store {
                        volatile, value, ..
                    } => !volatile && func.ty(*value).elem != Elem::I1,
                    InstData::IConst { .. }
                    | InstData::FConst { .. }
                    | InstData::Unary { .. }
                    | InstData::Binary { .. }
                    | InstData::Ternary { .. }
                    | InstData::ICmp { .. }
                    | InstData::FCmp { .. }
                    | InstData::Select { .. }
                    | InstData::Cast { .. }
                    | InstData::PtrAdd { .. }
                    | InstData::GlobalAddr { .. }
                    | InstData::LocalAddr { .. }
                    | InstData::WorkItem { .. }
                    | InstData::Alloca { .. } => true,
                    InstData::Extract { vec, .. } => func.param_values().contains(vec),
                    _ => false,
                };
                let lane = matches!(func.inst(inst), InstData::Extract { .. });
                let mut scalar = func.result(inst).is_none_or(|r| !func.ty(r).is_vector());
                func.inst(inst).for_each_use(|v| {
                    scalar &= (lane || !func.ty(v).is_vector())
                        && !is_private(func, self.input.crossing, v);
                });
                if !known || !scalar {
                    return None;
                }
            }
            let mut plain = true;
            func.term(block).for_each_use(|v| {
                plain &= !func.ty(v).is_vector() && !is_private(func, self.input.crossing, v);
            });
            if !plain {
                return None;
            }
        }
        Some(())
    }

    /// Every address that is not the same for all lanes can be taken apart into a base and offsets.
    pub fn pointers_can_be_followed(&self) -> Option<()> {
        let func = self.input.func;
        let is_ptr = |v: Value| func.ty(v).elem.is_ptr();
        for (node, &block) in (0u32..).zip(&self.graph.blocks) {
            let uniform = |v: Value| self.operand(v, node) == Some(Shape::Uniform);
            let varying = |v: Value| self.operand(v, node) == Some(Shape::Varying);
            let params = func.block(block).params.iter();
            if params
                .copied()
                .any(|p| is_ptr(p) && self.plan.shape(p) == Shape::Varying)
            {
                return None;
            }
            for &inst in &func.block(block).insts {
                let data = func.inst(inst);
                let made = match data {
                    InstData::PtrAdd { ptr, .. } => !varying(*ptr) || self.is_address(*ptr, node),
                    InstData::Cast {
                        op: CastOp::AddrSpaceCast,
                        arg,
                        ..
                    } => !varying(*arg) || self.is_address(*arg, node),
                    InstData::Load { ptr, .. } => !varying(*ptr) || self.is_address(*ptr, node),
                    InstData::Store { ptr, value, .. } => {
                        (!varying(*ptr) || self.is_address(*ptr, node))
                            && (!is_ptr(*value) || uniform(*value))
                    }
                    _ => {
                        let mut fine = true;
                        data.for_each_use(|v| fine &= !is_ptr(v) || uniform(v));
                        fine
                    }
                };
                let result = func.result(inst).filter(|&r| is_ptr(r));
                let followed =
                    result.is_none_or(|r| self.plan.shape(r) != Shape::Varying || follows(data));
                if !made || !followed {
                    return None;
                }
            }
            let mut fine = true;
            func.term(block).for_each_use(|v| {
                fine &= !is_ptr(v)
                    || match self.operand(v, node) {
                        Some(Shape::Uniform) => true,
                        Some(Shape::Strided { guarded, .. }) => !guarded,
                        _ => false,
                    };
            });
            if !fine {
                return None;
            }
        }
        Some(())
    }

    /// A varying pointer of which the base is known where it is used.
    fn is_address(&self, ptr: Value, node: u32) -> bool {
        match self.direct(ptr, node) {
            Some(def) => {
                self.input.func.def_inst(ptr).is_some_and(follows)
                    && !self.leaves_divergent_loop(def, node)
            }
            None => {
                self.input.crossing.home(ptr) == Home::Recompute
                    && self.input.func.def_inst(ptr).is_some_and(follows)
            }
        }
    }
    /// Numbers the connected parts of the divergent blocks; each has one entry and one way out.
    pub fn find_clusters(&mut self) -> Option<()> {
        let n = self.graph.len();
        let exit = n;
        let mut count = 0;
        for first in 0..n {
            if !self.plan.divergent[first] || self.plan.cluster[first] != usize::MAX {
                continue;
            }
            let mut work = vec![first];
            while let Some(node) = work.pop() {
                if !self.plan.divergent[node] || self.plan.cluster[node] != usize::MAX {
                    continue;
                }
                self.plan.cluster[node] = count;
                work.extend(self.edges.to[node].iter().map(|&t| t as usize));
                for &p in self.graph.preds(node as u32) {
                    work.push(p as usize);
                    // The other arms of the branch that leads here belong to it.
                    if !self.plan.is_divergent(p) && self.splits(p) {
                        work.extend(self.edges.to[p as usize].iter().map(|&t| t as usize));
                    }
                }
            }
            let members: Vec<usize> = (0..n).filter(|&m| self.plan.cluster[m] == count).collect();
            let mut entries = Vec::new();
            let mut outs = Vec::new();
            if members.contains(&0) {
                entries.push((None, Some(0)));
            }
            for &m in &members {
                for &p in self.graph.preds(m as u32) {
                    if !self.plan.is_divergent(p) {
                        entries.push(match self.splits(p) {
                            true => (Some(p), None),
                            false => (None, Some(m)),
                        });
                        if self.splits(p) {
                            let to = self.edges.to[p as usize].iter().map(|&t| t as usize);
                            outs.extend(to.filter(|&t| !self.plan.divergent[t]));
                            outs.extend(self.edges.leaves[p as usize].then_some(exit));
                        }
                    }
                }
                let to = self.edges.to[m].iter().map(|&t| t as usize);
                outs.extend(to.filter(|&t| !self.plan.divergent[t]));
                outs.extend(self.edges.leaves[m].then_some(exit));
            }
            entries.sort_unstable();
            entries.dedup();
            outs.sort_unstable();
            outs.dedup();
            if entries.len() != 1 || outs.len() != 1 {
                return None;
            }
            count += 1;
        }
        Some(())
    }

    /// Where lanes leave the region one by one, each stores what is its own, and they all go the same way.
    pub fn exits_can_be_masked(&self) -> Option<()> {
        let Input {
            func,
            regions,
            crossing,
            region,
        } = *self.input;
        let info = &regions.list[region];
        let several = info.exits.len() + usize::from(info.returns) > 1;
        for (node, &block) in (0u32..).zip(&self.graph.blocks) {
            let apart = self.plan.is_divergent(node) || self.splits(node);
            if !apart || !self.edges.leaves[node as usize] {
                continue;
            }
            let mut fine = !several;
            func.term(block).for_each_call(|call| {
                if let Some(target) = regions.headed_by(call.block) {
                    let params = &func.block(call.block).params;
                    let mut stored = crossing.live[target].iter().chain(params);
                    fine &= !stored.any(|&v| matches!(crossing.home(v), Home::Shared(_)));
                }
            });
            if !fine {
                return None;
            }
        }
        // An address of its own for each lane has no slot.
        let fine = self.plan.shapes.keys().all(|&v| {
            !func.ty(v).elem.is_ptr()
                || !matches!(crossing.home(v), Home::Item(_) | Home::ItemAtDef(_))
        });
        fine.then_some(())
    }

    /// An estimate: a gather or scatter costs about as much as its lanes one by one, and a scatter is twice as dear as
    /// a gather. The rest of the region is what a chunk saves on; loops count eight times for each nest. Measured: a
    /// scan in local memory, two gathers and a scatter with eight other operations, takes 1.7 times as long in chunks.
    pub fn pays(&self) -> Option<()> {
        let func = self.input.func;
        let (mut spread, mut saved) = (0u64, 0u64);
        for (node, &block) in (0u32..).zip(&self.graph.blocks) {
            let nest = self.plan.loops.iter().filter(|l| l.inside[node as usize]);
            let weight = 8u64.pow(nest.count().min(4) as u32);
            for &inst in &func.block(block).insts {
                let (ptr, bytes, dear) = match *func.inst(inst) {
                    InstData::IConst { .. } | InstData::FConst { .. } => continue,
                    InstData::Load { ptr, ty, .. } => (ptr, ty.bytes(), 1),
                    InstData::Store { ptr, value, .. } => (ptr, func.ty(value).bytes(), 2),
                    _ => {
                        saved += weight;
                        continue;
                    }
                };
                match self.operand(ptr, node) {
                    Some(Shape::Uniform) => saved += weight,
                    Some(Shape::Strided { step, .. }) if step == bytes as i64 => saved += weight,
                    _ => spread += dear * weight,
                }
            }
        }
        (spread * 3 <= saved).then_some(())
    }
}
