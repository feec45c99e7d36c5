//! Command buffers: lists of commands that are checked once and enqueued as often as wanted (cl_khr_command_buffer).
//!
//! Enqueueing one makes a command of each recorded one, with edges to those that it must wait for, between a node that
//! waits for what the whole waits for and a node that stands for the whole. Source: OpenCL API 5.19 "Command-Buffers".
//!
//! Invariants: sync point `n` is the `n`th recorded command, counted from 1; a command waits for earlier ones only; the
//! list of commands does not change once the buffer has been finalized, and what launches do only by [`CommandBuffer::update`]
//! (cl_khr_command_buffer_mutable_dispatch). What has been enqueued has its own copy of all.

use super::children;
use super::command::Action;
use super::event::Event;
use super::kernel::{Arg, BoundArgs, Kernel};
use super::launch::{Extent, NdRange, Space};
use super::object::{self, Body, Handle, Object};
use super::program::Program;
use super::queue::Queue;
use super::transfer::{Fill, Transfer};
use crate::cl::*;
use crate::sync::Mutex;
use std::sync::{Arc, Weak};

pub struct CommandBuffer {
    /// The queue that the commands are recorded for, and by default run on.
    pub queue: Handle<Queue>,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub properties: Vec<cl_properties>,
    /// CL_COMMAND_BUFFER_FLAGS_KHR.
    pub flags: cl_properties,
    recording: Mutex<Recording>,
}

/// What a mutable handle leads to: a command of a buffer. Its handle ends with the buffer.
pub struct MutableCommand {
    pub buffer: Weak<Object<CommandBuffer>>,
    sync_point: u32,
}

#[derive(Default)]
struct Recording {
    commands: Vec<Recorded>,
    finalized: bool,
    /// The sync point of the last barrier, if any.
    barrier: Option<u32>,
    /// Those that the application knows.
    handles: Vec<Handle<MutableCommand>>,
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

/// A kernel with its arguments as they were when it was recorded, or last updated.
#[derive(Clone)]
pub struct Launch {
    pub kernel: Handle<Kernel>,
    /// One for each parameter.
    pub args: Vec<Arg>,
    /// None as long as they are not all set.
    pub bound: Option<BoundArgs>,
    /// What was asked for, and what that comes to; none when there is no work-item.
    pub space: Space,
    pub extent: Option<Extent>,
    /// CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR.
    pub fields: cl_properties,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub properties: Vec<cl_properties>,
}

impl Body for CommandBuffer {
    const INVALID: Error = Error::INVALID_COMMAND_BUFFER_KHR;
    const OUTLIVES_RELEASE: bool = false;

    /// "freeing the command-buffer will also free this handle".
    fn on_destroy(&self, _handle: usize) {
        for handle in self.recording.lock().handles.drain(..) {
            // It has one reference, which is ours: the application can neither retain nor release it.
            let _ = object::release::<MutableCommand>(handle.raw());
        }
    }
}

impl Body for MutableCommand {
    const INVALID: Error = Error::INVALID_MUTABLE_COMMAND_KHR;
    const OUTLIVES_RELEASE: bool = false;
}

impl CommandBuffer {
    pub fn new(
        queue: Handle<Queue>,
        properties: Vec<cl_properties>,
        flags: cl_properties,
    ) -> CommandBuffer {
        CommandBuffer {
            queue,
            properties,
            flags,
            recording: Mutex::default(),
        }
    }

    /// CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR.
    pub fn asserts(&self) -> cl_properties {
        let mut pairs = self.properties.chunks_exact(2);
        pairs
            .find(|pair| pair[0] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR)
            .map_or(0, |pair| pair[1])
    }

    /// Whether no more commands can be recorded.
    pub fn is_finalized(&self) -> bool {
        self.recording.lock().finalized
    }

    /// Whether it can be enqueued: it is finalized, and all arguments of its launches are set.
    pub fn is_executable(&self) -> bool {
        self.recording.lock().is_executable()
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

    /// The launch behind a sync point as it is now, if there is one.
    pub fn launch(&self, sync_point: u32) -> Option<Launch> {
        let recording = self.recording.lock();
        match &recording.commands.get(sync_point as usize - 1)?.work {
            Work::Launch(launch) => Some(Launch::clone(launch)),
            _ => None,
        }
    }

    /// Later enqueues run these launches instead of those that were there, by sync point.
    pub fn update(&self, launches: impl IntoIterator<Item = (u32, Launch)>) {
        let mut recording = self.recording.lock();
        for (sync_point, launch) in launches {
            recording.commands[sync_point as usize - 1].work = Work::Launch(Box::new(launch));
        }
    }

    /// Enqueues all commands; the event ends when all have ended. `queue` is of the same device and context.
    /// # Errors
    /// CL_INVALID_OPERATION if it is not executable, and what a launch can fail with.
    pub fn enqueue(
        &self,
        queue: &Handle<Queue>,
        wait_list: &[Handle<Event>],
    ) -> Result<Handle<Event>> {
        let recording = self.recording.lock();
        if !recording.is_executable() {
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
            events.push(match (command.work.family(), action) {
                (Some(program), Action::NdRange(range)) => {
                    children::enqueue(queue, command.kind, range, program, &waits)?
                }
                (_, action) => queue.enqueue(command.kind, action, &waits)?,
            });
        }
        drop(recording);
        events.push(first.clone());
        queue.enqueue(CL_COMMAND_COMMAND_BUFFER_KHR, Action::Span(first), &events)
    }
}

impl Recording {
    fn is_executable(&self) -> bool {
        let is_ready = |command: &Recorded| match &command.work {
            Work::Launch(launch) => launch.bound.is_some(),
            _ => true,
        };
        self.finalized && self.commands.iter().all(is_ready)
    }
}

impl MutableCommand {
    /// The handle of a command of `buffer`, for the application.
    pub fn publish(buffer: &Handle<CommandBuffer>, sync_point: u32) -> cl_mutable_command_khr {
        let command = Object::new(MutableCommand {
            buffer: Arc::downgrade(buffer),
            sync_point,
        });
        let raw = command.raw();
        buffer.recording.lock().handles.push(command);
        raw
    }

    /// The command's number in its buffer, counted from 1.
    pub fn sync_point(&self) -> u32 {
        self.sync_point
    }
}

impl Work {
    /// The program of a launch that may enqueue others.
    fn family(&self) -> Option<&Handle<Program>> {
        match self {
            Work::Launch(launch) if launch.kernel.may_enqueue => Some(&launch.kernel.program),
            _ => None,
        }
    }

    /// One execution on a queue.
    fn action(&self, queue: &Handle<Queue>) -> Result<Action> {
        Ok(match self {
            Work::Nothing => Action::Nothing,
            Work::Transfer(transfer) => Action::Transfer(transfer.clone()),
            Work::Fill(fill) => Action::Fill(fill.clone()),
            Work::Launch(launch) => {
                let args = launch.bound.clone().ok_or(Error::INVALID_OPERATION)?;
                let Some(extent) = launch.extent else {
                    return Ok(Action::Nothing);
                };
                Action::NdRange(NdRange::new(
                    launch.kernel.code.clone(),
                    launch.kernel.cost.clone(),
                    args,
                    queue.context.clone(),
                    extent,
                    queue.device.pool.workers(),
                )?)
            }
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
            Action::Marker | Action::Barrier => Work::Nothing,
            Action::Span(_) | Action::Family(_) => Work::Nothing,
            Action::NdRange(_) | Action::Call(_) => unreachable!("these can't be run twice"),
        }
    }
}
