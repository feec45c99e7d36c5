//! Broken tables that no text can hold; the rest is in `tests/filetests/ir/verify.ir`.

use super::{Rule, verify};
use crate::ir::entities::{Block, Value};
use crate::ir::function::{Function, SrcLoc};
use crate::ir::inst::{BinaryOp, InstData, UnaryOp};
use crate::ir::module::Module;
use crate::ir::parse::parse_function;
use crate::ir::types::I32;

fn rules(func: Function) -> Vec<Rule> {
    let mut module = Module::new();
    module.add_function(func);
    let errors = verify(&module).expect_err("a broken function");
    errors.iter().map(|e| e.rule).collect()
}

fn sample() -> Function {
    let text =
        "func fn0 @f(v0: i32) -> i32 {\nblock0:\n    v1: i32 = iadd v0, v0\n    return v1\n}";
    parse_function(text).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn an_operand_that_does_not_exist() {
    let mut func = sample();
    let inst = func.block(Block::new(0)).insts[0];
    *func.inst_mut(inst) = InstData::Binary {
        op: BinaryOp::Add,
        args: [Value::new(0), Value::new(99)],
    };
    assert_eq!(rules(func), [Rule::KnownIds]);
}

#[test]
fn an_instruction_in_two_places() {
    let mut func = sample();
    let inst = func.block(Block::new(0)).insts[0];
    func.append_inst(Block::new(0), inst);
    assert_eq!(rules(func), [Rule::SingleDefinition]);
}

#[test]
fn a_value_of_an_instruction_that_was_dropped() {
    let mut func = sample();
    func.block_mut(Block::new(0)).insts.clear();
    assert_eq!(rules(func), [Rule::Dominance]);
}

#[test]
fn a_parameter_that_is_defined_elsewhere() {
    let mut func = sample();
    func.block_mut(Block::new(0)).params.push(Value::new(1));
    assert_eq!(rules(func), [Rule::SingleDefinition]);
}

#[test]
fn a_block_that_is_in_the_layout_twice_or_not_at_all() {
    let mut func = sample();
    func.set_layout(vec![Block::new(0), Block::new(0)]);
    assert_eq!(rules(func), [Rule::Layout]);
    let mut func = sample();
    func.set_layout(vec![Block::new(0), Block::new(7)]);
    assert_eq!(rules(func), [Rule::KnownIds]);
    let mut func = sample();
    func.set_layout(Vec::new());
    assert_eq!(rules(func), [Rule::Layout]);
}

#[test]
fn the_time_is_linear_in_a_long_function() {
    let mut func = sample();
    let entry = Block::new(0);
    let mut last = Value::new(1);
    for _ in 0..200_000 {
        let data = InstData::Unary {
            op: UnaryOp::Neg,
            arg: last,
        };
        let inst = func.make_inst(data, Some(I32), SrcLoc::default());
        func.append_inst(entry, inst);
        last = func.result(inst).expect("a result");
    }
    let mut module = Module::new();
    module.add_function(func);
    assert_eq!(verify(&module), Ok(()));
}
