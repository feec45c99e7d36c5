//! What the runtime itself costs: launches of a work-group function that does nothing, without the C entry points.
//! `cargo bench --bench pool [-- PART-OF-A-NAME]`. Prints medians of several rounds.

use clotho::cl::*;
use clotho::compiler;
use clotho::compiler::abi::{self, Group};
use clotho::runtime::command::Action;
use clotho::runtime::launch::{Extent, NdRange};
use clotho::runtime::{
    Context, Event, Handle, Kernel, Object, Program, Queue, device_pool, platform,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

unsafe extern "C" fn nothing(_: *const u8, _: *const Group) {}

/// Some 8 microseconds of work.
unsafe extern "C" fn something(_: *const u8, group: *const Group) {
    let mut value = group as u64;
    for _ in 0..15_000 {
        value = std::hint::black_box(value.wrapping_mul(31));
    }
}

fn main() {
    let context = Object::new(Context::new(
        vec![platform::device().clone()],
        Vec::new(),
        None,
    ));
    let queue = |properties| {
        Queue::new(
            context.clone(),
            platform::device().clone(),
            properties,
            Vec::new(),
        )
    };
    let (ordered, unordered) = (queue(0), queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    let empty = kernel(&context, nothing);
    let busy = kernel(&context, something);
    println!("workers: {}", device_pool::root().workers());

    report("enqueue + finish, 1 group", 20_000, || {
        launch(&ordered, &empty, 1);
        ordered.finish();
    });
    report("enqueue + finish, 64 groups", 20_000, || {
        launch(&ordered, &empty, 64);
        ordered.finish();
    });
    report("enqueue + finish, 1 group, unordered", 20_000, || {
        launch(&unordered, &empty, 1);
        unordered.finish();
    });
    report("enqueue + flush + poll, 1 group", 5_000, || {
        let event = launch(&ordered, &empty, 1);
        ordered.flush();
        while event.poll() > 0 {
            std::hint::spin_loop();
        }
    });
    report("enqueue + finish after 1 ms idle", 300, || {
        std::thread::sleep(Duration::from_millis(1));
        launch(&ordered, &empty, 1);
        ordered.finish();
    });
    report("10,000 enqueues + finish, in order", 20, || {
        (0..10_000).for_each(|_| drop(launch(&ordered, &empty, 1)));
        ordered.finish();
    });
    report("10,000 enqueues held up by an event", 20, || {
        let gate = Object::<Event>::user(context.clone());
        let list = [gate.clone()];
        let held = ordered.enqueue(CL_COMMAND_MARKER, Action::Marker, &list);
        (0..10_000).for_each(|_| drop(launch(&ordered, &empty, 1)));
        gate.set_user_status(CL_COMPLETE).expect("set once");
        ordered.finish();
        drop(held);
    });
    report("10,000 enqueues + finish, unordered", 20, || {
        (0..10_000).for_each(|_| drop(launch(&unordered, &empty, 1)));
        unordered.finish();
    });
    report("1,000 groups of some 8 us", 20, || {
        launch(&ordered, &busy, 1000);
        ordered.finish();
    });
    report("1 group of some 8 us", 2000, || {
        launch(&ordered, &busy, 1);
        ordered.finish();
    });
}

/// Runs `work` so often and prints the median and the first decile.
fn report(name: &str, rounds: usize, mut work: impl FnMut()) {
    let wanted = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    if wanted.is_some_and(|part| !name.contains(&part)) {
        return;
    }
    (0..rounds / 10).for_each(|_| work());
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!(
        "{name:40} median {:>10.2?}   10% {:>10.2?}   90% {:>10.2?}",
        times[rounds / 2],
        times[rounds / 10],
        times[rounds * 9 / 10]
    );
}

fn launch(queue: &Handle<Queue>, kernel: &Handle<Kernel>, groups: usize) -> Handle<Event> {
    let extent = Extent {
        dimensions: 1,
        offset: [0; 3],
        global: [groups * 64, 1, 1],
        local: [64, 1, 1],
    };
    let args = kernel.bind().expect("no arguments");
    let (code, cost) = (kernel.code.clone(), kernel.cost.clone());
    let range = NdRange::new(
        code,
        cost,
        args,
        queue.context.clone(),
        extent,
        queue.device.pool.workers(),
    )
    .expect("a small range");
    let enqueued = queue.enqueue(CL_COMMAND_NDRANGE_KERNEL, Action::NdRange(range), &[]);
    enqueued.expect("enqueued")
}

fn kernel(context: &Handle<Context>, entry: abi::GroupFn) -> Handle<Kernel> {
    let program = Object::new(Program::from_source(context.clone(), String::new()));
    let info = compiler::KernelInfo {
        name: "nothing".into(),
        params: Vec::new(),
        args_size: 0,
        attributes: String::new(),
        reqd_work_group_size: None,
        work_group_size_hint: None,
        local_mem_size: 0,
        private_mem_size: 0,
        scratch_per_item: 0,
        scratch_fixed: 0,
        merging: abi::Merging::Never,
        sharing: abi::Sharing::default(),
        streams: abi::Streams::default(),
        tiles: abi::Tiles::default(),
        sized: false,
        in_lanes: false,
        prompt: true,
        deferred: None,
        by_objects: false,
        full_rows: 0,
        sub_group_size: 8,
        reqd_sub_group_size: 0,
    };
    let code = compiler::Code::of_function(entry);
    Kernel::new(program, Arc::new(compiler::Kernel::new(info, code)))
}
