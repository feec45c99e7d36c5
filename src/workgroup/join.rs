//! A kernel whose groups are several neighbouring groups of another one.
//!
//! A work-item finds its place in its own, small group from that in the large one: sizes are powers of two, so that low
//! bits of a local id are the local id in the small group, and the bits above say which one it is in. Each small group
//! has its own copy of a local variable, but where neighbours share one (`sharing`); that is filled by the first of
//! those who share it. What comes out is a kernel like any other, which requires the size of the large group.

use crate::ir::types::I64;
use crate::ir::{
    AddrSpace, BinaryOp, Block, BlockCall, Builder, Function, Inst, InstData, IntCC, Terminator,
    Value, WorkItemQuery,
};

use super::sharing::{self, Locals, ON_X, ON_Y, Root};

/// How groups are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The size of a small group in x and y, powers of two; it has one item in z.
    pub local: [u32; 2],
    /// How many are joined in x and y, powers of two.
    pub groups: [u32; 2],
    /// The bytes of each parameter that points to local memory, in order. A launch gives so many for each
    /// small group in a row, each rounded up to [`COPY_ALIGN`].
    pub local_args: Vec<u64>,
}

/// Copies of a local variable begin at multiples of this, in bytes.
pub const COPY_ALIGN: usize = 128;

/// `None` if the groups of the kernel may not be joined, or not like that.
pub fn run(kernel: &Function, shape: &Shape) -> Option<Function> {
    let locals = sharing::run(kernel)?;
    let size = [0, 1].map(|d| shape.local[d].checked_mul(shape.groups[d]));
    let [Some(x), Some(y)] = size else {
        return None;
    };
    let attrs = kernel.kernel.as_ref()?;
    let powers = shape.local.iter().chain(&shape.groups);
    let required = attrs.reqd_work_group_size;
    if !powers.copied().all(u32::is_power_of_two)
        || required.is_some_and(|size| size != [shape.local[0], shape.local[1], 1])
    {
        return None;
    }
    let mut out = kernel.clone();
    out.kernel.as_mut()?.reqd_work_group_size = Some([x, y, 1]);
    let mut pass = Pass {
        out,
        shape,
        locals: &locals,
    };
    // First of all: what follows asks for places in the large group.
    for block in pass.out.layout().to_vec() {
        pass.answer_queries(block);
    }
    pass.fill_once();
    pass.give_copies()?;
    Some(pass.out)
}

struct Pass<'a> {
    out: Function,
    shape: &'a Shape,
    locals: &'a Locals,
}

impl Pass<'_> {
    /// Puts what fills shared variables behind a branch that only the first of those who share them takes.
    fn fill_once(&mut self) {
        let mut work = self.out.layout().to_vec();
        while let Some(block) = work.pop() {
            let insts = self.out.block(block).insts.clone();
            let found = insts.iter().enumerate().find_map(|(n, &inst)| {
                let root = sharing::stored(&self.out, self.out.inst(inst))?;
                let shared = self.shared_along(root);
                (shared != [false; 2]).then_some((n, shared))
            });
            if let Some((n, shared)) = found {
                work.push(self.guard(block, n, shared));
            }
        }
    }

    /// Whether groups that are joined in x, and in y, share the variable.
    fn shared_along(&self, root: Root) -> [bool; 2] {
        let on = self.locals.depends(root);
        let [x, y] = self.shape.groups;
        [x > 1 && on & ON_X == 0, y > 1 && on & ON_Y == 0]
    }

    /// Puts the `n`-th instruction of `block`, a store, and what only it needs behind a branch; returns the block of what
    /// follows.
    fn guard(&mut self, block: Block, n: usize, shared: [bool; 2]) -> Block {
        let out = &mut self.out;
        let mut before = out.block(block).insts.clone();
        let behind = before.split_off(n + 1);
        let only = needed_only_by(out, &before);
        let taken: Vec<Inst> = before
            .iter()
            .copied()
            .filter(|i| only.contains(i))
            .collect();
        before.retain(|i| !only.contains(i));
        let [store, rest] = [(); 2].map(|()| out.add_block());
        let term = out.block_mut(block).term.take();
        let loc = out.block(block).term_loc;
        out.block_mut(block).insts = before;
        out.block_mut(store).insts = taken;
        out.block_mut(rest).insts = behind;
        for part in [store, rest] {
            out.block_mut(part).term_loc = loc;
        }
        out.block_mut(rest).term = term;
        let to = |block| BlockCall {
            block,
            args: Vec::new(),
        };
        out.block_mut(store).term = Some(Terminator::Jump(to(rest)));
        let mut b = Builder::new(out);
        b.switch_to(block);
        let mut id = None;
        for (dim, _) in (0u8..).zip(shared).filter(|(_, shared)| *shared) {
            let n = group_in_large(&mut b, self.shape, dim);
            id = Some(match id {
                None => n,
                Some(before) => b.binary(BinaryOp::Or, before, n),
            });
        }
        let id = id.expect("it is shared along a dimension");
        let zero = b.iconst(I64, 0);
        let first = b.icmp(IntCC::Eq, id, zero);
        b.branch(first, (store, Vec::new()), (rest, Vec::new()));
        rest
    }

    /// Makes room for the copies of local variables, and has each small group use its own. `None` if they are too large.
    fn give_copies(&mut self) -> Option<()> {
        let params = self.out.param_values().to_vec();
        let is_local =
            |&(_, &p): &(usize, &Value)| self.out.ty(p).addr_space() == Some(AddrSpace::Local);
        let local_params: Vec<(usize, Value)> = params
            .iter()
            .enumerate()
            .filter(is_local)
            .map(|(n, &p)| (n, p))
            .collect();
        if local_params.len() != self.shape.local_args.len() {
            return None;
        }
        self.move_variables()?;
        for ((n, param), &size) in local_params.into_iter().zip(&self.shape.local_args) {
            let stride = size.checked_next_multiple_of(COPY_ALIGN as u64)?;
            self.move_param(n, param, stride);
        }
        Some(())
    }

    /// How many copies there are in x and y of what depends on these.
    fn copies(&self, on: u8) -> [u64; 2] {
        let [x, y] = self.shape.groups;
        [
            if on & ON_X != 0 { x.into() } else { 1 },
            if on & ON_Y != 0 { y.into() } else { 1 },
        ]
    }

    /// Makes room for the copies of each variable, and adds to its address that of the group's.
    fn move_variables(&mut self) -> Option<()> {
        let mut all = Vec::new();
        for n in 0..self.out.locals.len() {
            let copies = self.copies(self.locals.variables[n]);
            let variable = &mut self.out.locals[n];
            let stride = variable.size.checked_next_multiple_of(COPY_ALIGN as u64)?;
            variable.size = stride.checked_mul(copies.iter().product())?;
            all.push((copies, stride));
        }
        let shape = self.shape;
        for block in self.out.layout().to_vec() {
            Builder::rewrite(&mut self.out, block, |b, data| {
                let &InstData::LocalAddr { local } = data else {
                    return None;
                };
                let (copies, stride) = all[local.index()];
                let ptr = b.local_addr(local);
                let offset = copy_offset(b, shape, copies, stride);
                Some(InstData::PtrAdd { ptr, offset })
            });
        }
        Some(())
    }

    /// The same for what the `n`-th parameter points to.
    fn move_param(&mut self, n: usize, param: Value, stride: u64) {
        let (shape, copies) = (self.shape, self.copies(self.locals.params[n]));
        for block in self.out.layout().to_vec() {
            Builder::rewrite(&mut self.out, block, |b, data| {
                let mut uses = false;
                data.for_each_use(|v| uses |= v == param);
                uses.then(|| {
                    let offset = copy_offset(b, shape, copies, stride);
                    let own = b.ptr_add(param, offset);
                    let mut data = data.clone();
                    data.for_each_use_mut(|v| *v = if *v == param { own } else { *v });
                    data
                })
            });
        }
    }

    /// Answers what items of small groups ask about their places.
    fn answer_queries(&mut self, block: Block) {
        let shape = self.shape;
        Builder::rewrite(&mut self.out, block, |b, data| match *data {
            InstData::WorkItem { query, dim } => answer(b, shape, query, dim),
            _ => None,
        });
    }
}

/// The number of a small group among those that are joined, in `dim`.
fn group_in_large(b: &mut Builder, shape: &Shape, dim: u8) -> Value {
    let id = b.work_item(WorkItemQuery::LocalId, dim);
    let bits = shape.local[usize::from(dim)].trailing_zeros();
    let bits = b.iconst(I64, bits.into());
    b.binary(BinaryOp::LShr, id, bits)
}

/// How far a small group's copy is from the first one, where there are so many in x and y, of `stride` bytes each.
fn copy_offset(b: &mut Builder, shape: &Shape, copies: [u64; 2], stride: u64) -> Value {
    let mut sum = b.iconst(I64, 0);
    let mut far = stride;
    for (dim, count) in (0u8..).zip(copies).filter(|&(_, count)| count > 1) {
        let n = group_in_large(b, shape, dim);
        let step = b.iconst(I64, far);
        let offset = b.binary(BinaryOp::Mul, n, step);
        sum = b.binary(BinaryOp::Add, sum, offset);
        far *= count;
    }
    sum
}

/// The last operation of the answer to what an item of a small group asks; those before it are put at the end of the
/// block. `None` if the large group has the same answer.
fn answer(b: &mut Builder, shape: &Shape, query: WorkItemQuery, dim: u8) -> Option<InstData> {
    use WorkItemQuery as Q;
    let binary = |op, args| Some(InstData::Binary { op, args });
    let d = usize::from(dim);
    match query {
        Q::LocalLinearId => {
            let [x, y] = [0, 1].map(|dim| {
                let id = b.work_item(Q::LocalId, dim);
                let low = b.iconst(I64, u64::from(shape.local[usize::from(dim)]) - 1);
                b.binary(BinaryOp::And, id, low)
            });
            // Where none are joined in x, the last group may be smaller.
            let width = match shape.groups[0] {
                1 => b.work_item(Q::LocalSize, 0),
                _ => b.iconst(I64, shape.local[0].into()),
            };
            let row = b.binary(BinaryOp::Mul, y, width);
            binary(BinaryOp::Add, [row, x])
        }
        _ if d > 1 || shape.groups[d] == 1 => None,
        Q::LocalId => {
            let id = b.work_item(query, dim);
            let low = b.iconst(I64, u64::from(shape.local[d]) - 1);
            binary(BinaryOp::And, [id, low])
        }
        Q::LocalSize | Q::EnqueuedLocalSize => Some(InstData::IConst {
            ty: I64,
            bits: shape.local[d].into(),
        }),
        Q::GroupId => {
            let large = b.work_item(query, dim);
            let count = b.iconst(I64, shape.groups[d].into());
            let first = b.binary(BinaryOp::Mul, large, count);
            let own = group_in_large(b, shape, dim);
            binary(BinaryOp::Add, [first, own])
        }
        Q::NumGroups => {
            let large = b.work_item(query, dim);
            let count = b.iconst(I64, shape.groups[d].into());
            binary(BinaryOp::Mul, [large, count])
        }
        _ => None,
    }
}

/// Those of `insts`, the last of which is a store, that nothing else needs, and that may run just before it.
fn needed_only_by(func: &Function, insts: &[Inst]) -> Vec<Inst> {
    let (&store, before) = insts.split_last().expect("the store is one of them");
    let mut uses = vec![0u32; func.num_values()];
    let mut count = |v: Value| uses[v.index()] += 1;
    for &block in func.layout() {
        for &inst in &func.block(block).insts {
            func.inst(inst).for_each_use(&mut count);
        }
        if let Some(term) = &func.block(block).term {
            term.for_each_use(&mut count);
        }
    }
    let mut only = vec![store];
    let release = |inst: Inst, uses: &mut Vec<u32>| {
        func.inst(inst).for_each_use(|v| uses[v.index()] -= 1);
    };
    release(store, &mut uses);
    // What lies between an instruction and the store, of which loads must not pass writes.
    let mut written = Vec::new();
    for &inst in before.iter().rev() {
        let data = func.inst(inst);
        let may_move = match *data {
            InstData::Load { ptr, .. } => !written.contains(&func.ty(ptr).addr_space()),
            InstData::Alloca { .. } => false,
            _ => !data.has_side_effects(),
        };
        let unused = func.result(inst).is_some_and(|r| uses[r.index()] == 0);
        if may_move && unused {
            only.push(inst);
            release(inst, &mut uses);
            continue;
        }
        match *data {
            InstData::Store { ptr, .. } => written.push(func.ty(ptr).addr_space()),
            InstData::MemCpy { dst, .. } | InstData::MemSet { dst, .. } => {
                written.push(func.ty(dst).addr_space());
            }
            _ => {}
        }
    }
    only
}
