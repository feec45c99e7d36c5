//! Program binaries: what clCreateProgramWithBinary takes, made by the calls that an application would make.
//!
//! `emit` is clBuildProgram, `compile` clCompileProgram, `link` clLinkProgram; the bytes are those of CL_PROGRAM_BINARIES.

use super::library::{InfoFn, Library, ask, check};
use clotho::cl::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::result::Result;

/// A context of the library's device, in which programs are made.
pub struct Maker {
    library: Library,
    device: cl_device_id,
    context: cl_context,
}

type Notify = Option<unsafe extern "C" fn(cl_program, *mut c_void)>;

impl Maker {
    pub fn new(library: Library) -> Result<Maker, String> {
        type Create = unsafe extern "C" fn(
            *const cl_context_properties,
            cl_uint,
            *const cl_device_id,
            *const c_void,
            *mut c_void,
            *mut cl_int,
        ) -> cl_context;
        let device = library.device()?;
        let mut status = 0;
        // SAFETY: the type is the specification's; one device is given, and no callback.
        let context = unsafe {
            let create: Create = library.function("clCreateContext")?;
            create(null(), 1, &device, null(), null_mut(), &mut status)
        };
        check("clCreateContext", status)?;
        Ok(Maker {
            library,
            device,
            context,
        })
    }

    /// An executable: the source with its machine code.
    pub fn build(&self, source: &str, options: &str) -> Result<Vec<u8>, String> {
        type Build = unsafe extern "C" fn(
            cl_program,
            cl_uint,
            *const cl_device_id,
            *const c_char,
            Notify,
            *mut c_void,
        ) -> cl_int;
        let program = self.create(source)?;
        let options = c_string(options)?;
        // SAFETY: the type is the specification's; the program and the text live during the call.
        let status = unsafe {
            let build: Build = self.library.function("clBuildProgram")?;
            build(program, 0, null(), options.as_ptr(), None, null_mut())
        };
        self.made("clBuildProgram", program, status)
    }

    /// A compiled object, for [`Maker::link`].
    pub fn compile(&self, source: &str, options: &str) -> Result<Vec<u8>, String> {
        type Compile = unsafe extern "C" fn(
            cl_program,
            cl_uint,
            *const cl_device_id,
            *const c_char,
            cl_uint,
            *const cl_program,
            *const *const c_char,
            Notify,
            *mut c_void,
        ) -> cl_int;
        let program = self.create(source)?;
        let options = c_string(options)?;
        // SAFETY: the type is the specification's; the program and the text live during the call; no headers are given.
        let status = unsafe {
            let compile: Compile = self.library.function("clCompileProgram")?;
            compile(
                program,
                0,
                null(),
                options.as_ptr(),
                0,
                null(),
                null(),
                None,
                null_mut(),
            )
        };
        self.made("clCompileProgram", program, status)
    }

    /// An executable, or with `-create-library` a library, of objects and libraries, each with its name for messages.
    pub fn link(&self, objects: &[(&str, Vec<u8>)], options: &str) -> Result<Vec<u8>, String> {
        type Link = unsafe extern "C" fn(
            cl_context,
            cl_uint,
            *const cl_device_id,
            *const c_char,
            cl_uint,
            *const cl_program,
            Notify,
            *mut c_void,
            *mut cl_int,
        ) -> cl_program;
        let programs = objects.iter().map(|(name, bytes)| self.load(name, bytes));
        let programs = programs.collect::<Result<Vec<cl_program>, String>>()?;
        let options = c_string(options)?;
        let count = cl_uint::try_from(programs.len()).map_err(|e| e.to_string())?;
        let mut status = 0;
        // SAFETY: the type is the specification's; the programs and the text live during the call.
        let program = unsafe {
            let link: Link = self.library.function("clLinkProgram")?;
            link(
                self.context,
                0,
                null(),
                options.as_ptr(),
                count,
                programs.as_ptr(),
                None,
                null_mut(),
                &mut status,
            )
        };
        self.made("clLinkProgram", program, status)
    }

    fn create(&self, source: &str) -> Result<cl_program, String> {
        type Create = unsafe extern "C" fn(
            cl_context,
            cl_uint,
            *const *const c_char,
            *const usize,
            *mut cl_int,
        ) -> cl_program;
        let (text, length, mut status) = (source.as_ptr().cast(), source.len(), 0);
        // SAFETY: the type is the specification's; the text has this length.
        let program = unsafe {
            let create: Create = self.library.function("clCreateProgramWithSource")?;
            // A length of 0 would say that the text ends with a NUL.
            match length {
                0 => create(self.context, 1, &c"".as_ptr(), &0, &mut status),
                _ => create(self.context, 1, &text, &length, &mut status),
            }
        };
        check("clCreateProgramWithSource", status)?;
        Ok(program)
    }

    fn load(&self, name: &str, bytes: &[u8]) -> Result<cl_program, String> {
        type Create = unsafe extern "C" fn(
            cl_context,
            cl_uint,
            *const cl_device_id,
            *const usize,
            *const *const u8,
            *mut cl_int,
            *mut cl_int,
        ) -> cl_program;
        let (length, start, mut status) = (bytes.len(), bytes.as_ptr(), 0);
        // SAFETY: the type is the specification's; the binary has this length.
        let program = unsafe {
            let create: Create = self.library.function("clCreateProgramWithBinary")?;
            create(
                self.context,
                1,
                &self.device,
                &length,
                &start,
                null_mut(),
                &mut status,
            )
        };
        check(name, status)?;
        Ok(program)
    }

    /// The binary of a program, whose build log goes to standard error.
    fn made(&self, what: &str, program: cl_program, status: cl_int) -> Result<Vec<u8>, String> {
        if !program.is_null() {
            eprint!("{}", self.log(program)?);
        }
        check(what, status)?;
        // SAFETY: the type is the specification's.
        let query: InfoFn = unsafe { self.library.function("clGetProgramInfo")? };
        let sizes = ask(query, program, CL_PROGRAM_BINARY_SIZES);
        let size = sizes.ok().and_then(|bytes| bytes.try_into().ok());
        let size = size.map_or(0, usize::from_ne_bytes);
        let mut binary = vec![0u8; size];
        let mut room = binary.as_mut_ptr();
        // SAFETY: the program has one device, so one pointer is wanted, to as much room as the binary needs.
        let status = unsafe {
            query(
                program,
                CL_PROGRAM_BINARIES,
                size_of::<*mut u8>(),
                (&raw mut room).cast(),
                null_mut(),
            )
        };
        check("clGetProgramInfo", status)?;
        Ok(binary)
    }

    fn log(&self, program: cl_program) -> Result<String, String> {
        type Query = unsafe extern "C" fn(
            cl_program,
            cl_device_id,
            cl_uint,
            usize,
            *mut c_void,
            *mut usize,
        ) -> cl_int;
        let mut size = 0;
        // SAFETY: the type is the specification's; the first call asks for the size, the second has room for as much.
        let (status, bytes) = unsafe {
            let query: Query = self.library.function("clGetProgramBuildInfo")?;
            let ask = |size, bytes, size_ret| {
                query(
                    program,
                    self.device,
                    CL_PROGRAM_BUILD_LOG,
                    size,
                    bytes,
                    size_ret,
                )
            };
            check("clGetProgramBuildInfo", ask(0, null_mut(), &mut size))?;
            let mut bytes = vec![0u8; size];
            (ask(size, bytes.as_mut_ptr().cast(), null_mut()), bytes)
        };
        check("clGetProgramBuildInfo", status)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.trim_end_matches('\0').to_string())
    }
}

fn c_string(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|e| e.to_string())
}
