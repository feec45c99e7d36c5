//! Programs: source text or a binary, and what building, compiling or linking it gave.
//!
//! Invariants: `state` is never held while the compiler runs or while the application is called; while a build is in
//! progress its status is CL_BUILD_IN_PROGRESS and no other build starts.

use super::binary::Container;
use super::builder;
use super::clock;
use super::context::{Callback, Context};
use super::cost::Cost;
use super::device::Device;
use super::object::{Body, Handle};
use crate::cl::*;
use crate::compiler::link;
use crate::compiler::unit::SourceUnit as Unit;
use crate::compiler::{self, BuildError, Header, Known, cache};
use crate::observe::log::{self, Level};
use crate::sync::{Mutex, MutexGuard, gate};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// `pfn_notify` of clBuildProgram, clCompileProgram and clLinkProgram.
pub type NotifyFn = unsafe extern "C" fn(cl_program, *mut c_void);

pub struct Program {
    pub context: Handle<Context>,
    /// The devices that the program is for.
    pub devices: Vec<Handle<Device>>,
    pub origin: Origin,
    /// The text of [`Origin::Source`]; else empty.
    pub source: String,
    /// What [`Origin::Binary`] brought besides its units (see `compiler::Known`); else empty.
    image: Vec<u8>,
    state: Mutex<Build>,
}

/// How the program was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Source,
    Binary,
    Link,
}

/// The state of the program's last build, compilation or link.
pub struct Build {
    pub status: cl_build_status,
    pub options: String,
    pub log: String,
    pub binary_type: cl_program_binary_type,
    /// What kernels are made from: there after a build or link that succeeded.
    pub executable: Option<Arc<compiler::Program>>,
    /// What launches of its blocks took, by their names.
    block_costs: HashMap<String, Arc<Cost>>,
    /// What a binary of the program holds; empty when nothing was built.
    pub units: Vec<Unit>,
    /// The linker's options, if the units were linked to an executable.
    pub link: Option<String>,
    /// Whether work-groups must be uniform: the global size a multiple of the local size.
    pub uniform: bool,
    /// Kernel objects that use the executable (a new build is CL_INVALID_OPERATION meanwhile).
    pub kernels: usize,
}

/// What to do in [`Program::start`].
pub enum Job {
    /// clBuildProgram.
    Build,
    /// clCompileProgram with its headers.
    Compile(Vec<Header>),
    /// clLinkProgram of these units, to an executable or to a library.
    Link { units: Vec<Unit>, library: bool },
}

impl Job {
    fn name(&self) -> &'static str {
        match self {
            Job::Build => "build",
            Job::Compile(_) => "compile",
            Job::Link { .. } => "link",
        }
    }
}

impl Body for Program {
    const INVALID: Error = Error::INVALID_PROGRAM;
    const OUTLIVES_RELEASE: bool = true;
}

impl Program {
    /// clCreateProgramWithSource.
    pub fn from_source(context: Handle<Context>, source: String) -> Program {
        let devices = context.devices.clone();
        Program::new(context, devices, Origin::Source, source)
    }

    /// clCreateProgramWithBinary.
    pub fn from_binary(
        context: Handle<Context>,
        devices: Vec<Handle<Device>>,
        binary: Container,
    ) -> Program {
        let mut program = Program::new(context, devices, Origin::Binary, String::new());
        let state = program.state.get_mut();
        state.binary_type = binary.kind;
        state.units = binary.units;
        state.link = binary.link;
        program.image = binary.image;
        program
    }

    /// The program that clLinkProgram fills.
    pub fn for_link(context: Handle<Context>, devices: Vec<Handle<Device>>) -> Program {
        Program::new(context, devices, Origin::Link, String::new())
    }

    fn new(
        context: Handle<Context>,
        devices: Vec<Handle<Device>>,
        origin: Origin,
        source: String,
    ) -> Program {
        let state = Build {
            status: CL_BUILD_NONE,
            options: String::new(),
            log: String::new(),
            binary_type: NO_BINARY,
            executable: None,
            block_costs: HashMap::new(),
            units: Vec::new(),
            link: None,
            uniform: true,
            kernels: 0,
        };
        Program {
            context,
            devices,
            origin,
            source,
            image: Vec::new(),
            state: Mutex::new(state),
        }
    }

    /// The state of the last build. Short use only: no compiler and no callback under this lock.
    pub fn build_state(&self) -> MutexGuard<'_, Build> {
        self.state.lock()
    }

    pub fn has_device(&self, device: &Handle<Device>) -> bool {
        self.devices.iter().any(|other| other.raw() == device.raw())
    }

    /// The kernels' code. CL_INVALID_PROGRAM_EXECUTABLE when the last build did not give an executable.
    pub fn executable(&self) -> Result<Arc<compiler::Program>> {
        self.state
            .lock()
            .executable
            .clone()
            .ok_or(Error::INVALID_PROGRAM_EXECUTABLE)
    }

    /// What launches of a block took, which no kernel object of the application keeps.
    pub fn cost_of_block(&self, name: &str) -> Arc<Cost> {
        let mut state = self.state.lock();
        match state.block_costs.get(name) {
            Some(cost) => cost.clone(),
            None => state.block_costs.entry(name.into()).or_default().clone(),
        }
    }

    /// The bytes of CL_PROGRAM_BINARIES; empty when nothing was built. Waits for the machine code of an executable.
    pub fn binary(&self) -> Vec<u8> {
        let executable = self.state.lock().executable.clone();
        let image = executable.and_then(|program| program.image());
        let state = self.state.lock();
        if state.units.is_empty() || state.binary_type == NO_BINARY {
            return Vec::new();
        }
        let link = state.link.as_deref();
        Container::encode(
            state.binary_type,
            link,
            &state.units,
            &image.unwrap_or_default(),
        )
    }

    /// Builds, compiles or links. Without `notify` it returns when that is done, and its failure is the result; with
    /// it, the work goes on in the background and `notify` is called at its end.
    /// # Errors
    /// CL_INVALID_OPERATION while another build runs or while kernels are attached; else as the job.
    pub fn start(
        this: &Handle<Program>,
        job: Job,
        options: String,
        notify: Option<Callback<NotifyFn>>,
    ) -> Result<()> {
        let (units, link) = this.begin(&job, &options)?;
        let program = this.clone();
        let work =
            move || gate::inside(|| program.finish(&job, attempt(&program, &job, units, link)));
        let started = match notify {
            None => builder::run(work).and_then(|result| result),
            Some(notify) => {
                let handle = this.clone();
                builder::spawn(move || {
                    // Named, so that the closure takes the whole of it and not its pointer.
                    let notify = notify;
                    // The build status tells how it went.
                    let _ = work();
                    // SAFETY: the application's function, called as clBuildProgram specifies, no lock held.
                    unsafe { (notify.function)(handle.raw(), notify.user_data) }
                })
            }
        };
        if started == Err(Error::OUT_OF_HOST_MEMORY) {
            let mut state = this.state.lock();
            state.status = CL_BUILD_ERROR;
            state.log = "error: no thread for the compiler\n".into();
        }
        started
    }

    /// Marks the build as begun, and takes what it is made of: units, and the linker's options if they are to be linked.
    fn begin(&self, job: &Job, options: &str) -> Result<(Vec<Unit>, Option<String>)> {
        let mut state = self.state.lock();
        // "if the build by a previous call has not completed", "if there are kernel objects attached to program".
        if state.status == CL_BUILD_IN_PROGRESS || state.kernels > 0 {
            return Err(Error::INVALID_OPERATION);
        }
        let given = || Some(options.to_string());
        let (units, link) = match (job, self.origin) {
            (Job::Link { units, .. }, _) => (units.clone(), given()),
            (Job::Build, Origin::Source) => (vec![self.unit(options, &[])], None),
            (Job::Compile(headers), _) => (vec![self.unit(options, headers)], None),
            // A linked executable is linked again as it was; the units of a library are linked now.
            (Job::Build, _) => {
                let library = || given().filter(|_| state.units.len() > 1);
                (state.units.clone(), state.link.clone().or_else(library))
            }
        };
        state.status = CL_BUILD_IN_PROGRESS;
        state.options = options.to_string();
        state.log.clear();
        state.executable = None;
        state.block_costs.clear();
        Ok((units, link))
    }

    fn unit(&self, options: &str, headers: &[Header]) -> Unit {
        Unit::new(&self.source, options, headers)
    }

    /// Stores what the build gave.
    fn finish(&self, job: &Job, outcome: Outcome) -> Result<()> {
        let mut state = self.state.lock();
        state.log = outcome.log;
        match outcome.result {
            Ok(made) => {
                state.status = CL_BUILD_SUCCESS;
                state.binary_type = made.kind;
                state.executable = made.executable;
                let from_binary = self.origin == Origin::Binary;
                state.uniform = made
                    .units
                    .iter()
                    .any(|unit| is_uniform(&unit.options, from_binary));
                state.units = made.units;
                state.link = made.link;
                Ok(())
            }
            Err(error) => {
                state.status = CL_BUILD_ERROR;
                if self.origin != Origin::Binary {
                    state.binary_type = NO_BINARY;
                    state.units.clear();
                    state.link = None;
                }
                Err(match (error, job) {
                    (BuildError::InvalidOptions, Job::Build) => Error::INVALID_BUILD_OPTIONS,
                    (BuildError::InvalidOptions, Job::Compile(_)) => {
                        Error::INVALID_COMPILER_OPTIONS
                    }
                    (BuildError::InvalidOptions, Job::Link { .. }) => Error::INVALID_LINKER_OPTIONS,
                    (BuildError::Failed, Job::Build) => Error::BUILD_PROGRAM_FAILURE,
                    (BuildError::Failed, Job::Compile(_)) => Error::COMPILE_PROGRAM_FAILURE,
                    (BuildError::Failed, Job::Link { .. }) => Error::LINK_PROGRAM_FAILURE,
                })
            }
        }
    }
}

/// Whether a unit asks for uniform work-groups: by option, or because its source is of a language before OpenCL C 2.0
/// (which the specification counts for programs with a source only).
fn is_uniform(options: &str, from_binary: bool) -> bool {
    let mut options_of_unit = options.split_ascii_whitespace();
    let language = options
        .split_ascii_whitespace()
        .filter_map(|option| option.strip_prefix("-cl-std="))
        .next_back();
    let newer = language.is_some_and(|name| name.starts_with("CL2") || name.starts_with("CL3"));
    options_of_unit.any(|option| option == "-cl-uniform-work-group-size") || !(newer || from_binary)
}

const NO_BINARY: cl_program_binary_type = CL_PROGRAM_BINARY_TYPE_NONE as cl_program_binary_type;

struct Outcome {
    log: String,
    result: std::result::Result<Made, BuildError>,
}

struct Made {
    kind: cl_program_binary_type,
    executable: Option<Arc<compiler::Program>>,
    units: Vec<Unit>,
    link: Option<String>,
}

/// Does the job; a panic of the compiler is a failed build that is also told to the context.
fn attempt(program: &Program, job: &Job, units: Vec<Unit>, link: Option<String>) -> Outcome {
    let start = clock::nanoseconds();
    let sources = units.len();
    let outcome = match gate::is_lost() {
        Some(reason) => Outcome {
            log: format!("error: {reason}\n"),
            result: Err(BuildError::Failed),
        },
        None => guarded(program, job, units, link),
    };
    log::event(Level::Info, "build", |f| {
        f.add("job", job.name()).add("sources", sources);
        match &outcome.result {
            Ok(made) => {
                let kernels = made.executable.as_ref().map_or(0, |p| p.kernels.len());
                f.add("result", "ok").add("kernels", kernels);
            }
            Err(error) => {
                let error = format!("{error:?}");
                f.add("result", "failed").add("error", error);
                if let Some(line) = outcome.log.lines().find(|line| line.contains("error: ")) {
                    f.add("first", line);
                }
            }
        }
        f.add_ms("ms", clock::nanoseconds() - start);
    });
    outcome
}

fn guarded(program: &Program, job: &Job, units: Vec<Unit>, link: Option<String>) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| {
        perform(job, units, link, &program.image)
    }))
    .unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let log = format!("error: internal compiler error: {text}\n");
        program.context.report(&log);
        Outcome {
            log,
            result: Err(BuildError::Failed),
        }
    })
}

fn perform(job: &Job, mut units: Vec<Unit>, link: Option<String>, image: &[u8]) -> Outcome {
    // An object may be linked, and a binary built again, when its files are gone.
    units.iter_mut().for_each(Unit::read_files);
    let made = |kind: u64, executable, units, link| Made {
        kind: kind as cl_program_binary_type,
        executable,
        units,
        link,
    };
    match (job, units.as_slice()) {
        (Job::Compile(_), [unit]) => {
            let (log, result) = link::compile(unit);
            let made = |()| made(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, None, units, None);
            Outcome {
                log,
                result: result.map(made),
            }
        }
        (Job::Link { library: true, .. }, _) => Outcome {
            log: String::new(),
            result: Ok(made(CL_PROGRAM_BINARY_TYPE_LIBRARY, None, units, None)),
        },
        _ => {
            let known = Known {
                cache: Some(cache::of_user()),
                image: Some(image),
            };
            let output = compiler::build_known(&units, link.as_deref(), &known);
            let kind = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
            let made = |program| made(kind, Some(program), units, link);
            Outcome {
                log: output.log,
                result: output.result.map(made),
            }
        }
    }
}
