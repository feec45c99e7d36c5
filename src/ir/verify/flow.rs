//! Edges, their arguments, terminators' operands, and dominance.

use std::collections::HashSet;

use super::structure::Places;
use super::{Broken, Reporter, Rule};
use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::entities::{Block, Value};
use crate::ir::function::Function;
use crate::ir::inst::{BinaryOp, BlockCall, Collective, Team, Terminator};
use crate::ir::types::{AddrSpace, Elem, I1, I32, I64, Type};

pub fn check(report: &mut Reporter, places: &Places) {
    let func = report.func;
    entry(report);
    for &block in func.layout() {
        if let Err(broken) = terminator(func, func.term(block)) {
            report.at_term(block, broken);
        }
    }
    dominance(report, places);
}

/// The entry's parameters are the function's; a loop can't go back to it.
fn entry(report: &mut Reporter) {
    let func = report.func;
    let (values, attrs) = (func.param_values().len(), func.params.len());
    if values != attrs {
        let message = format!("the entry has {values} parameters, the function {attrs}");
        report.at_function(Rule::EntryBlock, message);
    }
    for (&value, attrs) in func.param_values().iter().zip(&func.params) {
        let ty = func.ty(value);
        if attrs.by_value.is_some() && ty != Type::ptr(AddrSpace::Constant) {
            let message = format!("{value}, passed by value, is {ty} and not ptr.constant");
            report.at_function(Rule::EntryBlock, message);
        }
        let space = ty.addr_space();
        let foreign = matches!(space, Some(AddrSpace::Private | AddrSpace::Generic));
        if func.kernel.is_some() && (foreign || ty.elem == Elem::I1) {
            let message = format!("{value} is {ty}, which a kernel can't take");
            report.at_function(Rule::Kernel, message);
        }
    }
    if func.kernel.is_some() && func.ret.is_some() {
        let message = "a kernel has no result".to_string();
        report.at_function(Rule::Kernel, message);
    }
    if func.kernel.is_none() && !func.locals.is_empty() {
        let message = "a function that is no kernel has __local variables".to_string();
        report.at_function(Rule::LocalVariables, message);
    }
    if let Some(var) = func.locals.iter().find(|l| !l.align.is_power_of_two()) {
        let message = format!("the alignment of {} is no power of two", var.name);
        report.at_function(Rule::Alignment, message);
    }
}

fn terminator(func: &Function, term: &Terminator) -> Result<(), Broken> {
    let mut result = Ok(());
    term.for_each_call(|call| {
        if result.is_ok() {
            result = edge(func, term, call);
        }
    });
    result?;
    match term {
        Terminator::Branch { cond, .. } => {
            let ty = func.ty(*cond);
            if ty != I1 {
                return Err((Rule::OperandTypes, format!("the condition is {ty}, not i1")));
            }
        }
        Terminator::Switch { value, cases, .. } => switch(func.ty(*value), cases)?,
        Terminator::Return(value) => {
            let ty = value.map(|v| func.ty(v));
            if ty != func.ret {
                let (found, expected) = (show(ty), show(func.ret));
                let message = format!("returns {found}, the function's result is {expected}");
                return Err((Rule::ReturnType, message));
            }
        }
        Terminator::Collective {
            team,
            op,
            args,
            next,
            ..
        } => collective(func, *team, *op, args, next)?,
        Terminator::Barrier {
            team: Team::Cluster(_),
            ..
        } => return Err((Rule::OperandTypes, "a barrier of a cluster".to_string())),
        Terminator::Jump(_) | Terminator::Unreachable | Terminator::Barrier { .. } => {}
    }
    if func.group && term.is_barrier() {
        let message = "a group function has no barriers".to_string();
        return Err((Rule::GroupFunction, message));
    }
    Ok(())
}

fn show(ty: Option<Type>) -> String {
    ty.map_or_else(|| "nothing".to_string(), |ty| ty.to_string())
}

/// The arguments are the target's parameters; the last one of a collective's target is its result.
fn edge(func: &Function, term: &Terminator, call: &BlockCall) -> Result<(), Broken> {
    let target = call.block;
    if target == func.entry() {
        return Err((Rule::EntryBlock, "an edge leads to the entry".to_string()));
    }
    let params = &func.block(target).params;
    let result = usize::from(matches!(term, Terminator::Collective { .. }));
    let (given, taken) = (call.args.len() + result, params.len());
    if given != taken {
        let message = format!("{target} takes {taken} arguments and gets {given}");
        return Err((Rule::BlockArguments, message));
    }
    for (&arg, &param) in call.args.iter().zip(params) {
        let (given, taken) = (func.ty(arg), func.ty(param));
        if given != taken {
            let message = format!("{param} of {target} is {taken}, the argument {arg} is {given}");
            return Err((Rule::BlockArguments, message));
        }
    }
    Ok(())
}

fn switch(ty: Type, cases: &[(u64, BlockCall)]) -> Result<(), Broken> {
    if !ty.elem.is_int() || ty.is_vector() {
        return Err((Rule::OperandTypes, format!("a switch over {ty}")));
    }
    let mut seen = HashSet::with_capacity(cases.len());
    for &(bits, _) in cases {
        if !seen.insert(bits) {
            return Err((Rule::SwitchCases, format!("the case {bits} stands twice")));
        }
        if ty.elem.bits() < 64 && bits >> ty.elem.bits() != 0 {
            return Err((
                Rule::SwitchCases,
                format!("the case {bits:#x} does not fit {ty}"),
            ));
        }
    }
    Ok(())
}

/// See the documentation of the operations.
fn collective(
    func: &Function,
    team: Team,
    op: Collective,
    args: &[Value],
    next: &BlockCall,
) -> Result<(), Broken> {
    let fail = |message: String| Err((Rule::OperandTypes, message));
    let more: &[Type] = match op {
        Collective::Broadcast => &[I64; 3],
        Collective::Shuffle => &[I32],
        _ => &[],
    };
    if args.len() != 1 + more.len() {
        return fail(format!("{} takes {} operands", op.name(), 1 + more.len()));
    }
    let ty = func.ty(args[0]);
    let (int, float) = (ty.elem.is_int(), ty.elem.is_float());
    let number = match op {
        Collective::All | Collective::Any => int,
        Collective::Ballot => ty == I64,
        Collective::Broadcast | Collective::Shuffle => int || float,
        _ => op.fold().is_some_and(|op| folds(op, ty.elem)),
    };
    if ty.is_vector() || !number {
        return fail(format!("{op} of {ty}"));
    }
    if let Some((id, ty)) = args[1..]
        .iter()
        .zip(more)
        .find(|&(&v, &ty)| func.ty(v) != ty)
    {
        return fail(format!("the operand {id} is not {ty}"));
    }
    let result = func.block(next.block).params.last().map(|&v| func.ty(v));
    if result != Some(ty) {
        let message = format!(
            "the result is taken as {}, the operand is {ty}",
            show(result)
        );
        return Err((Rule::BlockArguments, message));
    }
    let has = match team {
        Team::Group => !matches!(op, Collective::Ballot | Collective::Shuffle),
        Team::SubGroup => op != Collective::Broadcast,
        Team::Cluster(n) => matches!(op, Collective::Reduce(_)) && n.is_power_of_two(),
    };
    match has {
        true => Ok(()),
        false => fail(format!("{} of {team:?}", op.name())),
    }
}

/// Collectives fold elements of that type with the operation.
fn folds(op: BinaryOp, elem: Elem) -> bool {
    let of_floats = matches!(
        op,
        BinaryOp::FAdd | BinaryOp::FMul | BinaryOp::FMin | BinaryOp::FMax
    );
    let fits = match of_floats {
        true => elem.is_float(),
        false => elem.is_int() && elem != Elem::I1,
    };
    fits && op.identity(elem).is_some()
}

fn dominance(report: &mut Reporter, places: &Places) {
    let func = report.func;
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let broken = |v: Value, block: Block, place: u32| -> Option<Broken> {
        match places.of_value[v.index()] {
            None => Some((Rule::Dominance, format!("{v} is defined in no block"))),
            Some((from, at)) if from == block => (at >= place).then(|| {
                let message = format!("{v} is defined after this use");
                (Rule::Dominance, message)
            }),
            Some((from, _)) if cfg.is_reachable(block) && !dom.dominates(from, block) => {
                let message = format!("{from}, which defines {v}, does not dominate this use");
                Some((Rule::Dominance, message))
            }
            Some(_) => None,
        }
    };
    for &block in func.layout() {
        let insts = &func.block(block).insts;
        for (n, &inst) in insts.iter().enumerate() {
            let mut bad = None;
            func.inst(inst).for_each_use(|v| {
                bad = bad.take().or_else(|| broken(v, block, n as u32 + 1));
            });
            if let Some(bad) = bad {
                report.at_inst(block, inst, bad);
            }
        }
        let mut bad = None;
        func.term(block).for_each_use(|v| {
            bad = bad
                .take()
                .or_else(|| broken(v, block, insts.len() as u32 + 1));
        });
        if let Some(bad) = bad {
            report.at_term(block, bad);
        }
    }
}
