//! A function in SSA form: blocks with parameters, instructions in order, one terminator a block.
//!
//! Invariants: blocks and values are never removed from the tables, only from the layout; the entry block is the
//! first of the layout and its parameters are the function's. A change of structure makes a new function through
//! [`super::builder::Builder`]; passes may rewrite operands and drop instructions in place.

use super::abi::Tiles;
use super::debug::FunctionDebug;
use super::entities::{Block, Inst, LocalId, Value};
use super::eval;
use super::inst::{BlockCall, InstData, Terminator};
use super::types::Type;

/// A position in the source: 1-based line and column of the file in the module's list; line 0 is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SrcLoc {
    pub file: u16,
    pub line: u32,
    pub col: u16,
    /// What stands here is signed arithmetic, of which the source promises that it does not overflow (C99 6.5p5): of an
    /// integer sum, difference, product or left shift at this position the exact result is wanted. The instruction
    /// itself still wraps; who computes an address in a wider type may take the operands apart.
    pub exact: bool,
    /// In [`FunctionDebug::scopes`]; 0 is the function.
    pub scope: u16,
}

/// `SrcLoc::file` of the OpenCL C library's own code. It is exact as written: the program's fast-math options do not
/// apply to it.
pub const LIBRARY_FILE: u16 = u16::MAX;

/// How the names of functions begin that blocks of OpenCL C become; no source can give such a name.
pub const BLOCK_PREFIX: &str = ".block.";

impl SrcLoc {
    /// That of code which is exact, as the library's is.
    pub const LIBRARY: SrcLoc = SrcLoc {
        file: LIBRARY_FILE,
        line: 0,
        col: 0,
        exact: false,
        scope: 0,
    };
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The n-th parameter of a block.
    Param(Block, u32),
    Result(Inst),
}

#[derive(Clone, Debug)]
pub struct ValueData {
    pub ty: Type,
    pub def: ValueDef,
}

#[derive(Clone, Debug, Default)]
pub struct BlockData {
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
    /// `None` only while the function is being built.
    pub term: Option<Terminator>,
    pub term_loc: SrcLoc,
    /// What the source wishes of the loop that this block heads.
    pub unroll: Option<Unroll>,
}

/// How far a loop is to be unrolled. It changes nothing but how fast the code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unroll {
    Full,
    Never,
    /// So many rounds in one.
    By(u32),
}

/// A function's parameter: its type and what the source promises about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamAttrs {
    pub name: String,
    /// `restrict`: no other pointer leads to what this one leads to.
    pub noalias: bool,
    /// A pointer to `const`.
    pub readonly: bool,
    /// A kernel's struct argument: the value is a `ptr.constant` to that many bytes with this alignment, in the
    /// argument block that all work-items share; front ends copy it to private memory at entry.
    pub by_value: Option<(u64, u32)>,
}

/// A `__local` variable of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVar {
    pub name: String,
    pub size: u64,
    pub align: u32,
}

/// The sizes that sub-groups can have.
pub const SUB_GROUP_SIZES: [u32; 4] = [4, 8, 16, 32];

/// See [`KernelAttrs::sub_group_size`].
pub const DEFAULT_SUB_GROUP_SIZE: u32 = 8;

/// What only a kernel has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelAttrs {
    /// In work-items.
    pub reqd_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    /// The bits of the numbers that the kernel mostly works with (`vec_type_hint`).
    pub number_bits: Option<u32>,
    /// Work-items in a sub-group, a power of two: what the source requires (cl_intel_required_subgroup_size), or what was
    /// decided later. The interpreter takes [`DEFAULT_SUB_GROUP_SIZE`] where nothing is said.
    pub sub_group_size: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Where the source names it.
    pub loc: SrcLoc,
    pub ret: Option<Type>,
    pub params: Vec<ParamAttrs>,
    pub kernel: Option<KernelAttrs>,
    /// `always_inline` of the source, or a builtin that must dissolve in its caller.
    pub always_inline: bool,
    /// `noinline` of the source: calls stay calls as long as they can.
    pub noinline: bool,
    /// The work-group pass made this from a kernel: one call runs a whole group ([`super::abi::GroupFn`]). Its
    /// parameters are the kernel's; it has no barriers and asks for no local or global ids.
    pub group: bool,
    /// Of a group function: all its loops over work-items run several of them in vector lanes, so that code generation
    /// need not look for more of that.
    pub wide: bool,
    /// Of a group function.
    pub tiles: Tiles,
    pub locals: Vec<LocalVar>,
    /// What a debugger is told, in builds that are made for one.
    pub debug: Option<Box<FunctionDebug>>,
    blocks: Vec<BlockData>,
    values: Vec<ValueData>,
    insts: Vec<InstNode>,
    layout: Vec<Block>,
}

#[derive(Clone, Debug)]
struct InstNode {
    data: InstData,
    result: Option<Value>,
    loc: SrcLoc,
}

impl Function {
    pub fn new(name: &str, ret: Option<Type>) -> Self {
        Self {
            name: name.to_string(),
            loc: SrcLoc::default(),
            ret,
            params: Vec::new(),
            kernel: None,
            always_inline: false,
            noinline: false,
            group: false,
            wide: false,
            tiles: Tiles::default(),
            locals: Vec::new(),
            debug: None,
            blocks: Vec::new(),
            values: Vec::new(),
            insts: Vec::new(),
            layout: Vec::new(),
        }
    }

    /// A function without blocks that has this one's name, signature, attributes, `__local` variables and scopes.
    pub fn head(&self) -> Self {
        let mut head = Self::new(&self.name, self.ret);
        head.loc = self.loc;
        head.params.clone_from(&self.params);
        head.kernel.clone_from(&self.kernel);
        head.locals.clone_from(&self.locals);
        (head.always_inline, head.noinline) = (self.always_inline, self.noinline);
        head.group = self.group;
        head.debug = self.debug.as_ref().map(|debug| {
            Box::new(FunctionDebug {
                scopes: debug.scopes.clone(),
                ..FunctionDebug::default()
            })
        });
        head
    }

    /// The first block of the layout.
    pub fn entry(&self) -> Block {
        self.layout[0]
    }

    /// The blocks in layout order.
    pub fn layout(&self) -> &[Block] {
        &self.layout
    }

    /// Keeps of the layout only the blocks for which `keep` answers yes (the entry must stay).
    pub fn retain_blocks(&mut self, keep: impl FnMut(&Block) -> bool) {
        self.layout.retain(keep);
    }

    /// Replaces the layout; the first must be the entry.
    pub fn set_layout(&mut self, layout: Vec<Block>) {
        self.layout = layout;
    }

    /// Number of block ids ever made: the length of a side table.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    pub fn num_insts(&self) -> usize {
        self.insts.len()
    }

    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.index()]
    }

    pub fn block_mut(&mut self, block: Block) -> &mut BlockData {
        &mut self.blocks[block.index()]
    }

    /// The terminator of a finished block.
    pub fn term(&self, block: Block) -> &Terminator {
        self.blocks[block.index()]
            .term
            .as_ref()
            .expect("an unfinished block")
    }

    pub fn inst(&self, inst: Inst) -> &InstData {
        &self.insts[inst.index()].data
    }

    pub fn inst_mut(&mut self, inst: Inst) -> &mut InstData {
        &mut self.insts[inst.index()].data
    }

    pub fn result(&self, inst: Inst) -> Option<Value> {
        self.insts[inst.index()].result
    }

    pub fn loc(&self, inst: Inst) -> SrcLoc {
        self.insts[inst.index()].loc
    }

    /// Says of the function and every instruction that they stand there.
    pub fn set_locs(&mut self, loc: SrcLoc) {
        self.map_locs(|old| *old = loc);
    }

    /// Changes the positions of the function and of all that is in it.
    pub fn map_locs(&mut self, mut change: impl FnMut(&mut SrcLoc)) {
        change(&mut self.loc);
        self.insts.iter_mut().for_each(|inst| change(&mut inst.loc));
        for block in &mut self.blocks {
            change(&mut block.term_loc);
        }
        if let Some(debug) = &mut self.debug {
            for scope in &mut debug.scopes {
                change(&mut scope.loc);
                if let Some((_, named)) = &mut scope.inlined {
                    change(named);
                }
            }
            for variable in &mut debug.variables {
                change(&mut variable.loc);
            }
        }
    }

    /// The first known position in a block.
    pub fn start_loc(&self, block: Block) -> SrcLoc {
        let data = self.block(block);
        let insts = data.insts.iter().map(|&inst| self.loc(inst));
        let mut known = insts.filter(|loc| loc.line > 0);
        known.next().unwrap_or(data.term_loc)
    }

    pub fn value(&self, value: Value) -> &ValueData {
        &self.values[value.index()]
    }

    /// For passes that change what kind of pointer a value is, with everything that uses it.
    pub fn set_ty(&mut self, value: Value, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    pub fn ty(&self, value: Value) -> Type {
        self.values[value.index()].ty
    }

    /// The instruction that defines `value`, if it is not a block parameter.
    pub fn def_inst(&self, value: Value) -> Option<&InstData> {
        match self.values[value.index()].def {
            ValueDef::Result(inst) => Some(self.inst(inst)),
            ValueDef::Param(..) => None,
        }
    }

    /// The bits of an integer or pointer constant, zero-extended; of each lane of a vector.
    pub fn const_bits(&self, value: Value) -> Option<u64> {
        match *self.def_inst(value)? {
            InstData::IConst { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The same, sign-extended.
    pub fn const_int(&self, value: Value) -> Option<i64> {
        Some(eval::signed(self.ty(value).elem, self.const_bits(value)?))
    }

    /// The values of the function's parameters.
    pub fn param_values(&self) -> &[Value] {
        &self.blocks[self.layout[0].index()].params
    }

    /// Makes an empty block and puts it at the end of the layout.
    pub fn add_block(&mut self) -> Block {
        let block = Block::new(self.blocks.len());
        self.blocks.push(BlockData::default());
        self.layout.push(block);
        block
    }

    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let value = Value::new(self.values.len());
        let n = self.blocks[block.index()].params.len() as u32;
        self.values.push(ValueData {
            ty,
            def: ValueDef::Param(block, n),
        });
        self.blocks[block.index()].params.push(value);
        value
    }

    /// Drops the parameters of `block` for which `keep` says no; the callers drop their arguments to match.
    pub fn retain_params(&mut self, block: Block, mut keep: impl FnMut(Value) -> bool) {
        let params: Vec<Value> = std::mem::take(&mut self.blocks[block.index()].params)
            .into_iter()
            .filter(|&p| keep(p))
            .collect();
        for (n, &p) in params.iter().enumerate() {
            self.values[p.index()].def = ValueDef::Param(block, n as u32);
        }
        self.blocks[block.index()].params = params;
    }

    /// Makes an instruction that is in no block yet; `ty` is that of its result.
    pub fn make_inst(&mut self, data: InstData, ty: Option<Type>, loc: SrcLoc) -> Inst {
        let inst = Inst::new(self.insts.len());
        let result = ty.map(|ty| {
            let value = Value::new(self.values.len());
            self.values.push(ValueData {
                ty,
                def: ValueDef::Result(inst),
            });
            value
        });
        self.insts.push(InstNode { data, result, loc });
        inst
    }

    /// Puts a made instruction at the end of `block`.
    pub fn append_inst(&mut self, block: Block, inst: Inst) {
        self.blocks[block.index()].insts.push(inst);
    }

    /// Gives the barrier or collective at the end of `block` a successor of its own, which jumps on to where it led;
    /// a collective's result is the only parameter of the new block. Returns that block.
    pub fn split_barrier_edge(&mut self, block: Block) -> Block {
        let own = self.add_block();
        let result = match self.term(block) {
            Terminator::Collective { next, .. } => self.block(next.block).params.last().copied(),
            _ => None,
        };
        let result = result.map(|p| self.add_param(own, self.ty(p)));
        let (Some(Terminator::Barrier { next, .. }) | Some(Terminator::Collective { next, .. })) =
            &mut self.blocks[block.index()].term
        else {
            panic!("{block} does not end in a barrier");
        };
        let to_own = BlockCall {
            block: own,
            args: Vec::new(),
        };
        let mut onward = std::mem::replace(next, to_own);
        onward.args.extend(result);
        let loc = self.blocks[block.index()].term_loc;
        let data = &mut self.blocks[own.index()];
        data.term = Some(Terminator::Jump(onward));
        data.term_loc = loc;
        own
    }

    /// Blocks without predecessors aside, every edge out of `block`.
    pub fn successors(&self, block: Block) -> Vec<Block> {
        let mut out = Vec::new();
        self.term(block).for_each_call(|call| out.push(call.block));
        out
    }

    /// Where each `__local` variable stands in `Group::local`, in bytes, and the size of them all, rounded up to
    /// [`super::abi::BASE_ALIGN`]; code generation and the interpreter agree by using this.
    pub fn local_layout(&self) -> (Vec<u64>, u64) {
        let mut at = 0u64;
        let mut offsets = Vec::with_capacity(self.locals.len());
        for var in &self.locals {
            at = at.next_multiple_of(u64::from(var.align.max(1)));
            offsets.push(at);
            at += var.size;
        }
        (offsets, at.next_multiple_of(super::abi::BASE_ALIGN as u64))
    }

    pub fn add_local(&mut self, var: LocalVar) -> LocalId {
        let id = LocalId::new(self.locals.len());
        self.locals.push(var);
        id
    }
}
