//! Which atomic operations may wait until the thread has run its part of the launch (`ir/deferred.rs`), where they cost
//! a fraction of what they cost in memory that several threads change.
//!
//! Nobody may be able to tell. Memory sees relaxed operations at some time, in some order (OpenCL C 3.0, 6.15.12; API
//! 3.3.4): that it sees them late, and several at a time, is an order as good as any where the kernel does nothing that
//! waits for another thread or makes itself known to one: no other atomic operations on global memory, no fences of it,
//! nothing that the runtime is asked for. What remains is the work-item itself, which sees its own operations when it
//! looks at that memory by plain accesses later: it must not.
//!
//! All or none of a kernel's operations: an operation in memory may not overtake one that waits.

use std::collections::HashSet;

use crate::ir::bases::{self, Bases, MAX_ROOTS, UNKNOWN};
use crate::ir::cfg::Cfg;
use crate::ir::deferred::Deferred;
use crate::ir::{
    AddrSpace, Block, FenceFlags, Function, Inst, InstData, MemOrder, MemScope, Terminator, Value,
};

/// Marks them, and says what they do; none where one of them can't wait.
pub fn run(func: &mut Function) -> Option<Deferred> {
    // Who debugs looks at memory.
    if func.debug.is_some() {
        return None;
    }
    let kernel = Kernel::of(func);
    let (waiting, what) = kernel.waiting()?;
    if kernel.looks_later(&waiting) {
        return None;
    }
    for inst in waiting {
        if let InstData::AtomicRmw { order, .. } = func.inst_mut(inst) {
            *order = MemOrder::Deferred;
        }
    }
    Some(what)
}

struct Kernel<'a> {
    func: &'a Function,
    /// What somebody looks at.
    used: HashSet<Value>,
    cfg: Cfg,
}

impl<'a> Kernel<'a> {
    fn of(func: &'a Function) -> Self {
        let mut used = HashSet::new();
        for &block in func.layout() {
            let mut note = |value| {
                used.insert(value);
            };
            for &inst in &func.block(block).insts {
                func.inst(inst).for_each_use(&mut note);
            }
            func.term(block).for_each_use(&mut note);
        }
        Kernel {
            func,
            used,
            cfg: Cfg::compute(func),
        }
    }

    /// The atomic operations on global memory, if there are some and nothing else in the kernel forbids that they wait.
    fn waiting(&self) -> Option<(HashSet<Inst>, Deferred)> {
        let func = self.func;
        let mut waiting = HashSet::new();
        let mut all = None;
        for &block in func.layout() {
            if let Terminator::Barrier { flags, .. } = func.term(block)
                && orders_global(*flags)
            {
                return None;
            }
            for &inst in &func.block(block).insts {
                if !self.concerns_others(func.inst(inst)) {
                    continue;
                }
                let what = self.can_wait(inst)?;
                if *all.get_or_insert(what) != what {
                    return None;
                }
                waiting.insert(inst);
            }
        }
        all.map(|what| (waiting, what))
    }

    /// Another thread, or the host, may tell when it is done.
    fn concerns_others(&self, data: &InstData) -> bool {
        let shared = |ptr: &Value| {
            let space = self.func.ty(*ptr).addr_space();
            !matches!(space, Some(AddrSpace::Local | AddrSpace::Private))
        };
        match data {
            InstData::AtomicLoad { ptr, .. }
            | InstData::AtomicStore { ptr, .. }
            | InstData::AtomicRmw { ptr, .. }
            | InstData::AtomicCmpXchg { ptr, .. } => shared(ptr),
            InstData::Fence { flags, .. } => orders_global(*flags),
            InstData::Load { volatile, .. } | InstData::Store { volatile, .. } => *volatile,
            InstData::MemCpy { .. } | InstData::MemSet { .. } | InstData::Printf { .. } => false,
            other => other.has_side_effects(),
        }
    }

    fn can_wait(&self, inst: Inst) -> Option<Deferred> {
        let InstData::AtomicRmw {
            op,
            ptr,
            value,
            order: MemOrder::Relaxed,
            scope,
        } = *self.func.inst(inst)
        else {
            return None;
        };
        let unused = self
            .func
            .result(inst)
            .is_none_or(|old| !self.used.contains(&old));
        let is_global = self.func.ty(ptr).addr_space() == Some(AddrSpace::Global);
        // The host may look on while the kernel runs.
        let of_device = scope != MemScope::AllSvmDevices;
        let what = Deferred::of(op, self.func.ty(value));
        what.filter(|_| unused && is_global && of_device)
    }

    /// A work-item may access what one of these has changed, after it.
    fn looks_later(&self, waiting: &HashSet<Inst>) -> bool {
        let func = self.func;
        let params = func.params.iter().zip(func.param_values());
        let pointers: Vec<(bool, Value)> = params
            .filter(|(_, value)| func.ty(**value).elem.is_ptr())
            .map(|(param, &value)| (param.noalias, value))
            .collect();
        if pointers.len() > MAX_ROOTS {
            return true;
        }
        let roots: Vec<Value> = pointers.iter().map(|&(_, value)| value).collect();
        let order: Vec<Block> = self.cfg.reverse_postorder().collect();
        let bases = bases::of_values(func, &order, &roots);
        let restricted = (0..).zip(&pointers).fold(0, |all, (n, &(restricted, _))| {
            all | Bases::from(restricted) << n
        });

        let ptr_of = |inst: &Inst| match func.inst(*inst) {
            InstData::AtomicRmw { ptr, .. } => bases[ptr.index()],
            _ => UNKNOWN,
        };
        let changed = waiting.iter().map(ptr_of).fold(0, |all, ptr| all | ptr);
        let behind = self.behind(waiting);
        for &block in &order {
            let mut later = behind.contains(&block);
            for inst in &func.block(block).insts {
                later |= waiting.contains(inst);
                let meets = |ptr: Value| {
                    let space = func.ty(ptr).addr_space();
                    let shared = matches!(space, Some(AddrSpace::Global | AddrSpace::Generic));
                    shared && may_meet(changed, bases[ptr.index()], restricted)
                };
                let met = later
                    && match *func.inst(*inst) {
                        InstData::Load { ptr, .. } | InstData::Store { ptr, .. } => meets(ptr),
                        InstData::MemCpy { dst, src, .. } => meets(dst) || meets(src),
                        InstData::MemSet { dst, .. } => meets(dst),
                        _ => false,
                    };
                if met {
                    return true;
                }
            }
        }
        false
    }

    /// The blocks that can be reached from the end of one with such an operation.
    fn behind(&self, waiting: &HashSet<Inst>) -> HashSet<Block> {
        let has_some = |block: &Block| {
            let mut insts = self.func.block(*block).insts.iter();
            insts.any(|inst| waiting.contains(inst))
        };
        let mut work: Vec<Block> = self
            .func
            .layout()
            .iter()
            .copied()
            .filter(has_some)
            .collect();
        let mut behind = HashSet::new();
        while let Some(block) = work.pop() {
            let next = self.cfg.succs(block).iter().copied();
            work.extend(next.filter(|&block| behind.insert(block)));
        }
        behind
    }
}

fn orders_global(flags: FenceFlags) -> bool {
    flags.global || flags.image
}

/// Pointers of these bases may lead to the same object, of which the first ones change something (C99 6.7.3.1).
fn may_meet(changed: Bases, other: Bases, restricted: Bases) -> bool {
    let unknown = |bases: Bases| bases == 0 || bases & UNKNOWN != 0;
    if unknown(changed) || unknown(other) || changed & other != 0 {
        return true;
    }
    changed & !restricted != 0 && other & !restricted != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{AtomicOp, parse_module, verify};

    /// A kernel with two pointers to global memory and what else it takes.
    fn deferred(params: &str, body: &str) -> Option<Deferred> {
        let text = format!("kernel fn0 @k({params}) {{\nblock0:\n{body}}}\n");
        let mut module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let kernel = module.kernels().next().expect("a kernel");
        let slot = &mut module.functions[kernel.index()];
        let func = slot.body.as_mut().expect("a body");
        let what = run(func);
        let text = func.to_string();
        assert_eq!(what.is_some(), text.contains(" deferred "), "{text}");
        assert!(
            what.is_none() || !text.contains(" relaxed device"),
            "{text}"
        );
        verify(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        what
    }

    const PLAIN: &str = "v0: ptr.global, v1: ptr.global, v2: i32";
    const RESTRICTED: &str = "v0: ptr.global noalias, v1: ptr.global, v2: i32";

    #[test]
    fn nobody_can_tell_that_it_waits() {
        let add = Deferred::of(AtomicOp::Add, crate::ir::types::I32);
        let cases = [
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    return\n",
            // What is read before it.
            "    v3: i32 = load v1 align 4\n    v4: i32 = atomic_rmw add v0, v3 relaxed device\n    return\n",
            // Another of the same kind; and what only the group sees.
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    v4: i32 = atomic_rmw add v1, v2 relaxed work_group\n    fence acq_rel work_group [local]\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    barrier [local] work_group line 5, block1\nblock1:\n    return\n",
        ];
        for body in cases {
            assert_eq!(deferred(PLAIN, body), add, "{body}");
        }
        let looks = "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    v4: i32 = load v1 align 4\n    store v4, v1 align 4\n    return\n";
        assert_eq!(deferred(RESTRICTED, looks), add);
        assert_eq!(deferred(PLAIN, looks), None);
    }

    #[test]
    fn somebody_could_tell() {
        let cases = [
            // The old value.
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    store v3, v1 align 4\n    return\n",
            // What another thread, or the host, may wait for.
            "    v3: i32 = atomic_rmw add v0, v2 acq_rel device\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed all_svm_devices\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    fence acq_rel device [global]\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    v4: i32 = atomic_load v1 relaxed device\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    v4: i32 = load v1 align 4 volatile\n    return\n",
            // What follows in another order.
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    v4: i32 = atomic_rmw xor v0, v2 relaxed device\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    store v2, v0 align 4\n    return\n",
            // In the next round, and behind a barrier that orders global memory.
            "    jump block1\nblock1:\n    v3: i32 = load v1 align 4\n    v4: i32 = atomic_rmw add v0, v3 relaxed device\n    v5: i1 = icmp slt v3, v2\n    br v5, block1, block2\nblock2:\n    return\n",
            "    v3: i32 = atomic_rmw add v0, v2 relaxed device\n    barrier [global] work_group line 5, block1\nblock1:\n    return\n",
        ];
        for body in cases {
            assert_eq!(deferred(PLAIN, body), None, "{body}");
        }
    }
}
