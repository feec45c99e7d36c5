//! Overload resolution of builtin functions: the table's patterns against the arguments (OpenCL C 3.0, 6.15).
//!
//! Each signature has at most one type variable. Its candidates come from the arguments: a vector or a pointer fixes
//! it, scalars leave every scalar of the class open, and the cheapest conversion wins.

use super::candidate::spell;
use super::{Sema, hir};
use crate::builtins::signature::{Class, Pattern, Pointee, Signature};
use crate::builtins::{self, Builtin, BuiltinId, Index, Lowering, Special, TeamOp, Whose};
use crate::front::image::{Access, ImageKind};
use crate::front::predefined::{self, Predefined};
use crate::front::types::{QualType, Scalar, TypeId, TypeKind};
use crate::ir::AddrSpace;

/// What a name means with these arguments.
pub(super) enum Lookup {
    /// No builtin of that name.
    Unknown,
    /// The overload's parameter types, in which the arguments are passed, and its result.
    Resolved {
        id: BuiltinId,
        params: Vec<TypeId>,
        ret: TypeId,
        /// The sum of the arguments' conversion ranks.
        cost: u32,
    },
    /// The overloads that there are, spelled out.
    NoMatch(Vec<String>),
    Ambiguous(Vec<String>),
    /// It exists, but needs a newer language version: which.
    Unavailable(String),
}

/// Candidates that a message lists.
const MAX_CANDIDATES: usize = 8;

/// What the type variable stands for.
type Binding = Option<(Scalar, u8)>;

/// Which pointers a pointer parameter takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointers {
    /// To the pointee's type, with all of its qualifiers.
    Compatible,
    /// To anything in the right memory, as C takes them with a warning.
    Any,
}

/// What an incompatible pointer costs: more than all conversions of numbers.
const INCOMPATIBLE: u32 = 1 << 16;

struct Match {
    cost: u32,
    params: Vec<TypeId>,
    ret: TypeId,
}

impl Sema<'_> {
    pub(super) fn resolve_builtin(&mut self, name: &str, args: &[hir::Expr]) -> Lookup {
        let Some(id) = builtins::find(name) else {
            return Lookup::Unknown;
        };
        let builtin = builtins::get(id);
        if self.options.version.number() < builtin.since {
            return Lookup::Unavailable(format!(
                "OpenCL C {}.{} (build with -cl-std=CL3.0)",
                builtin.since / 100,
                builtin.since / 10 % 10
            ));
        }
        let (mut best, mut tie) = self.best_match(builtin, args, Pointers::Compatible);
        if best.is_none() {
            (best, tie) = self.best_match(builtin, args, Pointers::Any);
        }
        if let Some(found) = best.filter(|_| !tie) {
            return Lookup::Resolved {
                id,
                params: found.params,
                ret: found.ret,
                cost: found.cost,
            };
        }
        let near = builtin.signatures.iter().filter(|s| self.is_near(s, args));
        let near: Vec<&Signature> = near.take(MAX_CANDIDATES).collect();
        if tie {
            return Lookup::Ambiguous(near.iter().map(|s| spell(name, s)).collect());
        }
        let why = |s: &&Signature| format!("{}: {}", spell(name, s), self.why_no_match(s, args));
        Lookup::NoMatch(near.iter().map(why).collect())
    }

    /// The overload that costs least, and whether another costs the same.
    fn best_match(
        &mut self,
        builtin: &Builtin,
        args: &[hir::Expr],
        pointers: Pointers,
    ) -> (Option<Match>, bool) {
        let mut best: Option<Match> = None;
        let mut tie = false;
        for signature in &builtin.signatures {
            if signature.params.len() != args.len() {
                continue;
            }
            for binding in self.bindings(signature, args, pointers) {
                let Some(found) = self.try_match(signature, binding, args, pointers) else {
                    continue;
                };
                match &best {
                    Some(b) if found.cost > b.cost => {}
                    Some(b) if found.cost == b.cost => tie |= found.params != b.params,
                    _ => {
                        best = Some(found);
                        tie = false;
                    }
                }
            }
        }
        (best, tie)
    }

    /// Whether a signature is worth showing to whoever passed these arguments: of an image's functions those for its kind.
    fn is_near(&self, signature: &Signature, args: &[hir::Expr]) -> bool {
        let kind = args.iter().find_map(|arg| self.types.as_image(arg.ty));
        kind.is_none_or(|(kind, _)| {
            let names = signature.params.iter().filter_map(|param| match param {
                Pattern::Named(name) => name.split_once(' '),
                _ => None,
            });
            let mut kinds = names.map(|(_, image)| image).peekable();
            kinds.peek().is_none() || kinds.any(|image| image == kind.name())
        })
    }

    /// "Behavior is undefined if clustersize is not an integer constant expression, is not a power-of-two": here it is an
    /// error.
    pub(super) fn bad_cluster_size(
        &mut self,
        id: BuiltinId,
        args: &[hir::Expr],
    ) -> Option<hir::Expr> {
        let Lowering::Special(Special::Team(function)) = builtins::get(id).lowering else {
            return None;
        };
        let clustered =
            function.whose == Whose::Cluster || function.op == TeamOp::Pick(Index::RotateInCluster);
        match args.last() {
            Some(size) if clustered => match size.kind {
                hir::ExprKind::Int(n) if (n as u32).is_power_of_two() => None,
                _ => {
                    let text = "the size of a cluster must be a constant and a power of two";
                    Some(self.fail(size.loc, text))
                }
            },
            _ => None,
        }
    }

    /// What the variable may stand for, given the arguments at its places.
    fn bindings(
        &self,
        signature: &Signature,
        args: &[hir::Expr],
        pointers: Pointers,
    ) -> Vec<Binding> {
        let Some(class) = signature.class else {
            return vec![None];
        };
        let mut fixed: Vec<(Scalar, u8)> = Vec::new();
        let mut pointees: Vec<(Scalar, u8)> = Vec::new();
        for (pattern, arg) in signature.params.iter().zip(args) {
            let mut list = &mut fixed;
            let seen = match pattern {
                Pattern::Var => self.types.arith(arg.ty).filter(|a| a.1 > 1),
                Pattern::Lanes(n) => self
                    .types
                    .as_vector(arg.ty)
                    .filter(|a| a.1 == *n)
                    .map(|a| (a.0, 1)),
                Pattern::Pointer(to, _) if **to == Pattern::Var => {
                    list = &mut pointees;
                    let pointee = self.types.pointee(arg.ty);
                    pointee.and_then(|p| self.types.arith(p.ty))
                }
                _ => None,
            };
            list.extend(seen);
        }
        // What an incompatible pointer leads to says nothing.
        if pointers == Pointers::Compatible {
            fixed.append(&mut pointees);
        }
        pointees.retain(|&(s, lanes)| in_class(class, s, lanes));
        let mut all: Vec<(Scalar, u8)> = match (&fixed[..], &pointees[..]) {
            ([], []) => Scalar::ALL.into_iter().map(|s| (s, 1)).collect(),
            ([], _) => pointees,
            _ => fixed,
        };
        all.retain(|&(s, lanes)| in_class(class, s, lanes));
        all.into_iter().map(Some).collect()
    }

    fn try_match(
        &mut self,
        signature: &Signature,
        binding: Binding,
        args: &[hir::Expr],
        pointers: Pointers,
    ) -> Option<Match> {
        let mut cost = 0;
        let mut params = Vec::with_capacity(args.len());
        for (pattern, arg) in signature.params.iter().zip(args) {
            let (ty, price) = self.match_param(pattern, binding, arg, pointers)?;
            params.push(ty);
            cost += price;
        }
        let ret = self.instantiate(&signature.ret, binding)?;
        Some(Match { cost, params, ret })
    }

    pub(super) fn match_param(
        &mut self,
        pattern: &Pattern,
        binding: Binding,
        arg: &hir::Expr,
        pointers: Pointers,
    ) -> Option<(TypeId, u32)> {
        if let Pattern::Pointer(to, want) = pattern {
            let to = self.instantiate(to, binding)?;
            return self.match_pointer(to, *want, arg, pointers);
        }
        let ty = self.instantiate(pattern, binding)?;
        if ty == self.types.basics.event {
            let fits = arg.ty == ty || self.is_null_constant(arg);
            return fits.then_some((ty, 0));
        }
        if ty == self.types.basics.sampler {
            let is_constant = matches!(arg.kind, hir::ExprKind::Int(_));
            let fits = arg.ty == ty || (is_constant && self.types.as_scalar(arg.ty).is_some());
            return fits.then_some((ty, 0));
        }
        // A vector is never converted; a scalar may be widened.
        let cost = self.conversion_cost(arg.ty, ty)?;
        Some((ty, cost))
    }

    fn match_pointer(
        &mut self,
        to: TypeId,
        want: Pointee,
        arg: &hir::Expr,
        pointers: Pointers,
    ) -> Option<(TypeId, u32)> {
        let have = self.types.pointee(arg.ty)?;
        let same = have.ty == to
            || self.types.is_void(to)
            || matches!(*self.types.kind(have.ty), TypeKind::Atomic(s) if self.types.as_scalar(to) == Some(s));
        // What takes all spaces inside the generic one has a generic overload too (6.15: "if the generic address
        // space is supported").
        let generic = want.generic || (want.global && want.local && want.private);
        let generic = generic && self.options.has_generic_space();
        let space = match have.space {
            AddrSpace::Global => want.global,
            AddrSpace::Local => want.local,
            AddrSpace::Private => want.private || generic,
            AddrSpace::Constant => want.constant,
            AddrSpace::Generic => generic,
        };
        let quals = (!have.is_const || want.is_const) && (!have.is_volatile || want.is_volatile);
        let compatible = same && quals;
        if !space || (!compatible && pointers == Pointers::Compatible) {
            return None;
        }
        let pointee = QualType {
            ty: to,
            is_const: want.is_const,
            is_volatile: want.is_volatile || (quals && have.is_volatile),
            is_restrict: false,
            space: have.space,
            align: have.align,
        };
        let cost = if compatible { 0 } else { INCOMPATIBLE };
        Some((self.types.pointer(pointee), cost))
    }

    fn instantiate(&mut self, pattern: &Pattern, binding: Binding) -> Option<TypeId> {
        if let Pattern::Named(name) = pattern {
            return self.named_pattern(name);
        }
        let (scalar, lanes) = binding?;
        Some(match pattern {
            Pattern::Var => self.types.vector(scalar, lanes),
            Pattern::Scalar => self.types.scalar(scalar),
            Pattern::Signed => self.types.vector(scalar.to_signed(), lanes),
            Pattern::Unsigned => self.types.vector(scalar.to_unsigned(), lanes),
            Pattern::IntLanes => self.types.vector(Scalar::Int, lanes),
            // 6.15.6: an int for scalars, the integer of the operand's width for vectors.
            Pattern::Relational if lanes == 1 => self.types.basics.int,
            Pattern::Relational => self.types.vector(scalar.to_signed(), lanes),
            Pattern::Wide => {
                let wide = match scalar {
                    Scalar::Char => Scalar::Short,
                    Scalar::UChar => Scalar::UShort,
                    Scalar::Short => Scalar::Int,
                    Scalar::UShort => Scalar::UInt,
                    Scalar::Int => Scalar::Long,
                    Scalar::UInt => Scalar::ULong,
                    _ => return None,
                };
                self.types.vector(wide, lanes)
            }
            Pattern::Lanes(n) => self.types.vector(scalar, *n),
            Pattern::UnsignedLanes(n) => self.types.vector(scalar.to_unsigned(), *n),
            Pattern::Named(_) | Pattern::Pointer(..) => return None,
        })
    }

    fn named_pattern(&mut self, name: &str) -> Option<TypeId> {
        if name == "void" {
            return Some(self.types.basics.void);
        }
        if let Some(scalar) = Scalar::ALL.into_iter().find(|s| s.name() == name) {
            return Some(self.types.scalar(scalar));
        }
        if let Some((access, image)) = name.split_once(' ') {
            let access = Access::ALL.into_iter().find(|a| a.name() == access)?;
            let kind = ImageKind::of_name(image)?;
            return Some(self.types.image(kind, access));
        }
        match predefined::lookup(name)? {
            Predefined::Arith(scalar, lanes) => Some(self.types.vector(scalar, lanes)),
            Predefined::Atomic(scalar) => Some(self.types.intern(TypeKind::Atomic(scalar))),
            Predefined::Event => Some(self.types.basics.event),
            Predefined::Sampler => Some(self.types.basics.sampler),
            Predefined::ReserveId => Some(self.types.basics.reserve_id),
            Predefined::Queue => Some(self.types.basics.queue),
            Predefined::ClkEvent => Some(self.types.basics.clk_event),
            Predefined::NdRange => None,
            Predefined::Image(_) => None,
            Predefined::Unsupported(_) => None,
        }
    }
}

pub(super) fn in_class(class: Class, scalar: Scalar, lanes: u8) -> bool {
    // bool is no arithmetic type here.
    if scalar == Scalar::Bool {
        return false;
    }
    match class {
        Class::Float => scalar.is_float(),
        Class::Int => scalar.is_int(),
        Class::Arith => true,
        Class::ScalarArith => lanes == 1,
        Class::Word => lanes == 1 && matches!(scalar, Scalar::Int | Scalar::UInt),
        Class::Long => lanes == 1 && matches!(scalar, Scalar::Long | Scalar::ULong),
        Class::FloatTo4 => scalar.is_float() && lanes <= 4,
        Class::Float3Or4 => scalar.is_float() && matches!(lanes, 3 | 4),
        Class::SingleTo4 => scalar == Scalar::Float && lanes <= 4,
    }
}
