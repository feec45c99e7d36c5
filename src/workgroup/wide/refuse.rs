//! What keeps a region from running in chunks.

use crate::ir::{InstData, Value};
use crate::workgroup::crossing::Home;
use crate::workgroup::private::Copies;

use super::plan::{Input, Pass};
use super::shape::Shape;

impl Pass<'_> {
    /// Private variables are not too large, and no instruction belongs to a whole group.
    pub fn only_known_instructions(&self) -> Option<()> {
        let Input { func, crossing, .. } = *self.input;
        let too_large = |v: Value| {
            matches!(crossing.home(v), Home::Private(_)) && crossing.copies(v) == Copies::Never
        };
        for &block in &self.graph.blocks {
            let mut fine = true;
            for &inst in &func.block(block).insts {
                let data = func.inst(inst);
                data.for_each_use(|v| fine &= !self.comes_from(v, &too_large));
                fine &= !matches!(
                    data,
                    InstData::ScratchBase | InstData::ReportDivergence { .. }
                );
            }
            func.term(block)
                .for_each_use(|v| fine &= !self.comes_from(v, &too_large));
            if !fine {
                return None;
            }
        }
        Some(())
    }

    /// The value is one of those that `test` finds, or is computed again from one.
    fn comes_from(&self, value: Value, test: &dyn Fn(Value) -> bool) -> bool {
        let Input { func, crossing, .. } = *self.input;
        if test(value) {
            return true;
        }
        match (crossing.home(value), func.def_inst(value)) {
            (Home::Recompute, Some(data)) => {
                let mut found = false;
                data.for_each_use(|v| found |= self.comes_from(v, test));
                found
            }
            _ => false,
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
        Some(())
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
                    InstData::Call { .. }
                    | InstData::Printf { .. }
                    | InstData::AtomicCmpXchg { .. } => {
                        spread += 4 * weight;
                        continue;
                    }
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
