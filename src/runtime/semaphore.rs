//! Semaphores of type CL_SEMAPHORE_TYPE_BINARY_KHR: a command that waits for one depends on the command that signals it.
//! Source: cl_khr_semaphore (OpenCL API 5.17 "Semaphore Objects").
//!
//! A wait that is enqueued before its signal depends on a *gate*, a node that is given its own dependency when the
//! signal comes. So no thread ever blocks, and what fails before a signal fails what waits for it. Where nobody can
//! signal any more (the semaphore is gone), the gate goes with it, and what waits fails.
//!
//! Invariant: signals and waits are paired in the order in which they are enqueued; there are never signals and waits
//! without a partner at the same time.

use super::context::Context;
use super::device::Device;
use super::event::{Event, Ready};
use super::object::{Body, Handle, Object};
use super::pool;
use crate::cl::{Error, cl_properties};
use crate::sync::Mutex;
use std::collections::VecDeque;

pub struct Semaphore {
    pub context: Handle<Context>,
    /// Whose queues may use it.
    pub devices: Vec<Handle<Device>>,
    /// The property list as given, its terminating 0 included.
    pub properties: Vec<cl_properties>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Signals that have been enqueued, and for which no wait has been.
    signals: VecDeque<Handle<Event>>,
    /// Gates of waits for which no signal has been enqueued.
    gates: VecDeque<Handle<Event>>,
    /// The last signal that was paired, and its wait.
    last: Option<(Handle<Event>, Handle<Event>)>,
}

impl Body for Semaphore {
    const INVALID: Error = Error::INVALID_SEMAPHORE_KHR;
    const OUTLIVES_RELEASE: bool = false;
}

impl Semaphore {
    pub fn new(
        context: Handle<Context>,
        devices: Vec<Handle<Device>>,
        properties: Vec<cl_properties>,
    ) -> Semaphore {
        Semaphore {
            context,
            devices,
            properties,
            state: Mutex::default(),
        }
    }

    /// What a wait command that is about to be enqueued must have in its wait list.
    pub fn take(&self) -> Dependency {
        let mut state = self.state.lock();
        match state.signals.pop_front() {
            Some(signal) => Dependency {
                on: signal.clone(),
                signal: Some(signal),
            },
            None => {
                let gate = Object::<Event>::gate();
                state.gates.push_back(gate.clone());
                Dependency {
                    on: gate,
                    signal: None,
                }
            }
        }
    }

    /// A wait command has been enqueued with its dependency.
    pub fn has_taken(&self, dependency: Dependency, wait: &Handle<Event>) {
        if let Some(signal) = dependency.signal {
            // What was there before is dropped outside the lock.
            let before = self.state.lock().last.replace((signal, wait.clone()));
            drop(before);
        }
    }

    /// A signal command has been enqueued.
    pub fn give(&self, signal: &Handle<Event>) {
        let gate = {
            let mut state = self.state.lock();
            let gate = state.gates.pop_front();
            if gate.is_none() {
                state.signals.push_back(signal.clone());
            }
            gate
        };
        if let Some(gate) = gate {
            signal.add_dependant(&gate, true);
            let mut ready = Ready::new();
            gate.release_guard(&mut ready);
            pool::push_all(ready);
        }
    }

    /// CL_SEMAPHORE_PAYLOAD_KHR: 1 between the end of a signal command and the end of the wait that takes it.
    pub fn payload(&self) -> u64 {
        let state = self.state.lock();
        let signalled = state.signals.front().is_some_and(|signal| signal.is_done());
        let untaken =
            |(signal, wait): &(Handle<Event>, Handle<Event>)| signal.is_done() && !wait.is_done();
        u64::from(signalled || state.last.as_ref().is_some_and(untaken))
    }
}

/// An event that a wait command depends on.
pub struct Dependency {
    /// The signal, or a gate that will depend on it.
    pub on: Handle<Event>,
    signal: Option<Handle<Event>>,
}
