//! Drops what nobody needs: instructions without effect whose results are unused, block parameters, and stores to
//! private variables that are never read. The control flow stays: an endless loop is never deleted.

use crate::ir::{Function, Inst, InstData, Terminator, Value, ValueDef};

pub fn run(func: &mut Function) {
    let mut pass = Pass {
        live: vec![false; func.num_values()],
        kept: vec![false; func.num_insts()],
        incoming: vec![Vec::new(); func.num_values()],
        stores: vec![Vec::new(); func.num_values()],
        work: Vec::new(),
        func,
    };
    pass.mark();
    pass.sweep();
}

struct Pass<'f> {
    func: &'f mut Function,
    /// By value: it is needed.
    live: Vec<bool>,
    /// By instruction.
    kept: Vec<bool>,
    /// By parameter: what is passed to it.
    incoming: Vec<Vec<Value>>,
    /// By alloca: what writes to it and does nothing else.
    stores: Vec<Vec<Inst>>,
    work: Vec<Value>,
}

impl Pass<'_> {
    fn mark(&mut self) {
        let mut roots: Vec<Inst> = Vec::new();
        for &block in self.func.layout() {
            for &inst in &self.func.block(block).insts {
                let data = self.func.inst(inst);
                match written_variable(self.func, data) {
                    Some(variable) => self.stores[variable.index()].push(inst),
                    None if data.has_side_effects() => roots.push(inst),
                    None => {}
                }
            }
            let term = self.func.term(block);
            match term {
                Terminator::Branch { cond: v, .. }
                | Terminator::Switch { value: v, .. }
                | Terminator::Return(Some(v)) => self.work.push(*v),
                Terminator::Collective { args, .. } => self.work.extend(args),
                _ => {}
            }
            term.for_each_call(|call| {
                for (&arg, &param) in call.args.iter().zip(&self.func.block(call.block).params) {
                    self.incoming[param.index()].push(arg);
                }
            });
        }
        roots.into_iter().for_each(|inst| self.keep(inst));
        while let Some(value) = self.work.pop() {
            if std::mem::replace(&mut self.live[value.index()], true) {
                continue;
            }
            match self.func.value(value).def {
                ValueDef::Param(..) => self.work.extend(&self.incoming[value.index()]),
                ValueDef::Result(inst) => {
                    self.keep(inst);
                    for store in std::mem::take(&mut self.stores[value.index()]) {
                        self.keep(store);
                    }
                }
            }
        }
    }

    fn keep(&mut self, inst: Inst) {
        if !std::mem::replace(&mut self.kept[inst.index()], true) {
            let work = &mut self.work;
            self.func.inst(inst).for_each_use(|v| work.push(v));
        }
    }

    fn sweep(&mut self) {
        let layout = self.func.layout().to_vec();
        // By block, which of its parameters stay.
        let mut stay: Vec<Vec<bool>> = vec![Vec::new(); self.func.num_blocks()];
        // A collective's result is passed by no argument.
        let mut whole = vec![false; self.func.num_blocks()];
        whole[self.func.entry().index()] = true;
        for &block in &layout {
            if let Terminator::Collective { next, .. } = self.func.term(block) {
                whole[next.block.index()] = true;
            }
        }
        for &block in &layout {
            let params = &self.func.block(block).params;
            let all = whole[block.index()];
            stay[block.index()] = params.iter().map(|p| all || self.live[p.index()]).collect();
            let kept = &self.kept;
            self.func.block_mut(block).insts.retain(|i| kept[i.index()]);
        }
        for &block in &layout {
            if let Some(term) = self.func.block_mut(block).term.as_mut() {
                term.for_each_call_mut(|call| {
                    let mut stays = stay[call.block.index()].iter();
                    call.args.retain(|_| *stays.next().unwrap_or(&true));
                });
            }
            let mut stays = stay[block.index()].iter();
            self.func
                .retain_params(block, |_| *stays.next().unwrap_or(&true));
        }
    }
}

/// The alloca that the instruction writes to, when that is all that it does.
fn written_variable(func: &Function, data: &InstData) -> Option<Value> {
    let mut at = match *data {
        InstData::Store {
            ptr,
            volatile: false,
            ..
        } => ptr,
        InstData::MemSet { dst, .. } | InstData::MemCpy { dst, .. } => dst,
        _ => return None,
    };
    loop {
        at = match *func.def_inst(at)? {
            InstData::PtrAdd { ptr, .. } => ptr,
            InstData::Cast { arg, .. } if func.ty(arg).elem.is_ptr() => arg,
            InstData::Alloca { .. } => return Some(at),
            _ => return None,
        };
    }
}
