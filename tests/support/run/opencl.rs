//! The executor that goes through the system's OpenCL loader to a platform chosen by a part of its name: it shows
//! that a test's expectation is what other implementations answer too, and drives Clotho from outside.
//! The loader is opened at run time, because a test binary that holds Clotho itself has `cl*` symbols of its own.

use super::executor::{ArgData, Built, Executor, Range};
use super::image::ImageType;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::rc::Rc;

type Handle = *mut c_void;

const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
const PLATFORM_NAME: u32 = 0x0902;
const PROGRAM_BUILD_LOG: u32 = 0x1183;
const MEM_READ_WRITE: u64 = 1;
const MEM_COPY_HOST_PTR: u64 = 1 << 5;

macro_rules! entry_points {
    ($($field:ident = $name:literal: fn($($arg:ty),*) -> $result:ty;)*) => {
        struct Loader { $($field: unsafe extern "C" fn($($arg),*) -> $result,)* }

        impl Loader {
            fn open() -> Result<Loader, String> {
                // SAFETY: the name is a C string; loading the system's OpenCL loader has no preconditions.
                let library = unsafe { libc::dlopen(c"libOpenCL.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
                if library.is_null() {
                    return Err("libOpenCL.so.1 can't be loaded".into());
                }
                Ok(Loader { $($field: {
                    // SAFETY: `library` is open and never closed; the name is a C string.
                    let symbol = unsafe { libc::dlsym(library, concat!($name, "\0").as_ptr().cast()) };
                    if symbol.is_null() {
                        return Err(format!("the loader has no {}", $name));
                    }
                    // SAFETY: the signature is the one that the OpenCL specification gives to this name.
                    unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) -> $result>(symbol) }
                },)* })
            }
        }
    };
}

entry_points! {
    platforms = "clGetPlatformIDs": fn(u32, *mut Handle, *mut u32) -> i32;
    platform_info = "clGetPlatformInfo": fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    devices = "clGetDeviceIDs": fn(Handle, u64, u32, *mut Handle, *mut u32) -> i32;
    context = "clCreateContext": fn(*const isize, u32, *const Handle, *const c_void, *const c_void, *mut i32) -> Handle;
    queue = "clCreateCommandQueue": fn(Handle, Handle, u64, *mut i32) -> Handle;
    program = "clCreateProgramWithSource": fn(Handle, u32, *const *const c_char, *const usize, *mut i32) -> Handle;
    build = "clBuildProgram": fn(Handle, u32, *const Handle, *const c_char, *const c_void, *const c_void) -> i32;
    build_info = "clGetProgramBuildInfo": fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    kernel = "clCreateKernel": fn(Handle, *const c_char, *mut i32) -> Handle;
    arg = "clSetKernelArg": fn(Handle, u32, usize, *const c_void) -> i32;
    buffer = "clCreateBuffer": fn(Handle, u64, usize, *const c_void, *mut i32) -> Handle;
    image = "clCreateImage": fn(
        Handle, u64, *const [u32; 2], *const ImageDesc, *const c_void, *mut i32) -> Handle;
    sampler = "clCreateSampler": fn(Handle, u32, u32, u32, *mut i32) -> Handle;
    read_image = "clEnqueueReadImage": fn(
        Handle, Handle, u32, *const usize, *const usize, usize, usize, *mut c_void, u32, *const Handle,
        *mut Handle) -> i32;
    release_sampler = "clReleaseSampler": fn(Handle) -> i32;
    launch = "clEnqueueNDRangeKernel": fn(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle) -> i32;
    read = "clEnqueueReadBuffer": fn(
        Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle) -> i32;
    finish = "clFinish": fn(Handle) -> i32;
    release_kernel = "clReleaseKernel": fn(Handle) -> i32;
    release_program = "clReleaseProgram": fn(Handle) -> i32;
    release_buffer = "clReleaseMemObject": fn(Handle) -> i32;
}

/// `cl_image_desc`.
#[repr(C)]
struct ImageDesc {
    kind: u32,
    width: usize,
    height: usize,
    depth: usize,
    layers: usize,
    pitches: [usize; 2],
    levels_and_samples: [u32; 2],
    buffer: Handle,
}

struct Device {
    loader: Loader,
    context: Handle,
    queue: Handle,
    device: Handle,
}

pub struct OpenCl(Rc<Device>);

impl OpenCl {
    /// The first device of the first platform whose name has `platform` in it.
    pub fn open(platform: &str) -> Result<OpenCl, String> {
        let loader = Loader::open()?;
        let mut ids = [null_mut(); 32];
        let mut count = 0;
        // SAFETY: the array has room for the number of entries that is passed; so for the calls below.
        check("clGetPlatformIDs", unsafe {
            (loader.platforms)(32, ids.as_mut_ptr(), &mut count)
        })?;
        let mut names = Vec::new();
        for id in &ids[..(count as usize).min(32)] {
            let mut name = [0u8; 256];
            // SAFETY: the buffer's size is passed.
            let code = unsafe {
                (loader.platform_info)(
                    *id,
                    PLATFORM_NAME,
                    255,
                    name.as_mut_ptr().cast(),
                    null_mut(),
                )
            };
            check("clGetPlatformInfo", code)?;
            let name =
                CStr::from_bytes_until_nul(&name).map_err(|_| "platform name without end")?;
            let name = name.to_string_lossy().into_owned();
            if !name.to_lowercase().contains(&platform.to_lowercase()) {
                names.push(name);
                continue;
            }
            let (mut device, mut code) = (null_mut(), 0);
            // SAFETY: room for one device; the handles come from the loader.
            check("clGetDeviceIDs", unsafe {
                (loader.devices)(*id, DEVICE_TYPE_ALL, 1, &mut device, null_mut())
            })?;
            // SAFETY: one device is passed, as the count says; no properties, no callback.
            let context =
                unsafe { (loader.context)(null(), 1, &device, null(), null(), &mut code) };
            check("clCreateContext", code)?;
            // SAFETY: valid handles.
            let queue = unsafe { (loader.queue)(context, device, 0, &mut code) };
            check("clCreateCommandQueue", code)?;
            return Ok(OpenCl(Rc::new(Device {
                loader,
                context,
                queue,
                device,
            })));
        }
        Err(format!("no platform named `{platform}` among {names:?}"))
    }
}

impl Executor for OpenCl {
    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String> {
        let device = &self.0;
        let options = CString::new(options).map_err(|_| "NUL in the options")?;
        let (text, length, mut code) = (source.as_ptr().cast::<c_char>(), source.len(), 0);
        // SAFETY: one string with its length.
        let program =
            unsafe { (device.loader.program)(device.context, 1, &text, &length, &mut code) };
        check("clCreateProgramWithSource", code)?;
        let built = Program {
            device: device.clone(),
            program,
        };
        // SAFETY: valid handles, one device, a C string, no callback.
        let code = unsafe {
            (device.loader.build)(program, 1, &device.device, options.as_ptr(), null(), null())
        };
        check("clBuildProgram", code).map_err(|error| format!("{error}\n{}", built.log()))?;
        Ok(Box::new(built))
    }
}

struct Program {
    device: Rc<Device>,
    program: Handle,
}

impl Program {
    fn log(&self) -> String {
        let mut log = vec![0u8; 65536];
        let mut size = 0;
        // SAFETY: the buffer's size is passed; the handles are valid.
        let code = unsafe {
            (self.device.loader.build_info)(
                self.program,
                self.device.device,
                PROGRAM_BUILD_LOG,
                log.len(),
                log.as_mut_ptr().cast(),
                &mut size,
            )
        };
        match code {
            0 => String::from_utf8_lossy(&log[..size.min(log.len())])
                .trim_end_matches('\0')
                .into(),
            _ => format!("no build log: error {code}"),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is ours and not used again.
        unsafe { (self.device.loader.release_program)(self.program) };
    }
}

impl Built for Program {
    fn run(&self, kernel: &str, args: &[ArgData], range: &Range) -> Result<Vec<Vec<u8>>, String> {
        let name = CString::new(kernel).map_err(|_| "NUL in the kernel's name")?;
        let mut code = 0;
        // SAFETY: a valid program and a C string.
        let kernel = unsafe { (self.device.loader.kernel)(self.program, name.as_ptr(), &mut code) };
        check("clCreateKernel", code)?;
        let mut buffers = Vec::new();
        let result = self.launch(kernel, args, range, &mut buffers);
        for buffer in buffers.into_iter().flatten() {
            // SAFETY: ours, and no command uses it any more: `launch` ends with clFinish.
            unsafe { (self.device.loader.release_buffer)(buffer) };
        }
        // SAFETY: ours, not used again.
        unsafe { (self.device.loader.release_kernel)(kernel) };
        result
    }
}

impl Program {
    fn launch(
        &self,
        kernel: Handle,
        args: &[ArgData],
        range: &Range,
        buffers: &mut Vec<Option<Handle>>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let Device {
            loader,
            context,
            queue,
            ..
        } = &*self.device;
        let mut code = 0;
        let mut samplers = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let mut buffer = None;
            let mut sampler = None;
            let (size, pointer) = match arg {
                ArgData::Buffer(bytes) => {
                    let flags = MEM_READ_WRITE | MEM_COPY_HOST_PTR;
                    // SAFETY: the pointer has as many bytes as the size says.
                    let handle = unsafe {
                        (loader.buffer)(
                            *context,
                            flags,
                            bytes.len(),
                            bytes.as_ptr().cast(),
                            &mut code,
                        )
                    };
                    check("clCreateBuffer", code)?;
                    (
                        size_of::<Handle>(),
                        buffer.insert(handle) as *const Handle as *const c_void,
                    )
                }
                ArgData::Image(ty, bytes) => {
                    let handle = self.image(ty, bytes)?;
                    (
                        size_of::<Handle>(),
                        buffer.insert(handle) as *const Handle as *const c_void,
                    )
                }
                ArgData::Sampler(bits) => {
                    let handle = self.sampler(*bits)?;
                    (
                        size_of::<Handle>(),
                        sampler.insert(handle) as *const Handle as *const c_void,
                    )
                }
                ArgData::Value(bytes) => (bytes.len(), bytes.as_ptr().cast()),
                ArgData::Local(size) => (*size, null()),
            };
            // SAFETY: the pointer has as many bytes as the size says, or is null for local memory.
            let code = unsafe { (loader.arg)(kernel, index as u32, size, pointer) };
            buffers.push(buffer);
            check(&format!("clSetKernelArg {index}"), code)?;
            samplers.extend(sampler);
        }
        let dimensions = range.global.len() as u32;
        // SAFETY: the three lists have `dimensions` entries each; no events.
        let code = unsafe {
            (loader.launch)(
                *queue,
                kernel,
                dimensions,
                range.offset.as_ptr(),
                range.global.as_ptr(),
                range.local.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        };
        check("clEnqueueNDRangeKernel", code)?;
        // SAFETY: a valid queue.
        check("clFinish", unsafe { (loader.finish)(*queue) })?;
        for sampler in samplers {
            // SAFETY: ours, and the only command that used it has ended.
            unsafe { (loader.release_sampler)(sampler) };
        }
        let read = |(arg, buffer): (&ArgData, &Option<Handle>)| {
            if let (ArgData::Image(ty, bytes), Some(image)) = (arg, buffer) {
                return self.read_image(*image, ty, bytes.len());
            }
            let (ArgData::Buffer(bytes), Some(buffer)) = (arg, buffer) else {
                return Ok(Vec::new());
            };
            let mut found = vec![0u8; bytes.len()];
            // SAFETY: a blocking read of the buffer's whole size into a vector of that size.
            let code = unsafe {
                (loader.read)(
                    *queue,
                    *buffer,
                    1,
                    0,
                    found.len(),
                    found.as_mut_ptr().cast(),
                    0,
                    null(),
                    null_mut(),
                )
            };
            check("clEnqueueReadBuffer", code).map(|()| found)
        };
        args.iter().zip(&*buffers).map(read).collect()
    }
}

impl Program {
    fn image(&self, ty: &ImageType, bytes: &[u8]) -> Result<Handle, String> {
        let [width, rows, slices] = ty.size;
        let (height, depth, layers) = match ty.kind {
            0x10f5 => (0, 0, rows),
            0x10f3 => (rows, 0, slices),
            _ => (rows, slices, 0),
        };
        let desc = ImageDesc {
            kind: ty.kind,
            width,
            height,
            depth,
            layers,
            pitches: [0; 2],
            levels_and_samples: [0; 2],
            buffer: null_mut(),
        };
        let (device, mut code) = (&*self.device, 0);
        // SAFETY: both structures have CL's layout; the texels are as many as they say, without gaps.
        let image = unsafe {
            (device.loader.image)(
                device.context,
                MEM_READ_WRITE | MEM_COPY_HOST_PTR,
                &[ty.order, ty.data_type],
                &desc,
                bytes.as_ptr().cast(),
                &mut code,
            )
        };
        check("clCreateImage", code).map(|()| image)
    }

    fn sampler(&self, bits: u32) -> Result<Handle, String> {
        // The addressing modes of CL_ADDRESS_ in the order of those of CLK_ADDRESS_.
        const ADDRESSING: [u32; 5] = [0x1130, 0x1131, 0x1132, 0x1133, 0x1134];
        let filter = if bits & 0x20 != 0 { 0x1141 } else { 0x1140 };
        let addressing = ADDRESSING[(bits >> 1 & 7) as usize % ADDRESSING.len()];
        let (device, mut code) = (&*self.device, 0);
        // SAFETY: a valid context.
        let sampler = unsafe {
            (device.loader.sampler)(device.context, bits & 1, addressing, filter, &mut code)
        };
        check("clCreateSampler", code).map(|()| sampler)
    }

    fn read_image(&self, image: Handle, ty: &ImageType, size: usize) -> Result<Vec<u8>, String> {
        let mut found = vec![0u8; size];
        let device = &*self.device;
        // SAFETY: a blocking read of the whole image, without gaps, into a vector of its size.
        let code = unsafe {
            (device.loader.read_image)(
                device.queue,
                image,
                1,
                [0; 3].as_ptr(),
                ty.size.as_ptr(),
                0,
                0,
                found.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        };
        check("clEnqueueReadImage", code).map(|()| found)
    }
}

fn check(what: &str, code: i32) -> Result<(), String> {
    if code == 0 {
        Ok(())
    } else {
        Err(format!("{what} answered {code}"))
    }
}
