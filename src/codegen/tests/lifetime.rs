//! Many objects at once and one after the other; objects that are none.

use super::*;

fn text(value: u32) -> String {
    format!(
        "kernel fn0 @k(v0: ptr.global) {{
        block0:
            v1: i32 = iconst {value}
            v2: f32 = load v0 align 4
            v3: f32 = frem v2, v2
            store v1, v0 align 4
            return }}"
    )
}

/// Resident memory of this process in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: usize = statm
        .split_whitespace()
        .nth(1)
        .and_then(|p| p.parse().ok())
        .expect("a number of pages");
    pages * 4096
}

#[test]
fn compiling_and_dropping_many_times_does_not_grow() {
    let cycle = |n: u32| {
        let loaded = loaded(&parse(&text(n)), &Options::default());
        let mut out = 0u32;
        run(loaded.lookup("k").expect("links"), &[&raw mut out as u64]);
        assert_eq!(out, n);
    };
    (0..50).for_each(cycle);
    let before = resident();
    (0..200).for_each(cycle);
    let grown = resident().saturating_sub(before);
    // Other tests run at the same time and have their own objects.
    assert!(grown < 200 << 20, "grew by {grown} bytes");
}

#[test]
fn several_threads_compile_at_once() {
    std::thread::scope(|scope| {
        for n in 0..8u32 {
            scope.spawn(move || {
                let loaded = loaded(&parse(&text(n)), &Options::default());
                let mut out = 0u32;
                run(loaded.lookup("k").expect("links"), &[&raw mut out as u64]);
                assert_eq!(out, n);
            });
        }
    });
}

#[test]
fn objects_load_independently_of_each_other() {
    let first = loaded(&parse(&text(1)), &Options::default());
    let second = loaded(&parse(&text(2)), &Options::default());
    let old = first.lookup("k").expect("links");
    let new = second.lookup("k").expect("links");
    drop(second);
    let mut out = 0u32;
    run(old, &[&raw mut out as u64]);
    assert_eq!(out, 1);
    assert_ne!(old as usize, new as usize);
}

#[test]
fn what_is_no_object_and_what_is_not_in_it_are_errors() {
    for bytes in [&b""[..], b"no object", &[0x7F; 100]] {
        let result = load(bytes).and_then(|loaded| loaded.lookup("k").map(|_| ()));
        assert!(result.is_err());
    }
    let object = emit(&parse(&text(1)), &Options::default()).expect("emits");
    for end in [1, 64, object.len() / 2, object.len() - 1] {
        let result = load(&object[..end]).and_then(|loaded| loaded.lookup("k").map(|_| ()));
        assert!(result.is_err(), "cut at {end}");
    }
    let loaded = load(&object).expect("loads");
    assert!(loaded.lookup("other").is_err());
    assert!(loaded.lookup("k").is_ok());
}

#[test]
fn a_damaged_object_is_an_error_or_loads() {
    let object = emit(&parse(&text(1)), &Options::default()).expect("emits");
    let mut refused = 0;
    for at in 0..object.len() {
        for damage in [1, 0x80, 0xff] {
            let mut bytes = object.clone();
            bytes[at] ^= damage;
            refused += usize::from(load(&bytes).is_err());
        }
        let _ = load(&object[..at]);
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn the_forms_of_a_module_can_be_read() {
    let module = parse(&text(77));
    let form = |form| print(&module, &Options::default(), form).expect("prints");
    assert!(form(Form::Llvm).contains("define void @wg.k"));
    assert!(form(Form::Llvm).contains("%v2 = load float"));
    assert!(form(Form::OptimizedLlvm).contains("target triple"));
    assert!(form(Form::Assembly).contains("wg.k:"));
}

#[test]
fn an_error_that_is_fatal_to_llvm_is_only_an_error() {
    let options = |features: &str| Options {
        features: Some(features.to_string()),
        ..Options::default()
    };
    for _ in 0..3 {
        let error = emit(&parse(&text(1)), &options("-64bit"));
        assert!(error.is_err_and(|e| e.starts_with("LLVM: ")));
    }
    let calls = "func fn0 @half(v0: f32) -> f32 { block0: v1: f32 = fsqrt v0 return v1 }
        kernel fn1 @k(v0: ptr.global) { block0: v1: f32 = load v0 align 4
        v2: f32 = call fn0 @half(v1) store v2, v0 align 4 return }"
        .replace("fsqrt", "sqrt");
    let without_sse = Options {
        optimize: false,
        ..options("-sse2,-sse")
    };
    assert!(emit(&parse(&calls), &without_sse).is_err());
    assert!(emit(&parse(&calls), &Options::default()).is_ok());
}

#[test]
fn a_function_that_llvm_empties_is_an_error() {
    let text = "kernel fn0 @k() {
        block0:
            v0: i32 = iconst 1
            v1: ptr.global = iconst 0x0
            store v0, v1 align 4
            return }";
    let loaded = loaded(&parse(text), &Options::default());
    let error = loaded.lookup("k").expect_err("there is nothing to call");
    assert!(error.contains("always undefined"), "{error}");
}
