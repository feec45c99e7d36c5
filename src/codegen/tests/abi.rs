//! The launch ABI: the argument block, what the group and the launch tell, and the calls back into the runtime.

use std::sync::Mutex;

use super::*;
use crate::ir::abi::args_layout;

#[test]
fn arguments_stand_at_natural_alignment_in_order() {
    let text =
        "kernel fn0 @k(v0: i8, v1: f32x3, v2: i16, v3: ptr.constant by_value(12, 4), v4: f64x16,
        v5: ptr.local, v6: i1) { block0: return }";
    let module = parse(text);
    let (offsets, size) = args_layout(module.body(FuncId::new(0)).expect("has a body"));
    assert_eq!(offsets, [0, 16, 32, 36, 128, 256, 264]);
    assert_eq!(size, 265);
}

#[test]
fn every_kind_of_argument_arrives() {
    let text = "kernel fn0 @k(v0: ptr.global, v1: i8, v2: f32x3, v3: ptr.constant by_value(12, 4), v4: i1) {
        block0:
            v5: i64 = iconst 8
            store v1, v0 align 1
            v6: ptr.global = ptr_add v0, v5
            v7: f32 = extract v2, 2
            store v7, v6 align 4
            v8: i64 = iconst 4
            v9: ptr.constant = ptr_add v3, v8
            v10: i32 = load v9 align 4
            v11: i64 = iconst 12
            v12: ptr.global = ptr_add v0, v11
            store v10, v12 align 4
            v13: i64 = iconst 16
            v14: ptr.global = ptr_add v0, v13
            store v4, v14 align 1
            return }";
    let module = parse(text);
    let (offsets, _) = args_layout(module.body(FuncId::new(0)).expect("has a body"));
    let loaded = loaded(&module, &Options::default());
    let mut out = Aligned([0xEEu8; 128]);
    let mut block = [0u64; 8];
    // SAFETY: the block has 64 bytes and the offsets lie within.
    let bytes = unsafe { std::slice::from_raw_parts_mut(block.as_mut_ptr().cast::<u8>(), 64) };
    let mut put = |n: usize, data: &[u8]| {
        bytes[offsets[n] as usize..][..data.len()].copy_from_slice(data);
    };
    put(0, &(out.0.as_mut_ptr() as u64).to_ne_bytes());
    put(1, &[0x77]);
    put(2, &[1f32, 2.0, 3.0].map(f32::to_ne_bytes).concat());
    put(3, &[10u32, 20, 30].map(u32::to_ne_bytes).concat());
    put(4, &[1]);
    run(loaded.lookup("k").expect("links"), &block);
    assert_eq!(out.0[0], 0x77);
    assert_eq!(out.0[1], 0xEE);
    assert_eq!(out.0[8..12], 3f32.to_ne_bytes());
    assert_eq!(out.0[12..16], 20u32.to_ne_bytes());
    assert_eq!(out.0[16], 1);
}

/// Stores `query` of each dimension; also from a function that is called.
fn query_kernel(query: WorkItemQuery, called: bool) -> Module {
    let ask = move |b: &mut Builder, out: Value| {
        for dim in 0..3u8 {
            let value = b.work_item(
                query,
                if query == WorkItemQuery::WorkDim {
                    0
                } else {
                    dim
                },
            );
            let at = b.iconst(I64, u64::from(dim) * 8);
            let place = b.ptr_add(out, at);
            b.store(value, place, 4, false);
        }
    };
    let mut module = Module::new();
    if called {
        let mut helper = group_function("helper", &[GLOBAL], |b, p| ask(b, p[0]));
        helper.group = false;
        helper.kernel = None;
        let id = module.add_function(helper);
        module.add_function(group_function("k", &[GLOBAL], |b, p| {
            b.call(id, vec![p[0]], None);
        }));
    } else {
        module.add_function(group_function("k", &[GLOBAL], |b, p| ask(b, p[0])));
    }
    module
}

#[test]
fn queries_read_the_group_and_the_launch() {
    use WorkItemQuery::*;
    let answers = [
        (GroupId, [7, 8, 9]),
        (LocalSize, [2, 3, 4]),
        (GlobalSize, [40, 50, 60]),
        (EnqueuedLocalSize, [4, 5, 6]),
        (NumGroups, [10, 11, 12]),
        (GlobalOffset, [1, 2, 3]),
        (WorkDim, [3, 3, 3]),
    ];
    for (query, want) in answers {
        for called in [false, true] {
            let loaded = loaded(&query_kernel(query, called), &Options::default());
            let mut out = [0u64; 3];
            run(
                loaded.lookup("k").expect("links"),
                &[out.as_mut_ptr() as u64],
            );
            assert_eq!(out, want, "{query:?}");
        }
    }
}

#[test]
fn what_only_a_work_item_has_is_refused() {
    use WorkItemQuery::*;
    for query in [GlobalId, LocalId, GlobalLinearId, LocalLinearId] {
        let error = emit(&query_kernel(query, false), &Options::default());
        assert!(error.is_err_and(|e| e.starts_with("k: ")), "{query:?}");
    }
    let barrier =
        "kernel fn0 @k() { block0: barrier [local] work_group line 1, block1 block1: return }";
    assert!(emit(&parse(barrier), &Options::default()).is_err());
}

#[test]
fn a_call_of_a_function_without_a_body_is_an_error() {
    let text = "declare fn0 @nowhere kernel fn1 @k() { block0: call fn0 @nowhere() return }";
    let error = emit(&parse(text), &Options::default());
    assert_eq!(error, Err("k: call of undefined function nowhere".into()));
}

#[test]
fn local_pointers_scratch_and_local_variables_lead_into_the_group() {
    let text = "kernel fn0 @k(v0: ptr.global, v1: ptr.local) {
        local l0: 4 align 4 \"a\"
        local l1: 16 align 16 \"b\"
        block0:
            v2: ptr.local = local_addr l0
            v3: ptr.local = local_addr l1
            v4: ptr.private = scratch_base
            v5: i64 = ptrtoint v2
            store v5, v0 align 8
            v6: i64 = iconst 8
            v7: ptr.global = ptr_add v0, v6
            v8: i64 = ptrtoint v3
            store v8, v7 align 8
            v9: ptr.global = ptr_add v7, v6
            v10: i64 = ptrtoint v1
            store v10, v9 align 8
            v11: ptr.global = ptr_add v9, v6
            v12: i64 = ptrtoint v4
            store v12, v11 align 8
            return }";
    for optimize in [true, false] {
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&parse(text), &options);
        let mut out = [0u64; 4];
        run(
            loaded.lookup("k").expect("links"),
            &[out.as_mut_ptr() as u64, 128],
        );
        let [a, b, argument, scratch] = out;
        assert_eq!((b - a, argument - a), (16, 128));
        assert_eq!((a % 128, scratch % 128), (0, 0));
    }
}

/// What the hook was given: format, argument words.
static PRINTED: Mutex<Vec<(String, Vec<u64>)>> = Mutex::new(Vec::new());

unsafe extern "C" fn record(_: *const Launch, format: *const u8, args: *const u64, count: u32) {
    // SAFETY: the format ends with a NUL, and the words are as `abi::PrintfFn` says.
    unsafe {
        let format = std::ffi::CStr::from_ptr(format.cast());
        let mut words = Vec::new();
        let mut at = 0;
        for _ in 0..count {
            let lanes = (*args.add(at) >> 16) & 0xFFFF;
            for _ in 0..=lanes {
                words.push(*args.add(at));
                at += 1;
            }
        }
        let entry = (format.to_string_lossy().into_owned(), words);
        PRINTED.lock().expect("no panic holds it").push(entry);
    }
}

#[test]
fn printf_packs_its_arguments() {
    let text = "global g0 constant \"f\" align 1 = \"%d %s\\0a\\00\"
        global g1 constant \"s\" align 1 = \"text\\00\"
        kernel fn0 @k() {
        block0:
            v0: i8 = iconst -2
            v1: f32 = fconst 1.5
            v2: f16x3 = fconst 2.0
            v3: i64 = iconst -3
            v4: ptr.constant = global_addr g1
            v5: i32 = printf g0(v0, v1, v2, v3)
            v6: i32 = printf g0(v4)
            v7: i32 = printf g0()
            return }";
    for optimize in [true, false] {
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&parse(text), &options);
        let launch = Launch {
            printf: record,
            ..launch()
        };
        run_with(loaded.lookup("k").expect("links"), &[], &launch);
        let printed = std::mem::take(&mut *PRINTED.lock().expect("no panic holds it"));
        assert_eq!(printed.len(), 3);
        assert_eq!(printed[0].0, "%d %s\n");
        let two = 2f64.to_bits();
        let want = [
            0x1_01_00,
            0xFE,
            0x1_04_01,
            1.5f64.to_bits(),
            0x3_02_01,
            two,
            two,
            two,
            0x1_08_00,
            -3i64 as u64,
        ];
        assert_eq!(printed[0].1, want);
        assert_eq!(printed[1].1[0], 0x1_08_02);
        // SAFETY: the string is a constant of the module, which is still loaded.
        let string = unsafe { std::ffi::CStr::from_ptr(printed[1].1[1] as *const _) };
        assert_eq!(string.to_str(), Ok("text"));
        assert!(printed[2].1.is_empty());
    }
}

unsafe extern "C" fn no_device(_: *const abi::Launch, _: u32, _: *const u64, _: u32) -> u64 {
    0
}

unsafe extern "C" fn note_divergence(
    group: *const Group,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    next: *const u32,
) {
    // SAFETY: the group is the one that `run_with` made, and `user` is this test's; the kernel has stored a number.
    unsafe { *(*(*group).launch).user.cast::<[u32; 5]>() = [a, b, c, d, *next] };
}

#[test]
fn divergence_is_reported_with_lines_and_regions() {
    let text = "kernel fn0 @k() { block0: v0: i32 = iconst 12 v1: i32 = iconst 34
        v2: i32 = iconst 5 v3: i32 = iconst 6 v4: ptr.private = scratch_base store v2, v4 align 4
        report_divergence v0, v1, v2, v3, v4 return }";
    let loaded = loaded(&parse(text), &Options::default());
    let mut seen = [0u32; 5];
    let launch = Launch {
        divergence: note_divergence,
        device: no_device,
        user: (&raw mut seen).cast(),
        ..launch()
    };
    run_with(loaded.lookup("k").expect("links"), &[], &launch);
    assert_eq!(seen, [12, 34, 5, 6, 5]);
}

#[test]
fn kernels_may_be_called_like_functions_of_c() {
    for name in ["memset", "fmodf", "main", "printf", "malloc", "ünïcode"] {
        let mut module = Module::new();
        module.add_function(group_function(name, &[GLOBAL], |b, p| {
            let value = b.iconst(I32, 5);
            b.store(value, p[0], 4, false);
            let byte = b.iconst(I8, 0);
            let at = b.iconst(I64, 4);
            let rest = b.ptr_add(p[0], at);
            b.memset(rest, byte, 4096 - 4, 1);
        }));
        let loaded = loaded(&module, &Options::default());
        let mut out = vec![1u32; 1024];
        run(
            loaded.lookup(name).expect("links"),
            &[out.as_mut_ptr() as u64],
        );
        assert_eq!((out[0], out[1], out[1023]), (5, 0, 0));
    }
}
