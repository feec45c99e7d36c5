//! The executors that interpret: a kernel work-item by work-item as the front end made it (the oracle), or the group
//! function that the work-group compiler made of it.

use super::executor::{ArgData, Built, Executor, Range};
use super::image;
use clotho::compiler::STACK_SIZE;
use clotho::compiler::stages::{self, GroupFunction};
use clotho::ir::interp::{Arg, BufferId, Machine, NdRange, Scratch};
use clotho::ir::{FuncId, Module};

const STEP_LIMIT: u64 = 1 << 32;

pub enum Interp {
    /// Per work-item.
    Items,
    /// After the work-group compiler.
    Groups,
}

impl Executor for Interp {
    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String> {
        let program = match self {
            Interp::Items => Program::items(with_stack(|| stages::linked(source, options))?),
            Interp::Groups => {
                let (module, list) = with_stack(|| stages::group(source, options))?;
                Program::groups(module, &list)
            }
        };
        Ok(Box::new(program))
    }
}

/// Runs `f` on a thread with the stack that the compiler needs.
pub fn with_stack<T: Send>(f: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, f)
            .map_err(|error| error.to_string())?
            .join()
            .map_err(|_| "the compiler panicked".to_string())?
    })
}

/// Kernels to be interpreted.
pub struct Program {
    module: Module,
    /// The kernel, what runs for it, and its scratch.
    kernels: Vec<(FuncId, FuncId, Scratch)>,
    /// Instructions that one launch may run.
    pub step_limit: u64,
}

impl Program {
    /// As the front end made them.
    pub fn items(module: Module) -> Self {
        let kernels = module.kernels().map(|id| (id, id, Scratch::default()));
        Self {
            kernels: kernels.collect(),
            module,
            step_limit: STEP_LIMIT,
        }
    }

    pub fn groups(module: Module, list: &[GroupFunction]) -> Self {
        let kernels = list.iter().map(|g| {
            let scratch = Scratch {
                fixed: g.scratch_fixed,
                per_item: g.scratch_per_item,
            };
            (g.kernel, g.group, scratch)
        });
        Self {
            kernels: kernels.collect(),
            module,
            step_limit: STEP_LIMIT,
        }
    }
}

impl Built for Program {
    fn run(&self, kernel: &str, args: &[ArgData], range: &Range) -> Result<Vec<Vec<u8>>, String> {
        let id = self.module.find(kernel).ok_or("no such kernel")?;
        let &(_, run, scratch) = (self.kernels.iter())
            .find(|(kernel, ..)| *kernel == id)
            .ok_or("no such kernel")?;
        let mut machine = Machine::new(&self.module);
        machine.set_step_limit(self.step_limit);
        let buffers: Vec<Option<BufferId>> = args
            .iter()
            .map(|arg| match arg {
                ArgData::Buffer(bytes) | ArgData::Image(_, bytes) => {
                    Some(machine.add_buffer(bytes.clone()))
                }
                ArgData::Value(_) | ArgData::Local(_) | ArgData::Sampler(_) => None,
            })
            .collect();
        let descriptors: Vec<Option<BufferId>> = args
            .iter()
            .zip(&buffers)
            .map(|(arg, buffer)| match (arg, buffer) {
                (ArgData::Image(ty, texels), Some(buffer)) => {
                    let address = machine.address(*buffer, 0);
                    let descriptor = ty.descriptor(address, texels.len());
                    Some(machine.add_buffer(image::bytes(&descriptor)))
                }
                _ => None,
            })
            .collect();
        let samplers: Vec<[u8; 4]> = args
            .iter()
            .map(|arg| match arg {
                ArgData::Sampler(bits) => bits.to_le_bytes(),
                _ => [0; 4],
            })
            .collect();
        let values: Vec<Arg> = args
            .iter()
            .zip(buffers.iter().zip(&descriptors))
            .zip(&samplers)
            .map(|((arg, buffers), sampler)| match (arg, buffers) {
                (_, (_, Some(descriptor))) => Arg::Buffer(*descriptor, 0),
                (_, (Some(id), _)) => Arg::Buffer(*id, 0),
                (ArgData::Local(size), _) => Arg::Local(*size as u64),
                (ArgData::Sampler(_), _) => Arg::Bytes(sampler),
                (ArgData::Value(bytes) | ArgData::Buffer(bytes) | ArgData::Image(_, bytes), _) => {
                    Arg::Bytes(bytes)
                }
            })
            .collect();
        machine
            .launch_with_scratch(run, &values, &ndrange(range), scratch)
            .map_err(|fault| fault.to_string())?;
        let result = |id: Option<BufferId>| id.map_or(Vec::new(), |id| machine.buffer(id).to_vec());
        Ok(buffers.into_iter().map(result).collect())
    }
}

pub fn ndrange(range: &Range) -> NdRange {
    let wide = |list: &[usize]| -> Vec<u64> { list.iter().map(|&n| n as u64).collect() };
    let mut out = NdRange::new(&wide(&range.global), &wide(&range.local));
    for (to, from) in out.offset.iter_mut().zip(&range.offset) {
        *to = *from as u64;
    }
    out
}
