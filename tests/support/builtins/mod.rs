//! The overloads of builtin functions: as the table has them ([`table`]), as the specification has them ([`form`]), and
//! kernels that call them ([`call`]).

pub mod call;
pub mod form;
pub mod table;

use std::fmt;

pub const SCALARS: [&str; 11] = [
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double",
];
pub const LANES: [u8; 6] = [1, 2, 3, 4, 8, 16];

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// A scalar, a vector, or a named type of one lane.
    Value(String, u8),
    Pointer(Space, Constness, Box<Ty>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Space {
    Global,
    Local,
    Private,
    Constant,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constness {
    Const,
    Mutable,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Overload {
    pub name: String,
    pub ret: Ty,
    pub params: Vec<Ty>,
}

impl Ty {
    pub fn vector(scalar: &str, lanes: u8) -> Self {
        Self::Value(scalar.to_string(), lanes)
    }

    /// The integer of a scalar's width: `short` for `half`.
    pub fn integer(scalar: &str, signed: bool) -> &'static str {
        match (scalar, signed) {
            ("char" | "uchar", true) => "char",
            ("char" | "uchar", false) => "uchar",
            ("short" | "ushort" | "half", true) => "short",
            ("short" | "ushort" | "half", false) => "ushort",
            ("int" | "uint" | "float", true) => "int",
            ("int" | "uint" | "float", false) => "uint",
            (_, true) => "long",
            (_, false) => "ulong",
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Value(name, 1) => f.write_str(name),
            Self::Value(name, lanes) => write!(f, "{name}{lanes}"),
            Self::Pointer(space, constness, to) => {
                let constness = match constness {
                    Constness::Const => "const ",
                    Constness::Mutable => "",
                };
                write!(f, "{} {constness}{to} *", space.name())
            }
        }
    }
}

impl Space {
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Local => "local",
            Self::Private => "private",
            Self::Constant => "constant",
        }
    }
}

impl fmt::Display for Overload {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let params: Vec<String> = self.params.iter().map(Ty::to_string).collect();
        write!(f, "{} {}({})", self.ret, self.name, params.join(", "))
    }
}

/// Every list of parameters that takes one of the given types at each place.
fn every_list(places: impl Iterator<Item = Vec<Ty>>) -> Vec<Vec<Ty>> {
    places.fold(vec![Vec::new()], |lists, types| {
        let longer = |list: &Vec<Ty>| -> Vec<Vec<Ty>> {
            let with = |ty| [&list[..], std::slice::from_ref(ty)].concat();
            types.iter().map(with).collect()
        };
        lists.iter().flat_map(longer).collect()
    })
}
