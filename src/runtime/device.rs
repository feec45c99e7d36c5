//! The device: this machine's CPU, as far as this process may use it.

use super::affinity;
use super::machine::Machine;
use super::object::Body;
use crate::cl::Error;

/// CL_DEVICE_MAX_WORK_GROUP_SIZE, and the limit in each dimension.
pub const MAX_WORK_GROUP_SIZE: usize = 4096;

/// CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS.
pub const MAX_DIMENSIONS: usize = 3;

/// CL_DEVICE_LOCAL_MEM_SIZE in bytes.
pub const LOCAL_MEM_SIZE: usize = 256 << 10;

/// CL_DEVICE_MAX_PARAMETER_SIZE in bytes.
pub const MAX_PARAMETER_SIZE: usize = 4096;

/// What does not change while the process runs.
pub struct Device {
    pub machine: Machine,
    /// CPUs that the process may use (affinity and cgroup quota).
    pub compute_units: usize,
    /// Bytes of memory that the process may use (machine and cgroup).
    pub global_mem_size: u64,
    /// Bytes of the largest buffer.
    pub max_alloc_size: u64,
}

impl Body for Device {
    const INVALID: Error = Error::INVALID_DEVICE;
    const OUTLIVES_RELEASE: bool = true;
}

impl Device {
    /// Looks at the machine.
    pub fn host() -> Device {
        let machine = Machine::probe();
        let compute_units = affinity::usable_cpus();
        let global_mem_size = machine.memory;
        // At least "max(min(1 GiB, 1/4 of the global memory), 32 MiB)" is asked for.
        let max_alloc_size = (global_mem_size / 2).max(32 << 20) & !4095;
        Device {
            machine,
            compute_units,
            global_mem_size,
            max_alloc_size,
        }
    }
}
