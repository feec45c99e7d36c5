//! Several work-items of a row in one pass, in vector lanes: a second clone of a region, for full chunks of items.
//!
//! `plan` (with `loops`, `shape` and `refuse`) finds out whether and how; `value`, `memory` and `home` make the code of
//! a block, `flow` and `live` the control flow between blocks. A value is kept in the form that its shape asks for: one
//! scalar, the first lane and a step, or a vector. A varying address is a base and a vector of offsets.

mod flow;
mod home;
mod live;
mod loops;
mod memory;
pub mod plan;
mod refuse;
mod shape;
mod value;

use std::collections::HashMap;
use std::rc::Rc;

use crate::ir::{Block, Elem, Inst, InstData, Type, Value};

use super::graph::Subgraph;
use super::group::Group;
use super::item::Frame;
use super::layout::SlotId;
use flow::Flow;
use plan::Plan;

/// How a value is held.
#[derive(Clone)]
pub enum Rep {
    /// The same for all lanes.
    One(Value),
    Step(Rc<Step>),
    Lanes(Value),
    /// Addresses: a scalar base, and offsets in bytes (`i64`).
    Spread(Value, Value),
}

pub struct Step {
    pub first: Value,
    pub step: i64,
    guard: Option<Guard>,
}

/// The lanes are a step apart only if `ok`; in any case they are what the instruction makes of its operands.
struct Guard {
    ok: Value,
    data: InstData,
    ty: Type,
    args: Vec<Rep>,
}

pub struct Widen<'g, 'a> {
    pub group: &'g mut Group<'a>,
    pub graph: &'a Subgraph,
    pub plan: &'g Plan,
    pub frame: Frame,
    pub lanes: u16,
    /// Where code goes.
    pub cur: Block,
    /// The lanes that are on there; all of them without a mask.
    pub mask: Option<Value>,
    /// Values that the region has computed.
    pub map: HashMap<Value, Rep>,
    pub flow: Flow,
    brought: HashMap<Value, Rep>,
    slots: HashMap<SlotId, Value>,
    rows: HashMap<(Elem, i64), Value>,
}

/// Clones the region into the group function, for chunks; ends `frame.start` with a jump to it.
pub fn run(group: &mut Group, frame: Frame, plan: &Plan) {
    let graph = &group.regions.list[frame.region].graph;
    let cur = frame.start;
    let mut pass = Widen {
        graph,
        plan,
        lanes: plan.lanes,
        cur,
        mask: None,
        map: HashMap::new(),
        flow: Flow::new(graph.len()),
        brought: HashMap::new(),
        slots: HashMap::new(),
        rows: HashMap::new(),
        frame,
        group,
    };
    pass.run();
}
impl Widen<'_, '_> {
    pub fn inst(&mut self, node: u32, inst: Inst) {
        let func = self.group.func;
        let loc = func.loc(inst);
        let data = func.inst(inst);
        let rep = match *data {
            InstData::Alloca { .. } => return,
            InstData::Store {
                value, ptr, align, ..
            } => {
                let value = self.operand(value, node);
                let ptr = self.operand(ptr, node);
                self.store(&value, &ptr, align, loc);
                return;
            }
            InstData::Load { ty, ptr, align, .. } => {
                let ptr = self.operand(ptr, node);
                self.load(ty, &ptr, align, loc)
            }
            InstData::WorkItem { query, dim } => self.id(query, dim),
            _ => {
                let mut args = Vec::new();
                data.for_each_use(|v| args.push(v));
                let args = args.into_iter().map(|v| self.operand(v, node)).collect();
                let result = func.result(inst).expect("computes a value");
                let shape = self.plan.shape(result);
                self.compute(data, func.ty(result), shape, args, loc)
            }
        };
        if let Some(result) = func.result(inst) {
            self.map.insert(result, rep);
            self.keep_definition(result);
        }
    }
}
