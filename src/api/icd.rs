//! Functions by name, for ICD loaders and applications (cl_khr_icd 1.0 and 2.0, extension functions).

use super::platform;
use super::ptr::In;
use super::table;
use crate::cl::*;
use crate::runtime::{Platform, object, platform as home};

/// clGetExtensionFunctionAddress, which "may not be used to query for core functions".
pub fn extension_function(name: In<c_char>) -> Result<*const c_void> {
    let name = name.c_str().and_then(|name| name.to_str().ok());
    Ok(name
        .and_then(table::extension_function)
        .unwrap_or(std::ptr::null()))
}

/// clGetExtensionFunctionAddressForPlatform.
pub fn extension_function_for_platform(
    platform: cl_platform_id,
    name: In<c_char>,
) -> Result<*const c_void> {
    if platform.is_null() {
        return Err(Error::INVALID_PLATFORM);
    }
    platform::find(platform)?;
    extension_function(name)
}

/// clIcdGetFunctionAddressForPlatformKHR: any entry point that has a dispatch slot, for a loader that dispatches itself.
pub fn function_for_platform(platform: cl_platform_id, name: In<c_char>) -> Result<*const c_void> {
    object::lookup::<Platform>(platform)?;
    let name = name.c_str().and_then(|name| name.to_str().ok());
    Ok(name.and_then(table::function).unwrap_or(std::ptr::null()))
}

/// clIcdSetPlatformDispatchDataKHR: the loader's word, for the platform, its device and all objects to come.
pub fn set_dispatch_data(platform: cl_platform_id, data: *mut c_void) -> Result<()> {
    let platform = object::lookup::<Platform>(platform)?;
    object::set_icd_data(data);
    platform.set_own_icd_data(data);
    home::device().set_own_icd_data(data);
    Ok(())
}
