//! The tests of the IR that are text: `tests/filetests/ir/*.ir`.
//!
//! A file holds cases, each under a line `// ---- name`. What a case expects stands in its comments:
//! `// error: TEXT` is one error of the verifier as it prints it (all of them, in order); without such a line the
//! case must be valid. Every case must also round-trip: printed, parsed and printed again it is the same text.
//!
//! A case with `// run: global X[,Y[,Z]] local X[,Y[,Z]] [offset ...] [steps N] [scratch FIXED PER_ITEM]` runs its
//! first kernel in the interpreter. `// buffer: TYPE values...` (or `TYPE zero N`) makes a buffer, `// arg:` gives an
//! argument (`buffer N [+ OFFSET]`, `local BYTES`, `null`, or `TYPE values...`). Expected are `// result: TYPE
//! values...` for the buffers in their order, `// printf: FORMAT [arguments]`, `// divergence: LINE LINE`, and
//! `// fault: TEXT`.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use clotho::ir::FuncId;
use clotho::ir::interp::{Arg, BufferId, Machine, NdRange, Scratch};
use clotho::ir::print::with_locations;
use clotho::ir::{Module, parse_module, verify};

/// (name, text) of every case of every file.
fn cases() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/ir");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of filetests")
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable filetest");
        let stem = file.file_stem().expect("a file name").to_string_lossy();
        for (n, part) in text.split("// ---- ").enumerate() {
            let (name, body) = part.split_once('\n').unwrap_or((part, ""));
            if n > 0 {
                out.push((format!("{stem}: {name}"), body.to_string()));
            } else if part.lines().any(|l| !l.starts_with("//") && !l.is_empty()) {
                out.push((stem.to_string(), part.to_string()));
            }
        }
    }
    out
}

fn expectations<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let prefix = format!("// {key}: ");
    text.lines()
        .filter_map(|line| line.trim().strip_prefix(prefix.as_str()))
        .collect()
}

#[test]
fn every_case_round_trips() {
    for (name, text) in cases() {
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let printed = with_locations(&module).to_string();
        let again = parse_module(&printed).unwrap_or_else(|e| panic!("{name}: {e}\n{printed}"));
        assert_eq!(with_locations(&again).to_string(), printed, "{name}");
    }
}

#[test]
fn the_verifier_finds_exactly_what_is_wrong() {
    let mut failures = String::new();
    for (name, text) in cases() {
        if name == "everything" {
            continue;
        }
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let errors = verify(&module).err().unwrap_or_default();
        let found: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
        let expected = expectations(&text, "error");
        if found != expected {
            failures += &format!("{name}\n");
            found
                .iter()
                .for_each(|e| failures += &format!("// error: {e}\n"));
        }
    }
    assert!(failures.is_empty(), "the verifier found:\n{failures}");
}

/// `TYPE values...` or `TYPE zero N` as little-endian bytes.
fn bytes(text: &str) -> Vec<u8> {
    let mut words = text.split_whitespace();
    let ty = words.next().expect("a type");
    let size = ty[1..].parse::<usize>().expect("a width") / 8;
    let words: Vec<&str> = words.collect();
    if let ["zero", count] = words[..] {
        return vec![0; size * count.parse::<usize>().expect("a count")];
    }
    let mut out = Vec::new();
    for word in words {
        let bits = match ty {
            "f32" => u64::from(word.parse::<f32>().expect("a float").to_bits()),
            "f64" => word.parse::<f64>().expect("a float").to_bits(),
            _ => word.parse::<i128>().expect("an integer") as u64,
        };
        out.extend(&bits.to_le_bytes()[..size]);
    }
    out
}

/// `bytes` turned round, in the type and as far as `like` goes.
fn show(bytes: &[u8], like: &str) -> String {
    let ty = like.split_whitespace().next().expect("a type");
    let size = ty[1..].parse::<usize>().expect("a width") / 8;
    let mut out = ty.to_string();
    for chunk in bytes.chunks(size) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let bits = u64::from_le_bytes(word);
        let unused = 64 - 8 * size as u32;
        out += &match ty {
            "f32" => format!(" {:?}", f32::from_bits(bits as u32)),
            "f64" => format!(" {:?}", f64::from_bits(bits)),
            _ => format!(" {}", (bits << unused) as i64 >> unused),
        };
    }
    out
}

fn sizes(text: &str) -> Vec<u64> {
    let number = |n: &str| n.parse::<u64>().expect("a size");
    text.split(',').map(number).collect()
}

/// Runs a case; what it did, in the form of the expectations.
fn run(module: &Module, text: &str, command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |key: &str| {
        let at = words.iter().position(|w| *w == key)?;
        words.get(at + 1).copied()
    };
    let global = sizes(after("global").expect("a global size"));
    let mut range = NdRange::new(&global, &sizes(after("local").expect("a local size")));
    for (n, offset) in after("offset")
        .map(sizes)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        range.offset[n] = *offset;
    }
    let printed = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&printed);
    let mut machine = Machine::new(module);
    machine.on_printf(move |format, args| {
        let format = String::from_utf8_lossy(format).escape_debug().to_string();
        let args: String = args.iter().map(|a| format!(" {a:?}")).collect();
        sink.borrow_mut().push(format!("printf: {format}{args}"));
    });
    machine.set_step_limit(after("steps").map_or(1_000_000, |n| n.parse().expect("a number")));
    let scratch = words
        .iter()
        .position(|w| *w == "scratch")
        .map_or(Scratch::default(), |at| {
            let number = |n: usize| words[at + n].parse::<u64>().expect("a size");
            Scratch {
                fixed: number(1),
                per_item: number(2),
            }
        });
    let buffers: Vec<BufferId> = expectations(text, "buffer")
        .iter()
        .map(|line| machine.add_buffer(bytes(line)))
        .collect();
    let lines = expectations(text, "arg");
    let values: Vec<Vec<u8>> = lines
        .iter()
        .map(|line| {
            let value = !["buffer", "local", "null"]
                .iter()
                .any(|w| line.starts_with(w));
            if value { bytes(line) } else { Vec::new() }
        })
        .collect();
    let args: Vec<Arg> = lines
        .iter()
        .zip(&values)
        .map(|(line, value)| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["buffer", n] => Arg::Buffer(buffers[n.parse::<usize>().expect("an index")], 0),
                ["buffer", n, "+", offset] => Arg::Buffer(
                    buffers[n.parse::<usize>().expect("an index")],
                    offset.parse().expect("an offset"),
                ),
                ["local", size] => Arg::Local(size.parse().expect("a size")),
                ["null"] => Arg::Null,
                _ => Arg::Bytes(value),
            }
        })
        .collect();
    // A kernel, or the group function of one.
    let is_kernel = |&id: &FuncId| module.body(id).is_some_and(|f| f.kernel.is_some());
    let kernel = module.func_ids().find(is_kernel).expect("a kernel");
    let result = machine.launch_with_scratch(kernel, &args, &range, scratch);
    let mut out: Vec<String> = printed.borrow().clone();
    for d in machine.take_divergences() {
        out.push(format!("divergence: {} {}", d.line_a, d.line_b));
    }
    match result {
        Err(fault) => out.push(format!("fault: {fault}")),
        Ok(()) => {
            for (&id, like) in buffers.iter().zip(expectations(text, "result")) {
                out.push(format!("result: {}", show(machine.buffer(id), like)));
            }
        }
    }
    out
}

#[test]
fn the_interpreter_does_what_the_cases_expect() {
    let mut failures = String::new();
    for (name, text) in cases() {
        let commands = expectations(&text, "run");
        for command in commands {
            let module = parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let found = run(&module, &text, command);
            let mut expected = Vec::new();
            for key in ["printf", "divergence", "fault", "result"] {
                let lines = expectations(&text, key);
                expected.extend(lines.iter().map(|line| format!("{key}: {line}")));
            }
            if found != expected {
                failures += &format!("{name}\n");
                found
                    .iter()
                    .for_each(|line| failures += &format!("// {line}\n"));
            }
        }
    }
    assert!(failures.is_empty(), "the interpreter found:\n{failures}");
}
