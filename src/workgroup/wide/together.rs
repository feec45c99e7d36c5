//! Barriers and collectives of sub-groups, where a chunk is one: all is done in the lanes that are on, and no region ends.
//!
//! The lanes run in lockstep, so that a barrier has nothing to wait for, and memory is written in the order of the code.

use crate::ir::{MemOrder, MemScope, Team, Terminator};
use crate::workgroup::across::{Across, OfTeam};

use super::{Rep, Widen};

impl Widen<'_, '_> {
    /// What the terminator gives the lanes; nothing for a barrier.
    pub fn lanes_together(&mut self, node: u32, term: &Terminator) -> Option<Rep> {
        let (team, op, args) = match term {
            &Terminator::Barrier { flags, scope, .. } => {
                if scope >= MemScope::Device && (flags.local || flags.global || flags.image) {
                    let cur = self.cur;
                    self.group.at(cur).fence(MemOrder::AcqRel, scope, flags);
                }
                return None;
            }
            Terminator::Collective { team, op, args, .. } => (*team, *op, args),
            _ => panic!("the lanes do nothing together"),
        };
        let reps: Vec<Rep> = args.iter().map(|&arg| self.operand(arg, node)).collect();
        let args: Vec<_> = reps.iter().map(|rep| self.lanes(rep)).collect();
        let (cur, lanes, mask) = (self.cur, self.lanes, self.mask);
        let size = match team {
            Team::Cluster(size) => lanes.min(size.min(1 << 15) as u16),
            Team::Group | Team::SubGroup => lanes,
        };
        let mut across = Across::new(&mut self.group.out, cur, lanes);
        // One index for all.
        if let Some(Rep::One(from)) = reps.get(1) {
            return Some(Rep::One(across.pick(args[0], *from, mask)));
        }
        Some(match across.sub_group(op, size, &args, mask) {
            OfTeam::One(value) => Rep::One(value),
            OfTeam::Lanes(values) => Rep::Lanes(values),
        })
    }
}
