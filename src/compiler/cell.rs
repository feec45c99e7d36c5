//! Something that the compiler's threads make, and others wait for.
//!
//! Invariants: an answer, once there, stays; whoever has a [`Cell`] may wait for it at any time: in the child of a fork,
//! where nobody else works on it any more, the thread that waits has it made. Recipes wait for no other cell: threads that
//! make them are few.

use super::background;
use crate::sync::{Condvar, Mutex, gate};
use once_cell::sync::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Makes it. More than once, if the first time was in another process.
pub(super) type Recipe<T> = Arc<dyn Fn() -> Result<T, String> + Send + Sync>;

/// What the threads that make something and those that wait for it share. Dropping it before it is there is no harm.
pub(super) struct Cell<T> {
    answer: OnceCell<Result<T, String>>,
    state: Mutex<State<T>>,
    done: Condvar,
    /// The process in which the work was given out.
    process: u32,
}

enum State<T> {
    /// Nobody has begun.
    Waiting(Recipe<T>),
    Begun(Recipe<T>),
    Done,
}

/// A cell to the threads that make it.
pub(super) trait Job: Send + Sync {
    /// Whether nobody in this process has begun to make it.
    fn is_free(&self) -> bool;

    /// Takes the work over: what is to be done, after which the answer is there. None when somebody else in this process
    /// has it, or did it.
    fn claim(self: Arc<Self>) -> Option<Box<dyn FnOnce()>>;

    /// It can't be made. The first answer counts.
    fn fail(&self, text: String);
}

impl<T: Send + Sync + 'static> Cell<T> {
    /// What is there already.
    pub fn of(value: T) -> Arc<Cell<T>> {
        Cell::new(OnceCell::with_value(Ok(value)), State::Done)
    }

    /// What `recipe` makes; [`background::enqueue`] has it made, or who waits for it first.
    pub fn later(recipe: Recipe<T>) -> Arc<Cell<T>> {
        Cell::new(OnceCell::new(), State::Waiting(recipe))
    }

    fn new(answer: OnceCell<Result<T, String>>, state: State<T>) -> Arc<Cell<T>> {
        Arc::new(Cell {
            answer,
            state: Mutex::new(state),
            done: Condvar::new(),
            process: std::process::id(),
        })
    }

    /// How it will be made, as long as nobody has begun.
    pub fn recipe(&self) -> Option<Recipe<T>> {
        match &*self.state.lock() {
            State::Waiting(recipe) => Some(recipe.clone()),
            _ => None,
        }
    }

    /// The answer, if it is there.
    pub fn known(&self) -> Option<&Result<T, String>> {
        self.answer.get()
    }

    /// Waits for the answer.
    pub fn wait(self: &Arc<Cell<T>>) -> &Result<T, String> {
        match self.answer.get() {
            Some(answer) => answer,
            None => self.wait_long(),
        }
    }

    #[cold]
    fn wait_long(self: &Arc<Cell<T>>) -> &Result<T, String> {
        if self.is_free() {
            background::hurry(self.clone());
        }
        gate::outside(|| {
            let mut state = self.state.lock();
            while self.answer.get().is_none() {
                self.done.wait(&mut state);
            }
        });
        self.answer.get().expect("it has been waited for")
    }

    fn finish(&self, result: Result<T, String>) {
        let _ = self.answer.set(result);
        let before = std::mem::replace(&mut *self.state.lock(), State::Done);
        self.done.notify_all();
        // Not under the lock: the recipe may hold the last reference to much else.
        drop(before);
    }
}

impl<T: Send + Sync + 'static> Job for Cell<T> {
    fn is_free(&self) -> bool {
        match &*self.state.lock() {
            State::Waiting(_) => true,
            // The thread that had begun stayed behind when the process was forked.
            State::Begun(_) => self.process != std::process::id(),
            State::Done => false,
        }
    }

    fn claim(self: Arc<Self>) -> Option<Box<dyn FnOnce()>> {
        let recipe = {
            let mut state = self.state.lock();
            let recipe = match &*state {
                State::Waiting(recipe) => recipe.clone(),
                State::Begun(recipe) if self.process != std::process::id() => recipe.clone(),
                _ => return None,
            };
            *state = State::Begun(recipe.clone());
            recipe
        };
        Some(Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(|| recipe()));
            self.finish(result.unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                Err(format!(
                    "internal compiler error: {}",
                    text.unwrap_or("no message")
                ))
            }));
        }))
    }

    fn fail(&self, text: String) {
        self.finish(Err(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn things_are_made_once_and_waited_for() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let cells: Vec<_> = (0..20)
            .map(|n| {
                Cell::later(Arc::new(move || {
                    MADE.fetch_add(1, Ordering::SeqCst);
                    Ok(n)
                }))
            })
            .collect();
        background::enqueue(cells.iter().map(|cell| cell.clone() as _).collect());
        for (n, cell) in cells.iter().enumerate().rev() {
            assert_eq!(*cell.wait(), Ok(n));
        }
        assert_eq!(MADE.load(Ordering::SeqCst), 20);
    }

    #[test]
    fn errors_and_panics_are_answers() {
        let failed = Cell::<()>::later(Arc::new(|| Err("too big".into())));
        let broken = Cell::<()>::later(Arc::new(|| panic!("broken")));
        background::enqueue(vec![failed.clone(), broken.clone()]);
        assert_eq!(*failed.wait(), Err("too big".into()));
        assert_eq!(
            *broken.wait(),
            Err("internal compiler error: broken".into())
        );
    }

    #[test]
    fn what_nobody_was_given_is_made_for_who_waits() {
        let cells: Vec<_> = (0..50)
            .map(|n| Cell::later(Arc::new(move || Ok(n))))
            .collect();
        std::thread::scope(|scope| {
            for cell in &cells {
                scope.spawn(|| assert!(cell.wait().is_ok()));
            }
        });
    }

    #[test]
    fn what_nobody_wants_any_more_is_not_waited_for() {
        let cell = Cell::<()>::later(Arc::new(|| Ok(())));
        background::enqueue(vec![cell.clone()]);
        drop(cell);
    }
}
