//! The platform: there is one, and it has one device, the CPU. Both live as long as the process.

use super::device::Device;
use super::object::{self, Body, Handle, Object};
use super::{callback, children, device_pool, hooks, watchdog};
use crate::cl::Error;
use crate::compiler;
use crate::observe::trace;
use crate::reserve;
use crate::sync::fork::{self, HeldOverFork};
use once_cell::sync::Lazy;

/// The platform has no state of its own.
pub struct Platform;

impl Body for Platform {
    const INVALID: Error = Error::INVALID_PLATFORM;
    const OUTLIVES_RELEASE: bool = true;
}

/// The only platform.
pub fn platform() -> &'static Handle<Platform> {
    static PLATFORM: Lazy<Handle<Platform>> = Lazy::new(|| {
        fork::hold_over(process_locks());
        Object::new(Platform)
    });
    &PLATFORM
}

/// The locks that belong to no object, in the order in which they may be taken.
fn process_locks() -> impl Iterator<Item = &'static dyn HeldOverFork> {
    let single = [
        device_pool::lock(),
        callback::lock(),
        children::lock(),
        hooks::lock(),
        watchdog::lock(),
        compiler::debuggers_lock(),
        compiler::timings_lock(),
        trace::lock(),
        reserve::lock(),
    ];
    object::locks().chain(single)
}

/// The platform's only device.
pub fn device() -> &'static Handle<Device> {
    static DEVICE: Lazy<Handle<Device>> = Lazy::new(|| Object::new(Device::host()));
    &DEVICE
}
