//! Chunks of which only some lanes run: what is left of a row, and rows of which items have returned or wait for other
//! regions.

use crate::ir::types::{I32, I64};
use crate::ir::{BinaryOp, Block, CastOp, IntCC, Type, Value};
use crate::workgroup::group::{DONE, Group};
use crate::workgroup::item::{self, Frame};
use crate::workgroup::loops::{Carry, Rows, carried};

use super::plan::Plan;
use super::{Chunk, ends};

/// Regions up to this many instructions get a clone for what is left of a row.
const SMALL: usize = 500;

/// A block that takes an item's id in x, and what is carried: from there on it runs the rest of the row, and goes on to
/// `y.latch`. Where all items run, it hands single items, or all if the region is big, to the loop at `x.head`.
pub fn rest(group: &mut Group, rows: &Rows, plan: &Plan) -> Block {
    let &Rows { x, y, carry, .. } = rows;
    let parted = group.flow.masked[rows.region];
    let entry = group.out.add_block();
    let id = group.out.add_param(entry, I64);
    let words = carried(group, entry, carry);
    let args = with(id, &words);
    if group.full_rows && !parted {
        // Nothing is left.
        group.at(entry).jump(y.latch, words);
        return entry;
    }
    let first = group.out.add_block();
    {
        let size = rows.width;
        let mut b = group.at(entry);
        let more = b.icmp(IntCC::Ult, id, size);
        b.branch(more, (first, Vec::new()), (y.latch, words));
        if !parted && plan.insts > SMALL {
            b.switch_to(first);
            b.jump(x.head, args);
            return entry;
        }
    }
    let head = masked(group, rows, plan);
    let size = rows.width;
    let mut b = group.at(first);
    if parted {
        b.jump(head, args);
    } else {
        // One item alone is cheaper by itself.
        let one = b.iconst(I64, 1);
        let next = b.binary(BinaryOp::Add, id, one);
        let several = b.icmp(IntCC::Ult, next, size);
        b.branch(several, (head, args.clone()), (x.head, args));
    }
    entry
}

/// What is carried, with what a chunk brings.
pub fn merged(
    group: &mut Group,
    carry: Carry,
    here: Block,
    before: &[Value],
    brings: &[Value],
) -> Vec<Value> {
    let mut b = group.at(here);
    match carry {
        Carry::Nothing => Vec::new(),
        Carry::Last => brings.to_vec(),
        Carry::Alive => vec![b.binary(BinaryOp::Add, before[0], brings[0])],
        Carry::Bounds => vec![
            b.binary(BinaryOp::UMin, before[0], brings[0]),
            b.binary(BinaryOp::UMax, before[1], brings[1]),
        ],
    }
}

fn with(first: Value, rest: &[Value]) -> Vec<Value> {
    std::iter::once(first).chain(rest.iter().copied()).collect()
}

/// The lanes that the row still has from `id` on, or the first alone.
fn row_mask(group: &mut Group, rows: &Rows, here: Block, id: Value, lanes: u16) -> Value {
    let size = rows.width;
    let many = group.step(here, lanes);
    let mut b = group.at(here);
    let rest = b.binary(BinaryOp::Sub, size, id);
    let rest = b.binary(BinaryOp::UMin, rest, many);
    let rest = b.cast(CastOp::Trunc, rest, I32);
    let rest = b.splat(rest, lanes);
    let numbers = (0..u64::from(lanes)).map(|n| b.iconst(I32, n)).collect();
    let numbers = b.build_vector(numbers);
    b.icmp(IntCC::Ult, numbers, rest)
}

/// The loop over the chunks from an id on, to the end of the row. Returns its head.
fn masked(group: &mut Group, rows: &Rows, plan: &Plan) -> Block {
    let &Rows { y, carry, .. } = rows;
    let lanes = plan.lanes;
    let [head, run, latch, own] = [(); 4].map(|()| group.out.add_block());
    let id = group.out.add_param(head, I64);
    let [before, after, brings] = [head, latch, own].map(|block| carried(group, block, carry));
    let row = row_mask(group, rows, head, id, lanes);
    let item = group.at(head).binary(BinaryOp::Add, rows.row, id);
    let mut chunk = Chunk {
        all: Some(row),
        row: Some(row),
        ..Chunk::default()
    };
    if group.flow.masked[rows.region] {
        let mask = group.out.add_param(run, group.out.ty(row));
        let mut look = head;
        // Nobody has noted anything where all items are known to be here.
        if let Some(full) = group.full[rows.region] {
            look = group.out.add_block();
            let mut b = group.at(head);
            b.branch(full, (run, vec![row]), (look, Vec::new()));
        }
        let skip = group.out.add_block();
        let codes = codes(group, rows, look, item, row, lanes);
        let runs = runs(group, rows.region, look, codes, lanes);
        let mut b = group.at(look);
        let any = b.any_lane(runs);
        b.branch(any, (run, vec![runs]), (skip, Vec::new()));
        let skipped = match carry {
            Carry::Bounds => {
                let brings = ends::bounds(group, skip, codes, lanes);
                merged(group, carry, skip, &before, &brings)
            }
            _ => before.clone(),
        };
        group.at(skip).jump(latch, skipped);
        chunk.all = Some(mask);
        chunk.codes = (!group.flow.together).then_some(codes);
    } else {
        group.at(head).jump(run, Vec::new());
    }
    let frame = Frame {
        region: rows.region,
        setup: rows.setup,
        start: run,
        latch: own,
        report: carry.report(),
        ids: [id, y.id, rows.z.id],
        item,
    };
    super::run(group, frame, plan, &chunk);
    let words = merged(group, carry, own, &before, &brings);
    group.at(own).jump(latch, words);
    let size = rows.width;
    let many = group.step(latch, lanes);
    let mut b = group.at(latch);
    let next = b.binary(BinaryOp::Add, id, many);
    let more = b.icmp(IntCC::Ult, next, size);
    b.branch(more, (head, with(next, &after)), (y.latch, after));
    head
}

/// Each lane's next region; lanes without an item have returned.
fn codes(
    group: &mut Group,
    rows: &Rows,
    here: Block,
    item: Value,
    row: Value,
    lanes: u16,
) -> Value {
    let slot = group.next.expect("a slot for the next region");
    let base = group.slot_start(rows.setup, slot);
    let address = group.slot_item(here, slot, base, item);
    let done = group.region_const(here, DONE);
    let mut b = group.at(here);
    let done = b.splat(done, lanes);
    let ty = Type::vector(item::CODE.elem, lanes);
    let codes = b.masked_load(ty, address, row, item::CODE.align() as u32);
    b.select(row, codes, done)
}

/// The lanes that run in the region.
fn runs(group: &mut Group, region: usize, here: Block, codes: Value, lanes: u16) -> Value {
    let (cc, other) = match group.flow.together {
        true => (IntCC::Ne, DONE),
        false => (IntCC::Eq, region as u32),
    };
    let other = group.region_const(here, other);
    let mut b = group.at(here);
    let other = b.splat(other, lanes);
    b.icmp(cc, codes, other)
}
