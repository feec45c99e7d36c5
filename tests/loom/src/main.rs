//! Clotho's locks, events, queues and pool under [loom](https://docs.rs/loom): each model is run again and again, with
//! every order in which its threads may take their steps (up to a bound of preemptions), and with every value that the
//! memory orders allow a load to give. A wait that nobody ends is a deadlock; loom finds it.
//!
//! Files of this tree that are links are Clotho's own; the others stand in for what is around them: a command's work,
//! the C ABI's objects, the clock. What the work of a command touches is a loom cell, so that whoever touches it without
//! being ordered after the last one fails the model.
//!
//! Not modelled: `Arc` (the standard library's, and its orders), the system's scheduler, and time. A wait with a time
//! limit ends at any moment.

// What the models do not call is used by Clotho.
#![allow(dead_code, unused_imports)]

/// A thread-local variable of a modelled thread: what of `std::thread_local` the shared sources use.
macro_rules! thread_local {
    (static $name:ident: Cell<$kind:ty> = const { Cell::new($first:expr) };) => {
        static $name: crate::local::Local<$kind> = {
            loom::thread_local! { static CELL: std::cell::Cell<$kind> = std::cell::Cell::new($first); }
            crate::local::Local(&CELL)
        };
    };
}

mod cl;
mod local;
mod runtime;
mod sync;

/// Runs the models whose names contain the argument, or all.
fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for (name, model) in runtime::models::ALL
        .iter()
        .filter(|(name, _)| name.contains(&wanted))
    {
        let start = std::time::Instant::now();
        let runs = runtime::models::check(*model);
        println!(
            "{name}: {runs} runs, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    }
}
