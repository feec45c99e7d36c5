//! The launch interface; what kernels compute is in `tests/filetests/ir/run.ir`.

use super::{Arg, FaultKind, Machine, NdRange};
use crate::ir::entities::FuncId;
use crate::ir::module::Module;
use crate::ir::parse::parse_module;

fn module(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|e| panic!("{e}"))
}

const COUNT: &str = "kernel fn0 @count(v0: ptr.global, v1: i32) {
block0:
    v2: i32 = iconst 0
    v3: i32 = iconst 1
    jump block1(v2, v2)
block1(v4: i32, v5: i32):
    v6: i32 = imul v5, v1
    v7: i32 = iadd v6, v4
    v8: i32 = xor v7, v1
    v9: i32 = iadd v4, v3
    v10: i1 = icmp slt v9, v1
    br v10, block1(v9, v8), block2
block2:
    store v8, v0 align 4
    return
}";

#[test]
fn a_machine_runs_again_and_keeps_its_buffers() {
    let module = module(COUNT);
    let mut machine = Machine::new(&module);
    let buffer = machine.add_buffer(vec![0; 4]);
    let range = NdRange::new(&[1], &[1]);
    let mut seen = Vec::new();
    for n in [1i32, 2, 3] {
        let args = [Arg::Buffer(buffer, 0), Arg::Bytes(&n.to_le_bytes())];
        assert_eq!(machine.launch(FuncId::new(0), &args, &range), Ok(()));
        seen.push(machine.buffer(buffer).to_vec());
    }
    seen.dedup();
    assert_eq!(seen.len(), 3);
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let module = module(COUNT);
    let mut machine = Machine::new(&module);
    let n = 5i32.to_le_bytes();
    let good = [Arg::Null, Arg::Bytes(&n)];
    let one = NdRange::new(&[1], &[1]);
    let empty = NdRange::new(&[0], &[1]);
    let no_dims = NdRange::new(&[], &[]);
    let pointer = [Arg::Bytes(&n), Arg::Bytes(&n)];
    let mut bad = |id: usize, args: &[Arg], range: &NdRange| {
        let fault = machine
            .launch(FuncId::new(id), args, range)
            .expect_err("a bad launch");
        assert!(matches!(fault.kind, FaultKind::BadLaunch(_)), "{fault}");
    };
    bad(7, &good, &one);
    bad(0, &good[..1], &one);
    bad(0, &pointer, &one);
    bad(0, &good, &empty);
    bad(0, &good, &no_dims);
}

#[test]
fn a_call_chain_deeper_than_the_limit_is_a_fault() {
    let mut text = String::new();
    for n in 0..300 {
        text += &format!(
            "func fn{n} @f{n}() {{\nblock0:\n    call fn{}()\n    return\n}}\n",
            n + 1
        );
    }
    text += "func fn300 @last() {\nblock0:\n    return\n}\n";
    text += "kernel fn301 @k() {\nblock0:\n    call fn0()\n    return\n}\n";
    let module = module(&text);
    let mut machine = Machine::new(&module);
    let range = NdRange::new(&[1], &[1]);
    let fault = machine.launch(FuncId::new(301), &[], &range);
    assert_eq!(fault.expect_err("too deep").kind, FaultKind::CallDepth);
}
