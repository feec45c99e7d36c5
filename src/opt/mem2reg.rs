//! Promotes private variables that are only loaded and stored whole, with one type, to SSA values.
//!
//! Block parameters go where the iterated dominance frontier of the stores meets blocks at whose start the variable is
//! alive (Cytron et al., "Efficiently Computing Static Single Assignment Form"; pruned). Reading before writing gives
//! `undef`.

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::{Block, Function, Inst, InstData, SrcLoc, Terminator, Type, Value};

use super::replace::Replacements;

pub fn run(func: &mut Function) {
    let Some(variables) = promotable(func) else {
        return;
    };
    let reachable = Cfg::compute(func);
    func.retain_blocks(|&b| reachable.is_reachable(b));
    // A new parameter behind a collective would take the place of its result.
    for block in func.layout().to_vec() {
        if matches!(func.term(block), Terminator::Collective { .. }) {
            func.split_barrier_edge(block);
        }
    }
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let params = place_params(func, &variables, &cfg, &dom);
    Renamer {
        current: vec![None; variables.types.len()],
        undo: Vec::new(),
        undefs: vec![None; variables.types.len()],
        replace: Replacements::new(func),
        params,
        variables,
        func,
    }
    .run(&dom);
}

/// The variables that can be promoted, numbered.
struct Variables {
    /// By value, the variable whose address it is.
    number: Vec<Option<u32>>,
    types: Vec<Type>,
}

impl Variables {
    fn of(&self, address: Value) -> Option<usize> {
        Some(self.number.get(address.index()).copied().flatten()? as usize)
    }

    /// The variable that the instruction reads or writes.
    fn accessed(&self, data: &InstData) -> Option<usize> {
        match data {
            InstData::Load { ptr, .. } | InstData::Store { ptr, .. } => self.of(*ptr),
            _ => None,
        }
    }
}

fn promotable(func: &Function) -> Option<Variables> {
    #[derive(Clone, Copy, PartialEq)]
    enum Use {
        NoVariable,
        Unused(u64),
        Whole(Type),
        Other,
    }
    let mut uses = vec![Use::NoVariable; func.num_values()];
    for &inst in &func.block(func.entry()).insts {
        if let (&InstData::Alloca { size, .. }, Some(v)) = (func.inst(inst), func.result(inst)) {
            uses[v.index()] = Use::Unused(size);
        }
    }
    let access = |uses: &mut Vec<Use>, ptr: Value, ty: Type| {
        let slot = &mut uses[ptr.index()];
        *slot = match *slot {
            Use::Unused(size) if ty.bytes() <= size => Use::Whole(ty),
            Use::Whole(other) if other == ty => Use::Whole(ty),
            Use::NoVariable => Use::NoVariable,
            _ => Use::Other,
        };
    };
    let escape = |uses: &mut Vec<Use>, v: Value| {
        if uses[v.index()] != Use::NoVariable {
            uses[v.index()] = Use::Other;
        }
    };
    for &block in func.layout() {
        for &inst in &func.block(block).insts {
            match func.inst(inst) {
                InstData::Load {
                    ty,
                    ptr,
                    volatile: false,
                    ..
                } => access(&mut uses, *ptr, *ty),
                InstData::Store {
                    value,
                    ptr,
                    volatile: false,
                    ..
                } => {
                    access(&mut uses, *ptr, func.ty(*value));
                    escape(&mut uses, *value);
                }
                other => other.for_each_use(|v| escape(&mut uses, v)),
            }
        }
        func.term(block).for_each_use(|v| escape(&mut uses, v));
    }
    let mut types = Vec::new();
    let number = uses
        .iter()
        .map(|u| match u {
            Use::Whole(ty) => {
                types.push(*ty);
                Some(types.len() as u32 - 1)
            }
            _ => None,
        })
        .collect();
    (!types.is_empty()).then_some(Variables { number, types })
}

/// By block: the variables that got a parameter there, in the order of the new parameters.
type Params = Vec<Vec<(usize, Value)>>;

fn place_params(func: &mut Function, variables: &Variables, cfg: &Cfg, dom: &DomTree) -> Params {
    // By variable: blocks that store to it, and blocks that read what they did not store.
    let n = variables.types.len();
    let mut stores: Vec<Vec<Block>> = vec![Vec::new(); n];
    let mut reads: Vec<Vec<Block>> = vec![Vec::new(); n];
    for &block in func.layout() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            let Some(variable) = variables.accessed(data) else {
                continue;
            };
            let stored = stores[variable].last() == Some(&block);
            if matches!(data, InstData::Store { .. }) {
                if !stored {
                    stores[variable].push(block);
                }
            } else if !stored && reads[variable].last() != Some(&block) {
                reads[variable].push(block);
            }
        }
    }
    let frontiers = dom.frontiers(cfg);
    let mut params: Params = vec![Vec::new(); func.num_blocks()];
    // The variable for which a block was marked last.
    let mut alive = vec![usize::MAX; func.num_blocks()];
    let mut placed = vec![usize::MAX; func.num_blocks()];
    let mut storing = vec![usize::MAX; func.num_blocks()];
    for variable in 0..n {
        for &b in &stores[variable] {
            storing[b.index()] = variable;
        }
        let mut work = std::mem::take(&mut reads[variable]);
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut alive[block.index()], variable) == variable {
                continue;
            }
            let above = cfg.preds(block).iter();
            work.extend(above.filter(|p| storing[p.index()] != variable));
        }
        let mut work = std::mem::take(&mut stores[variable]);
        while let Some(block) = work.pop() {
            for &join in &frontiers[block.index()] {
                if alive[join.index()] == variable && placed[join.index()] != variable {
                    placed[join.index()] = variable;
                    let value = func.add_param(join, variables.types[variable]);
                    params[join.index()].push((variable, value));
                    work.push(join);
                }
            }
        }
    }
    params
}

struct Renamer<'f> {
    func: &'f mut Function,
    variables: Variables,
    params: Params,
    /// By variable: its value at this point.
    current: Vec<Option<Value>>,
    /// What `current` was before, to go back up the dominator tree.
    undo: Vec<(usize, Option<Value>)>,
    undefs: Vec<Option<Value>>,
    replace: Replacements,
}

impl Renamer<'_> {
    fn run(mut self, dom: &DomTree) {
        let entry = self.func.entry();
        let mut stack = vec![(entry, 0, 0)];
        self.block(entry);
        while let Some((block, next, mark)) = stack.last_mut() {
            if let Some(&child) = dom.children(*block).get(*next) {
                *next += 1;
                let mark = self.undo.len();
                self.block(child);
                stack.push((child, 0, mark));
            } else {
                while self.undo.len() > *mark {
                    if let Some((variable, old)) = self.undo.pop() {
                        self.current[variable] = old;
                    }
                }
                stack.pop();
            }
        }
        let undefs: Vec<Inst> = self
            .undefs
            .iter()
            .flatten()
            .filter_map(|&v| match self.func.value(v).def {
                crate::ir::ValueDef::Result(inst) => Some(inst),
                crate::ir::ValueDef::Param(..) => None,
            })
            .collect();
        self.func.block_mut(entry).insts.splice(0..0, undefs);
    }

    fn assign(&mut self, variable: usize, value: Value) {
        let old = self.current[variable].replace(value);
        self.undo.push((variable, old));
    }

    fn value_of(&mut self, variable: usize) -> Value {
        if let Some(value) = self.current[variable] {
            return value;
        }
        if let Some(value) = self.undefs[variable] {
            return value;
        }
        let ty = self.variables.types[variable];
        let inst = self
            .func
            .make_inst(InstData::Undef { ty }, Some(ty), SrcLoc::default());
        let value = self.func.result(inst).expect("undef is a value");
        self.undefs[variable] = Some(value);
        value
    }

    fn block(&mut self, block: Block) {
        for n in 0..self.params[block.index()].len() {
            let (variable, value) = self.params[block.index()][n];
            self.assign(variable, value);
        }
        let insts = std::mem::take(&mut self.func.block_mut(block).insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            let replace = &mut self.replace;
            self.func
                .inst_mut(inst)
                .for_each_use_mut(|v| *v = replace.get(*v));
            match (
                self.variables.accessed(self.func.inst(inst)),
                self.func.inst(inst),
            ) {
                (Some(variable), &InstData::Store { value, .. }) => self.assign(variable, value),
                (Some(variable), _) => {
                    let value = self.value_of(variable);
                    let result = self.func.result(inst).expect("a load is a value");
                    self.replace.set(result, value);
                }
                (None, InstData::Alloca { .. })
                    if self
                        .func
                        .result(inst)
                        .is_some_and(|v| self.variables.of(v).is_some()) => {}
                _ => kept.push(inst),
            }
        }
        let mut term = self.func.block_mut(block).term.take().expect("finished");
        term.for_each_use_mut(|v| *v = self.replace.get(*v));
        term.for_each_call_mut(|call| {
            for n in 0..self.params[call.block.index()].len() {
                let variable = self.params[call.block.index()][n].0;
                call.args.push(self.value_of(variable));
            }
        });
        let data = self.func.block_mut(block);
        data.insts = kept;
        data.term = Some(term);
    }
}
