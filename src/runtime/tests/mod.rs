//! Queues, events and pool together, with work-group functions written by hand.

mod events;
mod launches;
mod queues;
mod soak;

use super::command::Action;
use super::context::Context;
use super::event::Event;
use super::kernel::{Arg, Kernel};
use super::launch::{Extent, NdRange};
use super::object::{Handle, Object};
use super::platform;
use super::program::Program;
use super::queue::Queue;
use crate::cl::*;
use crate::compiler::abi::{Group, GroupFn, Merging, Sharing, Streams, Tiles};
use crate::compiler::{self, ParamInfo, ParamKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of the one argument that test kernels take: four addresses or numbers.
const ARGS: usize = 32;

fn context() -> Handle<Context> {
    let devices = vec![platform::device().clone()];
    Object::new(Context::new(devices, Vec::new(), None))
}

fn queue(properties: cl_command_queue_properties) -> Handle<Queue> {
    queue_in(&context(), properties)
}

fn queue_in(context: &Handle<Context>, properties: cl_command_queue_properties) -> Handle<Queue> {
    let device = platform::device().clone();
    Queue::new(context.clone(), device, properties, Vec::new())
}

const UNORDERED: cl_command_queue_properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// Memory that a test kernel asks for, in bytes.
#[derive(Clone, Copy, Default)]
struct Needs {
    local: usize,
    scratch_fixed: usize,
    scratch_per_item: usize,
    merging: Merging,
    prompt: bool,
}

fn kernel(context: &Handle<Context>, entry: GroupFn, needs: Needs) -> Handle<Kernel> {
    let program = Object::new(Program::from_source(context.clone(), String::new()));
    let param = ParamInfo {
        name: "args".into(),
        type_name: "struct args".into(),
        kind: ParamKind::Value,
        is_const: false,
        is_restrict: false,
        is_volatile: false,
        offset: 0,
        size: ARGS,
    };
    let info = compiler::KernelInfo {
        name: "test".into(),
        params: vec![param],
        args_size: ARGS,
        attributes: String::new(),
        reqd_work_group_size: None,
        work_group_size_hint: None,
        local_mem_size: needs.local,
        private_mem_size: 0,
        scratch_per_item: needs.scratch_per_item,
        scratch_fixed: needs.scratch_fixed,
        merging: needs.merging,
        sharing: Sharing::default(),
        streams: Streams::default(),
        sized: false,
        in_lanes: false,
        tiles: Tiles::default(),
        prompt: needs.prompt,
        deferred: None,
        by_objects: false,
        full_rows: 0,
        sub_group_size: 8,
        reqd_sub_group_size: 0,
    };
    let code = compiler::Code::of_function(entry);
    Kernel::new(program, Arc::new(compiler::Kernel::new(info, code)))
}

fn line(items: usize, local: usize) -> Extent {
    Extent {
        dimensions: 1,
        offset: [0; 3],
        global: [items, 1, 1],
        local: [local, 1, 1],
    }
}

fn launch(kernel: &Handle<Kernel>, args: [u64; 4], extent: Extent) -> Result<Action> {
    let bytes: Vec<u8> = args.iter().flat_map(|word| word.to_ne_bytes()).collect();
    kernel.set_arg(0, Arg::Value(bytes.into()));
    let (code, cost) = (kernel.code.clone(), kernel.cost.clone());
    let context = kernel.program.context.clone();
    let workers = platform::device().pool.workers();
    NdRange::new(code, cost, kernel.bind()?, context, extent, workers).map(Action::NdRange)
}

fn enqueue(queue: &Handle<Queue>, action: Action, wait_list: &[Handle<Event>]) -> Handle<Event> {
    queue
        .enqueue(CL_COMMAND_NDRANGE_KERNEL, action, wait_list)
        .unwrap()
}

fn marker(queue: &Handle<Queue>, wait_list: &[Handle<Event>]) -> Handle<Event> {
    queue
        .enqueue(CL_COMMAND_MARKER, Action::Marker, wait_list)
        .unwrap()
}

/// # Safety
/// `args` is an argument block of [`ARGS`] bytes.
unsafe fn words(args: *const u8) -> [u64; 4] {
    // SAFETY: the caller's promise; blocks are aligned.
    unsafe { *args.cast::<[u64; 4]>() }
}

/// Work-items of a group.
fn items(group: &Group) -> u64 {
    group.local_size.iter().product()
}

/// Polls until `done`; panics after some seconds.
fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{what} takes too long"
        );
        std::thread::sleep(Duration::from_micros(200));
    }
}
