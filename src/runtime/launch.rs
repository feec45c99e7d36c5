//! One NDRange on its way through the pool: a kernel, its frozen arguments, and the work-groups not taken yet.
//!
//! Work-groups are numbered along x first. Threads take runs of them from an atomic counter ([`Parts`]) and call the
//! machine code once for each, with scratch and local memory of their own. Sources: OpenCL API 5.8 "Executing
//! Kernels" and 3.2 "Execution Model" (remainder work-groups); `ir/abi.rs` for what machine code gets.
//!
//! Invariant: whatever the host thread's floating-point mode is, kernels run with the default one.

use super::arena::{Arena, Memory};
use super::children::Family;
use super::context::Context;
use super::cost::Cost;
use super::hooks;
use super::kernel::BoundArgs;
use super::object::Handle;
use super::stream;
use super::tailoring;
use super::transfer::Held;
use super::watchdog;
use crate::cl::{Error, Result};
use crate::compiler;
use crate::compiler::abi::{Group, GroupFn, Launch, Merging, Tiles};
use crate::compiler::deferred::Table;
use crate::sync::Mutex;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The index space of a launch, in work-items. Unused dimensions have size 1 and offset 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// 1 to 3.
    pub dimensions: u32,
    pub offset: [usize; 3],
    pub global: [usize; 3],
    /// At least 1 in each dimension; need not divide `global`.
    pub local: [usize; 3],
}

/// An index space as an application asks for it, unchecked but for the number of dimensions. Unused dimensions have size
/// 1 and offset 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// 1 to 3.
    pub dimensions: u32,
    pub offset: [usize; 3],
    /// None where a NULL pointer says that there is no work-item.
    pub global: Option<[usize; 3]>,
    /// None where it is ours to choose.
    pub local: Option<[usize; 3]>,
}

/// A launch that can be enqueued.
pub struct NdRange {
    code: Arc<compiler::Kernel>,
    /// The local size that was asked for: groups may be joined.
    enqueued: [usize; 3],
    /// The machine code of `code`.
    entry: GroupFn,
    /// It is for groups of this one size.
    sized: bool,
    /// It stores around the caches.
    streams: bool,
    cost: Arc<Cost>,
    args: BoundArgs,
    context: Handle<Context>,
    extent: Extent,
    groups: [u64; 3],
    total: u64,
    items: u64,
    scratch: usize,
    /// What printf wrote and has not gone out yet.
    pub(super) printed: Mutex<Vec<u8>>,
    /// Whether something has been said of this launch that went wrong.
    complained: AtomicBool,
    begin: watchdog::Begin,
    /// What its work-items enqueue, if they may.
    family: Option<Family>,
}

/// Bytes of scratch that one work-group may need. More fails when it is enqueued.
const SCRATCH_LIMIT: usize = 2 << 30;

/// Kernels with more private memory than this run on workers only: a host thread's stack may be small.
const HOST_PRIVATE_LIMIT: usize = 8 << 10;

/// Ticks that a call for a group should be worth.
const MERGED_TICKS: u64 = 3_000;

/// Larger launches stay as they are: their sizes are near the limits of numbers.
const MERGED_ITEMS: u64 = 1 << 40;

/// Work-items that make a row of memory long enough: of bytes, so many are a page, as far as processors read ahead by themselves.
const ROW_ITEMS: u64 = 4_096;

/// Elements that make whole lines of the cache, if they are of 4 bytes or more.
const LINE_ITEMS: usize = 16;

/// Launches that take fewer ticks run on one thread anyway (some 10 microseconds).
const LONE_TICKS: u64 = 30_000;

/// Groups that are left for each thread to take.
const GROUPS_PER_THREAD: u64 = 16;

impl NdRange {
    /// Checks what only a launch knows, and waits for the kernel's machine code. `workers` threads will share the launch. CL_OUT_OF_RESOURCES when a work-group
    /// needs more memory than there is; CL_INVALID_GLOBAL_WORK_SIZE when the work-groups can't be counted;
    /// CL_INVALID_PROGRAM_EXECUTABLE, and a message to the context, when no machine code could be made.
    pub fn new(
        code: Arc<compiler::Kernel>,
        cost: Arc<Cost>,
        args: BoundArgs,
        context: Handle<Context>,
        mut extent: Extent,
        workers: usize,
    ) -> Result<Box<NdRange>> {
        let code = code.for_objects(&args.objects).map_err(|text| {
            context.report(&format!("kernel '{}': {text}", code.name));
            Error::INVALID_PROGRAM_EXECUTABLE
        })?;
        let enqueued = extent.local;
        let items = product(extent.global);
        let (mut code, mut args) = (code, args);
        let mut sized = false;
        match tailoring::choose(&code, &cost, items, &args, &extent, workers) {
            Some(tailored) => {
                let [x, y] = tailored.groups;
                args = args.joined(&tailored.code, x * y);
                (extent.local[0], extent.local[1]) = (extent.local[0] * x, extent.local[1] * y);
                sized = [x, y] == [1, 1];
                code = tailored.code;
            }
            None => extent.local = merge(&code, &cost, &extent, workers),
        }
        let mut groups = [0; 3];
        let mut total = 1u64;
        let mut group_items = 1usize;
        for (count, (&global, &local)) in groups
            .iter_mut()
            .zip(extent.global.iter().zip(&extent.local))
        {
            let local = local.max(1);
            *count = global.div_ceil(local) as u64;
            total = total
                .checked_mul(*count)
                .ok_or(Error::INVALID_GLOBAL_WORK_SIZE)?;
            group_items = group_items.saturating_mul(local.min(global.max(1)));
        }
        // The counter of groups must not wrap when every thread overshoots once.
        if total > u64::MAX / 4 {
            return Err(Error::INVALID_GLOBAL_WORK_SIZE);
        }
        let scratch = code
            .scratch_per_item
            .checked_mul(group_items)
            .and_then(|bytes| bytes.checked_add(code.scratch_fixed))
            .filter(|&bytes| bytes <= SCRATCH_LIMIT && args.local_size <= SCRATCH_LIMIT)
            .ok_or(Error::OUT_OF_RESOURCES)?;
        let offset = extent.offset[0] as u64;
        let [global, local] =
            [extent.global, extent.local].map(|size| size.map(|n| n.max(1) as u64));
        // Lines are written whole by tiles alone.
        let in_tiles = code.tiles.rows == 0 || local[1].is_multiple_of(code.tiles.rows.into());
        let streaming = code.streams.any() && in_tiles && tailoring::moves_much(&code, items);
        let streaming = streaming.then(|| code.streaming(offset, global, local));
        let streaming = streaming.flatten().and_then(|code| code.entry().ok());
        let plain = || code.code_for(offset, global, local, items).entry();
        let entry = match streaming.map_or_else(plain, Ok) {
            Ok(entry) => entry,
            Err(text) => {
                context.report(&format!("kernel '{}': {text}", code.name));
                return Err(Error::INVALID_PROGRAM_EXECUTABLE);
            }
        };
        Ok(Box::new(NdRange {
            sized,
            streams: streaming.is_some(),
            code,
            enqueued,
            entry,
            cost,
            args,
            context,
            extent,
            groups,
            total,
            items,
            scratch,
            printed: Mutex::default(),
            complained: AtomicBool::new(false),
            begin: watchdog::Begin::default(),
            family: None,
        }))
    }

    /// Its work-items may enqueue launches of their own.
    pub(super) fn found(&mut self, family: Family) {
        self.family = Some(family);
    }

    pub(super) fn family(&self) -> Option<&Family> {
        self.family.as_ref()
    }

    /// It has run, or never will: what it enqueued may begin.
    pub(super) fn release_family(&mut self) {
        if let Some(family) = self.family.take() {
            family.release(&self.args.memories);
        }
    }

    /// Number of work-groups.
    pub fn groups(&self) -> u64 {
        self.total
    }

    /// Ticks that the whole launch will take on one thread, as far as earlier launches tell.
    pub fn expected_ticks(&self) -> Option<u64> {
        self.cost.ticks(self.items)
    }

    /// Learns from `groups` work-groups that took `ticks`.
    pub fn learn(&self, groups: u64, ticks: u64) {
        if groups == 0 {
            return;
        }
        let items = (self.items / self.total * groups).max(1);
        self.cost.learn(items, ticks);
    }

    /// Whether it ends by itself and calls nothing.
    pub fn is_prompt(&self) -> bool {
        self.code.prompt
    }

    /// Whether a thread with a stack of unknown size may run it.
    pub fn fits_host_stack(&self) -> bool {
        self.code.private_mem_size <= HOST_PRIVATE_LIMIT
    }

    /// Memory for one thread; none when there is none.
    pub fn reserve(&self, arena: &mut Arena) -> Option<Memory> {
        arena.reserve(self.scratch, self.args.local_size)
    }

    /// The kernel's name.
    pub fn kernel_name(&self) -> &str {
        &self.code.name
    }

    /// Whether groups leave operations on memory to later ones, or to the end of the thread's part.
    pub(super) fn defers(&self) -> bool {
        self.code.deferred.is_some()
    }

    /// The line of the source that an instruction of its machine code comes from, if the code tells.
    pub(super) fn line_at(&self, pc: usize) -> Option<compiler::Line> {
        self.code.line_at(pc)
    }

    /// Tells sizes by their names.
    pub(super) fn describe(&self, mut field: impl FnMut(&str, String)) {
        let text = |sizes: [usize; 3]| {
            let sizes = &sizes[..self.extent.dimensions as usize];
            let list: Vec<String> = sizes.iter().map(usize::to_string).collect();
            list.join(",")
        };
        field("global", text(self.extent.global));
        field("local", text(self.enqueued));
        if self.extent.local != self.enqueued {
            field("joined", text(self.extent.local));
        }
        if self.sized {
            field("sized", "yes".into());
        }
        field("groups", self.total.to_string());
    }

    pub(super) fn context(&self) -> &Handle<Context> {
        &self.context
    }

    /// The first of the groups that the application knows which run as the group `id`, and how many more there are in each dimension.
    pub(super) fn named_groups(&self, id: [u64; 3]) -> ([u64; 3], [u64; 3]) {
        let count = [0, 1, 2].map(|d| (self.extent.local[d] / self.enqueued[d].max(1)) as u64);
        let first = [0, 1, 2].map(|d| id[d] * count[d]);
        (first, count.map(|n| n - 1))
    }

    /// Whether nothing has been said yet of what goes wrong in this launch. Once true.
    pub(super) fn is_first_complaint(&self) -> bool {
        // Relaxed: only who comes first matters.
        !self.complained.swap(true, Ordering::Relaxed)
    }

    /// Runs some work-groups by their numbers. CL_OUT_OF_RESOURCES, and a message to the context, when machine code had to be left.
    pub fn run(&self, part: Range<u64>, memory: Memory) -> Result<()> {
        let widen = |sizes: [usize; 3]| sizes.map(|n| n as u64);
        let launch = Launch {
            global_offset: widen(self.extent.offset),
            global_size: widen(self.extent.global),
            local_size: widen(self.extent.local),
            num_groups: self.groups,
            work_dim: self.extent.dimensions.into(),
            printf: hooks::print,
            divergence: hooks::diverge,
            device: hooks::device,
            user: std::ptr::from_ref(self).cast_mut().cast::<c_void>(),
        };
        let [nx, ny, _] = self.groups;
        let group_id = [part.start % nx, part.start / nx % ny, part.start / nx / ny];
        // SAFETY: nobody but this launch's machine code uses the scratch until the walk is over.
        let table = |what| unsafe { Table::new(memory.scratch, what) };
        let mut walk = Walk {
            range: self,
            table: self.code.deferred.map(table),
            count: part.end - part.start,
            group: Group {
                launch: &launch,
                group_id,
                local_size: [0, 1, 2].map(|d| self.group_size(d, group_id[d])),
                scratch: memory.scratch,
                local: memory.local,
                scratch_bytes: self.scratch as u64,
                local_bytes: self.args.local_size as u64,
            },
        };
        let mode = DefaultMode::enter();
        let data = std::ptr::from_mut(&mut walk).cast::<c_void>();
        // SAFETY: `run_groups` takes a walk, and nothing in its frame needs to be dropped.
        let result = unsafe { watchdog::run(&self.begin, run_groups, data) };
        drop(mode);
        result.map_err(|fault| {
            hooks::fault(self, fault, walk.group.group_id);
            Error::OUT_OF_RESOURCES
        })
    }

    /// Work-items of the `n`th group in a dimension; 0 behind the last.
    fn group_size(&self, dimension: usize, n: u64) -> u64 {
        let (global, local) = (self.extent.global[dimension], self.extent.local[dimension]);
        (global as u64)
            .saturating_sub(n * local as u64)
            .min(local as u64)
    }

    /// Writes what printf has collected. At the end of the command, and before its event says so.
    pub fn flush_prints(&self) {
        let text = std::mem::take(&mut *self.printed.lock());
        hooks::write_stdout(&text);
    }

    /// The buffers that the arguments name. Without them the launch must not run any more.
    pub fn memories(&mut self) -> &mut Held {
        &mut self.args.memories
    }
}

/// Some groups of a launch on their way through one thread: the next one, and how many are left.
struct Walk<'a> {
    range: &'a NdRange,
    /// The atomic operations that wait for the end of the walk.
    table: Option<Table>,
    count: u64,
    group: Group,
}

/// Runs the groups of a [`Walk`]. It may be left in machine code; then the walk says in which group.
unsafe extern "C" fn run_groups(walk: *mut c_void) {
    // SAFETY: `NdRange::run` passes one, and uses it again only after this.
    let Walk {
        range,
        table,
        count,
        group,
    } = unsafe { &mut *walk.cast::<Walk>() };
    let [nx, ny, _] = range.groups;
    let [mut x, mut y, mut z] = group.group_id;
    for _ in 0..*count {
        group.group_id = [x, y, z];
        group.local_size[0] = range.group_size(0, x);
        // SAFETY: the compiler made the function for this layout of arguments, which `bind` filled; memory for
        // the largest group has been reserved.
        unsafe { (range.entry)(range.args.block.as_ptr(), group) };
        x += 1;
        if x == nx {
            (x, y) = (0, y + 1);
            if y == ny {
                (y, z) = (0, z + 1);
                group.local_size[2] = range.group_size(2, z);
            }
            group.local_size[1] = range.group_size(1, y);
        }
    }
    if let Some(table) = table {
        // SAFETY: as for the calls above.
        unsafe { table.flush() };
    }
    if range.streams {
        stream::finish();
    }
}

/// Work-items in all three dimensions.
fn product(sizes: [usize; 3]) -> u64 {
    let sizes = sizes.iter();
    sizes.fold(1, |all, &n| all.saturating_mul(n as u64))
}

/// The local size that a launch runs with: that of `extent`, or a larger one where groups may be joined. Each dimension
/// in turn, x first, takes as much as it can.
fn merge(code: &compiler::Kernel, cost: &Cost, extent: &Extent, workers: usize) -> [usize; 3] {
    let mut local = extent.local.map(|size| size.max(1));
    let per_item = cost.per_item();
    if code.merging == Merging::Never
        || code.scratch_per_item > 0
        || code.reqd_work_group_size.is_some()
        || (code.merging == Merging::Short && per_item == 0 && code.tiles.rows == 0)
    {
        return local;
    }
    let items = product(extent.global);
    if items > MERGED_ITEMS {
        return local;
    }
    // Unknown costs count as a tick.
    let ticks = |items: u64| (items.saturating_mul(per_item.max(256)) >> 8).max(1);
    // Each thread gets some groups, unless all is done before a second thread is there.
    let most = |group: u64| match per_item > 0 && ticks(items) < LONE_TICKS {
        true => u64::MAX,
        false => items / group.max(1) / (GROUPS_PER_THREAD * workers as u64),
    };
    let Tiles { rows, down } = code.tiles;
    // Columns that are read, at a pitch that spreads them over the cache's sets (a guess), are as quick without tiles.
    let spread = down && !extent.global[1].is_multiple_of(LINE_ITEMS);
    let rows = if spread { 0 } else { rows };
    if rows > 0 {
        let high = tiles(local[1], rows as usize);
        if high <= extent.global[1] && (high / local[1]) as u64 <= most(product(local)) {
            local[1] = high;
        }
    }
    let group = product(local);
    let most = most(group);
    let by_time = MERGED_TICKS / ticks(group);
    // Long runs are better written than read, but for stores around the caches: of whole lines, where rows are made of those (a guess).
    let around = code.streams.stored > 0
        && tailoring::moves_much(code, items)
        && extent.global[0].is_multiple_of(LINE_ITEMS);
    let order = match down && around {
        true => [1, 0, 2],
        false => [0, 1, 2],
    };
    let by_row = match code.merging {
        Merging::Never => 0,
        Merging::Short if rows == 0 => 0,
        _ => ROW_ITEMS / local[order[0]] as u64,
    };
    let mut factor = by_time.max(by_row).min(most);
    for dim in order {
        let (size, global) = (&mut local[dim], extent.global[dim]);
        let groups = global.div_ceil(*size).max(1) as u64;
        // All are of about one size.
        let parts = groups.div_ceil(factor.clamp(1, groups));
        let joined = groups.div_ceil(parts);
        *size *= joined as usize;
        factor /= joined;
    }
    local
}

/// The least multiple of so many `rows` that is one of a tile's.
fn tiles(rows: usize, tile: usize) -> usize {
    let mut high = rows;
    while !high.is_multiple_of(tile) {
        high *= 2;
    }
    high
}

/// The default floating-point mode (round to nearest, denormals kept, no traps) until it is dropped.
struct DefaultMode {
    #[cfg(target_arch = "x86_64")]
    before: u32,
}

#[cfg(target_arch = "x86_64")]
impl DefaultMode {
    /// MXCSR after a reset: all exceptions masked, round to nearest.
    const DEFAULT: u32 = 0x1f80;

    /// The bits that are modes; the low six are flags.
    const MODES: u32 = 0xffc0;

    fn enter() -> DefaultMode {
        let mut before = 0u32;
        // SAFETY: stores the control register in our variable.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut before, options(nostack)) };
        let mode = DefaultMode { before };
        if before & DefaultMode::MODES != DefaultMode::DEFAULT {
            DefaultMode::set(DefaultMode::DEFAULT);
        }
        mode
    }

    fn set(value: u32) {
        // SAFETY: the value is a valid control register; Rust code does not run between `enter` and `drop` except
        // the callbacks of machine code, which do not depend on the mode.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, readonly)) };
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for DefaultMode {
    fn drop(&mut self) {
        if self.before & DefaultMode::MODES != DefaultMode::DEFAULT {
            DefaultMode::set(self.before);
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl DefaultMode {
    fn enter() -> DefaultMode {
        DefaultMode {}
    }
}
