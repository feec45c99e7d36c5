//! Launching kernels: clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel,
//! clGetKernelSuggestedLocalWorkSize.

use super::enqueue_sync::{Waits, buffer, host_queue, submit};
use super::ptr::{In, Out};
use crate::cl::*;
use crate::runtime::children;
use crate::runtime::command::{Action, Call};
use crate::runtime::device::{LOCAL_MEM_SIZE, MAX_DIMENSIONS, MAX_WORK_GROUP_SIZE};
use crate::runtime::kernel::BoundArgs;
use crate::runtime::launch::{Extent, NdRange, Space};
use crate::runtime::native::{NativeFn, NativeKernel};
use crate::runtime::transfer::Held;
use crate::runtime::{Handle, Kernel, Queue, local_size, object};

/// clEnqueueNDRangeKernel.
pub fn nd_range(
    queue: cl_command_queue,
    kernel: cl_kernel,
    space: IndexSpace,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let kernel = find_kernel(&queue, kernel)?;
    let action = match extent(&space.read()?, &queue, &kernel)? {
        // Its arguments must be set all the same.
        None => kernel.bind().map(|_| Action::Nothing)?,
        Some(extent) => launch(&queue, &kernel, extent)?,
    };
    submit_launch(&queue, &kernel, CL_COMMAND_NDRANGE_KERNEL, action, waits)
}

/// Enqueues a launch; its event ends when those that it enqueues have ended, too.
fn submit_launch(
    queue: &Handle<Queue>,
    kernel: &Kernel,
    kind: cl_command_type,
    action: Action,
    waits: Waits,
) -> Result<()> {
    let events = waits.events(queue)?;
    let program = &kernel.program;
    let range = match action {
        Action::NdRange(range) if kernel.may_enqueue => range,
        action => return submit(queue, kind, action, false, &events, waits.event),
    };
    let event = children::enqueue(queue, kind, range, program, &events)?;
    if !waits.event.is_null() {
        waits.event.put(event.publish());
    }
    Ok(())
}

/// The index space as the application gives it.
pub struct IndexSpace {
    pub dimensions: cl_uint,
    pub offset: In<usize>,
    pub global: In<usize>,
    pub local: In<usize>,
}

impl IndexSpace {
    /// CL_INVALID_WORK_DIMENSION if it has none, or too many.
    pub fn read(&self) -> Result<Space> {
        let dimensions = self.dimensions;
        // "work_dim must be greater than zero and less than or equal to CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS".
        if !(1..=MAX_DIMENSIONS as cl_uint).contains(&dimensions) {
            return Err(Error::INVALID_WORK_DIMENSION);
        }
        Ok(Space {
            dimensions,
            offset: triple(self.offset, dimensions, 0),
            global: (!self.global.is_null()).then(|| triple(self.global, dimensions, 1)),
            local: (!self.local.is_null()).then(|| triple(self.local, dimensions, 1)),
        })
    }
}

/// Checks all of an index space. None when there is no work-item: "If global_work_size is NULL or the value in any passed
/// dimension is zero, then the kernel command will trivially succeed".
pub fn extent(space: &Space, queue: &Queue, kernel: &Kernel) -> Result<Option<Extent>> {
    let global = global_size(space)?;
    let local = work_group(queue, kernel, global, space.local)?;
    Ok(global.map(|global| Extent {
        dimensions: space.dimensions,
        offset: space.offset,
        global,
        local,
    }))
}

/// clEnqueueTask: one work-item.
pub fn task(queue: cl_command_queue, kernel: cl_kernel, waits: Waits) -> Result<()> {
    let (queue, kernel) = find(queue, kernel)?;
    // "if a work-group size is specified for kernel in the program source and it is not (1, 1, 1)".
    if kernel
        .code
        .reqd_work_group_size
        .is_some_and(|size| size != [1; 3])
    {
        return Err(Error::INVALID_WORK_GROUP_SIZE);
    }
    let extent = Extent {
        dimensions: 1,
        offset: [0; 3],
        global: [1; 3],
        local: [1; 3],
    };
    let action = launch(&queue, &kernel, extent)?;
    submit_launch(&queue, &kernel, CL_COMMAND_TASK, action, waits)
}

/// clEnqueueNativeKernel.
#[expect(clippy::too_many_arguments, reason = "the C signature")]
pub fn native(
    queue: cl_command_queue,
    function: Option<NativeFn>,
    args: In<c_void>,
    args_size: usize,
    num_objects: cl_uint,
    objects: In<cl_mem>,
    places: In<In<c_void>>,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // "if user_func is NULL", "if args is NULL and cb_args > 0 or num_mem_objects > 0", "if args is not NULL and
    // cb_args is 0", "if num_mem_objects > 0 and mem_list or args_mem_loc are NULL", and the other way round.
    let no_objects = num_objects == 0;
    let function = function.ok_or(Error::INVALID_VALUE)?;
    if args.is_null() != (args_size == 0)
        || (args.is_null() && !no_objects)
        || objects.is_null() != no_objects
        || places.is_null() != no_objects
    {
        return Err(Error::INVALID_VALUE);
    }
    let memories: Held = objects
        .list(num_objects as usize)
        .into_iter()
        .map(|object| buffer(&queue, object))
        .collect::<Result<_>>()?;
    // "args_mem_loc is a pointer to appropriate locations that args points to where memory object handles are stored".
    let offset = |place: In<c_void>| {
        let offset = (place.address() as usize).checked_sub(args.address() as usize)?;
        (offset.checked_add(size_of::<cl_mem>())? <= args_size).then_some(offset)
    };
    let places: Option<Vec<usize>> = places
        .list(num_objects as usize)
        .into_iter()
        .map(offset)
        .collect();
    let places = places.ok_or(Error::INVALID_VALUE)?;
    let events = waits.events(&queue)?;
    let bytes = args.cast::<u8>();
    let native = NativeKernel::new(function, bytes.byte_slice(args_size), memories, &places);
    let action = Action::Call(Call::new(move || {
        native.run();
        Ok(())
    }));
    submit(
        &queue,
        CL_COMMAND_NATIVE_KERNEL,
        action,
        false,
        &events,
        waits.event,
    )
}

/// clGetKernelSuggestedLocalWorkSize.
pub fn suggested_local_size(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: In<usize>,
    global: In<usize>,
    suggested: Out<usize>,
) -> Result<()> {
    let (queue, kernel) = find(queue, kernel)?;
    kernel.bind()?;
    let space = IndexSpace {
        dimensions,
        offset,
        global,
        local: In::null(),
    };
    // "if global_work_size is NULL", "if any of the values specified in global_work_size are zero".
    let global = global_size(&space.read()?)?.ok_or(Error::INVALID_GLOBAL_WORK_SIZE)?;
    // "if suggested_local_work_size is NULL".
    if suggested.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let local = kernel
        .code
        .reqd_work_group_size
        .unwrap_or_else(|| choose(&queue, &kernel, global));
    suggested.put_list(local, dimensions as usize);
    Ok(())
}

fn find(queue: cl_command_queue, kernel: cl_kernel) -> Result<(Handle<Queue>, Handle<Kernel>)> {
    let queue = host_queue(queue)?;
    let kernel = find_kernel(&queue, kernel)?;
    Ok((queue, kernel))
}

/// A kernel that a queue can run.
pub fn find_kernel(queue: &Queue, kernel: cl_kernel) -> Result<Handle<Kernel>> {
    let kernel = object::lookup::<Kernel>(kernel)?;
    // "if the context associated with command_queue and kernel are not the same".
    if queue.context.raw() != kernel.program.context.raw() {
        return Err(Error::INVALID_CONTEXT);
    }
    // "if there is no successfully built program executable available for the device".
    if !kernel.program.has_device(&queue.device) {
        return Err(Error::INVALID_PROGRAM_EXECUTABLE);
    }
    Ok(kernel)
}

/// None when there is no work-item.
fn global_size(space: &Space) -> Result<Option<[usize; 3]>> {
    let Some(global) = space.global else {
        return Ok(None);
    };
    // "if the value specified in global_work_size plus the corresponding value in global_work_offset for any
    // dimensions is greater than the maximum value representable by size_t".
    if space
        .offset
        .iter()
        .zip(global)
        .any(|(&offset, global)| offset.checked_add(global).is_none())
    {
        return Err(Error::INVALID_GLOBAL_OFFSET);
    }
    // More work-items than can be counted could never be run.
    if global
        .iter()
        .try_fold(1usize, |all, &size| all.checked_mul(size))
        .is_none()
    {
        return Err(Error::INVALID_GLOBAL_WORK_SIZE);
    }
    Ok((!global.contains(&0)).then_some(global))
}

/// The first `dimensions` elements, and `rest` for the others.
fn triple(list: In<usize>, dimensions: cl_uint, rest: usize) -> [usize; 3] {
    let mut out = [rest; 3];
    for (to, from) in out.iter_mut().zip(list.list(dimensions as usize)) {
        *to = from;
    }
    out
}

/// The local size: the one given, checked, or the one that the kernel requires, or one that we choose.
fn work_group(
    queue: &Queue,
    kernel: &Kernel,
    global: Option<[usize; 3]>,
    local: Option<[usize; 3]>,
) -> Result<[usize; 3]> {
    let required = kernel.code.reqd_work_group_size;
    let Some(local) = local.or(required) else {
        return Ok(global.map_or([1; 3], |global| choose(queue, kernel, global)));
    };
    // "if the total number of work-items in the work-group is zero".
    if local.contains(&0) {
        return Err(Error::INVALID_WORK_GROUP_SIZE);
    }
    // "if the number of work-items specified in any dimension is greater than the corresponding value returned by
    // CL_DEVICE_MAX_WORK_ITEM_SIZES".
    if local.iter().any(|&size| size > MAX_WORK_GROUP_SIZE) {
        return Err(Error::INVALID_WORK_ITEM_SIZE);
    }
    // "if the total number of work-items in the work-group is greater than the maximum work-group size", "if the
    // local_work_size does not match the required work-group size for kernel".
    if local.iter().product::<usize>() > MAX_WORK_GROUP_SIZE
        || required.is_some_and(|size| size != local)
    {
        return Err(Error::INVALID_WORK_GROUP_SIZE);
    }
    // "if the work-group size must be uniform, and if the global_work_size is not evenly divisible".
    if let Some(global) = global
        && kernel.uniform
        && global
            .iter()
            .zip(local)
            .any(|(global, local)| !global.is_multiple_of(local))
    {
        return Err(Error::INVALID_WORK_GROUP_SIZE);
    }
    Ok(local)
}

fn choose(queue: &Queue, kernel: &Kernel, global: [usize; 3]) -> [usize; 3] {
    local_size::choose(
        global,
        kernel.uniform,
        MAX_WORK_GROUP_SIZE,
        queue.device.compute_units,
    )
}

/// The kernel's arguments as they are now.
fn bind(kernel: &Kernel) -> Result<BoundArgs> {
    within_local_memory(kernel.bind()?)
}

/// Arguments of a launch, if the device can run it.
pub fn within_local_memory(args: BoundArgs) -> Result<BoundArgs> {
    // CL_OUT_OF_RESOURCES "if there is a failure to allocate resources": more local memory than the device has.
    if args.local_size > LOCAL_MEM_SIZE {
        return Err(Error::OUT_OF_RESOURCES);
    }
    Ok(args)
}

fn launch(queue: &Handle<Queue>, kernel: &Handle<Kernel>, extent: Extent) -> Result<Action> {
    let args = bind(kernel)?;
    let range = NdRange::new(
        kernel.code.clone(),
        kernel.cost.clone(),
        args,
        queue.context.clone(),
        extent,
        queue.device.pool.workers(),
    )?;
    Ok(Action::NdRange(range))
}
