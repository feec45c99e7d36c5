//! The part of the table about what work-items of a group or a sub-group do together: work-group collectives (OpenCL C
//! 3.0, 6.15.16, with cl_khr_work_group_uniform_arithmetic) and sub-groups (6.15.19 and the cl_khr_subgroup_ families).

use super::table::Table;
use super::{BallotPart, FoldKind, Index, Lowering, Special, TeamFunction, TeamOp, Whose};
use crate::ir::WorkItemQuery;

/// The operands of work-group functions.
const ARITH: [&str; 7] = ["int", "uint", "long", "ulong", "half", "float", "double"];
const INTS: [&str; 4] = ["int", "uint", "long", "ulong"];

const FOLDS: [(&str, FoldKind); 3] = [
    ("add", FoldKind::Add),
    ("min", FoldKind::Min),
    ("max", FoldKind::Max),
];
const BITS: [(&str, FoldKind); 3] = [
    ("and", FoldKind::And),
    ("or", FoldKind::Or),
    ("xor", FoldKind::Xor),
];
const LOGICAL: [(&str, FoldKind); 3] = [
    ("logical_and", FoldKind::LogicalAnd),
    ("logical_or", FoldKind::LogicalOr),
    ("logical_xor", FoldKind::LogicalXor),
];

type Form = fn(FoldKind) -> TeamOp;

/// `reduce`, and the two scans.
const FORMS: [(&str, Form); 3] = [
    ("reduce", TeamOp::Reduce),
    ("scan_inclusive", TeamOp::ScanInclusive),
    ("scan_exclusive", TeamOp::ScanExclusive),
];

fn lowering(whose: Whose, op: TeamOp) -> Lowering {
    Lowering::Special(Special::Team(TeamFunction { whose, op }))
}

/// One signature for each type, which stands for `$`.
fn each(types: &[&str], form: &str) -> String {
    let forms: Vec<String> = types.iter().map(|ty| form.replace('$', ty)).collect();
    forms.join(" | ")
}

/// `{prefix}_{reduce, scan_inclusive, scan_exclusive}_{op}`
fn folds(
    t: &mut Table,
    since: u32,
    prefix: &str,
    whose: Whose,
    ops: &[(&str, FoldKind)],
    types: &str,
) {
    for (form, make) in FORMS {
        for &(op, kind) in ops {
            let name = format!("{prefix}_{form}_{op}");
            t.since(since, &name, types, lowering(whose, make(kind)));
        }
    }
}

/// Work-group functions.
pub(super) fn work_group(t: &mut Table) {
    let whose = Whose::Group;
    t.since(
        200,
        "work_group_all",
        "int(int)",
        lowering(whose, TeamOp::All),
    );
    t.since(
        200,
        "work_group_any",
        "int(int)",
        lowering(whose, TeamOp::Any),
    );
    let broadcast = [
        "$($,size_t)",
        "$($,size_t,size_t)",
        "$($,size_t,size_t,size_t)",
    ]
    .map(|form| each(&ARITH, form))
    .join(" | ");
    t.since(
        200,
        "work_group_broadcast",
        &broadcast,
        lowering(whose, TeamOp::Broadcast),
    );
    let arith = each(&ARITH, "$($)");
    folds(t, 200, "work_group", whose, &FOLDS, &arith);
    // cl_khr_work_group_uniform_arithmetic
    folds(
        t,
        200,
        "work_group",
        whose,
        &[("mul", FoldKind::Mul)],
        &arith,
    );
    folds(t, 200, "work_group", whose, &BITS, &each(&INTS, "$($)"));
    folds(t, 200, "work_group", whose, &LOGICAL, "int(int)");
}

/// Integer scalars.
const ALL_INTS: [&str; 8] = [
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
];

/// Sub-group functions.
pub(super) fn sub_group(t: &mut Table) {
    use WorkItemQuery as Q;
    for (name, query) in [
        ("get_sub_group_size", Q::SubGroupSize),
        ("get_max_sub_group_size", Q::MaxSubGroupSize),
        ("get_num_sub_groups", Q::NumSubGroups),
        ("get_enqueued_num_sub_groups", Q::EnqueuedNumSubGroups),
        ("get_sub_group_id", Q::SubGroupId),
        ("get_sub_group_local_id", Q::SubGroupLocalId),
    ] {
        t.add(name, "uint()", Lowering::WorkItem(query));
    }
    t.add(
        "sub_group_barrier",
        "void(cl_mem_fence_flags) | void(cl_mem_fence_flags,memory_scope)",
        Lowering::Special(Special::SubGroupBarrier),
    );
    let whose = Whose::SubGroup;
    // Those that all work-items must come to can be those that need not.
    t.add(
        "sub_group_all sub_group_non_uniform_all",
        "int(int)",
        lowering(whose, TeamOp::All),
    );
    t.add(
        "sub_group_any sub_group_non_uniform_any",
        "int(int)",
        lowering(whose, TeamOp::Any),
    );
    folds(t, 100, "sub_group", whose, &FOLDS, "S(S)");
    let prefix = "sub_group_non_uniform";
    let bits = each(&ALL_INTS, "$($)");
    folds(t, 100, prefix, whose, &FOLDS, "S(S)");
    folds(t, 100, prefix, whose, &[("mul", FoldKind::Mul)], "S(S)");
    folds(t, 100, prefix, whose, &BITS, &bits);
    folds(t, 100, prefix, whose, &LOGICAL, "int(int)");
    votes_and_ballots(t);
    shuffles(t);
    clusters(t);
}

/// cl_khr_subgroup_non_uniform_vote, cl_khr_subgroup_ballot
fn votes_and_ballots(t: &mut Table) {
    let whose = Whose::SubGroup;
    t.add("sub_group_elect", "int()", lowering(whose, TeamOp::Elect));
    t.add(
        "sub_group_non_uniform_all_equal",
        "int(S)",
        lowering(whose, TeamOp::AllEqual),
    );
    t.add(
        "sub_group_ballot",
        "uint4(int)",
        lowering(whose, TeamOp::Ballot),
    );
    for (name, signature, part) in [
        ("sub_group_inverse_ballot", "int(uint4)", BallotPart::Own),
        (
            "sub_group_ballot_bit_extract",
            "int(uint4,uint)",
            BallotPart::Extract,
        ),
        (
            "sub_group_ballot_bit_count",
            "uint(uint4)",
            BallotPart::Count,
        ),
        (
            "sub_group_ballot_inclusive_scan",
            "uint(uint4)",
            BallotPart::CountUpTo,
        ),
        (
            "sub_group_ballot_exclusive_scan",
            "uint(uint4)",
            BallotPart::CountBefore,
        ),
        (
            "sub_group_ballot_find_lsb",
            "uint(uint4)",
            BallotPart::FindLsb,
        ),
        (
            "sub_group_ballot_find_msb",
            "uint(uint4)",
            BallotPart::FindMsb,
        ),
        ("get_sub_group_eq_mask", "uint4()", BallotPart::MaskEq),
        ("get_sub_group_ge_mask", "uint4()", BallotPart::MaskGe),
        ("get_sub_group_gt_mask", "uint4()", BallotPart::MaskGt),
        ("get_sub_group_le_mask", "uint4()", BallotPart::MaskLe),
        ("get_sub_group_lt_mask", "uint4()", BallotPart::MaskLt),
    ] {
        t.add(name, signature, lowering(whose, TeamOp::OfBallot(part)));
    }
}

/// Broadcasts, cl_khr_subgroup_shuffle, _shuffle_relative and _rotate
fn shuffles(t: &mut Table) {
    for (names, signature, index) in [
        (
            "sub_group_broadcast sub_group_non_uniform_broadcast",
            "A(A,uint)",
            Index::Argument,
        ),
        ("sub_group_broadcast_first", "S(S)", Index::First),
        ("sub_group_shuffle", "S(S,uint)", Index::Argument),
        ("sub_group_shuffle_xor", "S(S,uint)", Index::Xor),
        ("sub_group_shuffle_up", "S(S,uint)", Index::Up),
        ("sub_group_shuffle_down", "S(S,uint)", Index::Down),
        ("sub_group_rotate", "S(S,int)", Index::Rotate),
        (
            "sub_group_clustered_rotate",
            "S(S,int,uint)",
            Index::RotateInCluster,
        ),
    ] {
        t.add(
            names,
            signature,
            lowering(Whose::SubGroup, TeamOp::Pick(index)),
        );
    }
}

/// cl_khr_subgroup_clustered_reduce
fn clusters(t: &mut Table) {
    let bits = each(&ALL_INTS, "$($,uint)");
    let arith = FOLDS.iter().chain(&[("mul", FoldKind::Mul)]);
    let arith = arith.map(|&fold| (fold, "S(S,uint)"));
    let bitwise = BITS.map(|fold| (fold, &bits[..]));
    let logical = LOGICAL.map(|fold| (fold, "int(int,uint)"));
    for ((op, kind), signature) in arith.chain(bitwise).chain(logical) {
        let name = format!("sub_group_clustered_reduce_{op}");
        t.add(
            &name,
            signature,
            lowering(Whose::Cluster, TeamOp::Reduce(kind)),
        );
    }
}
