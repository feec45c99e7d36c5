//! Two clones of a chunk instead of a question at each access: whether all guarded values are a step apart is found out
//! first, and if they are, a clone runs that takes it for granted.
//!
//! Neighbours on a torus, or clamped to an image, have addresses that are a step apart but at the rims. Each such access
//! asks for itself, and what lies between the questions can't be moved across them. Where these values can be computed before all else,
//! from ids and what is uniform, one question answers for all of them. Regions with loops are left as they are: these
//! are jammed, and their guards most often depend on what the loop does.

use std::collections::{HashMap, HashSet};

use crate::ir::{BinaryOp, InstData, SrcLoc, Value};
use crate::workgroup::group::Group;
use crate::workgroup::item::Frame;

use super::memory::guard_of;
use super::plan::Plan;
use super::shape::Shape;
use super::{Chunk, Rep, Widen};

/// Fewer questions than this are not worth a second clone, nor is a region of more instructions.
const LEAST_ACCESSES: usize = 3;
const MOST_INSTS: usize = 200;

/// Clones the region for full chunks, twice where that pays; ends `frame.start`.
pub fn run(group: &mut Group, frame: Frame, plan: &Plan) {
    let assumed = find(group, frame.region, plan);
    if assumed.is_empty() {
        super::run(group, frame, plan, &Chunk::default());
        return;
    }
    let ok = question(group, &frame, plan, &assumed);
    let [fast, slow] = [(); 2].map(|()| group.out.add_block());
    group
        .at(frame.start)
        .branch(ok, (fast, Vec::new()), (slow, Vec::new()));
    let chunk = Chunk {
        assumed,
        ..Chunk::default()
    };
    super::run(
        group,
        Frame {
            start: fast,
            ..frame
        },
        plan,
        &chunk,
    );
    super::run(
        group,
        Frame {
            start: slow,
            ..frame
        },
        plan,
        &Chunk::default(),
    );
}

/// The guarded values of the region that can be computed before all else; none if too few accesses go by them.
fn find(group: &Group, region: usize, plan: &Plan) -> HashSet<Value> {
    if !plan.loops.is_empty() || plan.insts > MOST_INSTS {
        return HashSet::new();
    }
    let func = group.func;
    let graph = &group.regions.list[region].graph;
    let outside =
        |v: Value| !graph.contains(group.crossing.def_block(v)) || func.param_values().contains(&v);
    // What the region computes from what comes from outside of it, without looking at memory.
    let mut known: HashSet<Value> = HashSet::new();
    let mut found = HashSet::new();
    let mut accesses = 0;
    // Without loops, blocks come behind those that they are reached from, and values before their uses.
    for &inst in graph.blocks.iter().flat_map(|&b| &func.block(b).insts) {
        let data = func.inst(inst);
        if let InstData::Load { ptr, .. } | InstData::Store { ptr, .. } = data {
            accesses += usize::from(found.contains(ptr));
        }
        let Some(value) = func.result(inst).filter(|_| is_pure(data)) else {
            continue;
        };
        let shape = plan.shape(value);
        let mut all = shape != Shape::Varying;
        data.for_each_use(|v| all &= known.contains(&v) || outside(v));
        if all {
            known.insert(value);
            if matches!(shape, Shape::Strided { guarded: true, .. }) {
                found.insert(value);
            }
        }
    }
    match accesses {
        LEAST_ACCESSES.. => found,
        _ => HashSet::new(),
    }
}

fn is_pure(data: &InstData) -> bool {
    matches!(
        data,
        InstData::IConst { .. }
            | InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::ICmp { .. }
            | InstData::Select { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
            | InstData::WorkItem { .. }
    )
}

/// Computes, at the end of `frame.start`, whether the lanes of all these values are a step apart.
fn question(group: &mut Group, frame: &Frame, plan: &Plan, values: &HashSet<Value>) -> Value {
    let chunk = Chunk::default();
    let mut pass = Widen::new(group, *frame, plan, &chunk);
    let mut reps = HashMap::new();
    let mut all = None;
    let mut values: Vec<Value> = values.iter().copied().collect();
    values.sort_unstable();
    for value in values {
        let rep = pass.early(value, &mut reps);
        if let Some(ok) = guard_of(&rep) {
            all = Some(match all {
                None => ok,
                Some(all) => pass.binary(BinaryOp::And, all, ok),
            });
        }
    }
    all.expect("guarded values have a guard")
}

impl Widen<'_, '_> {
    /// A value as the chunk begins.
    fn early(&mut self, value: Value, reps: &mut HashMap<Value, Rep>) -> Rep {
        if let Some(rep) = reps.get(&value) {
            return rep.clone();
        }
        let func = self.group.func;
        let in_region = self.graph.contains(self.group.crossing.def_block(value));
        let rep = match func.def_inst(value) {
            Some(data) if in_region => match *data {
                InstData::WorkItem { query, dim } => self.id(query, dim),
                _ => {
                    let mut args = Vec::new();
                    data.for_each_use(|v| args.push(v));
                    let args = args.into_iter().map(|v| self.early(v, reps)).collect();
                    let shape = self.plan.shape(value);
                    self.compute(data, func.ty(value), shape, args, SrcLoc::default())
                }
            },
            _ => self.brought(value),
        };
        reps.insert(value, rep.clone());
        rep
    }
}
