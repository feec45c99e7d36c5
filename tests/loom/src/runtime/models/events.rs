//! Nodes of the dependency graph: their end, and what comes at the same time.

use super::work::Shared;
use crate::cl::*;
use crate::runtime::context::{Callback, Context};
use crate::runtime::event::{Event, Ready};
use crate::runtime::object::{Handle, Object};
use loom::thread;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn user() -> Handle<Event> {
    Object::user(Object::new(Context))
}

/// A node without work that waits for these.
fn after(events: &[&Handle<Event>]) -> Handle<Event> {
    let node = Object::gate();
    for event in events {
        event.add_dependant(&node, true);
    }
    let mut ready = Ready::new();
    node.release_guard(&mut ready);
    assert!(ready.is_empty());
    node
}

const LATE: Result<()> = Err(Error::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);

pub fn ends_when_all_have_ended() {
    let data = Arc::new([(); 2].map(|()| Shared::new()));
    let events = [user(), user()];
    let node = after(&[&events[0], &events[1]]);
    let mut threads = Vec::new();
    for (at, event) in events.into_iter().enumerate() {
        let data = data.clone();
        threads.push(thread::spawn(move || {
            data[at].add();
            let status = if at == 0 { CL_COMPLETE } else { -5 };
            event.set_user_status(status).unwrap();
        }));
    }
    assert_eq!(node.wait(), LATE);
    for value in &*data {
        assert_eq!(value.get(), 1);
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Whether the edge is there before the end or not.
pub fn an_edge_comes_with_the_end() {
    let event = user();
    let setting = event.clone();
    let data = Arc::new(Shared::new());
    let written = data.clone();
    let thread = thread::spawn(move || {
        written.add();
        setting.set_user_status(-5).unwrap();
    });
    assert_eq!(after(&[&event]).wait(), LATE);
    assert_eq!(data.get(), 1);
    thread.join().unwrap();
}

/// It is called once.
pub fn a_callback_comes_with_the_end() {
    unsafe extern "C" fn count(_: cl_event, status: cl_int, calls: *mut c_void) {
        assert_eq!(status, CL_COMPLETE);
        // SAFETY: the model's counter, which lives on. Relaxed: one thread of the system.
        unsafe { &*calls.cast::<AtomicU32>() }.fetch_add(1, Ordering::Relaxed);
    }
    let calls = Arc::new(AtomicU32::new(0));
    let event = user();
    let setting = event.clone();
    let thread = thread::spawn(move || setting.set_user_status(CL_COMPLETE).unwrap());
    let callback = Callback {
        function: count as _,
        user_data: Arc::as_ptr(&calls).cast_mut().cast(),
    };
    event.add_callback(CL_COMPLETE, callback);
    thread.join().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

pub fn all_who_sleep_wake() {
    let event = user();
    let sleeping = [(); 2].map(|()| {
        let event = event.clone();
        thread::spawn(move || event.wait())
    });
    event.set_user_status(CL_COMPLETE).unwrap();
    for thread in sleeping {
        assert_eq!(thread.join().unwrap(), Ok(()));
    }
}

/// A user event that is let go while others begin to wait for it.
pub fn nobody_can_set_it_any_more() {
    let event = user();
    let node = after(&[&event]);
    let waiting = node.clone();
    let thread = thread::spawn(move || waiting.wait());
    drop(event);
    assert_eq!(thread.join().unwrap(), LATE);
}
