//! Queries of programs: clGetProgramInfo, clGetProgramBuildInfo.

use super::ptr::{Answer, Out};
use crate::cl::*;
use crate::runtime::{Device, Program, object};

/// clGetProgramInfo.
pub fn get_info(
    program: cl_program,
    name: cl_program_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let program = object::lookup::<Program>(program)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_PROGRAM_REFERENCE_COUNT => answer.value(program.reference_count()),
        CL_PROGRAM_CONTEXT => answer.value(program.context.raw()),
        CL_PROGRAM_NUM_DEVICES => answer.value(program.devices.len() as cl_uint),
        CL_PROGRAM_DEVICES => {
            let list: Vec<_> = program.devices.iter().map(|device| device.raw()).collect();
            answer.list(&list)
        }
        CL_PROGRAM_SOURCE => answer.text(&program.source),
        // "the memory pointed to by param_value will be unchanged and param_value_size_ret will be set to 0".
        CL_PROGRAM_IL => answer.list::<u8>(&[]),
        CL_PROGRAM_BINARY_SIZES => {
            answer.list(&vec![program.binary().len(); program.devices.len()])
        }
        CL_PROGRAM_BINARIES => binaries(&program, answer),
        CL_PROGRAM_NUM_KERNELS => answer.value(program.executable()?.named_kernels().count()),
        CL_PROGRAM_KERNEL_NAMES => {
            let code = program.executable()?;
            let names: Vec<&str> = code
                .named_kernels()
                .map(|kernel| kernel.name.as_str())
                .collect();
            answer.text(&names.join(";"))
        }
        CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => {
            program.executable()?;
            answer.flag(false)
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

/// CL_PROGRAM_BINARIES: `value` points to pointers, one a device, each to room for that device's binary or null.
fn binaries(program: &Program, answer: Answer) -> Result<()> {
    let count = program.devices.len();
    let size = count * size_of::<*mut u8>();
    if !answer.value.is_null() {
        if answer.room < size {
            return Err(Error::INVALID_VALUE);
        }
        let binary = program.binary();
        for target in answer.value.cast::<Out<u8>>().list(count) {
            target.put_list(binary.iter().copied(), binary.len());
        }
    }
    answer.size_ret.put(size);
    Ok(())
}

/// clGetProgramBuildInfo.
pub fn get_build_info(
    program: cl_program,
    device: cl_device_id,
    name: cl_program_build_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let program = object::lookup::<Program>(program)?;
    let device = object::lookup::<Device>(device)?;
    // "if device is not in the list of devices associated with program".
    if !program.has_device(&device) {
        return Err(Error::INVALID_DEVICE);
    }
    let answer = Answer::new(room, value, size_ret);
    let state = program.build_state();
    match name {
        CL_PROGRAM_BUILD_STATUS => answer.value(state.status),
        CL_PROGRAM_BUILD_OPTIONS => answer.text(&state.options),
        CL_PROGRAM_BUILD_LOG => answer.text(&state.log),
        CL_PROGRAM_BINARY_TYPE => answer.value(state.binary_type),
        CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => {
            let executable = state.executable.as_ref();
            answer.value::<usize>(executable.map_or(0, |program| program.variables_size()))
        }
        _ => Err(Error::INVALID_VALUE),
    }
}
