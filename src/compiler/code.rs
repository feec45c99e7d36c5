//! The machine code of one kernel, which may still be in the making.
//!
//! Invariants: an answer, once there, stays; whoever has a [`Code`] may wait for it at any time: in the child of a fork,
//! where nobody else works on it any more, the thread that waits has it made.

use super::abi::GroupFn;
use super::background;
use crate::codegen::Loaded;
use parking_lot::{Condvar, Mutex};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

/// A kernel's machine code. Dropping it before it is there is no harm.
pub struct Code(Arc<Cell>);

/// Machine code that can be called.
pub(super) struct Ready {
    pub entry: GroupFn,
    /// Keeps `entry` alive; `None` for a function that is part of this library.
    pub _loaded: Option<Loaded>,
    /// What it was loaded from, for program binaries.
    pub object: Arc<[u8]>,
}

/// Makes the code. More than once, if the first time was in another process.
pub(super) type Recipe = Arc<dyn Fn() -> Result<Ready, String> + Send + Sync>;

/// What the threads that make code and those that wait for it share.
pub(super) struct Cell {
    answer: OnceLock<Result<Ready, String>>,
    state: Mutex<State>,
    done: Condvar,
    /// The process in which the work was given out.
    process: u32,
}

enum State {
    /// Nobody has begun.
    Waiting(Recipe),
    Begun(Recipe),
    Done,
}

impl Code {
    /// A function of this library.
    pub fn of_function(entry: GroupFn) -> Code {
        let ready = Ready {
            entry,
            _loaded: None,
            object: Arc::default(),
        };
        Code(Arc::new(Cell {
            answer: OnceLock::from(Ok(ready)),
            state: Mutex::new(State::Done),
            done: Condvar::new(),
            process: std::process::id(),
        }))
    }

    /// Code that `recipe` makes; [`background::enqueue`] has it made.
    pub(super) fn later(recipe: Recipe) -> Code {
        Code(Arc::new(Cell {
            answer: OnceLock::new(),
            state: Mutex::new(State::Waiting(recipe)),
            done: Condvar::new(),
            process: std::process::id(),
        }))
    }

    /// How it will be made, as long as nobody has begun.
    pub(super) fn recipe(&self) -> Option<Recipe> {
        match &*self.0.state.lock() {
            State::Waiting(recipe) => Some(recipe.clone()),
            _ => None,
        }
    }

    pub(super) fn cell(&self) -> &Arc<Cell> {
        &self.0
    }

    /// The function that runs a work-group; it may be called as long as `self` lives. Waits until it is there. The error
    /// says why there is none.
    pub fn entry(&self) -> Result<GroupFn, &str> {
        self.wait().map(|ready| ready.entry)
    }

    /// Waits, and gives the object that the code was loaded from.
    pub(super) fn object(&self) -> Result<Arc<[u8]>, &str> {
        self.wait().map(|ready| ready.object.clone())
    }

    fn wait(&self) -> Result<&Ready, &str> {
        let cell = &self.0;
        let answer = match cell.answer.get() {
            Some(answer) => answer,
            None => cell.wait(),
        };
        answer.as_ref().map_err(String::as_str)
    }
}

impl Cell {
    #[cold]
    fn wait(self: &Arc<Cell>) -> &Result<Ready, String> {
        if self.process != std::process::id() || !background::hurry(self) {
            background::make_now(self);
        }
        let mut state = self.state.lock();
        loop {
            if let Some(answer) = self.answer.get() {
                return answer;
            }
            self.done.wait(&mut state);
        }
    }

    /// Whether nobody has begun to make it.
    pub fn is_waiting(&self) -> bool {
        matches!(*self.state.lock(), State::Waiting(_))
    }

    /// Takes the work over. None when somebody else in this process has it, or did it.
    pub fn claim(&self) -> Option<Recipe> {
        let mut state = self.state.lock();
        let recipe = match &*state {
            State::Waiting(recipe) => recipe.clone(),
            // The thread that had begun stayed behind when the process was forked.
            State::Begun(recipe) if self.process != std::process::id() => recipe.clone(),
            _ => return None,
        };
        *state = State::Begun(recipe.clone());
        Some(recipe)
    }

    /// Makes the code by a claimed recipe.
    pub fn make(&self, recipe: &Recipe) {
        let result = catch_unwind(AssertUnwindSafe(|| recipe()));
        self.finish(result.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!(
                "internal compiler error: {}",
                text.unwrap_or("no message")
            ))
        }));
    }

    /// Stores the answer, and wakes who waits for it. The first answer counts.
    pub fn finish(&self, result: Result<Ready, String>) {
        let _ = self.answer.set(result);
        let before = std::mem::replace(&mut *self.state.lock(), State::Done);
        self.done.notify_all();
        // Not under the lock: the recipe may hold the last reference to much else.
        drop(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    unsafe extern "C" fn nothing(_: *const u8, _: *const super::super::abi::Group) {}

    fn ready() -> Result<Ready, String> {
        Ok(Ready {
            entry: nothing,
            _loaded: None,
            object: Arc::default(),
        })
    }

    #[test]
    fn code_is_made_once_and_waited_for() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let codes: Vec<Code> = (0..20)
            .map(|_| {
                Code::later(Arc::new(|| {
                    MADE.fetch_add(1, Ordering::SeqCst);
                    ready()
                }))
            })
            .collect();
        background::enqueue(codes.iter().map(|code| code.cell().clone()).collect());
        for code in codes.iter().rev() {
            assert!(code.entry().is_ok());
        }
        assert_eq!(MADE.load(Ordering::SeqCst), 20);
    }

    #[test]
    fn errors_and_panics_are_answers() {
        let failed = Code::later(Arc::new(|| Err("too big".into())));
        let broken = Code::later(Arc::new(|| panic!("broken")));
        background::enqueue(vec![failed.cell().clone(), broken.cell().clone()]);
        assert_eq!(failed.entry().err(), Some("too big"));
        assert_eq!(
            broken.entry().err(),
            Some("internal compiler error: broken")
        );
    }

    #[test]
    fn code_that_nobody_was_given_is_made_by_who_waits() {
        assert!(Code::later(Arc::new(ready)).entry().is_ok());
    }

    #[test]
    fn code_that_nobody_wants_any_more_is_not_waited_for() {
        let code = Code::later(Arc::new(ready));
        background::enqueue(vec![code.cell().clone()]);
        drop(code);
    }
}
