//! The accuracy of the math library: machine code of every function, through the whole compiler, against a reference of
//! higher precision (`accuracy/reference.c`), within the bounds of the full profile (OpenCL C 3.0, "Relative Error as
//! ULPs"), special cases included.
//!
//! One-argument functions run over every 4093rd float and every half, everything else over special values and random
//! numbers.
//! `CLOTHO_ACCURACY=1` (`make accuracy`) takes
//! every float and a hundred times the samples; other numbers lie between. `CLOTHO_BLESS=1` writes
//! the worst errors to `conformance/accuracy.md`. `CLOTHO_FUNCTIONS=pow,exp` measures just these, and prints what it finds.
//!
//! The reference is the C library in double for float and half, and libquadmath, which is a part of gcc, for double: no other
//! package is needed, and both are quick enough for the full sweep.

#[path = "support/accuracy/mod.rs"]
mod support;

use clotho::builtins::{self, Lowering};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::functions::{CORRECTLY_ROUNDED, FUNCTIONS, Function, RELAXED, Shape};
use support::kernels::{Kernels, Precision};
use support::reference::{Reference, Worst};
use support::samples::{STRIDE, Samples};

/// Results measured in one go.
const BATCH: usize = 1 << 16;

struct Outcome {
    name: &'static str,
    precision: Precision,
    bound: f64,
    worst: Worst,
}

#[test]
fn every_function_is_within_its_bound() {
    let stride = std::env::var("CLOTHO_ACCURACY").ok();
    let stride = stride.and_then(|v| v.parse().ok()).unwrap_or(STRIDE).max(1);
    let chosen = std::env::var("CLOTHO_FUNCTIONS").ok();
    let chosen = chosen.as_deref();
    let samples = Samples::new(stride);
    let reference = Reference::get();
    let kernels = Precision::ALL.map(|p| Kernels::build(p, "-cl-std=CL3.0"));
    let work: Vec<(&Function, &Kernels)> = FUNCTIONS
        .iter()
        .flat_map(|f| kernels.iter().map(move |k| (f, k)))
        .filter(|(f, k)| f.bound(k.precision).is_some())
        .filter(|(f, _)| chosen.is_none_or(|names| names.split(',').any(|name| name == f.name)))
        .collect();
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // Relaxed: only that each number is drawn once matters; the scope's end orders the outcomes.
                while let Some((function, kernels)) = work.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let outcome = measure(function, kernels, &samples, reference);
                    outcomes.lock().expect("not poisoned").push(outcome);
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().expect("not poisoned");
    if chosen.is_some() {
        for o in &outcomes {
            println!("{} ({:?}): {:.3} ulp", o.name, o.precision, o.worst.ulp);
        }
    } else if std::env::var("CLOTHO_BLESS").is_ok_and(|v| v == "1") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/accuracy.md");
        std::fs::write(path, report(&outcomes, stride)).expect("conformance/ is writable");
    }
    let failures: Vec<String> = outcomes.iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// What the option allows for the program's own arithmetic would break the library's, which relies on what each
/// operation rounds. Functions of which the option relaxes the bounds are within those.
#[test]
fn relaxed_math_leaves_the_library_whole() {
    let samples = Samples::new(STRIDE * 64);
    let reference = Reference::get();
    let kernels = Kernels::build(Precision::Single, "-cl-std=CL3.0 -cl-fast-relaxed-math");
    let is_relaxed = |name| RELAXED.iter().any(|f| f.name == name);
    let failures: Vec<String> = FUNCTIONS
        .iter()
        .filter(|f| f.shape == Shape::One && in_library(f.name) && !is_relaxed(f.name))
        .chain(RELAXED)
        .map(|f| measure(f, &kernels, &samples, reference))
        .filter_map(|outcome| failure(&outcome))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn quotients_and_roots_are_correctly_rounded_where_asked_for() {
    let samples = Samples::new(STRIDE);
    let reference = Reference::get();
    let options = "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt";
    let kernels = Kernels::build(Precision::Single, options);
    let failures: Vec<String> = CORRECTLY_ROUNDED
        .iter()
        .map(|f| measure(f, &kernels, &samples, reference))
        .filter_map(|outcome| failure(&outcome))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_function_of_the_library_is_measured() {
    // The common functions whose bounds are absolute, and what is not a math function.
    const OTHERS: &str = "clamp mix smoothstep abs_diff hadd rhadd rotate mad_hi mad_sat mul24 mad24 bitfield_insert \
         bitfield_extract_signed bitfield_extract_unsigned";
    let missing: Vec<&str> = builtins::all()
        .iter()
        .filter(|b| b.lowering == Lowering::Elementwise)
        .map(|b| b.name.as_str())
        .filter(|name| !OTHERS.split(' ').any(|other| other == *name))
        .filter(|name| !FUNCTIONS.iter().any(|f| f.name == *name))
        .collect();
    assert!(missing.is_empty(), "not measured: {missing:?}");
}

fn in_library(name: &str) -> bool {
    builtins::find(name).is_some_and(|id| builtins::get(id).lowering == Lowering::Elementwise)
}

fn measure(
    function: &'static Function,
    kernels: &Kernels,
    samples: &Samples,
    reference: &Reference,
) -> Outcome {
    let mut worst = Worst::default();
    samples.batches(function, kernels.precision, BATCH, &mut |batch| {
        let results = kernels.run(function, batch);
        worst.join(reference.measure(function, kernels.precision, batch, &results));
    });
    Outcome {
        name: function.name,
        precision: kernels.precision,
        bound: function.bound(kernels.precision).expect("it was built"),
        worst,
    }
}

fn failure(outcome: &Outcome) -> Option<String> {
    let Outcome {
        name,
        precision,
        bound,
        worst,
    } = outcome;
    (worst.failures > 0).then(|| {
        format!(
            "{name} ({precision:?}): {} ulp, {bound} allowed, {} times wrong; {}",
            worst.ulp, worst.failures, worst.example
        )
    })
}

/// The table of the worst errors.
fn report(outcomes: &[Outcome], stride: u32) -> String {
    let cell = |name: &str, precision: Precision| {
        let outcome = outcomes
            .iter()
            .find(|o| o.name == name && o.precision == precision);
        match outcome {
            None => "| | ".to_string(),
            Some(o) if o.bound == f64::MAX => format!("| {:.2} | undefined ", o.worst.ulp),
            Some(o) => format!("| {:.2} | {} ", o.worst.ulp, o.bound as f32),
        }
    };
    let mut text = format!(
        "# Worst errors of the math library, in ulps\n\n\
         Written by `CLOTHO_BLESS=1 CLOTHO_ACCURACY={stride} cargo test --test accuracy`: one-argument float functions \
         on every {stride}th float, those of half on every half, the rest on special values and random numbers. The bounds are those of OpenCL C 3.0 \
         for the full profile; for native_ functions they are ours, in a moderate range.\n\n\
         | function | float | bound | double | bound | half | bound |\n|---|---|---|---|---|---|---|\n"
    );
    for f in FUNCTIONS {
        let single = cell(f.name, Precision::Single);
        let double = cell(f.name, Precision::Double);
        let half = cell(f.name, Precision::Half);
        writeln!(text, "| {} {single}{double}{half}|", f.name).expect("a string takes all");
    }
    text
}
