//! Numbers that name the device and the library across processes (cl_khr_device_uuid).
//!
//! The device's is made of what identifies this machine (machine-id(5), the CPU's name) and of its CPUs, the driver's of
//! the library's build. Both have the form of a UUID of version 8, RFC 9562: a hash of the vendor's own making.

use super::device::Device;
use crate::compiler;
use std::fs;

/// Bytes of a UUID: CL_UUID_SIZE_KHR.
pub const UUID_SIZE: usize = 16;

/// CL_DEVICE_UUID_KHR.
pub fn device(device: &Device) -> [u8; UUID_SIZE] {
    let machine = fs::read("/etc/machine-id").unwrap_or_default();
    let mut text = device.machine.cpu_name.clone().into_bytes();
    text.extend(machine);
    if device.is_sub_device() {
        text.extend(format!("{:?}", device.cpus).into_bytes());
    }
    uuid(b"device", &text)
}

/// CL_DRIVER_UUID_KHR.
pub fn driver() -> [u8; UUID_SIZE] {
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    uuid(b"driver", compiler::build_id().unwrap_or(version))
}

fn uuid(purpose: &[u8], text: &[u8]) -> [u8; UUID_SIZE] {
    let mut hash = blake3::Hasher::new();
    hash.update(b"Clotho ").update(purpose).update(text);
    let mut out = [0; UUID_SIZE];
    out.copy_from_slice(&hash.finalize().as_bytes()[..UUID_SIZE]);
    // The version in the high half of byte 6, the variant in the top bits of byte 8.
    out[6] = out[6] & 0x0f | 0x80;
    out[8] = out[8] & 0x3f | 0x80;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_named_the_same_and_others_are_not() {
        let host = Device::host();
        assert_eq!(device(&host), device(&Device::host()));
        assert_ne!(device(&host), driver());
        assert_eq!(driver()[6] >> 4, 8);
    }
}
