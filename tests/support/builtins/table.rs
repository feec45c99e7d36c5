//! The overloads that the table's signatures stand for.

use super::form::named;
use super::{Constness, LANES, Overload, SCALARS, Space, Ty, every_list};
use clotho::builtins::signature::{Class, Pattern, Pointee, Signature};
use clotho::builtins::{self, Builtin};
use std::collections::BTreeSet;

pub fn overloads() -> BTreeSet<Overload> {
    let mut all = BTreeSet::new();
    for builtin in builtins::all() {
        for signature in &builtin.signatures {
            add(&mut all, builtin, signature);
        }
    }
    all
}

fn add(all: &mut BTreeSet<Overload>, builtin: &Builtin, signature: &Signature) {
    let bindings: Vec<(&str, u8)> = match signature.class {
        None => vec![("int", 1)],
        Some(class) => SCALARS
            .iter()
            .flat_map(|&scalar| LANES.map(|lanes| (scalar, lanes)))
            .filter(|&(scalar, lanes)| in_class(class, scalar, lanes))
            .collect(),
    };
    for binding in bindings {
        let Some(ret) = value(&signature.ret, binding) else {
            continue;
        };
        let params = signature.params.iter();
        let lists = every_list(params.map(|param| parameter(param, binding)));
        all.extend(lists.into_iter().map(|params| Overload {
            name: builtin.name.clone(),
            ret: ret.clone(),
            params,
        }));
    }
}

fn in_class(class: Class, scalar: &str, lanes: u8) -> bool {
    let float = matches!(scalar, "half" | "float" | "double");
    match class {
        Class::Float => float,
        Class::Int => !float,
        Class::Arith => true,
        Class::ScalarArith => lanes == 1,
        Class::Word => lanes == 1 && matches!(scalar, "int" | "uint"),
        Class::Long => lanes == 1 && matches!(scalar, "long" | "ulong"),
        Class::FloatTo4 => float && lanes <= 4,
        Class::Float3Or4 => float && matches!(lanes, 3 | 4),
        Class::SingleTo4 => scalar == "float" && lanes <= 4,
    }
}

fn parameter(pattern: &Pattern, binding: (&str, u8)) -> Vec<Ty> {
    let Pattern::Pointer(to, pointee) = pattern else {
        return value(pattern, binding).into_iter().collect();
    };
    let constness = if pointee.is_const {
        Constness::Const
    } else {
        Constness::Mutable
    };
    let Some(to) = value(to, binding) else {
        return Vec::new();
    };
    spaces(pointee)
        .map(|space| Ty::Pointer(space, constness, Box::new(to.clone())))
        .collect()
}

fn spaces(pointee: &Pointee) -> impl Iterator<Item = Space> {
    [
        (pointee.global, Space::Global),
        (pointee.local, Space::Local),
        (pointee.private, Space::Private),
        (pointee.constant, Space::Constant),
    ]
    .into_iter()
    .filter_map(|(has, space)| has.then_some(space))
}

fn value(pattern: &Pattern, (scalar, lanes): (&str, u8)) -> Option<Ty> {
    Some(match pattern {
        Pattern::Var => Ty::vector(scalar, lanes),
        Pattern::Scalar => Ty::vector(scalar, 1),
        Pattern::Signed => Ty::vector(Ty::integer(scalar, true), lanes),
        Pattern::Unsigned => Ty::vector(Ty::integer(scalar, false), lanes),
        Pattern::IntLanes => Ty::vector("int", lanes),
        Pattern::Relational if lanes == 1 => Ty::vector("int", 1),
        Pattern::Relational => Ty::vector(Ty::integer(scalar, true), lanes),
        Pattern::Wide => {
            let wide = match scalar {
                "char" => "short",
                "uchar" => "ushort",
                "short" => "int",
                "ushort" => "uint",
                "int" => "long",
                "uint" => "ulong",
                _ => return None,
            };
            Ty::vector(wide, lanes)
        }
        Pattern::Lanes(n) => Ty::vector(scalar, *n),
        Pattern::UnsignedLanes(n) => Ty::vector(Ty::integer(scalar, false), *n),
        Pattern::Named(name) => named(name),
        Pattern::Pointer(..) => unreachable!("pointers to pointers"),
    })
}
