//! The loops over the items of a group around the code of a region: z, y and x one by one, and in rows that allow it
//! chunks of several items in x (`wide`), several rows or chunks in one pass (`jam`, `tile`).

use crate::ir::types::{I32, I64};
use crate::ir::{BinaryOp, Block, InstData, IntCC, Value};

use super::group::{DONE, Group};
use super::item::{self, Frame, Report};
use super::jam::Body;
use super::lockstep::{self, Together};
use super::slice;
use super::tile::Tile;
use super::wide::{self, Chunk, plan::Plan};

/// The loops of a region, from `setup` to `done`, which takes what is carried.
pub fn run(
    group: &mut Group,
    region: usize,
    setup: Block,
    done: Block,
    carry: Carry,
    plan: Option<&Plan>,
) {
    let [z, y, x] = [(); 3].map(|()| new_loop(group, carry));
    let sizes = group.sizes;
    let limited = carry == Carry::Nothing && group.flow.together && plan.is_some();
    let limited = limited
        .then(|| slice::width(group, region, setup))
        .flatten();
    let (setup, width) = match (limited, plan) {
        (Some((setup, width)), Some(plan)) => {
            // Whole chunks: the items behind the limit do nothing, and there may be no code for a part of a chunk.
            let mut b = group.at(setup);
            let low = b.iconst(I64, u64::from(plan.lanes) - 1);
            let whole = b.iconst(I64, !(u64::from(plan.lanes) - 1));
            let up = b.binary(BinaryOp::Add, width, low);
            let up = b.binary(BinaryOp::And, up, whole);
            (setup, b.binary(BinaryOp::UMin, up, sizes[0]))
        }
        _ => (setup, sizes[0]),
    };
    let first: Vec<Value> = carry
        .first()
        .iter()
        .map(|&word| group.region_const(setup, word))
        .collect();
    enter(group, setup, &z, &first);
    let [height, planes] = group.planes;
    let plane = group.at(z.head).binary(BinaryOp::Mul, z.id, height);
    let row = {
        let mut b = group.at(y.head);
        let row = b.binary(BinaryOp::Add, plane, y.id);
        b.binary(BinaryOp::Mul, row, sizes[0])
    };
    let rows = Rows {
        region,
        setup,
        carry,
        x: &x,
        y: &y,
        z: &z,
        width,
        plane,
        row,
    };
    match plan {
        Some(plan) => chunks(group, &rows, plan),
        None => {
            enter(group, z.head, &y, &z.before);
            enter(group, y.head, &x, &y.before);
        }
    }
    // Chunks of which some items do not run do without the clone for one item, and so do rows of full chunks.
    if plan.is_none() || !(group.flow.masked[region] || group.full_rows) {
        items(group, &rows);
        again(group, &x, width, y.latch);
    }
    again(group, &y, height, z.latch);
    again(group, &z, planes, done);
}

/// The loop over one dimension.
pub struct Loop {
    pub head: Block,
    pub latch: Block,
    pub id: Value,
    /// What is carried from item to item (see [`Carry`]): when the loop goes round, and behind it.
    pub before: Vec<Value>,
    pub after: Vec<Value>,
}

/// What the loops over items carry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    Nothing,
    /// The next region of the last item; all items go there.
    Last,
    /// The lowest and the highest next region.
    Bounds,
    /// How many items go on rather than return.
    Alive,
}

impl Carry {
    /// What it starts with.
    pub fn first(self) -> &'static [u32] {
        match self {
            Carry::Nothing => &[],
            Carry::Last | Carry::Alive => &[0],
            Carry::Bounds => &[DONE, 0],
        }
    }

    pub fn report(self) -> Report {
        match self {
            Carry::Nothing => Report::Nothing,
            Carry::Last | Carry::Bounds => Report::Next,
            Carry::Alive => Report::Alive,
        }
    }

    /// With one more item or chunk, of which the latch `here` was told `report`.
    fn with(
        self,
        group: &mut Group,
        here: Block,
        before: &[Value],
        report: &[Value],
    ) -> Vec<Value> {
        let mut b = group.at(here);
        match self {
            Carry::Nothing => Vec::new(),
            Carry::Last => report.to_vec(),
            Carry::Alive => vec![b.binary(BinaryOp::Add, before[0], report[0])],
            Carry::Bounds => {
                let code = report[0];
                let low = b.binary(BinaryOp::UMin, before[0], code);
                // Items that are done count for neither.
                let done = b.iconst(I32, u64::from(DONE));
                let zero = b.iconst(I32, 0);
                let is_done = b.icmp(IntCC::Eq, code, done);
                let counted = b.select(is_done, zero, code);
                let high = b.binary(BinaryOp::UMax, before[1], counted);
                vec![low, high]
            }
        }
    }
}

/// The loops of a region.
pub struct Rows<'l> {
    pub region: usize,
    pub setup: Block,
    pub carry: Carry,
    pub x: &'l Loop,
    pub y: &'l Loop,
    pub z: &'l Loop,
    /// How many items of each row run.
    pub width: Value,
    /// The number of rows before the plane, and the linear id of the first item of the row.
    pub plane: Value,
    pub row: Value,
}

/// Emits the body of the loop over items one by one.
fn items(group: &mut Group, rows: &Rows) {
    let &Rows {
        region,
        setup,
        carry,
        x,
        y,
        z,
        row,
        ..
    } = rows;
    let item = group.at(x.head).binary(BinaryOp::Add, row, x.id);
    let start = group.out.add_block();
    let latch = group.out.add_block();
    if group.flow.masked[region] {
        skip_others(group, rows, item, start);
    } else {
        group.at(x.head).jump(start, Vec::new());
    }
    let report = add_report(group, latch, carry);
    item::run(
        group,
        Frame {
            region,
            setup,
            start,
            latch,
            report: carry.report(),
            ids: [x.id, y.id, z.id],
            item,
        },
    );
    let after = carry.with(group, latch, &x.before, &report);
    group.at(latch).jump(x.latch, after);
}

fn add_report(group: &mut Group, latch: Block, carry: Carry) -> Vec<Value> {
    match carry.report() {
        Report::Nothing => Vec::new(),
        Report::Next | Report::Alive => vec![group.out.add_param(latch, item::CODE)],
    }
}

/// The loop over the chunks of a row.
pub struct Chunks {
    pub head: Block,
    pub id: Value,
    pub item: Value,
}

/// Emits the loop over full chunks of a row, and what takes the rest of the row, or all of a row that is too short, or
/// of which items have returned.
fn chunks(group: &mut Group, rows: &Rows, plan: &Plan) {
    let &Rows {
        region,
        carry,
        y,
        z,
        row,
        ..
    } = rows;
    let rest = wide::chunks::rest(group, rows, plan);
    if group.flow.masked[region] && !group.flow.together {
        enter(group, z.head, y, &z.before);
        let zero = group.at(y.head).iconst(I64, 0);
        let args = [zero].iter().chain(&y.before).copied().collect();
        group.at(y.head).jump(rest, args);
        return;
    }
    let lanes = u64::from(plan.lanes);
    if let Some(question) = wide::assume::find(group, region, plan) {
        // Such a region has no loops: there is nothing to jam.
        let start = wide::assume::run(group, rows, plan, &question, rest);
        let fits = enter_chunks(group, rows, None, lanes, rest);
        group.at(fits).jump(start, y.before.clone());
        enter(group, z.head, y, &z.before);
        return;
    }
    let size = rows.width;
    let head = group.out.add_block();
    let id = group.out.add_param(head, I64);
    let before = carried(group, head, carry);
    let [latch, start] = [(); 2].map(|()| group.out.add_block());
    let report = carried(group, latch, carry);
    let item = group.at(head).binary(BinaryOp::Add, row, id);
    group.at(head).jump(start, Vec::new());
    let frame = Frame {
        region,
        setup: rows.setup,
        start,
        latch,
        report: carry.report(),
        ids: [id, y.id, z.id],
        item,
    };
    wide::run(group, frame, plan, &Chunk::default());
    let after = wide::chunks::merged(group, carry, latch, &before, &report);
    let mut b = group.at(latch);
    let step = b.iconst(I64, lanes);
    let next = b.binary(BinaryOp::Add, id, step);
    let end = b.binary(BinaryOp::Add, next, step);
    let more = b.icmp(IntCC::Ule, end, size);
    let args: Vec<Value> = [next].iter().chain(&after).copied().collect();
    b.branch(more, (head, args.clone()), (rest, args));
    let this = Chunks { head, id, item };
    let body = (carry == Carry::Nothing)
        .then(|| Body::new(&group.out, start, latch))
        .flatten();
    let together = body
        .as_ref()
        .and_then(|body| Some((body, rows_together(group, rows, &this, lanes, body)?)));
    let first = match &together {
        Some((body, together)) => {
            lockstep::several_rows(group, rows, &this, lanes, (body, together))
        }
        None => {
            enter(group, z.head, y, &z.before);
            None
        }
    };
    let fits = enter_chunks(group, rows, first, lanes, rest);
    let jam = match (&body, &together) {
        (Some(body), None) if body.has_loops() => body
            .plan((&group.out, group.scratch), &[id, item], &[], &[head])
            .map(|jam| (body, jam)),
        _ => None,
    };
    match jam {
        Some((body, jam)) => {
            lockstep::several_chunks(group, rows, rest, &this, (fits, lanes), (body, &jam))
        }
        None => {
            let first = first.unwrap_or_else(|| group.at(fits).iconst(I64, 0));
            let args = [first].iter().chain(&y.before).copied().collect();
            group.at(fits).jump(head, args);
        }
    }
}

/// How several rows run at once, if that pays.
fn rows_together(
    group: &Group,
    rows: &Rows,
    &Chunks { head, id, item }: &Chunks,
    lanes: u64,
    body: &Body,
) -> Option<Together> {
    let y = rows.y;
    if !body.uses(&group.out, y.id) {
        return None;
    }
    let (out, around) = ((&group.out, group.scratch), [y.head, head]);
    if !body.has_loops() {
        let tile = Tile::plan(body, out, [id, y.id, item], &around, lanes);
        return tile.map(Together::Tile);
    }
    // Only where it takes the place of the other: code for both would be long.
    let block = group
        .has_rows_of(2 * lanes)
        .then(|| body.plan_block(out, [y.id, id, item], &around));
    let jam = match block.flatten() {
        Some(jam) => jam,
        None => body.plan(out, &[y.id, item], &[id], &around)?,
    };
    Some(Together::Jam(jam))
}

/// Ends the head of a row, of which the items before `first` have run if it is given: goes on to `rest` if there are no chunks, or they may
/// not run; else to a block that is returned.
fn enter_chunks(
    group: &mut Group,
    rows: &Rows,
    first: Option<Value>,
    lanes: u64,
    rest: Block,
) -> Block {
    let &Rows { region, y, .. } = rows;
    let fits = group.out.add_block();
    if group.full_rows && !group.flow.masked[region] {
        group.at(y.head).jump(fits, Vec::new());
        return fits;
    }
    let mut b = group.at(y.head);
    let step = b.iconst(I64, lanes);
    let (first, end) = match first {
        Some(first) => (first, b.binary(BinaryOp::Add, first, step)),
        None => (b.iconst(I64, 0), step),
    };
    let any = b.icmp(IntCC::Uge, rows.width, end);
    let any = and_chunks_may_run(group, region, y.head, any);
    let args = [first].iter().chain(&y.before).copied().collect();
    group
        .at(y.head)
        .branch(any, (fits, Vec::new()), (rest, args));
    fits
}

/// `fits`, and what else chunks of the region ask for: none of the items has returned, and the global ids are in a row.
pub fn and_chunks_may_run(group: &mut Group, region: usize, here: Block, fits: Value) -> Value {
    let conditions = [group.full[region], group.narrow()];
    let mut b = group.at(here);
    let all = conditions.into_iter().flatten();
    all.fold(fits, |fits, more| b.binary(BinaryOp::And, fits, more))
}

/// Parameters for what is carried.
pub fn carried(group: &mut Group, block: Block, carry: Carry) -> Vec<Value> {
    let types = carry.first().iter();
    types
        .map(|_| group.out.add_param(block, item::CODE))
        .collect()
}

fn new_loop(group: &mut Group, carry: Carry) -> Loop {
    let [head, latch] = [(); 2].map(|()| group.out.add_block());
    let id = group.out.add_param(head, I64);
    let [before, after] = [head, latch].map(|block| carried(group, block, carry));
    Loop {
        head,
        latch,
        id,
        before,
        after,
    }
}

/// Jumps from `from` into a loop at 0, with what is carried so far.
fn enter(group: &mut Group, from: Block, into: &Loop, carried: &[Value]) {
    let zero = group.at(from).iconst(I64, 0);
    let args = [zero].iter().chain(carried).copied().collect();
    group.at(from).jump(into.head, args);
}

/// The end of a loop: once more, or on to `then`. A size is never 0.
fn again(group: &mut Group, this: &Loop, size: Value, then: Block) {
    if let Some(InstData::IConst { bits: 1, .. }) = group.out.def_inst(size) {
        group.at(this.latch).jump(then, this.after.clone());
        return;
    }
    let mut b = group.at(this.latch);
    let one = b.iconst(I64, 1);
    let next = b.binary(BinaryOp::Add, this.id, one);
    let more = b.icmp(IntCC::Ult, next, size);
    let args = [next].iter().chain(&this.after).copied().collect();
    b.branch(more, (this.head, args), (then, this.after.clone()));
}

/// Only items that wait for this region run; the others go to the end of the loop, where what they wait for counts.
fn skip_others(group: &mut Group, rows: &Rows, item: Value, start: Block) {
    let &Rows {
        region,
        setup,
        carry,
        x,
        ..
    } = rows;
    let slot = group.next.expect("a slot for the next region");
    let base = group.slot_start(setup, slot);
    let mut head = x.head;
    if let Some(full) = group.full[region] {
        head = group.out.add_block();
        let mut b = group.at(x.head);
        b.branch(full, (start, Vec::new()), (head, Vec::new()));
        let runs = group.takes_part(head, region, base, item);
        let before = x.before.clone();
        let mut b = group.at(head);
        b.branch(runs, (start, Vec::new()), (x.latch, before));
        return;
    }
    let address = group.slot_item(head, slot, base, item);
    let next = group.fetch(head, item::CODE, address);
    let mine = group.region_const(head, region as u32);
    let runs = group.at(head).icmp(IntCC::Eq, next, mine);
    let skip = group.out.add_block();
    let mut b = group.at(head);
    b.branch(runs, (start, Vec::new()), (skip, Vec::new()));
    let after = carry.with(group, skip, &x.before, &[next]);
    group.at(skip).jump(x.latch, after);
}
