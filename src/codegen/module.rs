//! An IR module to an LLVM module: which functions and globals there are, and how they are called.
//!
//! Invariants: group functions are external under [`GROUP_PREFIX`] and their name; all else is internal, under names
//! with a dot, so that a user's `memset` is never taken for C's. An internal function takes the group as a hidden
//! first parameter. Globals stand in LLVM's address space 0 like every pointer; constants are a part of the object, variables
//! and what they point to in the program's own block ([`super::data`]).

use std::collections::HashMap;

use super::Options;
use super::alias::Tags;
use super::data::{Places, SYMBOL};
use super::debug::Debug;
use super::function;
use super::llvm::{FastMath, Linkage, Llvm, Place, Ty, Val};
use super::target::has_feature;
use crate::ir::{self, Elem, FuncId, Function, GlobalId, InstData, Type, abi};

/// Bytes of stack that one group function may use for its private variables, callees included. What is bigger belongs
/// in the group's scratch.
pub const MAX_STACK: u64 = 256 << 10;

/// Before a kernel's name in the object's symbol table.
pub const GROUP_PREFIX: &str = "wg.";

/// What all functions of one module share while they are lowered.
pub struct ModuleGen<'m> {
    pub llvm: &'m Llvm,
    pub module: &'m ir::Module,
    pub flags: FastMath,
    /// The CPU has half-precision arithmetic (AVX512-FP16).
    pub has_fp16: bool,
    /// It has the 512-bit vectors of x86, in all sizes (AVX512F and AVX512VL).
    pub has_avx512: bool,
    /// Masked loads of bytes.
    pub has_avx512bw: bool,
    /// Options::near_sqrt.
    pub near_sqrt: bool,
    /// Options::streaming.
    pub streaming: bool,
    /// Give LLVM's values the IR's names.
    pub names: bool,
    pub tags: Tags,
    pub debug: Option<Debug>,
    globals: Vec<Option<Val>>,
    functions: HashMap<FuncId, Callee>,
}

/// A function as LLVM knows it.
#[derive(Clone, Copy)]
pub struct Callee {
    pub value: Val,
    pub ty: Ty,
}

/// The group functions of a module.
pub fn group_functions(module: &ir::Module) -> Vec<FuncId> {
    let is_group = |&id: &FuncId| module.body(id).is_some_and(|f| f.group);
    module.func_ids().filter(is_group).collect()
}

/// The group functions are vector code, and call nothing.
pub fn is_wide(module: &ir::Module, groups: &[FuncId]) -> bool {
    let alone = |id: &FuncId| {
        let mut calls = false;
        let body = module.body(*id);
        if let Some(body) = body {
            for_each_inst(body, |data| calls |= matches!(data, InstData::Call { .. }));
        }
        body.is_some_and(|body| body.wide) && !calls
    };
    groups.iter().all(alone)
}

/// The LLVM module of these group functions and what they call. `names`: keep value names for a reader.
pub fn lower(
    module: &ir::Module,
    groups: &[FuncId],
    options: &Options,
    names: bool,
) -> Result<Llvm, String> {
    super::target::initialize()?;
    let llvm = Llvm::new("clotho", names);
    let reached = check(module, groups)?;
    let mut unit = ModuleGen {
        llvm: &llvm,
        module,
        flags: fast_math_bits(options),
        has_fp16: has_feature(options, "avx512fp16"),
        has_avx512: has_feature(options, "avx512f") && has_feature(options, "avx512vl"),
        has_avx512bw: has_feature(options, "avx512bw") && has_feature(options, "avx512vl"),
        near_sqrt: options.near_sqrt,
        streaming: options.streaming,
        names,
        tags: Tags::new(&llvm),
        debug: Debug::new(&llvm, module, groups, options),
        globals: vec![None; module.globals.len()],
        functions: HashMap::new(),
    };
    unit.add_globals(&reached);
    for &id in &reached {
        unit.declare(id);
    }
    for &id in &reached {
        function::lower(&unit, id).map_err(|e| format!("{}: {e}", unit.name(id)))?;
    }
    if let Some(debug) = &unit.debug {
        debug.finish();
    }
    drop(unit);
    Ok(llvm)
}

/// The group functions and what they call, if machine code can be made of them (see [`super::check`]).
pub fn check(module: &ir::Module, groups: &[FuncId]) -> Result<Vec<FuncId>, String> {
    let reached = reached(module, groups)?;
    check_stack(module, &reached)?;
    Ok(reached)
}

impl ModuleGen<'_> {
    fn name(&self, id: FuncId) -> &str {
        &self.module.functions[id.index()].name
    }

    pub fn body(&self, id: FuncId) -> &Function {
        self.module.body(id).expect("reached functions have bodies")
    }

    pub fn callee(&self, id: FuncId) -> Callee {
        self.functions[&id]
    }

    pub fn global(&self, id: GlobalId) -> Val {
        self.globals[id.index()].expect("globals in use were added")
    }

    /// The global that an address is the start of.
    pub fn global_at(&self, address: Val) -> Option<GlobalId> {
        let at = self.globals.iter().position(|&g| g == Some(address))?;
        Some(GlobalId::new(at))
    }

    /// Lanes of pointers are integers: see `vector`.
    pub fn ty(&self, ty: Type) -> Ty {
        let one = match ty.elem {
            Elem::Ptr(_) if ty.lanes > 1 => self.llvm.int(64),
            elem => self.elem(elem),
        };
        self.llvm.vector(one, u32::from(ty.lanes))
    }

    pub fn elem(&self, elem: Elem) -> Ty {
        match elem {
            Elem::F16 | Elem::F32 | Elem::F64 => self.llvm.float(elem.bits()),
            Elem::Ptr(_) => self.llvm.ptr(),
            _ => self.llvm.int(elem.bits()),
        }
    }

    /// Declares all globals that the reached functions name, and those that these point to; then fills them.
    fn add_globals(&mut self, reached: &[FuncId]) {
        let mut work: Vec<GlobalId> = Vec::new();
        for &id in reached {
            for_each_inst(self.body(id), |data| match data {
                InstData::GlobalAddr { global } => work.push(*global),
                InstData::Printf { format, .. } => work.push(*format),
                _ => {}
            });
        }
        let places = Places::new(self.module);
        let mut block = None;
        let mut added = Vec::new();
        while let Some(id) = work.pop() {
            if self.globals[id.index()].is_some() {
                continue;
            }
            if let Some(at) = places.of[id.index()] {
                let block = *block.get_or_insert_with(|| {
                    let bytes = self.llvm.array(self.llvm.int(8), places.size);
                    self.llvm
                        .extern_global(SYMBOL, bytes, abi::BASE_ALIGN as u32)
                });
                let address = self.llvm.const_ptr_add(block, at as i64);
                self.globals[id.index()] = Some(address);
                continue;
            }
            let global = &self.module.globals[id.index()];
            let constant = global.space == ir::AddrSpace::Constant;
            let name = format!("g{}.{}", id.index(), global.name);
            let ty = self.global_type(global);
            let value = self
                .llvm
                .add_global(&name, ty, constant, global.align.max(1));
            self.globals[id.index()] = Some(value);
            added.push(id);
            work.extend(global.relocs.iter().map(|&(_, to, _)| to));
        }
        for id in added {
            let content = self.content(&self.module.globals[id.index()]);
            self.llvm.set_initializer(self.global(id), content);
        }
    }

    fn global_type(&self, global: &ir::Global) -> Ty {
        if global.relocs.is_empty() {
            return self.llvm.array(self.llvm.int(8), global.init.len() as u64);
        }
        self.llvm
            .type_of(self.fields(global, |_| self.llvm.null(self.llvm.ptr())))
    }

    fn content(&self, global: &ir::Global) -> Val {
        if !global.relocs.is_empty() {
            return self.fields(global, |&(_, to, addend)| {
                self.llvm.const_ptr_add(self.global(to), addend)
            });
        }
        if global.init.iter().all(|&b| b == 0) {
            return self.llvm.null(self.global_type(global));
        }
        self.llvm.const_bytes(&global.init)
    }

    /// The bytes and addresses of a global with relocations, as a packed struct.
    fn fields(&self, global: &ir::Global, address: impl Fn(&(u64, GlobalId, i64)) -> Val) -> Val {
        let mut relocs: Vec<_> = global.relocs.iter().collect();
        relocs.sort_by_key(|r| r.0);
        let mut fields = Vec::new();
        let mut at = 0usize;
        for reloc in relocs {
            let offset = reloc.0 as usize;
            if offset > at {
                fields.push(self.llvm.const_bytes(&global.init[at..offset]));
            }
            fields.push(address(reloc));
            at = offset + 8;
        }
        if global.init.len() > at {
            fields.push(self.llvm.const_bytes(&global.init[at..]));
        }
        self.llvm.const_packed_struct(&fields)
    }

    fn declare(&mut self, id: FuncId) {
        let llvm = self.llvm;
        let body = self.body(id);
        let name = self.name(id);
        let callee = if body.group {
            let ty = llvm.fn_type(llvm.void(), &[llvm.ptr(), llvm.ptr()]);
            let linkage = Linkage::LLVMExternalLinkage;
            let value = llvm.add_function(&format!("{GROUP_PREFIX}{name}"), ty, linkage);
            let (_, size) = abi::args_layout(body);
            self.promise_block(value, 0, size, abi::BASE_ALIGN as u64);
            self.promise_block(value, 1, size_of::<abi::Group>() as u64, 8);
            Callee { value, ty }
        } else {
            let mut params = vec![llvm.ptr()];
            params.extend(body.param_values().iter().map(|&v| self.ty(body.ty(v))));
            let ret = body.ret.map_or(llvm.void(), |ty| self.ty(ty));
            let ty = llvm.fn_type(ret, &params);
            let linkage = Linkage::LLVMInternalLinkage;
            let value = llvm.add_function(&format!("f{}.{name}", id.index()), ty, linkage);
            llvm.set_fast_call(value);
            self.promise_block(value, 0, size_of::<abi::Group>() as u64, 8);
            for (n, param) in body.params.iter().enumerate() {
                let is_ptr = body.ty(body.param_values()[n]).elem.is_ptr();
                if param.noalias && is_ptr {
                    llvm.attribute(value, Place::Param(n as u32 + 1), "noalias", 0);
                }
            }
            // Whatever is worth inlining has been inlined (`opt/inline.rs`). LLVM's inliner would take a switch of a few
            // lines that is called a thousand times for small each time.
            let wish = if body.always_inline {
                "alwaysinline"
            } else {
                "noinline"
            };
            llvm.attribute(value, Place::Function, wish, 0);
            Callee { value, ty }
        };
        llvm.attribute(callee.value, Place::Function, "nounwind", 0);
        self.functions.insert(id, callee);
    }

    /// Parameter `n` leads to `size` bytes that this call only reads.
    fn promise_block(&self, function: Val, n: u32, size: u64, align: u64) {
        let place = Place::Param(n);
        for name in ["noalias", "readonly", "nonnull", "noundef"] {
            self.llvm.attribute(function, place, name, 0);
        }
        self.llvm.attribute(function, place, "align", align);
        if size > 0 {
            self.llvm
                .attribute(function, place, "dereferenceable", size);
        }
    }
}

fn fast_math_bits(options: &Options) -> FastMath {
    use inkwell::llvm_sys as sys;
    let math = options.fast_math;
    [
        (math.no_nans, sys::LLVMFastMathNoNaNs),
        (math.no_infs, sys::LLVMFastMathNoInfs),
        (math.no_signed_zeros, sys::LLVMFastMathNoSignedZeros),
        (math.reciprocal, sys::LLVMFastMathAllowReciprocal),
        (math.contract, sys::LLVMFastMathAllowContract),
        (math.approx, sys::LLVMFastMathApproxFunc),
        (math.reassociate, sys::LLVMFastMathAllowReassoc),
    ]
    .iter()
    .filter(|(on, _)| *on)
    .fold(0, |bits, (_, bit)| bits | bit)
}

fn for_each_inst<'f>(body: &'f Function, mut f: impl FnMut(&'f InstData)) {
    for &block in body.layout() {
        for &inst in &body.block(block).insts {
            f(body.inst(inst));
        }
    }
}

/// The group functions and everything that they call, callees after callers.
fn reached(module: &ir::Module, groups: &[FuncId]) -> Result<Vec<FuncId>, String> {
    let mut order = groups.to_vec();
    let mut seen = vec![false; module.functions.len()];
    order.iter().for_each(|id| seen[id.index()] = true);
    let mut next = 0;
    while next < order.len() {
        let body = module.body(order[next]).expect("checked when it was added");
        next += 1;
        let mut missing = None;
        for_each_inst(body, |data| {
            if let InstData::Call { func, .. } = data
                && !std::mem::replace(&mut seen[func.index()], true)
            {
                match module.body(*func) {
                    Some(_) => order.push(*func),
                    None => missing = Some(&module.functions[func.index()].name),
                }
            }
        });
        if let Some(name) = missing {
            return Err(format!("{}: call of undefined function {name}", body.name));
        }
    }
    Ok(order)
}

/// No chain of calls may need more than [`MAX_STACK`] bytes for its variables.
fn check_stack(module: &ir::Module, reached: &[FuncId]) -> Result<(), String> {
    // Every call of a function after it in `reached` is counted once the callee is known; as a callee can stand before
    // its caller in this list when two callers share it, the pass repeats until nothing grows. A recursion, which
    // OpenCL C forbids, would grow without end and ends here too.
    let mut need: HashMap<FuncId, u64> = reached.iter().map(|&id| (id, 0)).collect();
    loop {
        let mut grown = false;
        for &id in reached.iter().rev() {
            let body = module.body(id).expect("reached functions have bodies");
            let (mut own, mut deepest) = (0u64, 0u64);
            for_each_inst(body, |data| match data {
                InstData::Alloca { size, align } => {
                    own = own.saturating_add(size.next_multiple_of(u64::from(*align).max(8)));
                }
                InstData::Call { func, .. } => deepest = deepest.max(need[func] + 64),
                _ => {}
            });
            let total = own.saturating_add(deepest);
            if total > MAX_STACK {
                return Err(format!(
                    "{}: private variables take more than {MAX_STACK} bytes",
                    body.name
                ));
            }
            if total > need[&id] {
                need.insert(id, total);
                grown = true;
            }
        }
        if !grown {
            return Ok(());
        }
    }
}
