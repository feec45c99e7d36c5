//! The executor that calls a kernel's machine code directly, group after group on this thread, without the runtime.
//! Programs of several widths share one run of the front end. A launch runs once more in each other form that its kernel has for
//! it, whether or not that pays: with groups joined, with groups of a known size, with stores that go around the caches. The first
//! that leaves something else is what a launch gives.

use super::executor::{ArgData, Built, Executor, Range};
use super::interp::{ndrange, with_stack};
use clotho::compiler::abi::{BASE_ALIGN, Group, ImageDescriptor, Launch};
use clotho::compiler::deferred::{TABLE_BYTES, Table};
use clotho::compiler::stages::Linked;
use clotho::compiler::{self, COPY_ALIGN, Groups, Kernel, Program, Shape};
use clotho::ir::interp::NdRange;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The units of one source by their options.
pub type Units = Mutex<HashMap<String, Arc<Linked>>>;

pub enum MachineCode<'u> {
    /// What clBuildProgram makes, with a width of the compiler's choice.
    Chosen,
    /// With this many work-items in one pass.
    By(u16, &'u Units),
}

impl Executor for MachineCode<'_> {
    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String> {
        let chosen = matches!(self, MachineCode::Chosen);
        let program = with_stack(|| match self {
            MachineCode::Chosen => {
                let output = compiler::build(source, options, &[]);
                output.result.map_err(|_| output.log)
            }
            MachineCode::By(width, units) => {
                let mut units = units.lock().map_err(|error| error.to_string())?;
                let unit = match units.get(options) {
                    Some(unit) => unit.clone(),
                    None => Arc::new(Linked::new(source, options)?),
                };
                units.insert(options.to_string(), unit.clone());
                unit.program(*width).map(Arc::new)
            }
        })?;
        Ok(Box::new(Code {
            streams: chosen,
            ..Code::new(program)
        }))
    }
}

/// A program whose kernels are called.
pub struct Code {
    program: Arc<Program>,
    /// Launches run once more by code whose stores go around the caches, where there is such code.
    streams: bool,
}

/// Nothing is enqueued.
unsafe extern "C" fn no_device(_: *const Launch, _: u32, _: *const u64, _: u32) -> u64 {
    0
}

unsafe extern "C" fn no_printf(_: *const Launch, _: *const u8, _: *const u64, _: u32) {}
unsafe extern "C" fn no_divergence(_: *const Group, _: u32, _: u32, _: u32, _: u32, _: *const u32) {
}

/// Bytes at an address that the ABI's alignment allows.
struct Block {
    bytes: Vec<u8>,
    start: usize,
}

impl Block {
    fn new(size: usize) -> Self {
        let bytes = vec![0u8; size + BASE_ALIGN];
        let start = bytes.as_ptr().align_offset(BASE_ALIGN);
        Self { bytes, start }
    }

    fn address(&mut self) -> *mut u8 {
        self.bytes[self.start..].as_mut_ptr()
    }
}

impl Built for Code {
    fn run(&self, kernel: &str, args: &[ArgData], range: &Range) -> Result<Vec<Vec<u8>>, String> {
        let found = self.run_groups(kernel, args, range, &How::default())?;
        // A second launch finds the program's variables as the first one left them.
        if self.program.variables_size() > 0 {
            return Ok(found);
        }
        let joined = self.shape(kernel, args, range).map(Groups::Joined);
        let tailored = joined.into_iter().chain(self.size(kernel, range));
        for groups in std::iter::once(None).chain(tailored.map(Some)) {
            for streaming in [false, true] {
                let how = How {
                    groups: groups.clone(),
                    streaming,
                };
                if how == How::default() || (streaming && !self.streams) {
                    continue;
                }
                let other = self.run_groups(kernel, args, range, &how)?;
                // Whether that matters, who knows what is expected will tell: structs have bytes that mean nothing.
                if other != found {
                    return Ok(other);
                }
            }
        }
        Ok(found)
    }
}

/// How groups run.
#[derive(Default, PartialEq)]
struct How {
    /// By code that is made for them.
    groups: Option<Groups>,
    /// By code whose stores go around the caches, if there is some.
    streaming: bool,
}

/// As long as may pass until such code is there.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for code whose stores go around the caches.
fn streaming<'k>(kernel: &'k Kernel, range: &NdRange) -> Result<&'k compiler::Code, String> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(code) = kernel.streaming(range.offset[0], range.global, range.local) {
            return Ok(code);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err("code that streams is never made".into())
}

impl Code {
    pub fn new(program: Arc<Program>) -> Self {
        let streams = false;
        Self { program, streams }
    }

    /// The size of all groups of a launch, if there is something to gain by knowing it.
    fn size(&self, kernel: &str, range: &Range) -> Option<Groups> {
        let kernel = self.program.kernels.iter().find(|k| k.name == kernel)?;
        let range = ndrange(range);
        kernel.sized_groups(range.offset[0], range.global, range.local)
    }

    /// How groups of a launch are joined: as far as sizes allow, by four in x and two in y.
    fn shape(&self, kernel: &str, args: &[ArgData], range: &Range) -> Option<Shape> {
        let kernel = self.program.kernels.iter().find(|k| k.name == kernel)?;
        let range = ndrange(range);
        let ([x, y, z], global) = (range.local, range.global);
        let lanes = u64::from(kernel.full_rows);
        let fits = z == 1
            && lanes > 0
            && x.is_multiple_of(lanes)
            && x.is_power_of_two()
            && y.is_power_of_two()
            && range.offset[0] + global[0] <= 1 << 31;
        if !fits || !kernel.sharing.joins {
            return None;
        }
        let most = |local: u64, global: u64, most: u64| {
            let counts = std::iter::successors(Some(most), |n| Some(n / 2));
            let mut counts = counts.take_while(|&n| n > 1);
            counts
                .find(|n| global.is_multiple_of(local * n))
                .unwrap_or(1)
        };
        let groups = [most(x, global[0], 4) as u32, most(y, global[1], 2) as u32];
        let local = |arg: &ArgData| match arg {
            ArgData::Local(size) => Some(*size as u64),
            _ => None,
        };
        (groups != [1, 1]).then(|| Shape {
            local: [x as u32, y as u32],
            groups,
            local_args: args.iter().filter_map(local).collect(),
        })
    }

    fn run_groups(
        &self,
        kernel: &str,
        args: &[ArgData],
        range: &Range,
        how: &How,
    ) -> Result<Vec<Vec<u8>>, String> {
        let kernel = (self.program.kernels.iter())
            .find(|k| k.name == kernel)
            .ok_or("no such kernel")?;
        let objects: Vec<u32> = args
            .iter()
            .filter_map(|arg| match arg {
                ArgData::Image(ty, bytes) => Some(ty.descriptor(0, bytes.len()).format),
                ArgData::Sampler(bits) => Some(*bits),
                _ => None,
            })
            .collect();
        let mut kernel = &kernel.for_objects(&objects)?;
        let tailored;
        let mut groups = [1, 1];
        if let Some(of) = &how.groups {
            tailored = kernel.tailor(of)?;
            kernel = &tailored;
            if let Groups::Joined(shape) = of {
                groups = shape.groups;
            }
        }
        let [joined_x, joined_y] = groups;
        if kernel.params.len() != args.len() {
            return Err("wrong number of arguments".into());
        }
        let mut block = Block::new(kernel.args_size);
        let mut local_size = kernel.local_mem_size.next_multiple_of(BASE_ALIGN);
        let mut buffers = Vec::new();
        // Their addresses are arguments.
        let mut descriptors: Vec<Box<ImageDescriptor>> = Vec::new();
        for (param, arg) in kernel.params.iter().zip(args) {
            let bytes = match arg {
                ArgData::Value(bytes) if bytes.len() != param.size => {
                    return Err(format!("argument '{}' has another size", param.name));
                }
                ArgData::Value(bytes) => bytes.clone(),
                ArgData::Buffer(bytes) | ArgData::Image(_, bytes) => {
                    let mut buffer = Block::new(bytes.len());
                    let start = buffer.start;
                    buffer.bytes[start..start + bytes.len()].copy_from_slice(bytes);
                    let mut address = buffer.address() as u64;
                    buffers.push(Some((buffer, bytes.len())));
                    if let ArgData::Image(ty, _) = arg {
                        let descriptor = Box::new(ty.descriptor(address, bytes.len()));
                        address = std::ptr::from_ref(&*descriptor) as u64;
                        descriptors.push(descriptor);
                    }
                    address.to_ne_bytes().to_vec()
                }
                ArgData::Sampler(bits) => bits.to_ne_bytes().to_vec(),
                ArgData::Local(size) => {
                    let offset = local_size as u64;
                    let copies = (joined_x * joined_y) as usize;
                    local_size += size.next_multiple_of(BASE_ALIGN.max(COPY_ALIGN)) * copies;
                    offset.to_ne_bytes().to_vec()
                }
            };
            if !matches!(arg, ArgData::Buffer(_) | ArgData::Image(..)) {
                buffers.push(None);
            }
            let at = block.start + param.offset;
            block.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        let mut range = ndrange(range);
        range.local[0] *= u64::from(joined_x);
        range.local[1] *= u64::from(joined_y);
        let mut code = kernel.code(range.offset[0], range.global, range.local);
        if how.streaming && kernel.may_stream(range.offset[0], range.global, range.local) {
            code = streaming(kernel, &range)?;
        }
        let entry = code.entry()?;
        let items = range.local.iter().product::<u64>() as usize;
        let scratch_size = kernel.scratch_fixed + kernel.scratch_per_item * items;
        let mut scratch = Block::new(scratch_size);
        let mut local = Block::new(local_size);
        let launch = Launch {
            global_offset: range.offset,
            global_size: range.global,
            local_size: range.local,
            num_groups: range.num_groups(),
            work_dim: u64::from(range.dims),
            printf: no_printf,
            divergence: no_divergence,
            device: no_device,
            user: std::ptr::null_mut(),
        };
        // SAFETY: of the kernel's own size; nobody else uses it.
        let table = |what| unsafe { Table::new(scratch.address(), what) };
        let table = kernel.deferred.map(table);
        let kept = scratch.start + table.map_or(0, |_| TABLE_BYTES);
        let [nx, ny, nz] = range.num_groups();
        for id in 0..nx * ny * nz {
            let group_id = [id % nx, id / nx % ny, id / nx / ny];
            // What is left in memory of the last group must not matter.
            local.bytes.fill(0xcd);
            scratch.bytes[kept..].fill(0xcd);
            let group = Group {
                launch: &launch,
                group_id,
                local_size: std::array::from_fn(|d| {
                    range.local[d].min(range.global[d] - group_id[d] * range.local[d])
                }),
                scratch: scratch.address(),
                local: local.address(),
                scratch_bytes: scratch_size as u64,
                local_bytes: local_size as u64,
            };
            // SAFETY: the argument block and the group are laid out as `abi` says; the interpreter shows for every
            // test that the kernel stays inside its memory.
            unsafe { entry(block.address(), &group) };
        }
        if let Some(table) = table {
            // SAFETY: as for the calls.
            unsafe { table.flush() };
        }
        let bytes = |buffer: Option<(Block, usize)>| match buffer {
            Some((block, len)) => block.bytes[block.start..block.start + len].to_vec(),
            None => Vec::new(),
        };
        Ok(buffers.into_iter().map(bytes).collect())
    }
}
