//! The threads that take part in one command: which parts are taken, who is still there, and whether one failed.
//!
//! Invariants: each part is given out once. A thread that takes part counts as a participant from before it looks at
//! the command's action until it leaves; the last one to leave has the command to itself. Threads join under the lock
//! of the pool's board while the command is listed there, and nobody leaves before it is off the board.

use crate::cl::{Error, cl_int};
use crate::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::ops::Range;

#[derive(Default)]
pub(super) struct Crew {
    participants: AtomicU32,
    /// The first part that no thread has taken.
    next_part: AtomicU64,
    /// The first error of a participant.
    fault: AtomicI32,
    /// Whether the pool's board lists the command for other threads to join. Changes under the board's lock.
    on_board: AtomicBool,
}

impl Crew {
    /// The first participant begins.
    pub fn begin(&self) {
        // Relaxed: nobody else looks at the command yet.
        self.participants.store(1, Ordering::Relaxed);
    }

    /// Takes the next parts out of `total` for a command that `threads` threads share: large runs at first, then
    /// smaller ones down to `least`, so that all end at about the same time.
    pub fn take_parts(&self, total: u64, threads: u64, least: u64) -> Option<Range<u64>> {
        // Relaxed, all: the counter hands out numbers; what the parts read was ordered when the command became ready
        // or when the thread joined it.
        let mut first = self.next_part.load(Ordering::Relaxed);
        loop {
            let left = total.checked_sub(first).filter(|&left| left > 0)?;
            let count = (left / (4 * threads.max(1))).max(least).clamp(1, left);
            match self.next_part.compare_exchange_weak(
                first,
                first + count,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(first..first + count),
                Err(now) => first = now,
            }
        }
    }

    /// Takes up to `count` parts out of `total`.
    pub fn take_some(&self, total: u64, count: u64) -> Option<Range<u64>> {
        // Relaxed: as in `take_parts`. The sum can't wrap: NdRange limits the number of parts.
        let first = self.next_part.load(Ordering::Relaxed);
        let left = total.checked_sub(first).filter(|&left| left > 0)?;
        let first = self.next_part.fetch_add(count.min(left), Ordering::Relaxed);
        (first < total).then(|| first..total.min(first + count.min(left)))
    }

    /// Parts that nobody has taken yet.
    pub fn parts_left(&self, total: u64) -> u64 {
        // Relaxed: advisory.
        total.saturating_sub(self.next_part.load(Ordering::Relaxed))
    }

    /// The command is to fail with `error`; no thread takes more of its parts.
    pub fn fail(&self, error: Error, total: u64) {
        // Relaxed, both: the error is read by the last participant, after it has left.
        let _ = self
            .fault
            .compare_exchange(0, error.code(), Ordering::Relaxed, Ordering::Relaxed);
        self.next_part.fetch_max(total, Ordering::Relaxed);
    }

    /// Threads that take part now.
    pub fn participants(&self) -> u32 {
        // Relaxed: changes under the pool's lock, or only downwards.
        self.participants.load(Ordering::Relaxed)
    }

    /// One more thread takes part. Under the pool's lock, while the command is on its board.
    pub fn join(&self) {
        // Relaxed: the lock orders it before the command leaves the board, and so before the last `leave`.
        self.participants.fetch_add(1, Ordering::Relaxed);
    }

    /// A participant has nothing more to do; true for the last one, who must end the command. The command must not
    /// be on the pool's board any more.
    pub fn leave(&self) -> bool {
        // AcqRel: the last one sees the effects of all parts.
        self.participants.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Whether the pool's board lists it, as far as a participant can tell: once off, it stays off.
    pub fn is_on_board(&self) -> bool {
        // Relaxed: a participant has set it itself or joined under the board's lock after that; who reads a stale
        // `true` looks again under the lock.
        self.on_board.load(Ordering::Relaxed)
    }

    /// Under the board's lock.
    pub fn set_on_board(&self, listed: bool) {
        // Relaxed: see `is_on_board`.
        self.on_board.store(listed, Ordering::Relaxed);
    }

    /// What the participants made of it, after the last has left.
    pub fn outcome(&self) -> cl_int {
        // Relaxed: ordered by `leave`.
        self.fault.load(Ordering::Relaxed)
    }
}
