//! OpenCL C has no recursion (3.0, 6.11.i): a cycle of calls is an error.

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
}
