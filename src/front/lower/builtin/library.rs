//! Calls of the OpenCL C library: whole, or component by component.
//!
//! Invariant: a library function is named by its plain name and parameter types, as `sema` names an overloadable
//! function: `pow(float,float)`, `fract(float,float *)`; its pointers lead to private memory.

use super::super::super::hir::Expr;
use super::super::super::types::{Scalar, TypeId};
use super::super::function::FunctionLowerer;
use crate::ir::{AddrSpace, Type, Value};

/// An argument of an element-wise call.
enum Argument {
    /// A scalar, the same for every call, or a vector that gives each call its component.
    Value(Value),
    /// Each call writes to `temp`; what they wrote is stored to `to` at the end.
    Out {
        to: Value,
        temp: Value,
        ty: Type,
        written: Vec<Value>,
    },
}

impl<'m> FunctionLowerer<'_, 'm> {
    /// One call with the values as they are.
    pub(super) fn whole(&mut self, name: &str, args: &'m [Expr], ty: TypeId) -> Option<Value> {
        let types: Vec<String> = args.iter().map(|a| self.types.display(a.ty)).collect();
        let mangled = format!("{name}({})", types.join(","));
        let values = args.iter().map(|a| self.value(a)).collect();
        let ret = self.types.ir(ty);
        self.call_library(&mangled, values, ret)
    }

    /// One call for each component.
    pub(super) fn elementwise(
        &mut self,
        name: &str,
        args: &'m [Expr],
        ty: TypeId,
    ) -> Option<Value> {
        let mut types = Vec::new();
        let mut arguments = Vec::new();
        let mut lanes = 1;
        for arg in args {
            let value = self.value(arg);
            let scalar = self.argument_scalar(arg.ty);
            let pointer = self.types.pointee(arg.ty);
            types.push(match pointer {
                Some(_) => format!("{} *", scalar.name()),
                None => scalar.name().to_string(),
            });
            arguments.push(match pointer {
                Some(pointee) => {
                    let ty = self.ir_type(pointee.ty);
                    lanes = lanes.max(ty.lanes);
                    let size = scalar.size();
                    let temp = self.b.alloca(size, size as u32);
                    Argument::Out {
                        to: value,
                        temp,
                        ty,
                        written: Vec::new(),
                    }
                }
                None => {
                    lanes = lanes.max(self.b.func.ty(value).lanes);
                    Argument::Value(value)
                }
            });
        }
        let mangled = format!("{name}({})", types.join(","));
        let ret = self.types.ir(ty).map(Type::lane);
        let mut results = Vec::with_capacity(usize::from(lanes));
        for lane in 0..lanes {
            let values = arguments
                .iter()
                .map(|a| match a {
                    Argument::Out { temp, .. } => *temp,
                    Argument::Value(v) if self.b.func.ty(*v).is_vector() => {
                        self.b.extract(*v, lane)
                    }
                    Argument::Value(v) => *v,
                })
                .collect();
            results.extend(self.call_library(&mangled, values, ret));
            for argument in &mut arguments {
                if let Argument::Out {
                    temp, ty, written, ..
                } = argument
                {
                    let align = ty.lane().bytes() as u32;
                    written.push(self.b.load(ty.lane(), *temp, align, false));
                }
            }
        }
        for argument in arguments {
            if let Argument::Out {
                to, ty, written, ..
            } = argument
            {
                let value = self.joined(written);
                let align = self.align32(ty.align());
                self.b.store(value, to, align, false);
            }
        }
        (!results.is_empty()).then(|| self.joined(results))
    }

    /// Scalars as a vector; one stays as it is.
    fn joined(&mut self, mut values: Vec<Value>) -> Value {
        if values.len() == 1 {
            values.remove(0)
        } else {
            self.b.build_vector(values)
        }
    }

    /// The element of an argument, or of what it points to.
    fn argument_scalar(&self, ty: TypeId) -> Scalar {
        let ty = self.types.pointee(ty).map_or(ty, |p| p.ty);
        self.scalar_of(ty)
    }

    /// The name of a pointer type in a mangled name.
    pub(super) fn pointer_name(space: AddrSpace, is_const: bool, elem: &str) -> String {
        let quals = if is_const { "const " } else { "" };
        format!("__{space} {quals}{elem} *")
    }
}
