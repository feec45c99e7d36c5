//! Random kernels: the interpreter on the kernel as it is made is the oracle; every stage after it must compute the
//! same. `CLOTHO_RANDOM=FIRST,COUNT` runs other seeds; a failure prints the seed and the kernel.

#[path = "support/random/mod.rs"]
mod support;

use clotho::ir::interp::{Arg, Machine, NdRange, Scratch};
use clotho::ir::{FuncId, Module, parse_module, verify};
use clotho::opt;
use clotho::workgroup::{self, Width};
use support::generate::{INPUT_WORDS, SLOTS, module};
use support::machine_code;
use support::rng::Rng;

const RANGES: [(&[u64], &[u64]); 6] = [
    (&[3], &[1]),
    (&[6], &[3]),
    (&[20], &[7]),
    (&[32], &[16]),
    (&[8, 6], &[4, 4]),
    (&[64], &[64]),
];

/// Work-items in one pass: one, few and many.
fn widths(seed: u64) -> [u16; 3] {
    let n = seed as usize;
    [1, [2, 4, 8][n % 3], [16, 32][n % 2]]
}

struct Case {
    range: NdRange,
    input: Vec<u8>,
    n: i32,
    f: f32,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(!seed);
        let (global, local) = rng.pick(&RANGES);
        Self {
            range: NdRange::new(global, local),
            input: (0..INPUT_WORDS * 4)
                .map(|_| (rng.next() >> rng.below(60)) as u8)
                .collect(),
            n: rng.next() as i32 >> rng.below(32),
            f: rng.pick(&[0.0, 1.5, -3.25, 1e20]),
        }
    }

    fn out_size(&self) -> usize {
        let items: u64 = self.range.global.iter().product();
        items as usize * SLOTS * 8
    }

    fn interpret(
        &self,
        module: &Module,
        kernel: FuncId,
        scratch: Scratch,
    ) -> Result<Vec<u8>, String> {
        let mut machine = Machine::new(module);
        machine.set_step_limit(100_000_000);
        let out = machine.add_buffer(vec![0; self.out_size()]);
        let input = machine.add_buffer(self.input.clone());
        let (n, f) = (self.n.to_le_bytes(), self.f.to_le_bytes());
        let args = [
            Arg::Buffer(out, 0),
            Arg::Buffer(input, 0),
            Arg::Bytes(&n),
            Arg::Bytes(&f),
        ];
        match machine.launch_with_scratch(kernel, &args, &self.range, scratch) {
            Ok(()) => Ok(machine.buffer(out).to_vec()),
            Err(fault) => Err(fault.to_string()),
        }
    }
}

fn check(module: &Module) -> Result<(), String> {
    verify(module).map_err(|errors| {
        let list: Vec<String> = errors.iter().map(|e| format!("{e}\n")).collect();
        format!("{}{module}", list.concat())
    })
}

/// Every stage on one seed; the error names the stage.
fn run(seed: u64, compile: bool) -> Result<(), String> {
    let case = Case::new(seed);
    let original = module(seed);
    check(&original)?;
    let kernel = original.kernels().next().ok_or("no kernel")?;
    let expected = case
        .interpret(&original, kernel, Scratch::default())
        .map_err(|e| format!("the kernel itself: {e}"))?;
    let same = |stage: &str, found: Result<Vec<u8>, String>| match found {
        Ok(found) if found == expected => Ok(()),
        Ok(found) => {
            let words = |bytes: &[u8]| -> Vec<u64> {
                let word = |c: &[u8]| u64::from_le_bytes(c.try_into().expect("8 bytes"));
                bytes.chunks_exact(8).map(word).collect()
            };
            let (found, expected) = (words(&found), words(&expected));
            let at = found.iter().zip(&expected).position(|(a, b)| a != b);
            let at = at.unwrap_or(0);
            let (item, slot) = (at / SLOTS, at % SLOTS);
            let (a, b) = (found[at], expected[at]);
            Err(format!(
                "{stage}: item {item} slot {slot} is {a:#x}, expected {b:#x}"
            ))
        }
        Err(error) => Err(format!("{stage}: {error}")),
    };

    let printed = original.to_string();
    let parsed = parse_module(&printed).map_err(|e| format!("parse: {e}"))?;
    same("text", case.interpret(&parsed, kernel, Scratch::default()))?;

    for optimize in [false, true] {
        let name = if optimize { "optimised" } else { "inlined" };
        let mut module = original.clone();
        let result = if optimize {
            opt::run(&mut module, &[kernel])
        } else {
            opt::run_required(&mut module, &[kernel])
        };
        result.map_err(|e| format!("{name}: {e}"))?;
        check(&module).map_err(|e| format!("{name}: {e}"))?;
        same(name, case.interpret(&module, kernel, Scratch::default()))?;

        for width in widths(seed) {
            let name = format!("{name} by {width}");
            let mut module = module.clone();
            let options = workgroup::Options {
                width: Width::Lanes(width),
                ..workgroup::Options::default()
            };
            let group = workgroup::run(&mut module, kernel, options)
                .map_err(|e| format!("{name}, group: {e}"))?;
            check(&module).map_err(|e| format!("{name}, group: {e}"))?;
            let scratch = Scratch {
                fixed: group.scratch_fixed,
                per_item: group.scratch_per_item,
            };
            let found = case.interpret(&module, group.func, scratch);
            same(&format!("{name}, group"), found)?;
            if compile {
                let found = machine_code::run(&machine_code::Job {
                    module: &module,
                    group: group.func,
                    optimize,
                    scratch,
                    deferred: group.deferred,
                    input: &case.input,
                    out_size: case.out_size(),
                    n: case.n,
                    f: case.f,
                    range: &case.range,
                });
                same(&format!("{name}, machine code"), found)?;
            }
        }
    }
    Ok(())
}

fn run_seeds(first: u64, count: u64, compile: bool) {
    let (first, count) = match std::env::var("CLOTHO_RANDOM") {
        Ok(text) => {
            let number = |n: &str| n.parse::<u64>().expect("CLOTHO_RANDOM=FIRST,COUNT");
            let (first, count) = text.split_once(',').expect("CLOTHO_RANDOM=FIRST,COUNT");
            (number(first), number(count))
        }
        Err(_) => (first, count),
    };
    let mut failures = Vec::new();
    for seed in first..first + count {
        if let Err(error) = run(seed, compile) {
            failures.push(format!("seed {seed}: {error}"));
        }
    }
    if let Some(first) = failures.first() {
        let seed = first.trim_start_matches("seed ").split(':').next();
        let seed: u64 = seed.and_then(|s| s.parse().ok()).unwrap_or(0);
        panic!(
            "{} of {count} seeds fail\n{}\n{}",
            failures.len(),
            failures.join("\n"),
            module(seed)
        );
    }
}

#[test]
fn interpreted_stages_agree() {
    run_seeds(0, 200, false);
}

#[test]
fn machine_code_agrees() {
    run_seeds(1000, 40, true);
}
