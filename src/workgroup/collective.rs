//! Collectives (OpenCL C 3.0, 6.15.16), computed between two regions: the items have stored their operands; a loop over
//! the items in linear order, a row of them at a time in the lanes of a vector (`across`), computes the results and
//! stores them where the next region reads them.
//!
//! Items that do not take part (they returned, or wait elsewhere) are left out, and their places are left alone.

use crate::ir::collective::GROUP_ROW;
use crate::ir::types::{I1, I32, I64};
use crate::ir::{
    BinaryOp, Block, CastOp, Collective, IntCC, Team, Terminator, Type, UnaryOp, Value,
};

use super::across::{Across, OfTeam, row_mask};
use super::crossing::Home;
use super::group::{DONE, Group};
use super::layout::SlotId;

/// Emits the code at the start of `region`, which follows the collective at the end of `block`; returns the block where
/// the region goes on.
pub fn run(group: &mut Group, region: usize, block: Block) -> Block {
    let Terminator::Collective { team, op, args, .. } = group.func.term(block) else {
        panic!("{block} does not end in a collective");
    };
    let head = group.regions.list[region].graph.block(0);
    let params = &group.func.block(head).params;
    let pass = Pass {
        region,
        op: *op,
        ty: group.func.ty(args[0]),
        result: *params.last().expect("a collective gives a result"),
        operands: group.operands[&region].clone(),
        lanes: match team {
            Team::Group => GROUP_ROW as u16,
            Team::SubGroup | Team::Cluster(_) => group.sub_group,
        },
    };
    let start = group.starts[region];
    match (team, op) {
        (Team::SubGroup, _) => pass.sub_groups(group, start, group.sub_group),
        (Team::Cluster(size), _) => {
            let size = group.sub_group.min((*size).min(1 << 15) as u16);
            pass.sub_groups(group, start, size)
        }
        (Team::Group, Collective::Broadcast) => pass.broadcast(group, start),
        (Team::Group, Collective::All) => pass.vote(group, start, true),
        (Team::Group, Collective::Any) => pass.vote(group, start, false),
        (Team::Group, Collective::Reduce(op)) => pass.reduce(group, start, *op),
        (Team::Group, Collective::ScanInclusive(op)) => pass.scan(group, start, *op, false),
        (Team::Group, Collective::ScanExclusive(op)) => pass.scan(group, start, *op, true),
        (Team::Group, Collective::Ballot | Collective::Shuffle) => {
            panic!("{op} of a whole group")
        }
    }
}

struct Pass {
    region: usize,
    op: Collective,
    /// The type of the operand.
    ty: Type,
    /// The parameter of the region's head.
    result: Value,
    operands: Vec<SlotId>,
    /// Items of a row.
    lanes: u16,
}

/// A loop over the rows of the group's items that carries values.
struct RowLoop {
    body: Block,
    /// The first item of the row.
    item: Value,
    /// The lanes of items that take part.
    mask: Value,
    carried: Vec<Value>,
}

impl Pass {
    fn reduce(&self, group: &mut Group, start: Block, op: BinaryOp) -> Block {
        let base = group.slot_start(start, self.operands[0]);
        let neutral = op.neutral(self.ty.elem).expect("collectives fold with it");
        let first = self.across(group, start).constant(self.ty, neutral);
        let each = self.begin_loop(group, start, &[first]);
        let x = self.operand(group, &each, 0, base);
        let mut across = self.across(group, each.body);
        let x = across.or_neutral(op, x, Some(each.mask));
        let sums = across.binary(op, each.carried[0], x);
        let after = self.end_loop(group, &each, vec![sums]);
        let total = self.across(group, after).fold(op, sums);
        self.give_all(group, after, total)
    }

    fn scan(&self, group: &mut Group, start: Block, op: BinaryOp, exclusive: bool) -> Block {
        let Some(results) = self.result_slot(group, start) else {
            return start;
        };
        let base = group.slot_start(start, self.operands[0]);
        let first = self.across(group, start).neutral(op, self.ty);
        let each = self.begin_loop(group, start, &[first]);
        let x = self.operand(group, &each, 0, base);
        let carry = each.carried[0];
        let mut across = self.across(group, each.body);
        let x = across.or_neutral(op, x, Some(each.mask));
        let x = across.scan(op, x);
        let before = across.splat(carry);
        let x = across.binary(op, before, x);
        let given = match exclusive {
            true => across.exclusive(op, x, carry),
            false => x,
        };
        let last = across.last(x);
        self.store(group, &each, results, given);
        self.end_loop(group, &each, vec![last])
    }

    fn vote(&self, group: &mut Group, start: Block, all: bool) -> Block {
        let base = group.slot_start(start, self.operands[0]);
        let first = group.at(start).iconst(I1, u64::from(all));
        let each = self.begin_loop(group, start, &[first]);
        let x = self.operand(group, &each, 0, base);
        let mut across = self.across(group, each.body);
        let (vote, op) = match all {
            true => (across.all(x, Some(each.mask)), BinaryOp::And),
            false => (across.any(x, Some(each.mask)), BinaryOp::Or),
        };
        let sum = group.at(each.body).binary(op, each.carried[0], vote);
        let after = self.end_loop(group, &each, vec![sum]);
        let sum = group.at(after).cast(CastOp::ZExt, sum, self.ty);
        self.give_all(group, after, sum)
    }

    fn broadcast(&self, group: &mut Group, start: Block) -> Block {
        // The highest item that takes part says which local id is meant; they all say the same.
        let zero = group.at(start).iconst(I64, 0);
        let each = self.begin_loop(group, start, &[zero]);
        let highest = {
            let mut b = group.at(each.body);
            let bits = b.mask_bits(each.mask);
            let leading = b.unary(UnaryOp::Clz, bits);
            let top = b.iconst(I64, 63);
            let lane = b.binary(BinaryOp::Sub, top, leading);
            let item = b.binary(BinaryOp::Add, each.item, lane);
            let any = b.any_lane(each.mask);
            b.select(any, item, each.carried[0])
        };
        let after = self.end_loop(group, &each, vec![highest]);
        let ids: Vec<Value> = self.operands[1..]
            .iter()
            .map(|&slot| {
                let base = group.slot_start(after, slot);
                let address = group.slot_item(after, slot, base, highest);
                group.fetch(after, I64, address)
            })
            .collect();
        let [sx, sy, _] = group.sizes;
        let items = group.items;
        let base = group.slot_start(after, self.operands[0]);
        let from = {
            let mut b = group.at(after);
            let row = b.binary(BinaryOp::Mul, ids[2], sy);
            let row = b.binary(BinaryOp::Add, row, ids[1]);
            let row = b.binary(BinaryOp::Mul, row, sx);
            let at = b.binary(BinaryOp::Add, row, ids[0]);
            let inside = b.icmp(IntCC::Ult, at, items);
            b.select(inside, at, zero)
        };
        let address = group.slot_item(after, self.operands[0], base, from);
        let value = group.fetch(after, self.ty, address);
        self.give_all(group, after, value)
    }

    /// Sub-group by sub-group; `size` lanes of it are a cluster.
    fn sub_groups(&self, group: &mut Group, start: Block, size: u16) -> Block {
        let Some(results) = self.result_slot(group, start) else {
            return start;
        };
        let bases: Vec<Value> = self
            .operands
            .iter()
            .map(|&slot| group.slot_start(start, slot))
            .collect();
        let each = self.begin_loop(group, start, &[]);
        let args: Vec<Value> = (0..bases.len())
            .map(|n| self.operand(group, &each, n, bases[n]))
            .collect();
        let mut across = self.across(group, each.body);
        let given = match across.sub_group(self.op, size, &args, Some(each.mask)) {
            OfTeam::One(value) => across.splat(value),
            OfTeam::Lanes(values) => values,
        };
        self.store(group, &each, results, given);
        self.end_loop(group, &each, Vec::new())
    }

    fn across<'g>(&self, group: &'g mut Group, here: Block) -> Across<'g> {
        Across::new(&mut group.out, here, self.lanes)
    }

    /// Gives the one result to all items; returns the block to go on in.
    fn give_all(&self, group: &mut Group, here: Block, value: Value) -> Block {
        match group.home(self.result) {
            Home::Group => {
                group.set_incoming(self.region, self.result, value);
                here
            }
            Home::Shared(offset) => {
                let address = group.fixed_place(here, offset);
                group.keep(here, value, address);
                here
            }
            _ => {
                let Some(results) = self.result_slot(group, here) else {
                    return here;
                };
                let values = self.across(group, here).splat(value);
                let each = self.begin_loop(group, here, &[]);
                self.store(group, &each, results, values);
                self.end_loop(group, &each, Vec::new())
            }
        }
    }

    /// The slot of the result and its start, if it has one for each item.
    fn result_slot(&self, group: &mut Group, here: Block) -> Option<(SlotId, Value)> {
        match group.home(self.result) {
            Home::Item(slot) | Home::ItemAtDef(slot) => Some((slot, group.slot_start(here, slot))),
            _ => None,
        }
    }

    /// The n-th operands of the row; 0 for items that take no part.
    fn operand(&self, group: &mut Group, each: &RowLoop, n: usize, base: Value) -> Value {
        let ty = match n {
            0 => self.ty,
            _ => I32,
        };
        let address = group.slot_item(each.body, self.operands[n], base, each.item);
        let lanes = Type::vector(ty.elem, self.lanes);
        let mut b = group.at(each.body);
        b.masked_load(lanes, address, each.mask, ty.align() as u32)
    }

    /// Stores the results of the items that take part; another may still need what is there.
    fn store(&self, group: &mut Group, each: &RowLoop, to: (SlotId, Value), values: Value) {
        let address = group.slot_item(each.body, to.0, to.1, each.item);
        let align = self.ty.align() as u32;
        let mut b = group.at(each.body);
        b.masked_store(values, address, each.mask, align);
    }

    fn begin_loop(&self, group: &mut Group, from: Block, first: &[Value]) -> RowLoop {
        let lanes = self.lanes;
        let body = group.out.add_block();
        let item = group.out.add_param(body, I64);
        let carried = first.iter().map(|&v| {
            let ty = group.out.ty(v);
            group.out.add_param(body, ty)
        });
        let carried = carried.collect();
        let next = group
            .next
            .filter(|_| group.flow.masked[self.region])
            .map(|slot| (slot, group.slot_start(from, slot)));
        let zero = group.at(from).iconst(I64, 0);
        let args = [zero].iter().chain(first).copied().collect();
        group.at(from).jump(body, args);
        let items = group.items;
        let mut mask = row_mask(&mut group.out, body, item, items, lanes);
        if let Some((slot, base)) = next {
            mask = self.those_here(group, body, (slot, base), item, mask);
        }
        RowLoop {
            body,
            item,
            mask,
            carried,
        }
    }

    /// The lanes of the mask whose items run in the region; see [`Group::takes_part`].
    fn those_here(
        &self,
        group: &mut Group,
        here: Block,
        (slot, base): (SlotId, Value),
        item: Value,
        mask: Value,
    ) -> Value {
        let lanes = self.lanes;
        let address = group.slot_item(here, slot, base, item);
        let (cc, other) = match group.flow.together {
            true => (IntCC::Ne, DONE),
            false => (IntCC::Eq, self.region as u32),
        };
        let other = group.region_const(here, other);
        let full = group.full[self.region];
        let mut b = group.at(here);
        let codes = Type::vector(I32.elem, lanes);
        let codes = b.masked_load(codes, address, mask, I32.align() as u32);
        let other = b.splat(other, lanes);
        let mut here = b.icmp(cc, codes, other);
        if let Some(full) = full {
            let full = b.splat(full, lanes);
            here = b.binary(BinaryOp::Or, full, here);
        }
        b.binary(BinaryOp::And, mask, here)
    }

    /// Returns the block after the loop.
    fn end_loop(&self, group: &mut Group, each: &RowLoop, carried: Vec<Value>) -> Block {
        let after = group.out.add_block();
        let items = group.items;
        let mut b = group.at(each.body);
        let step = b.iconst(I64, u64::from(self.lanes));
        let next = b.binary(BinaryOp::Add, each.item, step);
        let more = b.icmp(IntCC::Ult, next, items);
        let args = [next].into_iter().chain(carried).collect();
        b.branch(more, (each.body, args), (after, Vec::new()));
        after
    }
}
