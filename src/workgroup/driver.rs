//! The control flow around the regions: for each, loops over all items of the group; then a branch to the next region.
//!
//! ```text
//! start:  fence or fold of the barrier before it          dispatch(low, high):
//! setup:  what all items share                              all done: return
//! z, y, x loops { item: the region's clone -> latch }       low != high: report
//! done:   the last item's exit decides, or dispatch          go to region low
//! ```
//!
//! Where all items leave by the same exit, real branches join the regions, so that LLVM sees the kernel's own loops.
//! Where they may not, each item has noted its next region, and the lowest of those runs next, for the items that wait
//! there. Numbers are such that cuts come before barriers, and barriers in layout order (the interpreter does the
//! same). Items that wait at two barriers at once are reported.

use crate::ir::cfg::Cfg;
use crate::ir::types::{I32, I64};
use crate::ir::{
    BinaryOp, Block, BlockCall, Function, InstData, IntCC, MemOrder, MemScope, Terminator, Value,
};

use super::collective;
use super::group::{DONE, Group};
use super::item::{self, Frame};
use super::regions::HeadKind;
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
    /// The lowest and highest next region of the items before, when wanted.
    bounds: Vec<Value>,
}

/// Whether the region can run several items at once.
fn emit_region(group: &mut Group, region: usize, dispatch: Option<Block>) -> bool {
    let setup = begin(group, region);
    let by_dispatch = group.flow.by_dispatch(region);
    let info = &group.regions.list[region];
    let ends = info.exits.len() + usize::from(info.returns);
    let codes = by_dispatch || ends > 1;
    let [z, y, x] = [(); 3].map(|()| new_loop(group, by_dispatch));
    let done = group.out.add_block();

    let sizes = group.sizes;
    enter(group, setup, &z, None);
    let row = group.at(z.head).binary(BinaryOp::Mul, z.id, sizes[1]);
    enter(group, z.head, &y, Some(&z));
    let row = {
        let mut b = group.at(y.head);
        let row = b.binary(BinaryOp::Add, row, y.id);
        b.binary(BinaryOp::Mul, row, sizes[0])
    };
    let plan = chunk_plan(group, region);
    let wide = plan.is_some();
    if plan.is_none() {
        enter(group, y.head, &x, Some(&y));
    }
    let item = group.at(x.head).binary(BinaryOp::Add, row, x.id);

    let start = group.out.add_block();
    if group.flow.masked[region] {
        skip_others(group, region, x.head, item, start, x.latch, setup);
    } else {
        group.at(x.head).jump(start, Vec::new());
    }
    let code = codes.then(|| group.out.add_param(x.latch, item::CODE));
    item::run(
        group,
        Frame {
            region,
            setup,
            start,
            latch: x.latch,
            codes,
            ids: [x.id, y.id, z.id],
            item,
        },
    );

    let bounds = match code {
        Some(code) if by_dispatch => widen_bounds(group, &x, code),
        _ => Vec::new(),
    };
    let code = match plan {
        Some(plan) => chunks(
            group,
            &Rows {
                region,
                setup,
                codes,
                x: &x,
                y: &y,
                z: &z,
                row,
            },
            &plan,
        ),
        None => {
            again(group, &x, sizes[0], &bounds, y.latch);
            code
        }
    };
    again(group, &y, sizes[1], &bounds, z.latch);
    again(group, &z, sizes[2], &bounds, done);
    match dispatch.filter(|_| by_dispatch) {
        Some(dispatch) => group.at(done).jump(dispatch, bounds),
        None => go_on(group, region, done, code),
    }
    wide
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

/// The loops of a region, for [`chunks`].
struct Rows<'l> {
    region: usize,
    setup: Block,
    codes: bool,
    x: &'l Loop,
    y: &'l Loop,
    z: &'l Loop,
    /// The linear id of the first item of the row.
    row: Value,
}

/// Emits the loop over full chunks of a row; the loop over items takes what is left of the row, or all of a row that
/// is too short. Returns the code of the exit that the last item took, if there is one.
fn chunks(group: &mut Group, rows: &Rows, plan: &Plan) -> Option<Value> {
    let &Rows { x, y, z, row, .. } = rows;
    let lanes = u64::from(plan.lanes);
    let size = group.sizes[0];
    let head = group.out.add_block();
    let id = group.out.add_param(head, I64);
    let latch = group.out.add_block();
    let end = group.out.add_block();
    let [code, last] = [latch, end].map(|block| {
        let add = || group.out.add_param(block, item::CODE);
        rows.codes.then(add)
    });
    {
        let mut b = group.at(y.head);
        let zero = b.iconst(I64, 0);
        let lanes = b.iconst(I64, lanes);
        let fits = b.icmp(IntCC::Uge, size, lanes);
        b.branch(fits, (head, vec![zero]), (x.head, vec![zero]));
    }
    let item = group.at(head).binary(BinaryOp::Add, row, id);
    let start = group.out.add_block();
    group.at(head).jump(start, Vec::new());
    wide::run(
        group,
        Frame {
            region: rows.region,
            setup: rows.setup,
            start,
            latch,
            codes: rows.codes,
            ids: [id, y.id, z.id],
            item,
        },
        plan,
    );
    let rest = group.out.add_block();
    let next = {
        let mut b = group.at(latch);
        let lanes = b.iconst(I64, lanes);
        let next = b.binary(BinaryOp::Add, id, lanes);
        let end = b.binary(BinaryOp::Add, next, lanes);
        let more = b.icmp(IntCC::Ule, end, size);
        b.branch(more, (head, vec![next]), (rest, Vec::new()));
        next
    };
    let mut b = group.at(rest);
    let more = b.icmp(IntCC::Ult, next, size);
    b.branch(
        more,
        (x.head, vec![next]),
        (end, code.into_iter().collect()),
    );
    let of_item = group.out.block(x.latch).params.clone();
    let mut b = group.at(x.latch);
    let one = b.iconst(I64, 1);
    let next = b.binary(BinaryOp::Add, x.id, one);
    let more = b.icmp(IntCC::Ult, next, size);
    b.branch(more, (x.head, vec![next]), (end, of_item));
    group.at(end).jump(y.latch, Vec::new());
    last
}

/// What happens once before the items of the region run; returns the block where more of that can go.
fn begin(group: &mut Group, region: usize) -> Block {
    let start = group.starts[region];
    let HeadKind::Barrier(block) = group.regions.list[region].kind else {
        return start;
    };
    let loc = group.func.block(block).term_loc;
    match group.func.term(block) {
        // A group runs on one thread: within it a fence orders the compiler alone. No flag orders nothing.
        &Terminator::Barrier { flags, scope, .. } if flags.local || flags.global || flags.image => {
            let scope = scope.max(MemScope::WorkGroup);
            group
                .at_loc(start, loc)
                .fence(MemOrder::AcqRel, scope, flags);
            start
        }
        Terminator::Collective { .. } => collective::run(group, region, block),
        _ => start,
    }
}

fn new_loop(group: &mut Group, bounded: bool) -> Loop {
    let head = group.out.add_block();
    let id = group.out.add_param(head, I64);
    let n = if bounded { 2 } else { 0 };
    let bounds = (0..n)
        .map(|_| group.out.add_param(head, item::CODE))
        .collect();
    Loop {
        head,
        latch: group.out.add_block(),
        id,
        bounds,
    }
}

/// Jumps from `from` into a loop at 0, with the bounds of the loop around it.
fn enter(group: &mut Group, from: Block, into: &Loop, outer: Option<&Loop>) {
    let zero = group.at(from).iconst(I64, 0);
    let mut args = vec![zero];
    match outer {
        Some(outer) => args.extend(&outer.bounds),
        None if !into.bounds.is_empty() => {
            let mut b = group.at(from);
            args.push(b.iconst(I32, u64::from(DONE)));
            args.push(b.iconst(I32, 0));
        }
        None => {}
    }
    group.at(from).jump(into.head, args);
}

/// The end of a loop: once more, or on to `then`. A size is never 0.
fn again(group: &mut Group, this: &Loop, size: Value, bounds: &[Value], then: Block) {
    let mut b = group.at(this.latch);
    let one = b.iconst(I64, 1);
    let next = b.binary(BinaryOp::Add, this.id, one);
    let more = b.icmp(IntCC::Ult, next, size);
    let mut args = vec![next];
    args.extend(bounds);
    b.branch(more, (this.head, args), (then, Vec::new()));
}

/// Only items that wait for this region run; the others go to the latch with what they wait for.
fn skip_others(
    group: &mut Group,
    region: usize,
    head: Block,
    item: Value,
    start: Block,
    latch: Block,
    setup: Block,
) {
    let slot = group.next.expect("a slot for the next region");
    let base = group.slot_start(setup, slot);
    let address = group.slot_item(head, slot, base, item);
    let next = group.fetch(head, item::CODE, address);
    let mine = group.region_const(head, region as u32);
    let mut b = group.at(head);
    let runs = b.icmp(IntCC::Eq, next, mine);
    b.branch(runs, (start, Vec::new()), (latch, vec![next]));
}

/// The lowest and highest next region, with that of one more item. Items that are done count for neither.
fn widen_bounds(group: &mut Group, x: &Loop, code: Value) -> Vec<Value> {
    let mut b = group.at(x.latch);
    let low = b.binary(BinaryOp::UMin, x.bounds[0], code);
    let done = b.iconst(I32, u64::from(DONE));
    let zero = b.iconst(I32, 0);
    let is_done = b.icmp(IntCC::Eq, code, done);
    let counted = b.select(is_done, zero, code);
    let high = b.binary(BinaryOp::UMax, x.bounds[1], counted);
    vec![low, high]
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
