//! The models, and how each is run.

mod events;
mod locks;
mod pools;
mod queues;
mod work;

use super::device_pool;
use crate::sync::futex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Times that a thread is interrupted for another, where it need not be, in one run: what loom calls preemptions. Nearly
/// all mistakes show with two (Musuvathi and Qadeer, PLDI 2007).
const PREEMPTIONS: usize = 2;

macro_rules! models {
    ($($file:ident: $($name:ident)+;)+) => {
        &[$($((concat!(stringify!($file), "::", stringify!($name)), $file::$name)),+),+]
    };
}

/// Each by its name.
pub const ALL: &[(&str, fn())] = models! {
    locks: one_at_a_time many_sleepers a_try_ends changes_are_told;
    events: ends_when_all_have_ended an_edge_comes_with_the_end a_callback_comes_with_the_end all_who_sleep_wake
        nobody_can_set_it_any_more;
    pools: its_only_worker_runs_what_comes a_worker_runs_what_comes parts_run_once the_host_helps two_applications;
    queues: released_with_a_command_in_flight flushed_as_it_becomes_ready barriers_of_two_threads;
};

/// All runs of a model; how many there were.
pub fn check(model: fn()) -> u64 {
    let runs = Arc::new(AtomicU64::new(0));
    let counted = runs.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(PREEMPTIONS);
    builder.max_branches = 20_000;
    builder.check(move || {
        futex::set_patient(false);
        device_pool::set_workers(2);
        // Relaxed: one thread.
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    });
    runs.load(Ordering::Relaxed)
}
