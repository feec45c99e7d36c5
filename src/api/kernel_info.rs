//! Queries of kernels: clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo, clGetKernelSubGroupInfo.

use super::device::preferred_multiple;
use super::ptr::{Answer, In, Out};
use crate::cl::*;
use crate::compiler::{Access, ParamKind};
use crate::runtime::device::{MAX_DIMENSIONS, MAX_WORK_GROUP_SIZE};
use crate::runtime::{Device, Handle, Kernel, object};

/// clGetKernelInfo.
pub fn get_info(
    kernel: cl_kernel,
    name: cl_kernel_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_KERNEL_FUNCTION_NAME => answer.text(&kernel.code.name),
        CL_KERNEL_NUM_ARGS => answer.value(kernel.code.params.len() as cl_uint),
        CL_KERNEL_REFERENCE_COUNT => answer.value(kernel.reference_count()),
        CL_KERNEL_CONTEXT => answer.value(kernel.program.context.raw()),
        CL_KERNEL_PROGRAM => answer.value(kernel.program.raw()),
        CL_KERNEL_ATTRIBUTES => answer.text(&kernel.code.attributes),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clGetKernelArgInfo. The compiler always keeps what this answers.
pub fn get_arg_info(
    kernel: cl_kernel,
    index: cl_uint,
    name: cl_kernel_arg_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    let param = kernel
        .code
        .params
        .get(index as usize)
        .ok_or(Error::INVALID_ARG_INDEX)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_KERNEL_ARG_ADDRESS_QUALIFIER => answer.value(match param.kind {
            ParamKind::Value | ParamKind::Sampler | ParamKind::Queue => {
                CL_KERNEL_ARG_ADDRESS_PRIVATE
            }
            ParamKind::GlobalPointer | ParamKind::Image { .. } | ParamKind::Pipe { .. } => {
                CL_KERNEL_ARG_ADDRESS_GLOBAL
            }
            ParamKind::ConstantPointer => CL_KERNEL_ARG_ADDRESS_CONSTANT,
            ParamKind::LocalPointer => CL_KERNEL_ARG_ADDRESS_LOCAL,
        }),
        CL_KERNEL_ARG_ACCESS_QUALIFIER => answer.value(match param.kind {
            ParamKind::Image { access, .. } | ParamKind::Pipe { access, .. } => match access {
                Access::ReadOnly => CL_KERNEL_ARG_ACCESS_READ_ONLY,
                Access::WriteOnly => CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
                Access::ReadWrite => CL_KERNEL_ARG_ACCESS_READ_WRITE,
            },
            _ => CL_KERNEL_ARG_ACCESS_NONE,
        }),
        CL_KERNEL_ARG_TYPE_NAME => answer.text(&param.type_name),
        CL_KERNEL_ARG_TYPE_QUALIFIER => {
            let bit = |set: bool, bit: cl_bitfield| if set { bit } else { CL_KERNEL_ARG_TYPE_NONE };
            // cl_kernel_arg_type_qualifier is a cl_bitfield, 8 bytes wide.
            answer.value::<cl_bitfield>(
                bit(param.is_const, CL_KERNEL_ARG_TYPE_CONST)
                    | bit(param.is_restrict, CL_KERNEL_ARG_TYPE_RESTRICT)
                    | bit(param.is_volatile, CL_KERNEL_ARG_TYPE_VOLATILE)
                    | bit(
                        matches!(param.kind, ParamKind::Pipe { .. }),
                        CL_KERNEL_ARG_TYPE_PIPE,
                    ),
            )
        }
        CL_KERNEL_ARG_NAME => answer.text(&param.name),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clGetKernelWorkGroupInfo.
pub fn get_work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_work_group_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    let device = device_of(&kernel, device)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_KERNEL_WORK_GROUP_SIZE => answer.value(MAX_WORK_GROUP_SIZE),
        CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
            answer.value(kernel.code.reqd_work_group_size.unwrap_or([0; 3]))
        }
        CL_KERNEL_LOCAL_MEM_SIZE => answer.value(kernel.local_mem_size() as cl_ulong),
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => answer.value(preferred_multiple(&device)),
        CL_KERNEL_PRIVATE_MEM_SIZE => answer.value(kernel.code.private_mem_size as cl_ulong),
        // What does not fit into registers is on the thread's stack.
        CL_KERNEL_SPILL_MEM_SIZE_INTEL => answer.value::<cl_ulong>(0),
        // CL_KERNEL_GLOBAL_WORK_SIZE, "if the kernel is not a built-in kernel", is CL_INVALID_VALUE as well.
        _ => Err(Error::INVALID_VALUE),
    }
}

/// The `input_value` of a query.
pub struct Input {
    pub size: usize,
    pub value: In<c_void>,
}

impl Input {
    /// As many `size_t` as there are, from `least` to `most`: "if the size in bytes specified by input_value_size is not
    /// valid or if input_value is NULL".
    fn sizes(&self, least: usize, most: usize) -> Result<Vec<usize>> {
        let count = self.size / size_of::<usize>();
        let whole = self.size.is_multiple_of(size_of::<usize>());
        if self.value.is_null() || !whole || !(least..=most).contains(&count) {
            return Err(Error::INVALID_VALUE);
        }
        Ok(self.value.cast::<usize>().list(count))
    }
}

/// clGetKernelSubGroupInfo and clGetKernelSubGroupInfoKHR. All kernels have sub-groups, of one size for all launches.
pub fn get_sub_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_uint,
    input: Input,
    answer: Answer,
) -> Result<()> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    device_of(&kernel, device)?;
    let size = kernel.code.sub_group_size as usize;
    let reqd = kernel.code.reqd_work_group_size;
    match name {
        CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE => {
            input.sizes(1, MAX_DIMENSIONS)?;
            answer.value(size)
        }
        CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => {
            let local = input.sizes(1, MAX_DIMENSIONS)?;
            let items = local.iter().try_fold(1usize, |all, &n| all.checked_mul(n));
            let items = items.filter(|&items| items > 0);
            answer.value(items.ok_or(Error::INVALID_VALUE)?.div_ceil(size))
        }
        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => {
            let count = input.sizes(1, 1)?[0];
            // "Other dimensions inferred from the value specified for param_value_size will be filled with the value 1."
            let dimensions = (answer.room / size_of::<usize>()).clamp(1, MAX_DIMENSIONS);
            let items = count.saturating_mul(size);
            let mut local = [1; MAX_DIMENSIONS];
            local[0] = items;
            let fits = (1..=MAX_WORK_GROUP_SIZE).contains(&items);
            // "If no work-group size can accommodate the requested number of sub-groups, 0 will be returned".
            if !fits || reqd.is_some_and(|reqd| reqd != local) {
                local = [0; MAX_DIMENSIONS];
            }
            answer.list(&local[..dimensions])
        }
        CL_KERNEL_MAX_NUM_SUB_GROUPS => answer.value(match reqd {
            Some(reqd) => reqd.iter().product::<usize>().div_ceil(size),
            None => MAX_WORK_GROUP_SIZE.div_ceil(size),
        }),
        // There is no way to require a number of them in OpenCL C.
        CL_KERNEL_COMPILE_NUM_SUB_GROUPS => answer.value(0usize),
        CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL => {
            answer.value(kernel.code.reqd_sub_group_size as usize)
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

/// The device of a query; NULL stands for the only one.
fn device_of(kernel: &Kernel, device: cl_device_id) -> Result<Handle<Device>> {
    let devices = &kernel.program.devices;
    // "if device is NULL but there is more than one device associated with kernel".
    if device.is_null() && devices.len() == 1 {
        return Ok(devices[0].clone());
    }
    let device = object::lookup::<Device>(device)?;
    // "if device is not in the list of devices associated with kernel".
    if kernel.program.has_device(&device) {
        Ok(device)
    } else {
        Err(Error::INVALID_DEVICE)
    }
}
