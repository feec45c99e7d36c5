//! Runs a group function as machine code, group after group on this thread.

use clotho::codegen::{Options, emit, load};
use clotho::ir::abi::{Group, Launch};
use clotho::ir::deferred::{Deferred, Table};
use clotho::ir::interp::{NdRange, Scratch};
use clotho::ir::{FuncId, Module};

/// Nothing is enqueued.
unsafe extern "C" fn no_device(_: *const Launch, _: u32, _: *const u64, _: u32) -> u64 {
    0
}

unsafe extern "C" fn no_printf(_: *const Launch, _: *const u8, _: *const u64, _: u32) {}
unsafe extern "C" fn no_divergence(_: *const Group, _: u32, _: u32, _: u32, _: u32, _: *const u32) {
}

/// 128-byte aligned bytes.
struct Block {
    bytes: Vec<[u64; 16]>,
}

impl Block {
    fn new(size: usize) -> Self {
        Self {
            bytes: vec![[0; 16]; size.div_ceil(128) + 1],
        }
    }

    fn address(&mut self) -> *mut u8 {
        let start: *mut u8 = self.bytes.as_mut_ptr().cast();
        // SAFETY: one more piece of 128 bytes was allocated than is used.
        unsafe { start.add(start.align_offset(128)) }
    }
}

/// A group function and what it runs on. Its arguments are `out`, `input`, `n` and `f`.
pub struct Job<'a> {
    pub module: &'a Module,
    pub group: FuncId,
    pub optimize: bool,
    pub scratch: Scratch,
    pub deferred: Option<Deferred>,
    pub input: &'a [u8],
    pub out_size: usize,
    pub n: i32,
    pub f: f32,
    pub range: &'a NdRange,
}

/// What `out` holds afterwards.
pub fn run(job: &Job) -> Result<Vec<u8>, String> {
    let (module, range) = (job.module, job.range);
    let options = Options {
        optimize: job.optimize,
        ..Options::default()
    };
    let body = module.body(job.group).ok_or("no group function")?;
    let name = body.name.clone();
    let (_, local_size) = body.local_layout();
    let loaded = load(&emit(module, &options)?)?;
    let entry = loaded.lookup(&name)?;
    let items: u64 = range.local.iter().product();
    let mut scratch = Block::new((job.scratch.fixed + job.scratch.per_item * items) as usize);
    let mut local = Block::new(local_size as usize);
    let (mut out, mut data) = (Block::new(job.out_size), Block::new(job.input.len()));
    // SAFETY: the block has room for the input.
    unsafe {
        data.address()
            .copy_from_nonoverlapping(job.input.as_ptr(), job.input.len())
    };
    let mut args = [0u8; 24];
    args[0..8].copy_from_slice(&(out.address() as u64).to_ne_bytes());
    args[8..16].copy_from_slice(&(data.address() as u64).to_ne_bytes());
    args[16..20].copy_from_slice(&job.n.to_ne_bytes());
    args[20..24].copy_from_slice(&job.f.to_ne_bytes());
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
    // SAFETY: of the function's own size; nobody else uses it.
    let table = |what| unsafe { Table::new(scratch.address(), what) };
    let table = job.deferred.map(table);
    let [nx, ny, nz] = range.num_groups();
    for id in 0..nx * ny * nz {
        let group_id = [id % nx, id / nx % ny, id / nx / ny];
        // The interpreter's local memory starts as zero.
        local.bytes.fill([0; 16]);
        let group = Group {
            launch: &launch,
            group_id,
            local_size: std::array::from_fn(|d| {
                range.local[d].min(range.global[d] - group_id[d] * range.local[d])
            }),
            scratch: scratch.address(),
            local: local.address(),
            scratch_bytes: 0,
            local_bytes: 0,
        };
        // SAFETY: the argument block and the group are laid out as `abi` says, and the interpreter has shown that the
        // kernel stays inside its memory.
        unsafe { entry(args.as_ptr(), &group) };
    }
    if let Some(table) = table {
        // SAFETY: as for the calls.
        unsafe { table.flush() };
    }
    // SAFETY: the block is at least that long.
    Ok(unsafe { std::slice::from_raw_parts(out.address(), job.out_size) }.to_vec())
}
