//! The types of generated values: scalars and vectors of OpenCL C.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elem {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

use Elem::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ty {
    pub elem: Elem,
    pub lanes: u8,
}

pub const INT: Ty = Ty::scalar(I32);
pub const UINT: Ty = Ty::scalar(U32);
pub const LONG: Ty = Ty::scalar(I64);
pub const ULONG: Ty = Ty::scalar(U64);
pub const FLOAT: Ty = Ty::scalar(F32);
pub const DOUBLE: Ty = Ty::scalar(F64);

/// The elements, the frequent ones more often.
pub const ELEMS: [Elem; 18] = [
    I32, I32, I32, I32, U32, U32, U32, I64, U64, F32, F32, F32, F64, I8, U8, I16, U16, I32,
];

impl Elem {
    pub fn bits(self) -> u32 {
        match self {
            I8 | U8 => 8,
            I16 | U16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    pub fn name(self) -> &'static str {
        match self {
            I8 => "char",
            U8 => "uchar",
            I16 => "short",
            U16 => "ushort",
            I32 => "int",
            U32 => "uint",
            I64 => "long",
            U64 => "ulong",
            F32 => "float",
            F64 => "double",
        }
    }

    /// The signed integer of the same size, which vector comparisons give.
    pub fn mask(self) -> Elem {
        match self.bits() {
            8 => I8,
            16 => I16,
            32 => I32,
            _ => I64,
        }
    }
}

impl Ty {
    pub const fn scalar(elem: Elem) -> Self {
        Self { elem, lanes: 1 }
    }

    pub fn vector(elem: Elem, lanes: u8) -> Self {
        Self { elem, lanes }
    }

    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    pub fn is_float(self) -> bool {
        self.elem.is_float()
    }

    pub fn name(self) -> String {
        match self.lanes {
            1 => self.elem.name().to_string(),
            n => format!("{}{n}", self.elem.name()),
        }
    }

    pub fn lane(self) -> Self {
        Self::scalar(self.elem)
    }

    pub fn bits(self) -> u32 {
        self.elem.bits() * u32::from(if self.lanes == 3 { 4 } else { self.lanes })
    }
}
