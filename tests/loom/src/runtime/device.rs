//! A device is its pool.

use super::device_pool::DevicePool;
use super::object::Body;
use crate::cl::Error;

pub struct Device {
    pub pool: &'static DevicePool,
}

impl Body for Device {
    const INVALID: Error = Error::INVALID_DEVICE;
    const OUTLIVES_RELEASE: bool = true;
}
