//! The executor that calls a kernel's machine code directly, group after group on this thread, without the runtime.
//! Programs of several widths share one run of the front end.

use super::executor::{ArgData, Built, Executor, Range};
use super::interp::{ndrange, with_stack};
use clotho::compiler::abi::{BASE_ALIGN, Group, ImageDescriptor, Launch};
use clotho::compiler::deferred::{TABLE_BYTES, Table};
use clotho::compiler::stages::Linked;
use clotho::compiler::{self, Program};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

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
        Ok(Box::new(Code(program)))
    }
}

/// A program whose kernels are called.
pub struct Code(pub Arc<Program>);

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
        let kernel = (self.0.kernels.iter())
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
        let kernel = &kernel.for_objects(&objects)?;
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
                    local_size = (local_size + size).next_multiple_of(BASE_ALIGN);
                    offset.to_ne_bytes().to_vec()
                }
            };
            if !matches!(arg, ArgData::Buffer(_) | ArgData::Image(..)) {
                buffers.push(None);
            }
            let at = block.start + param.offset;
            block.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        let range = ndrange(range);
        let code = kernel.code(range.offset[0], range.global, range.local);
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
