//! The part of the table about what work-items of a group or a sub-group do together: work-group collectives (OpenCL C
//! 3.0, 6.15.16, with cl_khr_work_group_uniform_arithmetic) and sub-groups (6.15.19 and the cl_khr_subgroup_ families).

use super::table::Table;
use super::{FoldKind, Lowering, Special, TeamFunction, TeamOp, Whose};

/// The operands of work-group functions.
const ARITH: [&str; 6] = ["int", "uint", "long", "ulong", "float", "double"];
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
