//! An OpenCL library, by its C functions: libclotho.so, or the one that this program has inside.
//!
//! Program binaries are made by libclotho.so, since the machine code in them is for the very library that made it. What
//! a device can do, the code in this program knows as well.

use clotho::api::table;
use clotho::cl::*;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::result::Result;

pub struct Library(Source);

enum Source {
    Own,
    /// What dlopen gave; never closed.
    Opened(*mut c_void),
}

/// clGetPlatformInfo, clGetDeviceInfo, clGetProgramInfo.
pub type InfoFn =
    unsafe extern "C" fn(*mut c_void, cl_uint, usize, *mut c_void, *mut usize) -> cl_int;

impl Library {
    pub fn own() -> Library {
        Library(Source::Own)
    }

    /// Opens libclotho.so: at `path`, else where it is built or installed beside this program, else where the system
    /// has it.
    pub fn open(path: Option<&Path>) -> Result<Library, String> {
        let path = path.map_or_else(beside_us, Path::to_path_buf);
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
        // SAFETY: opening libclotho.so runs nothing but what a loader of OpenCL would run.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        match handle.is_null() {
            true => Err(format!(
                "{}: cannot be opened (--library=FILE names another)",
                path.display()
            )),
            false => Ok(Library(Source::Opened(handle))),
        }
    }

    /// The function of this name, as a function pointer of type `F`.
    /// # Safety
    /// `F` must be the type that the specification gives it.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, String> {
        const { assert!(size_of::<F>() == size_of::<*const c_void>()) }
        let address = match self.0 {
            Source::Own => table::function(name),
            Source::Opened(handle) => {
                let name = CString::new(name).map_err(|e| e.to_string())?;
                // SAFETY: the library was opened and is never closed.
                Some(unsafe { libc::dlsym(handle, name.as_ptr()) }.cast_const())
            }
        };
        let address = address.filter(|address| !address.is_null());
        let address = address.ok_or_else(|| format!("the library has no {name}"))?;
        // SAFETY: a function of this name, whose type the caller knows.
        Ok(unsafe { std::mem::transmute_copy(&address) })
    }

    /// The device: there is one.
    pub fn device(&self) -> Result<cl_device_id, String> {
        type GetIds = unsafe extern "C" fn(
            cl_platform_id,
            cl_device_type,
            cl_uint,
            *mut cl_device_id,
            *mut cl_uint,
        ) -> cl_int;
        let mut device = std::ptr::null_mut();
        // SAFETY: the types are the specification's, and there is room for one handle.
        let status = unsafe {
            let get_ids: GetIds = self.function("clGetDeviceIDs")?;
            let (none, all) = (std::ptr::null_mut(), CL_DEVICE_TYPE_ALL);
            get_ids(none, all, 1, &mut device, std::ptr::null_mut())
        };
        check("clGetDeviceIDs", status)?;
        Ok(device)
    }
}

/// Answers of a query of this kind, for an object, by its number; the error is the code.
pub fn ask(query: InfoFn, object: *mut c_void, name: cl_uint) -> Result<Vec<u8>, cl_int> {
    let mut size = 0;
    // SAFETY: the first call asks for the size of the answer, the second has room for as much.
    unsafe {
        let status = query(object, name, 0, std::ptr::null_mut(), &mut size);
        if status != 0 {
            return Err(status);
        }
        let mut bytes = vec![0u8; size];
        match query(
            object,
            name,
            size,
            bytes.as_mut_ptr().cast(),
            std::ptr::null_mut(),
        ) {
            0 => Ok(bytes),
            status => Err(status),
        }
    }
}

/// An error in words.
pub fn check(what: &str, status: cl_int) -> Result<(), String> {
    match Error::from_code(status) {
        None => Ok(()),
        Some(error) => Err(match error.name() {
            Some(name) => format!("{what}: CL_{name}"),
            None => format!("{what}: error {status}"),
        }),
    }
}

fn beside_us() -> PathBuf {
    const NAME: &str = "libclotho.so";
    let exe = std::env::current_exe().unwrap_or_default();
    let folder = exe.parent().unwrap_or(Path::new(""));
    let places = ["", "deps", "../lib"].map(|place| folder.join(place).join(NAME));
    let found = places.into_iter().find(|path| path.exists());
    found.unwrap_or_else(|| NAME.into())
}
