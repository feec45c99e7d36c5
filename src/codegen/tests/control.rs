//! Control flow, calls, and what bounds the stack.

use super::*;

#[test]
fn loops_and_branches_run() {
    // Sums 1..=n, odd numbers twice.
    let text = "kernel fn0 @k(v0: ptr.global) {
        block0:
            v1: i32 = load v0 align 4
            v2: i32 = iconst 0
            v3: i32 = iconst 1
            jump block1(v2, v3)
        block1(v4: i32, v5: i32):
            v6: i1 = icmp sle v5, v1
            br v6, block2, block4
        block2:
            v7: i32 = and v5, v3
            v8: i1 = icmp eq v7, v3
            v9: i32 = iadd v4, v5
            v10: i32 = iadd v9, v5
            br v8, block3(v10), block3(v9)
        block3(v11: i32):
            v12: i32 = iadd v5, v3
            jump block1(v11, v12)
        block4:
            store v4, v0 align 4
            return }";
    let mut out = 10u32;
    run_text(text, &[&raw mut out as u64]);
    // The second run starts from the first one's result, 80.
    assert_eq!(out, 80 * 81 / 2 + 40 * 40);
}

#[test]
fn edges_to_one_block_may_pass_different_values() {
    let text = "kernel fn0 @k(v0: ptr.global) {
        block0:
            v1: i32 = load v0 align 4
            v2: i32 = iconst 100
            v3: i32 = iconst 200
            v4: i32 = iconst 300
            switch v1, block1(v4), [1: block1(v2), 2: block1(v3), 3: block1(v3), -1: block1(v2), 9: block2]
        block1(v5: i32):
            store v5, v0 align 4
            return
        block2:
            store v2, v0 align 4
            unreachable }";
    for optimize in [true, false] {
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&parse(text), &options);
        let function = loaded.lookup("k").expect("links");
        for (input, want) in [
            (1, 100),
            (2, 200),
            (3, 200),
            (u32::MAX, 100),
            (9, 100),
            (50, 300),
        ] {
            let mut out = input;
            run(function, &[&raw mut out as u64]);
            assert_eq!(out, want, "case {input}");
        }
    }
}

#[test]
fn a_loop_may_go_back_to_the_entry() {
    let text = "kernel fn0 @k(v0: ptr.global, v1: i32) {
        block0:
            v2: i32 = load v0 align 4
            v3: i32 = iconst 1
            v4: i32 = iadd v2, v3
            store v4, v0 align 4
            v5: i32 = isub v1, v3
            v6: i32 = iconst 0
            v7: i1 = icmp ne v5, v6
            br v7, block0(v0, v5), block1
        block1:
            return }";
    let mut out = 0u32;
    run_text(text, &[&raw mut out as u64, 7]);
    assert_eq!(out, 14);
}

#[test]
fn an_endless_loop_is_kept_and_dead_blocks_are_dropped() {
    let text = "kernel fn0 @k(v0: ptr.global) {
        block0:
            v1: i32 = load v0 align 4 volatile
            v2: i32 = iconst 0
            v3: i1 = icmp eq v1, v2
            br v3, block1, block2
        block1:
            jump block1
        block2:
            return
        block3:
            v4: i32 = iadd v1, v1
            jump block2 }";
    let assembly = print(&parse(text), &Options::default(), Form::Assembly).expect("prints");
    assert!(assembly.contains("jmp"), "{assembly}");
    let mut out = 1u32;
    run_text(text, &[&raw mut out as u64]);
}

#[test]
fn internal_functions_take_and_give_all_types() {
    let text = "func fn0 @pick(v0: i1, v1: f32x3, v2: f32x3) -> f32x3 {
        block0:
            v3: f32x3 = select v0, v1, v2
            return v3
        }
        func fn1 @is_big(v0: f64) -> i1 {
        block0:
            v1: f64 = fconst 10.0
            v2: i1 = fcmp ogt v0, v1
            return v2
        }
        func fn2 @put(v0: ptr.global noalias, v1: f32x3) {
        block0:
            store v1, v0 align 4
            return
        }
        kernel fn3 @k(v0: ptr.global, v1: f64) {
        block0:
            v2: f32x3 = fconst 1.0
            v3: f32x3 = fconst 2.0
            v4: i1 = call fn1 @is_big(v1)
            v5: f32x3 = call fn0 @pick(v4, v2, v3)
            call fn2 @put(v0, v5)
            return }";
    let mut out = [0f32; 4];
    run_text(text, &[out.as_mut_ptr() as u64, 11f64.to_bits()]);
    assert_eq!(out, [1.0, 1.0, 1.0, 0.0]);
    run_text(text, &[out.as_mut_ptr() as u64, f64::NAN.to_bits()]);
    assert_eq!(out, [2.0, 2.0, 2.0, 0.0]);
}

#[test]
fn undef_is_one_value() {
    let text = "kernel fn0 @k(v0: ptr.global) {
        block0:
            v1: i32 = undef
            v2: i32 = ixor v1, v1
            v3: i1 = icmp eq v1, v1
            v4: i32 = iconst 1
            v5: i32 = select v3, v4, v2
            v6: i32 = iadd v5, v2
            store v6, v0 align 4
            return }";
    let text = text.replace("ixor", "xor");
    let mut out = 0u32;
    run_text(&text, &[&raw mut out as u64]);
    assert_eq!(out, 1);
}

#[test]
fn what_was_left_as_a_call_stays_one() {
    // A switch of a few lines: LLVM's inliner would take it for small at each of its calls, however many they are.
    let callee = "func fn0 @pick(v0: i32, v1: i32) -> i32 {
        block0:
            v2: i32 = iadd v0, v1
            v3: i32 = imul v0, v1
            switch v0, block1(v1), [1: block1(v2), 2: block1(v3), 3: block1(v0)]
        block1(v4: i32):
            return v4 }";
    let calls: String = (2..34)
        .map(|n| format!("v{n}: i32 = call fn0 @pick(v1, v{})\n", n - 1))
        .collect();
    let kernel = format!(
        "kernel fn1 @k(v0: ptr.global) {{
        block0:
            v1: i32 = load v0 align 4
            {calls}
            store v33, v0 align 4
            return }}"
    );
    let module = parse(&format!("{callee}\n{kernel}"));
    let text = print(&module, &Options::default(), Form::OptimizedLlvm).expect("prints");
    assert_eq!(text.matches("call fastcc").count(), 32, "{text}");
}

#[test]
fn too_much_stack_is_an_error_along_a_chain_of_calls() {
    let text = "func fn0 @leaf(v0: ptr.global) {
        block0:
            v1: ptr.private = alloca 150000 align 16
            v2: i32 = load v1 align 4
            store v2, v0 align 4
            return
        }
        kernel fn1 @k(v0: ptr.global) {
        block0:
            v1: ptr.private = alloca 150000 align 16
            v2: i32 = load v1 align 4
            store v2, v0 align 4
            call fn0 @leaf(v0)
            return }";
    let error = emit(&parse(text), &Options::default());
    assert!(error.is_err_and(|e| e.contains("private variables")));
    assert!(
        emit(
            &parse(&text.replacen("150000", "1000", 1)),
            &Options::default()
        )
        .is_ok()
    );
}

#[test]
fn recursion_is_an_error() {
    let text = "func fn0 @f() { block0: call fn0 @f() return }
        kernel fn1 @k() { block0: call fn0 @f() return }";
    assert!(emit(&parse(text), &Options::default()).is_err());
}
