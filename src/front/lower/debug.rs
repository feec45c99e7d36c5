//! What a debugger is told of variables: their types, their scopes, and where they are.
//!
//! Only for builds with `-g -cl-opt-disable`. A type that is made of itself is there once, by number; what has no
//! representation in user memory is an integer of its size.

use super::super::hir::{Stmt, StmtKind, VarId};
use super::super::source::Loc;
use super::super::symbol::Interner;
use super::super::types::{Record, Scalar, TypeId, TypeKind, Types};
use super::ModuleLowerer;
use super::function::FunctionLowerer;
use crate::ir::Value;
use crate::ir::debug::{DebugType, Encoding, Member, Place, Scope, Variable};
use std::collections::HashMap;

/// Of a program: the numbers of the types that are known, and the names of members.
pub(super) struct DebugTypes<'a> {
    names: &'a Interner,
    known: HashMap<TypeId, u32>,
}

impl<'a> DebugTypes<'a> {
    pub fn new(names: &'a Interner) -> DebugTypes<'a> {
        DebugTypes {
            names,
            known: HashMap::new(),
        }
    }
}

impl<'m> FunctionLowerer<'_, 'm> {
    /// The statements of a block. Where it declares variables they have a scope of their own.
    pub fn block(&mut self, stmts: &'m [Stmt], loc: Loc) {
        let declares = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Decl { .. });
        let outer = self.scope;
        if stmts.iter().any(declares) {
            let loc = self.at(loc);
            if let Some(debug) = &mut self.b.func.debug {
                self.scope = debug.add_scope(Scope { loc, inlined: None });
            }
        }
        self.stmts(stmts);
        self.scope = outer;
    }

    /// `__local` variables belong to the whole kernel, wherever they are used first.
    pub fn tell_local_memory(&mut self) {
        if self.b.func.debug.is_none() {
            return;
        }
        for n in (0u32..).take(self.source.vars.len()) {
            if self.var(VarId(n)).is_local_memory() {
                self.var_addr(VarId(n));
            }
        }
    }

    /// A variable has got its place.
    pub fn tell_variable(&mut self, id: VarId, base: Value) {
        let var = self.var(id);
        let Some(ty) = self.cx.debug_type(var.ty.ty) else {
            return;
        };
        let loc = self.at(var.loc);
        let param = self.source.params.iter().position(|&p| p == id);
        if let Some(debug) = &mut self.b.func.debug {
            debug.variables.push(Variable {
                name: var.name.clone(),
                ty,
                loc,
                param: param.and_then(|n| u16::try_from(n).ok()),
                place: Place {
                    base,
                    offset: 0,
                    indirect: false,
                },
            });
        }
    }
}

impl ModuleLowerer<'_> {
    /// The number of a type; none where nobody asks.
    fn debug_type(&mut self, ty: TypeId) -> Option<u32> {
        let types = self.types;
        let debug = self.debug.as_mut()?;
        if let Some(&number) = debug.known.get(&ty) {
            return Some(number);
        }
        let number = self.module.debug_types.len() as u32;
        debug.known.insert(ty, number);
        self.module.debug_types.push(DebugType::Pointer(None));
        let made = self.make_debug_type(types, ty)?;
        self.module.debug_types[number as usize] = made;
        Some(number)
    }

    fn make_debug_type(&mut self, types: &Types, ty: TypeId) -> Option<DebugType> {
        Some(match types.kind(ty) {
            TypeKind::Scalar(scalar) | TypeKind::Atomic(scalar) => base(*scalar),
            TypeKind::Enum(id) => base(types.enums[id.0 as usize].repr),
            TypeKind::Vector(scalar, lanes) => DebugType::Vector {
                elem: self.scalar_type(*scalar),
                lanes: u64::from(*lanes),
                bytes: types.size(ty),
            },
            TypeKind::Pointer(to) if types.size(to.ty) == 0 => DebugType::Pointer(None),
            TypeKind::Pointer(to) => DebugType::Pointer(self.debug_type(to.ty)),
            TypeKind::Array(elem, count) => DebugType::Array {
                elem: self.debug_type(elem.ty)?,
                count: count.unwrap_or(0),
            },
            TypeKind::Record(id) => self.record_type(types.record(*id))?,
            TypeKind::Opaque(_) => DebugType::Base {
                name: "handle".to_string(),
                bytes: types.size(ty),
                encoding: Encoding::Unsigned,
            },
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Block(_) | TypeKind::Error => {
                DebugType::Pointer(None)
            }
        })
    }

    /// Bit-fields are left out.
    fn record_type(&mut self, record: &Record) -> Option<DebugType> {
        let mut members = Vec::new();
        for field in record.fields.iter().filter(|field| field.bits.is_none()) {
            let ty = self.debug_type(field.ty.ty)?;
            let names = self.debug.as_ref()?.names;
            let name = field.name.map(|name| names.name(name).to_string());
            members.push(Member {
                name: name.unwrap_or_default(),
                ty,
                offset: field.offset,
            });
        }
        Some(DebugType::Record {
            name: record.name.clone(),
            bytes: record.size,
            is_union: record.is_union,
            members,
        })
    }

    fn scalar_type(&mut self, scalar: Scalar) -> u32 {
        let wanted = base(scalar);
        let types = &mut self.module.debug_types;
        let known = types.iter().position(|ty| *ty == wanted);
        known.unwrap_or_else(|| {
            types.push(wanted);
            types.len() - 1
        }) as u32
    }
}

fn base(scalar: Scalar) -> DebugType {
    let encoding = match scalar {
        Scalar::Bool => Encoding::Bool,
        Scalar::Char => Encoding::SignedChar,
        Scalar::UChar => Encoding::UnsignedChar,
        _ if scalar.is_float() => Encoding::Float,
        _ if scalar.is_signed() => Encoding::Signed,
        _ => Encoding::Unsigned,
    };
    DebugType::Base {
        name: scalar.name().to_string(),
        bytes: scalar.size(),
        encoding,
    }
}
