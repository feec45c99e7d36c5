//! Whether a kernel surely ends without anybody's help, and calls nothing on its way: then the thread that launches it
//! may run it at once, where that is quicker than handing it over.
//!
//! A kernel can wait for the host only in a loop that looks at memory by atomic or volatile accesses (others would be a
//! data race), so these must not stand in one with a loop.

use crate::ir::cfg::Cfg;
use crate::ir::{Function, InstData};

pub fn run(func: &Function) -> bool {
    let cfg = Cfg::compute(func);
    let loops = has_loops(&cfg);
    func.layout()
        .iter()
        .flat_map(|&block| &func.block(block).insts)
        .all(|&inst| match func.inst(inst) {
            InstData::Printf { .. } | InstData::Call { .. } | InstData::Device { .. } => false,
            InstData::AtomicLoad { .. }
            | InstData::AtomicStore { .. }
            | InstData::AtomicRmw { .. }
            | InstData::AtomicCmpXchg { .. } => !loops,
            InstData::Load { volatile, .. } | InstData::Store { volatile, .. } => {
                !(loops && *volatile)
            }
            _ => true,
        })
}

/// Whether control can come back to where it has been.
pub fn has_loops(cfg: &Cfg) -> bool {
    cfg.postorder().iter().any(|&from| {
        cfg.succs(from)
            .iter()
            .any(|&to| cfg.is_retreating(from, to))
    })
}
