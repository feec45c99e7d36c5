//! Entry points of programs: creating, building, compiling and linking. (Queries: `program_info`.)

use super::platform;
use super::ptr::{In, Out};
use super::shim;
use crate::cl::*;
use crate::compiler::Header;
use crate::compiler::unit::SourceUnit as Unit;
use crate::runtime::binary::Container;
use crate::runtime::context::Callback;
use crate::runtime::program::{Job, NotifyFn, Origin};
use crate::runtime::{Context, Device, Handle, Object, Program, object};

/// clCreateProgramWithSource.
pub fn create_with_source(
    context: cl_context,
    count: cl_uint,
    strings: In<In<c_char>>,
    lengths: In<usize>,
) -> Result<cl_program> {
    let context = object::lookup::<Context>(context)?;
    // "if count is zero or if strings or any entry in strings is NULL".
    if count == 0 || strings.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let lengths = lengths.list(count as usize);
    let mut source = Vec::new();
    for (i, string) in strings.list(count as usize).iter().enumerate() {
        // "If an element in lengths is zero, its accompanying string is null-terminated."
        let length = lengths.get(i).copied().unwrap_or(0);
        source.extend_from_slice(string.bytes(length).ok_or(Error::INVALID_VALUE)?);
    }
    // "The concatenation strips any nulls in the original source strings."
    source.retain(|&byte| byte != 0);
    let source = String::from_utf8(source)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok(Object::new(Program::from_source(context, source)).raw())
}

/// clCreateProgramWithBinary.
pub fn create_with_binary(
    context: cl_context,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    lengths: In<usize>,
    binaries: In<In<u8>>,
    binary_status: Out<cl_int>,
) -> Result<cl_program> {
    let context = object::lookup::<Context>(context)?;
    let devices = required_devices(&context, num_devices, device_list)?;
    // "if lengths or binaries is NULL or if any entry in lengths[i] is zero or binaries[i] is NULL".
    if lengths.is_null() || binaries.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut decoded = Vec::new();
    for (length, bytes) in lengths
        .list(devices.len())
        .into_iter()
        .zip(binaries.list(devices.len()))
    {
        decoded.push(if length == 0 || bytes.is_null() {
            Err(Error::INVALID_VALUE)
        } else {
            Container::decode(bytes.byte_slice(length))
        });
    }
    // "binary_status returns whether the program binary for each device was loaded successfully or not".
    let status: Vec<cl_int> = decoded
        .iter()
        .map(|one| one.as_ref().err().map_or(0, |error| error.code()))
        .collect();
    binary_status.put_list(status, devices.len());
    // There is one kind of device, so any of the binaries stands for all.
    let mut binary = Err(Error::INVALID_VALUE);
    for one in decoded {
        binary = Ok(one?);
    }
    Ok(Object::new(Program::from_binary(context, unique(devices), binary?)).raw())
}

/// clCreateProgramWithBuiltInKernels: the device has none.
pub fn create_with_built_in_kernels(
    context: cl_context,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
) -> Result<cl_program> {
    let context = object::lookup::<Context>(context)?;
    required_devices(&context, num_devices, device_list)?;
    // "if kernel_names is NULL or contains a kernel name that is not supported by any of the devices".
    Err(Error::INVALID_VALUE)
}

/// clCreateProgramWithIL: "if no devices in context support intermediate language programs".
pub fn create_with_il(context: cl_context) -> Result<cl_program> {
    object::lookup::<Context>(context)?;
    Err(Error::INVALID_OPERATION)
}

/// clRetainProgram.
pub fn retain(program: cl_program) -> Result<()> {
    object::retain::<Program>(program)
}

/// clReleaseProgram.
pub fn release(program: cl_program) -> Result<()> {
    object::release::<Program>(program).map(drop)
}

/// clBuildProgram.
pub fn build(
    program: cl_program,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    options: In<c_char>,
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> Result<()> {
    let program = object::lookup::<Program>(program)?;
    optional_devices(num_devices, device_list, |device| {
        program.has_device(device)
    })?;
    let notify = callback(notify, user_data)?;
    let options = text(options, Error::INVALID_BUILD_OPTIONS)?;
    // "if program was not created with clCreateProgramWithSource, -WithIL or -WithBinary".
    if program.origin == Origin::Link {
        return Err(Error::INVALID_OPERATION);
    }
    shim::check_memory_for_build()?;
    Program::start(&program, Job::Build, options, notify)
}

/// clCompileProgram.
#[expect(clippy::too_many_arguments, reason = "the C signature")]
pub fn compile(
    program: cl_program,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    options: In<c_char>,
    num_headers: cl_uint,
    input_headers: In<cl_program>,
    header_names: In<In<c_char>>,
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> Result<()> {
    let program = object::lookup::<Program>(program)?;
    optional_devices(num_devices, device_list, |device| {
        program.has_device(device)
    })?;
    // "if num_input_headers is zero and header_include_names or input_headers are not NULL", or the other way round.
    let none = num_headers == 0;
    if input_headers.is_null() != none || header_names.is_null() != none {
        return Err(Error::INVALID_VALUE);
    }
    let notify = callback(notify, user_data)?;
    let mut headers = Vec::new();
    let names = header_names.list(num_headers as usize);
    for (header, name) in input_headers
        .list(num_headers as usize)
        .into_iter()
        .zip(names)
    {
        let header = object::lookup::<Program>(header)?;
        // "if the context associated with program and programs in input_headers are not the same".
        if header.context.raw() != program.context.raw() {
            return Err(Error::INVALID_CONTEXT);
        }
        let name = name
            .c_str()
            .ok_or(Error::INVALID_VALUE)?
            .to_string_lossy()
            .into_owned();
        headers.push(Header {
            name,
            source: header.source.clone(),
        });
    }
    let options = text(options, Error::INVALID_COMPILER_OPTIONS)?;
    // "if program has no source or IL available".
    if program.origin != Origin::Source {
        return Err(Error::INVALID_OPERATION);
    }
    shim::check_memory_for_build()?;
    Program::start(&program, Job::Compile(headers), options, notify)
}

/// clLinkProgram.
#[expect(clippy::too_many_arguments, reason = "the C signature")]
pub fn link(
    context: cl_context,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    options: In<c_char>,
    num_programs: cl_uint,
    input_programs: In<cl_program>,
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> Result<(cl_program, Result<()>)> {
    let context = object::lookup::<Context>(context)?;
    let devices = optional_devices(num_devices, device_list, |device| {
        context.has_device(device)
    })?;
    // "if num_input_programs is zero", "if num_input_programs is not zero and input_programs is NULL".
    if num_programs == 0 || input_programs.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let notify = callback(notify, user_data)?;
    let mut units: Vec<Unit> = Vec::new();
    for program in input_programs.list(num_programs as usize) {
        let program = object::lookup::<Program>(program)?;
        if program.context.raw() != context.raw() {
            return Err(Error::INVALID_CONTEXT);
        }
        let state = program.build_state();
        // "the device contains a compiled binary or library", and its compilation has completed.
        let linkable = [
            CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            CL_PROGRAM_BINARY_TYPE_LIBRARY,
        ];
        if state.status == CL_BUILD_IN_PROGRESS || !linkable.contains(&u64::from(state.binary_type))
        {
            return Err(Error::INVALID_OPERATION);
        }
        units.extend(state.units.iter().cloned());
    }
    let options = text(options, Error::INVALID_LINKER_OPTIONS)?;
    let link = LinkOptions::parse(&options)?;
    let devices = if devices.is_empty() {
        context.devices.clone()
    } else {
        unique(devices)
    };
    shim::check_memory_for_build()?;
    let program = Object::new(Program::for_link(context, devices));
    let job = Job::Link {
        units,
        library: link.library,
    };
    let result = Program::start(&program, job, link.for_compiler, notify);
    program.build_state().options = options;
    match result {
        // The program object is returned after a failure, too: its build log says what went wrong.
        Ok(()) | Err(Error::LINK_PROGRAM_FAILURE) => Ok((program.raw(), result)),
        Err(error) => {
            object::release::<Program>(program.raw())?;
            Err(error)
        }
    }
}

/// The options of clLinkProgram.
struct LinkOptions {
    library: bool,
    /// Those that the compiler is to see as well.
    for_compiler: String,
}

impl LinkOptions {
    fn parse(options: &str) -> Result<LinkOptions> {
        const CODE: &[&str] = &[
            "-cl-denorms-are-zero",
            "-cl-no-signed-zeros",
            "-cl-unsafe-math-optimizations",
            "-cl-finite-math-only",
            "-cl-fast-relaxed-math",
        ];
        let (mut library, mut enable, mut code) = (false, false, Vec::new());
        for option in options.split_ascii_whitespace() {
            match option {
                "-create-library" => library = true,
                "-enable-link-options" => enable = true,
                // About sub-groups, which the device does not have.
                "-cl-no-subgroup-ifp" => {}
                _ if CODE.contains(&option) => code.push(option),
                _ => return Err(Error::INVALID_LINKER_OPTIONS),
            }
        }
        // "-enable-link-options must be specified with the create-library option".
        if enable && !library {
            return Err(Error::INVALID_LINKER_OPTIONS);
        }
        Ok(LinkOptions {
            library,
            for_compiler: code.join(" "),
        })
    }
}

/// clUnloadCompiler: a hint.
pub fn unload_compiler() -> Result<()> {
    platform::find(std::ptr::null_mut()).map(drop)
}

/// clSetProgramReleaseCallback: "if no devices support destructors for program scope global variables";
/// clSetProgramSpecializationConstant: "if no devices support intermediate language programs".
pub fn not_for_source(program: cl_program) -> Result<()> {
    object::lookup::<Program>(program)?;
    Err(Error::INVALID_OPERATION)
}

/// A device list that must be there, each device one of the context's.
fn required_devices(
    context: &Context,
    count: cl_uint,
    list: In<cl_device_id>,
) -> Result<Vec<Handle<Device>>> {
    // "if device_list is NULL or num_devices is zero".
    if list.is_null() || count == 0 {
        return Err(Error::INVALID_VALUE);
    }
    optional_devices(count, list, |device| context.has_device(device))
}

/// A device list that may be NULL, which stands for all devices (and gives an empty list).
fn optional_devices(
    count: cl_uint,
    list: In<cl_device_id>,
    is_known: impl Fn(&Handle<Device>) -> bool,
) -> Result<Vec<Handle<Device>>> {
    // "if device_list is NULL and num_devices is greater than zero", or the other way round.
    if list.is_null() != (count == 0) {
        return Err(Error::INVALID_VALUE);
    }
    let mut devices = Vec::new();
    for device in list.list(count as usize) {
        let device = object::lookup::<Device>(device)?;
        // "if any device in device_list is not in the list of devices associated with program".
        if !is_known(&device) {
            return Err(Error::INVALID_DEVICE);
        }
        devices.push(device);
    }
    Ok(devices)
}

fn unique(devices: Vec<Handle<Device>>) -> Vec<Handle<Device>> {
    let mut out: Vec<Handle<Device>> = Vec::new();
    for device in devices {
        if !out.iter().any(|other| other.raw() == device.raw()) {
            out.push(device);
        }
    }
    out
}

/// "if pfn_notify is NULL but user_data is not NULL".
fn callback(
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> Result<Option<Callback<NotifyFn>>> {
    if notify.is_none() && !user_data.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    Ok(notify.map(|function| Callback {
        function,
        user_data,
    }))
}

fn text(options: In<c_char>, otherwise: Error) -> Result<String> {
    let Some(options) = options.c_str() else {
        return Ok(String::new());
    };
    options.to_str().map(str::to_string).map_err(|_| otherwise)
}
