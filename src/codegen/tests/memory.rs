//! Globals, block moves, private variables, atomics and fences.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

#[test]
fn constants_point_to_each_other_and_globals_keep_their_state() {
    let text = "global g0 constant \"data\" align 4 = \"\\01\\00\\00\\00\\02\\00\\00\\00\"
        global g1 constant \"links\" align 8 = zero 24 reloc 8 g0 + 4 reloc 16 g1 + 0
        global g2 global \"counter\" align 4 = zero 4
        kernel fn0 @k(v0: ptr.global) {
        block0:
            v1: ptr.constant = global_addr g1
            v2: i64 = iconst 8
            v3: ptr.constant = ptr_add v1, v2
            v4: ptr.constant = load v3 align 8
            v5: i32 = load v4 align 4
            store v5, v0 align 4
            v6: ptr.constant = ptr_add v3, v2
            v7: ptr.constant = load v6 align 8
            v8: i1 = icmp eq v7, v1
            v9: i32 = zext v8
            v10: i64 = iconst 4
            v11: ptr.global = ptr_add v0, v10
            store v9, v11 align 4
            v12: ptr.global = global_addr g2
            v13: i32 = iconst 1
            v14: i32 = atomic_rmw add v12, v13 relaxed device
            v15: ptr.global = ptr_add v11, v10
            store v14, v15 align 4
            return }";
    let module = parse(text);
    let data = Data::new(&DataImage::new(&module)).map(Arc::new);
    let object = emit(&module, &Options::default()).expect("emits");
    let loaded = load_with(&object, data).expect("loads");
    let function = loaded.lookup("k").expect("links");
    for n in 0..3 {
        let mut out = [9u32; 3];
        run(function, &[out.as_mut_ptr() as u64]);
        assert_eq!(out, [2, 1, n]);
    }
}

#[test]
fn blocks_are_moved_and_filled() {
    for size in [1u64, 3, 16, 100, 5000] {
        let text = format!(
            "kernel fn0 @k(v0: ptr.global, v1: ptr.global, v2: i8) {{
            block0:
                memcpy v0, v1, {size} align 1
                v3: ptr.private = alloca {size} align 8
                memset v3, v2, {size} align 1
                v4: i64 = iconst {size}
                v5: ptr.global = ptr_add v0, v4
                memcpy v5, v3, {size} align 1
                return }}"
        );
        let size = size as usize;
        let input: Vec<u8> = (0..size).map(|n| n as u8).collect();
        let mut out = vec![0u8; 2 * size + 1];
        run_text(
            &text,
            &[out.as_mut_ptr() as u64, input.as_ptr() as u64, 0x5A],
        );
        assert_eq!(out[..size], input);
        assert!(out[size..2 * size].iter().all(|&b| b == 0x5A));
        assert_eq!(out[2 * size], 0);
    }
}

#[test]
fn accesses_take_any_alignment() {
    let text = "kernel fn0 @k(v0: ptr.global, v1: ptr.global) {
        block0:
            v2: f32x16 = load v1 align 1
            store v2, v0 align 1 volatile
            return }";
    let input: Vec<u8> = (0..80).collect();
    let mut out = vec![0u8; 80];
    // SAFETY: one byte into buffers that are long enough.
    let (to, from) = unsafe { (out.as_mut_ptr().add(1), input.as_ptr().add(3)) };
    run_text(text, &[to as u64, from as u64]);
    assert_eq!(out[1..65], input[3..67]);
    assert_eq!((out[0], out[65]), (0, 0));
}

#[test]
fn restrict_arguments_of_different_kinds_compute() {
    let text =
        "kernel fn0 @k(v0: ptr.global noalias, v1: ptr.global noalias readonly, v2: ptr.global) {
        block0:
            v3: i64 = iconst 0
            jump block1(v3)
        block1(v4: i64):
            v5: ptr.global = ptr_add v1, v4
            v6: f32 = load v5 align 4
            v7: f32 = load v2 align 4
            v8: f32 = fmul v6, v7
            v9: ptr.global = ptr_add v0, v4
            store v8, v9 align 4
            v10: i64 = iconst 4
            v11: i64 = iadd v4, v10
            v12: i64 = iconst 256
            v13: i1 = icmp ult v11, v12
            br v13, block1(v11), block2
        block2:
            return }";
    let input: Vec<f32> = (0..64).map(|n| n as f32).collect();
    let (mut out, factor) = (vec![0f32; 64], 2f32);
    let args = [
        out.as_mut_ptr() as u64,
        input.as_ptr() as u64,
        &raw const factor as u64,
    ];
    run_text(text, &args);
    assert!(out.iter().zip(&input).all(|(o, i)| *o == i * 2.0));
    let llvm = print(&parse(text), &Options::default(), Form::Llvm).expect("prints");
    assert!(
        llvm.contains("!alias.scope") && llvm.contains("!noalias"),
        "{llvm}"
    );
}

/// The result and the new content of one atomic operation on `space`.
fn atomic(space: &str, ty: &str, op: &str, old: u64, value: u64) -> (u64, u64) {
    let size = if ty.ends_with("64") { 8 } else { 4 };
    let (cell, bring) = match space {
        "local" => ("v9", "local l0: 8 align 8 \"cell\""),
        _ => ("v1", ""),
    };
    let address = match space {
        "local" => "v9: ptr.local = local_addr l0",
        _ => "",
    };
    let text = format!(
        "kernel fn0 @k(v0: ptr.global, v1: ptr.global, v2: {ty}) {{
        {bring}
        block0:
            {address}
            v3: {ty} = load v1 align {size}
            store v3, {cell} align {size}
            v4: {ty} = atomic_rmw {op} {cell}, v2 seq_cst device
            store v4, v0 align {size}
            v5: {ty} = load {cell} align {size}
            store v5, v1 align {size}
            return }}"
    );
    let loaded = loaded(&parse(&text), &Options::default());
    let (mut out, mut content) = (0u64, old);
    let args = [&raw mut out as u64, &raw mut content as u64, value];
    run(loaded.lookup("k").expect("links"), &args);
    (out, content)
}

#[test]
fn atomic_operations_give_the_old_value_and_store_the_new() {
    let minus = |ty: &str, n: i64| {
        if ty == "i64" {
            n as u64
        } else {
            u64::from(n as u32)
        }
    };
    for space in ["global", "local"] {
        for ty in ["i32", "i64"] {
            let (m5, p3) = (minus(ty, -5), 3);
            let cases = [
                ("xchg", p3),
                ("add", minus(ty, -2)),
                ("sub", minus(ty, -8)),
                ("and", m5 & p3),
                ("or", m5 | p3),
                ("xor", m5 ^ p3),
                ("smin", m5),
                ("smax", p3),
                ("umin", p3),
                ("umax", m5),
            ];
            for (op, want) in cases {
                assert_eq!(
                    atomic(space, ty, op, m5, p3),
                    (m5, want),
                    "{op} {ty} {space}"
                );
            }
        }
        for (op, want) in [
            ("fadd", 1.0f32),
            ("fmin", -1.5),
            ("fmax", 2.5),
            ("xchg", 2.5),
        ] {
            let bits = |x: f32| u64::from(x.to_bits());
            let got = atomic(space, "f32", op, bits(-1.5), bits(2.5));
            assert_eq!(got, (bits(-1.5), bits(want)), "{op} f32 {space}");
            let got = atomic(space, "f64", op, (-1.5f64).to_bits(), 2.5f64.to_bits());
            assert_eq!(
                got,
                ((-1.5f64).to_bits(), f64::from(want).to_bits()),
                "{op} f64 {space}"
            );
        }
    }
}

#[test]
fn compare_exchange_stores_only_on_a_match() {
    for (cell, ty) in [("v1", "i32"), ("v9", "i32"), ("v1", "f32"), ("v9", "f32")] {
        let text = format!(
            "kernel fn0 @k(v0: ptr.global, v1: ptr.global, v2: {ty}, v3: {ty}) {{
            local l0: 8 align 8 \"cell\"
            block0:
                v9: ptr.local = local_addr l0
                v4: {ty} = load v1 align 4
                store v4, {cell} align 4
                v5: {ty} = cmpxchg {cell}, v2, v3 acq_rel relaxed device
                store v5, v0 align 4
                v6: {ty} = load {cell} align 4
                store v6, v1 align 4
                return }}"
        );
        let loaded = loaded(&parse(&text), &Options::default());
        let function = loaded.lookup("k").expect("links");
        for (expected, want) in [(10u32, 20), (11, 10)] {
            let (mut out, mut content) = (0u32, 10u32);
            let args = [&raw mut out as u64, &raw mut content as u64];
            // The two values take 4 bytes each in the argument block.
            run(
                function,
                &[args[0], args[1], u64::from(expected) | 20 << 32],
            );
            assert_eq!((out, content), (10, want));
        }
    }
}

#[test]
fn atomics_of_several_threads_do_not_lose_updates() {
    let text = "kernel fn0 @k(v0: ptr.global, v1: ptr.global) {
        block0:
            v2: i32 = iconst 0
            jump block1(v2)
        block1(v3: i32):
            v4: i32 = iconst 1
            v5: i32 = atomic_rmw add v0, v4 relaxed device
            v6: f32 = fconst 1.0
            v7: f32 = atomic_rmw fadd v1, v6 relaxed device
            v8: i32 = iadd v3, v4
            v9: i32 = iconst 10000
            v10: i1 = icmp ult v8, v9
            br v10, block1(v8), block2
        block2:
            return }";
    let loaded = loaded(&parse(text), &Options::default());
    let function = loaded.lookup("k").expect("links");
    let (count, sum) = (AtomicU32::new(0), AtomicU32::new(0f32.to_bits()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| run(function, &[count.as_ptr() as u64, sum.as_ptr() as u64]));
        }
    });
    // Relaxed: joining the threads orders everything.
    assert_eq!(count.load(Ordering::Relaxed), 40_000);
    assert_eq!(f32::from_bits(sum.load(Ordering::Relaxed)), 40_000.0);
}

#[test]
fn every_order_and_scope_compiles() {
    let orders = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
    let scopes = [
        "work_item",
        "sub_group",
        "work_group",
        "device",
        "all_svm_devices",
    ];
    let mut body = String::new();
    let mut v = 2;
    for order in orders {
        for scope in scopes {
            body += &format!(
                "v{v}: i32 = atomic_load v0 {order} {scope}
                atomic_store v{v}, v0 {order} {scope}
                v{}: i32 = atomic_rmw add v0, v{v} {order} {scope}
                v{}: i32 = cmpxchg v0, v{v}, v1 {order} {order} {scope}
                fence {order} {scope} [local, global]\n",
                v + 1,
                v + 2
            );
            v += 3;
        }
    }
    let text = format!("kernel fn0 @k(v0: ptr.global, v1: i32) {{ block0: {body} return }}");
    let mut out = 0u32;
    run_text(&text, &[&raw mut out as u64, 0]);
}

#[test]
fn only_a_wide_fence_costs_an_instruction() {
    let assembly = |scope: &str| {
        let text = format!("kernel fn0 @k() {{ block0: fence seq_cst {scope} [global] return }}");
        print(&parse(&text), &Options::default(), Form::Assembly).expect("prints")
    };
    let fences = |text: &str| text.contains("mfence") || text.contains("lock");
    assert!(fences(&assembly("device")));
    assert!(!fences(&assembly("work_group")));
}

#[test]
fn what_llvm_makes_of_loops_is_linked() {
    // The length of a string, the shape of which LLVM knows; and a copy that may overlap.
    let text = "kernel fn0 @k(v0: ptr.global, v1: ptr.global) {
        block0:
            v2: i64 = iconst 1
            v3: i64 = iconst 0
            v4: i8 = iconst 0
            jump block1(v0)
        block1(v5: ptr.global):
            v6: i8 = load v5 align 1
            v7: ptr.global = ptr_add v5, v2
            v8: i1 = icmp ne v6, v4
            br v8, block1(v7), block2(v3)
        block2(v9: i64):
            v10: ptr.global = ptr_add v0, v9
            v11: i64 = iadd v9, v2
            v12: ptr.global = ptr_add v0, v11
            v13: i8 = load v12 align 1
            store v13, v10 align 1
            v14: i64 = iconst 9
            v15: i1 = icmp ult v11, v14
            br v15, block2(v11), block3
        block3:
            v16: i64 = ptrtoint v0
            v17: i64 = ptrtoint v5
            v18: i64 = isub v17, v16
            store v18, v1 align 8
            return }";
    for (optimize, want) in [(true, b"bcdefghi\0\0"), (false, b"bcdefghi\0\0")] {
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&parse(text), &options);
        let (mut string, mut length) = (*b"abcdefghi\0", 0u64);
        let args = [string.as_mut_ptr() as u64, &raw mut length as u64];
        run(loaded.lookup("k").expect("links"), &args);
        assert_eq!((length, &string), (9, want));
    }
}
