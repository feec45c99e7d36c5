//! What blocks capture (OpenCL C 3.0, 6.14 "Block Literal Expressions", "Restrictions").
//!
//! The record is a variable of the function around the literal, filled where the literal stands; captures of blocks within
//! blocks go through the records of those between. "Local automatic (stack) variables [...] are imported and captured by the
//! Block as const copies", as arguments are passed: images, samplers, pipes and events are handles. Variables in the local address space are
//! not automatic: a block uses them as they are, by their addresses, which mean nothing to a kernel that a block becomes.

use super::{Operand, Sema, hir, value};
use crate::front::source::Loc;
use crate::front::types::{Field, QualType, RecordId, TypeId, TypeKind};
use crate::ir::AddrSpace;

/// A variable of a function around a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Capture {
    /// How many functions are around the one that has it.
    owner: usize,
    var: hir::VarId,
    pub ty: QualType,
}

/// What a block captures, and its places in the record, in order.
pub(super) struct Captures {
    record: RecordId,
    /// The parameter that leads to the record.
    param: hir::VarId,
    found: Vec<Capture>,
}

impl Captures {
    /// Of a block whose first parameter leads to the record.
    pub fn new(record: RecordId) -> Captures {
        Captures {
            record,
            param: hir::VarId(0),
            found: Vec::new(),
        }
    }

    pub fn found(self) -> Vec<Capture> {
        self.found
    }
}

/// How a captured variable stands in the record.
enum Held {
    /// Its value.
    Value,
    /// A pointer to the first element of an array: it decays.
    Decayed,
    /// A pointer to the variable itself.
    Address,
}

impl Sema<'_> {
    /// The record's variable in the function around the literal, and the assignments that fill it.
    pub(super) fn fill_record(
        &mut self,
        captures: TypeId,
        found: &[Capture],
        loc: Loc,
    ) -> (Option<(hir::VarId, usize)>, Vec<hir::Expr>) {
        if self.func.is_none() {
            return (None, Vec::new());
        }
        let private = QualType::private(captures);
        let record = self.new_named_var("captures".into(), private, 1, loc);
        self.mark_used(record);
        let fields = match self.types.kind(captures) {
            TypeKind::Record(id) => self.types.record(*id).fields.clone(),
            _ => Vec::new(),
        };
        let level = self.outer.len();
        let mut setup = Vec::new();
        for (&capture, field) in found.iter().zip(fields) {
            let from = match self.captured_place(level, capture, loc) {
                Operand::Place(place) if capture.ty.space == AddrSpace::Local => {
                    let address = hir::ExprKind::AddrOf(Box::new(place));
                    value(field.ty.ty, loc, address)
                }
                Operand::Place(place) => self.value_of(Operand::Place(place), loc),
                Operand::Value(value) => value,
                Operand::Function(_) => continue,
            };
            let to = field_of(record, captures, field.ty.ty, field.offset, loc);
            let assign = hir::ExprKind::Assign {
                place: Box::new(to),
                value: Box::new(from),
            };
            setup.push(value(field.ty.ty, loc, assign));
        }
        (Some((record, level)), setup)
    }

    /// A variable of a function around the block, which the scope at `depth` has.
    pub(super) fn captured(&mut self, var: hir::VarId, depth: usize, loc: Loc) -> Operand {
        let owner = self.outer.iter().rposition(|f| f.scope_base <= depth);
        let Some(owner) = owner else {
            return Operand::Value(self.error_expr(loc));
        };
        self.outer[owner].used.insert(var);
        let ty = self.outer[owner].vars[var.0 as usize].ty;
        let level = self.outer.len();
        self.captured_place(level, Capture { owner, var, ty }, loc)
    }

    /// Where a function that so many are around finds the variable of one of those.
    fn captured_place(&mut self, level: usize, capture: Capture, loc: Loc) -> Operand {
        let Capture { owner, var, ty } = capture;
        if level == owner {
            return Operand::Place(hir::Place {
                ty,
                loc,
                kind: hir::PlaceKind::Var(var),
            });
        }
        let (held, how) = match *self.types.kind(ty.ty) {
            _ if ty.space == AddrSpace::Local => (self.types.pointer(ty), Held::Address),
            // "arrays are captured by reference (decayed to pointers) and structs are captured by value".
            TypeKind::Array(elem, _) => {
                let elem = QualType {
                    space: ty.space,
                    is_const: elem.is_const || ty.is_const,
                    ..elem
                };
                (self.types.pointer(elem), Held::Decayed)
            }
            _ => (ty.ty, Held::Value),
        };
        let (size, align) = (self.types.size(held), self.types.align(held));
        let state = match level == self.outer.len() {
            true => self.func.as_mut(),
            false => self.outer.get_mut(level),
        };
        let Some(captures) = state.and_then(|f| f.captures.as_mut()) else {
            return Operand::Value(self.error_expr(loc));
        };
        let known = captures.found.iter().position(|&known| known == capture);
        let record = &mut self.types.records[captures.record.0 as usize];
        let n = known.unwrap_or_else(|| {
            let offset = record.size.next_multiple_of(align);
            record.fields.push(Field {
                name: None,
                ty: QualType::private(held),
                offset,
                bits: None,
            });
            record.align = record.align.max(align);
            record.size = (offset + size).next_multiple_of(record.align);
            captures.found.push(capture);
            captures.found.len() - 1
        });
        let offset = record.fields[n].offset;
        let (param, record) = (captures.param, captures.record);
        let record = self.types.intern(TypeKind::Record(record));
        let constant = QualType {
            is_const: true,
            ..QualType::private(record)
        };
        let leads = self.types.pointer(constant);
        let pointer = value(
            leads,
            loc,
            hir::ExprKind::Load(Box::new(hir::Place {
                ty: QualType::private(leads),
                loc,
                kind: hir::PlaceKind::Var(param),
            })),
        );
        let place = hir::Place {
            ty: QualType {
                is_const: true,
                is_volatile: ty.is_volatile,
                ..QualType::private(held)
            },
            loc,
            kind: hir::PlaceKind::Field {
                base: Box::new(hir::Place {
                    ty: constant,
                    loc,
                    kind: hir::PlaceKind::Deref(Box::new(pointer)),
                }),
                offset,
                bits: None,
            },
        };
        let load = |place: hir::Place| value(held, loc, hir::ExprKind::Load(Box::new(place)));
        match how {
            Held::Value => Operand::Place(place),
            Held::Decayed => Operand::Value(load(place)),
            Held::Address => Operand::Place(hir::Place {
                ty,
                loc,
                kind: hir::PlaceKind::Deref(Box::new(load(place))),
            }),
        }
    }
}

/// A field of a variable that holds a record.
pub(super) fn field_of(
    var: hir::VarId,
    record: TypeId,
    ty: TypeId,
    offset: u64,
    loc: Loc,
) -> hir::Place {
    hir::Place {
        ty: QualType::private(ty),
        loc,
        kind: hir::PlaceKind::Field {
            base: Box::new(hir::Place {
                ty: QualType::private(record),
                loc,
                kind: hir::PlaceKind::Var(var),
            }),
            offset,
            bits: None,
        },
    }
}
