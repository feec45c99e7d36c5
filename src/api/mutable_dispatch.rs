//! Entry points of cl_khr_command_buffer_mutable_dispatch 0.9: launches in command buffers that change between enqueues.
//! A value is checked as clSetKernelArg and its kin check it, and all of a call before any of it counts.

use super::enqueue_kernel::{self, IndexSpace};
use super::kernel;
use super::ptr::{Answer, In, Out, properties};
use super::svm;
use crate::cl::*;
use crate::runtime::command_buffer::{CommandBuffer, Launch, MutableCommand};
use crate::runtime::kernel::{Arg, BoundArgs};
use crate::runtime::launch::Space;
use crate::runtime::{Handle, Kernel, object};
use std::collections::BTreeMap;

/// CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: all that there is.
pub const FIELDS: cl_properties = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
    | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
    | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
    | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
    | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// cl_mutable_dispatch_config_khr.
#[repr(C)]
#[derive(Clone, Copy)]
struct Config {
    command: cl_mutable_command_khr,
    num_args: cl_uint,
    num_svm_args: cl_uint,
    num_exec_infos: cl_uint,
    dimensions: cl_uint,
    args: In<DispatchArg>,
    svm_args: In<DispatchArg>,
    exec_infos: In<ExecInfo>,
    offset: In<usize>,
    global: In<usize>,
    local: In<usize>,
}

/// cl_mutable_dispatch_arg_khr.
#[repr(C)]
#[derive(Clone, Copy)]
struct DispatchArg {
    index: cl_uint,
    size: usize,
    value: In<c_void>,
}

/// cl_mutable_dispatch_exec_info_khr.
#[repr(C)]
#[derive(Clone, Copy)]
struct ExecInfo {
    name: cl_uint,
    size: usize,
    value: In<c_void>,
}

/// clUpdateMutableCommandsKHR.
pub fn update(
    buffer: cl_command_buffer_khr,
    num_configs: cl_uint,
    types: In<cl_uint>,
    configs: In<In<c_void>>,
) -> Result<()> {
    let buffer = object::lookup::<CommandBuffer>(buffer)?;
    // "if command_buffer has not been finalized", "if command_buffer was not created with the
    // CL_COMMAND_BUFFER_MUTABLE_KHR flag".
    if !buffer.is_finalized() || buffer.flags & CL_COMMAND_BUFFER_MUTABLE_KHR == 0 {
        return Err(Error::INVALID_OPERATION);
    }
    // "if config_types is NULL and num_configs > 0, or config_types is not NULL and num_configs is 0", and so for configs.
    let is_empty = num_configs == 0;
    if types.is_null() != is_empty || configs.is_null() != is_empty {
        return Err(Error::INVALID_VALUE);
    }
    let types = types.list(num_configs as usize);
    let configs = configs.list(num_configs as usize);
    // "if any element of config_types is not a valid cl_command_buffer_update_type_khr enum", "if any element of configs
    // is NULL".
    if types
        .iter()
        .any(|&ty| ty != CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR)
        || configs.iter().any(|config| config.is_null())
    {
        return Err(Error::INVALID_VALUE);
    }
    // "Otherwise, none of the updates to mutable-command objects are preserved".
    let mut launches = BTreeMap::new();
    for config in configs {
        let config = config.cast::<Config>().get().ok_or(Error::INVALID_VALUE)?;
        config.apply(&buffer, &mut launches)?;
    }
    buffer.update(launches);
    Ok(())
}

impl Config {
    fn apply(
        &self,
        buffer: &Handle<CommandBuffer>,
        launches: &mut BTreeMap<cl_uint, Launch>,
    ) -> Result<()> {
        // "if command is not a valid mutable command object returned from clCommandNDRangeKernelKHR, or created from
        // command_buffer".
        let (owner, point) = find(self.command)?;
        if owner.raw() != buffer.raw() {
            return Err(Error::INVALID_MUTABLE_COMMAND_KHR);
        }
        let mut launch = match launches.remove(&point) {
            Some(launch) => launch,
            None => buffer
                .launch(point)
                .ok_or(Error::INVALID_MUTABLE_COMMAND_KHR)?,
        };
        self.check_fields(&launch)?;
        let args = self.args.list(self.num_args as usize);
        let svm_args = self.svm_args.list(self.num_svm_args as usize);
        for arg in &args {
            launch.args[arg.index as usize] =
                kernel::read_arg(&launch.kernel, arg.index, arg.size, arg.value)?;
        }
        for arg in &svm_args {
            launch.args[arg.index as usize] =
                svm::read_kernel_arg(&launch.kernel, arg.index, arg.value)?;
        }
        if !args.is_empty() || !svm_args.is_empty() {
            launch.bound = bind(&launch.kernel, &launch.args)?;
        }
        for info in self.exec_infos.list(self.num_exec_infos as usize) {
            svm::check_exec_info(info.name, info.size, info.value)?;
        }
        self.resize(buffer, &mut launch)?;
        launches.insert(point, launch);
        Ok(())
    }

    /// Whether what is to change may, and the lists are whole.
    fn check_fields(&self, launch: &Launch) -> Result<()> {
        // "if work_dim is not zero and different from the work_dim set on command recording".
        if self.dimensions != 0 && self.dimensions != launch.space.dimensions {
            return Err(Error::INVALID_OPERATION);
        }
        // "if the ... property was not set on command recording and" something is to change that it is for.
        let has_args = self.num_args > 0 || self.num_svm_args > 0;
        let wanted = [
            (
                CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR,
                !self.offset.is_null(),
            ),
            (CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, !self.global.is_null()),
            (CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, !self.local.is_null()),
            (CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, has_args),
            (CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, self.num_exec_infos > 0),
        ];
        if wanted
            .iter()
            .any(|&(field, wanted)| wanted && launch.fields & field == 0)
        {
            return Err(Error::INVALID_OPERATION);
        }
        // "if arg_list is NULL and num_args > 0, or arg_list is not NULL and num_args is 0", and so for the others.
        if self.args.is_null() != (self.num_args == 0)
            || self.svm_args.is_null() != (self.num_svm_args == 0)
            || self.exec_infos.is_null() != (self.num_exec_infos == 0)
        {
            return Err(Error::INVALID_VALUE);
        }
        Ok(())
    }

    /// The sizes and the offset that are given.
    fn resize(&self, buffer: &CommandBuffer, launch: &mut Launch) -> Result<()> {
        let given = IndexSpace {
            dimensions: launch.space.dimensions,
            offset: self.offset,
            global: self.global,
            local: self.local,
        };
        let given = given.read()?;
        let space = Space {
            dimensions: launch.space.dimensions,
            offset: match self.offset.is_null() {
                true => launch.space.offset,
                false => given.offset,
            },
            global: given.global.or(launch.space.global),
            local: given.local.or(launch.space.local),
        };
        if space == launch.space {
            return Ok(());
        }
        let extent = enqueue_kernel::extent(&space, &buffer.queue, &launch.kernel)?;
        // "if the values of local_work_size and/or global_work_size result in a change to work-group uniformity".
        if is_uniform(&space) != is_uniform(&launch.space) {
            return Err(Error::INVALID_OPERATION);
        }
        launch.space = space;
        launch.extent = extent;
        Ok(())
    }
}

/// Whether all work-groups have the size that is asked for. What we choose is nobody's wish.
fn is_uniform(space: &Space) -> bool {
    let (Some(global), Some(local)) = (space.global, space.local) else {
        return true;
    };
    global
        .iter()
        .zip(local)
        .all(|(global, local)| global.is_multiple_of(local))
}

/// The arguments of a launch; none if they are not all set.
pub fn bind(kernel: &Kernel, args: &[Arg]) -> Result<Option<BoundArgs>> {
    match kernel.bind_to(args) {
        Ok(bound) => enqueue_kernel::within_local_memory(bound).map(Some),
        Err(Error::INVALID_KERNEL_ARGS) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The property list of clCommandNDRangeKernelKHR, and the fields that it says may change, if it does.
pub fn properties_of(
    buffer: &CommandBuffer,
    list: In<cl_properties>,
    space: &IndexSpace,
) -> Result<(Vec<cl_properties>, Option<cl_properties>)> {
    let list = properties(list).map_err(|_| Error::INVALID_VALUE)?;
    let mut fields = None;
    let mut asserts = None;
    // "if values specified in properties are not valid".
    for pair in list.chunks_exact(2) {
        let place = match pair[0] {
            CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR => &mut fields,
            CL_MUTABLE_DISPATCH_ASSERTS_KHR => &mut asserts,
            _ => return Err(Error::INVALID_VALUE),
        };
        if place.replace(pair[1]).is_some() {
            return Err(Error::INVALID_VALUE);
        }
    }
    let asserts = asserts.unwrap_or(0);
    let no_more = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    // "if command_buffer was created with CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR and local_work_size is
    // NULL, or if properties includes" it "and local_work_size is NULL".
    if asserts & !no_more != 0
        || ((asserts | buffer.asserts()) & no_more != 0 && space.local.is_null())
    {
        return Err(Error::INVALID_VALUE);
    }
    // "if the requested CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR properties are not reported by
    // CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR".
    if fields.unwrap_or(0) & !FIELDS != 0 {
        return Err(Error::INVALID_OPERATION);
    }
    Ok((list, fields))
}

/// clGetMutableCommandInfoKHR.
pub fn get_info(
    command: cl_mutable_command_khr,
    name: cl_uint,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let (buffer, point) = find(command)?;
    let launch = buffer
        .launch(point)
        .ok_or(Error::INVALID_MUTABLE_COMMAND_KHR)?;
    let answer = Answer::new(room, value, size_ret);
    let dimensions = launch.space.dimensions as usize;
    // "If a global work-item size was not set, zero is returned for each element in the array".
    let sizes = |sizes: Option<[usize; 3]>| answer.list(&sizes.unwrap_or([0; 3])[..dimensions]);
    match name {
        CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR => answer.value(buffer.queue.raw()),
        CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR => answer.value(buffer.raw()),
        CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR => answer.value(CL_COMMAND_NDRANGE_KERNEL),
        CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR => answer.list(&launch.properties),
        CL_MUTABLE_DISPATCH_KERNEL_KHR => answer.value(launch.kernel.raw()),
        CL_MUTABLE_DISPATCH_DIMENSIONS_KHR => answer.value(launch.space.dimensions),
        CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR => sizes(Some(launch.space.offset)),
        CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR => sizes(launch.space.global),
        CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR => sizes(launch.space.local),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// The buffer and the sync point of a command.
fn find(command: cl_mutable_command_khr) -> Result<(Handle<CommandBuffer>, cl_uint)> {
    let command = object::lookup::<MutableCommand>(command)?;
    let buffer = command.buffer.upgrade();
    let buffer = buffer.ok_or(Error::INVALID_MUTABLE_COMMAND_KHR)?;
    Ok((buffer, command.sync_point()))
}
