//! The compiler as a whole: sources to programs.

use super::{BuildError, build};

#[test]
fn a_kernel_with_a_barrier_builds() {
    let source = "kernel void reverse(global int *p, local int *tile) {\n\
                  int i = get_local_id(0), n = get_local_size(0);\n\
                  tile[i] = p[get_global_id(0)];\n\
                  barrier(CLK_LOCAL_MEM_FENCE);\n\
                  p[get_global_id(0)] = tile[n - 1 - i]; }\n";
    let output = build(source, "", &[]);
    let program = output.result.expect(&output.log);
    let kernel = &program.kernels[0];
    assert_eq!(kernel.name, "reverse");
    assert_eq!(kernel.params[1].type_name, "int*");
}

#[test]
fn errors_are_in_the_log_in_clangs_form() {
    let output = build("kernel void k(global int *p) { *p = x; y(); }", "", &[]);
    assert_eq!(output.result.err(), Some(BuildError::Failed));
    assert!(
        output
            .log
            .contains("<program source>:1:37: error: use of undeclared identifier 'x'"),
        "{}",
        output.log
    );
    assert!(output.log.contains("2 errors generated."), "{}", output.log);
}

#[test]
fn an_unknown_option_is_an_error() {
    let output = build("", "-cl-no-such-thing", &[]);
    assert_eq!(output.result.err(), Some(BuildError::InvalidOptions));
}

/// A kernel with `n` barriers, each behind a condition on an argument, in loops nested 16 barriers deep.
fn guarded_barriers(n: usize) -> String {
    let mut source = String::from(
        "kernel void k(global int *p, local int *t, int m, int it) {\n\
         int l = get_local_id(0), a = p[l];\n",
    );
    for i in 0..n {
        if i % 16 == 0 {
            source += &format!("for (int i{i} = 0; i{i} < it; i{i}++) {{\n");
        }
        source += &format!(
            "if (m & {}) {{ t[l] = a + {i}; barrier(CLK_LOCAL_MEM_FENCE); a += t[l / 2]; }}\n",
            1u32 << (i % 31)
        );
    }
    source + &"}".repeat(n.div_ceil(16)) + "p[l] = a; }\n"
}

#[test]
fn guarded_barriers_in_nested_loops_cost_linear_code() {
    let size = |n| {
        let (module, groups) = super::stages::group(&guarded_barriers(n), "").expect("builds");
        module
            .body(groups[0].group)
            .expect("has a body")
            .num_insts()
    };
    let (some, twice) = (size(32), size(64));
    assert!(
        twice < some * 5 / 2,
        "32 barriers take {some} instructions, 64 take {twice}"
    );
}
