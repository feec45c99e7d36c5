//! Compiles group functions, loads and runs them. This file holds what the tests share.

mod abi;
mod control;
mod float;
mod integer;
mod lifetime;
mod lookup;
mod machine;
mod memory;
mod vector;

use super::*;
use crate::ir::abi::{Group, GroupFn, Launch};
use crate::ir::types::*;
use crate::ir::*;

unsafe extern "C" fn no_printf(_: *const Launch, _: *const u8, _: *const u64, _: u32) {}
unsafe extern "C" fn no_divergence(_: *const Group, _: u32, _: u32, _: u32, _: u32, _: *const u32) {
}
unsafe extern "C" fn no_device(_: *const Launch, _: u32, _: *const u64, _: u32) -> u64 {
    0
}

const GLOBAL: Type = Type::ptr(AddrSpace::Global);

/// A launch whose every field has a value of its own.
fn launch() -> Launch {
    Launch {
        global_offset: [1, 2, 3],
        global_size: [40, 50, 60],
        local_size: [4, 5, 6],
        num_groups: [10, 11, 12],
        work_dim: 3,
        printf: no_printf,
        divergence: no_divergence,
        device: no_device,
        user: std::ptr::null_mut(),
    }
}

#[repr(C, align(128))]
struct Aligned<const N: usize>([u8; N]);

/// A group function called `name`, with the given parameters.
fn group_function(
    name: &str,
    params: &[Type],
    build: impl FnOnce(&mut Builder, &[Value]),
) -> Function {
    let mut func = Function::new(name, None);
    func.group = true;
    func.kernel = Some(KernelAttrs::default());
    for n in 0..params.len() {
        func.params.push(ParamAttrs {
            name: format!("p{n}"),
            noalias: false,
            readonly: false,
            by_value: None,
        });
    }
    let mut b = Builder::new(&mut func);
    let entry = b.add_block();
    b.switch_to(entry);
    let values: Vec<Value> = params.iter().map(|&ty| b.add_param(entry, ty)).collect();
    build(&mut b, &values);
    if !b.is_terminated() {
        b.ret(None);
    }
    func
}

/// The module of a text whose functions are all group functions unless they are plain `func`s.
fn parse(text: &str) -> Module {
    let mut module = crate::ir::parse::parse_module(text).expect("parses");
    for slot in &mut module.functions {
        if let Some(body) = &mut slot.body {
            body.group = body.kernel.is_some();
        }
    }
    module
}

fn loaded(module: &Module, options: &Options) -> Loaded {
    load(&emit(module, options).expect("emits")).expect("loads")
}

/// Runs a group function with these 8-byte arguments.
fn run(function: GroupFn, args: &[u64]) {
    run_with(function, args, &launch());
}

fn run_with(function: GroupFn, args: &[u64], launch: &Launch) {
    let mut block = Aligned([0u8; 256]);
    for (n, arg) in args.iter().enumerate() {
        block.0[n * 8..n * 8 + 8].copy_from_slice(&arg.to_ne_bytes());
    }
    let mut scratch = Aligned([0u8; 4096]);
    let mut local = Aligned([0u8; 4096]);
    let group = Group {
        launch,
        group_id: [7, 8, 9],
        local_size: [2, 3, 4],
        scratch: scratch.0.as_mut_ptr(),
        local: local.0.as_mut_ptr(),
        scratch_bytes: 4096,
        local_bytes: 4096,
    };
    // SAFETY: the blocks are as the ABI asks, and the tests' kernels stay inside what they are given.
    unsafe { function(block.0.as_ptr(), &group) }
}

/// Compiles the one kernel `k` of a text and runs it.
fn run_text(text: &str, args: &[u64]) {
    for optimize in [true, false] {
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&parse(text), &options);
        run(loaded.lookup("k").expect("links"), args);
    }
}

type Build = Box<dyn Fn(&mut Builder, &[Value]) -> Value>;
type Expect = Box<dyn Fn(&[u64]) -> Option<u64>>;

/// An operation on lanes of one type: reads operands, writes a result of type `out`, all packed by element.
struct Case {
    name: String,
    ins: Vec<Type>,
    out: Type,
    build: Build,
    /// The expected bits of a lane from the bits of the operands' lanes; `None` where anything goes.
    expect: Expect,
    /// The operands to try, each a list of lane bits.
    tries: Vec<Vec<u64>>,
}

/// The instruction sets to compile for: the host's, and the least that x86-64 has.
fn feature_sets() -> [Option<String>; 2] {
    [None, Some("+sse2".to_string())]
}

/// Compiles all cases in one module, at several widths and options, and compares each lane.
fn check_cases(cases: &[Case]) {
    for features in feature_sets() {
        for (optimize, lanes) in [(true, 1), (true, 3), (true, 8), (false, 4)] {
            let options = Options {
                optimize,
                features: features.clone(),
                ..Options::default()
            };
            check_cases_at(cases, lanes, &options);
        }
    }
}

fn check_cases_at(cases: &[Case], lanes: u16, options: &Options) {
    let mut module = Module::new();
    for case in cases {
        let mut params = vec![GLOBAL];
        params.extend(case.ins.iter().map(|_| GLOBAL));
        module.add_function(group_function(&case.name, &params, |b, p| {
            let operands: Vec<Value> = case
                .ins
                .iter()
                .zip(&p[1..])
                .map(|(ty, &ptr)| {
                    let ty = Type::vector(ty.elem, lanes);
                    b.load(ty, ptr, ty.elem.bytes() as u32, false)
                })
                .collect();
            let value = (case.build)(b, &operands);
            b.store(value, p[0], case.out.elem.bytes() as u32, false);
        }));
    }
    let loaded = loaded(&module, options);
    for case in cases {
        let function = loaded.lookup(&case.name).expect("links");
        for chunk in case.tries.chunks(usize::from(lanes)) {
            check_chunk(case, function, chunk, lanes, options);
        }
    }
}

fn check_chunk(case: &Case, function: GroupFn, chunk: &[Vec<u64>], lanes: u16, options: &Options) {
    let lanes = usize::from(lanes);
    let mut inputs: Vec<Aligned<128>> = Vec::new();
    for (n, ty) in case.ins.iter().enumerate() {
        let size = ty.elem.bytes() as usize;
        let mut bytes = Aligned([0u8; 128]);
        for lane in 0..lanes {
            let bits = chunk.get(lane).unwrap_or(&chunk[0])[n];
            bytes.0[lane * size..(lane + 1) * size].copy_from_slice(&bits.to_ne_bytes()[..size]);
        }
        inputs.push(bytes);
    }
    let mut out = Aligned([0xA5u8; 128]);
    let mut args = vec![out.0.as_mut_ptr() as u64];
    args.extend(inputs.iter().map(|i| i.0.as_ptr() as u64));
    run(function, &args);
    let size = case.out.elem.bytes() as usize;
    for (lane, operands) in chunk.iter().enumerate() {
        let mut got = [0u8; 8];
        got[..size].copy_from_slice(&out.0[lane * size..(lane + 1) * size]);
        let got = u64::from_ne_bytes(got);
        if let Some(want) = (case.expect)(operands) {
            assert_eq!(
                got, want,
                "{} of {operands:x?} is {got:#x}, want {want:#x} ({lanes} lanes, {options:?})",
                case.name
            );
        }
    }
    let written = lanes * size;
    assert!(
        out.0[written..].iter().all(|&b| b == 0xA5),
        "{} wrote past its {lanes} lanes",
        case.name
    );
}

/// The same pseudo-random numbers at every run (Steele et al., SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
