//! Entry points of sub-devices: clCreateSubDevices, clRetainDevice, clReleaseDevice, and the queries about partitions.

use super::ptr::{Answer, In, Out};
use crate::cl::*;
use crate::runtime::partition::{self, Scheme};
use crate::runtime::{Device, Object, object};

/// Counts in a list of clCreateSubDevices, at most: more than any machine has CPUs, so that the end is missing.
const MOST_COUNTS: usize = 1 << 16;

/// clCreateSubDevices.
pub fn create(
    device: cl_device_id,
    properties: In<cl_device_partition_property>,
    num_devices: cl_uint,
    devices: Out<cl_device_id>,
    num_devices_ret: Out<cl_uint>,
) -> Result<()> {
    let device = object::lookup::<Device>(device)?;
    let scheme = scheme(properties)?;
    let division = partition::divide(&device, &scheme)?;
    let count = division.parts.len();
    if !devices.is_null() {
        // "if out_devices is not NULL and num_devices is less than the number of sub-devices created".
        if (num_devices as usize) < count {
            return Err(Error::INVALID_VALUE);
        }
        let made = device.sub_devices(division);
        devices.put_list(made.iter().map(|device| device.raw()), count);
    }
    num_devices_ret.put(count as cl_uint);
    Ok(())
}

/// clCreateSubDevicesEXT of cl_ext_device_fission, which the device does not have: "if values specified in properties
/// are valid but are not supported by in_device".
pub fn create_ext(device: cl_device_id) -> Result<()> {
    object::lookup::<Device>(device)?;
    Err(Error::INVALID_VALUE)
}

/// Reads the property list: "Only one of the listed partitioning schemes can be specified in properties."
/// # Errors
/// CL_INVALID_VALUE: "if values specified in properties are not valid"; CL_INVALID_DEVICE_PARTITION_COUNT for counts
/// below zero.
fn scheme(properties: In<cl_device_partition_property>) -> Result<Scheme> {
    let name = properties.get().ok_or(Error::INVALID_VALUE)?;
    let name = u32::try_from(name).map_err(|_| Error::INVALID_VALUE)?;
    let ends = |at: usize| properties.at(at) == Some(0);
    let scheme = match name {
        CL_DEVICE_PARTITION_EQUALLY => {
            let size = properties.at(1).and_then(|n| usize::try_from(n).ok());
            let size = size.filter(|&n| n > 0).ok_or(Error::INVALID_VALUE)?;
            ends(2).then_some(Scheme::Equally(size))
        }
        CL_DEVICE_PARTITION_BY_COUNTS => {
            let counts = (1..MOST_COUNTS).map_while(|at| properties.at(at).filter(|&n| n != 0));
            let sizes: Vec<_> = counts.map(usize::try_from).collect();
            let end = 1 + sizes.len();
            // "if the number of compute units requested for one or more sub-devices is less than zero".
            let sizes: std::result::Result<Vec<usize>, _> = sizes.into_iter().collect();
            let sizes = sizes.map_err(|_| Error::INVALID_DEVICE_PARTITION_COUNT)?;
            (ends(end) && ends(end + 1) && !sizes.is_empty()).then_some(Scheme::Counts(sizes))
        }
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN => {
            let domain = properties
                .at(1)
                .map(|bits| bits as cl_device_affinity_domain);
            let known = 1..=CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
            let domain = domain.filter(|bits| bits.is_power_of_two() && known.contains(bits));
            let domain = domain.ok_or(Error::INVALID_VALUE)?;
            ends(2).then_some(Scheme::Domain(domain))
        }
        _ => None,
    };
    scheme.ok_or(Error::INVALID_VALUE)
}

/// clRetainDevice: nothing to count on a root device.
pub fn retain(device: cl_device_id) -> Result<()> {
    if object::lookup::<Device>(device)?.is_sub_device() {
        object::retain::<Device>(device)?;
    }
    Ok(())
}

/// clReleaseDevice: nothing to count on a root device.
pub fn release(device: cl_device_id) -> Result<()> {
    if object::lookup::<Device>(device)?.is_sub_device() {
        object::release::<Device>(device)?;
    }
    Ok(())
}

/// The queries of clGetDeviceInfo about partitions.
pub fn get_info(device: &Object<Device>, name: cl_device_info, answer: Answer) -> Result<()> {
    let property = |name: cl_uint| name as cl_device_partition_property;
    match name {
        CL_DEVICE_PARENT_DEVICE => {
            let parent = device.parent.as_ref();
            answer.value(parent.map_or(std::ptr::null_mut(), |parent| parent.raw()))
        }
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => answer.value(match device.compute_units {
            1 => 0,
            many => many as cl_uint,
        }),
        CL_DEVICE_PARTITION_PROPERTIES => {
            // "If the device cannot be partitioned, a value of 0 will be returned."
            if device.compute_units == 1 {
                return answer.value(property(0));
            }
            let mut list = vec![
                property(CL_DEVICE_PARTITION_EQUALLY),
                property(CL_DEVICE_PARTITION_BY_COUNTS),
            ];
            if partition::domains(&device.cpus) != 0 {
                list.push(property(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN));
            }
            answer.list(&list)
        }
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN => answer.value(partition::domains(&device.cpus)),
        // "the implementation may either return a param_value_size_ret of 0, or [...] a value of 0".
        CL_DEVICE_PARTITION_TYPE if device.partition_type.is_empty() => answer.value(property(0)),
        CL_DEVICE_PARTITION_TYPE => answer.list(&device.partition_type),
        // "If the device is a root-level device, a reference count of one is returned."
        CL_DEVICE_REFERENCE_COUNT if !device.is_sub_device() => answer.value::<cl_uint>(1),
        CL_DEVICE_REFERENCE_COUNT => answer.value(device.reference_count()),
        _ => Err(Error::INVALID_VALUE),
    }
}
