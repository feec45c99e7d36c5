//! Makes a kernel for arguments of which something is known before it runs: a number, or a word of what a pointer leads to.
//!
//! Calls that pass on such a pointer go to clones of the callee for just what they pass, and so do all calls with constants
//! from within such a clone, so that a library function with an arm for every format and mode becomes the few instructions
//! of one. Each clone is folded as it is made: what is left is small enough to be inlined. (Procedure cloning by constant
//! arguments: Cooper, Hall and Kennedy, 1993.)
//!
//! Invariant: the memory behind a pointer of which a word is known does not change while the kernel runs.

use super::replace::Replacements;
use super::{check, dce, fold, mem2reg, simplify_cfg, sroa};
use crate::ir::types::I32;
use crate::ir::{FuncId, Function, Inst, InstData, Module, Value};
use std::collections::HashMap;

/// What is known of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// The bits of an integer.
    Constant(u64),
    /// It points to memory that holds, `offset` bytes behind that address, the 32-bit word `bits`.
    Word { offset: u64, bits: u32 },
}

/// Specialises a kernel, in place, for its parameters; nothing is known of those behind the end of `known`. The program
/// must not be recursive.
pub fn run(module: &mut Module, kernel: FuncId, known: &[Option<Known>]) {
    let Some(body) = module.body(kernel) else {
        return;
    };
    let mut known = known.to_vec();
    known.resize(body.params.len(), None);
    let mut pass = Pass {
        module,
        clones: HashMap::new(),
        work: Vec::new(),
    };
    let body = body_of(pass.module, kernel, &known);
    pass.module.define(kernel, body);
    check(pass.module, kernel, "specialize");
    pass.redirect(kernel, &known, false);
    while let Some((clone, known)) = pass.work.pop() {
        pass.redirect(clone, &known, true);
    }
}

type Facts = Vec<Option<Known>>;

struct Pass<'m> {
    module: &'m mut Module,
    clones: HashMap<(FuncId, Facts), FuncId>,
    /// Clones whose calls have not been looked at.
    work: Vec<(FuncId, Facts)>,
}

/// The body of a function with what is known put in.
fn body_of(module: &Module, id: FuncId, known: &[Option<Known>]) -> Function {
    let mut func = module.body(id).expect("a defined function").clone();
    simplify_cfg::run(&mut func);
    sroa::run(&mut func);
    mem2reg::run(&mut func);
    let params: Vec<(Value, Known)> = func
        .param_values()
        .iter()
        .zip(known)
        .filter_map(|(&param, known)| Some((param, (*known)?)))
        .collect();
    put_constants(&mut func, &params);
    fold::run(&mut func);
    put_words(&mut func, &params);
    fold::run(&mut func);
    simplify_cfg::run(&mut func);
    // Arms that are gone may have been all that kept a variable in memory.
    sroa::run(&mut func);
    mem2reg::run(&mut func);
    fold::run(&mut func);
    dce::run(&mut func);
    simplify_cfg::run(&mut func);
    func
}

/// Parameters whose value is known become constants.
fn put_constants(func: &mut Function, params: &[(Value, Known)]) {
    let mut replace = Replacements::new(func);
    let mut made = Vec::new();
    for &(param, known) in params {
        let Known::Constant(bits) = known else {
            continue;
        };
        let ty = func.ty(param);
        let loc = Default::default();
        let inst = func.make_inst(InstData::IConst { ty, bits }, Some(ty), loc);
        replace.set(param, func.result(inst).expect("it was given a type"));
        made.push(inst);
    }
    replace.apply(func);
    let entry = func.entry();
    func.block_mut(entry).insts.splice(0..0, made);
}

/// Loads of words that are known become constants.
fn put_words(func: &mut Function, params: &[(Value, Known)]) {
    let insts: Vec<Inst> = func
        .layout()
        .iter()
        .flat_map(|&block| func.block(block).insts.clone())
        .collect();
    for inst in insts {
        let InstData::Load { ptr, .. } = *func.inst(inst) else {
            continue;
        };
        let is_word = func.result(inst).is_some_and(|v| func.ty(v) == I32);
        let Some((base, at)) = place(func, ptr).filter(|_| is_word) else {
            continue;
        };
        let word = params.iter().find_map(|&(param, known)| match known {
            Known::Word { offset, bits } if param == base && offset == at => Some(bits),
            _ => None,
        });
        if let Some(bits) = word {
            *func.inst_mut(inst) = InstData::IConst {
                ty: I32,
                bits: bits.into(),
            };
        }
    }
}

/// A pointer as another one and a constant number of bytes behind it.
fn place(func: &Function, ptr: Value) -> Option<(Value, u64)> {
    let (mut base, mut offset) = (ptr, 0u64);
    while let Some(InstData::PtrAdd { ptr, offset: by }) = func.def_inst(base) {
        let Some(&InstData::IConst { bits, .. }) = func.def_inst(*by) else {
            return None;
        };
        offset = offset.wrapping_add(bits);
        base = *ptr;
    }
    Some((base, offset))
}

impl Pass<'_> {
    /// Sends the calls of a function to clones; `inside` says that it is one itself.
    fn redirect(&mut self, id: FuncId, known: &[Option<Known>], inside: bool) {
        let Some(body) = self.module.body(id) else {
            return;
        };
        let params: HashMap<Value, Known> = body
            .param_values()
            .iter()
            .zip(known)
            .filter_map(|(&param, known)| Some((param, (*known)?)))
            .collect();
        let mut calls = Vec::new();
        for &block in body.layout() {
            for &inst in &body.block(block).insts {
                let InstData::Call { func, args } = body.inst(inst) else {
                    continue;
                };
                let facts: Facts = args
                    .iter()
                    .map(|&arg| match body.def_inst(arg) {
                        Some(&InstData::IConst { ty, bits }) if !ty.is_vector() => {
                            Some(Known::Constant(bits))
                        }
                        _ => params.get(&arg).copied(),
                    })
                    .collect();
                let is_word = |fact: &Option<Known>| matches!(fact, Some(Known::Word { .. }));
                let wanted =
                    facts.iter().any(is_word) || inside && facts.iter().any(Option::is_some);
                if wanted && self.module.body(*func).is_some() {
                    calls.push((inst, *func, facts));
                }
            }
        }
        for (inst, callee, facts) in calls {
            let clone = self.clone_for(callee, facts);
            let body = self.module.functions[id.index()].body.as_mut();
            if let Some(InstData::Call { func, .. }) = body.map(|body| body.inst_mut(inst)) {
                *func = clone;
            }
        }
    }

    fn clone_for(&mut self, callee: FuncId, facts: Facts) -> FuncId {
        if let Some(&clone) = self.clones.get(&(callee, facts.clone())) {
            return clone;
        }
        let mut body = body_of(self.module, callee, &facts);
        body.name = format!("{}.{}", body.name, self.clones.len());
        body.kernel = None;
        let clone = self.module.add_function(body);
        check(self.module, clone, "specialize");
        self.clones.insert((callee, facts.clone()), clone);
        self.work.push((clone, facts));
        clone
    }
}
