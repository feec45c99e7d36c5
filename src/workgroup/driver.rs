//! The control flow around the regions: for each, loops over all items of the group; then a branch to the next region.
//!
//! ```text
//! start:  fence or fold of the barrier before it          dispatch(low, high):
//! setup:  what all items share                              all done: return
//! z, y, x loops { item: the region's clone -> latch }       low != high: report
//! done:   the last item's exit decides, or dispatch          go to region low
//! ```
//!
//! Where all items that are alive leave by the same exit, real branches join the regions (`slice`), so that LLVM sees
//! the kernel's own loops; where some may have returned, each has noted that, but nobody looks while none has. Where
//! they may not, each item has noted its next region, and the lowest of those runs next, for the items that wait there. Numbers are such that cuts come before barriers, and barriers in layout order (the interpreter does the
//! same). Items that wait at two barriers at once are reported.

use crate::ir::cfg::Cfg;
use crate::ir::types::{I32, I64};
use crate::ir::{
    BinaryOp, Block, BlockCall, CastOp, Function, InstData, IntCC, MemOrder, MemScope, Terminator,
    Value,
};

use super::collective;
use super::group::{DONE, Group};
use super::item::{self, Frame, Report};
use super::regions::HeadKind;
use super::slice;
use super::wide::{
    self,
    plan::{self, Plan},
};

/// Fills the group function and returns it, and how many regions can run several items at once.
pub fn run(mut group: Group) -> (Function, usize) {
    let dispatches = (0..group.regions.list.len()).any(|r| group.flow.by_dispatch(r));
    let dispatch = dispatches.then(|| dispatch(&mut group));
    let (entry, first) = (group.entry, group.starts[0]);
    group.at(entry).jump(first, Vec::new());
    let mut wide_regions = 0;
    for region in 0..group.regions.list.len() {
        wide_regions += usize::from(emit_region(&mut group, region, dispatch));
    }
    let mut out = group.out;
    // Loops over regions without an exit have no latch; this drops what follows them.
    let layout = Cfg::compute(&out).reverse_postorder().collect();
    out.set_layout(layout);
    (out, wide_regions)
}

/// The loop over one dimension.
struct Loop {
    head: Block,
    latch: Block,
    id: Value,
    /// What is carried from item to item (see [`Carry`]): when the loop goes round, and behind it.
    before: Vec<Value>,
    after: Vec<Value>,
}

/// What the loops over items carry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carry {
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
    fn first(self) -> &'static [u32] {
        match self {
            Carry::Nothing => &[],
            Carry::Last | Carry::Alive => &[0],
            Carry::Bounds => &[DONE, 0],
        }
    }

    fn report(self) -> Report {
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

/// Whether the region can run several items at once.
fn emit_region(group: &mut Group, region: usize, dispatch: Option<Block>) -> bool {
    let setup = begin(group, region);
    let by_dispatch = group.flow.by_dispatch(region);
    let info = &group.regions.list[region];
    let ends = info.exits.len() + usize::from(info.returns);
    let carry = match () {
        () if by_dispatch => Carry::Bounds,
        () if group.flow.drops(region) => Carry::Alive,
        () if !group.flow.together && ends > 1 => Carry::Last,
        () => Carry::Nothing,
    };
    let [z, y, x] = [(); 3].map(|()| new_loop(group, carry));
    let done = group.out.add_block();
    let results: Vec<Value> = carry
        .first()
        .iter()
        .map(|_| group.out.add_param(done, item::CODE))
        .collect();

    let sizes = group.sizes;
    let first: Vec<Value> = carry
        .first()
        .iter()
        .map(|&word| group.region_const(setup, word))
        .collect();
    enter(group, setup, &z, &first);
    let row = group.at(z.head).binary(BinaryOp::Mul, z.id, sizes[1]);
    enter(group, z.head, &y, &z.before);
    let row = {
        let mut b = group.at(y.head);
        let row = b.binary(BinaryOp::Add, row, y.id);
        b.binary(BinaryOp::Mul, row, sizes[0])
    };
    let plan = chunk_plan(group, region);
    let wide = plan.is_some();
    let rows = Rows {
        region,
        setup,
        carry,
        x: &x,
        y: &y,
        z: &z,
        row,
    };
    match plan {
        Some(plan) => chunks(group, &rows, &plan),
        None => enter(group, y.head, &x, &y.before),
    }
    items(group, &rows);
    again(group, &x, sizes[0], y.latch);
    again(group, &y, sizes[1], z.latch);
    again(group, &z, sizes[2], done);
    match dispatch.filter(|_| by_dispatch) {
        Some(dispatch) => group.at(done).jump(dispatch, results),
        None if group.flow.together => after_items(group, region, done, results.first().copied()),
        None => go_on(group, region, done, results.first().copied()),
    }
    wide
}

/// The loops of a region.
struct Rows<'l> {
    region: usize,
    setup: Block,
    carry: Carry,
    x: &'l Loop,
    y: &'l Loop,
    z: &'l Loop,
    /// The linear id of the first item of the row.
    row: Value,
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

/// How the region runs in chunks of several items in x, if it does: items that go different ways run one by one.
fn chunk_plan(group: &Group, region: usize) -> Option<Plan> {
    let alone = group.flow.by_dispatch(region) || group.flow.notes_next(group.regions, region);
    let input = plan::Input {
        func: group.func,
        regions: group.regions,
        crossing: group.crossing,
        region,
    };
    (!alone).then(|| plan::run(&input, group.lanes)).flatten()
}

/// Emits the loop over full chunks of a row; the loop over items takes what is left of the row, or all of a row that
/// is too short, or of which items have returned.
fn chunks(group: &mut Group, rows: &Rows, plan: &Plan) {
    let &Rows {
        region,
        setup,
        carry,
        x,
        y,
        z,
        row,
    } = rows;
    let lanes = u64::from(plan.lanes);
    let size = group.sizes[0];
    let head = group.out.add_block();
    let id = group.out.add_param(head, I64);
    let params = |group: &mut Group, block| -> Vec<Value> {
        let types = carry.first().iter();
        types
            .map(|_| group.out.add_param(block, item::CODE))
            .collect()
    };
    let before = params(group, head);
    let latch = group.out.add_block();
    let report = add_report(group, latch, carry);
    {
        let full = group.full[region];
        let mut b = group.at(y.head);
        let zero = b.iconst(I64, 0);
        let lanes = b.iconst(I64, lanes);
        let mut fits = b.icmp(IntCC::Uge, size, lanes);
        if let Some(full) = full {
            fits = b.binary(BinaryOp::And, fits, full);
        }
        let args: Vec<Value> = [zero].iter().chain(&y.before).copied().collect();
        b.branch(fits, (head, args.clone()), (x.head, args));
    }
    let item = group.at(head).binary(BinaryOp::Add, row, id);
    let start = group.out.add_block();
    group.at(head).jump(start, Vec::new());
    wide::run(
        group,
        Frame {
            region,
            setup,
            start,
            latch,
            report: carry.report(),
            ids: [id, y.id, z.id],
            item,
        },
        plan,
    );
    let after = carry.with(group, latch, &before, &report);
    let rest = group.out.add_block();
    let mut b = group.at(latch);
    let lanes = b.iconst(I64, lanes);
    let next = b.binary(BinaryOp::Add, id, lanes);
    let end = b.binary(BinaryOp::Add, next, lanes);
    let more = b.icmp(IntCC::Ule, end, size);
    let args: Vec<Value> = [next].iter().chain(&after).copied().collect();
    b.branch(more, (head, args.clone()), (rest, Vec::new()));
    let mut b = group.at(rest);
    let more = b.icmp(IntCC::Ult, next, size);
    b.branch(more, (x.head, args), (y.latch, after));
}

/// What happens once before the items of the region run; returns the block where more of that can go.
fn begin(group: &mut Group, region: usize) -> Block {
    let start = group.starts[region];
    let HeadKind::Barrier(block) = group.regions.list[region].kind else {
        return start;
    };
    let loc = group.func.block(block).term_loc;
    match group.func.term(block) {
        // A group runs on one thread, in the order of the regions: within it nothing is left to order. No flag orders
        // nothing.
        &Terminator::Barrier { flags, scope, .. }
            if scope >= MemScope::Device && (flags.local || flags.global || flags.image) =>
        {
            group
                .at_loc(start, loc)
                .fence(MemOrder::AcqRel, scope, flags);
            start
        }
        Terminator::Collective { .. } => collective::run(group, region, block),
        _ => start,
    }
}

fn new_loop(group: &mut Group, carry: Carry) -> Loop {
    let [head, latch] = [(); 2].map(|()| group.out.add_block());
    let id = group.out.add_param(head, I64);
    let [before, after] = [head, latch].map(|block| {
        let first = carry.first().iter();
        first
            .map(|_| group.out.add_param(block, item::CODE))
            .collect()
    });
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

/// After a region that all items that are alive leave together: ends the group if none is, else finds out once for
/// all where they go.
fn after_items(group: &mut Group, region: usize, done: Block, alive: Option<Value>) {
    let Some(alive) = alive else {
        let full = group.full[region];
        slice::run(group, region, done, full);
        return;
    };
    let [leave, on] = [(); 2].map(|()| group.out.add_block());
    let items = group.items;
    let mut b = group.at(done);
    let none = b.iconst(I32, 0);
    let any = b.icmp(IntCC::Ne, alive, none);
    b.branch(any, (on, Vec::new()), (leave, Vec::new()));
    group.at(leave).ret(None);
    let mut b = group.at(on);
    let items = b.cast(CastOp::Trunc, items, I32);
    let full = b.icmp(IntCC::Eq, alive, items);
    slice::run(group, region, on, Some(full));
}

/// After a region that all items leave together: the last one's exit decides.
fn go_on(group: &mut Group, region: usize, done: Block, code: Option<Value>) {
    let info = &group.regions.list[region];
    let to = |group: &Group, t: usize| BlockCall {
        block: group.starts[t],
        args: Vec::new(),
    };
    match (code, &info.exits[..]) {
        (_, []) => group.at(done).ret(None),
        (None, [target, ..]) => {
            let target = to(group, *target);
            group.at(done).terminate(Terminator::Jump(target));
        }
        (Some(code), targets) => {
            let mut cases: Vec<(u64, BlockCall)> =
                targets.iter().map(|&t| (t as u64, to(group, t))).collect();
            let default = if info.returns {
                let leave = group.out.add_block();
                group.at(leave).ret(None);
                BlockCall {
                    block: leave,
                    args: Vec::new(),
                }
            } else {
                cases.pop().expect("at least one exit").1
            };
            switch(group, done, code, cases, default);
        }
    }
}

fn switch(
    group: &mut Group,
    from: Block,
    value: Value,
    cases: Vec<(u64, BlockCall)>,
    default: BlockCall,
) {
    let mut b = group.at(from);
    if let [(bits, only)] = &cases[..] {
        let bits = b.iconst(item::CODE, *bits);
        let hit = b.icmp(IntCC::Eq, value, bits);
        b.terminate(Terminator::Branch {
            cond: hit,
            then: only.clone(),
            els: default,
        });
    } else {
        b.terminate(Terminator::Switch {
            value,
            cases,
            default,
        });
    }
}

/// Takes the lowest and the highest region that items wait for, and goes to the lowest.
fn dispatch(group: &mut Group) -> Block {
    let block = group.out.add_block();
    let low = group.out.add_param(block, item::CODE);
    let high = group.out.add_param(block, item::CODE);
    let leave = group.out.add_block();
    group.at(leave).ret(None);
    let masked: Vec<usize> = (0..group.regions.list.len())
        .filter(|&r| group.flow.masked[r])
        .collect();
    let mut go = block;
    // Two barriers at once can only be where items are apart.
    if group.flow.apart.iter().any(|&a| a) {
        go = group.out.add_block();
        let report = group.out.add_block();
        let first = group.regions.first_barrier() as u64;
        {
            let mut b = group.at(block);
            let differ = b.icmp(IntCC::Ult, low, high);
            let first = b.iconst(item::CODE, first);
            let real = b.icmp(IntCC::Uge, low, first);
            let both = b.binary(BinaryOp::And, differ, real);
            b.branch(both, (report, Vec::new()), (go, Vec::new()));
        }
        let barrier_a = line_of(group, report, &masked, low);
        let barrier_b = line_of(group, report, &masked, high);
        let mut b = group.at(report);
        b.push(
            InstData::ReportDivergence {
                barrier_a,
                barrier_b,
            },
            None,
        );
        b.jump(go, Vec::new());
    }
    let call = |block| BlockCall {
        block,
        args: Vec::new(),
    };
    let cases = masked
        .iter()
        .map(|&r| (r as u64, call(group.starts[r])))
        .collect();
    switch(group, go, low, cases, call(leave));
    block
}

/// The source line of the barrier before the region with this number, by a chain of selects.
fn line_of(group: &mut Group, here: Block, masked: &[usize], number: Value) -> Value {
    let mut line = group.at(here).iconst(I32, 0);
    for &r in masked {
        let HeadKind::Barrier(block) = group.regions.list[r].kind else {
            continue;
        };
        let (Terminator::Barrier { line: at, .. } | Terminator::Collective { line: at, .. }) =
            group.func.term(block)
        else {
            continue;
        };
        let mut b = group.at(here);
        let this = b.iconst(item::CODE, r as u64);
        let is = b.icmp(IntCC::Eq, number, this);
        let at = b.iconst(I32, u64::from(*at));
        line = b.select(is, at, line);
    }
    line
}
