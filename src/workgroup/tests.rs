//! Tests of the pass as a whole.

use super::*;
use crate::ir::{parse_module, verify};

/// Runs the pass on the one kernel of `text`; both results must be valid.
fn group_of(text: &str, options: Options) -> (Module, GroupKernel) {
    let mut module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = verify(&module) {
        panic!("{errors:?}\n{text}");
    }
    let kernel = module.kernels().next().expect("a kernel");
    let group = run(&mut module, kernel, options).expect("the pass takes it");
    if let Err(errors) = verify(&module) {
        let list: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
        panic!("{}\n{module}", list.join("\n"));
    }
    (module, group)
}

#[test]
fn a_kernel_with_barriers_in_a_loop_becomes_three_regions() {
    let (module, group) = group_of(
        r#"
kernel fn0 @k(v0: ptr.global, v1: i32) {
    local l0: 1024 align 4 "tile"
block0:
    v2: i64 = work_item local_id 0
    v3: i64 = iconst 4
    v4: i64 = imul v2, v3
    v5: ptr.local = local_addr l0
    v6: ptr.local = ptr_add v5, v4
    v7: i32 = iconst 0
    jump block1(v7, v7)
block1(v8: i32, v9: i32):
    v10: i1 = icmp slt v8, v1
    br v10, block2, block4
block2:
    store v9, v6 align 4
    barrier [local] work_group line 5, block3
block3:
    v11: i32 = load v5 align 4
    v12: i32 = iadd v9, v11
    v13: i32 = iconst 1
    v14: i32 = iadd v8, v13
    barrier [local] work_group line 7, block1(v14, v12)
block4:
    v15: ptr.global = ptr_add v0, v4
    store v9, v15 align 4
    return
}
"#,
        Options::default(),
    );
    assert_eq!(group.regions, 3);
    // The loop's counter is a value of the group function, the sum is kept for each item (before and after in one place).
    assert_eq!((group.scratch_fixed, group.scratch_per_item), (0, 4));
    assert!(module.body(group.func).is_some_and(|f| f.group));
}

/// A loop that items leave at different times, and what is the same in all its rounds and behind it: a constant, and what is
/// passed on whatever the number of rounds.
#[test]
fn what_items_do_not_choose_does_not_keep_groups_from_being_joined() {
    let (_, group) = group_of(
        r#"
kernel fn0 @k(v0: ptr.global, v1: i32) {
    local l0: 4 align 4 "tile"
block0:
    v2: i64 = work_item local_id 0
    v3: i32 = trunc v2
    v4: i32 = iconst 0
    jump block1(v3)
block1(v5: i32):
    v6: i32 = iconst 1
    v7: i1 = icmp slt v5, v1
    br v7, block2, block3(v4)
block2:
    v8: i32 = iadd v5, v6
    jump block1(v8)
block3(v9: i32):
    v10: i1 = icmp slt v9, v1
    br v10, block4, block6
block4:
    v11: ptr.local = local_addr l0
    store v9, v11 align 4
    barrier [local] work_group line 5, block5
block5:
    v12: i32 = iadd v9, v6
    barrier [local] work_group line 7, block3(v12)
block6:
    return
}
"#,
        Options::default(),
    );
    let all = Sharing {
        joins: true,
        rows: false,
        x: true,
        y: true,
    };
    assert_eq!(group.sharing, all);
}

/// How often an item goes round decides what it has after that.
#[test]
fn groups_that_differ_by_how_long_a_loop_runs_are_not_joined() {
    let (_, group) = group_of(
        r#"
kernel fn0 @k(v0: ptr.global, v1: i32) {
    local l0: 4 align 4 "tile"
block0:
    v2: i64 = work_item group_id 0
    v3: i32 = trunc v2
    v4: i32 = iconst 0
    jump block1(v4, v4)
block1(v5: i32, v6: i32):
    v7: i32 = iconst 1
    v8: i1 = icmp slt v6, v3
    br v8, block2, block3(v5)
block2:
    v9: i32 = iadd v5, v7
    v10: i32 = iadd v6, v7
    jump block1(v9, v10)
block3(v11: i32):
    v12: i1 = icmp slt v11, v1
    br v12, block4, block6
block4:
    v13: ptr.local = local_addr l0
    store v11, v13 align 4
    barrier [local] work_group line 5, block5
block5:
    v14: i32 = iadd v11, v7
    barrier [local] work_group line 7, block3(v14)
block6:
    return
}
"#,
        Options::default(),
    );
    assert_eq!(group.sharing, Sharing::default());
}
