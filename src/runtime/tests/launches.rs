//! NDRanges: every work-item once, with memory of its own, in every shape; failures; progress without help.

use super::*;
use crate::compiler::abi::BASE_ALIGN;
use crate::runtime::device_pool;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counts each work-item in `args[0]`, an array over the global ids, and fills its memory (`args[1]` bytes of scratch
/// for an item, `args[2]` bytes of local memory).
unsafe extern "C" fn count(args: *const u8, group: *const Group) {
    // SAFETY: called by the runtime as the ABI says; the array covers the global size.
    unsafe {
        let [hits, per_item, local, _] = words(args);
        let group = &*group;
        let launch = &*group.launch;
        assert_eq!(group.scratch as usize % BASE_ALIGN, 0);
        assert_eq!(group.local as usize % BASE_ALIGN, 0);
        group
            .scratch
            .write_bytes(0xa5, (per_item * items(group)) as usize);
        group.local.write_bytes(0x5a, local as usize);
        let first: [u64; 3] = std::array::from_fn(|d| group.group_id[d] * launch.local_size[d]);
        for z in first[2]..first[2] + group.local_size[2] {
            for y in first[1]..first[1] + group.local_size[1] {
                for x in first[0]..first[0] + group.local_size[0] {
                    let at = (z * launch.global_size[1] + y) * launch.global_size[0] + x;
                    let hit = &*(hits as *const AtomicU32).add(at as usize);
                    // Relaxed: read after the command has ended.
                    hit.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
}

/// Adds the number of work-items to `args[0]`; spins for `args[1]` ticks.
unsafe extern "C" fn add(args: *const u8, group: *const Group) {
    // SAFETY: called by the runtime as the ABI says; the counter outlives the command.
    unsafe {
        let [sum, ticks, ..] = words(args);
        let start = crate::runtime::clock::ticks();
        while ticks > 0 && crate::runtime::clock::ticks() - start < ticks {
            std::hint::spin_loop();
        }
        // Relaxed: read after the command has ended.
        (*(sum as *const AtomicU64)).fetch_add(items(&*group), Ordering::Relaxed);
    }
}

#[test]
fn every_work_item_runs_once() {
    let queue = queue(0);
    let needs = Needs {
        local: 300,
        scratch_fixed: 64,
        scratch_per_item: 40,
        ..Needs::default()
    };
    let joined = |merging| Needs {
        merging,
        ..Needs::default()
    };
    let all = [needs, joined(Merging::Short), joined(Merging::Rows)];
    let kernels = all.map(|needs| (kernel(&queue.context, count, needs), needs));
    let shapes: [([usize; 3], [usize; 3]); 10] = [
        ([1, 1, 1], [1, 1, 1]),
        ([1000, 1, 1], [1, 1, 1]),
        ([1000, 1, 1], [7, 1, 1]),
        ([1000, 1, 1], [256, 1, 1]),
        ([5, 1, 1], [64, 1, 1]),
        ([31, 17, 1], [8, 4, 1]),
        ([64, 64, 1], [16, 16, 1]),
        ([13, 7, 5], [4, 2, 3]),
        ([1, 1, 100], [1, 1, 9]),
        ([100_003, 1, 1], [16, 1, 1]),
    ];
    for (global, local) in shapes {
        // Several times, because launches are joined by what earlier ones took.
        for (kernel, needs) in kernels.iter().cycle().take(9) {
            let hits: Vec<AtomicU32> = (0..global.iter().product())
                .map(|_| AtomicU32::new(0))
                .collect();
            let extent = Extent {
                dimensions: 3,
                offset: [5, 0, 0],
                global,
                local,
            };
            let (per_item, local_size) = (needs.scratch_per_item as u64, needs.local as u64);
            let args = [hits.as_ptr() as u64, per_item, local_size, 0];
            enqueue(&queue, launch(kernel, args, extent).unwrap(), &[])
                .wait()
                .unwrap();
            // Relaxed: the wait ordered it.
            assert!(
                hits.iter().all(|hit| hit.load(Ordering::Relaxed) == 1),
                "{global:?} {local:?}"
            );
        }
    }
}

#[test]
fn an_empty_range_ends_at_once() {
    let queue = queue(0);
    let kernel = kernel(&queue.context, add, Needs::default());
    let action = launch(&kernel, [0; 4], line(0, 1)).unwrap();
    assert_eq!(enqueue(&queue, action, &[]).status(), CL_COMPLETE);
}

#[test]
fn a_group_that_needs_too_much_memory_fails_when_it_is_enqueued() {
    let queue = queue(0);
    for (scratch_fixed, scratch_per_item) in [(usize::MAX, 1), (0, usize::MAX / 2), (0, 1 << 40)] {
        let needs = Needs {
            local: 0,
            scratch_fixed,
            scratch_per_item,
            ..Needs::default()
        };
        let kernel = kernel(&queue.context, add, needs);
        let error = launch(&kernel, [0; 4], line(64, 64)).err();
        assert_eq!(error, Some(Error::OUT_OF_RESOURCES));
    }
}

#[test]
fn ranges_that_cannot_be_counted_are_refused() {
    let queue = queue(0);
    let kernel = kernel(&queue.context, add, Needs::default());
    let extent = Extent {
        dimensions: 3,
        offset: [0; 3],
        global: [usize::MAX; 3],
        local: [1; 3],
    };
    let error = launch(&kernel, [0; 4], extent).err();
    assert_eq!(error, Some(Error::INVALID_GLOBAL_WORK_SIZE));
}

#[test]
fn commands_run_without_flush_or_wait() {
    let queue = queue(0);
    let kernel = kernel(&queue.context, add, Needs::default());
    let sum = AtomicU64::new(0);
    for round in 1..=20 {
        let action = launch(&kernel, [sum.as_ptr() as u64, 0, 0, 0], line(8, 8)).unwrap();
        let event = enqueue(&queue, action, &[]);
        if round % 2 == 0 {
            eventually("a polled command", || event.poll() == CL_COMPLETE);
        } else {
            // SeqCst: only the value counts here.
            eventually("a command left alone", || {
                sum.load(Ordering::SeqCst) == round * 8
            });
        }
        event.wait().unwrap();
    }
}

#[test]
fn long_launches_use_several_threads() {
    if device_pool::root().workers() < 2 {
        return;
    }
    let queue = queue(0);
    let kernel = kernel(&queue.context, add, Needs::default());
    let sum = AtomicU64::new(0);
    for _ in 0..5 {
        // Relaxed, all: ordered by the waits.
        sum.store(0, Ordering::Relaxed);
        let args = [sum.as_ptr() as u64, 1_000_000, 0, 0];
        enqueue(&queue, launch(&kernel, args, line(64, 1)).unwrap(), &[])
            .wait()
            .unwrap();
        assert_eq!(sum.load(Ordering::Relaxed), 64);
    }
}

#[test]
fn kernels_run_in_the_default_floating_point_mode() {
    #[cfg(target_arch = "x86_64")]
    {
        unsafe extern "C" fn mode(args: *const u8, _: *const Group) {
            // SAFETY: called by the runtime as the ABI says; the word outlives the command.
            unsafe {
                let mut control = 0u32;
                std::arch::asm!("stmxcsr [{}]", in(reg) &mut control, options(nostack));
                // SeqCst: only the value counts here.
                (*(words(args)[0] as *const AtomicU32)).store(control & 0xffc0, Ordering::SeqCst);
            }
        }
        let queue = queue(0);
        let kernel = kernel(&queue.context, mode, Needs::default());
        let seen = AtomicU32::new(0);
        let flush_to_zero = 0x9fc0u32;
        // SAFETY: a valid control word; set back below.
        unsafe {
            std::arch::asm!("ldmxcsr [{}]", in(reg) &flush_to_zero, options(nostack, readonly))
        };
        for _ in 0..10 {
            let action = launch(&kernel, [seen.as_ptr() as u64, 0, 0, 0], line(1, 1)).unwrap();
            enqueue(&queue, action, &[]).wait().unwrap();
            assert_eq!(seen.load(Ordering::SeqCst), 0x1f80);
        }
        let default = 0x1f80u32;
        // SAFETY: the mode that every thread starts with.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &default, options(nostack, readonly)) };
    }
}

#[test]
fn short_launches_that_nobody_names_run_at_once_and_in_order() {
    let queue = queue(0);
    let needs = Needs {
        prompt: true,
        ..Needs::default()
    };
    let kernel = kernel(&queue.context, add, needs);
    let sum = AtomicU64::new(0);
    let args = [&raw const sum as u64, 0, 0, 0];
    // How long it takes is not known at first, and the machine may be busy with other things.
    let is_prompt = || launch(&kernel, args, line(1, 1)).unwrap().is_prompt();
    let begun = Instant::now();
    while !is_prompt() && begun.elapsed() < Duration::from_secs(60) {
        let action = launch(&kernel, args, line(1, 1)).unwrap();
        enqueue(&queue, action, &[]).wait().unwrap();
    }
    // Relaxed, all: ordered by the wait, or made on this thread.
    let before = sum.load(Ordering::Relaxed);
    let mut action = launch(&kernel, args, line(1, 1)).unwrap();
    assert!(action.is_prompt(), "a few instructions are a short launch");
    assert!(queue.run_at_once(&mut action));
    assert_eq!(sum.load(Ordering::Relaxed), before + 1);
    let gate = Object::<Event>::user(queue.context.clone());
    let held = enqueue(&queue, Action::Marker, std::slice::from_ref(&gate));
    let mut action = launch(&kernel, args, line(1, 1)).unwrap();
    assert!(!queue.run_at_once(&mut action), "something is before it");
    assert_eq!(sum.load(Ordering::Relaxed), before + 1);
    gate.set_user_status(CL_COMPLETE).unwrap();
    held.wait().unwrap();
}
