//! Types of operands and results, instruction by instruction.
//!
//! The one function `result_type` checks an instruction's operands and says what its result must be.

use super::calls::asks_for_item;
use super::{Broken, Reporter, Rule};
use crate::ir::entities::Value;
use crate::ir::function::Function;
use crate::ir::inst::*;
use crate::ir::module::Module;
use crate::ir::types::{AddrSpace, Elem, I1, I32, I64, Type};

pub fn check(module: &Module, report: &mut Reporter) {
    let func = report.func;
    let checker = Checker { module, func };
    for &block in func.layout() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            if matches!(data, InstData::Alloca { .. }) && block != func.entry() {
                let message = "private memory is made outside the entry block".to_string();
                report.at_inst(block, inst, (Rule::AllocaInEntry, message));
            }
            let found = func.result(inst).map(|v| func.ty(v));
            match checker.result_type(data) {
                Err(broken) => report.at_inst(block, inst, broken),
                // The callee is not there yet: any result goes.
                Ok(Expected::Any) => {}
                Ok(Expected::Nothing) if found.is_none() => {}
                Ok(Expected::Type(ty)) if found == Some(ty) => {}
                Ok(Expected::Nothing) => {
                    let message = "the instruction has no result".to_string();
                    report.at_inst(block, inst, (Rule::ResultType, message));
                }
                Ok(Expected::Type(ty)) => {
                    let message = format!("the result must be {ty}");
                    report.at_inst(block, inst, (Rule::ResultType, message));
                }
            }
        }
    }
}

pub(super) enum Expected {
    Nothing,
    Type(Type),
    Any,
}

pub(super) struct Checker<'a> {
    pub module: &'a Module,
    pub func: &'a Function,
}

pub(super) type Check<T = ()> = Result<T, Broken>;

pub(super) fn require(holds: bool, rule: Rule, message: impl FnOnce() -> String) -> Check {
    if holds {
        Ok(())
    } else {
        Err((rule, message()))
    }
}

impl Checker<'_> {
    pub(super) fn ty(&self, v: Value) -> Type {
        self.func.ty(v)
    }

    /// `v` has the type `ty`.
    pub(super) fn is(&self, v: Value, ty: Type) -> Check {
        let found = self.ty(v);
        require(found == ty, Rule::OperandTypes, || {
            format!("{v} is {found} where {ty} is wanted")
        })
    }

    /// All the values have one type, whose element passes the test; `what` names it.
    pub(super) fn same(
        &self,
        args: &[Value],
        what: &str,
        test: impl Fn(Elem) -> bool,
    ) -> Check<Type> {
        let ty = self.ty(args[0]);
        require(test(ty.elem), Rule::OperandTypes, || {
            format!("{} is {ty} where {what} is wanted", args[0])
        })?;
        for &arg in &args[1..] {
            self.is(arg, ty)?;
        }
        Ok(ty)
    }

    fn scalar(&self, v: Value) -> Check<Type> {
        let ty = self.ty(v);
        require(!ty.is_vector(), Rule::OperandTypes, || {
            format!("{v} is {ty} where a scalar is wanted")
        })?;
        Ok(ty)
    }

    pub(super) fn vector(&self, v: Value) -> Check<Type> {
        let ty = self.ty(v);
        require(ty.is_vector(), Rule::OperandTypes, || {
            format!("{v} is {ty} where a vector is wanted")
        })?;
        Ok(ty)
    }

    pub(super) fn pointer(&self, v: Value) -> Check<AddrSpace> {
        let ty = self.scalar(v)?;
        ty.addr_space().ok_or_else(|| {
            let message = format!("{v} is {ty} where a pointer is wanted");
            (Rule::OperandTypes, message)
        })
    }

    fn result_type(&self, data: &InstData) -> Check<Expected> {
        Ok(Expected::Type(match data {
            InstData::IConst { ty, bits } => {
                let elem = ty.elem;
                require(elem.is_int() || elem.is_ptr(), Rule::OperandTypes, || {
                    format!("an integer constant of {ty}")
                })?;
                constant_fits(*ty, *bits)?
            }
            InstData::FConst { ty, bits } => {
                require(ty.elem.is_float(), Rule::OperandTypes, || {
                    format!("a floating-point constant of {ty}")
                })?;
                constant_fits(*ty, *bits)?
            }
            InstData::Undef { ty } => *ty,
            InstData::Unary { op, arg } => self.unary(*op, *arg)?,
            InstData::Binary { op, args } => self.binary(*op, args)?,
            InstData::Ternary { args, .. } => self.same(args, "floating point", Elem::is_float)?,
            InstData::ICmp { args, .. } => {
                let test = |e: Elem| e.is_int() || e.is_ptr();
                let ty = self.same(args, "an integer or a pointer", test)?;
                ty.with_elem(Elem::I1)
            }
            InstData::FCmp { args, .. } => {
                let ty = self.same(args, "floating point", Elem::is_float)?;
                ty.with_elem(Elem::I1)
            }
            InstData::Select { cond, then, els } => {
                let ty = self.same(&[*then, *els], "any type", |_| true)?;
                if self.ty(*cond) != I1 {
                    self.is(*cond, ty.with_elem(Elem::I1))?;
                }
                ty
            }
            InstData::Cast { op, arg, to } => self.cast(*op, *arg, *to)?,
            InstData::Splat { .. }
            | InstData::BuildVector { .. }
            | InstData::Extract { .. }
            | InstData::Insert { .. }
            | InstData::ExtractDyn { .. }
            | InstData::InsertDyn { .. }
            | InstData::Shuffle { .. } => self.lanes(data)?,
            InstData::WorkItem { query, dim } => self.work_item(*query, *dim)?,
            InstData::Printf { format, .. } => {
                let global = self.module.globals.get(format.index());
                let global =
                    global.ok_or_else(|| (Rule::KnownIds, format!("{format} does not exist")))?;
                require(global.init.contains(&0), Rule::OperandTypes, || {
                    format!("the format {format} has no NUL")
                })?;
                I32
            }
            InstData::Clock => I64,
            InstData::Device { args, .. } => {
                for &arg in args {
                    let ty = self.ty(arg);
                    let fits = ty.elem.is_ptr() || matches!(ty, I32 | I64);
                    require(fits && !ty.is_vector(), Rule::OperandTypes, || {
                        format!("{arg} is neither i32, i64 nor a pointer")
                    })?;
                }
                I64
            }
            InstData::ScratchBase => {
                self.only_in_groups()?;
                Type::ptr(AddrSpace::Private)
            }
            InstData::ReportDivergence(divergent) => {
                self.only_in_groups()?;
                for number in divergent.lines.into_iter().chain(divergent.regions) {
                    self.is(number, I32)?;
                }
                self.is(divergent.next, Type::ptr(AddrSpace::Private))?;
                return Ok(Expected::Nothing);
            }
            InstData::Call { func, args } => return self.call(func.index(), args),
            _ => return self.memory(data),
        }))
    }

    fn unary(&self, op: UnaryOp, arg: Value) -> Check<Type> {
        match op {
            UnaryOp::Neg
            | UnaryOp::Not
            | UnaryOp::Clz
            | UnaryOp::Ctz
            | UnaryOp::Popcount
            | UnaryOp::BitReverse => self.same(&[arg], "an integer", Elem::is_int),
            UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::Sqrt
            | UnaryOp::Ceil
            | UnaryOp::Floor
            | UnaryOp::Trunc
            | UnaryOp::Rint
            | UnaryOp::Round => self.same(&[arg], "floating point", Elem::is_float),
            UnaryOp::FMantissa | UnaryOp::FExponent | UnaryOp::FSignificand | UnaryOp::FLogb => {
                let test = |e: Elem| matches!(e, Elem::F32 | Elem::F64);
                self.same(&[arg], "f32 or f64", test)
            }
            UnaryOp::RecipEstimate | UnaryOp::RsqrtEstimate => {
                self.same(&[arg], "f32", |e| e == Elem::F32)
            }
        }
    }

    /// Binary operands have the type of the result.
    fn binary(&self, op: BinaryOp, args: &[Value; 2]) -> Check<Type> {
        match op {
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax
            | BinaryOp::CopySign => self.same(args, "floating point", Elem::is_float),
            BinaryOp::FScale => {
                let test = |e: Elem| matches!(e, Elem::F32 | Elem::F64);
                self.same(args, "f32 or f64", test)
            }
            _ => self.same(args, "an integer", Elem::is_int),
        }
    }

    fn cast(&self, op: CastOp, arg: Value, to: Type) -> Check<Type> {
        let from = self.ty(arg);
        let (a, b) = (from.elem, to.elem);
        let holds = match op {
            CastOp::Trunc => a.is_int() && b.is_int() && a.bits() > b.bits(),
            CastOp::ZExt | CastOp::SExt => a.is_int() && b.is_int() && a.bits() < b.bits(),
            CastOp::FpTrunc => a.is_float() && b.is_float() && a.bits() > b.bits(),
            CastOp::FpExt => a.is_float() && b.is_float() && a.bits() < b.bits(),
            CastOp::FpToSi | CastOp::FpToUi => a.is_float() && b.is_int(),
            CastOp::SiToFp | CastOp::UiToFp => a.is_int() && b.is_float(),
            CastOp::Bitcast => {
                let size = |ty: Type| ty.elem.bytes() * u64::from(ty.lanes);
                size(from) == size(to) && !a.is_ptr() && !b.is_ptr()
            }
            CastOp::PtrToInt => a.is_ptr() && b.is_int(),
            CastOp::IntToPtr => a.is_int() && b.is_ptr(),
            CastOp::AddrSpaceCast => a.is_ptr() && b.is_ptr(),
        };
        let lanes = op == CastOp::Bitcast || from.lanes == to.lanes;
        require(holds && lanes, Rule::OperandTypes, || {
            format!("{} can't make {to} of {from}", op.name())
        })?;
        Ok(to)
    }

    fn lanes(&self, data: &InstData) -> Check<Type> {
        let within = |lane: u16, count: u16| {
            require(lane < count, Rule::Lanes, || {
                format!("lane {lane} of {count}")
            })
        };
        let many = |count: usize| {
            require(
                (2..=usize::from(u16::MAX)).contains(&count),
                Rule::Lanes,
                || format!("a vector of {count} lanes"),
            )
        };
        Ok(match data {
            InstData::Splat { arg, lanes } => {
                many(usize::from(*lanes))?;
                Type::vector(self.scalar(*arg)?.elem, *lanes)
            }
            InstData::BuildVector { args } => {
                many(args.len())?;
                let ty = self.same(args, "any type", |_| true)?;
                self.scalar(args[0])?;
                Type::vector(ty.elem, args.len() as u16)
            }
            InstData::Extract { vec, lane } => {
                let ty = self.vector(*vec)?;
                within(*lane, ty.lanes)?;
                ty.lane()
            }
            InstData::Insert { vec, scalar, lane } => {
                let ty = self.vector(*vec)?;
                within(*lane, ty.lanes)?;
                self.is(*scalar, ty.lane())?;
                ty
            }
            InstData::ExtractDyn { vec, lane } => {
                self.is(*lane, I32)?;
                self.vector(*vec)?.lane()
            }
            InstData::InsertDyn { vec, scalar, lane } => {
                let ty = self.vector(*vec)?;
                self.is(*scalar, ty.lane())?;
                self.is(*lane, I32)?;
                ty
            }
            InstData::Shuffle { a, b, mask } => {
                let ty = self.vector(*a)?;
                self.is(*b, ty)?;
                many(mask.len())?;
                for &lane in mask {
                    within(lane, ty.lanes.saturating_mul(2))?;
                }
                Type::vector(ty.elem, mask.len() as u16)
            }
            _ => unreachable!("only the vector instructions come here"),
        })
    }

    fn work_item(&self, query: WorkItemQuery, dim: u8) -> Check<Type> {
        let whole = !matches!(
            query,
            WorkItemQuery::GlobalId
                | WorkItemQuery::LocalId
                | WorkItemQuery::GroupId
                | WorkItemQuery::GlobalSize
                | WorkItemQuery::LocalSize
                | WorkItemQuery::EnqueuedLocalSize
                | WorkItemQuery::NumGroups
                | WorkItemQuery::GlobalOffset
        );
        require(dim < if whole { 1 } else { 3 }, Rule::WorkItemQuery, || {
            format!("dimension {dim} of {}", query.name())
        })?;
        let allowed = !self.func.group || !asks_for_item(&InstData::WorkItem { query, dim });
        require(allowed, Rule::GroupFunction, || {
            format!("a group function asks for {}", query.name())
        })?;
        Ok(if query == WorkItemQuery::WorkDim {
            I32
        } else {
            I64
        })
    }

    fn only_in_groups(&self) -> Check {
        require(self.func.group, Rule::GroupFunction, || {
            "only a group function has this".to_string()
        })
    }

    fn call(&self, callee: usize, args: &[Value]) -> Check<Expected> {
        let slot = self.module.functions.get(callee);
        let slot = slot.ok_or_else(|| (Rule::KnownIds, format!("fn{callee} does not exist")))?;
        let Some(callee) = &slot.body else {
            return Ok(Expected::Any);
        };
        require(!callee.group, Rule::GroupFunction, || {
            "a group function is called".to_string()
        })?;
        let params: &[Value] = match callee.layout().first() {
            Some(entry) if entry.index() < callee.num_blocks() => callee.param_values(),
            _ => &[],
        };
        require(params.len() == args.len(), Rule::CallTypes, || {
            format!("{} arguments for {} parameters", args.len(), params.len())
        })?;
        for (&arg, &param) in args.iter().zip(params) {
            if param.index() >= callee.num_values() {
                continue;
            }
            let (given, taken) = (self.ty(arg), callee.ty(param));
            require(given == taken, Rule::CallTypes, || {
                format!("{arg} is {given}, the parameter is {taken}")
            })?;
        }
        Ok(match callee.ret {
            Some(ty) => Expected::Type(ty),
            None => Expected::Nothing,
        })
    }
}

fn constant_fits(ty: Type, bits: u64) -> Check<Type> {
    let width = ty.elem.bits();
    require(
        width == 64 || bits >> width == 0,
        Rule::ConstantBits,
        || format!("{bits:#x} does not fit {ty}"),
    )?;
    Ok(ty)
}
