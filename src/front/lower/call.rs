//! Calls of functions of the program and of the OpenCL C library.

use super::super::hir::{Expr, FuncId};
use super::function::FunctionLowerer;
use crate::ir::{Type, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    /// Calls a function of the program; a record result goes to `result` (private memory that no argument leads to),
    /// any other is returned.
    pub fn call(&mut self, func: FuncId, args: &'m [Expr], result: Option<Value>) -> Option<Value> {
        let callee = self.cx.callee(func);
        let program = self.cx.program;
        let source = &program.functions[func.0 as usize];
        let mut values = Vec::new();
        if self.types.is_aggregate(source.ret) {
            // Always fresh memory: the callee may write the result before it has read all it reads.
            values.push(self.temp(source.ret));
        }
        for arg in args {
            let value = self.argument(arg);
            values.push(value);
        }
        let hidden = values.first().copied();
        let ret = self.types.ir(source.ret);
        let value = self.b.call(callee, values, ret);
        if let (true, Some(to), Some(from)) = (self.types.is_aggregate(source.ret), result, hidden)
        {
            let align = self.align32(self.types.align(source.ret));
            self.copy(to, from, self.types.size(source.ret), align);
        }
        value
    }

    /// A value; of a record, the address of a copy.
    fn argument(&mut self, arg: &'m Expr) -> Value {
        if self.types.is_aggregate(arg.ty) {
            let temp = self.temp(arg.ty);
            self.aggregate(arg, temp);
            temp
        } else {
            self.value(arg)
        }
    }

    /// Calls a library function by its mangled name.
    pub fn call_library(
        &mut self,
        mangled: &str,
        args: Vec<Value>,
        ret: Option<Type>,
    ) -> Option<Value> {
        let callee = self.cx.library_function(mangled);
        self.b.call(callee, args, ret)
    }
}
