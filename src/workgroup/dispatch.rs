//! Where items of a group may wait in different regions: finding out which region is next.

use crate::ir::types::I32;
use crate::ir::{BinaryOp, Block, BlockCall, Divergent, InstData, IntCC, Terminator, Value};

use super::group::Group;
use super::item;
use super::regions::HeadKind;

/// Takes the lowest and the highest region that items wait for, and goes to the lowest.
pub fn run(group: &mut Group) -> Block {
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
        let first = group.regions.first_of_group(group.func) as u64;
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
        let slot = group.next.expect("a slot for the next region");
        let next = group.slot_start(report, slot);
        let mut b = group.at(report);
        b.push(
            InstData::ReportDivergence(Divergent {
                lines: [barrier_a, barrier_b],
                regions: [low, high],
                next,
            }),
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

/// Branches to one of the cases by the value, which is the number of a region.
pub fn switch(
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
