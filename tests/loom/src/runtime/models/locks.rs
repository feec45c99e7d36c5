//! The lock and the condition variable.

use super::work::Shared;
use crate::sync::{Condvar, Mutex};
use loom::thread;
use std::sync::Arc;
use std::time::Duration;

type Counter = Mutex<Shared>;

fn add(counter: &Counter) -> u32 {
    let held = counter.lock();
    held.add();
    held.get()
}

fn shared() -> Arc<Counter> {
    Arc::new(Mutex::new(Shared::new()))
}

pub fn one_at_a_time() {
    let counter = shared();
    let other = counter.clone();
    let thread = thread::spawn(move || {
        add(&other);
        add(&other);
    });
    add(&counter);
    add(&counter);
    thread.join().unwrap();
    assert_eq!(add(&counter), 5);
}

/// Each that lets go wakes one of several.
pub fn many_sleepers() {
    let counter = shared();
    let threads = [(); 2].map(|()| {
        let counter = counter.clone();
        thread::spawn(move || add(&counter))
    });
    add(&counter);
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(add(&counter), 4);
}

/// Who gives up leaves the lock marked as one that others may sleep on, and wakes nobody for nothing.
pub fn a_try_ends() {
    let counter = shared();
    let threads = [Duration::ZERO, Duration::from_secs(1000)].map(|time| {
        let counter = counter.clone();
        thread::spawn(move || {
            if let Some(held) = counter.try_lock_for(time) {
                held.add();
                return 1;
            }
            0
        })
    });
    add(&counter);
    let got = threads.map(|thread| thread.join().unwrap());
    assert_eq!(add(&counter), 2 + got[0] + got[1]);
}

pub fn changes_are_told() {
    let both = Arc::new((shared(), Condvar::default()));
    let waiting = [(); 2].map(|()| {
        let both = both.clone();
        thread::spawn(move || {
            let (counter, changed) = &*both;
            let mut held = counter.lock();
            while held.get() == 0 {
                changed.wait(&mut held);
            }
        })
    });
    add(&both.0);
    both.1.notify_all();
    for thread in waiting {
        thread.join().unwrap();
    }
}
