//! Running one command on the calling thread, alone or together with others.
//!
//! A command with several parts starts alone: its first thread takes one part, then two, then four..., and looks at
//! the clock. Only when the rest is worth it are other threads asked to join (the pool's board). So a small launch
//! costs no wake-up, and a wrong guess costs the time of one part. A launch that is known to be long, or is new, is
//! shared at once.
//!
//! Invariant: whoever leaves a command last ends it, and gets the next command of the chain to run.

use super::arena::{self, Memory};
use super::clock;
use super::command::Action;
use super::event::{Event, Ready, settle};
use super::object::Handle;
use super::pool;
use super::telling;
use crate::cl::{Error, Result};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Ticks (about 10 microseconds) of work left that are worth a wake-up, which takes some microseconds by itself.
const SHARE_TICKS: u64 = 30_000;

/// Ticks (about 2 microseconds) of work that a thread takes at least, where parts are known to be shorter.
const TAKE_TICKS: u64 = 5_000;

/// Runs a ready command; what it made ready goes to `ready`, if this thread was the last to leave it.
pub(super) fn run(event: Handle<Event>, ready: &mut Ready) {
    event.begin();
    // SAFETY: this thread takes part until `leave`.
    let action = unsafe { event.action() };
    let total = action.parts();
    guarded(&event, total, || lead(&event, action, total));
    leave(event, ready);
}

/// Runs all of an action on this thread, without an event. False when there is no memory for it; then nothing ran.
pub(super) fn at_once(action: &mut Action) -> bool {
    let total = action.parts();
    let done = arena::with(|arena| {
        let Ok(memory) = action.reserve(arena) else {
            return false;
        };
        let start = clock::ticks();
        let done = run_parts(action, 0..total, memory).is_ok();
        action.learn(total, clock::ticks().wrapping_sub(start));
        arena.trim();
        done
    });
    if done {
        action.retire();
    }
    done
}

/// Takes part in a command that another thread runs. The caller has been counted in ([`Crew::join`]).
pub(super) fn join(event: Handle<Event>, ready: &mut Ready) {
    // SAFETY: this thread takes part until `leave`.
    let action = unsafe { event.action() };
    let total = action.parts();
    guarded(&event, total, || {
        arena::with(|arena| {
            // Without memory the others do the work.
            if let Ok(memory) = action.reserve(arena) {
                share(&event, action, total, memory)?;
            }
            arena.trim();
            Ok(())
        })
    });
    leave(event, ready);
}

/// The first thread of a command: runs parts until none is left.
fn lead(event: &Handle<Event>, action: &Action, total: u64) -> Result<()> {
    arena::with(|arena| {
        let memory = action.reserve(arena)?;
        let done = if total == 1 {
            alone(action, memory)
        } else {
            lead_many(event, action, total, memory)
        };
        arena.trim();
        done
    })
}

fn alone(action: &Action, memory: Memory) -> Result<()> {
    let start = clock::ticks();
    run_parts(action, 0..1, memory)?;
    action.learn(1, clock::ticks().wrapping_sub(start));
    Ok(())
}

fn lead_many(event: &Handle<Event>, action: &Action, total: u64, memory: Memory) -> Result<()> {
    let start = clock::ticks();
    let mut done = 0;
    let known_small = action.expected_ticks().is_some_and(|t| t < SHARE_TICKS);
    if known_small {
        let mut count = 1;
        while let Some(part) = event.crew().take_some(total, count) {
            done += size(&part);
            run_parts(action, part, memory)?;
            let spent = clock::ticks().wrapping_sub(start);
            let rest = (spent / done).saturating_mul(total - done);
            if rest > SHARE_TICKS {
                break;
            }
            count *= 2;
        }
    }
    if event.crew().parts_left(total) > 0 {
        pool::share(event);
        done += share(event, action, total, memory)?;
    }
    action.learn(done, clock::ticks().wrapping_sub(start));
    Ok(())
}

/// Takes and runs parts until none is left; how many it ran.
fn share(event: &Handle<Event>, action: &Action, total: u64, memory: Memory) -> Result<u64> {
    let threads = event.device_pool().workers() as u64;
    let least = match action.expected_ticks() {
        Some(ticks) if ticks > 0 => total.saturating_mul(TAKE_TICKS) / ticks,
        _ => 1,
    };
    let mut done = 0;
    while let Some(part) = event.crew().take_parts(total, threads, least) {
        done += size(&part);
        run_parts(action, part, memory)?;
    }
    Ok(done)
}

fn run_parts(action: &Action, parts: Range<u64>, memory: Memory) -> Result<()> {
    let _told = telling::chunk(action, &parts);
    action.run(parts, memory)
}

fn size(part: &Range<u64>) -> u64 {
    part.end - part.start
}

/// Runs `work`; its error or panic fails the command.
fn guarded(event: &Handle<Event>, total: u64, work: impl FnOnce() -> Result<()>) {
    let error = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error,
        Err(_) => Error::OUT_OF_RESOURCES,
    };
    event.crew().fail(error, total);
}

fn leave(event: Handle<Event>, ready: &mut Ready) {
    pool::unshare(&event);
    if event.crew().leave() {
        let outcome = event.crew().outcome();
        settle(event, outcome, ready);
    }
}
