//! Programs: source text, and what building it gave.
//!
//! Invariants: `state` is never held while the compiler runs or while the application is called; while a build is in
//! progress its status is CL_BUILD_IN_PROGRESS and no other build starts.

use super::context::{Callback, Context};
use super::device::Device;
use super::object::{Body, Handle};
use crate::cl::*;
use crate::compiler;
use parking_lot::{Mutex, MutexGuard};
use std::ffi::c_void;
use std::sync::Arc;

/// `pfn_notify` of clBuildProgram, clCompileProgram and clLinkProgram.
pub type NotifyFn = unsafe extern "C" fn(cl_program, *mut c_void);

pub struct Program {
    pub context: Handle<Context>,
    /// The devices that the program is for.
    pub devices: Vec<Handle<Device>>,
    /// The text, or empty when the program was made from a binary or by linking.
    pub source: String,
    state: Mutex<Build>,
}

/// The state of the program's last build.
pub struct Build {
    pub status: cl_build_status,
    pub options: String,
    pub log: String,
    pub binary_type: cl_program_binary_type,
    /// What kernels are made from: there after a build (not a compile) that succeeded.
    pub executable: Option<Arc<compiler::Program>>,
    /// Kernel objects that use the executable (a new build is CL_INVALID_OPERATION meanwhile).
    pub kernels: usize,
    pub notify: Option<Callback<NotifyFn>>,
}

impl Body for Program {
    const INVALID: Error = Error::INVALID_PROGRAM;
    const OUTLIVES_RELEASE: bool = true;
}

impl Program {
    pub fn from_source(context: Handle<Context>, source: String) -> Program {
        let devices = context.devices.clone();
        Program {
            context,
            devices,
            source,
            state: Mutex::new(Build {
                status: CL_BUILD_NONE,
                options: String::new(),
                log: String::new(),
                binary_type: CL_PROGRAM_BINARY_TYPE_NONE as cl_program_binary_type,
                executable: None,
                kernels: 0,
                notify: None,
            }),
        }
    }

    /// The state of the last build. Short use only: no compiler and no callback under this lock.
    pub fn build_state(&self) -> MutexGuard<'_, Build> {
        self.state.lock()
    }
}
