//! Types of IR values: a scalar, or a vector of scalars. Aggregates live in memory only.
//!
//! Integers carry no sign: the instruction says which is meant. Pointers are opaque and carry their address space.

use std::fmt;

/// OpenCL C address spaces (OpenCL C 3.0, 6.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AddrSpace {
    Private,
    Global,
    Constant,
    Local,
    Generic,
}

/// The element of a [`Type`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Elem {
    /// A truth value; in memory it would take one byte, but front ends store bool as `I8`.
    I1,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    Ptr(AddrSpace),
}

/// A scalar (`lanes == 1`) or a vector of 2 or more elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type {
    pub elem: Elem,
    pub lanes: u16,
}

pub const I1: Type = Type::scalar(Elem::I1);
pub const I8: Type = Type::scalar(Elem::I8);
pub const I16: Type = Type::scalar(Elem::I16);
pub const I32: Type = Type::scalar(Elem::I32);
pub const I64: Type = Type::scalar(Elem::I64);
pub const F16: Type = Type::scalar(Elem::F16);
pub const F32: Type = Type::scalar(Elem::F32);
pub const F64: Type = Type::scalar(Elem::F64);

impl Elem {
    /// Width in bits; a pointer has 64.
    pub fn bits(self) -> u32 {
        match self {
            Elem::I1 => 1,
            Elem::I8 => 8,
            Elem::I16 | Elem::F16 => 16,
            Elem::I32 | Elem::F32 => 32,
            Elem::I64 | Elem::F64 | Elem::Ptr(_) => 64,
        }
    }

    /// Size in memory in bytes (`I1` takes one).
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    pub fn is_int(self) -> bool {
        matches!(
            self,
            Elem::I1 | Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64
        )
    }

    pub fn is_float(self) -> bool {
        matches!(self, Elem::F16 | Elem::F32 | Elem::F64)
    }

    pub fn is_ptr(self) -> bool {
        matches!(self, Elem::Ptr(_))
    }
}

impl Type {
    pub const fn scalar(elem: Elem) -> Self {
        Self { elem, lanes: 1 }
    }

    pub const fn vector(elem: Elem, lanes: u16) -> Self {
        Self { elem, lanes }
    }

    pub const fn ptr(space: AddrSpace) -> Self {
        Self::scalar(Elem::Ptr(space))
    }

    /// The same number of lanes, of another element.
    pub fn with_elem(self, elem: Elem) -> Self {
        Self {
            elem,
            lanes: self.lanes,
        }
    }

    /// The type of one lane.
    pub fn lane(self) -> Self {
        Self::scalar(self.elem)
    }

    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    /// Size in memory in bytes; a 3-vector takes that of a 4-vector (OpenCL C 3.0, 6.3.5).
    pub fn bytes(self) -> u64 {
        let lanes = if self.lanes == 3 { 4 } else { self.lanes };
        self.elem.bytes() * u64::from(lanes)
    }

    /// Natural alignment in bytes: the size (OpenCL C 3.0, 6.3.5).
    pub fn align(self) -> u64 {
        self.bytes()
    }

    pub fn addr_space(self) -> Option<AddrSpace> {
        match self.elem {
            Elem::Ptr(space) => Some(space),
            _ => None,
        }
    }
}

impl fmt::Display for AddrSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elem::I1 => f.write_str("i1"),
            Elem::I8 => f.write_str("i8"),
            Elem::I16 => f.write_str("i16"),
            Elem::I32 => f.write_str("i32"),
            Elem::I64 => f.write_str("i64"),
            Elem::F16 => f.write_str("f16"),
            Elem::F32 => f.write_str("f32"),
            Elem::F64 => f.write_str("f64"),
            Elem::Ptr(space) => write!(f, "ptr.{space}"),
        }
    }
}

/// `f32`, `i8x16`, `ptr.global`, `ptr.localx4`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.elem, f)?;
        if self.lanes > 1 {
            write!(f, "x{}", self.lanes)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
