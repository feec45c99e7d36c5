//! Kernels that kernels enqueue (OpenCL C 3.0, 6.15.18).
//!
//! What a work-item enqueues is noted with the launch that it belongs to, its [`Family`], and goes to the device's queue when
//! that launch has run: no flag asks for more than to wait, and nothing may rely on it beginning earlier. The command that
//! the application sees ends when the launch and all its children, and theirs, have ended.
//!
//! An event of the device is a node that ends with its command; its handle is what a `clk_event_t` holds. It is made when
//! the command is enqueued, and gets the command as its dependency when that begins to exist.
//! Invariant: a child's parent holds its program, and hands on the memory objects that a child may reach by address.

use super::command::{Action, Call};
use super::device::{LOCAL_MEM_SIZE, MAX_WORK_GROUP_SIZE};
use super::event::{Event, Ready};
use super::kernel::BoundArgs;
use super::launch::{Extent, NdRange};
use super::local_size;
use super::object::{self, Handle, Object};
use super::pool;
use super::program::Program;
use super::queue::Queue;
use super::transfer::Held;
use crate::cl::*;
use crate::compiler;
use crate::compiler::DeviceOp;
use crate::compiler::abi::DeviceRange;
use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;
use once_cell::sync::Lazy;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

/// CLK_SUCCESS and CLK_ENQUEUE_FAILURE, which stands for all reasons ("If the -g compile option is specified [...] may be
/// returned instead").
const SUCCESS: i32 = 0;
const FAILURE: i32 = -101;

/// A launch that may enqueue others.
pub struct Family {
    program: Handle<Program>,
    /// The queue that runs it.
    queue: Handle<Queue>,
    children: Mutex<Vec<Child>>,
    /// Ends when all children have.
    join: Handle<Event>,
}

struct Child {
    queue: Handle<Queue>,
    code: Arc<compiler::Kernel>,
    args: BoundArgs,
    extent: Extent,
    waits: Vec<Handle<Event>>,
    /// The event of the device, if it has one.
    event: Option<Handle<Event>>,
}

/// What is to be told of a command when it has ended, by its event's handle: where to, and the times once they are known.
#[derive(Default)]
struct Telling {
    places: Vec<usize>,
    times: Option<[u64; 2]>,
}

static TELLING: Lazy<Mutex<HashMap<usize, Telling>>> = Lazy::new(Mutex::default);

/// The lock of what is to be told.
pub(super) fn lock() -> &'static dyn HeldOverFork {
    &*TELLING
}

/// Enqueues a launch of a program's kernel that may enqueue others; the event ends when all of them have ended.
pub fn enqueue(
    queue: &Handle<Queue>,
    kind: cl_command_type,
    mut range: Box<NdRange>,
    program: &Handle<Program>,
    waits: &[Handle<Event>],
) -> Result<Handle<Event>> {
    let join = Object::<Event>::gate();
    range.found(Family {
        program: program.clone(),
        queue: queue.clone(),
        children: Mutex::default(),
        join: join.clone(),
    });
    let own = queue.enqueue(kind, Action::NdRange(range), waits)?;
    queue.enqueue(kind, Action::Family(own.clone()), &[own, join])
}

impl Family {
    /// The launch has run, or never will: its children come into the world. `held` is what it kept alive.
    pub(super) fn release(self, held: &Held) {
        let mut ready = Ready::new();
        for mut child in self.children.into_inner() {
            child.args.memories = held.clone();
            let event = child.event.take();
            match child.start(&self.program, event.as_ref()) {
                Ok(last) => {
                    last.add_dependant(&self.join, true);
                    if let Some(event) = &event {
                        last.add_dependant(event, true);
                    }
                }
                Err(_) => {
                    self.join.poison();
                    if let Some(event) = &event {
                        event.poison();
                    }
                }
            }
            if let Some(event) = event {
                event.release_guard(&mut ready);
            }
        }
        self.join.release_guard(&mut ready);
        pool::push_all(ready);
    }
}

impl Child {
    /// The command that ends last.
    fn start(
        self,
        program: &Handle<Program>,
        event: Option<&Handle<Event>>,
    ) -> Result<Handle<Event>> {
        let Child {
            queue,
            code,
            args,
            extent,
            waits,
            ..
        } = self;
        let cost = program.cost_of_block(&code.name);
        let context = queue.context.clone();
        let workers = queue.device.pool.workers();
        let range = NdRange::new(code, cost, args, context, extent, workers)?;
        let kind = CL_COMMAND_NDRANGE_KERNEL;
        let last = enqueue(&queue, kind, range, program, &waits)?;
        // Nobody flushes a queue of the device.
        queue.flush();
        let Some(event) = event.filter(|_| queue.is_profiled()) else {
            return Ok(last);
        };
        let (handle, command) = (event.raw() as usize, last.clone());
        let tell = Action::Call(Call::new(move || {
            tell(handle, &command);
            Ok(())
        }));
        queue.enqueue(CL_COMMAND_MARKER, tell, &[last])
    }
}

/// The command behind an event has ended: its times go to whoever asked.
fn tell(handle: usize, command: &Event) {
    let time = |name| command.profiling(name).unwrap_or(0);
    let start = time(CL_PROFILING_COMMAND_START);
    let since = |name| time(name).saturating_sub(start);
    let times = [
        since(CL_PROFILING_COMMAND_END),
        since(CL_PROFILING_COMMAND_COMPLETE),
    ];
    let mut all = TELLING.lock();
    // Events that are gone are asked about no more.
    all.retain(|&known, _| {
        known == handle || object::lookup::<Event>(known as *mut c_void).is_ok()
    });
    let telling = all.entry(handle).or_default();
    telling.times = Some(times);
    for place in std::mem::take(&mut telling.places) {
        put_times(place, times);
    }
}

fn put_times(place: usize, times: [u64; 2]) {
    // SAFETY: "value is a pointer to two 64-bit values" in global memory, which the kernel promises.
    unsafe { (place as *mut [u64; 2]).write_unaligned(times) }
}

/// `abi::DeviceFn`, for a launch.
///
/// # Safety
/// The arguments are as `DeviceOp` says.
pub(super) unsafe fn call(range: &NdRange, op: DeviceOp, args: &[u64]) -> u64 {
    let event = |n: usize| object::lookup::<Event>(args[n] as *mut c_void);
    match op {
        // SAFETY: the caller's.
        DeviceOp::EnqueueKernel => u64::from(unsafe { enqueue_kernel(range, args) } as u32),
        // SAFETY: the caller's.
        DeviceOp::EnqueueMarker => u64::from(unsafe { enqueue_marker(range, args) } as u32),
        DeviceOp::DefaultQueue => range
            .family()
            .and_then(|family| family.queue.context.default_queue(&family.queue.device))
            .map_or(0, |queue| queue.raw() as u64),
        DeviceOp::RetainEvent => {
            let _ = object::retain::<Event>(args[0] as *mut c_void);
            0
        }
        DeviceOp::ReleaseEvent => {
            let _ = object::release::<Event>(args[0] as *mut c_void);
            0
        }
        DeviceOp::CreateUserEvent => {
            let event = Object::<Event>::user(range.context().clone());
            event.publish() as u64
        }
        DeviceOp::IsValidEvent => u64::from(event(0).is_ok()),
        DeviceOp::SetUserEventStatus => {
            if let Ok(event) = event(0) {
                let _ = event.set_user_status(args[1] as i32);
            }
            0
        }
        DeviceOp::CaptureProfilingInfo => {
            let place = args[2] as usize;
            if event(0).is_ok() && place != 0 {
                let mut all = TELLING.lock();
                let telling = all.entry(args[0] as usize).or_default();
                match telling.times {
                    Some(times) => put_times(place, times),
                    None => telling.places.push(place),
                }
            }
            0
        }
        DeviceOp::WorkGroupSize => MAX_WORK_GROUP_SIZE as u64,
        DeviceOp::PreferredWorkGroupSizeMultiple => range.family().map_or(1, |family| {
            (family.queue.device.machine.vector_bytes / 4) as u64
        }),
        // SAFETY: the caller's.
        DeviceOp::MaxSubGroupSize => {
            unsafe { find(range, args[0]) }.map_or(0, |code| code.sub_group_size.into())
        }
        DeviceOp::SubGroupCount => {
            // SAFETY: the caller's.
            let (code, space) = unsafe { (find(range, args[0]), *(args[1] as *const DeviceRange)) };
            let items: u64 = space.local.iter().product();
            code.map_or(0, |code| items.div_ceil(code.sub_group_size.max(1).into()))
        }
    }
}

/// The kernel of that name in the launch's program.
///
/// # Safety
/// There is a string.
unsafe fn find(range: &NdRange, name: u64) -> Option<Arc<compiler::Kernel>> {
    let program = range.family()?.program.executable().ok()?;
    // SAFETY: the caller's.
    let name = unsafe { CStr::from_ptr(name as *const c_char) };
    let mut kernels = program.kernels.iter();
    kernels
        .find(|kernel| kernel.name.as_bytes() == name.to_bytes())
        .cloned()
}

/// The events of a list.
///
/// # Safety
/// The address is null or leads to so many.
unsafe fn events(count: u64, address: u64) -> Option<Vec<Handle<Event>>> {
    let count = count as u32 as usize;
    // "if event_wait_list is NULL and num_events_in_wait_list > 0, or if event_wait_list is not NULL and
    // num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events".
    if (count == 0) != (address == 0) {
        return None;
    }
    let list = address as *const *mut c_void;
    (0..count)
        // SAFETY: the caller's.
        .map(|n| object::lookup::<Event>(unsafe { list.add(n).read_unaligned() }).ok())
        .collect()
}

/// A device queue of the launch's context and device.
fn queue(range: &NdRange, handle: u64) -> Option<Handle<Queue>> {
    let queue = object::lookup::<Queue>(handle as *mut c_void).ok()?;
    let family = range.family()?;
    let fits = queue.is_on_device()
        && queue.context.raw() == family.queue.context.raw()
        && queue.device.raw() == family.queue.device.raw();
    fits.then_some(queue)
}

/// A new event of the device, given to the kernel where it wants one.
///
/// # Safety
/// The address is null or leads to room for one.
unsafe fn new_event(address: u64) -> Option<Handle<Event>> {
    if address == 0 {
        return None;
    }
    let event = Object::<Event>::gate();
    // SAFETY: the caller's.
    unsafe { (address as *mut u64).write_unaligned(event.publish() as u64) };
    Some(event)
}

/// # Safety
/// As [`call`].
unsafe fn enqueue_kernel(range: &NdRange, args: &[u64]) -> i32 {
    let [handle, _, space, count, list, event, name, record, size, ..] = *args else {
        return FAILURE;
    };
    // SAFETY: the caller's, each.
    let (code, waits, space) = unsafe {
        let space = *(space as *const DeviceRange);
        (find(range, name), events(count, list), space)
    };
    let (Some(family), Some(queue), Some(code), Some(waits)) =
        (range.family(), queue(range, handle), code, waits)
    else {
        return FAILURE;
    };
    // SAFETY: the caller's: the record has so many bytes.
    let bytes = unsafe {
        match size {
            0 => &[][..],
            _ => std::slice::from_raw_parts(record as *const u8, size as usize),
        }
    };
    // SAFETY: the caller's: images that a kernel has are arguments of launches above it, and held.
    let args = unsafe { BoundArgs::of_block(&code, bytes, &args[9..]) };
    let (Some(extent), Some(args)) = (extent(&space, &queue), args) else {
        return FAILURE;
    };
    if args.local_size > LOCAL_MEM_SIZE {
        return FAILURE;
    }
    // SAFETY: the caller's.
    let event = unsafe { new_event(event) };
    family.children.lock().push(Child {
        queue,
        code,
        args,
        extent,
        waits,
        event,
    });
    SUCCESS
}

/// # Safety
/// As [`call`].
unsafe fn enqueue_marker(range: &NdRange, args: &[u64]) -> i32 {
    let [handle, count, list, event] = *args else {
        return FAILURE;
    };
    // SAFETY: the caller's.
    let Some(waits) = queue(range, handle).and_then(|_| unsafe { events(count, list) }) else {
        return FAILURE;
    };
    // "event_ret must not be NULL as otherwise this is a no-op."
    // SAFETY: the caller's.
    if let Some(event) = unsafe { new_event(event) } {
        for other in waits {
            other.add_dependant(&event, true);
        }
        let mut ready = Ready::new();
        event.release_guard(&mut ready);
        pool::push_all(ready);
    }
    SUCCESS
}

/// The index space; none for one that can't be.
fn extent(space: &DeviceRange, queue: &Queue) -> Option<Extent> {
    let narrow = |sizes: [u64; 3]| sizes.map(|n| n as usize);
    let (offset, global) = (narrow(space.offset), narrow(space.global));
    let items = global
        .iter()
        .try_fold(1usize, |all, &n| all.checked_mul(n))?;
    if !(1..=3).contains(&space.dimensions) || items == 0 {
        return None;
    }
    let local = match space.has_local {
        0 => local_size::choose(
            global,
            false,
            MAX_WORK_GROUP_SIZE,
            queue.device.compute_units,
        ),
        _ => narrow(space.local),
    };
    let group = local
        .iter()
        .try_fold(1usize, |all, &n| all.checked_mul(n))?;
    (group > 0 && group <= MAX_WORK_GROUP_SIZE).then_some(Extent {
        dimensions: space.dimensions,
        offset,
        global,
        local,
    })
}
