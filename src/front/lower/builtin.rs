//! Calls of builtin functions.

use super::super::hir::Expr;
use super::super::types::TypeId;
use super::function::FunctionLowerer;
use crate::builtins::BuiltinId;
use crate::ir::Value;

impl<'m> FunctionLowerer<'_, 'm> {
    /// `args` have the parameter types of the overload; `ty` is the type of its result.
    pub fn lower_builtin(&mut self, id: BuiltinId, args: &'m [Expr], ty: TypeId) -> Option<Value> {
        let _ = (args, ty);
        unreachable!("no builtin has the id {id:?}")
    }
}
