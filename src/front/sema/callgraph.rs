//! What only the whole program shows of its calls: OpenCL C has no recursion (3.0, 6.11.i), and a kernel that is
//! called as a function may not have `__local` variables of its own here (6.9.1 leaves it to the implementation).

use super::Sema;
use crate::front::source::Loc;

impl Sema<'_> {
    pub(super) fn check_recursion(&mut self) {
        let n = self.program.functions.len();
        let mut callees: Vec<Vec<(usize, Loc)>> = vec![Vec::new(); n];
        for &(from, to, loc) in &self.calls {
            callees[from.0 as usize].push((to.0 as usize, loc));
        }
        // Depth first, without host recursion; a callee that is still open closes a cycle.
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut state = vec![State::New; n];
        let mut cycles = Vec::new();
        for root in 0..n {
            if state[root] != State::New {
                continue;
            }
            let mut stack = vec![(root, 0usize)];
            state[root] = State::Open;
            while let Some((func, next)) = stack.pop() {
                let Some(&(callee, loc)) = callees[func].get(next) else {
                    state[func] = State::Done;
                    continue;
                };
                stack.push((func, next + 1));
                match state[callee] {
                    State::New => {
                        state[callee] = State::Open;
                        stack.push((callee, 0));
                    }
                    State::Open => cycles.push((callee, loc)),
                    State::Done => {}
                }
            }
        }
        for (callee, loc) in cycles {
            let text = format!(
                "recursive call of function '{}' is not allowed in OpenCL",
                self.program.functions[callee].name
            );
            self.error(loc, text);
        }
    }
    pub(super) fn check_called_kernels(&mut self) {
        for (_, callee, loc) in self.calls.clone() {
            let func = &self.program.functions[callee.0 as usize];
            if func.kernel.is_some() && func.vars.iter().any(|v| v.is_local_memory()) {
                let text = format!(
                    "kernel '{}' declares variables in the local address space and cannot be called as a function",
                    func.name
                );
                self.error(loc, text);
            } else if func.body.is_none() && !(self.options.separate && func.kernel.is_none()) {
                let text = format!("function '{}' is called but never defined", func.name);
                self.error(loc, text);
            }
        }
    }
}
