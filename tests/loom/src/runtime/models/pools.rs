//! Workers that fall asleep and are woken, and commands that several threads run.

use super::work::{Counted, counted, finish, queue};
use crate::cl::*;
use crate::runtime::command::{Action, Work};
use crate::runtime::device_pool;
use crate::sync::futex;
use loom::thread;

/// The second command comes while the worker is anywhere between its first and its bed.
pub fn its_only_worker_runs_what_comes() {
    device_pool::set_workers(1);
    a_worker_runs_what_comes();
}

/// As [`its_only_worker_runs_what_comes`], where another worker can be made.
pub fn a_worker_runs_what_comes() {
    futex::set_patient(true);
    let queue = queue(0);
    for _ in 0..2 {
        let (work, done) = counted(1);
        let event = queue.enqueue(CL_COMMAND_MARKER, work.for_workers().action(), &[]);
        event.unwrap().wait().unwrap();
        done.check();
    }
    finish();
}

/// The leader and who joins it take parts; the last of them ends the command.
pub fn parts_run_once() {
    let queue = queue(0);
    let (work, done) = counted(2);
    let event = queue.enqueue(CL_COMMAND_MARKER, work.for_workers().action(), &[]);
    event.unwrap().wait().unwrap();
    done.check();
    finish();
}

/// The application's thread or a worker runs a small command.
pub fn the_host_helps() {
    let queue = queue(0);
    let (work, done) = counted(1);
    queue
        .enqueue(CL_COMMAND_MARKER, work.small().action(), &[])
        .unwrap();
    queue.finish();
    done.check();
    finish();
}

/// Two threads of the application, each with a queue of its own.
pub fn two_applications() {
    let run = || {
        let queue = queue(0);
        let (work, done) = counted(1);
        queue
            .enqueue(CL_COMMAND_MARKER, work.action(), &[])
            .unwrap();
        queue.finish();
        done.check();
    };
    let other = thread::spawn(run);
    run();
    other.join().unwrap();
    finish();
}
