//! Group functions built by hand, compiled, loaded and run.

use super::*;
use crate::ir::abi::{Group, GroupFn, Launch};
use crate::ir::types::*;
use crate::ir::*;

unsafe extern "C" fn no_printf(_: *const Launch, _: *const u8, _: *const u64, _: u32) {}
unsafe extern "C" fn no_divergence(_: *const Group, _: u32, _: u32) {}

/// A launch that stands for every field with a value of its own.
fn launch() -> Launch {
    Launch {
        global_offset: [1, 2, 3],
        global_size: [40, 50, 60],
        local_size: [4, 5, 6],
        num_groups: [10, 11, 12],
        work_dim: 3,
        printf: no_printf,
        divergence: no_divergence,
        user: std::ptr::null_mut(),
    }
}

#[repr(C, align(128))]
struct Aligned<const N: usize>([u8; N]);

/// A module with one group function `k`; its parameters as given.
fn kernel(params: &[(Type, bool)], build: impl FnOnce(&mut Builder, &[Value])) -> Module {
    let mut func = Function::new("k", None);
    func.group = true;
    func.kernel = Some(KernelAttrs::default());
    for (n, &(_, noalias)) in params.iter().enumerate() {
        func.params.push(ParamAttrs {
            name: format!("p{n}"),
            noalias,
            readonly: false,
            by_value: None,
        });
    }
    let mut b = Builder::new(&mut func);
    let entry = b.add_block();
    b.switch_to(entry);
    let values: Vec<Value> = params
        .iter()
        .map(|&(ty, _)| b.add_param(entry, ty))
        .collect();
    build(&mut b, &values);
    if !b.is_terminated() {
        b.ret(None);
    }
    let mut module = Module::new();
    module.add_function(func);
    module
}

fn compile(module: &Module, options: &Options) -> (Loaded, GroupFn) {
    let object = emit(module, options).expect("emits");
    let loaded = load(&object).expect("loads");
    let function = loaded.lookup("k").expect("links");
    (loaded, function)
}

fn run(function: GroupFn, args: &[u64], launch: &Launch) {
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
    };
    // SAFETY: the blocks are as the ABI asks, and the tests' kernels stay inside them.
    unsafe { function(block.0.as_ptr(), &group) }
}

const GLOBAL: Type = Type::ptr(AddrSpace::Global);

#[test]
fn a_group_function_writes_through_its_argument() {
    let module = kernel(&[(GLOBAL, false)], |b, p| {
        let value = b.iconst(I32, 42);
        b.store(value, p[0], 4, false);
    });
    let (_loaded, function) = compile(&module, &Options::default());
    let mut out = 0u32;
    run(function, &[&raw mut out as u64], &launch());
    assert_eq!(out, 42);
}
