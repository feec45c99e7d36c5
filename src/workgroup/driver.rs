//! The control flow around the regions: for each, loops over all items of the group; then a branch to the next region.
//!
//! ```text
//! start:  fence or fold of the barrier before it          dispatch(low, high):
//! setup:  what all items share                              all done: return
//! z, y, x loops (`loops`) { the region's clone -> latch }    low != high: report
//! done:   the last item's exit decides, or dispatch          go to region low
//! ```
//!
//! Where all items that are alive leave by the same exit, real branches join the regions (`slice`), so that LLVM sees
//! the kernel's own loops; where some may have returned, each has noted that, but nobody looks while none has. Where
//! they may not, each item has noted its next region, and the lowest of those runs next, for the items that wait there
//! (`dispatch`). Numbers are such that cuts come before barriers, and barriers in layout order (the interpreter does
//! the same). Items that wait at two barriers at once are reported.

use crate::ir::cfg::Cfg;
use crate::ir::types::I32;
use crate::ir::{Block, BlockCall, CastOp, Function, IntCC, MemOrder, MemScope, Terminator, Value};

use super::collective;
use super::dispatch;
use super::group::Group;
use super::item;
use super::limit;
use super::loops::{self, Carry};
use super::regions::HeadKind;
use super::slice;
use super::wide::plan::{self, Plan};

/// Fills the group function and returns it, and how many regions can run several items at once.
pub fn run(mut group: Group) -> (Function, usize) {
    let dispatches = (0..group.regions.list.len()).any(|r| group.flow.by_dispatch(r));
    let dispatch = dispatches.then(|| dispatch::run(&mut group));
    let (entry, first) = (group.entry, group.starts[0]);
    group.at(entry).jump(first, Vec::new());
    let (mut wide_regions, mut item_regions) = (0, 0);
    for region in 0..group.regions.list.len() {
        match emit_region(&mut group, region, dispatch) {
            Some(Clones::Chunks) => wide_regions += 1,
            Some(Clones::Items) => item_regions += 1,
            None => {}
        }
    }
    let mut out = group.out;
    // Loops over regions without an exit have no latch; this drops what follows them.
    let layout = Cfg::compute(&out).reverse_postorder().collect();
    out.set_layout(layout);
    out.wide = item_regions == 0 && wide_regions > 0;
    (out, wide_regions)
}

/// How a region runs.
enum Clones {
    /// Several items at once, where there are enough.
    Chunks,
    /// One by one.
    Items,
}

/// `None` if no item has anything to do in the region.
fn emit_region(group: &mut Group, region: usize, dispatch: Option<Block>) -> Option<Clones> {
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
    let done = group.out.add_block();
    let results: Vec<Value> = carry
        .first()
        .iter()
        .map(|_| group.out.add_param(done, item::CODE))
        .collect();
    let idle = carry == Carry::Nothing
        && !group.flow.notes_next(group.regions, region)
        && limit::is_idle(group, region);
    let clones = match idle {
        true => {
            group.at(setup).jump(done, Vec::new());
            None
        }
        false => {
            let plan = chunk_plan(group, region);
            loops::run(group, region, setup, done, carry, plan);
            Some(plan.map_or(Clones::Items, |_| Clones::Chunks))
        }
    };
    match dispatch.filter(|_| by_dispatch) {
        Some(dispatch) => group.at(done).jump(dispatch, results),
        None if group.flow.together => after_items(group, region, done, results.first().copied()),
        None => go_on(group, region, done, results.first().copied()),
    }
    clones
}

/// How the region runs in chunks of several items in x, if it does.
fn chunk_plan<'a>(group: &Group<'a>, region: usize) -> Option<&'a Plan> {
    let input = plan::Input {
        func: group.func,
        regions: group.regions,
        crossing: group.crossing,
        region,
        // What the lanes do together has no other form.
        machine: match group.regions.has_lane_collectives(group.func, region) {
            true => None,
            false => group.machine,
        },
    };
    let plan = &group.plans[region];
    plan.get_or_init(|| plan::run(&input, group.lanes)).as_ref()
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
            dispatch::switch(group, done, code, cases, default);
        }
    }
}
