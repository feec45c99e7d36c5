//! What machine code calls back for, and what is said when it goes wrong: printf, divergent barriers, faults.
//!
//! A message goes to the context's callback, to the log, and to standard error if there is no callback. Each launch
//! says one thing once. Sources: OpenCL C 6.15.14 "printf"; `ir/abi.rs` for the hooks.
//!
//! Invariant: a hook runs in the middle of machine code, which may be left at any time: its work is in `guard::hook`.

use super::callback::{self, Due};
use super::children;
use super::context::Context;
use super::guard::{self, Fault, FaultKind};
use super::launch::NdRange;
use super::object::Handle;
use super::printf;
use super::watchdog;
use crate::compiler::DeviceOp;
use crate::compiler::abi::{Group, Launch};
use crate::observe::{
    self,
    log::{self, Level},
};
use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;
use std::collections::HashSet;

/// Bytes of printf output that a launch collects before it writes some of it early.
const PRINT_LIMIT: usize = 1 << 20;

/// Work-items that a message names one by one, at most.
const NAMED_ITEMS: usize = 4;

/// Different messages that go to standard error in one process, at most.
const STDERR_LIMIT: usize = 100;

/// `abi::PrintfFn`.
pub(super) unsafe extern "C" fn print(
    launch: *const Launch,
    format: *const u8,
    args: *const u64,
    count: u32,
) {
    guard::hook(|| {
        // SAFETY: `NdRange::run` put itself there and outlives the work-group.
        let range = unsafe { &*(*launch).user.cast::<NdRange>() };
        let mut text = Vec::new();
        // SAFETY: machine code keeps the contract of `abi::PrintfFn`.
        unsafe { printf::format(format, args, count, &mut text) };
        let full = {
            let mut printed = range.printed.lock();
            printed.extend_from_slice(&text);
            printed.len() > PRINT_LIMIT
        };
        if full {
            range.flush_prints();
        }
    });
}

/// `abi::DivergenceFn`: says so once for each launch.
pub(super) unsafe extern "C" fn diverge(
    group: *const Group,
    line_a: u32,
    line_b: u32,
    region_a: u32,
    region_b: u32,
    next: *const u32,
) {
    guard::hook(|| {
        // SAFETY: machine code passes the group that `NdRange::run` gave it, which points to the launch.
        let (group, range) = unsafe {
            let group = &*group;
            (group, &*(*group.launch).user.cast::<NdRange>())
        };
        if !range.is_first_complaint() {
            return;
        }
        let kernel = range.kernel_name();
        let sizes = group.local_size.map(|n| n as usize);
        // SAFETY: as above: there is a number for each item of the group.
        let next = unsafe { std::slice::from_raw_parts(next, sizes.iter().product()) };
        let [at_a, at_b] = [region_a, region_b].map(|region| items_at(next, sizes, region));
        let [x, y, z] = group.group_id;
        let message = format!(
            "kernel '{kernel}': work-items of group ({x}, {y}, {z}) wait at different barriers: {at_a} in line \
             {line_a}, {at_b} in line {line_b}",
        );
        log::event(Level::Warn, "divergent_barrier", |f| {
            f.add("kernel", kernel)
                .add("group", GroupId(group.group_id))
                .add("line_a", line_a)
                .add("items_a", &at_a)
                .add("line_b", line_b)
                .add("items_b", &at_b);
        });
        tell(range.context(), message);
    });
}

/// `abi::DeviceFn`.
pub(super) unsafe extern "C" fn device(
    launch: *const Launch,
    op: u32,
    args: *const u64,
    count: u32,
) -> u64 {
    guard::hook(|| {
        // SAFETY: as in `print`; machine code passes so many words.
        let (range, args) = unsafe {
            let range = &*(*launch).user.cast::<NdRange>();
            (range, std::slice::from_raw_parts(args, count as usize))
        };
        match DeviceOp::of_number(op) {
            // SAFETY: machine code keeps the contract of `DeviceOp`.
            Some(op) => unsafe { children::call(range, op, args) },
            None => 0,
        }
    })
}

/// Which items of a group of these sizes wait for a region, by their local ids: the first of them, and how many there are.
fn items_at(next: &[u32], [x, y, _]: [usize; 3], region: u32) -> String {
    let waiting = (0..next.len()).filter(|&item| next[item] == region);
    let ids = waiting.clone().take(NAMED_ITEMS);
    let ids = ids.map(|item| format!("({}, {}, {})", item % x, item / x % y, item / (x * y)));
    let ids: Vec<String> = ids.collect();
    let more = match waiting.count() {
        count if count > NAMED_ITEMS => format!("... ({count} items)"),
        _ => String::new(),
    };
    format!("{}{more}", ids.join(" "))
}

/// Machine code was left in a work-group. The command fails.
pub(super) fn fault(range: &NdRange, fault: Fault, id: [u64; 3]) {
    if !range.is_first_complaint() {
        return;
    }
    let what = match fault.kind {
        FaultKind::Memory { address, write } => {
            let access = if write { "wrote to" } else { "read" };
            format!("{access} address {address:#x}, where there is no memory for it (SIGSEGV)")
        }
        FaultKind::Bus { address } => {
            format!("touched memory at {address:#x} that is not there (SIGBUS)")
        }
        FaultKind::Arithmetic => "made an arithmetic fault (SIGFPE)".to_string(),
        FaultKind::Instruction => {
            "came to an instruction that the CPU does not have (SIGILL)".to_string()
        }
        FaultKind::Watchdog => {
            let limit = watchdog::limit().unwrap_or_default();
            format!("did not end within {limit:?} (CLOTHO_WATCHDOG)")
        }
    };
    let kernel = range.kernel_name();
    let line = range.line_at(fault.pc);
    let (first, more) = range.named_groups(id);
    log::event(Level::Error, "fault", |f| {
        f.add("kernel", kernel)
            .add("group", GroupId(first))
            .add("pc", format_args!("{:#x}", fault.pc))
            .add("what", &what);
        if let Some(line) = &line {
            f.add("file", &line.file).add("line", line.line);
        }
    });
    let place = line.map_or_else(String::new, |line| {
        format!(", line {} of {}", line.line, line.file)
    });
    let or_before = match range.defers() {
        true => " or one before it",
        false => "",
    };
    let [x, y, z] = first;
    // Groups that run together.
    let or_up_to = match more {
        [0, 0, 0] => String::new(),
        [a, b, c] => format!(" or one up to ({}, {}, {})", x + a, y + b, z + c),
    };
    let message = format!(
        "kernel '{kernel}'{place}, work-group ({x}, {y}, {z}){or_up_to}{or_before}: it {what}; the command fails",
    );
    tell(range.context(), message);
}

struct GroupId([u64; 3]);

impl std::fmt::Display for GroupId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "{x},{y},{z}")
    }
}

/// What has been said on standard error.
static SAID: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// The lock of what has been said.
pub(super) fn lock() -> &'static dyn HeldOverFork {
    &SAID
}

/// To the application, on the callback thread, where who waits for the command waits for it; to standard error at once
/// if it does not want to know, each message once: the process may end as soon as the command has.
fn tell(context: &Handle<Context>, message: String) {
    if context.notify.is_some() {
        let context = context.clone();
        return callback::run_due(Due::new(), move || context.report(&message));
    }
    let is_new = {
        let mut said = SAID.lock();
        let said = said.get_or_insert_default();
        said.len() < STDERR_LIMIT && said.insert(message.clone())
    };
    if is_new {
        observe::complain(&message);
    }
}

/// Writes through C's buffered stream, so that kernels and the host program come out in the order they ran.
pub(super) fn write_stdout(text: &[u8]) {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    if !text.is_empty() {
        // SAFETY: the C library's own stream, which locks itself.
        unsafe {
            libc::fwrite(text.as_ptr().cast(), 1, text.len(), stdout);
            libc::fflush(stdout);
        }
    }
}
