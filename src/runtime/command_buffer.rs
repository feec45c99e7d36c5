//! Command buffers: lists of commands that are checked once and enqueued as often as wanted (cl_khr_command_buffer).
//!
//! Enqueueing one makes a command of each recorded one, with edges to those that it must wait for, between a node that
//! waits for what the whole waits for and a node that stands for the whole. Source: OpenCL API 5.19 "Command-Buffers".
//!
//! Invariants: sync point `n` is the `n`th recorded command, counted from 1; a command waits for earlier ones only; what
//! is recorded does not change once the buffer has been finalized.

use super::command::Action;
use super::event::Event;
use super::kernel::{BoundArgs, Kernel};
use super::launch::{Extent, NdRange};
use super::object::{Body, Handle};
use super::queue::Queue;
use super::transfer::{Fill, Transfer};
use crate::cl::*;
use parking_lot::Mutex;

pub struct CommandBuffer {
    /// The queue that the commands are recorded for, and by default run on.
    pub queue: Handle<Queue>,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub properties: Vec<cl_properties>,
    recording: Mutex<Recording>,
}

#[derive(Default)]
struct Recording {
    commands: Vec<Recorded>,
    finalized: bool,
    /// The sync point of the last barrier, if any.
    barrier: Option<u32>,
}

struct Recorded {
    kind: cl_command_type,
    work: Work,
    /// Sync points to wait for.
    after: Vec<u32>,
}

/// What a recorded command does, each time anew.
pub enum Work {
    /// Nothing: a barrier, or a command without bytes or work-items.
    Nothing,
    Transfer(Transfer),
    Fill(Fill),
    Launch(Box<Launch>),
}

/// A kernel with its arguments as they were when it was recorded.
pub struct Launch {
    pub kernel: Handle<Kernel>,
    pub args: BoundArgs,
    pub extent: Extent,
}

impl Body for CommandBuffer {
    const INVALID: Error = Error::INVALID_COMMAND_BUFFER_KHR;
    const OUTLIVES_RELEASE: bool = false;
}

impl CommandBuffer {
    pub fn new(queue: Handle<Queue>, properties: Vec<cl_properties>) -> CommandBuffer {
        CommandBuffer {
            queue,
            properties,
            recording: Mutex::default(),
        }
    }

    /// Whether no more commands can be recorded, and it can be enqueued.
    pub fn is_finalized(&self) -> bool {
        self.recording.lock().finalized
    }

    /// clFinalizeCommandBufferKHR. CL_INVALID_OPERATION if it has been finalized already.
    pub fn finalize(&self) -> Result<()> {
        let mut recording = self.recording.lock();
        if std::mem::replace(&mut recording.finalized, true) {
            return Err(Error::INVALID_OPERATION);
        }
        Ok(())
    }

    /// Records a command that waits for some sync points, a barrier with none for all before it; its own sync point.
    /// # Errors
    /// CL_INVALID_OPERATION once it has been finalized; CL_INVALID_SYNC_POINT_WAIT_LIST_KHR for an unknown sync point.
    pub fn record(&self, kind: cl_command_type, work: Work, sync_points: &[u32]) -> Result<u32> {
        let mut recording = self.recording.lock();
        if recording.finalized {
            return Err(Error::INVALID_OPERATION);
        }
        let last = recording.commands.len() as u32;
        if sync_points.iter().any(|&point| point == 0 || point > last) {
            return Err(Error::INVALID_SYNC_POINT_WAIT_LIST_KHR);
        }
        let mut after = sync_points.to_vec();
        let is_barrier = kind == CL_COMMAND_BARRIER;
        if is_barrier && after.is_empty() {
            // Those before the last barrier have ended when it has.
            after.extend(recording.barrier.unwrap_or(1)..=last);
        } else if self.queue.is_out_of_order() {
            after.extend(recording.barrier);
        } else if last > 0 {
            // "If the queue is an in-order queue, then an additional dependency is created on the last command".
            after.push(last);
        }
        after.sort_unstable();
        after.dedup();
        recording.commands.push(Recorded { kind, work, after });
        if is_barrier {
            recording.barrier = Some(last + 1);
        }
        Ok(last + 1)
    }

    /// Enqueues all commands; the event ends when all have ended. `queue` is of the same device and context.
    /// # Errors
    /// CL_INVALID_OPERATION before it has been finalized, and what a launch can fail with.
    pub fn enqueue(
        &self,
        queue: &Handle<Queue>,
        wait_list: &[Handle<Event>],
    ) -> Result<Handle<Event>> {
        let recording = self.recording.lock();
        if !recording.finalized {
            return Err(Error::INVALID_OPERATION);
        }
        // All are made before the first goes off: a launch may fail for lack of memory.
        let actions: Vec<Action> = recording
            .commands
            .iter()
            .map(|command| command.work.action(queue))
            .collect::<Result<_>>()?;
        let first = queue.enqueue(CL_COMMAND_MARKER, Action::Nothing, wait_list)?;
        let mut events: Vec<Handle<Event>> = Vec::with_capacity(actions.len());
        for (command, action) in recording.commands.iter().zip(actions) {
            let waits: Vec<_> = match command.after[..] {
                [] => vec![first.clone()],
                ref points => points
                    .iter()
                    .map(|&point| events[point as usize - 1].clone())
                    .collect(),
            };
            events.push(queue.enqueue(command.kind, action, &waits)?);
        }
        drop(recording);
        events.push(first.clone());
        queue.enqueue(CL_COMMAND_COMMAND_BUFFER_KHR, Action::Span(first), &events)
    }
}

impl Work {
    /// One execution on a queue.
    fn action(&self, queue: &Handle<Queue>) -> Result<Action> {
        Ok(match self {
            Work::Nothing => Action::Nothing,
            Work::Transfer(transfer) => Action::Transfer(transfer.clone()),
            Work::Fill(fill) => Action::Fill(fill.clone()),
            Work::Launch(launch) => Action::NdRange(NdRange::new(
                launch.kernel.code.clone(),
                launch.kernel.cost.clone(),
                launch.args.clone(),
                queue.context.clone(),
                launch.extent,
                queue.device.pool.workers(),
            )?),
        })
    }
}

impl From<Action> for Work {
    /// The work of a command that has been checked and not run. Calls and launches are recorded in other ways.
    fn from(action: Action) -> Work {
        match action {
            Action::Transfer(transfer) => Work::Transfer(transfer),
            Action::Fill(fill) => Work::Fill(fill),
            Action::Nothing | Action::Hold(_) => Work::Nothing,
            Action::Marker | Action::Barrier | Action::Span(_) => Work::Nothing,
            Action::NdRange(_) | Action::Call(_) => unreachable!("these can't be run twice"),
        }
    }
}
