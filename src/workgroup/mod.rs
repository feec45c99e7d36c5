//! From one work-item to a whole work-group: a kernel with barriers becomes a function that runs all items of a group
//! on one thread, by IR alone. The interpreter can run both; code generation needs to know nothing of barriers.
//!
//! `prepare` brings barriers and (`preheader`) loops into form and `prefetch` reads ahead of loops; `regions` cuts the kernel at them; `uniformity` (with `sync`) finds what is
//! equal for all items, and `flow` which regions items may leave in different ways; `private` and `crossing` (with `again` and `coalesce`) give
//! homes to what lives from one region to the next, `layout` their places in scratch; `driver` emits the loops over
//! items around one clone of each region (`item`) and the folds of collectives (`collective`, `across`), `slice` what the group
//! decides as a whole between two regions; `group` is the function being made. Where it can be done, a region has a second clone that
//! runs several items in x at once, in vector lanes (`wide`). `join` makes one kernel of several groups of another, if these
//! share what they keep in local memory (`sharing`). `merge` tells whether launches may join groups, `streams` what items move in passing,
//! `prompt` whether they may run at once; `debug` what a debugger is told of items and their variables; `defer` lets atomic
//! operations wait that may.
//!
//! Items that go to different barriers (undefined in OpenCL) behave as follows, here and in the interpreter: when no
//! item can go on, those that wait at the lowest barrier, in layout order of the blocks, go on. Items that have
//! returned are waited for by none.

mod across;
mod again;
mod coalesce;
mod collective;
mod crossing;
mod debug;
mod defer;
mod dispatch;
mod driver;
mod elements;
mod flow;
mod graph;
mod group;
mod item;
mod jam;
mod join;
mod lanes;
mod layout;
mod limit;
mod lockstep;
mod loops;
mod merge;
mod prefetch;
mod preheader;
mod prepare;
mod private;
mod prompt;
mod regions;
mod sharing;
mod slice;
mod streams;
mod sync;
#[cfg(test)]
mod tests;
mod tile;
mod uniformity;
mod ways;
mod wide;

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::ir::abi::{BASE_ALIGN, Merging, Sharing, Streams, Tiles};
use crate::ir::cfg::Cfg;
use crate::ir::deferred::{Deferred, TABLE_BYTES};
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::verify::asks_for_item;
use crate::ir::{
    Block, DEFAULT_SUB_GROUP_SIZE, FuncId, Function, InstData, LoopId, Module, SUB_GROUP_SIZES,
    Team, Terminator, WorkItemQuery,
};

pub use group::small_scratch;
pub use join::{COPY_ALIGN, Shape};
pub use lanes::{MAX_LANES, filling};
use layout::{Layout, SlotId};
use regions::{HeadKind, Regions};

/// Kernels with more regions than this run item by item: a second clone of each would double a build time that is long
/// already.
const MAX_WIDE_REGIONS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Bytes of private variables that may stay on the thread's stack.
    pub stack_limit: u64,
    /// The regions may take this many per cent of the size of the kernel, and this many instructions more: what is
    /// cloned into several regions is compiled several times.
    pub clone_percent: usize,
    pub clone_free: usize,
    pub width: Width,
    /// One more group function, where there is something to gain, for groups of which the rows in x are multiples of the
    /// lanes, and whose global ids in x are below 2^31: it has no code for what is left of a row. Where the kernel requires
    /// a size, these groups have it.
    pub full_rows: bool,
}

/// The work-items in x that run in one pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// So many, wherever a region can run that way; 1 for one by one.
    Lanes(u16),
    /// What suits the kernel and the machine, where it pays.
    Machine(Machine),
}

/// What decides how many lanes pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The bits of a vector register.
    pub registers: u16,
    /// A gather or scatter takes less time than its lanes one by one.
    pub fast_gathers: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            stack_limit: 4096,
            clone_percent: 125,
            clone_free: 40,
            width: Width::Lanes(1),
            full_rows: false,
        }
    }
}

/// A function that runs a whole group, and what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupKernel {
    pub func: FuncId,
    /// The one for full rows ([`Options::full_rows`]).
    pub full_rows: Option<FuncId>,
    /// Bytes of scratch for each item, and what does not depend on their number; see [`crate::ir::abi::Group`].
    pub scratch_per_item: u64,
    pub scratch_fixed: u64,
    /// Bytes of private memory that a work-item uses.
    pub private_mem: u64,
    pub regions: usize,
    /// How many of them can run several items at once.
    pub wide_regions: usize,
    /// By so many at once.
    pub lanes: u16,
    pub merging: Merging,
    /// What groups share that [`join`] can join.
    pub sharing: Sharing,
    /// See [`streams`].
    pub streams: Streams,
    /// What its items keep across barriers would be in registers, were the size of its groups known and small ([`fix_size`]).
    pub sized: bool,
    /// See [`prompt`].
    pub prompt: bool,
    /// See [`tile`].
    pub tiles: Tiles,
    /// What its atomic operations do that wait; then scratch begins with their table.
    pub deferred: Option<Deferred>,
}

/// Makes the group functions of a kernel and adds them to the module. Calls that reach a barrier or ask for ids must
/// have been inlined; that they are not is an error, as data.
pub fn run(module: &mut Module, kernel: FuncId, options: Options) -> Result<GroupKernel, String> {
    let body = module
        .body(kernel)
        .ok_or_else(|| format!("{kernel} has no body"))?;
    check_calls(module, body)?;
    let lanes = match options.width {
        Width::Lanes(lanes) => lanes,
        Width::Machine(machine) => lanes::choose(body, machine.registers),
    };
    // Where rows are full, and a chunk has as many lanes as a sub-group, the chunks are the sub-groups.
    let fits = options.full_rows && lanes == sub_group_size(body) && uses_sub_groups(body);
    let in_lanes = match fits {
        true => make(body, options, lanes, true),
        false => None,
    };
    let options = Options {
        full_rows: options.full_rows && in_lanes.is_none(),
        ..options
    };
    let by_regions = make(body, options, lanes, false);
    let mut made = by_regions.expect("by regions, all kernels can run");
    if let Some(mut other) = in_lanes {
        made.full_rows = other.full_rows.take();
        let (info, other) = (&mut made.info, &other.info);
        info.scratch_fixed = info.scratch_fixed.max(other.scratch_fixed);
        info.scratch_per_item = info.scratch_per_item.max(other.scratch_per_item);
        info.wide_regions = info.wide_regions.max(other.wide_regions);
    }
    let any = made.any.expect("made by regions");
    let body = module.body(kernel).expect("looked at above");
    made.info.sharing = sharing::pays(body);
    made.info.streams = streams::run(body, lanes, &made.info);
    Ok(GroupKernel {
        func: module.add_function(any),
        full_rows: made.full_rows.map(|out| module.add_function(out)),
        ..made.info
    })
}

/// Makes of a kernel one whose groups are several of its groups. Its group function is found by [`run`]; it requires the size of
/// the large group. An error if these groups can't be joined.
pub fn join(module: &mut Module, kernel: FuncId, shape: &Shape) -> Result<(), String> {
    let body = module.body(kernel).and_then(|body| join::run(body, shape));
    let body = body.ok_or("groups of this kernel can't be joined like that")?;
    module.functions[kernel.index()].body = Some(body);
    Ok(())
}

/// Makes a kernel require a size of its groups. An error if it requires another.
pub fn fix_size(module: &mut Module, kernel: FuncId, size: [u32; 3]) -> Result<(), String> {
    let body = module.functions[kernel.index()].body.as_mut();
    let attrs = body.and_then(|body| body.kernel.as_mut());
    let attrs = attrs.ok_or("no kernel")?;
    match attrs.reqd_work_group_size.replace(size) {
        Some(other) if other != size => Err("it requires another size".into()),
        _ => Ok(()),
    }
}

/// Asks about sub-groups, or does something together in them.
pub fn uses_sub_groups(func: &Function) -> bool {
    use WorkItemQuery as Q;
    let asks = |data: &InstData| {
        matches!(
            data,
            InstData::WorkItem {
                query: Q::SubGroupId
                    | Q::SubGroupLocalId
                    | Q::SubGroupSize
                    | Q::MaxSubGroupSize
                    | Q::NumSubGroups
                    | Q::EnqueuedNumSubGroups,
                ..
            }
        )
    };
    func.layout().iter().any(|&block| {
        let mut insts = func.block(block).insts.iter();
        func.term(block)
            .team()
            .is_some_and(|team| team != Team::Group)
            || insts.any(|&inst| asks(func.inst(inst)))
    })
}

/// The size of sub-groups that suits a kernel which requires none.
pub fn choose_sub_group_size(kernel: &Function, registers: u16) -> u32 {
    let [least, .., most] = SUB_GROUP_SIZES;
    u32::from(lanes::choose(kernel, registers)).clamp(least, most)
}

/// The group functions of a kernel, and what is known of them.
struct Made {
    /// For groups of any size.
    any: Option<Function>,
    full_rows: Option<Function>,
    info: GroupKernel,
}

/// `in_lanes`: only that for full rows, in which the sub-groups are chunks; `None` if a region in which they do something
/// together can't run in chunks.
fn make(body: &Function, options: Options, lanes: u16, in_lanes: bool) -> Option<Made> {
    // Somebody who debugs sees the groups that there are.
    let merging = match body.debug {
        Some(_) => Merging::Never,
        None => merge::run(body),
    };
    let prompt = prompt::run(body);
    let sub_group = sub_group_size(body);
    let mut func = prepare::run(body, sub_group, in_lanes);
    let deferred = defer::run(&mut func);
    if lanes > 1 {
        prefetch::run(&mut func);
    }
    let rounds = match in_lanes {
        true => Vec::new(),
        false => divergent_rounds(&func),
    };
    let regions = regions::run(
        &mut func,
        regions::Options {
            percent: options.clone_percent,
            free: options.clone_free,
            in_lanes,
            rounds: &rounds,
        },
    );
    let uniformity = uniformity::run(&func, &regions);
    let mut flow = flow::run(&func, &regions, &uniformity);
    let mut regions_of = vec![Vec::new(); func.num_blocks()];
    for (r, region) in regions.list.iter().enumerate() {
        for block in &region.graph.blocks {
            regions_of[block.index()].push(r);
        }
    }
    let privates = private::run(&func, &regions, &regions_of, options.stack_limit);
    let mut layout = Layout::default();
    if deferred.is_some() {
        layout.add_fixed(TABLE_BYTES as u64, BASE_ALIGN as u64);
    }
    let crossing = crossing::run(
        &crossing::Input {
            func: &func,
            regions: &regions,
            uniformity: &uniformity,
            flow: &flow,
            privates: &privates,
            lanes,
        },
        &mut layout,
    );
    flow.together = crossing.sliced;
    let operands = operand_slots(&func, &regions, &mut layout);
    let notes = (0..regions.list.len()).any(|r| flow.notes_next(&regions, r));
    let next = notes.then(|| layout.add_slot(4, 4));
    layout.finish();
    let plans: Vec<OnceCell<_>> = regions.list.iter().map(|_| OnceCell::new()).collect();
    let known = body
        .kernel
        .as_ref()
        .and_then(|kernel| kernel.reqd_work_group_size)
        .filter(|_| body.debug.is_none());
    let parts = |full_rows| group::Parts {
        known: known.filter(|_| full_rows),
        scratch_is_shared: deferred.is_some(),
        func: &func,
        regions: &regions,
        uniformity: &uniformity,
        flow: &flow,
        crossing: &crossing,
        layout: &layout,
        next,
        sub_group,
        operands: &operands,
        lanes: if regions.list.len() > MAX_WIDE_REGIONS {
            1
        } else {
            lanes
        },
        machine: match options.width {
            Width::Lanes(_) => None,
            Width::Machine(machine) => Some(machine),
        },
        full_rows,
        plans: &plans,
    };
    if in_lanes && !chunks_everywhere(&parts(true)) {
        return None;
    }
    let group = |full_rows| driver::run(group::Group::new(parts(full_rows), &privates));
    let (any, full_rows, wide_regions) = match in_lanes {
        true => {
            let (out, wide_regions) = group(true);
            (None, Some(out), wide_regions)
        }
        false => {
            let (out, wide_regions) = group(false);
            let full_rows = options.full_rows && wide_regions > 0;
            (Some(out), full_rows.then(|| group(true).0), wide_regions)
        }
    };
    let tiles = full_rows.as_ref().or(any.as_ref());
    let tiles = tiles.map_or_else(Tiles::default, |out| out.tiles);
    let variables: u64 = privates.iter().map(|p| p.size).sum();
    let in_slots: u64 = privates
        .iter()
        .filter(|p| p.place == private::Place::Item)
        .map(|p| p.size)
        .sum();
    let info = GroupKernel {
        func: FuncId::new(0),
        full_rows: None,
        scratch_per_item: layout.per_item(),
        scratch_fixed: layout.fixed_size(),
        private_mem: variables + layout.per_item().saturating_sub(in_slots),
        regions: regions.list.len(),
        wide_regions,
        lanes,
        merging,
        sharing: Sharing::default(),
        streams: Streams::default(),
        sized: parts(true).keeps_across_barriers() && body.debug.is_none() && known.is_none(),
        prompt,
        tiles,
        deferred,
    };
    Some(Made {
        any,
        full_rows,
        info,
    })
}

/// All regions in which the lanes of a chunk do something together can run in chunks.
fn chunks_everywhere(parts: &group::Parts) -> bool {
    let runs = |region: usize| {
        let input = wide::plan::Input {
            func: parts.func,
            regions: parts.regions,
            crossing: parts.crossing,
            region,
            machine: None,
        };
        wide::plan::run(&input, parts.lanes).is_some()
    };
    (0..parts.regions.list.len())
        .filter(|&region| parts.regions.has_lane_collectives(parts.func, region))
        .all(runs)
}

/// The headers of loops in which sub-groups do something together, if items can go different ways in them.
fn divergent_rounds(func: &Function) -> Vec<Block> {
    let together = |&b: &Block| func.term(b).team().is_some_and(|team| team != Team::Group);
    if !func.layout().iter().any(together) {
        return Vec::new();
    }
    let cfg = Cfg::compute(func);
    let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let whole = regions::Options {
        percent: 10_000,
        free: 0,
        in_lanes: false,
        rounds: &[],
    };
    let mut uncut = func.clone();
    let regions = regions::run(&mut uncut, whole);
    let uniformity = uniformity::run(&uncut, &regions);
    let in_danger = |id: &LoopId| {
        let blocks = &loops.get(*id).blocks;
        blocks.iter().any(together) && blocks.iter().any(|&b| uniformity.split(b).is_some())
    };
    let ids = loops.ids().filter(in_danger);
    ids.map(|id| loops.get(id).header).collect()
}

/// Work-items of a full sub-group.
fn sub_group_size(func: &Function) -> u16 {
    let attrs = func.kernel.as_ref();
    let size = attrs.and_then(|attrs| attrs.sub_group_size);
    size.unwrap_or(DEFAULT_SUB_GROUP_SIZE) as u16
}

/// A slot for each operand of each collective, by the region that follows it.
fn operand_slots(
    func: &Function,
    regions: &Regions,
    layout: &mut Layout,
) -> HashMap<usize, Vec<SlotId>> {
    let mut out = HashMap::new();
    for (r, region) in regions.list.iter().enumerate() {
        if let HeadKind::Barrier(block) = region.kind
            && let Terminator::Collective { args, .. } = func.term(block)
        {
            let slot = |&v| {
                let ty = func.ty(v);
                layout.add_slot(ty.bytes(), ty.align())
            };
            out.insert(r, args.iter().map(slot).collect());
        }
    }
    out
}

/// No function that is still called may know of work-items.
fn check_calls(module: &Module, kernel: &Function) -> Result<(), String> {
    let mut work = callees(kernel);
    let mut seen = vec![false; module.functions.len()];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let Some(body) = module.body(id) else {
            continue;
        };
        if knows_items(body) {
            return Err(format!(
                "'{}' needs its work-item and must be inlined in kernel '{}'",
                body.name, kernel.name
            ));
        }
        work.extend(callees(body));
    }
    Ok(())
}

fn callees(func: &Function) -> Vec<FuncId> {
    let insts = func.layout().iter().flat_map(|&b| &func.block(b).insts);
    insts
        .filter_map(|&inst| match func.inst(inst) {
            InstData::Call { func, .. } => Some(*func),
            _ => None,
        })
        .collect()
}

fn knows_items(func: &Function) -> bool {
    func.layout().iter().any(|&b| {
        func.term(b).is_barrier()
            || func
                .block(b)
                .insts
                .iter()
                .any(|&inst| asks_for_item(func.inst(inst)))
    })
}
