//! The work-group pass and the optimiser against the interpreter: a kernel, run item by item, and the group function
//! made from it leave the same memory, whatever the local size.
//!
//! Kernels come from text (`tests/filetests/group/*.ir`, one for each control shape) and from a generator of random
//! control flow with fixed seeds.

#[path = "support/group/generator.rs"]
mod generator;
#[path = "support/group/runner.rs"]
mod runner;

use std::fs;
use std::path::Path;

use clotho::ir::parse_module;
use generator::Shape;

/// For each shape. Many more were run when the pass was written.
const SEEDS: u64 = 12;

#[test]
fn kernels_of_every_control_shape_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/group");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of filetests")
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable filetest");
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        runner::compare(&module, &file.display().to_string(), &runner::SIZES);
    }
}

fn random(shape: Shape, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let module = generator::generate(seed, shape);
        // One size of each kind for each seed; all of them come up.
        let sizes = &runner::SIZES;
        let picked = [
            sizes[seed as usize % sizes.len()],
            sizes[(seed as usize * 7 + 3) % sizes.len()],
        ];
        runner::compare(&module, &format!("{shape:?} seed {seed}"), &picked);
    }
}

#[test]
fn random_structured_kernels_with_uniform_barriers_agree() {
    random(Shape::Uniform, 0..SEEDS);
}

#[test]
fn random_structured_kernels_with_early_returns_agree() {
    random(Shape::EarlyReturn, 0..SEEDS);
}

#[test]
fn random_structured_kernels_with_divergent_barriers_agree() {
    random(Shape::Divergent, 0..SEEDS);
}

#[test]
fn random_jumps_agree() {
    random(Shape::Jumps, 0..SEEDS);
}
