//! Queues: edges, flushes, and their end.

use super::work::{counted, finish, queue};
use crate::cl::*;
use crate::runtime::command::Action;
use crate::runtime::context::Context;
use crate::runtime::object::{Body, Object};
use crate::runtime::queue::Queue;
use crate::sync::futex;
use loom::thread;
use std::sync::Arc;

/// The queue is let go while its last command ends: neither keeps the other.
pub fn released_with_a_command_in_flight() {
    let queue = queue(0);
    let weak = Arc::downgrade(&queue);
    let (work, done) = counted(1);
    let event = queue.enqueue(CL_COMMAND_MARKER, work.for_workers().action(), &[]);
    let event = event.unwrap();
    Queue::on_last_release(&queue);
    drop(queue);
    event.wait().unwrap();
    done.check();
    drop(event);
    finish();
    // The worker may hold its last reference a little longer.
    while weak.strong_count() > 0 {
        thread::yield_now();
    }
}

/// A flush and the end of what a small command waits for: one of both sees the other.
pub fn flushed_as_it_becomes_ready() {
    futex::set_patient(true);
    let queue = queue(0);
    let user = Object::user(Object::new(Context));
    let (work, done) = counted(1);
    let work = work.small().for_workers().action();
    let event = queue.enqueue(CL_COMMAND_MARKER, work, &[user.clone()]);
    let event = event.unwrap();
    let thread = thread::spawn(move || user.set_user_status(CL_COMPLETE).unwrap());
    queue.flush();
    thread.join().unwrap();
    while !event.is_done() {
        event.park();
    }
    done.check();
    finish();
}

/// Markers that wait for all before them, of two threads in one queue without order.
pub fn barriers_of_two_threads() {
    let queue = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let other = queue.clone();
    let thread = thread::spawn(move || {
        other
            .enqueue(CL_COMMAND_BARRIER, Action::Barrier, &[])
            .unwrap();
    });
    let (work, done) = counted(1);
    queue
        .enqueue(CL_COMMAND_MARKER, work.action(), &[])
        .unwrap();
    let all = queue.enqueue(CL_COMMAND_MARKER, Action::Marker, &[]);
    all.unwrap().wait().unwrap();
    done.check();
    thread.join().unwrap();
    finish();
}
