//! No input may crash the preprocessor or make it use time or memory without bound. What it does with good and with
//! wrong directives stands in `tests/filetests/pp/`.

use super::*;
use crate::front::token::TokenKind;
use std::time::{Duration, Instant};

const TARGET: Target = Target {
    device_version: 300,
    extensions: &["cl_khr_fp64"],
    features: &[],
    images: false,
    fast_fma: false,
    fast_half_fma: false,
};

/// The number of tokens, and the log; checks what holds for every input.
fn run_with(source: &str, headers: &[Header]) -> (usize, String) {
    let begin = Instant::now();
    let mut session = Session::default();
    let options = FrontOptions::default();
    let includes = Includes {
        headers,
        files: None,
    };
    let stream = preprocess(source, &includes, &options, &TARGET, &mut session);
    let ends = stream.tokens.iter().filter(|t| t.kind == TokenKind::Eof);
    assert_eq!(ends.count(), 1);
    assert_eq!(stream.tokens.last().map(|t| t.kind), Some(TokenKind::Eof));
    let log = session.log();
    assert!(log.len() < 1 << 20);
    assert!(begin.elapsed() < Duration::from_secs(200));
    (stream.tokens.len() - 1, log)
}

fn run(source: &str) -> (usize, String) {
    run_with(source, &[])
}

fn assert_error(source: &str, message: &str) {
    let (_, log) = run(source);
    assert!(log.contains(message), "{}", &log[..log.len().min(2000)]);
}

const SAMPLES: [&str; 4] = [
    include_str!("../../../tests/filetests/pp/macros.cl"),
    include_str!("../../../tests/filetests/pp/conditions.cl"),
    include_str!("../../../tests/filetests/pp/literals.cl"),
    include_str!("../../../tests/filetests/pp/pragma.cl"),
];

/// A small generator of numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn sources_cut_at_every_byte() {
    for (sample, step) in SAMPLES.into_iter().zip([1, 2, 1, 1]) {
        for end in (0..sample.len()).step_by(step) {
            if sample.is_char_boundary(end) {
                run(&sample[..end]);
            }
        }
    }
}

#[test]
fn random_bytes() {
    let mut random = Random(1);
    for length in 0..400 {
        let bytes: Vec<u8> = (0..length * 3).map(|_| random.below(256) as u8).collect();
        run(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn random_lines_and_pieces() {
    let lines: Vec<&str> = SAMPLES.iter().flat_map(|s| s.lines()).collect();
    let pieces = [
        "#",
        "##",
        "define ",
        "f",
        "g",
        "(",
        ")",
        ",",
        "...",
        "__VA_ARGS__",
        "if ",
        "elif ",
        "else",
        "endif",
        "\n",
        "\n#",
        " ",
        "\\\n",
        "1",
        "?",
        ":",
        "&&",
        "/",
        "*",
        "\"",
        "'",
        "defined",
        "undef ",
        "\n#define f(a,...) ",
        "\n#define g ",
        "_Pragma",
        "include ",
        "line ",
        "\u{feff}",
        "é",
        "\0",
        "\r",
    ];
    let mut random = Random(7);
    for _ in 0..300 {
        let mut source = String::new();
        for _ in 0..random.below(60) {
            source.push_str(lines[random.below(lines.len())]);
            source.push('\n');
        }
        run(&source);
        let mut source = String::new();
        for _ in 0..random.below(200) {
            source.push_str(pieces[random.below(pieces.len())]);
        }
        run(&source);
    }
}

#[test]
fn macros_that_double() {
    let mut source = String::from("#define m0 x x\n");
    for i in 1..100 {
        source += &format!("#define m{i} m{} m{}\n", i - 1, i - 1);
    }
    let source = source.replace("x x", "1 || 1 ||");
    assert_error(&(source + "\n#if m99\n#endif"), "expands to more than");

    let mut source = String::from("#define m0\n");
    for i in 1..100 {
        source += &format!("#define m{i} m{} m{}\n", i - 1, i - 1);
    }
    assert_error(&(source + "m99"), "expands to more than");

    let mut source = String::from("#define m0(x) x x\n");
    for i in 1..100 {
        source += &format!("#define m{i}(x) m{}(x x)\n", i - 1);
    }
    assert_error(&(source + "m99(a)"), "expands to more than");
}

#[test]
fn tokens_that_double() {
    let mut pasted = String::from("#define cat(a, b) a ## b\n#define m0(x) x\n");
    let mut quoted = String::from("#define str(a) #a\n#define m0(x) x\n");
    for i in 1..100 {
        pasted += &format!("#define m{i}(x) m{}(cat(x, x))\n", i - 1);
        quoted += &format!("#define m{i}(x) m{}(str(x))\n", i - 1);
    }
    assert_error(&(pasted + "m99(a)"), "makes a token of more than");
    assert_error(&(quoted + "m99(\"\\\\\")"), "makes a token of more than");
}

#[test]
fn long_chains_of_macros() {
    let mut source = String::from("#define m0 1\n");
    for i in 1..10_000 {
        source += &format!("#define m{i} m{}\n", i - 1);
    }
    let (tokens, log) = run(&(source.clone() + "m1000 m999"));
    assert_eq!((tokens, log.as_str()), (2, ""));
    assert_error(&(source.clone() + "m9999"), "nested too deeply");
    for i in (0..10_000).step_by(7) {
        source += &format!("m{} ", i.min(1000 + i % 20));
    }
    run(&source);
}

#[test]
fn calls_nested_in_arguments() {
    let nested = |n: usize| format!("#define f(x) x + 1\n{}0{}", "f(".repeat(n), ")".repeat(n));
    assert_eq!(run(&nested(200)).0, 401);
    assert_error(
        &nested(1_000),
        "nested too deeply in each other's arguments",
    );
    // Copies of the outer arguments may use up the token budget first.
    assert_error(&nested(10_000), "fatal error: ");
    assert_error(
        &format!("#define f(x) x\n{}", "f(".repeat(100_000)),
        "unterminated function-like",
    );
    run(&format!(
        "#define f(x) x\nf({}{})",
        "(".repeat(100_000),
        ")".repeat(100_000)
    ));
    run(&format!(
        "#define f(...) __VA_ARGS__\nf({})",
        ",".repeat(100_000)
    ));
    assert_error(
        &format!("#define f(x) x\nf({})", ",".repeat(100_000)),
        "too many arguments",
    );
}

#[test]
fn recursive_calls_end() {
    let (_, log) =
        run("#define f(x) g(x) f(x)\n#define g(x) f(x) h\n#define h f(g(h))\nf(g(f(h))) h g(1)");
    assert_eq!(log, "");
}

#[test]
fn deep_conditions() {
    let parens = |n: usize| format!("#if {}1{}\nx\n#endif", "(".repeat(n), ")".repeat(n));
    assert_eq!(run(&parens(250)), (1, String::new()));
    assert_error(
        &parens(10_000),
        "bracket nesting level exceeded maximum of 256",
    );
    for unit in ["!", "1 ? ", "1 ? 1 : ", "-", "~(", "(", "1 + (", "0 && ("] {
        let (tokens, log) = run(&format!("#if {}1\nx\n#endif", unit.repeat(10_000)));
        assert_eq!(tokens, 0);
        assert!(log.contains("error:"), "{unit}");
    }
    assert_eq!(
        run(&format!("#if 0{}\nx\n#endif", " + 1".repeat(10_000))).0,
        1
    );
}

#[test]
fn deep_conditionals() {
    let nested = |n: usize| "#if 1\n".repeat(n) + "x\n" + &"#endif\n".repeat(n);
    assert_eq!(run(&nested(1000)), (1, String::new()));
    assert_error(&nested(10_000), "nested too deeply");
    let skipped = |n: usize| {
        format!(
            "#if 0\n{}#endif\n",
            "#if 1\n".repeat(n) + &"#endif\n".repeat(n)
        )
    };
    assert_eq!(run(&skipped(100_000)), (0, String::new()));
    assert_error(
        &"#if 0\n".repeat(100_000),
        "unterminated conditional directive",
    );
}

#[test]
fn includes_without_end() {
    let header = |name, text| Header { name, text };
    let (_, log) = run_with(
        "#include \"a\"",
        &[header("a", "#include \"b\""), header("b", "#include \"a\"")],
    );
    assert!(log.contains("#include nested too deeply"));

    let names: Vec<String> = (0..40).map(|i| format!("h{i}")).collect();
    let texts: Vec<String> = (1..41)
        .map(|i| format!("#include \"h{i}\"\n#include \"h{i}\"\n"))
        .collect();
    let headers: Vec<Header> = names
        .iter()
        .zip(&texts)
        .map(|(n, t)| header(n, t))
        .collect();
    let mut all = headers.clone();
    all.push(header("h40", "x"));
    let (_, log) = run_with("#include \"h0\"", &all);
    assert!(log.contains("includes more than"), "{log}");

    let big = format!("#include \"big\"\n{}", " ".repeat(100 << 20));
    let (_, log) = run_with("#include \"big\"\n", &[header("big", &big)]);
    assert!(log.contains("is longer than 256 MiB"), "{log}");
}

#[test]
fn files_that_are_no_files() {
    for name in [
        "/",
        "/dev/zero",
        "/dev/stdin",
        ".",
        "\0",
        "/proc/self/mem",
        "a\u{fffd}b",
    ] {
        assert!(
            run(&format!("#include \"{name}\"\n"))
                .1
                .contains("file not found"),
            "{name:?}"
        );
    }
}

#[test]
fn long_lines_and_texts() {
    assert_eq!(run(&"a ".repeat(1 << 20)).0, 1 << 20);
    assert_error(&"a ".repeat(1 << 22), "expands to more than");
    let (_, log) = run(&"@ ".repeat(1 << 20));
    assert!(log.ends_with("20 errors generated.\n"));
    run(&"a".repeat(1 << 22));
    run(&"9".repeat(1 << 20));
    let name = "a".repeat(1 << 20);
    run(&format!(
        "#error {name}\n#define {name} 0x {name}\n#define {name} 1x\n{name}\n#line 1 \"{name}\"\n0x"
    ));
    run(&format!("\"{}", "\\\n".repeat(1 << 20)));
    run(&format!("/*{}", "\\\n*".repeat(1 << 20)));
    run(&format!("#define m {}\nm", "\\\n".repeat(1 << 20)));
    assert_error(
        &format!(
            "#define m({}) 1",
            (0..5000).map(|i| format!("a{i},")).collect::<String>()
        ),
        "more than 1024 parameters",
    );
    run(&"#pragma who\n".repeat(100_000));
    run(&"#define x 1\n#define x 2\n".repeat(10_000));
}

#[test]
fn splices_are_read_in_linear_time() {
    // A token made of many splices, each of which is looked at from several places.
    let begin = Instant::now();
    run(&format!(
        "<{}={}",
        "\\\n".repeat(1 << 20),
        "\\\n".repeat(1 << 20)
    ));
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn files_are_found_on_the_disk() {
    let root = std::env::temp_dir().join(format!("clotho-pp-{}", std::process::id()));
    let inner = root.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(root.join("top.h"), "#include \"inner/a.h\"\n").unwrap();
    std::fs::write(inner.join("a.h"), "#include \"b.h\"\n#include <c.h>\n").unwrap();
    std::fs::write(inner.join("b.h"), b"from_b \"\xff\"\n").unwrap();
    std::fs::write(root.join("c.h"), "from_c\n").unwrap();
    let text = format!("-I \"{}\"", root.display());
    let options = FrontOptions::parse(&text).unwrap();
    let run = |source| {
        let mut session = Session::default();
        let tokens = preprocess(
            source,
            &Includes::default(),
            &options,
            &TARGET,
            &mut session,
        )
        .tokens
        .len();
        (tokens - 1, session)
    };
    let (tokens, found) = run("#include <top.h>");
    let (_, missing) = run("#include <b.h>");
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!((tokens, found.log()), (3, String::new()));
    let log = missing.log();
    assert!(log.contains("fatal error: 'b.h' file not found"), "{log}");

    // With the files that were read then, the disk is not looked at.
    let files = found
        .sources
        .files()
        .map(|(name, text)| Header { name, text });
    let files: Vec<Header> = files.collect();
    let includes = Includes {
        headers: &[],
        files: Some(&files),
    };
    let mut again = Session::default();
    let stream = preprocess("#include <top.h>", &includes, &options, &TARGET, &mut again);
    assert_eq!((stream.tokens.len() - 1, again.log()), (3, String::new()));
    let mut none = Session::default();
    preprocess(
        "#include </proc/version>",
        &includes,
        &options,
        &TARGET,
        &mut none,
    );
    let log = none.log();
    assert!(log.contains("'/proc/version' file not found"), "{log}");
}
