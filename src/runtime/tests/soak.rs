//! Many threads, many queues, every kind of command at once; results are checked.

use super::*;
use crate::runtime::command::Call;
use crate::runtime::transfer::{Fill, Held, Transfer};
use std::sync::atomic::{AtomicU64, Ordering};

/// Adds `args[1]` to each of the words of the group's items in `args[0]`.
unsafe extern "C" fn add_to_all(args: *const u8, group: *const Group) {
    // SAFETY: called by the runtime as the ABI says; each item has a word of its own.
    unsafe {
        let [base, value, ..] = words(args);
        let group = &*group;
        let first = group.group_id[0] * (*group.launch).local_size[0];
        for i in first..first + group.local_size[0] {
            *(base as *mut u64).add(i as usize) += value;
        }
    }
}

/// A cheap generator of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn mixed_work_of_many_threads_comes_out_right() {
    let context = context();
    let calls = Arc::new(AtomicU64::new(0));
    let threads = 6;
    let rounds = 400;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (context, calls) = (&context, &calls);
            scope.spawn(move || {
                let properties = if thread % 2 == 0 { 0 } else { UNORDERED };
                let queue = queue_in(context, properties);
                let kernel = kernel(context, add_to_all, Needs::default());
                let mut dice = Dice(thread + 1);
                let length = 5000usize;
                let mut data = vec![0u64; length];
                let mut copy = vec![0u64; length];
                let (data_at, copy_at) = (data.as_mut_ptr(), copy.as_mut_ptr());
                let mut expected = 0u64;
                let mut last = marker(&queue, &[]);
                for _ in 0..rounds {
                    let value = dice.below(1000);
                    let local = 1 + dice.below(300) as usize;
                    let action = match dice.below(6) {
                        0..3 => {
                            expected += value;
                            let args = [data_at as u64, value, 0, 0];
                            launch(&kernel, args, line(length, local)).unwrap()
                        }
                        3 => {
                            expected = value;
                            let pattern = value.to_ne_bytes();
                            // SAFETY: the vector lives until the queue has finished.
                            Action::Fill(unsafe {
                                Fill::new(data_at.cast(), length * 8, &pattern, Held::new())
                            })
                        }
                        4 => {
                            // SAFETY: both vectors live until the queue has finished.
                            Action::Transfer(unsafe {
                                Transfer::linear(
                                    data_at.cast(),
                                    copy_at.cast(),
                                    length * 8,
                                    Held::new(),
                                )
                            })
                        }
                        _ => {
                            let calls = calls.clone();
                            // Relaxed: read after all queues have finished.
                            Action::Call(Call::new(move || {
                                calls.fetch_add(1, Ordering::Relaxed);
                                Ok(())
                            }))
                        }
                    };
                    last = enqueue(&queue, action, &[last]);
                    match dice.below(40) {
                        0 => queue.finish(),
                        1 => queue.flush(),
                        2 => last.wait().unwrap(),
                        3 => eventually("a polled command", || last.poll() == CL_COMPLETE),
                        _ => {}
                    }
                }
                queue.finish();
                assert!(data.iter().all(|&word| word == expected));
            });
        }
    });
    // Relaxed: all queues have finished.
    assert!(calls.load(Ordering::Relaxed) > 0);
}

#[test]
fn one_queue_takes_commands_from_many_threads() {
    for properties in [0, UNORDERED] {
        let queue = queue(properties);
        let counter = Arc::new(AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..1000 {
                        let counter = counter.clone();
                        let work = move || {
                            // Relaxed: read after the queue has finished.
                            counter.fetch_add(1, Ordering::Relaxed);
                            Ok(())
                        };
                        enqueue(&queue, Action::Call(Call::new(work)), &[]);
                        if i % 100 == 0 {
                            queue.finish();
                        }
                    }
                });
            }
        });
        queue.finish();
        // Relaxed: as above.
        assert_eq!(counter.load(Ordering::Relaxed), 4000);
    }
}

#[test]
fn a_call_that_fails_or_panics_fails_its_event() {
    let queue = queue(0);
    let failing = Action::Call(Call::new(|| Err(Error::INVALID_VALUE)));
    assert_eq!(
        enqueue(&queue, failing, &[]).wait(),
        Err(Error::INVALID_VALUE)
    );
    let panicking = Action::Call(Call::new(|| {
        std::panic::resume_unwind(Box::new("on purpose"))
    }));
    assert_eq!(
        enqueue(&queue, panicking, &[]).wait(),
        Err(Error::OUT_OF_RESOURCES)
    );
    let good = Action::Call(Call::new(|| Ok(())));
    assert_eq!(enqueue(&queue, good, &[]).wait(), Ok(()));
}
