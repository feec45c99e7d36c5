//! A pool of worker threads, and how application threads lend a hand. (Which device has which pool: device_pool.rs.)
//!
//! One worker for each CPU of the device, made when there is work for it. Ready commands and commands that
//! can use more threads stand on one board, under one lock. A worker that finds nothing spins for some microseconds,
//! then sleeps. An application thread that waits for an event runs commands of the same queue
//! meanwhile, unless the pool is a sub-device's. Progress
//! never depends on it: what is enqueued runs as soon as a worker is awake, at the latest after some [`VIGIL`]s.
//!
//! When to wake a worker (a system call of some microseconds): never while another one searches or is on its way up,
//! because that one finds the work, and wakes the next if there is more. A small command that has not been flushed
//! wakes nobody as long as one sleeper keeps the vigil, that is, sleeps with a time limit: the application is likely
//! to wait for the command at once, and then runs it itself.
//!
//! Invariants: the board's lock is held for some tens of nanoseconds, and nothing is called from under it. `rising`,
//! `spinning` and `soon` count workers that will look at the board again before they sleep. A thread that goes to
//! sleep has looked at the board under the same lock that puts it on the idle list. After a fork the child has a pool
//! of its own.

use super::affinity;
use super::arena;
use super::board::{Board, Sleeper, Task, Watch, may_help};
use super::clock;
use super::event::{Event, Ready};
use super::execute;
use super::faults::HandlerStack;
use super::object::Handle;
use super::thread::spawn_quiet;
use crate::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use crate::sync::{Mutex, futex};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// Ticks (some 40 microseconds) that a worker or a waiting thread spins before it sleeps.
const SPIN_TICKS: u64 = 100_000;

/// How long the worker sleeps that looks after commands which nobody flushes.
const VIGIL: Duration = Duration::from_millis(1);

/// After so many commands of a chain, a worker looks whether others wait.
const CHAIN: u32 = 16;

/// Puts ready commands on the boards of their devices.
pub(super) fn push_all(ready: Ready) {
    for event in ready {
        push(event);
    }
}

fn push(event: Handle<Event>) {
    let pool = event.device_pool().get();
    let wake = {
        let mut board = pool.board.lock();
        let lazy = pool.put(&mut board, event);
        if lazy && board.vigil {
            Wake::None
        } else {
            pool.pick(&mut board)
        }
    };
    pool.wake(wake);
}

/// Whether this thread is one of the pool's.
pub(super) fn is_worker() -> bool {
    WORKER.get()
}

/// Waits until the event has ended. The calling thread takes part in the work of the event's queue.
pub(super) fn wait(event: &Handle<Event>) {
    let pool = event.device_pool().get();
    let mut spun_since = clock::ticks();
    while !event.is_done() {
        let (task, wake, seen) = {
            let mut board = pool.board.lock();
            board.hurry();
            let task = board.find_for(event, pool.workers);
            pool.count(&board);
            let wake = if board.leaves_to(event) {
                Wake::None
            } else {
                pool.pick_if_work(&mut board)
            };
            (task, wake, pool.ticket())
        };
        pool.wake(wake);
        if let Some(task) = task {
            pool.help(task, event);
            spun_since = clock::ticks();
            continue;
        }
        while !event.is_done() && pool.ticket() == seen {
            if pool.workers == 1 || clock::ticks().wrapping_sub(spun_since) > SPIN_TICKS {
                event.park();
                break;
            }
            pause();
        }
    }
    // Nobody may have been woken for what is left.
    // Relaxed: what this thread left there is seen.
    if pool.ready_count.load(Ordering::Relaxed) > 0 {
        pool.flush();
    }
}

/// Asks other workers to join a command that this thread runs.
pub(super) fn share(event: &Handle<Event>) {
    let pool = event.device_pool().get();
    if event.crew().participants() as usize >= pool.workers {
        return;
    }
    let wake = {
        let mut board = pool.board.lock();
        board.shared.push(event.clone());
        event.crew().set_on_board(true);
        pool.changed(&board);
        pool.pick(&mut board)
    };
    pool.wake(wake);
}

/// Takes a command off the board if it is there. After that nobody joins it.
pub(super) fn unshare(event: &Handle<Event>) {
    if !event.crew().is_on_board() {
        return;
    }
    let taken = {
        let mut board = event.device_pool().get().board.lock();
        let at = board
            .shared
            .iter()
            .position(|other| Arc::ptr_eq(other, event));
        let taken = at.map(|at| board.shared.swap_remove(at));
        event.crew().set_on_board(false);
        taken
    };
    drop(taken);
}

thread_local! {
    static WORKER: Cell<bool> = const { Cell::new(false) };
}

pub(super) struct Pool {
    /// The process it belongs to, see [`fork`](super::fork).
    generation: u32,
    workers: usize,
    /// The CPUs that the workers stay on.
    cpus: Option<&'static [usize]>,
    board: Mutex<Board>,
    /// Changes whenever there is something new on the board.
    ticket: AtomicU32,
    /// Commands on the board, for a look without the lock.
    ready_count: AtomicUsize,
}

/// A worker to get up, decided under the lock and done outside.
enum Wake {
    None,
    Sleeper(&'static Sleeper),
    New,
}

fn pause() {
    for _ in 0..8 {
        std::hint::spin_loop();
    }
}

/// Why a worker does not sleep any more.
enum Woken {
    /// It has found a task.
    Task(Task),
    /// Somebody has woken it, and counted it in.
    Called,
    /// The pool is closed.
    Dismissed,
}

impl Pool {
    pub(super) fn new(generation: u32, workers: usize, cpus: Option<&'static [usize]>) -> Pool {
        Pool {
            generation,
            workers,
            cpus,
            board: Mutex::default(),
            ticket: AtomicU32::new(0),
            ready_count: AtomicUsize::new(0),
        }
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation
    }

    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    /// There will be no more work: the workers end when they have nothing to do.
    pub(super) fn close(&self) {
        let idle = {
            let mut board = self.board.lock();
            board.closed = true;
            let idle = std::mem::take(&mut board.idle);
            board.rising += idle.len();
            for sleeper in &idle {
                sleeper.get_up(&mut board);
            }
            idle
        };
        for sleeper in idle {
            futex::wake(&sleeper.asleep, 1);
        }
    }

    /// There may be work again.
    pub(super) fn open(&self) {
        self.board.lock().closed = false;
    }

    /// Makes sure that what is on the board will run without anybody's help.
    pub(super) fn flush(&'static self) {
        // SeqCst: see `Pool::put`.
        if self.ready_count.load(Ordering::SeqCst) == 0 {
            return;
        }
        let wake = {
            let mut board = self.board.lock();
            if board.hurry() {
                self.changed(&board);
            }
            self.pick_if_work(&mut board)
        };
        self.wake(wake);
    }

    /// Whether this pool's workers are to run the command.
    fn runs(&self, event: &Handle<Event>) -> bool {
        std::ptr::eq(event.device_pool().get(), self)
    }

    fn ticket(&self) -> u32 {
        // Relaxed: a hint to look at the board; the lock orders what is found there.
        self.ticket.load(Ordering::Relaxed)
    }

    fn changed(&self, board: &Board) {
        // Relaxed: as in `ticket`.
        self.ticket.fetch_add(1, Ordering::Relaxed);
        self.count(board);
    }

    fn count(&self, board: &Board) {
        // Relaxed: a hint.
        let count = board.ready.len() + board.lazy.len();
        self.ready_count.store(count, Ordering::Relaxed);
    }

    /// Puts a command on the board. Whether it lies with the lazy ones.
    fn put(&self, board: &mut Board, event: Handle<Event>) -> bool {
        board.pushes = board.pushes.wrapping_add(1);
        let lazy = event.is_unflushed() && {
            // SeqCst: a flush of the queue sets its number and then looks at the count, while we set the count and
            // then look at the number. So either it is seen here, or the flush will see that there is something.
            let count = board.ready.len() + board.lazy.len() + 1;
            self.ready_count.store(count, Ordering::SeqCst);
            event.is_unflushed()
        };
        if lazy {
            board.lazy.push_back(event);
        } else {
            board.ready.push_back(event);
        }
        self.changed(board);
        lazy
    }

    /// A worker to wake for something on the board, unless one is on its way.
    fn pick(&self, board: &mut Board) -> Wake {
        let work = board.ready.len() + board.lazy.len().min(1) + board.shared.len();
        if board.rising + board.spinning + board.soon >= work {
            return Wake::None;
        }
        if let Some(sleeper) = board.idle.pop() {
            board.rising += 1;
            sleeper.get_up(board);
            return Wake::Sleeper(sleeper);
        }
        if board.spawned < self.workers {
            board.spawned += 1;
            board.rising += 1;
            return Wake::New;
        }
        Wake::None
    }

    fn pick_if_work(&self, board: &mut Board) -> Wake {
        let work = !board.ready.is_empty() || board.joinable(self.workers).is_some();
        if work { self.pick(board) } else { Wake::None }
    }

    fn wake(&'static self, wake: Wake) {
        match wake {
            Wake::None => {}
            Wake::Sleeper(sleeper) => futex::wake(&sleeper.asleep, 1),
            Wake::New => {
                if !spawn_quiet("clotho-worker", move || arena::with_own(|| self.work())) {
                    self.manage_without();
                }
            }
        }
    }

    /// A worker could not be made. If there is none at all, the calling thread does the work.
    fn manage_without(&'static self) {
        let alone = {
            let mut board = self.board.lock();
            board.spawned -= 1;
            board.rising -= 1;
            board.spawned == 0
        };
        if !alone {
            return;
        }
        loop {
            let task = {
                let mut board = self.board.lock();
                let lazy = std::mem::take(&mut board.lazy);
                board.ready.extend(lazy);
                board.find(self.workers)
            };
            let Some(task) = task else { break };
            let mut ready = Ready::new();
            task.run(&mut ready);
            let (own, foreign): (Ready, Ready) = ready.into_iter().partition(|e| self.runs(e));
            push_all(foreign);
            let mut board = self.board.lock();
            for event in own {
                self.put(&mut board, event);
            }
        }
    }

    /// Runs a task and the commands of the same queue that it makes ready, until `event` has ended.
    fn help(&'static self, task: Task, event: &Handle<Event>) {
        let mut ready = Ready::new();
        task.run(&mut ready);
        while let Some(next) = ready.pop() {
            let mine = ready.is_empty() && !event.is_done() && may_help(&next, event);
            if mine {
                execute::run(next, &mut ready);
            } else {
                push(next);
            }
        }
    }

    /// A worker's life.
    fn work(&'static self) {
        WORKER.set(true);
        if let Some(cpus) = self.cpus {
            affinity::stay_on(cpus);
        }
        let _stack = HandlerStack::new();
        // Those who wake a worker may touch its bed after it has gone, so that beds are kept for others.
        let spare = self.board.lock().spare.pop();
        let sleeper: &'static Sleeper =
            spare.unwrap_or_else(|| Box::leak(Box::new(Sleeper::default())));
        let mut seen_pushes = 0;
        let mut rising = true;
        let mut soon = false;
        loop {
            let task = match self.search(rising, soon) {
                Some(task) => task,
                None => match self.sleep(sleeper, &mut seen_pushes) {
                    Woken::Task(task) => task,
                    Woken::Called => {
                        (rising, soon) = (true, false);
                        continue;
                    }
                    Woken::Dismissed => return,
                },
            };
            rising = false;
            soon = task.is_small();
            let mut ready = Ready::new();
            task.run(&mut ready);
            self.follow(ready, &mut soon);
        }
    }

    /// Runs a chain of commands, each of which made the next one ready. `soon` says whether this worker counts as one
    /// that runs small commands.
    fn follow(&'static self, mut ready: Ready, soon: &mut bool) {
        let mut length = 0;
        while !ready.is_empty() {
            let next = ready.remove(0);
            push_all(std::mem::take(&mut ready));
            length += 1;
            // Relaxed: a hint.
            let others_wait = length % CHAIN == 0 && self.ready_count.load(Ordering::Relaxed) > 0;
            if others_wait || next.is_unflushed() || !self.runs(&next) {
                push(next);
                return;
            }
            if *soon && !next.is_small() {
                *soon = false;
                let wake = {
                    let mut board = self.board.lock();
                    board.soon -= 1;
                    self.pick_if_work(&mut board)
                };
                self.wake(wake);
            }
            execute::run(next, &mut ready);
        }
    }

    /// Looks for a task, spinning for a while. `rising` and `soon` say as what this worker counts before the call;
    /// afterwards it counts as `soon` if it has got a small task.
    fn search(&'static self, mut rising: bool, mut soon: bool) -> Option<Task> {
        let start = clock::ticks();
        let mut spinning = false;
        loop {
            let (task, wake, seen) = {
                let mut board = self.board.lock();
                board.rising -= usize::from(rising);
                board.soon -= usize::from(soon);
                board.spinning -= usize::from(spinning);
                (rising, soon) = (false, false);
                let task = board.take(self.workers);
                // One CPU is left for the application.
                let awake = board.spawned - board.idle.len();
                spinning = task.is_none()
                    && awake < self.workers
                    && clock::ticks().wrapping_sub(start) < SPIN_TICKS;
                board.spinning += usize::from(spinning);
                self.count(&board);
                let wake = if task.is_some() {
                    self.pick_if_work(&mut board)
                } else {
                    Wake::None
                };
                (task, wake, self.ticket())
            };
            self.wake(wake);
            if !spinning {
                return task;
            }
            while self.ticket() == seen && clock::ticks().wrapping_sub(start) < SPIN_TICKS {
                pause();
            }
        }
    }

    /// Sleeps until somebody wakes this worker, or until it finds a task.
    fn sleep(&'static self, sleeper: &'static Sleeper, seen_pushes: &mut u32) -> Woken {
        {
            let mut board = self.board.lock();
            // Somebody may have put something there after `search` looked.
            let task = board.take(self.workers);
            self.count(&board);
            if let Some(task) = task {
                return Woken::Task(task);
            }
            if board.closed {
                board.spawned -= 1;
                board.spare.push(sleeper);
                return Woken::Dismissed;
            }
            // Relaxed, all in this function: `asleep` and `keeps_vigil` change under the lock.
            sleeper.asleep.store(1, Ordering::Relaxed);
            if !board.vigil && (!board.lazy.is_empty() || board.pushes != *seen_pushes) {
                board.vigil = true;
                sleeper.keeps_vigil.store(1, Ordering::Relaxed);
                *seen_pushes = board.pushes;
            }
            board.idle.push(sleeper);
        }
        let mut watch = Watch::default();
        loop {
            let vigil = sleeper.keeps_vigil.load(Ordering::Relaxed) == 1;
            futex::wait(&sleeper.asleep, 1, vigil.then_some(VIGIL));
            let mut board = self.board.lock();
            if sleeper.asleep.load(Ordering::Relaxed) == 0 {
                return Woken::Called;
            }
            if !vigil {
                continue;
            }
            if watch.is_time(&board) {
                let late: Vec<Handle<Event>> = board.lazy.iter().cloned().collect();
                board.idle.retain(|other| !std::ptr::eq(*other, sleeper));
                board.rising += 1;
                sleeper.get_up(&mut board);
                drop(board);
                for event in late.iter().filter(|event| event.is_unflushed()) {
                    event.mark_flushed();
                }
                self.flush();
                return Woken::Called;
            }
            if board.lazy.is_empty() && board.pushes == *seen_pushes {
                board.vigil = false;
                sleeper.keeps_vigil.store(0, Ordering::Relaxed);
            }
            *seen_pushes = board.pushes;
        }
    }
}
