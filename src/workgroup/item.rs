//! The code of one region for one work-item: a clone of the region's blocks in which ids are those of the item, and
//! what the item brings from earlier regions is read from its home.
//!
//! Two blocks take what is needed on the way: `setup` runs once before the first item, `start` once for each item.
//! Both dominate the clone, so a value that is fetched there is good in all of it.

use std::collections::HashMap;

use crate::ir::types::I32;
use crate::ir::{Block, BlockCall, Inst, InstData, Terminator, Type, Value, WorkItemQuery};

use super::crossing::{Address, Home};
use super::debug;
use super::graph::Subgraph;
use super::group::{DONE, Group};
use super::layout::SlotId;

/// Where the item's code begins and ends, and who the item is.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The number of the region.
    pub region: usize,
    pub setup: Block,
    pub start: Block,
    /// Where each exit goes.
    pub latch: Block,
    pub report: Report,
    /// x, y, z and the linear local id.
    pub ids: [Value; 3],
    pub item: Value,
}

/// What the latch takes, as an `i32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report {
    Nothing,
    /// The number of the next region.
    Next,
    /// How many items go on, rather than return.
    Alive,
}

/// Clones the region into the group function; ends `start` with a jump to it.
pub fn run(group: &mut Group, frame: Frame) {
    let graph = &group.regions.list[frame.region].graph;
    let blocks = graph.blocks.iter().map(|&b| group.clone_of(b)).collect();
    let mut pass = Pass {
        graph,
        frame,
        blocks,
        map: HashMap::new(),
        brought: HashMap::new(),
        slots: HashMap::new(),
        fetched: HashMap::new(),
        group,
    };
    pass.run();
}

struct Pass<'g, 'a> {
    group: &'g mut Group<'a>,
    graph: &'a Subgraph,
    frame: Frame,
    /// By node: its clone.
    blocks: Vec<Block>,
    /// The clones of values that are defined in the region.
    map: HashMap<Value, Value>,
    /// What the item brings, as fetched or computed in `setup` or `start`.
    brought: HashMap<Value, Value>,
    /// The item's address in a slot.
    slots: HashMap<SlotId, Value>,
    /// Values that were read from their slot in the current block.
    fetched: HashMap<Value, Value>,
}

impl<'a> Pass<'_, 'a> {
    fn run(&mut self) {
        let func = self.group.func;
        for (node, &block) in self.graph.blocks.iter().enumerate().skip(1) {
            for &param in &func.block(block).params {
                let clone = self.group.out.add_param(self.blocks[node], func.ty(param));
                self.map.insert(param, clone);
            }
        }
        for node in 0..self.graph.len() as u32 {
            self.block(node);
        }
        self.note();
        let first = self.blocks[0];
        self.group.at(self.frame.start).jump(first, Vec::new());
    }

    /// Tells a debugger which item begins.
    fn note(&mut self) {
        let Frame { start, ids, .. } = self.frame;
        debug::note_ids(self.group, start, ids);
        for (word, slot) in self.group.note.slots() {
            let address = self.slot(slot);
            debug::note(self.group, start, word, address);
        }
    }

    fn block(&mut self, node: u32) {
        let func = self.group.func;
        let block = self.graph.block(node);
        let here = self.blocks[node as usize];
        self.fetched.clear();
        if node != 0 {
            for &param in &func.block(block).params {
                self.keep_definition(here, param);
            }
        }
        for &inst in &func.block(block).insts {
            self.inst(node, here, inst);
        }
        self.terminator(node, here);
    }

    fn inst(&mut self, node: u32, here: Block, inst: Inst) {
        let func = self.group.func;
        let result = func.result(inst);
        let mut data = func.inst(inst).clone();
        match data {
            // An alloca's address is asked for where it is used. One item is too little to look ahead for.
            InstData::Alloca { .. } | InstData::Prefetch { .. } => return,
            InstData::WorkItem { query, dim } => {
                let id = self.id(here, query, dim);
                self.map.insert(result.expect("an id is a value"), id);
                return;
            }
            _ => {}
        }
        data.for_each_use_mut(|v| *v = self.operand(*v, node));
        let ty = result.map(|r| func.ty(r));
        let clone = self.group.at_loc(here, func.loc(inst)).push(data, ty);
        if let (Some(result), Some(clone)) = (result, self.group.out.result(clone)) {
            self.map.insert(result, clone);
            self.keep_definition(here, result);
        }
    }

    fn terminator(&mut self, node: u32, here: Block) {
        let func = self.group.func;
        let block = self.graph.block(node);
        let loc = func.block(block).term_loc;
        let mut term = func.term(block).clone();
        match &term {
            Terminator::Return(_) | Terminator::Unreachable => self.leave(here, None),
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. } => {
                let target = self.target(next.block).expect("a barrier ends a region");
                if let Terminator::Collective { args, .. } = &term {
                    for (n, &arg) in args.iter().enumerate() {
                        let value = self.operand(arg, node);
                        let slot = self.group.operands[&target][n];
                        let address = self.slot(slot);
                        self.group.keep(here, value, address);
                    }
                }
                self.store_live(node, here, target);
                self.leave(here, Some(target));
            }
            _ => {
                match &mut term {
                    Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } => {
                        *v = self.operand(*v, node);
                    }
                    _ => {}
                }
                term.for_each_call_mut(|call| *call = self.edge(node, call));
                self.group.at_loc(here, loc).terminate(term);
            }
        }
    }

    /// The clone of an edge out of `node`: to the clone of a block, or by a block that leaves the region.
    fn edge(&mut self, node: u32, call: &BlockCall) -> BlockCall {
        let args: Vec<Value> = call.args.iter().map(|&v| self.operand(v, node)).collect();
        let Some(target) = self.target(call.block) else {
            let to = self.graph.node(call.block).expect("a block of the region");
            return BlockCall {
                block: self.blocks[to as usize],
                args,
            };
        };
        let exit = self.group.out.add_block();
        let params = self.group.func.block(call.block).params.iter();
        for ((&param, arg), &passed) in params.zip(args).zip(&call.args) {
            if !self.group.stays(self.graph, node, param, passed) {
                self.store_home(exit, param, arg);
            }
        }
        self.store_live(node, exit, target);
        self.leave(exit, Some(target));
        BlockCall {
            block: exit,
            args: Vec::new(),
        }
    }

    /// The region that an edge to `block` enters.
    fn target(&self, block: Block) -> Option<usize> {
        self.group.regions.headed_by(block)
    }

    /// Stores what `target` needs and this region has computed. What it has not is in its home already.
    fn store_live(&mut self, node: u32, here: Block, target: usize) {
        for &value in &self.group.crossing.live[target] {
            if self.is_direct(value, node) && !matches!(self.group.home(value), Home::ItemAtDef(_))
            {
                let clone = self.map[&value];
                self.store_home(here, value, clone);
            }
        }
    }

    fn store_home(&mut self, here: Block, value: Value, clone: Value) {
        let address = match self.group.home(value) {
            Home::Shared(offset) => self.group.fixed_place(here, offset),
            Home::Item(slot) | Home::ItemAtDef(slot) => self.slot(slot),
            Home::None | Home::Recompute | Home::Private(_) | Home::Group => return,
        };
        self.group.keep(here, clone, address);
    }

    fn keep_definition(&mut self, here: Block, value: Value) {
        if let Home::ItemAtDef(_) = self.group.home(value) {
            let clone = self.map[&value];
            self.store_home(here, value, clone);
        }
    }

    /// Ends `here`: the item goes on to `target`, or has returned.
    fn leave(&mut self, here: Block, target: Option<usize>) {
        let notes = self
            .group
            .flow
            .notes_next(self.group.regions, self.frame.region);
        let number = target.map_or(DONE, |t| t as u32);
        if notes {
            let code = self.group.region_const(here, number);
            let slot = self.group.next.expect("a slot for the next region");
            let address = self.slot(slot);
            self.group.keep(here, code, address);
        }
        let args = match self.frame.report {
            Report::Nothing => Vec::new(),
            Report::Next => vec![self.group.region_const(here, number)],
            Report::Alive => vec![self.group.region_const(here, u32::from(target.is_some()))],
        };
        let latch = self.frame.latch;
        self.group.at(here).jump(latch, args);
    }

    /// The value is computed in this region on every way to `node`.
    fn is_direct(&self, value: Value, node: u32) -> bool {
        self.group.is_direct(self.graph, value, node)
    }

    /// The clone of an operand that is used in the block of `node`.
    fn operand(&mut self, value: Value, node: u32) -> Value {
        let home = self.group.home(value);
        if !matches!(home, Home::Private(_)) && self.is_direct(value, node) {
            return match self.map.get(&value) {
                Some(&clone) => clone,
                None => self.brought(value),
            };
        }
        let def = self.group.crossing.def_block(value);
        match home {
            Home::ItemAtDef(slot) if self.graph.contains(def) => {
                if let Some(&clone) = self.fetched.get(&value) {
                    return clone;
                }
                let address = self.slot(slot);
                let here = self.blocks[node as usize];
                let ty = self.group.func.ty(value);
                let clone = self.group.fetch(here, ty, address);
                self.fetched.insert(value, clone);
                clone
            }
            _ => self.brought(value),
        }
    }

    /// A value that the item has from its start.
    fn brought(&mut self, value: Value) -> Value {
        if let Some(&clone) = self.brought.get(&value) {
            return clone;
        }
        let func = self.group.func;
        let ty = func.ty(value);
        let Frame { setup, start, .. } = self.frame;
        let param = func.param_values().iter().position(|&p| p == value);
        let clone = match self.group.home(value) {
            _ if param.is_some() => self.group.out.param_values()[param.expect("checked above")],
            Home::Private(Address::Item(slot)) => self.slot(slot),
            Home::Private(address) => self
                .group
                .common_address(setup, address)
                .expect("a place for all items"),
            Home::Group => self.group.incoming(self.frame.region, value),
            Home::Shared(offset) => {
                let address = self.group.fixed_place(setup, offset);
                self.group.fetch(setup, ty, address)
            }
            Home::Item(slot) | Home::ItemAtDef(slot) => {
                let address = self.slot(slot);
                self.group.fetch(start, ty, address)
            }
            Home::Recompute => self.recompute(value, ty),
            Home::None => panic!("{value} of {} has no home", func.name),
        };
        self.brought.insert(value, clone);
        clone
    }

    fn id(&mut self, here: Block, query: WorkItemQuery, dim: u8) -> Value {
        let Frame { ids, item, .. } = self.frame;
        self.group.item_id(here, ids, item, query, dim)
    }

    /// As deep as a cheap value is, at most.
    fn recompute(&mut self, value: Value, ty: Type) -> Value {
        let start = self.frame.start;
        let mut data = self
            .group
            .func
            .def_inst(value)
            .expect("only instructions are recomputed")
            .clone();
        if let InstData::WorkItem { query, dim } = data {
            return self.id(start, query, dim);
        }
        data.for_each_use_mut(|v| *v = self.brought(*v));
        let inst = self.group.at(start).push(data, Some(ty));
        self.group.out.result(inst).expect("a value was asked for")
    }

    /// The item's address in a slot.
    fn slot(&mut self, slot: SlotId) -> Value {
        if let Some(&address) = self.slots.get(&slot) {
            return address;
        }
        let Frame {
            setup, start, item, ..
        } = self.frame;
        let base = self.group.slot_start(setup, slot);
        let address = self.group.slot_item(start, slot, base, item);
        self.slots.insert(slot, address);
        address
    }
}

/// The type of region numbers.
pub const CODE: Type = I32;
