//! What the log and the timeline get to know of commands.
//!
//! Invariant: where neither is wanted, a command costs one look at each.

use super::command::Action;
use super::event::Event;
use super::queue::Queue;
use crate::cl::*;
use crate::observe::log::{self, Level};
use crate::observe::trace;
use std::ops::Range;

/// Whether somebody wants to know when commands begin and end.
pub(super) fn is_wanted() -> bool {
    trace::is_on() || log::wants(Level::Debug)
}

/// A command has been carried out or given up, with this status, and is not seen as ended yet. Times are in nanoseconds: when it was enqueued,
/// began and ended.
pub(super) fn command(
    event: &Event,
    queue: &Queue,
    action: &Action,
    status: cl_int,
    times: [u64; 3],
) {
    if !is_wanted() {
        return;
    }
    let kind = command_name(event.command_type());
    let [queued, start, end] = times;
    trace::beside(
        "command",
        &format!("queue {}", queue.serial()),
        action.kernel_name().unwrap_or(kind),
        [start, end],
        |args| {
            args.text("command", kind)
                .text("status", status)
                .number("queued_ns_before", start.saturating_sub(queued));
            if let Action::NdRange(range) = action {
                range.describe(|name, value| {
                    args.text(name, value);
                });
            }
        },
    );
    log::event(Level::Debug, "command", |f| {
        f.add("queue", queue.serial()).add("command", kind);
        if let Action::NdRange(range) = action {
            f.add("kernel", range.kernel_name());
            range.describe(|name, value| {
                f.add(name, value);
            });
        }
        f.add("status", status)
            .add_ms("waited_ms", start.saturating_sub(queued))
            .add_ms("ran_ms", end.saturating_sub(start));
    });
}

/// A thread runs some parts of a command until the answer is dropped.
pub(super) fn chunk<'a>(action: &'a Action, parts: &Range<u64>) -> Option<trace::Span<'a>> {
    let mut span = trace::span("chunk", action.kernel_name().unwrap_or(action.kind_name()))?;
    span.args()
        .number("first", parts.start)
        .number("parts", parts.end - parts.start);
    Some(span)
}

/// CL_EVENT_COMMAND_TYPE without its CL_COMMAND_.
fn command_name(kind: cl_command_type) -> &'static str {
    match kind {
        CL_COMMAND_NDRANGE_KERNEL => "NDRANGE_KERNEL",
        CL_COMMAND_TASK => "TASK",
        CL_COMMAND_NATIVE_KERNEL => "NATIVE_KERNEL",
        CL_COMMAND_READ_BUFFER => "READ_BUFFER",
        CL_COMMAND_WRITE_BUFFER => "WRITE_BUFFER",
        CL_COMMAND_COPY_BUFFER => "COPY_BUFFER",
        CL_COMMAND_READ_BUFFER_RECT => "READ_BUFFER_RECT",
        CL_COMMAND_WRITE_BUFFER_RECT => "WRITE_BUFFER_RECT",
        CL_COMMAND_COPY_BUFFER_RECT => "COPY_BUFFER_RECT",
        CL_COMMAND_FILL_BUFFER => "FILL_BUFFER",
        CL_COMMAND_READ_IMAGE => "READ_IMAGE",
        CL_COMMAND_WRITE_IMAGE => "WRITE_IMAGE",
        CL_COMMAND_COPY_IMAGE => "COPY_IMAGE",
        CL_COMMAND_COPY_IMAGE_TO_BUFFER => "COPY_IMAGE_TO_BUFFER",
        CL_COMMAND_COPY_BUFFER_TO_IMAGE => "COPY_BUFFER_TO_IMAGE",
        CL_COMMAND_FILL_IMAGE => "FILL_IMAGE",
        CL_COMMAND_MAP_BUFFER => "MAP_BUFFER",
        CL_COMMAND_MAP_IMAGE => "MAP_IMAGE",
        CL_COMMAND_UNMAP_MEM_OBJECT => "UNMAP_MEM_OBJECT",
        CL_COMMAND_MIGRATE_MEM_OBJECTS => "MIGRATE_MEM_OBJECTS",
        CL_COMMAND_MARKER => "MARKER",
        CL_COMMAND_BARRIER => "BARRIER",
        CL_COMMAND_SVM_FREE => "SVM_FREE",
        CL_COMMAND_SVM_MEMCPY => "SVM_MEMCPY",
        CL_COMMAND_SVM_MEMFILL => "SVM_MEMFILL",
        CL_COMMAND_SVM_MAP => "SVM_MAP",
        CL_COMMAND_SVM_UNMAP => "SVM_UNMAP",
        CL_COMMAND_SVM_MIGRATE_MEM => "SVM_MIGRATE_MEM",
        CL_COMMAND_MEMCPY_INTEL => "MEMCPY_INTEL",
        CL_COMMAND_MEMFILL_INTEL => "MEMFILL_INTEL",
        CL_COMMAND_MIGRATEMEM_INTEL => "MIGRATEMEM_INTEL",
        CL_COMMAND_MEMADVISE_INTEL => "MEMADVISE_INTEL",
        CL_COMMAND_SEMAPHORE_WAIT_KHR => "SEMAPHORE_WAIT_KHR",
        CL_COMMAND_SEMAPHORE_SIGNAL_KHR => "SEMAPHORE_SIGNAL_KHR",
        CL_COMMAND_COMMAND_BUFFER_KHR => "COMMAND_BUFFER_KHR",
        _ => "OTHER",
    }
}
