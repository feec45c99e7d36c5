//! The platform: there is one, and it has one device, the CPU. Both live as long as the process.

use super::device::Device;
use super::object::{Body, Handle, Object};
use crate::cl::Error;
use once_cell::sync::Lazy;

/// The platform has no state of its own.
pub struct Platform;

impl Body for Platform {
    const INVALID: Error = Error::INVALID_PLATFORM;
    const OUTLIVES_RELEASE: bool = true;
}

/// The only platform.
pub fn platform() -> &'static Handle<Platform> {
    static PLATFORM: Lazy<Handle<Platform>> = Lazy::new(|| Object::new(Platform));
    &PLATFORM
}

/// The platform's only device.
pub fn device() -> &'static Handle<Device> {
    static DEVICE: Lazy<Handle<Device>> = Lazy::new(|| Object::new(Device::host()));
    &DEVICE
}
