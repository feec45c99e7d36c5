//! What a chunk brings from earlier regions and leaves for later ones, and who its items are.

use crate::ir::types::I64;
use crate::ir::{InstData, SrcLoc, Type, Value, WorkItemQuery};
use crate::workgroup::crossing::{Home, is_head_param};
use crate::workgroup::item::Frame;
use crate::workgroup::layout::SlotId;

use super::shape::{self, Shape, Span};
use super::{Rep, Widen};

impl Widen<'_, '_> {
    /// The address of the first lane's place in a slot.
    pub fn slot(&mut self, slot: SlotId) -> Value {
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

    /// Loads what the lanes have in a slot.
    fn fetch_lanes(&mut self, ty: Type, address: Value) -> Value {
        let place = Self::step(address, ty.bytes() as i64);
        let state = (self.mask, self.on);
        (self.mask, self.on) = (self.all, true);
        let value = self.load(ty, &place, ty.elem.bytes() as u32, SrcLoc::default());
        (self.mask, self.on) = state;
        self.lanes(&value)
    }

    /// Stores the lanes that are on in their places of a slot.
    pub fn keep_lanes(&mut self, rep: &Rep, address: Value) {
        let value = self.lanes(rep);
        let ty = self.ty(value);
        let own = Type::vector(ty.elem, ty.lanes / self.lanes);
        let place = Self::step(address, own.bytes() as i64);
        let align = ty.elem.bytes() as u32;
        self.store(&Rep::Lanes(value), &place, align, SrcLoc::default());
    }

    pub fn store_home(&mut self, value: Value, rep: &Rep) {
        match self.group.home(value) {
            Home::Shared(offset) => self.keep_shared(rep, offset),
            Home::Item(slot) | Home::ItemAtDef(slot) => {
                let address = self.slot(slot);
                self.keep_lanes(rep, address);
            }
            Home::None | Home::Recompute | Home::Private(_) | Home::Group => {}
        }
    }

    pub fn keep_definition(&mut self, value: Value) {
        if let Home::ItemAtDef(_) = self.group.home(value) {
            let rep = self.map[&value].0.clone();
            self.store_home(value, &rep);
        }
    }

    /// The value is computed in this region on every way to `node`.
    pub fn is_direct(&self, value: Value, node: u32) -> bool {
        let def = self.group.crossing.def_block(value);
        self.graph.node(def).is_some_and(|d| {
            self.graph.dominates(d, node)
                && !(d == 0 && is_head_param(self.group.func, self.group.regions, value))
        })
    }

    /// An operand that is used in the block of `node`.
    pub fn operand(&mut self, value: Value, node: u32) -> Rep {
        if self.is_direct(value, node) {
            let def = self.graph.node(self.group.crossing.def_block(value));
            if def.is_some_and(|def| self.plan.leaves_divergent(def, node)) {
                return self.left_behind(value);
            }
            return match self.computed(value) {
                Some(rep) => rep,
                None => self.brought(value),
            };
        }
        match self.group.home(value) {
            Home::ItemAtDef(slot) if self.graph.contains(self.group.crossing.def_block(value)) => {
                let address = self.slot(slot);
                let ty = self.group.func.ty(value);
                Rep::Lanes(self.fetch_lanes(ty, address))
            }
            _ => self.brought(value),
        }
    }

    /// A value that the chunk has from its start.
    pub fn brought(&mut self, value: Value) -> Rep {
        if let Some(rep) = self.brought.get(&value) {
            return rep.clone();
        }
        let func = self.group.func;
        let ty = func.ty(value);
        let Frame { setup, start, .. } = self.frame;
        let (cur, mask, on) = (self.cur, self.mask, self.on);
        (self.mask, self.on) = (self.all, true);
        self.cur = start;
        let param = func.param_values().iter().position(|&p| p == value);
        let rep = match (param, self.group.home(value)) {
            (Some(n), _) => Rep::One(self.group.out.param_values()[n]),
            (None, Home::Group) => Rep::One(self.group.incoming(self.frame.region, value)),
            (None, Home::Shared(offset)) => {
                let address = self.group.fixed_place(setup, offset);
                Rep::One(self.group.fetch(setup, ty, address))
            }
            (None, Home::Item(slot) | Home::ItemAtDef(slot)) => {
                let address = self.slot(slot);
                Rep::Lanes(self.fetch_lanes(ty, address))
            }
            (None, Home::Recompute) => self.recompute(value, ty),
            (None, Home::Private(address)) => self.private(value, address),
            (None, Home::None) => panic!("{value} of {} has no home", func.name),
        };
        (self.cur, self.mask, self.on) = (cur, mask, on);
        self.brought.insert(value, rep.clone());
        rep
    }

    fn recompute(&mut self, value: Value, ty: Type) -> Rep {
        let func = self.group.func;
        let data = func
            .def_inst(value)
            .expect("only instructions are recomputed");
        if let InstData::WorkItem { query, dim } = *data {
            return self.id(query, dim);
        }
        let mut args = Vec::new();
        data.for_each_use(|v| args.push(v));
        let args = args.into_iter().map(|v| self.brought(v)).collect();
        let span = Span::chunk(self.lanes);
        let shape = shape::outside(func, self.group.crossing, span, value);
        let shape = shape.unwrap_or(Shape::Varying);
        self.compute(data, ty, shape, args, SrcLoc::default())
    }

    /// What the lanes answer to a query.
    pub fn id(&mut self, query: WorkItemQuery, dim: u8) -> Rep {
        let cur = self.cur;
        let (ids, item) = (self.frame.ids, self.frame.item);
        // Only asked where the chunks are the sub-groups.
        let first = match query {
            WorkItemQuery::SubGroupLocalId => self.group.at(cur).iconst(I64, 0),
            _ => self.group.item_id(cur, ids, item, query, dim),
        };
        let by_lane = match query {
            WorkItemQuery::GlobalId | WorkItemQuery::LocalId => dim == 0,
            WorkItemQuery::GlobalLinearId
            | WorkItemQuery::LocalLinearId
            | WorkItemQuery::SubGroupLocalId => true,
            _ => false,
        };
        if by_lane {
            Self::step(first, 1)
        } else {
            Rep::One(first)
        }
    }
}
