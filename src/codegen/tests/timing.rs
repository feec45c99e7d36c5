//! Times of compilation, printed: `cargo test --lib codegen::tests::timing -- --ignored --nocapture`.

use std::fmt::Write;
use std::time::Instant;

use super::*;

/// y[i] = a * x[i] + y[i] over the work-items of a group, as the work-group pass makes it.
const SMALL: &str = "kernel fn0 @k(v0: ptr.global, v1: ptr.global, v2: f32, v3: i32) {
    block0:
        v4: i64 = work_item group_id 0
        v5: i64 = work_item enqueued_local_size 0
        v6: i64 = imul v4, v5
        v7: i64 = work_item local_size 0
        v8: i64 = iconst 0
        v9: i64 = iconst 1
        v10: i64 = iconst 4
        jump block1(v8)
    block1(v11: i64):
        v12: i1 = icmp ult v11, v7
        br v12, block2, block5
    block2:
        v13: i64 = iadd v6, v11
        v14: i32 = trunc v13
        v15: i1 = icmp ult v14, v3
        br v15, block3, block4
    block3:
        v16: i64 = imul v13, v10
        v17: ptr.global = ptr_add v0, v16
        v18: ptr.global = ptr_add v1, v16
        v19: f32 = load v17 align 4
        v20: f32 = load v18 align 4
        v21: f32 = muladd v2, v19, v20
        store v21, v18 align 4
        jump block4
    block4:
        v22: i64 = iadd v11, v9
        jump block1(v22)
    block5:
        return }";

/// A chain of `n` diamonds with loads, stores and arithmetic: 3n + 1 blocks.
fn diamonds(n: usize) -> String {
    let mut text = String::from(
        "kernel fn0 @k(v0: ptr.global, v1: ptr.global) {
        block0:
            v2: i64 = iconst 4
            v3: i32 = iconst 17
            v4: f32 = fconst 1.25
            jump block1(v0, v3)\n",
    );
    let mut v = 5;
    for i in 0..n {
        let (b, p, x) = (1 + 3 * i, v, v + 1);
        v += 2;
        writeln!(
            text,
            "block{b}(v{p}: ptr.global, v{x}: i32):
                v{a}: f32 = load v{p} align 4
                v{c}: f32 = fmul v{a}, v4
                v{d}: i32 = load v1 align 4
                v{e}: i32 = iadd v{d}, v{x}
                v{f}: i1 = icmp slt v{e}, v3
                br v{f}, block{t}, block{j}(v{p}, v{e})
            block{t}:
                v{g}: f32 = fadd v{c}, v{a}
                store v{g}, v{p} align 4
                v{h}: ptr.global = ptr_add v{p}, v2
                jump block{j}(v{h}, v{d})
            block{j}(v{k}: ptr.global, v{l}: i32):
                jump block{n}(v{k}, v{l})",
            a = v,
            c = v + 1,
            d = v + 2,
            e = v + 3,
            f = v + 4,
            g = v + 5,
            h = v + 6,
            k = v + 7,
            l = v + 8,
            t = b + 1,
            j = b + 2,
            n = b + 3,
        )
        .expect("a string takes all");
        v += 9;
    }
    let _ = writeln!(
        text,
        "block{}(v{}: ptr.global, v{}: i32): return }}",
        1 + 3 * n,
        v,
        v + 1
    );
    text
}

#[test]
#[ignore = "prints times, checks nothing"]
fn timing() {
    for (name, text) in [
        ("small", SMALL.to_string()),
        ("200 blocks", diamonds(66)),
        ("2000 blocks", diamonds(666)),
        ("20000 blocks", diamonds(6666)),
    ] {
        let module = parse(&text);
        for optimize in [true, false] {
            let options = Options {
                optimize,
                ..Options::default()
            };
            for _ in 0..3 {
                let start = Instant::now();
                let object = emit(&module, &options).expect("emits");
                let emitted = start.elapsed();
                let start = Instant::now();
                let loaded = load(&object).expect("loads");
                loaded.lookup("k").expect("links");
                let linked = start.elapsed();
                eprintln!(
                    "{name} optimize={optimize}: emit {emitted:?}, load and link {linked:?}, {} bytes",
                    object.len()
                );
            }
        }
    }
}
