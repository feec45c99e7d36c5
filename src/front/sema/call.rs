//! Calls: of the source's own functions with overload resolution, of builtins, and of the families that are known by
//! the form of their names (`convert_`, `as_`, printf) (OpenCL C 3.0, 6.4.2, 6.4.3, 6.15).

use super::builtin::Lookup;
use super::convert::{Context, encloses};
use super::missing;
use super::pipe;
use super::scope::Entity;
use super::{Operand, Sema, ast, hir, value};
use crate::builtins::{self, BuiltinId};
use crate::front::options::Version;
use crate::front::predefined::{self, Predefined};
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{QualType, Scalar, TypeId, TypeKind};
use crate::ir::AddrSpace;

impl Sema<'_> {
    pub(super) fn call(
        &mut self,
        callee: ast::ExprId,
        args: &[ast::ExprId],
        loc: Loc,
    ) -> hir::Expr {
        let mut inner = callee;
        while let ast::ExprKind::Paren(e) = self.ast.expr(inner).kind {
            inner = e;
        }
        if let Some(block) = self.block_operand(inner) {
            let args = self.arguments(args);
            return match block {
                Some(used) => self.call_block(used, args, loc),
                None => self.error_expr(loc),
            };
        }
        let ast::ExprKind::Ident(name) = self.ast.expr(inner).kind else {
            self.operand(callee);
            return self.fail(loc, "called object is not a function");
        };
        match self.scopes.lookup(name).map(|(e, _)| e.clone()) {
            Some(Entity::Functions(ids)) => {
                let args = self.arguments(args);
                match self.better_builtin(name, &ids, &args) {
                    Some((id, params, ret)) => self.builtin_call(id, args, params, ret, loc),
                    None => self.call_user(name, &ids, args, loc),
                }
            }
            Some(Entity::Error) => self.error_expr(loc),
            Some(_) => {
                let text = format!("called object '{}' is not a function", self.name(name));
                self.fail(loc, text)
            }
            None => self.call_builtin(name, args, loc),
        }
    }

    fn arguments(&mut self, args: &[ast::ExprId]) -> Vec<hir::Expr> {
        args.iter().map(|&arg| self.rvalue(arg)).collect()
    }

    fn call_user(
        &mut self,
        name: Symbol,
        ids: &[hir::FuncId],
        args: Vec<hir::Expr>,
        loc: Loc,
    ) -> hir::Expr {
        if args.iter().any(|a| self.types.is_error(a.ty)) {
            return self.error_expr(loc);
        }
        let id = match ids {
            [only] => *only,
            _ => match self.best_overload(ids, &args) {
                Some((_, Some(id))) => id,
                _ => {
                    let text = format!("no matching function for call to '{}'", self.name(name));
                    let result = self.fail(loc, text);
                    for id in ids {
                        let signature = &self.signatures[id.0 as usize];
                        let at = signature.loc;
                        let types: Vec<TypeId> = signature.params.iter().map(|p| p.ty).collect();
                        let names: Vec<String> =
                            types.iter().map(|&ty| self.types.display(ty)).collect();
                        let why = self.why_not(&types, &args);
                        let text = format!("candidate function ({}): {why}", names.join(", "));
                        self.note(at, text);
                    }
                    return result;
                }
            },
        };
        let signature = self.signatures[id.0 as usize].clone();
        let expected = signature.params.len();
        if args.len() != expected {
            let many = if args.len() < expected { "few" } else { "many" };
            let text = format!(
                "too {many} arguments to function call, expected {expected}, have {}",
                args.len()
            );
            let result = self.fail(loc, text);
            let text = format!("'{}' declared here", self.name(name));
            self.note(signature.loc, text);
            return result;
        }
        let args: Vec<hir::Expr> = args
            .into_iter()
            .zip(&signature.params)
            .map(|(arg, param)| self.coerce(arg, param.ty, Context::Argument))
            .collect();
        if args.iter().any(|a| self.types.is_error(a.ty)) || self.types.is_error(signature.ret) {
            return self.error_expr(loc);
        }
        if let Some(caller) = self.func.as_ref().map(|f| f.id) {
            self.calls.push((caller, id, loc));
        } else {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        value(signature.ret, loc, hir::ExprKind::Call { func: id, args })
    }

    /// Functions of the source that are `overloadable` stand beside the builtin of their name: its overload, if that
    /// takes the arguments with less conversion than each of theirs.
    fn better_builtin(
        &mut self,
        name: Symbol,
        ids: &[hir::FuncId],
        args: &[hir::Expr],
    ) -> Option<(BuiltinId, Vec<TypeId>, TypeId)> {
        let overloadable = |id: &hir::FuncId| self.signatures[id.0 as usize].overloadable;
        if !ids.iter().all(overloadable) || args.iter().any(|a| self.types.is_error(a.ty)) {
            return None;
        }
        let least = self.best_overload(ids, args).map(|best| best.0);
        match self.resolve_builtin(self.name(name), args) {
            Lookup::Resolved {
                id,
                params,
                ret,
                cost,
            } if least.is_none_or(|least| cost < least) => Some((id, params, ret)),
            _ => None,
        }
    }

    /// The least sum of conversion ranks, and the overload that has it, if exactly one does.
    fn best_overload(
        &self,
        ids: &[hir::FuncId],
        args: &[hir::Expr],
    ) -> Option<(u32, Option<hir::FuncId>)> {
        let mut best: Option<(u32, Option<hir::FuncId>)> = None;
        for &id in ids {
            let params = &self.signatures[id.0 as usize].params;
            if params.len() != args.len() {
                continue;
            }
            let cost: Option<u32> = args
                .iter()
                .zip(params)
                .map(|(arg, param)| self.conversion_cost(arg.ty, param.ty))
                .sum();
            let Some(cost) = cost else {
                continue;
            };
            match best {
                Some((least, _)) if cost > least => {}
                Some((least, _)) if cost == least => best = Some((least, None)),
                _ => best = Some((cost, Some(id))),
            }
        }
        best
    }

    /// How far a type is from a parameter's: 0 is the same; `None` does not convert.
    pub(super) fn conversion_cost(&self, from: TypeId, to: TypeId) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        match (self.types.arith(from), self.types.arith(to)) {
            (Some((a, 1)), Some((b, 1))) => {
                let promotes = a.is_int() == b.is_int() && b >= a && b <= Scalar::Int.max(a);
                let widens = a.is_float() && b.is_float() && b > a;
                return Some(if promotes || widens { 1 } else { 3 });
            }
            (Some((_, 1)), Some(_)) => return Some(8),
            (Some(_), Some(_)) => return None,
            _ => {}
        }
        let (a, b) = (self.types.pointee(from)?, self.types.pointee(to)?);
        if !encloses(b.space, a.space) {
            return None;
        }
        let widens = u32::from(a.space != b.space);
        if a.ty == b.ty {
            return Some(widens + if a.is_const && !b.is_const { 4 } else { 1 });
        }
        self.types.is_void(b.ty).then_some(widens + 2)
    }

    fn call_builtin(&mut self, symbol: Symbol, args: &[ast::ExprId], loc: Loc) -> hir::Expr {
        let name = self.name(symbol);
        if name == "printf" {
            return self.call_printf(args, loc);
        }
        if self.options.version > Version::Cl12
            && let Some(call) = self.call_device(name, args, loc)
        {
            return call;
        }
        let args = self.arguments(args);
        if args.iter().any(|a| self.types.is_error(a.ty)) {
            return self.error_expr(loc);
        }
        if let Some((to, saturate, rounding)) = convert_name(name) {
            return self.call_convert(name, args, (to, saturate, rounding), loc);
        }
        if let Some(Predefined::Arith(scalar, lanes)) =
            name.strip_prefix("as_").and_then(basic_name)
        {
            let to = self.types.vector(scalar, lanes);
            return self.call_as(name, args, to, loc);
        }
        if let Some(to) = space_query(name) {
            return self.call_space_query(name, args, to, loc);
        }
        if self.options.version > Version::Cl12
            && let Some(op) = pipe::function(name, args.len())
        {
            return self.call_pipe(name, op, args, loc);
        }
        match self.resolve_builtin(name, &args) {
            Lookup::Resolved {
                id, params, ret, ..
            } => self.builtin_call(id, args, params, ret, loc),
            Lookup::NoMatch(candidates) => {
                let have: Vec<String> = args.iter().map(|a| self.types.display(a.ty)).collect();
                let text = match have.is_empty() {
                    true => format!("no matching function for call to '{name}' without arguments"),
                    false => format!(
                        "no matching function for call to '{name}' with arguments of types ({})",
                        have.join(", ")
                    ),
                };
                let result = self.fail(loc, text);
                for candidate in candidates {
                    self.note(loc, format!("candidate function: {candidate}"));
                }
                result
            }
            Lookup::Ambiguous(candidates) => {
                let result = self.fail(loc, format!("call to '{name}' is ambiguous"));
                for candidate in candidates {
                    self.note(loc, format!("candidate function: {candidate}"));
                }
                result
            }
            Lookup::Unavailable(why) => self.fail(
                loc,
                format!("use of builtin function '{name}' requires {why}"),
            ),
            Lookup::Unknown => {
                if let Some(advice) = missing::advice(name) {
                    let text = format!("there is no function '{name}' here: {advice}");
                    return self.fail(loc, text);
                }
                let hint = self.hint(name);
                let text =
                    format!("implicit declaration of function '{name}' is invalid in OpenCL{hint}");
                self.fail(loc, text)
            }
        }
    }

    fn builtin_call(
        &mut self,
        id: BuiltinId,
        args: Vec<hir::Expr>,
        params: Vec<TypeId>,
        ret: TypeId,
        loc: Loc,
    ) -> hir::Expr {
        let args: Vec<hir::Expr> = args
            .into_iter()
            .zip(params)
            .map(|(arg, param)| self.coerce(arg, param, Context::Argument))
            .collect();
        if args.iter().any(|a| self.types.is_error(a.ty)) {
            return self.error_expr(loc);
        }
        if let Some(error) = self.bad_cluster_size(id, &args) {
            return error;
        }
        if self.func.is_none() {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        let single = self.types.arith(ret).is_some_and(|a| a.0 == Scalar::Float);
        let id = match self.options.math.unsafe_math && single {
            true => builtins::relaxed(id),
            false => id,
        };
        value(ret, loc, hir::ExprKind::Builtin { id, args })
    }

    /// to_global, to_local, to_private, and get_fence (6.15.10), which take pointers to anything.
    fn call_space_query(
        &mut self,
        name: &str,
        mut args: Vec<hir::Expr>,
        to: Option<AddrSpace>,
        loc: Loc,
    ) -> hir::Expr {
        if !self.options.has_generic_space() {
            let text = format!(
                "use of builtin function '{name}' requires OpenCL C 2.0 or newer (build with -cl-std=CL3.0)"
            );
            return self.fail(loc, text);
        }
        let Some(arg) = args.pop().filter(|_| args.is_empty()) else {
            return self.fail(loc, format!("'{name}' takes one argument"));
        };
        let pointee = self.types.pointee(arg.ty);
        let Some(pointee) = pointee.filter(|p| encloses(AddrSpace::Generic, p.space)) else {
            let text = format!(
                "invalid argument of type {} to '{name}', expecting a generic pointer",
                self.quoted(arg.ty)
            );
            return self.fail(loc, text);
        };
        if self.func.is_none() {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        let generic = self.types.pointer(QualType {
            space: AddrSpace::Generic,
            ..pointee
        });
        let arg = Box::new(self.convert(arg, generic));
        match to {
            Some(space) => {
                let ty = self.types.pointer(QualType { space, ..pointee });
                value(ty, loc, hir::ExprKind::ToSpace(arg))
            }
            None => {
                let uint = self.types.basics.uint;
                value(uint, loc, hir::ExprKind::GetFence(arg))
            }
        }
    }

    fn call_convert(
        &mut self,
        name: &str,
        mut args: Vec<hir::Expr>,
        ((scalar, lanes), saturate, rounding): ((Scalar, u8), bool, Option<hir::Rounding>),
        loc: Loc,
    ) -> hir::Expr {
        let Some(arg) = args.pop().filter(|_| args.is_empty()) else {
            return self.fail(loc, format!("'{name}' takes one argument"));
        };
        // 6.4.3.2: saturation is for integer destinations.
        if saturate && scalar.is_float() {
            return self.fail(
                loc,
                format!("implicit declaration of function '{name}' is invalid in OpenCL"),
            );
        }
        let from = self.types.arith(arg.ty);
        if from.is_none_or(|(_, n)| n != lanes) {
            let text = format!(
                "no matching function for call to '{name}' with an argument of type {}",
                self.quoted(arg.ty)
            );
            return self.fail(loc, text);
        }
        let ty = self.types.vector(scalar, lanes);
        value(
            ty,
            loc,
            hir::ExprKind::ConvertBuiltin {
                arg: Box::new(arg),
                saturate,
                rounding,
            },
        )
    }

    /// as_T (6.4.4.2): the same size; 3-vectors count as 4.
    fn call_as(&mut self, name: &str, mut args: Vec<hir::Expr>, to: TypeId, loc: Loc) -> hir::Expr {
        let Some(arg) = args.pop().filter(|_| args.is_empty()) else {
            return self.fail(loc, format!("'{name}' takes one argument"));
        };
        if self.types.arith(arg.ty).is_none() || self.types.size(arg.ty) != self.types.size(to) {
            let text = format!(
                "invalid reinterpretation: sizes of {} and {} must match",
                self.quoted(to),
                self.quoted(arg.ty)
            );
            return self.fail(loc, text);
        }
        if arg.ty == to {
            return arg;
        }
        self.fold(value(to, loc, hir::ExprKind::Bitcast(Box::new(arg))))
    }

    /// printf (6.15.14): the format is a constant string.
    fn call_printf(&mut self, args: &[ast::ExprId], loc: Loc) -> hir::Expr {
        let Some((&format, rest)) = args.split_first() else {
            return self.fail(
                loc,
                "too few arguments to function call, expected at least 1, have 0",
            );
        };
        let global = match self.operand(format) {
            Operand::Place(hir::Place {
                kind: hir::PlaceKind::Global(id),
                ty,
                ..
            }) if matches!(*self.types.kind(ty.ty), TypeKind::Array(e, _) if self.types.size(e.ty) == 1) => {
                id
            }
            Operand::Value(v) if self.types.is_error(v.ty) => return v,
            _ => {
                let loc = self.ast.expr(format).loc;
                return self.fail(loc, "format string of printf must be a string literal or a constant character array");
            }
        };
        let mut values = Vec::with_capacity(rest.len());
        for &arg in rest {
            let arg = self.rvalue(arg);
            let arg = self.promote(arg);
            let arg = if self.types.as_scalar(arg.ty) == Some(Scalar::Float) {
                let double = self.types.basics.double;
                self.convert(arg, double)
            } else {
                arg
            };
            if self.types.is_error(arg.ty) {
                return arg;
            }
            if self.types.ir(arg.ty).is_none() {
                let text = format!("cannot pass {} to printf", self.quoted(arg.ty));
                return self.fail(arg.loc, text);
            }
            values.push(arg);
        }
        if self.func.is_none() {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        value(
            self.types.basics.int,
            loc,
            hir::ExprKind::Printf {
                format: global,
                args: values,
            },
        )
    }
}

/// The address space that a to_ function asks for; none of get_fence.
fn space_query(name: &str) -> Option<Option<AddrSpace>> {
    Some(match name {
        "to_global" => Some(AddrSpace::Global),
        "to_local" => Some(AddrSpace::Local),
        "to_private" => Some(AddrSpace::Private),
        "get_fence" => None,
        _ => return None,
    })
}

/// The basic types by name, those that are keywords too.
fn basic_name(name: &str) -> Option<Predefined> {
    let scalar = Scalar::ALL
        .into_iter()
        .find(|s| *s != Scalar::Bool && s.name() == name);
    match scalar {
        Some(scalar) => Some(Predefined::Arith(scalar, 1)),
        None => match name {
            "size_t" | "uintptr_t" | "ptrdiff_t" | "intptr_t" => None,
            _ => predefined::lookup(name),
        },
    }
}

/// `convert_<type>[_sat][_<rounding>]` (6.4.3)
fn convert_name(name: &str) -> Option<((Scalar, u8), bool, Option<hir::Rounding>)> {
    let mut rest = name.strip_prefix("convert_")?;
    let mut rounding = None;
    for (suffix, mode) in [
        ("_rte", hir::Rounding::Rte),
        ("_rtz", hir::Rounding::Rtz),
        ("_rtp", hir::Rounding::Rtp),
        ("_rtn", hir::Rounding::Rtn),
    ] {
        if let Some(shorter) = rest.strip_suffix(suffix) {
            rounding = Some(mode);
            rest = shorter;
            break;
        }
    }
    let saturate = rest.ends_with("_sat");
    let rest = rest.strip_suffix("_sat").unwrap_or(rest);
    match basic_name(rest)? {
        Predefined::Arith(scalar, lanes) => Some(((scalar, lanes), saturate, rounding)),
        _ => None,
    }
}
