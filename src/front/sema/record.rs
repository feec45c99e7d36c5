//! Structs, unions and enums: declarations and layout (C99, 6.7.2.1 and 6.7.2.2; little-endian System V bit-fields).

use super::scope::{Entity, Tag};
use super::{Sema, ast};
use crate::front::pp::BIT_FIELDS;
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{
    Enum, EnumId, Field, QualType, Record, RecordId, Scalar, TypeId, TypeKind,
};
use crate::ir::AddrSpace;
use std::collections::HashSet;

impl Sema<'_> {
    /// struct-or-union-specifier
    pub(super) fn record_spec(&mut self, spec: &ast::RecordSpec) -> TypeId {
        let id = self.record_id(spec);
        let Some(id) = id else {
            return self.types.basics.error;
        };
        if let Some(fields) = &spec.fields {
            if self.types.record(id).complete {
                let text = format!("redefinition of '{}'", self.types.record(id).name);
                self.error(spec.loc, text);
                return self.types.basics.error;
            }
            let packed = self.has_attr(&spec.attrs, "packed");
            let aligned = self.aligned_attr(&spec.attrs);
            self.layout_record(id, fields, packed, aligned);
        }
        self.types.intern(TypeKind::Record(id))
    }

    /// Finds or declares the tag.
    fn record_id(&mut self, spec: &ast::RecordSpec) -> Option<RecordId> {
        let is_union = spec.is_union;
        let Some(tag) = spec.tag else {
            return Some(self.new_record("(unnamed)".into(), is_union));
        };
        // A definition declares the tag in this scope; a mere use finds an outer one.
        let known = if spec.fields.is_some() {
            self.scopes.tag_here(tag)
        } else {
            self.scopes.lookup_tag(tag)
        };
        match known {
            Some((Tag::Record(id), _)) if self.types.record(id).is_union == is_union => Some(id),
            Some((_, loc)) => {
                let text = format!(
                    "use of '{}' with tag type that does not match previous declaration",
                    self.name(tag)
                );
                self.error(spec.loc, text);
                self.note(loc, "previous use is here");
                None
            }
            None => {
                let id = self.new_record(self.name(tag).to_string(), is_union);
                self.scopes.declare_tag(tag, Tag::Record(id), spec.loc);
                Some(id)
            }
        }
    }

    fn new_record(&mut self, name: String, is_union: bool) -> RecordId {
        self.types.new_record(Record {
            name,
            is_union,
            complete: false,
            fields: Vec::new(),
            size: 0,
            align: 1,
        })
    }

    fn layout_record(
        &mut self,
        id: RecordId,
        decls: &[ast::FieldDecl],
        packed: bool,
        aligned: Option<u64>,
    ) {
        let is_union = self.types.record(id).is_union;
        let mut layout = Layout {
            fields: Vec::new(),
            bits: 0,
            size: 0,
            align: 1,
            is_union,
            packed,
        };
        let mut seen = HashSet::new();
        for decl in decls {
            if decl.declarators.is_empty() {
                self.anonymous_member(decl, &mut layout);
            }
            for (declarator, width) in &decl.declarators {
                let loc = declarator.loc;
                let Some(ty) = self.field_type(decl, declarator) else {
                    continue;
                };
                if let Some(name) = declarator.name
                    && !seen.insert(name)
                {
                    let text = format!("duplicate member '{}'", self.name(name));
                    self.error(loc, text);
                    continue;
                }
                let mut align = self.types.align_of(ty);
                let field_packed = packed
                    || self.has_attr(&declarator.attrs, "packed")
                    || self.has_attr(&decl.specs.attrs, "packed");
                if field_packed {
                    align = 1;
                }
                let asked = self.asked_align(&decl.specs, declarator);
                align = align.max(asked.unwrap_or(1));
                let size = self.types.size(ty.ty);
                match width {
                    None => layout.add(declarator.name, ty, size, align),
                    Some(expr) => {
                        if let Some(width) = self.bit_width(*expr, ty.ty, declarator.name, loc) {
                            layout.add_bits(declarator.name, ty, size, align, width);
                        }
                    }
                }
            }
        }
        let align = layout.align.max(aligned.unwrap_or(1));
        let record = &mut self.types.records[id.0 as usize];
        record.fields = layout.fields;
        record.size = layout.size.next_multiple_of(align);
        record.align = align;
        record.complete = true;
    }

    fn anonymous_member(&mut self, decl: &ast::FieldDecl, layout: &mut Layout) {
        let declared = self.specifier_type(&decl.specs);
        match self.types.kind(declared.ty.ty) {
            TypeKind::Record(_) if self.types.is_complete(declared.ty.ty) => {
                let (size, align) = (
                    self.types.size(declared.ty.ty),
                    self.types.align(declared.ty.ty),
                );
                layout.add(
                    None,
                    declared.ty,
                    size,
                    if layout.packed { 1 } else { align },
                );
            }
            TypeKind::Error => {}
            _ => self.warning(decl.loc, "declaration does not declare anything"),
        }
    }

    fn field_type(
        &mut self,
        decl: &ast::FieldDecl,
        declarator: &ast::Declarator,
    ) -> Option<QualType> {
        let declared = self.declared_type(&decl.specs, declarator);
        let mut ty = declared.ty;
        if self.types.is_error(ty.ty) {
            return None;
        }
        let name = declarator.name.map_or("", |n| self.name(n));
        if matches!(self.types.kind(ty.ty), TypeKind::Function(_)) {
            let text = format!("field '{name}' declared as a function");
            self.error(declarator.loc, text);
            return None;
        }
        if matches!(self.types.kind(ty.ty), TypeKind::Array(_, None)) {
            let text = format!("flexible array member '{name}' is not supported in OpenCL");
            self.error(declarator.loc, text);
            return None;
        }
        if !self.types.is_complete(ty.ty) {
            let text = format!("field has incomplete type {}", self.quoted(ty.ty));
            self.error(declarator.loc, text);
            return None;
        }
        // OpenCL C 3.0, 6.11.b and 6.15.13
        if self.is_object(ty.ty) {
            let text = format!("field of type {} is not allowed", self.quoted(ty.ty));
            self.error(declarator.loc, text);
            return None;
        }
        // OpenCL C 3.0, 6.7: members carry no address space of their own.
        if ty.space != AddrSpace::Private {
            self.error(
                declarator.loc,
                "field may not be qualified with an address space",
            );
            ty.space = AddrSpace::Private;
        }
        Some(ty)
    }

    fn bit_width(
        &mut self,
        expr: ast::ExprId,
        ty: TypeId,
        name: Option<Symbol>,
        loc: Loc,
    ) -> Option<u32> {
        // OpenCL C 3.0, 6.11.c: "Bit-field struct members are currently not supported."
        if !self.bit_fields {
            let text = format!(
                "bit-fields are not supported in OpenCL (without '#pragma OPENCL EXTENSION {BIT_FIELDS} : enable')"
            );
            self.error(loc, text);
            return None;
        }
        let width = self.constant_int(expr)?;
        let Some(scalar) = self.types.as_scalar(ty).filter(|s| s.is_int()) else {
            self.error(loc, "bit-field has non-integral type");
            return None;
        };
        let max = if scalar == Scalar::Bool {
            1
        } else {
            scalar.size() as i64 * 8
        };
        if width < 0 {
            self.error(loc, "bit-field has negative width");
            return None;
        }
        if width > max {
            let text = format!(
                "width of bit-field ({width} bits) exceeds the width of its type ({max} bits)"
            );
            self.error(loc, text);
            return None;
        }
        if width == 0 && name.is_some() {
            self.error(loc, "named bit-field has zero width");
            return None;
        }
        Some(width as u32)
    }

    /// enum-specifier
    pub(super) fn enum_spec(&mut self, spec: &ast::EnumSpec) -> TypeId {
        let known = match spec.tag {
            Some(tag) if spec.items.is_some() => self.scopes.tag_here(tag),
            Some(tag) => self.scopes.lookup_tag(tag),
            None => None,
        };
        let Some(items) = &spec.items else {
            return match known {
                Some((Tag::Enum(id), _)) => self.types.intern(TypeKind::Enum(id)),
                _ => {
                    self.error(spec.loc, "ISO C forbids forward references to 'enum' types");
                    self.types.basics.error
                }
            };
        };
        if known.is_some() {
            self.error(spec.loc, "redefinition of an enumeration");
            return self.types.basics.error;
        }
        let name = spec
            .tag
            .map_or("(unnamed)".to_string(), |t| self.name(t).to_string());
        let id = self.types.new_enum(Enum {
            name,
            repr: Scalar::UInt,
        });
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag, Tag::Enum(id), spec.loc);
        }
        self.enumerators(id, items);
        self.types.intern(TypeKind::Enum(id))
    }

    fn enumerators(&mut self, id: EnumId, items: &[ast::Enumerator]) {
        let mut next: i64 = 0;
        let (mut least, mut most) = (0i64, 0i64);
        for item in items {
            if let Some(expr) = item.value
                && let Some(v) = self.constant_int(expr)
            {
                next = v;
            }
            least = least.min(next);
            most = most.max(next);
            // C99, 6.4.4.3: enumeration constants are ints; wider ones take the type that holds them.
            let ty = if i32::try_from(next).is_ok() {
                self.types.basics.int
            } else if u32::try_from(next).is_ok() {
                self.types.basics.uint
            } else {
                self.types.basics.long
            };
            let bits = if self.types.size(ty) == 4 {
                u64::from(next as u32)
            } else {
                next as u64
            };
            if let Some((_, loc)) = self.scopes.here(item.name) {
                let loc = *loc;
                let text = format!("redefinition of '{}'", self.name(item.name));
                self.error(item.loc, text);
                self.note(loc, "previous definition is here");
            }
            self.scopes
                .declare(item.name, Entity::EnumConstant(bits, ty), item.loc);
            next = next.wrapping_add(1);
        }
        self.types.enums[id.0 as usize].repr = if least < 0 {
            if least >= i64::from(i32::MIN) && most <= i64::from(i32::MAX) {
                Scalar::Int
            } else {
                Scalar::Long
            }
        } else if most <= i64::from(u32::MAX) {
            Scalar::UInt
        } else {
            Scalar::ULong
        };
    }
}

/// The state of laying out one record.
struct Layout {
    fields: Vec<Field>,
    /// The first free bit; in a union always 0.
    bits: u64,
    size: u64,
    align: u64,
    is_union: bool,
    packed: bool,
}

impl Layout {
    fn add(&mut self, name: Option<Symbol>, ty: QualType, size: u64, align: u64) {
        let offset = if self.is_union {
            0
        } else {
            self.bits.div_ceil(8).next_multiple_of(align)
        };
        self.fields.push(Field {
            name,
            ty,
            offset,
            bits: None,
        });
        self.grow(offset.saturating_add(size).saturating_mul(8), align);
    }

    /// A bit-field does not cross a boundary of its type unless packed; width 0 closes the unit.
    fn add_bits(&mut self, name: Option<Symbol>, ty: QualType, size: u64, align: u64, width: u32) {
        let unit = size * 8;
        let start = if self.is_union { 0 } else { self.bits };
        if width == 0 {
            self.bits = start.next_multiple_of(unit);
            return;
        }
        let crosses = start / unit != (start + u64::from(width) - 1) / unit;
        let start = if crosses {
            start.next_multiple_of(unit)
        } else {
            start
        };
        self.fields.push(Field {
            name,
            ty,
            offset: start / unit * size,
            bits: Some(((start % unit) as u32, width)),
        });
        let align = if name.is_some() { align } else { 1 };
        self.grow(start + u64::from(width), align);
        // The storage unit is read and written whole, so that the record must hold it.
        let unit_end = (start / unit + 1) * size;
        self.size = self.size.max(unit_end);
    }

    fn grow(&mut self, end_bits: u64, align: u64) {
        if !self.is_union {
            self.bits = end_bits;
        }
        self.size = self.size.max(end_bits.div_ceil(8));
        self.align = self.align.max(align);
    }
}
