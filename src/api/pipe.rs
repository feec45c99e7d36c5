//! Entry points of pipes.

use super::ptr::{Answer, In, Out};
use crate::cl::*;
use crate::compiler::abi::MAX_PACKET;
use crate::runtime::pipe::Pipe;
use crate::runtime::{Context, Memory, Object, object};

/// clCreatePipe.
pub fn create(
    context: cl_context,
    flags: cl_mem_flags,
    packet_size: cl_uint,
    max_packets: cl_uint,
    properties: In<cl_pipe_properties>,
) -> Result<cl_mem> {
    let context = object::lookup::<Context>(context)?;
    // "Only CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS can be specified"; "Currently, in all OpenCL versions,
    // properties must be NULL".
    let default = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    if flags & !default != 0 || !properties.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // "if pipe_packet_size is 0 or the pipe_packet_size exceeds CL_DEVICE_PIPE_MAX_PACKET_SIZE", "if pipe_max_packets
    // is 0".
    if packet_size == 0 || packet_size > MAX_PACKET || max_packets == 0 {
        return Err(Error::INVALID_PIPE_SIZE);
    }
    // "If the value specified for flags is 0, the default is used".
    let flags = if flags == 0 {
        default
    } else {
        flags | CL_MEM_READ_WRITE
    };
    let pipe = Pipe {
        packet_size,
        max_packets,
    };
    Ok(Object::new(pipe.create(context, flags)?).raw())
}

/// clGetPipeInfo.
pub fn get_info(
    pipe: cl_mem,
    name: cl_uint,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let memory = object::lookup::<Memory>(pipe)?;
    // "if pipe is not a valid pipe object".
    let pipe = memory.pipe.ok_or(Error::INVALID_MEM_OBJECT)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_PIPE_PACKET_SIZE => answer.value(pipe.packet_size),
        CL_PIPE_MAX_PACKETS => answer.value(pipe.max_packets),
        CL_PIPE_PROPERTIES => answer.list::<cl_pipe_properties>(&[]),
        _ => Err(Error::INVALID_VALUE),
    }
}
