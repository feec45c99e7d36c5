//! Attributes (OpenCL C 3.0, 6.13).

use super::{Sema, ast, hir};
use crate::front::types::{QualType, Scalar, TypeKind};
use crate::ir::SUB_GROUP_SIZES;

impl Sema<'_> {
    pub(super) fn find_attr<'b>(
        &self,
        attrs: &'b [ast::Attribute],
        name: &str,
    ) -> Option<&'b ast::Attribute> {
        attrs.iter().find(|a| self.name(a.name) == name)
    }

    pub(super) fn has_attr(&self, attrs: &[ast::Attribute], name: &str) -> bool {
        self.find_attr(attrs, name).is_some()
    }

    /// `aligned(n)`; without a number, the largest alignment of the target.
    pub(super) fn aligned_attr(&mut self, attrs: &[ast::Attribute]) -> Option<u64> {
        let attr = self.find_attr(attrs, "aligned")?;
        match attr.args.first() {
            None => Some(16),
            Some(ast::AttrArg::Expr(expr)) => {
                let n = self.constant_int(*expr)?;
                if n > 0 && (n as u64).is_power_of_two() && n <= 1 << 20 {
                    Some(n as u64)
                } else {
                    self.error(attr.loc, "requested alignment is not a power of 2");
                    None
                }
            }
            Some(_) => {
                self.error(attr.loc, "'aligned' attribute requires an integer constant");
                None
            }
        }
    }

    /// What a declaration asks for: before the type, behind the name, or both.
    pub(super) fn asked_align(
        &mut self,
        specs: &ast::DeclSpecs,
        declarator: &ast::Declarator,
    ) -> Option<u64> {
        let before = self.aligned_attr(&specs.attrs);
        before.max(self.aligned_attr(&declarator.attrs))
    }

    /// clang's `ext_vector_type(lanes)` and gcc's `vector_size(bytes)`: the vector of a scalar type.
    pub(super) fn vector_attr(&mut self, ty: &mut QualType, attrs: &[ast::Attribute]) {
        for (name, by_bytes) in [("ext_vector_type", false), ("vector_size", true)] {
            let Some(attr) = self.find_attr(attrs, name) else {
                continue;
            };
            let Some(ast::AttrArg::Expr(expr)) = attr.args.first() else {
                self.error(attr.loc, format!("'{name}' attribute takes one argument"));
                continue;
            };
            let Some(n) = self.constant_int(*expr) else {
                continue;
            };
            let TypeKind::Scalar(scalar) = *self.types.kind(ty.ty) else {
                if !self.types.is_error(ty.ty) {
                    let text = format!("invalid vector element type {}", self.quoted(ty.ty));
                    self.error(attr.loc, text);
                }
                continue;
            };
            let size = scalar.size() as i64;
            let lanes = match by_bytes {
                true if n % size == 0 => n / size,
                true => 0,
                false => n,
            };
            if scalar == Scalar::Bool || !matches!(lanes, 2 | 3 | 4 | 8 | 16) {
                let text = "vectors have 2, 3, 4, 8 or 16 components, which are no booleans";
                self.error(attr.loc, text);
                continue;
            }
            ty.ty = self.types.vector(scalar, lanes as u8);
        }
    }

    /// What a kernel's attributes say (6.13.2).
    pub(super) fn kernel_attrs(&mut self, attrs: &[&ast::Attribute]) -> hir::KernelInfo {
        let mut info = hir::KernelInfo::default();
        let mut texts = Vec::new();
        for attr in attrs {
            match self.name(attr.name) {
                "reqd_work_group_size" => info.reqd_work_group_size = self.three_sizes(attr),
                "work_group_size_hint" => info.work_group_size_hint = self.three_sizes(attr),
                "vec_type_hint" => {
                    if let Some(ast::AttrArg::Type(name)) = attr.args.first() {
                        let ty = self.type_name(name).ty;
                        info.number_bits = self.types.ir(ty).map(|ty| ty.elem.bits());
                    }
                }
                // cl_intel_required_subgroup_size
                "intel_reqd_sub_group_size" => info.sub_group_size = self.sub_group_size(attr),
                _ => {}
            }
            texts.push(attr.text.trim().to_string());
        }
        info.attributes = texts.join(" ");
        info
    }

    /// One of the sizes that sub-groups can have.
    fn sub_group_size(&mut self, attr: &ast::Attribute) -> Option<u32> {
        let Some(ast::AttrArg::Expr(expr)) = attr.args.first() else {
            return None;
        };
        let size = u32::try_from(self.constant_int(*expr)?).ok();
        let size = size.filter(|size| SUB_GROUP_SIZES.contains(size));
        if size.is_none() {
            let sizes: Vec<String> = SUB_GROUP_SIZES.iter().map(u32::to_string).collect();
            let text = format!("a sub-group size can be one of {}", sizes.join(", "));
            self.error(attr.loc, text);
        }
        size
    }

    fn three_sizes(&mut self, attr: &ast::Attribute) -> Option<[u32; 3]> {
        let name = self.name(attr.name).to_string();
        if attr.args.len() != 3 {
            let text = format!("'{name}' attribute requires exactly 3 arguments");
            self.error(attr.loc, text);
            return None;
        }
        let mut sizes = [0u32; 3];
        for (size, arg) in sizes.iter_mut().zip(&attr.args) {
            let n = match arg {
                ast::AttrArg::Expr(expr) => self.constant_int(*expr)?,
                _ => 0,
            };
            match u32::try_from(n) {
                Ok(n) if n > 0 => *size = n,
                _ => {
                    let text = format!("'{name}' attribute must be greater than 0");
                    self.error(attr.loc, text);
                    return None;
                }
            }
        }
        Some(sizes)
    }
}
