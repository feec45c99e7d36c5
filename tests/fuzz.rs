//! A short, fixed run of the fuzzers: their corpora and the sources of the other tests, as they are and changed by
//! seeded mutations. `fuzz/README.md` says how to search for more.

#[path = "support/fuzz/mod.rs"]
mod fuzz;

use clotho::compiler::wire::Writer;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// No input may take longer, in a build without optimisation on a busy machine.
const SLOWEST: Duration = Duration::from_secs(20);
const SOURCE_MUTATIONS: u64 = 1500;
const BINARY_MUTATIONS: u64 = 5000;

/// The files below a folder of the project, in a fixed order.
fn files(folder: &str, extension: &str) -> Vec<Vec<u8>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if extension.is_empty() || path.extension().is_some_and(|e| e == extension) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let texts = paths
        .into_iter()
        .map(|path| fs::read(path).expect("a file"));
    texts.collect()
}

/// Marsaglia's xorshift64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    fn range(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.below(len);
        start..(start + 1 + self.below(40)).min(len)
    }
}

/// Words that lead to rarely taken paths.
const WORDS: &[&str] = &[
    "struct",
    "union",
    "enum {",
    "typedef",
    "switch (",
    "case 0:",
    "goto x;",
    "(float4)(",
    "__local",
    "constant",
    "global",
    "*",
    "&",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "...",
    "sizeof",
    "0x1p-1f",
    "1e999",
    "0xffffffffffffffff",
    "'\\",
    "\"",
    "#define a",
    "#if 1",
    "#endif",
    "#include",
    "##",
    "__VA_ARGS__",
    "_Pragma(",
    "\\\n",
    "/*",
    "convert_",
    "as_",
    "?",
    ":",
    "__attribute__((",
    "inline",
    "static",
    "bool",
    "half",
    "double",
    "vload4",
    ".xyzw",
    ".s0",
    "->",
    "=",
    "<<=",
    "%",
    "\u{0}",
];

/// A few changes: pieces cut out, doubled, moved in from another input, bits flipped, words put in.
fn mutate(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(out.len() + 1);
        match random.below(6) {
            0 => drop(out.drain(random.range(out.len()))),
            1 => {
                let piece = out[random.range(out.len())].to_vec();
                out.splice(at..at, piece);
            }
            2 => {
                let piece = other[random.range(other.len())].to_vec();
                out.splice(at..at, piece);
            }
            3 if at < out.len() => out[at] ^= 1 << random.below(8),
            4 if at < out.len() => out[at] = random.below(256) as u8,
            _ => {
                let word = WORDS[random.below(WORDS.len())].bytes();
                out.splice(at..at, word);
            }
        }
    }
    out
}

fn run(target: fn(&[u8]), inputs: &[Vec<u8>], mutations: u64) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mutated = (0..mutations).map(|_| {
        let input = &inputs[random.below(inputs.len())];
        let other = &inputs[random.below(inputs.len())];
        mutate(&mut random, input, other)
    });
    let mutated: Vec<Vec<u8>> = mutated.collect();
    for input in inputs.iter().chain(&mutated) {
        let start = Instant::now();
        let result = std::panic::catch_unwind(|| target(input));
        let shown = String::from_utf8_lossy(input);
        assert!(result.is_ok(), "it panics on:\n{shown}");
        assert!(start.elapsed() < SLOWEST, "it is slow on:\n{shown}");
    }
}

#[test]
fn sources() {
    let mut inputs = files("fuzz/corpus/source", "");
    for folder in ["pp", "parse", "sema", "lower"] {
        inputs.extend(files(&format!("tests/filetests/{folder}"), "cl"));
    }
    inputs.extend(files("tests/run/lang", "cl"));
    run(fuzz::source, &inputs, SOURCE_MUTATIONS);
}

#[test]
fn binaries() {
    let mut inputs = files("fuzz/corpus/binary", "");
    inputs.push(contents(&[(
        "kernel void f(global int *p) { *p = X; }",
        "-DX=1",
        &[],
    )]));
    inputs.push(contents(&[
        (
            "#include \"a.h\"\nkernel void f(global int *p) { *p = g(1); }",
            "",
            &[("a.h", "int g(int);")],
        ),
        ("int g(int a) { return a; }", "-w -cl-std=CL3.0", &[]),
    ]));
    run(fuzz::binary, &inputs, BINARY_MUTATIONS);
}

type Unit<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// What a container holds: source, options and headers of each unit.
fn contents(units: &[Unit]) -> Vec<u8> {
    /// CL_PROGRAM_BINARY_TYPE_EXECUTABLE
    const EXECUTABLE: u32 = 4;
    let mut out = Writer::default();
    out.word(EXECUTABLE);
    // It was not linked.
    out.flag(false);
    out.text("");
    out.word(units.len() as u32);
    for (source, options, headers) in units {
        out.text(source);
        out.text(options);
        out.word(headers.len() as u32);
        for (name, text) in *headers {
            out.text(name);
            out.text(text);
        }
        // Included files.
        out.word(0);
    }
    out.bytes(b"image");
    out.0
}

#[test]
fn the_sample_is_a_binary() {
    let sample = contents(&[("kernel void f() {}", "", &[])]);
    let container = clotho::runtime::binary::Container::decode(&fuzz::sealed(&sample));
    assert_eq!(container.expect("a binary").image, b"image");
}
