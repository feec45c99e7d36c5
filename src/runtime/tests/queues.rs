//! Order in queues: chains, wait lists, markers, barriers, release with work in flight.

use super::*;
use crate::runtime::object;
use std::sync::atomic::{AtomicU64, Ordering};

/// `*args[0] = *args[0] * 31 + args[1]`, not atomically.
unsafe extern "C" fn step(args: *const u8, _: *const Group) {
    // SAFETY: called by the runtime as the ABI says; commands that depend on each other never run at once.
    unsafe {
        let [cell, value, ..] = words(args);
        let cell = cell as *mut u64;
        *cell = (*cell).wrapping_mul(31).wrapping_add(value);
    }
}

/// Sets the flag `args[0]`, after checking that the flags from `args[1]` on, `args[2]` of them, are set; a flag that
/// is not counts in `args[3]`.
unsafe extern "C" fn flag(args: *const u8, _: *const Group) {
    // SAFETY: called by the runtime as the ABI says; the flags outlive the queue.
    unsafe {
        let [own, first, count, wrong] = words(args);
        for i in 0..count as usize {
            // Relaxed, all: what is tested is that the dependencies order it.
            if (*(first as *const AtomicU64).add(i)).load(Ordering::Relaxed) == 0 {
                (*(wrong as *const AtomicU64)).fetch_add(1, Ordering::Relaxed);
            }
        }
        (*(own as *const AtomicU64)).store(1, Ordering::Relaxed);
    }
}

#[test]
fn in_order_queues_keep_the_order() {
    let queue = queue(0);
    let kernel = kernel(&queue.context, step, Needs::default());
    for count in [1, 2, 17, 3000] {
        let mut cell = 1u64;
        let address = &raw mut cell;
        for k in 0..count {
            enqueue(
                &queue,
                launch(&kernel, [address as u64, k, 0, 0], line(1, 1)).unwrap(),
                &[],
            );
        }
        queue.finish();
        let expected = (0..count).fold(1u64, |cell, k| cell.wrapping_mul(31).wrapping_add(k));
        // SAFETY: the queue has finished.
        assert_eq!(unsafe { address.read_volatile() }, expected);
    }
}

#[test]
fn wait_lists_order_an_unordered_queue_and_several_queues() {
    let context = context();
    let queues = [
        queue_in(&context, UNORDERED),
        queue_in(&context, UNORDERED),
        queue_in(&context, 0),
    ];
    let kernel = kernel(&context, flag, Needs::default());
    let count = 2000;
    let flags: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let wrong = AtomicU64::new(0);
    let mut events: Vec<Handle<Event>> = Vec::new();
    for i in 0..count {
        // Each waits for some before it: those from `first` on.
        let first = i - (i * 7919 % 13).min(i);
        let wait_list = &events[first..i];
        let args = [
            flags[i].as_ptr() as u64,
            (&raw const flags[first]) as u64,
            (i - first) as u64,
            wrong.as_ptr() as u64,
        ];
        let action = launch(&kernel, args, line(1, 1)).unwrap();
        events.push(enqueue(&queues[i * 31 % 3], action, wait_list));
    }
    for queue in &queues {
        queue.finish();
    }
    // Relaxed: ordered by the waits.
    assert_eq!(wrong.load(Ordering::Relaxed), 0);
    assert!(events.iter().all(|event| event.status() == CL_COMPLETE));
}

#[test]
fn markers_and_barriers_wait_for_all_before_them() {
    let queue = queue(UNORDERED);
    let kernel = kernel(&queue.context, flag, Needs::default());
    let wrong = AtomicU64::new(0);
    let count = 400;
    let flags: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let mut behind = 0;
    for i in 0..count {
        if i % 40 == 39 {
            queue
                .enqueue(CL_COMMAND_BARRIER, Action::Barrier, &[])
                .unwrap();
            behind = i;
        }
        // Commands behind a barrier see all that were before it.
        let args = [
            flags[i].as_ptr() as u64,
            flags.as_ptr() as u64,
            behind as u64,
            wrong.as_ptr() as u64,
        ];
        enqueue(&queue, launch(&kernel, args, line(1, 1)).unwrap(), &[]);
        if i % 50 == 49 {
            marker(&queue, &[]).wait().unwrap();
            // Relaxed: ordered by the wait.
            assert!(flags[..=i].iter().all(|f| f.load(Ordering::Relaxed) == 1));
        }
    }
    queue.finish();
    // Relaxed: ordered by the wait.
    assert_eq!(wrong.load(Ordering::Relaxed), 0);
}

#[test]
fn a_barrier_with_a_list_waits_for_the_list_and_holds_up_the_rest() {
    let queue = queue(UNORDERED);
    let gate = Object::<Event>::user(queue.context.clone());
    let other = Object::<Event>::user(queue.context.clone());
    let held = marker(&queue, std::slice::from_ref(&other));
    let wait_list = [gate.clone()];
    let barrier = queue
        .enqueue(CL_COMMAND_BARRIER, Action::Barrier, &wait_list)
        .unwrap();
    let behind = queue
        .enqueue(CL_COMMAND_MARKER, Action::Nothing, &[])
        .unwrap();
    assert_eq!(behind.status(), CL_SUBMITTED as cl_int);
    gate.set_user_status(CL_COMPLETE).unwrap();
    assert_eq!(barrier.status(), CL_COMPLETE);
    assert_eq!(behind.status(), CL_COMPLETE);
    assert_eq!(held.status(), CL_SUBMITTED as cl_int);
    other.set_user_status(CL_COMPLETE).unwrap();
    queue.finish();
    assert_eq!(held.status(), CL_COMPLETE);
}

#[test]
fn an_error_ends_what_waits_for_it_and_not_what_only_comes_after() {
    let queue = queue(0);
    let user = Object::<Event>::user(queue.context.clone());
    let kernel = kernel(&queue.context, step, Needs::default());
    let mut cell = 0u64;
    let mut action = || launch(&kernel, [(&raw mut cell) as u64, 1, 0, 0], line(1, 1)).unwrap();
    let failing = enqueue(&queue, action(), std::slice::from_ref(&user));
    let waiting = enqueue(&queue, action(), std::slice::from_ref(&failing));
    let after = enqueue(&queue, action(), &[]);
    user.set_user_status(-77).unwrap();
    let error = Error::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    assert_eq!(user.status(), -77);
    assert_eq!(failing.wait(), Err(error));
    assert_eq!(waiting.wait(), Err(error));
    assert_eq!(after.wait(), Ok(()));
    // An event that has failed already does the same.
    let late = enqueue(&queue, action(), std::slice::from_ref(&user));
    assert_eq!(late.wait(), Err(error));
    assert_eq!(cell, 1);
}

#[test]
fn a_queue_can_be_released_with_work_in_flight() {
    let context = context();
    let kernel = kernel(&context, step, Needs::default());
    for properties in [0, UNORDERED] {
        let mut cell = 0u64;
        let queue = queue_in(&context, properties);
        let weak = Arc::downgrade(&queue);
        let user = Object::<Event>::user(context.clone());
        let mut last = user.clone();
        for _ in 0..100 {
            let action = launch(&kernel, [(&raw mut cell) as u64, 1, 0, 0], line(1, 1)).unwrap();
            last = enqueue(&queue, action, &[last]);
        }
        let raw = queue.raw();
        drop(queue);
        assert!(object::release::<Queue>(raw).unwrap());
        user.set_user_status(CL_COMPLETE).unwrap();
        last.wait().unwrap();
        drop(last);
        eventually("the end of the queue", || weak.strong_count() == 0);
    }
}
