//! Events: user events, callbacks, long chains, profiling, fork.

use super::*;
use crate::runtime::context::Callback;
use crate::runtime::object;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

unsafe extern "C" fn bump(args: *const u8, _: *const Group) {
    // SAFETY: called by the runtime as the ABI says; the counter outlives the command.
    let counter = unsafe { &*(words(args)[0] as *const AtomicU64) };
    // Relaxed: read after the command has ended.
    counter.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_user_event_is_set_once() {
    let queue = queue(0);
    let user = Object::<Event>::user(queue.context.clone());
    assert_eq!(user.status(), CL_SUBMITTED as cl_int);
    assert_eq!(user.set_user_status(1), Err(Error::INVALID_VALUE));
    assert_eq!(user.set_user_status(CL_COMPLETE), Ok(()));
    assert_eq!(user.set_user_status(-1), Err(Error::INVALID_OPERATION));
    assert_eq!(user.status(), CL_COMPLETE);
    assert_eq!(
        marker(&queue, &[]).set_user_status(0),
        Err(Error::INVALID_EVENT)
    );
}

#[test]
fn chains_of_a_million_end_without_recursion() {
    for status in [CL_COMPLETE, -5] {
        let queue = queue(UNORDERED);
        let user = Object::<Event>::user(queue.context.clone());
        let mut last = user.clone();
        for _ in 0..1_000_000 {
            last = marker(&queue, &[last]);
        }
        assert_eq!(last.status(), CL_SUBMITTED as cl_int);
        user.set_user_status(status).unwrap();
        let expected = if status < 0 { -14 } else { 0 };
        assert_eq!(last.status(), expected);
    }
}

#[test]
fn a_user_event_that_nobody_can_set_any_more_fails() {
    let queue = queue(0);
    let user = Object::<Event>::user(queue.context.clone());
    let mut last = marker(&queue, std::slice::from_ref(&user));
    for _ in 0..200_000 {
        last = marker(&queue, &[last]);
    }
    drop(user);
    assert_eq!(
        last.wait(),
        Err(Error::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    );
}

#[test]
fn a_thread_waits_for_a_user_event() {
    let queue = queue(0);
    let user = Object::<Event>::user(queue.context.clone());
    let behind = marker(&queue, std::slice::from_ref(&user));
    std::thread::scope(|scope| {
        let waiters: Vec<_> = (0..4).map(|_| scope.spawn(|| behind.wait())).collect();
        std::thread::sleep(Duration::from_millis(5));
        user.set_user_status(CL_COMPLETE).unwrap();
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap(), Ok(()));
        }
    });
}

/// Counts calls and remembers the last status.
struct Calls {
    count: AtomicU64,
    status: AtomicI32,
}

unsafe extern "C" fn record(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: the tests pass a `Calls` that outlives the event.
    let calls = unsafe { &*data.cast::<Calls>() };
    // SeqCst, both: only the values count here.
    calls.status.store(status, Ordering::SeqCst);
    calls.count.fetch_add(1, Ordering::SeqCst);
}

fn calls() -> &'static Calls {
    Box::leak(Box::new(Calls {
        count: AtomicU64::new(0),
        status: AtomicI32::new(99),
    }))
}

fn callback(calls: &'static Calls) -> Callback<super::super::event::EventFn> {
    Callback {
        function: record,
        user_data: std::ptr::from_ref(calls).cast_mut().cast(),
    }
}

#[test]
fn callbacks_get_their_status() {
    let queue = queue(0);
    let user = Object::<Event>::user(queue.context.clone());
    let command = marker(&queue, std::slice::from_ref(&user));
    let all = [CL_SUBMITTED as cl_int, CL_RUNNING as cl_int, CL_COMPLETE];
    let early = all.map(|kind| {
        let calls = calls();
        command.add_callback(kind, callback(calls));
        (kind, calls)
    });
    user.set_user_status(CL_COMPLETE).unwrap();
    let late = all.map(|kind| {
        let calls = calls();
        command.add_callback(kind, callback(calls));
        (kind, calls)
    });
    for (kind, calls) in early.into_iter().chain(late) {
        eventually("a callback", || calls.count.load(Ordering::SeqCst) == 1);
        assert_eq!(calls.status.load(Ordering::SeqCst), kind);
    }
}

#[test]
fn callbacks_get_the_error() {
    let queue = queue(0);
    let user = Object::<Event>::user(queue.context.clone());
    let command = marker(&queue, std::slice::from_ref(&user));
    let (early, late) = (calls(), calls());
    command.add_callback(CL_COMPLETE, callback(early));
    user.set_user_status(-9).unwrap();
    command.add_callback(CL_RUNNING as cl_int, callback(late));
    for calls in [early, late] {
        eventually("a callback", || calls.count.load(Ordering::SeqCst) == 1);
        assert_eq!(calls.status.load(Ordering::SeqCst), -14);
    }
}

/// What a callback that enqueues more needs.
struct Again {
    queue: Handle<Queue>,
    kernel: Handle<Kernel>,
    counter: AtomicU64,
}

unsafe extern "C" fn enqueue_again(event: cl_event, _: cl_int, data: *mut c_void) {
    // SAFETY: the test passes an `Again` that is never freed.
    let again = unsafe { &*data.cast::<Again>() };
    // The event is still an event, though the test has let it go.
    assert!(object::lookup::<Event>(event.cast()).is_ok());
    // SeqCst: only the value counts here.
    if again.counter.load(Ordering::SeqCst) < 50 {
        let args = [again.counter.as_ptr() as u64, 0, 0, 0];
        let next = enqueue(
            &again.queue,
            launch(&again.kernel, args, line(1, 1)).unwrap(),
            &[],
        );
        let function = enqueue_again;
        next.publish();
        next.add_callback(
            CL_COMPLETE,
            Callback {
                function,
                user_data: data,
            },
        );
        // A blocking call, and on the same queue.
        again.queue.finish();
        object::release::<Event>(next.raw()).unwrap();
    }
}

#[test]
fn callbacks_may_enqueue_and_wait() {
    let queue = queue(0);
    let again: &'static Again = Box::leak(Box::new(Again {
        kernel: kernel(&queue.context, bump, Needs::default()),
        queue,
        counter: AtomicU64::new(0),
    }));
    let first = marker(&again.queue, &[]);
    first.publish();
    let function = enqueue_again;
    let user_data = std::ptr::from_ref(again).cast_mut().cast();
    first.add_callback(
        CL_COMPLETE,
        Callback {
            function,
            user_data,
        },
    );
    object::release::<Event>(first.raw()).unwrap();
    drop(first);
    // SeqCst: only the value counts here.
    eventually("the chain of callbacks", || {
        again.counter.load(Ordering::SeqCst) == 50
    });
}

#[test]
fn profiling_times_are_in_order() {
    let queue = queue(CL_QUEUE_PROFILING_ENABLE);
    let counter = AtomicU64::new(0);
    let kernel = kernel(&queue.context, bump, Needs::default());
    let args = [counter.as_ptr() as u64, 0, 0, 0];
    let event = enqueue(&queue, launch(&kernel, args, line(100, 1)).unwrap(), &[]);
    event.wait().unwrap();
    for event in [event, marker(&queue, &[])] {
        let times = [
            CL_PROFILING_COMMAND_QUEUED,
            CL_PROFILING_COMMAND_SUBMIT,
            CL_PROFILING_COMMAND_START,
            CL_PROFILING_COMMAND_END,
            CL_PROFILING_COMMAND_COMPLETE,
        ]
        .map(|name| event.profiling(name).unwrap());
        assert!(times.is_sorted() && times[0] > 0, "{times:?}");
        assert_eq!(event.profiling(0), Err(Error::INVALID_VALUE));
    }
    let plain = marker(&super::queue(0), &[]);
    let error = plain.profiling(CL_PROFILING_COMMAND_END);
    assert_eq!(error, Err(Error::PROFILING_INFO_NOT_AVAILABLE));
}

#[test]
fn a_forked_child_has_a_pool_of_its_own() {
    let queue = queue(0);
    let kernel = kernel(&queue.context, bump, Needs::default());
    let run = |count: usize| {
        let counter = AtomicU64::new(0);
        for _ in 0..count {
            let args = [counter.as_ptr() as u64, 0, 0, 0];
            enqueue(&queue, launch(&kernel, args, line(1000, 1)).unwrap(), &[]);
        }
        let event = marker(&queue, &[]);
        // Polling needs workers: this thread does nothing.
        eventually("work in the child", || event.poll() == CL_COMPLETE);
        queue.finish();
        // Relaxed: ordered by the wait.
        counter.load(Ordering::Relaxed) == count as u64 * 1000
    };
    assert!(run(20));
    // SAFETY: the child only runs OpenCL work and leaves by _exit.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let good = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(20)));
            libc::_exit(if matches!(good, Ok(true)) { 0 } else { 1 });
        }
        assert!(child > 0);
        let mut status = -1;
        eventually("the child", || {
            libc::waitpid(child, &mut status, libc::WNOHANG) == child
        });
        assert!(
            libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0,
            "{status:#x}"
        );
    }
    assert!(run(20));
}
