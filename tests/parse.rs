//! No broken text can hang or crash the parser or what comes behind it.

use clotho::front::dump::dump;
use clotho::front::lower::lower;
use clotho::front::options::{FrontOptions, Target};
use clotho::front::parse::parse;
use clotho::front::pp::{Includes, preprocess};
use clotho::front::sema::analyze;
use clotho::front::session::Session;
use clotho::front::warn::Warnings;

const TARGET: Target = Target {
    device_version: 300,
    extensions: &[],
    features: &[],
    images: false,
    fast_fma: true,
    fast_half_fma: true,
};

/// The build log of the front end.
fn log(text: &str) -> String {
    let mut session = Session::new(Warnings::default());
    let options = FrontOptions::default();
    let tokens = preprocess(text, &Includes::default(), &options, &TARGET, &mut session);
    let ast = parse(&tokens, &mut session);
    if !session.diags.stopped() {
        dump(&ast, &tokens, &session.names);
        let names = &session.names;
        let analysis = analyze(&ast, &tokens, names, &options, &mut session.diags);
        if !session.diags.has_errors() {
            lower(&analysis.program, &analysis.types, &session.sources);
        }
    }
    session.log()
}

/// Runs `work` with the stack that the compiler has.
fn on_compiler_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic");
}

/// A kernel with most of the grammar in it.
const KERNEL: &str = include_str!("filetests/parse/everything.cl");

#[test]
fn a_text_cut_anywhere_ends_in_a_log() {
    on_compiler_stack(|| {
        for end in 0..KERNEL.len() {
            log(&KERNEL[..end]);
        }
    });
}

#[test]
fn token_soup_ends_in_a_log() {
    on_compiler_stack(|| {
        let words: Vec<&str> = KERNEL.split_whitespace().collect();
        let mut state = 12345u64;
        for _ in 0..2000 {
            let mut text = String::new();
            for _ in 0..60 {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                text += words[(state >> 33) as usize % words.len()];
                text.push(' ');
            }
            log(&text);
        }
    });
}

#[test]
fn deep_nesting_is_one_fatal_error() {
    on_compiler_stack(|| {
        const N: usize = 20_000;
        let cases = [
            format!("int x = {}1{};", "(".repeat(N), ")".repeat(N)),
            format!("void f() {{ {} {} }}", "{".repeat(N), "}".repeat(N)),
            format!(
                "void f() {{ {} {} }}",
                "{".repeat(10 * N),
                "}".repeat(10 * N)
            ),
            format!("int x = {}1;", "- ".repeat(N)),
            format!("int x = {}1;", "(int)".repeat(N)),
            format!("int {}x{};", "(".repeat(N), ")".repeat(N)),
            format!("int {}x;", "*".repeat(N)),
            format!("int x{};", "[1]".repeat(N)),
            format!("int x = {}{};", "{".repeat(N), "}".repeat(N)),
            format!("int x = 1{};", "+ 1".repeat(N)),
            format!("int x = 1{};", ", y = 1 * 2 * 3".repeat(N)) + &"struct S {".repeat(N),
            format!("void f() {{ {} ; }}", "if (1)".repeat(N)),
            format!("void f() {{ {} ; }}", "if (1) ; else ".repeat(N)),
            format!("void f() {{ switch (1) {{ {} ; }} }}", "case 1: ".repeat(N)),
            format!("void f() {{ {} ; }}", "for (;;)".repeat(N)),
            format!("int x = {}1;", "1 ? 1 : ".repeat(N)),
            format!("int x = {}1;", "1 ? ".repeat(N)),
            format!("int x = {}1;", "y = ".repeat(N)),
            format!("int x = y{};", "[0]".repeat(N)),
            format!("int x = {}", "sizeof ".repeat(N)),
            format!("int x = {}", "f(".repeat(N)),
            format!("void f({}", "int g(".repeat(N)),
            format!("int x __attribute__(({}", "a(".repeat(N)),
            format!("void f() {{ {}", "({ ".repeat(N)),
            format!("{}int x;", "typeof(".repeat(N)),
        ];
        for text in cases {
            let log = log(&text);
            let fatal = log.matches("nesting level exceeded maximum").count();
            assert_eq!(fatal, 1, "{}\n{log}", &text[..60]);
        }
    });
}

#[test]
fn what_is_just_not_too_deep_compiles() {
    on_compiler_stack(|| {
        let cases = [
            format!("int f(int x) {{ return x{}; }}", " + x * 2".repeat(2000)),
            format!("float f(int x) {{ return x{}; }}", " + x".repeat(2000)),
            format!(
                "int f(int x) {{ return {}x{}; }}",
                "(".repeat(240),
                ")".repeat(240)
            ),
            format!(
                "void f(int x) {{ {} x++; {} }}",
                "if (x) {".repeat(120),
                "}".repeat(120)
            ),
            format!(
                "void f(int x) {{ {} x++; }}",
                "if (x) x--; else ".repeat(2000)
            ),
            format!(
                "int f(int x) {{ return {}x; }}",
                "x ? x * 2 : ".repeat(2000)
            ),
            format!("int f(int x) {{ return x{}; }}", " && x / 2".repeat(2000)),
            format!("void f(int x) {{ {}x; }}", "x = ".repeat(2000)),
            format!("void f(int x) {{ {} }}", "x++; ".repeat(50_000)),
        ];
        for text in cases {
            assert_eq!(log(&text), "", "{}", &text[..60]);
        }
    });
}
