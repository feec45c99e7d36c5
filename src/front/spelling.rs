//! How types are written in messages and in the names of library functions: as clang writes them.

use super::types::{Opaque, QualType, TypeId, TypeKind, Types};
use crate::ir::AddrSpace;

impl Types {
    /// As clang spells it in messages: `__global const float4 *`.
    pub fn display(&self, ty: TypeId) -> String {
        self.spell(ty, String::new())
    }

    pub fn display_qual(&self, ty: QualType) -> String {
        let quals = self.qualifiers(ty);
        // Qualifiers of a pointer object stand behind its star.
        if matches!(self.kind(ty.ty), TypeKind::Pointer(_)) {
            self.spell(ty.ty, quals.trim_end().to_string())
        } else {
            quals + &self.spell(ty.ty, String::new())
        }
    }

    fn qualifiers(&self, ty: QualType) -> String {
        let mut out = String::new();
        match ty.space {
            AddrSpace::Private => {}
            AddrSpace::Global => out.push_str("__global "),
            AddrSpace::Constant => out.push_str("__constant "),
            AddrSpace::Local => out.push_str("__local "),
            AddrSpace::Generic => out.push_str("__generic "),
        }
        if ty.is_const {
            out.push_str("const ");
        }
        if ty.is_volatile {
            out.push_str("volatile ");
        }
        if ty.is_restrict {
            out.push_str("restrict ");
        }
        out
    }

    /// `inner` is the declarator so far.
    fn spell(&self, ty: TypeId, inner: String) -> String {
        let plain = |name: &str| {
            if inner.is_empty() {
                name.to_string()
            } else {
                format!("{name} {inner}")
            }
        };
        match self.kind(ty) {
            TypeKind::Void => plain("void"),
            TypeKind::Scalar(s) => plain(s.name()),
            TypeKind::Vector(s, n) => plain(&format!("{}{n}", s.name())),
            TypeKind::Atomic(s) => plain(&format!("atomic_{}", s.name())),
            TypeKind::Opaque(Opaque::Event) => plain("event_t"),
            TypeKind::Opaque(Opaque::Sampler) => plain("sampler_t"),
            TypeKind::Opaque(Opaque::Image(kind, access)) => {
                plain(&format!("__{} {}", access.name(), kind.name()))
            }
            TypeKind::Opaque(Opaque::ReserveId) => plain("reserve_id_t"),
            TypeKind::Opaque(Opaque::Pipe(packet, access)) => {
                let packet = self.display(*packet);
                plain(&format!("__{} pipe {packet}", access.name()))
            }
            TypeKind::Opaque(Opaque::Queue) => plain("queue_t"),
            TypeKind::Opaque(Opaque::ClkEvent) => plain("clk_event_t"),
            TypeKind::Block(function) => self.spell(*function, format!("(^{inner})")),
            TypeKind::Error => plain("<error>"),
            TypeKind::Enum(id) => plain(&format!("enum {}", self.enums[id.0 as usize].name)),
            TypeKind::Record(id) => {
                let record = self.record(*id);
                let kw = if record.is_union { "union" } else { "struct" };
                plain(&format!("{kw} {}", record.name))
            }
            TypeKind::Pointer(q) => {
                let star = format!("*{inner}");
                let star = match self.kind(q.ty) {
                    TypeKind::Array(..) | TypeKind::Function(_) => format!("({star})"),
                    _ => star,
                };
                self.qualifiers(*q) + &self.spell(q.ty, star)
            }
            TypeKind::Array(elem, len) => {
                let len = len.map(|n| n.to_string()).unwrap_or_default();
                self.qualifiers(QualType {
                    space: AddrSpace::Private,
                    ..*elem
                }) + &self.spell(elem.ty, format!("{inner}[{len}]"))
            }
            TypeKind::Function(f) => {
                let mut params: Vec<String> =
                    f.params.iter().map(|p| self.display_qual(*p)).collect();
                if f.variadic {
                    params.push("...".into());
                }
                if params.is_empty() {
                    params.push("void".into());
                }
                self.spell(f.ret, format!("{inner}({})", params.join(", ")))
            }
        }
    }
}
