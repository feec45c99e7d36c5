//! Types of OpenCL C, hash-consed: equal types have equal ids.
//!
//! Invariants: a [`TypeId`] carries no qualifiers; a [`QualType`] adds them and the address space of the object that
//! it describes (for a pointer, the pointee's stand in the pointer type). Sizes and alignments are those of OpenCL C
//! 3.0, 6.3.5 (a 3-vector takes the space of a 4-vector); `size_t` and pointers have 64 bits.

use super::image::{Access, ImageKind};
use super::symbol::Symbol;
use crate::ir;
use crate::ir::AddrSpace;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnumId(pub u32);

/// In the order of their conversion ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scalar {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    Float,
    Double,
}

/// Types without a representation in user memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opaque {
    /// `event_t`, held as an `i64`.
    Event,
    /// `sampler_t`, held as the bits of its `CLK_` constants.
    Sampler,
    /// Held as the address of its `ir::abi::ImageDescriptor`.
    Image(ImageKind, Access),
    /// `reserve_id_t`, held as an `i64`: of a pipe's packets (`builtins/pipe.cl`).
    ReserveId,
    /// `queue_t` and `clk_event_t`, held as the handle's address; 0 is none.
    Queue,
    ClkEvent,
    /// Of packets of a type; held as the address of its `ir::abi::PipeHeader`.
    Pipe(TypeId, Access),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    Void,
    Scalar(Scalar),
    /// 2, 3, 4, 8 or 16 lanes; never of bool.
    Vector(Scalar, u8),
    Pointer(QualType),
    /// `None` is an array of unknown bound.
    Array(QualType, Option<u64>),
    Record(RecordId),
    Enum(EnumId),
    Function(FunctionType),
    /// `atomic_int` and its kin: only for atomic functions.
    Atomic(Scalar),
    Opaque(Opaque),
    /// Of a function type. It has no values: which literal a block is, is known where it is used.
    Block(TypeId),
    /// Something that was reported already: every use of it is silent.
    Error,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: TypeId,
    pub params: Vec<QualType>,
    pub variadic: bool,
}

/// A type, its qualifiers, and the address space of the object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub space: AddrSpace,
    /// What a typedef says of the object's alignment, in bytes; 0: that of the type.
    pub align: u32,
}

impl QualType {
    /// An unqualified private object.
    pub fn private(ty: TypeId) -> Self {
        Self::in_space(ty, AddrSpace::Private)
    }

    pub fn in_space(ty: TypeId, space: AddrSpace) -> Self {
        Self {
            ty,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            space,
            align: 0,
        }
    }

    /// The same qualifiers and address space around another type: of a member or an element.
    pub fn with_ty(self, ty: TypeId) -> Self {
        Self {
            ty,
            is_restrict: false,
            align: 0,
            ..self
        }
    }
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous struct or union member.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// In bytes; of the storage unit (of the size of `ty`) for a bit-field.
    pub offset: u64,
    /// First bit in the storage unit (little endian) and width.
    pub bits: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub is_union: bool,
    pub complete: bool,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    /// `Int`, or `UInt`/`Long`/`ULong` where a value needs it.
    pub repr: Scalar,
}

/// Ids of the types that the compiler names itself.
#[derive(Clone, Copy, Debug)]
pub struct Basics {
    pub error: TypeId,
    pub void: TypeId,
    pub bool: TypeId,
    pub char: TypeId,
    pub uchar: TypeId,
    pub int: TypeId,
    pub uint: TypeId,
    pub long: TypeId,
    pub ulong: TypeId,
    pub half: TypeId,
    pub float: TypeId,
    pub double: TypeId,
    pub event: TypeId,
    pub sampler: TypeId,
    pub reserve_id: TypeId,
    pub queue: TypeId,
    pub clk_event: TypeId,
}

pub struct Types {
    kinds: Vec<TypeKind>,
    ids: HashMap<TypeKind, TypeId>,
    pub records: Vec<Record>,
    pub enums: Vec<Enum>,
    pub basics: Basics,
}

impl Scalar {
    pub const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::Char,
        Scalar::UChar,
        Scalar::Short,
        Scalar::UShort,
        Scalar::Int,
        Scalar::UInt,
        Scalar::Long,
        Scalar::ULong,
        Scalar::Half,
        Scalar::Float,
        Scalar::Double,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Char => "char",
            Scalar::UChar => "uchar",
            Scalar::Short => "short",
            Scalar::UShort => "ushort",
            Scalar::Int => "int",
            Scalar::UInt => "uint",
            Scalar::Long => "long",
            Scalar::ULong => "ulong",
            Scalar::Half => "half",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    /// The element in the IR; bool lives as a byte.
    pub fn elem(self) -> ir::Elem {
        match self {
            Scalar::Bool | Scalar::Char | Scalar::UChar => ir::Elem::I8,
            Scalar::Short | Scalar::UShort => ir::Elem::I16,
            Scalar::Int | Scalar::UInt => ir::Elem::I32,
            Scalar::Long | Scalar::ULong => ir::Elem::I64,
            Scalar::Half => ir::Elem::F16,
            Scalar::Float => ir::Elem::F32,
            Scalar::Double => ir::Elem::F64,
        }
    }

    /// In bytes.
    pub fn size(self) -> u64 {
        self.elem().bytes()
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Half | Scalar::Float | Scalar::Double)
    }

    pub fn is_int(self) -> bool {
        !self.is_float()
    }

    /// Signed integers (not floating point).
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long
        )
    }

    pub fn is_unsigned(self) -> bool {
        self.is_int() && !self.is_signed()
    }

    /// The signed integer of the same width; what a vector comparison gives.
    pub fn to_signed(self) -> Scalar {
        match self.size() {
            1 => Scalar::Char,
            2 => Scalar::Short,
            4 => Scalar::Int,
            _ => Scalar::Long,
        }
    }

    /// The unsigned integer of the same width.
    pub fn to_unsigned(self) -> Scalar {
        match self.size() {
            1 => Scalar::UChar,
            2 => Scalar::UShort,
            4 => Scalar::UInt,
            _ => Scalar::ULong,
        }
    }
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    pub fn new() -> Self {
        let mut kinds = Vec::new();
        let mut ids = HashMap::new();
        let mut intern = |kind: TypeKind| {
            *ids.entry(kind.clone()).or_insert_with(|| {
                kinds.push(kind);
                TypeId(kinds.len() as u32 - 1)
            })
        };
        let basics = Basics {
            error: intern(TypeKind::Error),
            void: intern(TypeKind::Void),
            bool: intern(TypeKind::Scalar(Scalar::Bool)),
            char: intern(TypeKind::Scalar(Scalar::Char)),
            uchar: intern(TypeKind::Scalar(Scalar::UChar)),
            int: intern(TypeKind::Scalar(Scalar::Int)),
            uint: intern(TypeKind::Scalar(Scalar::UInt)),
            long: intern(TypeKind::Scalar(Scalar::Long)),
            ulong: intern(TypeKind::Scalar(Scalar::ULong)),
            half: intern(TypeKind::Scalar(Scalar::Half)),
            float: intern(TypeKind::Scalar(Scalar::Float)),
            double: intern(TypeKind::Scalar(Scalar::Double)),
            event: intern(TypeKind::Opaque(Opaque::Event)),
            sampler: intern(TypeKind::Opaque(Opaque::Sampler)),
            reserve_id: intern(TypeKind::Opaque(Opaque::ReserveId)),
            queue: intern(TypeKind::Opaque(Opaque::Queue)),
            clk_event: intern(TypeKind::Opaque(Opaque::ClkEvent)),
        };
        Self {
            kinds,
            ids,
            records: Vec::new(),
            enums: Vec::new(),
            basics,
        }
    }

    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let id = TypeId(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    pub fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.intern(TypeKind::Scalar(scalar))
    }

    /// A scalar for one lane, else a vector.
    pub fn vector(&mut self, scalar: Scalar, lanes: u8) -> TypeId {
        self.intern(if lanes == 1 {
            TypeKind::Scalar(scalar)
        } else {
            TypeKind::Vector(scalar, lanes)
        })
    }

    pub fn pointer(&mut self, pointee: QualType) -> TypeId {
        self.intern(TypeKind::Pointer(pointee))
    }

    pub fn array(&mut self, elem: QualType, len: Option<u64>) -> TypeId {
        self.intern(TypeKind::Array(elem, len))
    }

    pub fn new_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId(self.records.len() as u32 - 1)
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn new_enum(&mut self, data: Enum) -> EnumId {
        self.enums.push(data);
        EnumId(self.enums.len() as u32 - 1)
    }

    /// Scalar and lanes of an arithmetic type (an enum counts as its integer).
    pub fn arith(&self, ty: TypeId) -> Option<(Scalar, u8)> {
        match *self.kind(ty) {
            TypeKind::Scalar(s) => Some((s, 1)),
            TypeKind::Vector(s, n) => Some((s, n)),
            TypeKind::Enum(id) => Some((self.enums[id.0 as usize].repr, 1)),
            _ => None,
        }
    }

    /// The scalar type, where the type is a scalar or an enum.
    pub fn as_scalar(&self, ty: TypeId) -> Option<Scalar> {
        self.arith(ty).filter(|a| a.1 == 1).map(|a| a.0)
    }

    pub fn as_vector(&self, ty: TypeId) -> Option<(Scalar, u8)> {
        match *self.kind(ty) {
            TypeKind::Vector(s, n) => Some((s, n)),
            _ => None,
        }
    }

    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match *self.kind(ty) {
            TypeKind::Pointer(q) => Some(q),
            _ => None,
        }
    }

    pub fn is_error(&self, ty: TypeId) -> bool {
        ty == self.basics.error
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        ty == self.basics.void
    }

    /// Kind and access of an image type.
    pub fn as_image(&self, ty: TypeId) -> Option<(ImageKind, Access)> {
        match *self.kind(ty) {
            TypeKind::Opaque(Opaque::Image(kind, access)) => Some((kind, access)),
            _ => None,
        }
    }

    pub fn image(&mut self, kind: ImageKind, access: Access) -> TypeId {
        self.intern(TypeKind::Opaque(Opaque::Image(kind, access)))
    }

    /// Packet type and access of a pipe.
    pub fn as_pipe(&self, ty: TypeId) -> Option<(TypeId, Access)> {
        match *self.kind(ty) {
            TypeKind::Opaque(Opaque::Pipe(packet, access)) => Some((packet, access)),
            _ => None,
        }
    }

    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Array(..) | TypeKind::Record(_))
    }

    /// Size in bytes; 0 for incomplete types, functions and void. Saturates.
    pub fn size(&self, ty: TypeId) -> u64 {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Block(_) | TypeKind::Error => 0,
            TypeKind::Scalar(s) | TypeKind::Atomic(s) => s.size(),
            TypeKind::Vector(s, n) => s.size() * u64::from(if *n == 3 { 4 } else { *n }),
            TypeKind::Opaque(Opaque::Sampler) => 4,
            TypeKind::Pointer(_) | TypeKind::Opaque(_) => 8,
            TypeKind::Array(elem, len) => self.size(elem.ty).saturating_mul(len.unwrap_or(0)),
            TypeKind::Record(id) => self.record(*id).size,
            TypeKind::Enum(id) => self.enums[id.0 as usize].repr.size(),
        }
    }

    /// Whether the types are the same, whatever typedefs say of alignments on the way.
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        let within = |p: QualType, q: QualType| {
            let q = QualType {
                ty: p.ty,
                align: p.align,
                ..q
            };
            p == q
        };
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Pointer(p), TypeKind::Pointer(q)) => within(*p, *q) && self.same(p.ty, q.ty),
            (TypeKind::Array(p, n), TypeKind::Array(q, m)) => {
                n == m && within(*p, *q) && self.same(p.ty, q.ty)
            }
            _ => a == b,
        }
    }

    /// Alignment in bytes of an object that is declared so, a power of two.
    pub fn align_of(&self, ty: QualType) -> u64 {
        match ty.align {
            0 => self.align(ty.ty),
            n => u64::from(n),
        }
    }

    /// Alignment in bytes, a power of two.
    pub fn align(&self, ty: TypeId) -> u64 {
        match self.kind(ty) {
            TypeKind::Array(elem, _) => self.align_of(*elem),
            TypeKind::Record(id) => self.record(*id).align,
            _ => self.size(ty).max(1),
        }
    }

    /// Neither void, nor a function, nor an array or record whose size isn't known.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            TypeKind::Array(elem, len) => len.is_some() && self.is_complete(elem.ty),
            TypeKind::Record(id) => self.record(*id).complete,
            _ => true,
        }
    }

    /// The IR type of a value of a type that has one (not void, function, or aggregate).
    pub fn ir(&self, ty: TypeId) -> Option<ir::Type> {
        match self.kind(ty) {
            TypeKind::Scalar(s) | TypeKind::Atomic(s) => Some(ir::Type::scalar(s.elem())),
            TypeKind::Vector(s, n) => Some(ir::Type::vector(s.elem(), u16::from(*n))),
            TypeKind::Pointer(q) => Some(ir::Type::ptr(q.space)),
            TypeKind::Enum(id) => Some(ir::Type::scalar(self.enums[id.0 as usize].repr.elem())),
            TypeKind::Opaque(
                Opaque::Event | Opaque::ReserveId | Opaque::Queue | Opaque::ClkEvent,
            ) => Some(ir::types::I64),
            TypeKind::Opaque(Opaque::Pipe(..)) => Some(ir::Type::ptr(AddrSpace::Global)),
            TypeKind::Opaque(Opaque::Sampler) => Some(ir::types::I32),
            TypeKind::Opaque(Opaque::Image(..)) => Some(ir::Type::ptr(AddrSpace::Constant)),
            TypeKind::Void
            | TypeKind::Function(_)
            | TypeKind::Array(..)
            | TypeKind::Record(_)
            | TypeKind::Block(_)
            | TypeKind::Error => None,
        }
    }
}
