//! Runs one work-item up to its next barrier or its end: control flow and calls here, instructions in `step`.
//!
//! Invariant: between two runs the item's frames say where it is; steps are charged a block at a time.

use std::rc::Rc;

use super::fault::{Fault, FaultKind};
use super::group::GroupState;
use super::item::{Frame, FuncInfo, Item};
use super::{Machine, step};
use crate::ir::entities::{Block, FuncId, Inst, Value};
use crate::ir::function::Function;
use crate::ir::inst::{BlockCall, InstData, Terminator};
use crate::ir::module::Module;

/// Limit on the calls that have not returned.
const MAX_DEPTH: usize = 256;

/// Where a run begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Where the item is.
    Here,
    /// Behind the barrier at which it waits, with the result of a collective; or another round.
    AfterBarrier(Option<u64>),
}

/// Where a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Done,
    /// At the terminator of its block: a barrier, or the end of a round.
    Barrier,
}

pub fn run(
    machine: &mut Machine,
    group: &GroupState,
    item: &mut Item,
    start: Start,
) -> Result<Stop, Fault> {
    let infos = Rc::clone(&machine.infos);
    let module = machine.module;
    let top = item.frames.last().expect("an item that has begun");
    let mut runner = Runner {
        id: top.func,
        func: body(module, top.func),
        info: &infos[top.func.index()],
        base: top.base,
        block: top.block,
        pc: top.pc,
        infos: &infos,
        moved: Vec::new(),
        machine,
        group,
        item,
    };
    let result = runner.run(start);
    result.map_err(|kind| runner.fault(kind))
}

/// A scalar operand of the innermost function, for collectives.
pub fn operand(machine: &Machine, item: &Item, value: Value) -> u64 {
    let frame = item.frames.last().expect("an item that waits");
    let info = &machine.infos[frame.func.index()];
    item.regs[frame.base + info.slots[value.index()] as usize]
}

fn body(module: &Module, id: FuncId) -> &Function {
    module.body(id).expect("a frame of a function with a body")
}

/// The innermost function of an item while it runs.
pub struct Runner<'a, 'm> {
    pub machine: &'a mut Machine<'m>,
    pub group: &'a GroupState,
    pub item: &'a mut Item,
    pub func: &'m Function,
    id: FuncId,
    info: &'a FuncInfo,
    base: usize,
    block: Block,
    pc: usize,
    infos: &'a [FuncInfo],
    /// Block arguments on their way.
    moved: Vec<u64>,
}

impl<'m> Runner<'_, 'm> {
    fn run(&mut self, start: Start) -> Result<Stop, FaultKind> {
        let func = self.func;
        match (start, func.term(self.block)) {
            (
                Start::AfterBarrier(result),
                Terminator::Barrier { next, .. } | Terminator::Collective { next, .. },
            ) => self.jump(next, result)?,
            (Start::AfterBarrier(_), _) => {
                if let Some(stop) = self.terminator()? {
                    return Ok(stop);
                }
            }
            _ => self.charge()?,
        }
        loop {
            self.instructions()?;
            if let Some(stop) = self.terminator()? {
                return Ok(stop);
            }
        }
    }

    /// A block counts as one piece when it is entered.
    fn charge(&mut self) -> Result<(), FaultKind> {
        let steps = self.func.block(self.block).insts.len() + 1;
        match self.machine.steps_left.checked_sub(steps as u64) {
            Some(left) => {
                self.machine.steps_left = left;
                Ok(())
            }
            None => Err(FaultKind::StepLimit),
        }
    }

    /// Up to a terminator, into calls.
    fn instructions(&mut self) -> Result<(), FaultKind> {
        loop {
            let func = self.func;
            let insts = &func.block(self.block).insts;
            loop {
                let Some(&inst) = insts.get(self.pc) else {
                    return Ok(());
                };
                self.pc += 1;
                match func.inst(inst) {
                    InstData::Call { func, args } => {
                        self.call(inst, *func, args)?;
                        break;
                    }
                    data => step::step(self, inst, data)?,
                }
            }
        }
    }

    fn terminator(&mut self) -> Result<Option<Stop>, FaultKind> {
        let func = self.func;
        match func.term(self.block) {
            Terminator::Jump(call) => self.go(call),
            Terminator::Branch { cond, then, els } => {
                let call = if self.get(*cond) != 0 { then } else { els };
                self.go(call)
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let bits = self.get(*value);
                let case = cases.iter().find(|(case, _)| *case == bits);
                self.go(case.map_or(default, |(_, call)| call))
            }
            Terminator::Return(value) => Ok(self.ret(*value)),
            Terminator::Unreachable => Ok(self.ret(None)),
            Terminator::Barrier { .. } | Terminator::Collective { .. } => {
                self.save();
                Ok(Some(Stop::Barrier))
            }
        }
    }

    /// Along an edge, or not yet: where the item waits for others before another round.
    fn go(&mut self, call: &BlockCall) -> Result<Option<Stop>, FaultKind> {
        let waited = self.item.round.take().is_some();
        if !waited
            && let Some(meetings) = &self.info.meetings
            && let Some(round) = meetings.round(self.block, call.block)
        {
            self.item.round = Some(round);
            self.save();
            return Ok(Some(Stop::Barrier));
        }
        self.jump(call, None)?;
        Ok(None)
    }

    /// All arguments are read before any parameter is written; `result` goes to the last parameter.
    fn jump(&mut self, call: &BlockCall, result: Option<u64>) -> Result<(), FaultKind> {
        let func = self.func;
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        for &arg in &call.args {
            moved.extend_from_slice(self.lanes(arg));
        }
        moved.extend(result);
        let mut at = 0;
        for &param in &func.block(call.block).params {
            let to = self.lanes_mut(param);
            let len = to.len();
            to.copy_from_slice(&moved[at..at + len]);
            at += len;
        }
        self.moved = moved;
        self.block = call.block;
        self.pc = 0;
        self.charge()
    }

    fn call(&mut self, inst: Inst, callee: FuncId, args: &[Value]) -> Result<(), FaultKind> {
        let module = self.machine.module;
        let Some(func) = module.body(callee) else {
            let name = module.functions[callee.index()].name.clone();
            return Err(FaultKind::MissingBody(name));
        };
        if self.item.frames.len() >= MAX_DEPTH {
            return Err(FaultKind::CallDepth);
        }
        self.save();
        let info = &self.infos[callee.index()];
        let base = self.item.regs.len();
        self.item.regs.resize(base + info.len, 0);
        for (&arg, &param) in args.iter().zip(func.param_values()) {
            let from = self.range(arg);
            let to = base + info.slots[param.index()] as usize;
            self.item.regs.copy_within(from, to);
        }
        self.item.frames.push(Frame {
            func: callee,
            base,
            block: func.entry(),
            pc: 0,
            private_mark: self.item.private.mark(),
            call: Some(inst),
        });
        self.load();
        self.charge()
    }

    fn ret(&mut self, value: Option<Value>) -> Option<Stop> {
        let from = value.map(|v| self.range(v));
        let frame = self.item.frames.pop().expect("the frame that runs");
        self.item.private.truncate(frame.private_mark);
        if self.item.frames.is_empty() {
            return Some(Stop::Done);
        }
        self.load();
        if let Some(result) = frame.call.and_then(|inst| self.func.result(inst)) {
            let to = self.range(result);
            match from {
                Some(from) => self.item.regs.copy_within(from, to.start),
                None => self.item.regs[to].fill(0),
            }
        }
        self.item.regs.truncate(frame.base);
        None
    }

    /// Writes back where the innermost frame is.
    fn save(&mut self) {
        let (block, pc) = (self.block, self.pc);
        if let Some(frame) = self.item.frames.last_mut() {
            frame.block = block;
            frame.pc = pc;
        }
    }

    /// Continues in the innermost frame.
    fn load(&mut self) {
        let frame = self.item.frames.last().expect("a frame to run");
        self.id = frame.func;
        self.func = body(self.machine.module, frame.func);
        self.info = &self.infos[frame.func.index()];
        self.base = frame.base;
        self.block = frame.block;
        self.pc = frame.pc;
    }

    /// The first register of a value.
    pub fn slot(&self, v: Value) -> usize {
        self.base + self.info.slots[v.index()] as usize
    }

    /// The registers of a value.
    pub fn range(&self, v: Value) -> std::ops::Range<usize> {
        let slot = self.slot(v);
        slot..slot + usize::from(self.func.ty(v).lanes)
    }

    /// The bits of a scalar, or of the first lane.
    pub fn get(&self, v: Value) -> u64 {
        self.item.regs[self.slot(v)]
    }

    pub fn lanes(&self, v: Value) -> &[u64] {
        &self.item.regs[self.range(v)]
    }

    pub fn lanes_mut(&mut self, v: Value) -> &mut [u64] {
        let range = self.range(v);
        &mut self.item.regs[range]
    }

    fn fault(&self, kind: FaultKind) -> Fault {
        let block = self.func.block(self.block);
        let inst = block.insts.get(self.pc.saturating_sub(1));
        let loc = inst.map_or(block.term_loc, |&inst| self.func.loc(inst));
        Fault {
            kind,
            func: self.machine.module.functions[self.id.index()].name.clone(),
            loc,
            global_id: (!self.func.group).then_some(self.item.global_id),
        }
    }
}
