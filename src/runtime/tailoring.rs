//! Which launches run by code that is made for their groups (`compiler::tailored`): with several groups as one, or with groups
//! whose one size is known.
//!
//! Groups of a kernel with barriers that fill local memory with the same (the tiles of a product of matrices), or that touch short
//! runs of memory in many rows (those of a transpose), are joined where the launch is long enough to pay for making code behind its back: with the first such launch this begins, and those that come when
//! it is there use it. Each thread must have some of the large groups left to take, and what they hold must stay in the caches.
//! Groups so small that what their items keep across barriers fits in registers have code for their size.

use super::cost::Cost;
use super::kernel::BoundArgs;
use super::launch::Extent;
use super::machine;
use crate::compiler::{self, Groups, Shape};
use std::sync::Arc;

/// Ticks of a launch (about a millisecond) that are worth making code for.
const LONG_TICKS: u64 = 2_000_000;

/// Ticks that all launches of a kernel have taken so far (some 50 milliseconds, what making code takes, more or less) which make
/// shorter ones worth it; but not the shortest, which would take longer to find their code.
const HOT_TICKS: u64 = 100_000_000;
const SHORTEST_TICKS: u64 = 50_000;

/// Bytes that a launch reads and writes at least before it passes by the caches, however small these are.
const STREAMED: u64 = 16 << 20;

/// Groups that are joined along a dimension at most.
const MOST_GROUPS: usize = 4;

/// Large groups that are left for each thread to take.
const GROUPS_PER_THREAD: usize = 8;

/// Bytes that a large group may keep in local memory, and as many in scratch: together a part of a second-level cache.
const MOST_BYTES: usize = 64 << 10;

/// Items of a row that is short: one or two lines of the cache.
const SHORT_ROW: usize = 32;

/// A large group is not larger than this in a dimension.
const MOST_ITEMS: usize = 1 << 12;

/// Code for groups of which `groups` are joined in x and y.
pub struct Tailored {
    pub code: Arc<compiler::Kernel>,
    pub groups: [usize; 2],
}

/// What a launch of `items` work-items runs with instead of `code`, if there is something.
pub fn choose(
    code: &compiler::Kernel,
    cost: &Cost,
    items: u64,
    args: &BoundArgs,
    extent: &Extent,
    workers: usize,
) -> Option<Tailored> {
    let least = match cost.spent() {
        ..HOT_TICKS => LONG_TICKS,
        _ => SHORTEST_TICKS,
    };
    if cost.ticks(items)? < least {
        return None;
    }
    joined(code, items, args, extent, workers).or_else(|| sized(code, extent))
}

/// Whether a launch moves more than the caches hold.
pub fn moves_much(code: &compiler::Kernel, items: u64) -> bool {
    let moved = items.saturating_mul(code.streams.all.into());
    moved >= STREAMED && moved >= machine::cache_size()
}

fn goes_around(code: &compiler::Kernel, items: u64) -> bool {
    code.streams.stored > 0 && moves_much(code, items)
}

fn joined(
    code: &compiler::Kernel,
    items: u64,
    args: &BoundArgs,
    extent: &Extent,
    workers: usize,
) -> Option<Tailored> {
    let [x, y, z] = extent.local;
    let mut pays = [code.sharing.x, code.sharing.y];
    // Stores around the caches come best as the small groups make them: line by line of few rows.
    if code.sharing.rows && x <= SHORT_ROW && !goes_around(code, items) {
        pays = [true; 2];
    }
    let lanes = code.full_rows as usize;
    let (offset, global, local) = sizes(extent);
    if pays == [false; 2]
        || z != 1
        || lanes == 0
        || !x.is_multiple_of(lanes)
        || !Groups::are_full(offset, global, local)
    {
        return None;
    }
    let groups = shape(code, pays, args, extent, workers)?;
    let shape = Shape {
        local: [word(x)?, word(y)?],
        groups: [word(groups[0])?, word(groups[1])?],
        local_args: args.locals.iter().map(|&bytes| bytes as u64).collect(),
    };
    let code = code.tailored(&Groups::Joined(shape))?;
    Some(Tailored { code, groups })
}

fn sized(code: &compiler::Kernel, extent: &Extent) -> Option<Tailored> {
    let (offset, global, local) = sizes(extent);
    let code = code.tailored(&code.sized_groups(offset, global, local)?)?;
    let groups = [1, 1];
    Some(Tailored { code, groups })
}

/// The offset in x, the global and the local size.
fn sizes(extent: &Extent) -> (u64, [u64; 3], [u64; 3]) {
    let widen = |sizes: [usize; 3]| sizes.map(|n| n as u64);
    let offset = extent.offset[0] as u64;
    (offset, widen(extent.global), widen(extent.local))
}

fn word(size: usize) -> Option<u32> {
    u32::try_from(size).ok()
}

/// How many groups are joined in x and y, where that pays: as many as may be, 2 at least in all.
fn shape(
    code: &compiler::Kernel,
    pays: [bool; 2],
    args: &BoundArgs,
    extent: &Extent,
    workers: usize,
) -> Option<[usize; 2]> {
    let [x, y, _] = extent.local;
    let most = |dim: usize| {
        let local = extent.local[dim];
        let mut count = if pays[dim] { MOST_GROUPS } else { 1 };
        // Sizes are powers of two, and all large groups are full.
        while count > 1
            && (local * count > MOST_ITEMS || !extent.global[dim].is_multiple_of(local * count))
        {
            count /= 2;
        }
        local.is_power_of_two().then_some(count)
    };
    let mut groups = [most(0)?, most(1)?];
    let total = (0..3)
        .map(|d| extent.global[d] / extent.local[d])
        .product::<usize>();
    loop {
        let joined = groups[0] * groups[1];
        if joined == 1 {
            return None;
        }
        let scratch = code.scratch_per_item.saturating_mul(x * y * joined);
        if total / joined >= GROUPS_PER_THREAD * workers
            && args.local_size.saturating_mul(joined) <= MOST_BYTES
            && scratch <= MOST_BYTES
        {
            return Some(groups);
        }
        let larger = usize::from(groups[1] > groups[0]);
        groups[larger] /= 2;
    }
}
