//! The builtin functions: the table has every overload of the specification's list (`builtins/specification.txt`), and
//! every overload of the table compiles and does the same in machine code as in the interpreter.

#[path = "support/builtins/mod.rs"]
mod overloads;
/// What the run tests reach an implementation by; they use all of it.
#[allow(dead_code)]
#[path = "support/run"]
mod support {
    pub mod executor;
    pub mod image;
    pub mod interp;
    pub mod machine_code;
}

use overloads::{Overload, Ty, call, form, table};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::executor::{ArgData, Executor, Range};
use support::interp::Interp;
use support::machine_code::MachineCode;

const OPTIONS: &str = "-cl-std=CL3.0";

/// Kernels of one source.
const KERNELS: usize = 48;

#[test]
fn no_overload_of_the_specification_is_missing() {
    let have = table::overloads();
    let want = form::overloads(include_str!("builtins/specification.txt"));
    assert!(want.len() > 5000, "the list holds {}", want.len());
    let missing: Vec<String> = want.difference(&have).map(Overload::to_string).collect();
    assert!(
        missing.is_empty(),
        "{} are missing:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

#[test]
fn every_overload_compiles_and_runs() {
    let mut by_name: BTreeMap<String, Vec<Overload>> = BTreeMap::new();
    for overload in table::overloads() {
        by_name
            .entry(overload.name.clone())
            .or_default()
            .push(overload);
    }
    let work: Vec<&[Overload]> = by_name
        .values()
        .flat_map(|list| list.chunks(KERNELS))
        .collect();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // Relaxed: only that each number is drawn once matters; the scope's end orders the failures.
                while let Some(list) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = check(list) {
                        failures.lock().expect("not poisoned").push(error);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("not poisoned");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The interpreter runs all of them, machine code those of one lane and of four.
fn check(list: &[Overload]) -> Result<(), String> {
    let source = |list: &[&Overload]| {
        let kernels = list.iter().enumerate();
        let kernels = kernels.map(|(n, o)| call::kernel(&format!("k{n}"), o));
        call::PRELUDE.to_string() + &kernels.collect::<String>()
    };
    let all: Vec<&Overload> = list.iter().collect();
    let oracle = run(&Interp::Items, &all, &source(&all))?;
    let few = list.iter().zip(&oracle);
    let few = few.filter(|(overload, _)| matches!(lanes(overload), 1 | 4));
    let (few, oracle): (Vec<&Overload>, Vec<&Vec<u8>>) = few.unzip();
    let found = run(&MachineCode::Chosen, &few, &source(&few))?;
    for ((overload, found), oracle) in few.iter().zip(&found).zip(oracle) {
        call::same(overload, found, oracle, ulps(overload))
            .map_err(|e| format!("{overload}: {e}"))?;
    }
    Ok(())
}

/// What each kernel leaves in its second buffer; nothing where a call by one item means nothing.
fn run(executor: &dyn Executor, list: &[&Overload], source: &str) -> Result<Vec<Vec<u8>>, String> {
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let built = executor
        .build(source, OPTIONS)
        .map_err(|error| format!("{}: {error}", list[0].name))?;
    let range = Range {
        global: vec![call::ITEMS],
        local: vec![call::ITEMS],
        offset: vec![0],
    };
    let one = |(n, overload): (usize, &&Overload)| {
        if !call::can_run(overload) {
            return Ok(Vec::new());
        }
        let data = call::data(overload);
        let args = [ArgData::Buffer(data.clone()), ArgData::Buffer(data)];
        let results = built.run(&format!("k{n}"), &args, &range);
        let mut results = results.map_err(|error| format!("{overload}: {error}"))?;
        Ok(results.remove(1))
    };
    list.iter().enumerate().map(one).collect()
}

/// The lanes of the widest value.
fn lanes(overload: &Overload) -> u8 {
    let types = overload.params.iter().chain([&overload.ret]);
    let lanes = types.map(|ty| match ty {
        Ty::Value(_, lanes) => *lanes,
        Ty::Pointer(_, _, to) => match **to {
            Ty::Value(_, lanes) => lanes,
            Ty::Pointer(..) => 1,
        },
    });
    lanes.max().unwrap_or(1)
}

/// What machine code may be off by where it starts from an estimate.
fn ulps(overload: &Overload) -> i64 {
    if overload.name.starts_with("native_") {
        1 << 13
    } else {
        4
    }
}
