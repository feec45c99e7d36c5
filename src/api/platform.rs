//! Entry points of the platform: clGetPlatformIDs, clGetPlatformInfo, clUnloadPlatformCompiler.

use super::device::{extension_version, extensions};
use super::ptr::{Answer, Out};
use super::table;
use crate::cl::*;
use crate::runtime::{Handle, Platform, object, platform as home};

/// "OpenCL 3.0 " and what CL_PLATFORM_VERSION and CL_DEVICE_VERSION add to it.
pub const VERSION: &str = concat!("OpenCL 3.0 Clotho ", env!("CARGO_PKG_VERSION"));

/// Extensions of the platform that no device has.
const PLATFORM_EXTENSIONS: &[(&str, cl_version)] = &[("cl_khr_icd", make_version(2, 0, 0))];

/// A platform handle. NULL is the default platform ("implementation-defined").
pub fn find(platform: cl_platform_id) -> Result<Handle<Platform>> {
    table::install();
    if platform.is_null() {
        return Ok(home::platform().clone());
    }
    object::lookup::<Platform>(platform)
}

/// clGetPlatformIDs and clIcdGetPlatformIDsKHR.
pub fn get_ids(
    num_entries: cl_uint,
    platforms: Out<cl_platform_id>,
    num_platforms: Out<cl_uint>,
) -> Result<()> {
    // "if num_entries is equal to zero and platforms is not NULL, or if both num_platforms and platforms are NULL".
    if (num_entries == 0 && !platforms.is_null())
        || (num_platforms.is_null() && platforms.is_null())
    {
        return Err(Error::INVALID_VALUE);
    }
    table::install();
    platforms.put_list([home::platform().raw()], num_entries as usize);
    num_platforms.put(1);
    Ok(())
}

/// clGetPlatformInfo.
pub fn get_info(
    platform: cl_platform_id,
    name: cl_platform_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    find(platform)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_PLATFORM_PROFILE => answer.text("FULL_PROFILE"),
        CL_PLATFORM_VERSION => answer.text(VERSION),
        CL_PLATFORM_NUMERIC_VERSION => answer.value(make_version(3, 0, 0)),
        CL_PLATFORM_NAME => answer.text("Clotho"),
        CL_PLATFORM_VENDOR => answer.text("Clotho"),
        CL_PLATFORM_EXTENSIONS => {
            let names: Vec<&str> = all_extensions().map(|(name, _)| name).collect();
            answer.text(&names.join(" "))
        }
        CL_PLATFORM_EXTENSIONS_WITH_VERSION => {
            let list: Vec<_> = all_extensions()
                .map(|(name, version)| cl_name_version::new(name, version))
                .collect();
            answer.list(&list)
        }
        CL_PLATFORM_HOST_TIMER_RESOLUTION => answer.value(super::device::TIMER_RESOLUTION),
        CL_PLATFORM_SEMAPHORE_TYPES_KHR => answer.list(super::semaphore::TYPES),
        CL_PLATFORM_ICD_SUFFIX_KHR => answer.text("CLOTHO"),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// clUnloadPlatformCompiler: a hint; the compiler is part of the library and stays.
pub fn unload_compiler(platform: cl_platform_id) -> Result<()> {
    // "CL_INVALID_PLATFORM if platform is not a valid platform": here NULL is none.
    if platform.is_null() {
        return Err(Error::INVALID_PLATFORM);
    }
    find(platform).map(drop)
}

fn all_extensions() -> impl Iterator<Item = (&'static str, cl_version)> {
    let of_device = extensions().map(|name| (name, extension_version(name)));
    PLATFORM_EXTENSIONS.iter().copied().chain(of_device)
}
