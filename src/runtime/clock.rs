//! Time: nanoseconds for profiling, and a cheap counter for deciding how to spread work.

/// Nanoseconds since some point in the past; never goes back. CL_PROFILING_COMMAND_* are in this unit.
pub use crate::observe::now as nanoseconds;

/// A counter that runs at 1 to 5 GHz: good for comparing lengths of time, not for telling the time.
#[cfg(target_arch = "x86_64")]
pub fn ticks() -> u64 {
    // SAFETY: every x86-64 CPU has the instruction.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// A counter that runs at 1 to 5 GHz: good for comparing lengths of time, not for telling the time.
#[cfg(not(target_arch = "x86_64"))]
pub fn ticks() -> u64 {
    nanoseconds()
}
