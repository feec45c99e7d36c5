//! Why a call fits none of a function's overloads, a reason for each: what notes under the error say.

use super::builtin::{Pointers, in_class};
use super::{Sema, hir};
use crate::builtins::signature::{Class, Pattern, Pointee, Signature};
use crate::front::types::{QualType, TypeId};
use crate::ir::AddrSpace;

impl Sema<'_> {
    /// Why a function of the source does not take the arguments.
    pub(super) fn why_not(&self, params: &[TypeId], args: &[hir::Expr]) -> String {
        if params.len() != args.len() {
            return count(params.len(), args.len());
        }
        for (n, (&param, arg)) in params.iter().zip(args).enumerate() {
            if self.conversion_cost(arg.ty, param).is_some() {
                continue;
            }
            if let (Some(have), Some(want)) =
                (self.types.pointee(arg.ty), self.types.pointee(param))
                && have.space != want.space
            {
                let (have, want) = (memory(have.space), memory(want.space));
                return format!(
                    "argument {} points to {have}, its parameter to {want}",
                    n + 1
                );
            }
            return format!(
                "argument {} of type {} does not convert to {}",
                n + 1,
                self.quoted(arg.ty),
                self.quoted(param)
            );
        }
        "fits no better than another one".into()
    }

    /// Why an overload of the library does not take the arguments.
    pub(super) fn why_no_match(&mut self, signature: &Signature, args: &[hir::Expr]) -> String {
        if signature.params.len() != args.len() {
            return count(signature.params.len(), args.len());
        }
        for (n, (pattern, arg)) in signature.params.iter().zip(args).enumerate() {
            let why = match pattern {
                Pattern::Pointer(to, want) => {
                    let pointee = self.types.pointee(arg.ty).map(|p| p.ty);
                    self.why_not_pointer(to, *want, arg.ty).or_else(|| {
                        let why = self.why_not_in_class(signature.class, to, pointee?)?;
                        Some(format!("points to {}, but {why}", self.quoted(pointee?)))
                    })
                }
                Pattern::Named(name) => {
                    let fits = self
                        .match_param(pattern, None, arg, Pointers::Compatible)
                        .is_some();
                    (!fits).then(|| format!("must be of type '{name}'"))
                }
                _ => self.why_not_arith(signature.class, pattern, arg.ty),
            };
            if let Some(why) = why {
                return format!("argument {} {why}", n + 1);
            }
        }
        "the arguments' types do not go together".into()
    }

    fn why_not_pointer(&self, to: &Pattern, want: Pointee, arg: TypeId) -> Option<String> {
        let Some(have) = self.types.pointee(arg) else {
            return Some("must be a pointer".into());
        };
        if !allows(want, have.space) {
            let spaces = [
                (want.global, AddrSpace::Global),
                (want.local, AddrSpace::Local),
                (want.private, AddrSpace::Private),
                (want.constant, AddrSpace::Constant),
            ];
            let spaces = spaces.iter().filter(|(allowed, _)| *allowed);
            let spaces: Vec<&str> = spaces.map(|(_, space)| memory(*space)).collect();
            let have = memory(have.space);
            return Some(format!(
                "points to {have}, but must point to {}",
                spaces.join(" or ")
            ));
        }
        let QualType {
            is_const,
            is_volatile,
            ..
        } = have;
        if (is_const && !want.is_const) || (is_volatile && !want.is_volatile) {
            return Some(format!(
                "points to what is {}",
                if is_const { "const" } else { "volatile" }
            ));
        }
        match to {
            Pattern::Named(name) if self.types.display(have.ty) != *name => {
                Some(format!("must point to '{name}'"))
            }
            _ => None,
        }
    }

    fn why_not_arith(
        &self,
        class: Option<Class>,
        pattern: &Pattern,
        arg: TypeId,
    ) -> Option<String> {
        let Some((_, lanes)) = self.types.arith(arg) else {
            return Some("must be a number or a vector".into());
        };
        match pattern {
            // Scalars convert; vectors are taken as they are.
            Pattern::Var if lanes > 1 => {
                let why = self.why_not_in_class(class, pattern, arg)?;
                Some(format!("is {}, but {why}", self.quoted(arg)))
            }
            Pattern::Scalar if lanes > 1 => Some("must be a scalar".into()),
            Pattern::Lanes(n) if lanes != *n => Some(format!("must have {n} components")),
            _ => None,
        }
    }

    /// Why the type variable can't stand for a type.
    fn why_not_in_class(
        &self,
        class: Option<Class>,
        pattern: &Pattern,
        ty: TypeId,
    ) -> Option<&'static str> {
        if *pattern != Pattern::Var {
            return None;
        }
        let class = class?;
        let fits = self
            .types
            .arith(ty)
            .is_some_and(|(scalar, lanes)| in_class(class, scalar, lanes));
        (!fits).then_some(match class {
            Class::Float => "only floating-point types will do",
            Class::Int => "only integer types will do",
            Class::ScalarArith => "only scalars will do",
            Class::Word => "only int and uint will do",
            Class::Long => "only long and ulong will do",
            Class::FloatTo4 | Class::SingleTo4 => {
                "only floating-point types of four components at most will do"
            }
            Class::Float3Or4 => "only floating-point vectors of three or four components will do",
            _ => "only numbers and vectors will do",
        })
    }
}

fn count(takes: usize, given: usize) -> String {
    let plural = if takes == 1 { "" } else { "s" };
    format!("takes {takes} argument{plural}, not {given}")
}

fn allows(want: Pointee, space: AddrSpace) -> bool {
    match space {
        AddrSpace::Global => want.global,
        AddrSpace::Local => want.local,
        AddrSpace::Private => want.private,
        AddrSpace::Constant => want.constant,
        AddrSpace::Generic => want.global && want.local && want.private,
    }
}

fn memory(space: AddrSpace) -> &'static str {
    match space {
        AddrSpace::Global => "global memory",
        AddrSpace::Local => "local memory",
        AddrSpace::Private => "private memory",
        AddrSpace::Constant => "constant memory",
        AddrSpace::Generic => "generic memory",
    }
}

/// A signature as a note shows it: `gentype name(gentype, ...)`.
pub(super) fn spell(name: &str, signature: &Signature) -> String {
    let one = |pattern: &Pattern| -> String {
        fn base(pattern: &Pattern, class: Option<Class>) -> String {
            match pattern {
                Pattern::Var => match class {
                    Some(Class::Float | Class::FloatTo4 | Class::Float3Or4 | Class::SingleTo4) => {
                        "gentypef".into()
                    }
                    Some(Class::Int | Class::Word | Class::Long) => "gentypei".into(),
                    _ => "gentype".into(),
                },
                Pattern::Scalar => "sgentype".into(),
                Pattern::Signed => "igentype".into(),
                Pattern::Unsigned => "ugentype".into(),
                Pattern::IntLanes => "intn".into(),
                Pattern::Relational => "igentype".into(),
                Pattern::Wide => "wide gentype".into(),
                Pattern::Lanes(n) => format!("gentype{n}"),
                Pattern::UnsignedLanes(n) => format!("ugentype{n}"),
                Pattern::Named(name) => name.clone(),
                Pattern::Pointer(to, pointee) => {
                    let quals = if pointee.is_const { "const " } else { "" };
                    format!("{quals}{} *", base(to, class))
                }
            }
        }
        base(pattern, signature.class)
    };
    let params: Vec<String> = signature.params.iter().map(one).collect();
    format!("{} {name}({})", one(&signature.ret), params.join(", "))
}
