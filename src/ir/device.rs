//! What a kernel can ask of the runtime while it runs: device-side enqueue (OpenCL C 3.0, 6.15.18).

/// Each takes integers of 32 and 64 bits and pointers, and gives an `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeviceOp {
    /// queue, flags, address of an [`abi::DeviceRange`](super::abi::DeviceRange), number of events, their address, where the new event goes or
    /// null, the kernel's name, address and size of what it captures, the images (their addresses) and samplers among that once more, and
    /// the sizes of its local arguments. The status.
    EnqueueKernel,
    /// queue, number of events, their address, where the new event goes. The status.
    EnqueueMarker,
    /// The queue, or 0.
    DefaultQueue,
    /// Of an event.
    RetainEvent,
    ReleaseEvent,
    /// The event.
    CreateUserEvent,
    /// Of an event; 1 or 0.
    IsValidEvent,
    /// event, status
    SetUserEventStatus,
    /// event, what, address of two 64-bit numbers
    CaptureProfilingInfo,
    /// The kernel's name; what get_kernel_work_group_size and its kin tell of it. The last two also take the address of a
    /// range behind the name.
    WorkGroupSize,
    PreferredWorkGroupSizeMultiple,
    MaxSubGroupSize,
    SubGroupCount,
}

impl DeviceOp {
    /// The operation of a number that machine code passes.
    pub fn of_number(number: u32) -> Option<DeviceOp> {
        DeviceOp::ALL.get(number as usize).copied()
    }
}
