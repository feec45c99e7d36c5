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
