//! Several work-items of a row in one pass, in vector lanes: a second clone of a region, for full chunks of items.
//!
//! `plan` (with `loops`, `sync`, `shape`, `refuse`, `cost` and `fields`) finds out whether and how; `value`, `sum` and `parts` make the
//! code of instructions that compute, `memory` (with `rows` and `cell`) and `home` that of accesses, `serial` and
//! `atomic` that of everything without a vector form, `together` what a sub-group does as a whole; `flow`, `live` and `ends` the control flow between blocks, over
//! `ssa`; and `chunks` the loop over the chunks of a row; `assume` makes two clones where one question
//! spares many. A value is kept in the form that its shape asks for, or in one that says more.

pub mod assume;
mod atomic;
mod cell;
pub mod chunks;
mod cost;
mod ends;
mod fields;
mod flow;
mod home;
pub mod linear;
mod live;
mod loops;
mod memory;
mod parts;
pub mod plan;
mod refuse;
mod rows;
mod serial;
mod shape;
mod ssa;
mod sum;
mod sync;
mod together;
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
use ssa::Segments;

/// How a value is held.
#[derive(Clone)]
pub enum Rep {
    /// The same for all lanes.
    One(Value),
    Step(Rc<Step>),
    /// A vector of the lanes. An OpenCL vector is held component by component: all lanes of the first, then all lanes
    /// of the second, and so on.
    Lanes(Value),
    /// An `i64` or an address.
    Sum(Rc<Sum>),
    Cell(Rc<Cell>),
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

/// A scalar (an integer or an address), and for each lane `index * scale` in addition. So addresses keep a base that is
/// the same for all lanes, and offsets that are the same in all rounds of a loop, or of 32 bits.
pub struct Sum {
    first: Value,
    index: Index,
    scale: i64,
}

/// A vector of `i64`, or of `i32` that are extended.
#[derive(Clone, Copy)]
struct Index {
    value: Value,
    unsigned: bool,
}

impl From<Value> for Index {
    fn from(value: Value) -> Self {
        let unsigned = false;
        Self { value, unsigned }
    }
}

/// An address in a private variable that is laid out element by element: of each element first all lanes.
pub struct Cell {
    base: Value,
    /// Bytes of an element.
    bytes: u64,
    /// Where it would be in a variable of one lane.
    offset: Rep,
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
    /// One lane is on there for certain.
    pub on: bool,
    /// The lanes that are on from the start.
    pub all: Option<Value>,
    /// Those that there are items for.
    row_mask: Option<Value>,
    /// The regions that the items wait for before, where some wait for another than this.
    codes: Option<Value>,
    /// See [`Chunk::assumed`].
    assumed: Option<&'g Assumed>,
    /// Where values are looked at in more items than a chunk has: the number of the last one, counted from the first.
    far: Option<Value>,
    /// Values that the region has computed, and in which segments.
    pub map: HashMap<Value, (Rep, u32)>,
    pub flow: Flow,
    segs: Segments,
    brought: HashMap<Value, Rep>,
    slots: HashMap<SlotId, Value>,
    rows: HashMap<(Elem, i64), Value>,
}

/// Which items of a chunk run; all of them by default.
#[derive(Default)]
pub struct Chunk {
    /// The lanes that run, one at least.
    pub all: Option<Value>,
    /// The lanes that the row has items for.
    pub row: Option<Value>,
    /// Where items wait for other regions: the number of each one's.
    pub codes: Option<Value>,
    /// What has been found out about this chunk.
    assumed: Option<Assumed>,
}

/// Values that are a step apart in a run of items that the chunk is in, as has been found out.
struct Assumed {
    /// What they are for the first item of the run.
    first: HashMap<Value, Value>,
    /// How many items of the run come before the chunk.
    before: Value,
}

/// Clones the region into the group function, for chunks; ends `frame.start` with a jump to it.
pub fn run(group: &mut Group, frame: Frame, plan: &Plan, chunk: &Chunk) {
    Widen::new(group, frame, plan, chunk).run();
}

impl<'g, 'a> Widen<'g, 'a> {
    fn new(group: &'g mut Group<'a>, frame: Frame, plan: &'g Plan, chunk: &'g Chunk) -> Self {
        let graph = &group.regions.list[frame.region].graph;
        Widen {
            graph,
            plan,
            lanes: plan.lanes,
            cur: frame.start,
            mask: chunk.all,
            on: true,
            all: chunk.all,
            row_mask: chunk.row,
            codes: chunk.codes,
            assumed: chunk.assumed.as_ref(),
            far: None,
            map: HashMap::new(),
            flow: Flow::new(plan.end() as usize + 1, plan.loops.len()),
            segs: Segments::default(),
            brought: HashMap::new(),
            slots: HashMap::new(),
            rows: HashMap::new(),
            frame,
            group,
        }
    }

    pub fn inst(&mut self, node: u32, inst: Inst) {
        if self.fields(node, inst) {
            return;
        }
        let func = self.group.func;
        let loc = func.loc(inst);
        let data = func.inst(inst);
        let mut args = Vec::new();
        data.for_each_use(|v| args.push(v));
        let args: Vec<Rep> = args.into_iter().map(|v| self.operand(v, node)).collect();
        let result = func.result(inst);
        let rep = match *data {
            InstData::Alloca { .. } => return,
            InstData::Prefetch { .. } => {
                self.prefetch(&args[0]);
                return;
            }
            InstData::Store {
                align,
                volatile: false,
                ..
            } => {
                self.store(&args[0], &args[1], align, loc);
                return;
            }
            InstData::Load {
                ty,
                align,
                volatile: false,
                ..
            } => self.load(ty, &args[0], align, loc),
            InstData::MemCpy { size, align, .. } => {
                self.copy(&args[0], &args[1], size, align, loc);
                return;
            }
            InstData::MemSet { size, align, .. } => {
                self.fill(&args[0], &args[1], size, align, loc);
                return;
            }
            InstData::WorkItem { query, dim } => self.id(query, dim),
            _ if data.has_side_effects() => {
                let ty = result.map(|r| func.ty(r));
                let used = result.is_some_and(|r| self.is_used(r));
                match self.effect(data, ty, args, used, loc) {
                    Some(rep) => rep,
                    None => return,
                }
            }
            _ => {
                let result = result.expect("computes a value");
                match self.assumed(result) {
                    Some(rep) => rep,
                    None => self.compute(data, func.ty(result), self.plan.shape(result), args, loc),
                }
            }
        };
        if let Some(result) = result {
            self.define(result, rep);
        }
    }
}
