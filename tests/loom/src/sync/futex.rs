//! Sleeping on a word, as the system's futexes let threads sleep: a look at the word and falling asleep are one step for
//! all who wake.

use super::atomic::{AtomicU32, Ordering};
use loom::thread::{self, Thread};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// As Clotho's, but one look says as much as a hundred.
pub const SPINS: u32 = 1;

/// A thread that sleeps, and the address of its word.
type Sleeper = (usize, Thread);

/// Whether waits with a time limit wait for ever: what must not have to rely on them.
static PATIENT: AtomicBool = AtomicBool::new(false);

pub fn set_patient(patient: bool) {
    // Relaxed, here and below: models run on one thread of the system.
    PATIENT.store(patient, Ordering::Relaxed);
}

loom::lazy_static! {
    static ref ASLEEP: loom::sync::Mutex<Vec<Sleeper>> = loom::sync::Mutex::new(Vec::new());
}

pub fn wait(word: &AtomicU32, expected: u32, timeout: Option<Duration>) {
    if timeout.is_some() && !PATIENT.load(Ordering::Relaxed) {
        // It may be over at once, and whoever waits so must be able to go on.
        return thread::yield_now();
    }
    {
        let mut asleep = ASLEEP.lock().expect("nobody panics under it");
        // Relaxed: who has woken before this had the lock after it changed the word.
        if word.load(Ordering::Relaxed) != expected {
            return;
        }
        asleep.push((address(word), thread::current()));
    }
    thread::park();
}

pub fn wake(word: &AtomicU32, count: i32) {
    let mut asleep = ASLEEP.lock().expect("nobody panics under it");
    for _ in 0..count {
        let Some(at) = asleep.iter().position(|(other, _)| *other == address(word)) else {
            break;
        };
        asleep.remove(at).1.unpark();
    }
}

fn address(word: &AtomicU32) -> usize {
    std::ptr::from_ref(word) as usize
}
