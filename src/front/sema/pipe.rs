//! Pipes (OpenCL C 3.0, 6.15.13): their type, and calls of functions that take pipes of any packets.

use super::convert::Context;
use super::{Sema, ast, hir, value};
use crate::front::hir::{PipeKind, PipeOp};
use crate::front::image::Access;
use crate::front::source::Loc;
use crate::front::types::{Opaque, QualType, TypeId, TypeKind};
use crate::ir::abi::MAX_PACKET;
use crate::ir::{AddrSpace, Team};

/// What the name of a pipe function means with so many arguments. `is_valid_reserve_id` is in the table of builtins.
pub(super) fn function(name: &str, args: usize) -> Option<PipeOp> {
    if !name.contains("_pipe") {
        return None;
    }
    let teams = [None, Some(Team::Group), Some(Team::SubGroup)];
    let packet = match args {
        4 => PipeKind::Reserved,
        _ => PipeKind::Packet,
    };
    let mut kinds = vec![packet, PipeKind::NumPackets, PipeKind::MaxPackets];
    kinds.extend(teams.map(PipeKind::Reserve));
    kinds.extend(teams.map(PipeKind::Commit));
    kinds
        .into_iter()
        .flat_map(|kind| [false, true].map(|writes| PipeOp { kind, writes }))
        .find(|op| op.name() == name)
}

impl Sema<'_> {
    /// `pipe T`, with the access of the declaration: "If no qualifier is specified, read_only is assumed."
    pub(super) fn pipe_type(&mut self, packet: QualType, specs: &ast::DeclSpecs) -> TypeId {
        let error = self.types.basics.error;
        if self.types.is_error(packet.ty) {
            return error;
        }
        let access = specs.access.unwrap_or(Access::ReadOnly);
        // "Using the read_write (or __read_write) qualifier with the pipe specifier is a compilation error."
        if access == Access::ReadWrite {
            let text = "access qualifier 'read_write' cannot be used for a pipe";
            self.error(specs.loc, text);
            return error;
        }
        // "any supported OpenCL C scalar and vector integer or floating-point data types, or a user-defined type built
        // from these".
        if !self.is_plain_data(packet.ty) {
            let text = format!(
                "{} cannot be the packet type of a pipe",
                self.quoted(packet.ty)
            );
            self.error(specs.loc, text);
            return error;
        }
        if self.types.size(packet.ty) > u64::from(MAX_PACKET) {
            let text = format!(
                "{} is too large for a packet of a pipe, which has {MAX_PACKET} bytes at most",
                self.quoted(packet.ty)
            );
            self.error(specs.loc, text);
            return error;
        }
        let kind = TypeKind::Opaque(Opaque::Pipe(packet.ty, access));
        self.types.intern(kind)
    }

    /// Numbers, and arrays and records of them.
    fn is_plain_data(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Scalar(_) | TypeKind::Vector(..) | TypeKind::Enum(_) => true,
            TypeKind::Array(elem, Some(_)) => self.is_plain_data(elem.ty),
            TypeKind::Record(id) => {
                let record = self.types.record(*id);
                record.complete && record.fields.iter().all(|f| self.is_plain_data(f.ty.ty))
            }
            _ => false,
        }
    }

    pub(super) fn call_pipe(
        &mut self,
        name: &str,
        op: PipeOp,
        args: Vec<hir::Expr>,
        loc: Loc,
    ) -> hir::Expr {
        let basics = self.types.basics;
        let expected = match op.kind {
            PipeKind::NumPackets | PipeKind::MaxPackets => 1,
            PipeKind::Packet | PipeKind::Reserve(_) | PipeKind::Commit(_) => 2,
            PipeKind::Reserved => 4,
        };
        if args.len() != expected {
            let text = format!(
                "invalid number of arguments to function '{name}': expected {expected}, have {}",
                args.len()
            );
            return self.fail(loc, text);
        }
        let Some((packet, access)) = args.first().and_then(|arg| self.types.as_pipe(arg.ty)) else {
            let text = format!("first argument to '{name}' must be a pipe type");
            return self.fail(loc, text);
        };
        let wanted = match op.writes {
            true => Access::WriteOnly,
            false => Access::ReadOnly,
        };
        let is_query = expected == 1;
        if !is_query && access != wanted {
            let text = format!("invalid pipe access modifier (expecting {})", wanted.name());
            return self.fail(args[0].loc, text);
        }
        let address = self.types.pointer(QualType {
            is_const: op.writes,
            ..QualType::in_space(packet, AddrSpace::Generic)
        });
        let (rest, ret): (&[TypeId], TypeId) = match op.kind {
            PipeKind::Packet => (&[address], basics.int),
            PipeKind::Reserved => (&[basics.reserve_id, basics.uint, address], basics.int),
            PipeKind::Reserve(_) => (&[basics.uint], basics.reserve_id),
            PipeKind::Commit(_) => (&[basics.reserve_id], basics.void),
            PipeKind::NumPackets | PipeKind::MaxPackets => (&[], basics.uint),
        };
        let mut args = args.into_iter();
        let mut values: Vec<hir::Expr> = args.by_ref().take(1).collect();
        for (arg, &ty) in args.zip(rest) {
            values.push(match ty == address {
                true => self.packet_address(name, arg, packet, address),
                false => self.coerce(arg, ty, Context::Argument),
            });
        }
        if values.iter().any(|arg| self.types.is_error(arg.ty)) {
            return self.error_expr(loc);
        }
        if self.func.is_none() {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        value(ret, loc, hir::ExprKind::Pipe { op, args: values })
    }

    /// A pointer to just the packet's type.
    fn packet_address(
        &mut self,
        name: &str,
        arg: hir::Expr,
        packet: TypeId,
        address: TypeId,
    ) -> hir::Expr {
        if self.types.pointee(arg.ty).is_none_or(|to| to.ty != packet) {
            let text = format!(
                "invalid argument type to function '{name}' (expecting '{} *' having {})",
                self.types.display(packet),
                self.quoted(arg.ty)
            );
            return self.fail(arg.loc, text);
        }
        self.coerce(arg, address, Context::Argument)
    }
}
