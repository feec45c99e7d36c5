//! The verifier: every invariant that `inst.rs`, `function.rs` and `module.rs` state, each under its name.
//!
//! Invariants: errors are data and all of them are collected; nothing here panics, whatever the module holds; the
//! time is linear in the size of the module (dominance by intervals of the dominator tree). Blocks that the entry
//! doesn't reach are checked too, except for dominance, which means nothing there.

mod calls;
mod debug;
mod flow;
mod memory;
mod operands;
mod structure;

use std::fmt;

pub use calls::asks_for_item;

use super::entities::{Block, FuncId, Inst};
use super::function::{Function, SrcLoc};
use super::module::Module;
use super::print;
use super::types::AddrSpace;

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident $word:literal)*) => {
        /// The invariants, by name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// The name as it stands in messages.
            pub fn name(self) -> &'static str {
                match self {
                    $(Rule::$name => $word,)*
                }
            }
        }
    };
}

rules! {
    /// Functions, globals, locals, blocks and values that are named exist.
    KnownIds "known-ids"
    /// A global is `constant` or `global`, aligned to a power of two, and its relocations lie inside and apart.
    Globals "globals"
    /// The layout has an entry and holds every block once.
    Layout "layout"
    /// Every block of the layout ends in a terminator.
    Terminated "terminated"
    /// An instruction stands in one place; a value's definition is where its table says.
    SingleDefinition "single-definition"
    /// The entry's parameters are the function's, and no edge leads to the entry.
    EntryBlock "entry-block"
    /// Every operand's definition dominates its use.
    Dominance "dominance"
    /// Operands have the types that the instruction takes.
    OperandTypes "operand-types"
    /// A result is there when the instruction has one, with the type that follows from the operands.
    ResultType "result-type"
    /// Lane numbers and counts fit their vectors.
    Lanes "lanes"
    /// Constant bits fit their type.
    ConstantBits "constant-bits"
    /// Alignments are powers of two.
    Alignment "alignment"
    /// Private memory is made in the entry block only.
    AllocaInEntry "alloca-in-entry"
    /// Nothing is stored to constant memory.
    ConstantMemory "constant-memory"
    /// Atomics have an order that their kind allows.
    AtomicOrder "atomic-order"
    /// A block gets as many arguments as it has parameters, of their types.
    BlockArguments "block-arguments"
    /// The cases of a switch are different and fit the value.
    SwitchCases "switch-cases"
    /// A return has the function's result.
    ReturnType "return-type"
    /// A call's arguments and result are those of the callee.
    CallTypes "call-types"
    /// A function does not reach itself through calls.
    NoRecursion "no-recursion"
    /// A kernel returns nothing, and its pointers are to global, constant or local memory.
    Kernel "kernel"
    /// Only a kernel has `__local` variables.
    LocalVariables "local-variables"
    /// A group function reaches no barrier and no work-item's id; scratch and reports are for it alone.
    GroupFunction "group-function"
    /// A work-item query has a dimension below 3, or 0 where it takes none.
    WorkItemQuery "work-item-query"
    /// What a debugger is told names scopes, types and places that are there.
    DebugInfo "debug-info"
}

/// One broken invariant, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    pub rule: Rule,
    pub func: Option<FuncId>,
    pub block: Option<Block>,
    pub loc: SrcLoc,
    /// The text of the instruction or terminator, or empty.
    pub text: String,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(func) = self.func {
            write!(f, "{func}: ")?;
        }
        if let Some(block) = self.block {
            write!(f, "{block}: ")?;
        }
        write!(f, "{}: {}", self.rule.name(), self.message)?;
        if !self.text.is_empty() {
            write!(f, " in `{}`", self.text)?;
        }
        Ok(())
    }
}

/// Checks the whole module.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    globals(module, &mut errors);
    if let Err(message) = debug::types(module) {
        errors.push(VerifyError {
            rule: Rule::DebugInfo,
            func: None,
            block: None,
            loc: SrcLoc::default(),
            text: String::new(),
            message,
        });
    }
    for id in module.func_ids() {
        if let Some(func) = module.body(id) {
            function(module, id, func, &mut errors);
        }
    }
    // The call graph is walked by ids, which must be known.
    if !errors.iter().any(|e| e.rule == Rule::KnownIds) {
        calls::check(module, &mut errors);
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Checks one function of the module, without what takes the whole call graph (recursion, and what a group function
/// reaches through calls).
pub fn verify_function(module: &Module, id: FuncId) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    if let Some(func) = module.body(id) {
        function(module, id, func, &mut errors);
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// For use between passes: panics with all the errors and the module's text, because the fault is ours.
pub fn assert_valid(module: &Module, after: &str) {
    if let Err(errors) = verify(module) {
        let list: Vec<String> = errors.iter().map(|e| format!("  {e}\n")).collect();
        panic!("invalid IR after {after}:\n{}\n{module}", list.concat());
    }
}

fn function(module: &Module, id: FuncId, func: &Function, errors: &mut Vec<VerifyError>) {
    let before = errors.len();
    let mut report = Reporter { id, func, errors };
    let Some(places) = structure::check(&mut report) else {
        return;
    };
    debug::function(module, &mut report);
    operands::check(module, &mut report);
    flow::check(&mut report, &places);
    let errors = &mut report.errors;
    errors[before..].sort_by_key(|e| e.block.map(|b| b.index()));
}

fn globals(module: &Module, errors: &mut Vec<VerifyError>) {
    for (n, global) in module.globals.iter().enumerate() {
        let mut fail = |rule, message: &str| {
            errors.push(VerifyError {
                rule,
                func: None,
                block: None,
                loc: SrcLoc::default(),
                text: String::new(),
                message: format!("g{n} {message}"),
            });
        };
        if !matches!(global.space, AddrSpace::Constant | AddrSpace::Global) {
            fail(Rule::Globals, "is neither in constant nor in global memory");
        }
        if !global.align.is_power_of_two() {
            fail(Rule::Globals, "has an alignment that is no power of two");
        }
        let mut offsets: Vec<u64> = Vec::with_capacity(global.relocs.len());
        for (offset, target, _) in &global.relocs {
            if target.index() >= module.globals.len() {
                fail(Rule::KnownIds, "links to a global that does not exist");
            }
            match offset.checked_add(8) {
                Some(end) if end <= global.init.len() as u64 => offsets.push(*offset),
                _ => fail(Rule::Globals, "has a relocation outside its bytes"),
            }
        }
        offsets.sort_unstable();
        if offsets.windows(2).any(|pair| pair[1] - pair[0] < 8) {
            fail(Rule::Globals, "has relocations that overlap");
        }
    }
}

/// A rule and what is wrong.
type Broken = (Rule, String);

/// Collects the errors of one function.
struct Reporter<'a> {
    id: FuncId,
    func: &'a Function,
    errors: &'a mut Vec<VerifyError>,
}

impl Reporter<'_> {
    fn at_function(&mut self, rule: Rule, message: String) {
        self.push(rule, None, SrcLoc::default(), String::new(), message);
    }

    fn at_block(&mut self, block: Block, rule: Rule, message: String) {
        self.push(rule, Some(block), SrcLoc::default(), String::new(), message);
    }

    fn at_inst(&mut self, block: Block, inst: Inst, (rule, message): Broken) {
        let text = print::inst_text(self.func, inst);
        self.push(rule, Some(block), self.func.loc(inst), text, message);
    }

    fn at_term(&mut self, block: Block, (rule, message): Broken) {
        let text = print::term_text(self.func, block);
        let loc = self.func.block(block).term_loc;
        self.push(rule, Some(block), loc, text, message);
    }

    fn push(
        &mut self,
        rule: Rule,
        block: Option<Block>,
        loc: SrcLoc,
        text: String,
        message: String,
    ) {
        self.errors.push(VerifyError {
            rule,
            func: Some(self.id),
            block,
            loc,
            text,
            message,
        });
    }
}

#[cfg(test)]
mod tests;
