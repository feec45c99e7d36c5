//! Dividing a device into sub-devices, each of some of its CPUs. Source: OpenCL API 4.3 "Partitioning a Device".
//!
//! Invariant: the parts of a division share no CPU, and none is empty.

use super::device::Device;
use super::topology::{self, Shared};
use crate::cl::*;

/// How a device is to be divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// As many parts as there can be, of this many CPUs (not 0).
    Equally(usize),
    /// Parts of these sizes (none is 0).
    Counts(Vec<usize>),
    /// By what the CPUs share: one bit, CL_DEVICE_AFFINITY_DOMAIN_*.
    Domain(cl_device_affinity_domain),
}

/// The domains from the widest to the narrowest.
const DOMAINS: &[(cl_device_affinity_domain, Shared)] = &[
    (CL_DEVICE_AFFINITY_DOMAIN_NUMA, Shared::Node),
    (CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, Shared::Cache(4)),
    (CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, Shared::Cache(3)),
    (CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, Shared::Cache(2)),
    (CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, Shared::Cache(1)),
];

/// Where a device is cut.
pub struct Division {
    /// The CPUs of each part.
    pub parts: Vec<Vec<usize>>,
    /// CL_DEVICE_PARTITION_TYPE of the parts, the terminating 0 included.
    pub kind: Vec<cl_device_partition_property>,
}

/// CL_DEVICE_PARTITION_AFFINITY_DOMAIN: the domains by which a device falls into several parts, and
/// CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE if there are some.
pub fn domains(cpus: &[usize]) -> cl_device_affinity_domain {
    let splits = |shared: Shared| topology::groups(cpus, shared).len() > 1;
    let found = DOMAINS
        .iter()
        .filter(|(_, shared)| splits(*shared))
        .fold(0, |all, (domain, _)| all | domain);
    match found {
        0 => 0,
        _ => found | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
    }
}

/// Divides a device.
/// # Errors
/// CL_INVALID_VALUE for a domain that the device does not know; CL_INVALID_DEVICE_PARTITION_COUNT for more or larger
/// parts than it has; CL_DEVICE_PARTITION_FAILED where it can't be divided further.
pub fn divide(device: &Device, scheme: &Scheme) -> Result<Division> {
    let cpus = &device.cpus;
    match scheme {
        // "if the total number of compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device".
        Scheme::Equally(size) if *size > cpus.len() => Err(Error::INVALID_DEVICE_PARTITION_COUNT),
        Scheme::Equally(size) => {
            // "if the partition name is supported by the implementation but in_device could not be further partitioned":
            // one part with all CPUs is none.
            if *size >= cpus.len() {
                return Err(Error::DEVICE_PARTITION_FAILED);
            }
            Ok(Division {
                parts: cpus.chunks_exact(*size).map(<[usize]>::to_vec).collect(),
                kind: vec![
                    CL_DEVICE_PARTITION_EQUALLY as cl_device_partition_property,
                    *size as cl_device_partition_property,
                    0,
                ],
            })
        }
        Scheme::Counts(sizes) => by_counts(cpus, sizes),
        Scheme::Domain(domain) => by_domain(device, *domain),
    }
}

fn by_counts(cpus: &[usize], sizes: &[usize]) -> Result<Division> {
    // "if the number of sub-devices requested exceeds CL_DEVICE_PARTITION_MAX_SUB_DEVICES", "if the total number of
    // compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device".
    let total = sizes.iter().fold(0usize, |all, n| all.saturating_add(*n));
    if total > cpus.len() {
        return Err(Error::INVALID_DEVICE_PARTITION_COUNT);
    }
    if cpus.len() == 1 {
        return Err(Error::DEVICE_PARTITION_FAILED);
    }
    let mut rest = cpus;
    let mut take = |size: &usize| {
        let (part, others) = rest.split_at(*size);
        rest = others;
        part.to_vec()
    };
    let mut kind = vec![CL_DEVICE_PARTITION_BY_COUNTS as cl_device_partition_property];
    kind.extend(sizes.iter().map(|n| *n as cl_device_partition_property));
    // The end of the counts, and of the list.
    kind.extend([CL_DEVICE_PARTITION_BY_COUNTS_LIST_END as _, 0]);
    Ok(Division {
        parts: sizes.iter().map(&mut take).collect(),
        kind,
    })
}

fn by_domain(device: &Device, domain: cl_device_affinity_domain) -> Result<Division> {
    let next = domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    let wanted = |known: cl_device_affinity_domain| next || known == domain;
    for (known, shared) in DOMAINS.iter().filter(|(known, _)| wanted(*known)) {
        let parts = topology::groups(&device.cpus, *shared);
        if parts.len() > 1 {
            return Ok(Division {
                parts,
                kind: vec![
                    CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as cl_device_partition_property,
                    *known as cl_device_partition_property,
                    0,
                ],
            });
        }
    }
    // A root device that has no such domain does not support it; a sub-device is too small.
    Err(if device.parent.is_none() && !next {
        Error::INVALID_VALUE
    } else {
        Error::DEVICE_PARTITION_FAILED
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_take_cpus_in_order_and_leave_the_rest() {
        let cpus = [3, 4, 5, 9];
        let division = by_counts(&cpus, &[1, 2]).unwrap();
        assert_eq!(division.parts, [vec![3], vec![4, 5]]);
        assert_eq!(
            division.kind,
            [CL_DEVICE_PARTITION_BY_COUNTS as isize, 1, 2, 0, 0]
        );
        let error = |sizes: &[usize]| by_counts(&cpus, sizes).err();
        assert_eq!(error(&[2, 3]), Some(Error::INVALID_DEVICE_PARTITION_COUNT));
        assert_eq!(
            error(&[usize::MAX, 2]),
            Some(Error::INVALID_DEVICE_PARTITION_COUNT)
        );
        assert_eq!(
            by_counts(&[0], &[1]).err(),
            Some(Error::DEVICE_PARTITION_FAILED)
        );
    }

    #[test]
    fn equal_parts_are_as_many_as_there_can_be() {
        let mut device = Device::host();
        device.cpus = (0..7).collect();
        let parts = |size| divide(&device, &Scheme::Equally(size)).map(|division| division.parts);
        assert_eq!(parts(3).unwrap(), [vec![0, 1, 2], vec![3, 4, 5]]);
        assert_eq!(parts(1).unwrap().len(), 7);
        assert_eq!(parts(7).err(), Some(Error::DEVICE_PARTITION_FAILED));
        assert_eq!(parts(8).err(), Some(Error::INVALID_DEVICE_PARTITION_COUNT));
    }
}
