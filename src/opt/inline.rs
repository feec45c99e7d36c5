//! Inlines calls. Some must dissolve in a kernel: those that reach a barrier or collective or ask who the work-item is,
//! directly or through other calls; `always_inline` functions; kernels that are called. Others are inlined as long as
//! the caller stays of a size that builds fast, so that regions have no calls and run in vector lanes.
//!
//! Functions are done callees first, so that each is cloned with its own calls already inlined. Allocas of a callee
//! move to the caller's entry; its blocks stand in the layout where the call stood, because barriers count by the
//! layout. The size of the result is limited: nested calls can multiply.

use crate::ir::cfg::Cfg;
use crate::ir::debug::{FunctionDebug, Place, Scope, Variable};
use crate::ir::verify::asks_for_item;
use crate::ir::{
    BLOCK_PREFIX, Block, BlockCall, Builder, FuncId, Function, InstData, LocalId, Module, SrcLoc,
    Terminator, Value,
};

/// The most instructions and blocks that a function may have after inlining.
const LIMIT: usize = 500_000;

/// The most that all functions may have together: a chain of calls makes one clone of its end in every function of
/// the chain.
const TOTAL_LIMIT: usize = 2 * LIMIT;

/// Functions up to this size count as small: about what a call costs to set up for every lane, a few times over.
const SMALL: usize = 48;

/// A caller takes small functions up to the first size, others up to the second. Code generation makes about 30
/// instructions of ours a millisecond.
const SMALL_BUDGET: usize = 20_000;
const BUDGET: usize = 6_000;

/// What is done with calls of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// It has no body, or the source says so.
    Stays,
    Must,
    /// If the caller has room for so many instructions and blocks.
    WithRoom(usize),
}

/// Which calls are inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Those of blocks: what they capture is known only where they are called.
    Blocks,
    /// Those that must be.
    Required,
    /// All that there is room for.
    All,
}

/// Inlines callees first; `run` is called for each function once, in that order.
pub struct Inlining {
    wishes: Vec<Wish>,
    total: usize,
    extent: Extent,
}

impl Inlining {
    pub fn new(module: &Module, extent: Extent) -> Self {
        Self {
            wishes: vec![Wish::Stays; module.functions.len()],
            total: 0,
            extent,
        }
    }

    /// Inlines in one function. The error is a message for the build log.
    pub fn run(&mut self, module: &mut Module, id: FuncId) -> Result<(), String> {
        let Some(body) = module.body(id) else {
            return Ok(());
        };
        let wished = |callee: FuncId| match self.wishes[callee.index()] {
            Wish::Stays => false,
            Wish::Must => true,
            Wish::WithRoom(_) => self.extent == Extent::All,
        };
        if calls(body).into_iter().any(wished) {
            let new = Inliner::new(module, body, self).run()?;
            self.total += size(&new);
            if self.total > TOTAL_LIMIT {
                return Err(too_large(&new));
            }
            module.define(id, new);
        }
        Ok(())
    }

    /// Says that a function is done: its calls are inlined, and it is as small as it will be.
    pub fn done(&mut self, module: &Module, id: FuncId) {
        self.wishes[id.index()] = match module.body(id) {
            None => Wish::Stays,
            Some(body) if self.extent == Extent::Blocks => match is_block(body) {
                true => Wish::Must,
                false => Wish::Stays,
            },
            Some(body) if must_dissolve(body) => Wish::Must,
            Some(body) if body.noinline => Wish::Stays,
            Some(body) => Wish::WithRoom(live_size(body)),
        };
    }
}

fn size(func: &Function) -> usize {
    func.num_insts() + func.num_blocks()
}

/// What stands in the blocks; a function that passes went over has more in its tables.
fn live_size(func: &Function) -> usize {
    let layout = func.layout().iter();
    layout.map(|&b| func.block(b).insts.len() + 1).sum()
}

fn too_large(func: &Function) -> String {
    let name = &func.name;
    format!("error: '{name}' has more than {LIMIT} instructions after inlining")
}

fn is_block(func: &Function) -> bool {
    func.name.starts_with(BLOCK_PREFIX)
}

/// Asked when the function's own calls are done: what they reach is then in its body.
fn must_dissolve(func: &Function) -> bool {
    func.always_inline
        || func.kernel.is_some()
        || func.layout().iter().any(|&b| {
            func.term(b).is_barrier()
                || func
                    .block(b)
                    .insts
                    .iter()
                    .any(|&inst| asks_for_item(func.inst(inst)))
        })
}

fn calls(func: &Function) -> Vec<FuncId> {
    let insts = func.layout().iter().flat_map(|&b| &func.block(b).insts);
    insts
        .filter_map(|&inst| match func.inst(inst) {
            InstData::Call { func, .. } => Some(*func),
            _ => None,
        })
        .collect()
}

/// What the kernels reach by calls, and they themselves, callees before callers; recursion is an error.
pub fn callees_first(module: &Module, kernels: &[FuncId]) -> Result<Vec<FuncId>, String> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; module.functions.len()];
    let mut order = Vec::new();
    let of = |id: FuncId| module.body(id).map_or_else(Vec::new, calls);
    for &kernel in kernels {
        if state[kernel.index()] == State::Done {
            continue;
        }
        state[kernel.index()] = State::Open;
        let mut stack = vec![(kernel, of(kernel), 0)];
        while let Some((id, list, next)) = stack.last_mut() {
            match list.get(*next).copied() {
                Some(callee) => {
                    *next += 1;
                    match state[callee.index()] {
                        State::New => {
                            state[callee.index()] = State::Open;
                            stack.push((callee, of(callee), 0));
                        }
                        State::Open => {
                            let name = &module.functions[callee.index()].name;
                            return Err(format!("error: function '{name}' calls itself"));
                        }
                        State::Done => {}
                    }
                }
                None => {
                    state[id.index()] = State::Done;
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    Ok(order)
}

struct Inliner<'a> {
    module: &'a Module,
    caller: &'a Function,
    inlining: &'a Inlining,
    out: Function,
    /// Instructions of the caller that are still to come.
    ahead: usize,
}

/// A function whose blocks are being cloned into the new one.
struct Clone<'a> {
    func: &'a Function,
    cfg: Cfg,
    /// By block, the start of its clone.
    blocks: Vec<Option<Block>>,
    /// By value.
    values: Vec<Option<Value>>,
    /// By `__local` variable.
    locals: Vec<LocalId>,
    /// Where a return goes, in a callee.
    after: Option<Block>,
    /// By scope.
    scopes: Vec<u16>,
}

impl<'a> Inliner<'a> {
    fn new(module: &'a Module, caller: &'a Function, inlining: &'a Inlining) -> Self {
        let mut out = caller.head();
        out.locals.clear();
        out.debug = caller.debug.as_ref().map(|_| Default::default());
        Self {
            module,
            caller,
            inlining,
            out,
            ahead: live_size(caller),
        }
    }

    fn takes(&self, callee: FuncId) -> bool {
        match self.inlining.wishes[callee.index()] {
            Wish::Stays => false,
            Wish::Must => true,
            Wish::WithRoom(more) => {
                let budget = if more <= SMALL { SMALL_BUDGET } else { BUDGET };
                self.inlining.extent == Extent::All && size(&self.out) + self.ahead + more <= budget
            }
        }
    }

    fn run(mut self) -> Result<Function, String> {
        let clone = self.begin(self.caller, None, &[], SrcLoc::default());
        let layout = self.clone_blocks(clone)?;
        self.out.set_layout(layout);
        Ok(self.out)
    }

    /// Makes the blocks of the clone, and their parameters; those of the entry are `args`, in a callee.
    fn begin<'f>(
        &mut self,
        func: &'f Function,
        after: Option<Block>,
        args: &[Value],
        call: SrcLoc,
    ) -> Clone<'f> {
        let cfg = Cfg::compute(func);
        let mut blocks = vec![None; func.num_blocks()];
        let mut values = vec![None; func.num_values()];
        for block in cfg.reverse_postorder() {
            let clone = self.out.add_block();
            self.out.block_mut(clone).unroll = func.block(block).unroll;
            blocks[block.index()] = Some(clone);
            for (n, &param) in func.block(block).params.iter().enumerate() {
                values[param.index()] = Some(if block == func.entry() && after.is_some() {
                    args[n]
                } else {
                    self.out.add_param(clone, func.ty(param))
                });
            }
        }
        let locals = func.locals.iter().cloned();
        let locals = locals.map(|var| self.out.add_local(var)).collect();
        let scopes = match &mut self.out.debug {
            Some(debug) => clone_scopes(debug, func, after.map(|_| call)),
            None => vec![0],
        };
        Clone {
            func,
            cfg,
            blocks,
            values,
            locals,
            after,
            scopes,
        }
    }

    /// In reverse post-order, so that definitions come before uses. Calls nest no deeper than one level here, because
    /// a callee has its own inlined already. Returns the new blocks in the order of the function's layout.
    fn clone_blocks(&mut self, mut clone: Clone<'_>) -> Result<Vec<Block>, String> {
        let func = clone.func;
        let order: Vec<Block> = clone.cfg.reverse_postorder().collect();
        // By block: what became of it.
        let mut pieces: Vec<Vec<Block>> = vec![Vec::new(); func.num_blocks()];
        for block in order {
            let mut here = clone.block(block);
            pieces[block.index()].push(here);
            for &inst in &func.block(block).insts {
                if size(&self.out) > LIMIT {
                    return Err(too_large(self.caller));
                }
                if clone.after.is_none() {
                    self.ahead -= 1;
                }
                let mut data = func.inst(inst).clone();
                data.for_each_use_mut(|v| *v = clone.value(*v));
                let result = func.result(inst);
                let taken = match data {
                    InstData::Call { func, .. } => clone.after.is_none() && self.takes(func),
                    _ => false,
                };
                let mut b = Builder::new(&mut self.out);
                b.set_loc(clone.loc(func.loc(inst)));
                b.switch_to(here);
                let value = match data {
                    InstData::Alloca { size, align } => Some(b.alloca(size, align)),
                    InstData::LocalAddr { local } => {
                        Some(b.local_addr(clone.locals[local.index()]))
                    }
                    InstData::Call { func: id, args } if taken => {
                        let after = b.add_block();
                        let ty = result.map(|r| func.ty(r));
                        let value = ty.map(|ty| b.add_param(after, ty));
                        let call = (id, &args[..], clone.loc(func.loc(inst)));
                        let callee = self.inline_call(call, here, after)?;
                        pieces[block.index()].extend(callee);
                        pieces[block.index()].push(after);
                        here = after;
                        value
                    }
                    data => {
                        let new = b.push(data, result.map(|r| func.ty(r)));
                        self.out.result(new)
                    }
                };
                if let Some(result) = result {
                    clone.values[result.index()] = value;
                }
            }
            self.terminate(&clone, block, here);
        }
        self.clone_variables(&clone);
        let layout = func.layout().iter();
        Ok(layout.flat_map(|b| pieces[b.index()].clone()).collect())
    }

    fn inline_call(
        &mut self,
        (id, args, loc): (FuncId, &[Value], SrcLoc),
        here: Block,
        after: Block,
    ) -> Result<Vec<Block>, String> {
        let callee = self.module.body(id).expect("checked by the caller");
        let clone = self.begin(callee, Some(after), args, loc);
        let entry = clone.block(callee.entry());
        let mut b = Builder::new(&mut self.out);
        b.set_loc(loc);
        b.switch_to(here);
        b.jump(entry, Vec::new());
        self.clone_blocks(clone)
    }

    fn clone_variables(&mut self, clone: &Clone<'_>) {
        let (Some(debug), Some(from)) = (&mut self.out.debug, &clone.func.debug) else {
            return;
        };
        for variable in &from.variables {
            let place = variable.place;
            // Code that can't be reached was not cloned.
            let base = clone.values.get(place.base.index()).copied().flatten();
            debug.variables.extend(base.map(|base| Variable {
                loc: clone.loc(variable.loc),
                place: Place { base, ..place },
                ..variable.clone()
            }));
        }
    }

    fn terminate(&mut self, clone: &Clone<'_>, block: Block, here: Block) {
        let mut term = clone.func.term(block).clone();
        term.for_each_use_mut(|v| *v = clone.value(*v));
        term.for_each_call_mut(|call| call.block = clone.block(call.block));
        if let (Terminator::Return(value), Some(after)) = (&term, clone.after) {
            term = Terminator::Jump(BlockCall {
                block: after,
                args: value.iter().copied().collect(),
            });
        }
        let mut b = Builder::new(&mut self.out);
        b.set_loc(clone.loc(clone.func.block(block).term_loc));
        b.switch_to(here);
        b.terminate(term);
    }
}

/// By scope of the function, its number in `debug`: of a callee with debug information everything is in a scope of its
/// own, from the place of the `call`.
fn clone_scopes(debug: &mut FunctionDebug, func: &Function, call: Option<SrcLoc>) -> Vec<u16> {
    let Some(from) = &func.debug else {
        return vec![call.map_or(0, |call| call.scope)];
    };
    let whole = call.map(|loc| {
        let inlined = Some((func.name.clone(), func.loc));
        debug.add_scope(Scope { loc, inlined })
    });
    let mut scopes = vec![whole.unwrap_or(0)];
    for scope in &from.scopes {
        let loc = SrcLoc {
            scope: scopes[usize::from(scope.loc.scope)],
            ..scope.loc
        };
        let inlined = scope.inlined.clone();
        scopes.push(debug.add_scope(Scope { loc, inlined }));
    }
    scopes
}

impl Clone<'_> {
    /// The position in the scopes of the new function.
    fn loc(&self, loc: SrcLoc) -> SrcLoc {
        SrcLoc {
            scope: *self.scopes.get(usize::from(loc.scope)).unwrap_or(&0),
            ..loc
        }
    }

    fn block(&self, block: Block) -> Block {
        self.blocks[block.index()].expect("a reachable block")
    }

    fn value(&self, value: Value) -> Value {
        self.values[value.index()].expect("definitions come before uses")
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::ir::{FuncId, parse_module};

    /// `fn0` has a barrier; each of the `n` functions behind it calls the one before, `calls` times.
    fn chain(n: usize, calls: usize) -> Result<(), String> {
        let mut text = String::from(
            "func fn0 @f0() {
            block0:
                barrier [local] work_group line 1, block1
            block1:
                return
            }\n",
        );
        for i in 1..=n {
            let head = if i == n { "kernel" } else { "func" };
            let call = format!("call fn{} @f{}()\n", i - 1, i - 1).repeat(calls);
            writeln!(text, "{head} fn{i} @f{i}() {{\nblock0:\n{call}return\n}}")
                .expect("a string takes all");
        }
        let mut module = parse_module(&text).expect("parses");
        crate::opt::run_required(&mut module, &[FuncId::new(n)])
    }

    #[test]
    fn calls_that_multiply_are_an_error() {
        assert!(chain(60, 2).is_err());
    }

    #[test]
    fn a_long_chain_of_calls_ends_in_an_error_before_memory_does() {
        assert!(chain(300, 1).is_ok());
        assert!(chain(5000, 1).is_err());
    }
}
