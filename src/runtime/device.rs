//! Devices: this machine's CPUs, as far as this process may use them, and sub-devices, which are some of these.

use super::affinity;
use super::device_pool::{self, DevicePool};
use super::machine::Machine;
use super::object::{Body, Handle, Object};
use super::partition::Division;
use crate::cl::{Error, cl_device_partition_property};
use crate::observe::log::{self, Level};
use std::sync::Arc;

/// CL_DEVICE_MAX_WORK_GROUP_SIZE, and the limit in each dimension.
pub const MAX_WORK_GROUP_SIZE: usize = 4096;

/// CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS.
pub const MAX_DIMENSIONS: usize = 3;

/// CL_DEVICE_LOCAL_MEM_SIZE in bytes.
pub const LOCAL_MEM_SIZE: usize = 256 << 10;

/// CL_DEVICE_MAX_PARAMETER_SIZE in bytes.
pub const MAX_PARAMETER_SIZE: usize = 4096;

/// What does not change while the device lives.
pub struct Device {
    pub machine: Arc<Machine>,
    /// The CPUs, by the system's numbers: of the root device those that the process may use (affinity and cgroup
    /// quota).
    pub cpus: Vec<usize>,
    /// CL_DEVICE_MAX_COMPUTE_UNITS: as many as there are CPUs.
    pub compute_units: usize,
    /// Bytes of memory that the process may use (machine and cgroup).
    pub global_mem_size: u64,
    /// Bytes of the largest buffer.
    pub max_alloc_size: u64,
    /// The device that this one is a part of; none for the root device.
    pub parent: Option<Handle<Device>>,
    /// CL_DEVICE_PARTITION_TYPE: how the parent was divided, the terminating 0 included; empty for the root device.
    pub partition_type: Vec<cl_device_partition_property>,
    /// The threads that run its commands.
    pub pool: &'static DevicePool,
}

impl Body for Device {
    const INVALID: Error = Error::INVALID_DEVICE;
    const OUTLIVES_RELEASE: bool = true;

    fn on_destroy(&self, _handle: usize) {
        if self.parent.is_some() {
            self.pool.leave();
        }
    }
}

impl Device {
    /// Looks at the machine.
    pub fn host() -> Device {
        let machine = Arc::new(Machine::probe());
        let cpus = affinity::usable_list();
        let global_mem_size = machine.memory;
        // One buffer may take all of it.
        let max_alloc_size = global_mem_size & !4095;
        log::event(Level::Info, "device", |f| {
            f.add("version", env!("CARGO_PKG_VERSION"))
                .add("cpu", &machine.cpu_name)
                .add("cpus", cpus.len())
                .add("vector_bits", 8 * machine.vector_bytes)
                .add("memory_bytes", global_mem_size);
        });
        Device {
            machine,
            compute_units: cpus.len(),
            cpus,
            global_mem_size,
            max_alloc_size,
            parent: None,
            partition_type: Vec::new(),
            pool: device_pool::root(),
        }
    }

    /// Whether it is a part of another device.
    pub fn is_sub_device(&self) -> bool {
        self.parent.is_some()
    }
}

impl Object<Device> {
    /// clCreateSubDevices: the parts of a division, each with one reference.
    pub fn sub_devices(self: &Arc<Self>, division: Division) -> Vec<Handle<Device>> {
        let Division { parts, kind } = division;
        let make = |cpus: Vec<usize>| {
            Object::new(Device {
                machine: self.machine.clone(),
                compute_units: cpus.len(),
                pool: device_pool::of_cpus(&cpus),
                cpus,
                global_mem_size: self.global_mem_size,
                max_alloc_size: self.max_alloc_size,
                parent: Some(self.clone()),
                partition_type: kind.clone(),
            })
        };
        parts.into_iter().map(make).collect()
    }
}
