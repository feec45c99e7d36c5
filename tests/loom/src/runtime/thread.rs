//! Workers are modelled threads.

use loom::thread::JoinHandle;
use std::sync::Mutex;

loom::lazy_static! {
    static ref MADE: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());
}

pub fn spawn_quiet(_name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    let thread = loom::thread::spawn(work);
    MADE.lock().expect("nobody panics under it").push(thread);
    true
}

/// Waits for all that have been made: what is static ends with a model's first thread.
pub fn join_all() {
    let next = || MADE.lock().expect("nobody panics under it").pop();
    while let Some(thread) = next() {
        thread.join().expect("no worker panics");
    }
}
