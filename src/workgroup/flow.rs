//! For each region: whether items of a group can leave it different ways, and what follows for the regions behind it.

use crate::ir::{Function, Terminator};

use super::regions::Regions;
use super::sync::Split;
use super::uniformity::Uniformity;

/// All tables are indexed by region.
pub struct Flow {
    /// Items that run here together may leave by different exits.
    pub diverges: Vec<bool>,
    /// Some items of the group may not be here when others are: each item keeps the number of its next region.
    pub masked: Vec<bool>,
    /// Items that are alive may wait in other regions, or may have been here more often: nothing is uniform.
    pub apart: Vec<bool>,
    /// All items of the group that are alive are always in the same region.
    pub together: bool,
}

impl Flow {
    /// Each item notes where it goes when it leaves `region`, because a region behind wants to know: which one, or
    /// just that it has not returned.
    pub fn notes_next(&self, regions: &Regions, region: usize) -> bool {
        if self.together {
            return self.diverges[region];
        }
        self.by_dispatch(region) || regions.list[region].exits.iter().any(|&t| self.masked[t])
    }

    /// What runs after `region` is found out by looking at where all items go.
    pub fn by_dispatch(&self, region: usize) -> bool {
        !self.together && (self.diverges[region] || self.masked[region])
    }

    /// Some items may return here while all others go on together.
    pub fn drops(&self, region: usize) -> bool {
        self.together && self.diverges[region]
    }

    /// Some items may have returned before, and all others are here.
    pub fn thinned(&self, region: usize) -> bool {
        self.together && self.masked[region]
    }
}

pub fn run(func: &Function, regions: &Regions, uniformity: &Uniformity) -> Flow {
    let (diverges, parts): (Vec<bool>, Vec<bool>) = (0..regions.list.len())
        .map(|r| leaves_divided(func, regions, uniformity, r))
        .unzip();
    let apart = regions.reachable_from(|r| parts[r]);
    Flow {
        masked: regions.reachable_from(|r| diverges[r]),
        together: !apart.contains(&true),
        apart,
        diverges,
    }
}

/// Whether items can leave region `r` by different exits; and whether they can then be alive in different regions.
fn leaves_divided(
    func: &Function,
    regions: &Regions,
    uniformity: &Uniformity,
    r: usize,
) -> (bool, bool) {
    let region = &regions.list[r];
    let ends = region.exits.len() + usize::from(region.returns);
    let (mut diverges, mut parts) = (false, false);
    for split in region
        .graph
        .blocks
        .iter()
        .filter_map(|&b| uniformity.split(b))
    {
        let (seen, live) = ends_within(func, regions, r, split);
        diverges |= split.unbounded || split.lapped || seen;
        parts |= split.lapped || (split.unbounded && region.exits.len() > 1);
        let mut targets: Vec<usize> = live.iter().map(|e| e.0).collect();
        targets.sort_unstable();
        targets.dedup();
        let one_label = live.iter().all(|e| e.1 == live[0].1);
        // Those that are not apart at these ends go on together to any other.
        let some_elsewhere = !targets.is_empty() && targets.len() < region.exits.len();
        parts |= (targets.len() > 1 && !one_label) || some_elsewhere;
    }
    (diverges && ends > 1, parts)
}

/// Whether the split reaches ends of region `r` at all; and the regions behind those ends, with labels.
fn ends_within(
    func: &Function,
    regions: &Regions,
    r: usize,
    split: &Split,
) -> (bool, Vec<(usize, u32)>) {
    let region = &regions.list[r];
    let mut seen = false;
    let mut live = Vec::new();
    for &(block, label) in &split.ends {
        let target = match func.term(block) {
            _ if regions.is_cut(block) => regions
                .headed_by(block)
                .filter(|t| region.exits.binary_search(t).is_ok()),
            _ if !region.graph.contains(block) => continue,
            Terminator::Return(_) | Terminator::Unreachable => {
                seen = true;
                None
            }
            _ => func
                .successors(block)
                .first()
                .and_then(|&s| regions.headed_by(s)),
        };
        if let Some(target) = target {
            seen = true;
            live.push((target, label));
        }
    }
    (seen, live)
}
