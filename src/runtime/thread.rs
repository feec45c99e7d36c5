//! Making threads that live in the application's process without getting in its way.

use crate::compiler::background::quietly;

/// Stack of a thread in bytes.
const STACK: usize = 16 << 20;

/// Makes a detached thread that the application's signals don't reach. Whether it could be made.
pub fn spawn_quiet(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    let thread = std::thread::Builder::new()
        .name(name.to_string())
        .stack_size(STACK);
    quietly(|| thread.spawn(work)).is_ok()
}
