//! Entry points of contexts.

use super::device::{check_type, matches_type};
use super::platform;
use super::ptr::{Answer, In, Out, properties};
use crate::cl::*;
use crate::runtime::context::{Callback, DestructorFn, NotifyFn};
use crate::runtime::{Context, Device, Handle, Object, object, platform as home};

/// clCreateContext.
pub fn create(
    property_list: In<cl_context_properties>,
    num_devices: cl_uint,
    devices: In<cl_device_id>,
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> Result<cl_context> {
    let properties = check_properties(property_list)?;
    // "if devices is NULL, if num_devices is equal to zero, if pfn_notify is NULL and user_data is not NULL".
    if devices.is_null() || num_devices == 0 || (notify.is_none() && !user_data.is_null()) {
        return Err(Error::INVALID_VALUE);
    }
    let mut list: Vec<Handle<Device>> = Vec::new();
    for device in devices.list(num_devices as usize) {
        let device = object::lookup::<Device>(device)?;
        // "Duplicate devices specified in devices are ignored."
        if !list.iter().any(|other| other.raw() == device.raw()) {
            list.push(device);
        }
    }
    Ok(make(list, properties, notify, user_data))
}

/// clCreateContextFromType.
pub fn create_from_type(
    property_list: In<cl_context_properties>,
    device_type: cl_device_type,
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> Result<cl_context> {
    let properties = check_properties(property_list)?;
    if notify.is_none() && !user_data.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    check_type(device_type)?;
    if !matches_type(device_type) {
        return Err(Error::DEVICE_NOT_FOUND);
    }
    platform::find(std::ptr::null_mut())?;
    Ok(make(
        vec![home::device().clone()],
        properties,
        notify,
        user_data,
    ))
}

fn make(
    devices: Vec<Handle<Device>>,
    properties: Vec<cl_context_properties>,
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> cl_context {
    let notify = notify.map(|function| Callback {
        function,
        user_data,
    });
    Object::new(Context::new(devices, properties, notify)).raw()
}

/// The property list, checked; the terminating 0 included.
fn check_properties(list: In<cl_context_properties>) -> Result<Vec<cl_context_properties>> {
    let list = properties(list)?;
    let mut seen = Vec::new();
    for pair in list.chunks_exact(2) {
        let (name, value) = (pair[0], pair[1]);
        // "if the same property name is specified more than once".
        if seen.contains(&name) {
            return Err(Error::INVALID_PROPERTY);
        }
        seen.push(name);
        match u32::try_from(name) {
            Ok(CL_CONTEXT_PLATFORM) => {
                // "if the platform specified in properties is not a valid platform".
                if value == 0 {
                    return Err(Error::INVALID_PLATFORM);
                }
                platform::find(value as cl_platform_id)?;
            }
            // "if the value specified for a supported property name is not valid".
            Ok(CL_CONTEXT_INTEROP_USER_SYNC) if value == 0 || value == 1 => {}
            _ => return Err(Error::INVALID_PROPERTY),
        }
    }
    Ok(list)
}

/// clRetainContext.
pub fn retain(context: cl_context) -> Result<()> {
    object::retain::<Context>(context)
}

/// clReleaseContext.
pub fn release(context: cl_context) -> Result<()> {
    object::release::<Context>(context).map(drop)
}

/// clGetContextInfo.
pub fn get_info(
    context: cl_context,
    name: cl_context_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let context = object::lookup::<Context>(context)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_CONTEXT_REFERENCE_COUNT => answer.value(context.reference_count()),
        CL_CONTEXT_NUM_DEVICES => answer.value(context.devices.len() as cl_uint),
        CL_CONTEXT_DEVICES => {
            let list: Vec<_> = context.devices.iter().map(|device| device.raw()).collect();
            answer.list(&list)
        }
        CL_CONTEXT_PROPERTIES => answer.list(&context.properties),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clSetContextDestructorCallback.
pub fn set_destructor_callback(
    context: cl_context,
    notify: Option<DestructorFn>,
    user_data: *mut c_void,
) -> Result<()> {
    let context = object::lookup::<Context>(context)?;
    // "if pfn_notify is NULL".
    let function = notify.ok_or(Error::INVALID_VALUE)?;
    context.add_destructor(Callback {
        function,
        user_data,
    });
    Ok(())
}
