//! The group function while it is made: its entry block, what is computed there once for the group, and the addresses
//! of scratch places.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::ir::abi::BASE_ALIGN;
use crate::ir::types::{I1, I8, I32, I64};
use crate::ir::{
    AddrSpace, BinaryOp, Block, Builder, CastOp, Elem, Function, InstData, IntCC, SrcLoc, Type,
    Value, WorkItemQuery,
};

use super::Machine;
use super::crossing::{Address, Crossing, Home, is_head_param};
use super::debug::{self, Note};
use super::flow::Flow;
use super::graph::Subgraph;
use super::layout::{Layout, SlotId};
use super::private::{Place, Private};
use super::regions::{HeadKind, Regions};
use super::uniformity::Uniformity;
use super::wide::plan::Plan;

/// The `next region` of an item that has returned.
pub const DONE: u32 = u32::MAX;

/// What is known about the kernel, and the group function so far.
pub struct Group<'a> {
    pub func: &'a Function,
    pub regions: &'a Regions,
    pub uniformity: &'a Uniformity,
    pub flow: &'a Flow,
    pub crossing: &'a Crossing,
    pub layout: &'a Layout,
    /// Each item's next region (`i32`), if items can be in different regions.
    pub next: Option<SlotId>,
    /// Work-items of a full sub-group.
    pub sub_group: u16,
    /// By region: where a collective's operands are kept.
    pub operands: &'a HashMap<usize, Vec<SlotId>>,
    /// The items of a chunk, where a region runs in chunks.
    pub lanes: u16,
    /// The bits of a vector register, if regions run in chunks only where that pays.
    pub machine: Option<Machine>,
    /// It is the one of [`super::Options::full_rows`].
    pub full_rows: bool,
    /// By region: how it runs in chunks, if it does, once that was asked.
    pub plans: &'a [OnceCell<Option<Plan>>],
    pub out: Function,
    pub entry: Block,
    pub scratch: Value,
    /// The sizes of this group and their product, `i64`.
    pub sizes: [Value; 3],
    pub items: Value,
    /// How many rows a plane has, and how many planes there are: one, of all rows, where no item asks for its place in y or z.
    pub planes: [Value; 2],
    /// The sizes of all groups, if they are known.
    known: Option<[u32; 3]>,
    /// Where each region's code starts. Its parameters are what is passed, then whether no item has returned (where
    /// some may have).
    pub starts: Vec<Block>,
    /// By region: the values with [`Home::Group`] that those who go there pass.
    pub passed: Vec<Vec<Value>>,
    /// By region, where items may have returned before: none has.
    pub full: Vec<Option<Value>>,
    incoming: HashMap<(usize, Value), Value>,
    stack: Vec<Value>,
    /// The copies for lanes that are on the stack, by the variable.
    copies: HashMap<(Value, u16), Value>,
    /// See [`Self::narrow`], once that was asked.
    narrow: Option<Option<Value>>,
    queries: HashMap<(WorkItemQuery, u8), Value>,
    /// What a debugger is told of the item that runs.
    pub note: Note,
}

pub struct Parts<'a> {
    pub func: &'a Function,
    pub regions: &'a Regions,
    pub uniformity: &'a Uniformity,
    pub flow: &'a Flow,
    pub crossing: &'a Crossing,
    pub layout: &'a Layout,
    pub next: Option<SlotId>,
    pub sub_group: u16,
    pub operands: &'a HashMap<usize, Vec<SlotId>>,
    pub lanes: u16,
    pub machine: Option<Machine>,
    pub full_rows: bool,
    /// The sizes of all groups.
    pub known: Option<[u32; 3]>,
    /// Others than this function use the scratch.
    pub scratch_is_shared: bool,
    pub plans: &'a [OnceCell<Option<Plan>>],
}

/// Bytes of scratch that groups of a known size have on the thread's stack instead, where what lives across barriers
/// can stay in registers.
const SMALL_SCRATCH: u64 = 4 << 10;

/// The bytes of scratch of groups of this size, if these are small: `per_item` for each item, and `fixed`.
pub fn small_scratch(size: [u64; 3], per_item: u64, fixed: u64) -> Option<u64> {
    let items = size.iter().try_fold(1u64, |all, &n| all.checked_mul(n));
    let bytes = items?.checked_mul(per_item)?.checked_add(fixed)?;
    (1..=SMALL_SCRATCH).contains(&bytes).then_some(bytes)
}

impl Parts<'_> {
    /// Nobody else knows the scratch.
    fn owns_scratch(&self) -> bool {
        // A generic pointer is compared with the scratch.
        !self.scratch_is_shared && !has_generic_pointers(self.func)
    }

    /// Items keep something in the scratch that could stand on the stack.
    pub fn keeps_across_barriers(&self) -> bool {
        self.layout.per_item() > 0 && self.owns_scratch()
    }

    /// The size of the scratch, if it is known and small.
    fn small_scratch(&self) -> Option<u64> {
        let size = self.known.filter(|_| self.owns_scratch())?.map(u64::from);
        small_scratch(size, self.layout.per_item(), self.layout.fixed_size())
    }
}

impl<'a> Group<'a> {
    pub fn new(parts: Parts<'a>, privates: &[Private]) -> Self {
        let func = parts.func;
        let mut out = Function::new(&func.name, None);
        out.loc = func.loc;
        out.params.clone_from(&func.params);
        out.locals.clone_from(&func.locals);
        out.kernel.clone_from(&func.kernel);
        out.group = true;
        let entry = out.add_block();
        for &param in func.param_values() {
            out.add_param(entry, func.ty(param));
        }
        let mut b = Builder::new(&mut out);
        b.switch_to(entry);
        let on_stack = privates.iter().filter(|p| p.place == Place::Stack);
        let stack = on_stack.map(|p| b.alloca(p.size, p.align)).collect();
        let scratch = match parts.small_scratch() {
            Some(bytes) => b.alloca(bytes, BASE_ALIGN as u32),
            None => {
                let inst = b.push(InstData::ScratchBase, Some(Type::ptr(AddrSpace::Private)));
                b.func.result(inst).expect("the base has a result")
            }
        };
        let sizes = [0, 1, 2].map(|d| match parts.known {
            Some(known) => b.iconst(I64, known[usize::from(d)].into()),
            None => b.work_item(WorkItemQuery::LocalSize, d),
        });
        let plane = b.binary(BinaryOp::Mul, sizes[0], sizes[1]);
        let items = b.binary(BinaryOp::Mul, plane, sizes[2]);
        let planes = match tells_rows(func) {
            true => [sizes[1], sizes[2]],
            false => {
                let rows = b.binary(BinaryOp::Mul, sizes[1], sizes[2]);
                [rows, b.iconst(I64, 1)]
            }
        };
        let starts = parts.regions.list.iter().map(|_| b.add_block()).collect();
        let Parts {
            func,
            regions,
            uniformity,
            flow,
            crossing,
            layout,
            next,
            sub_group,
            operands,
            lanes,
            machine,
            full_rows,
            known,
            scratch_is_shared: _,
            plans,
        } = parts;
        let queries = (0u8..).zip(sizes);
        let mut this = Self {
            func,
            regions,
            uniformity,
            flow,
            crossing,
            layout,
            next,
            sub_group,
            operands,
            lanes,
            machine,
            full_rows,
            plans,
            out,
            entry,
            scratch,
            sizes,
            items,
            planes,
            known,
            starts,
            passed: Vec::new(),
            full: Vec::new(),
            incoming: HashMap::new(),
            stack,
            copies: HashMap::new(),
            narrow: None,
            queries: queries
                .map(|(d, v)| ((WorkItemQuery::LocalSize, d), v))
                .collect(),
            note: Note::default(),
        };
        debug::begin(&mut this);
        for region in 0..regions.list.len() {
            this.add_start_params(region);
        }
        this
    }

    /// All rows of items in x are known to be multiples of `items`.
    pub fn has_rows_of(&self, items: u64) -> bool {
        self.known
            .is_some_and(|[x, ..]| u64::from(x).is_multiple_of(items))
    }

    fn add_start_params(&mut self, region: usize) {
        let (func, start) = (self.func, self.starts[region]);
        let head = self.regions.list[region].graph.block(0);
        let params: &[Value] = match self.regions.list[region].kind {
            HeadKind::Cut => &func.block(head).params,
            HeadKind::Entry | HeadKind::Barrier(_) => &[],
        };
        let values = self.crossing.live[region].iter().chain(params).copied();
        let passed: Vec<Value> = values.filter(|&v| self.home(v) == Home::Group).collect();
        for &value in &passed {
            let param = self.out.add_param(start, func.ty(value));
            self.incoming.insert((region, value), param);
        }
        self.passed.push(passed);
        let thinned = self.flow.thinned(region);
        let full = thinned.then(|| self.out.add_param(start, I1));
        self.full.push(full);
    }

    /// What a value with [`Home::Group`] is at the start of a region.
    pub fn incoming(&self, region: usize, value: Value) -> Value {
        self.incoming[&(region, value)]
    }

    /// A collective's result becomes known.
    pub fn set_incoming(&mut self, region: usize, value: Value, is: Value) {
        self.incoming.insert((region, value), is);
    }

    /// The value is computed in the region of `graph` on every way to `node`.
    pub fn is_direct(&self, graph: &Subgraph, value: Value, node: u32) -> bool {
        let def = self.crossing.def_block(value);
        graph.node(def).is_some_and(|d| {
            graph.dominates(d, node) && !(d == 0 && is_head_param(self.func, self.regions, value))
        })
    }

    /// The parameter of a head, for which `arg` is passed at `node`, is in its place already: it shares it with `arg`, which the
    /// region of `graph` has not computed.
    pub fn stays(&self, graph: &Subgraph, node: u32, param: Value, arg: Value) -> bool {
        let same =
            matches!((self.home(param), self.home(arg)), (Home::Item(a), Home::Item(b)) if a == b);
        same && !self.is_direct(graph, arg, node)
    }

    /// Whether item `n` is one that runs in `region`; `base` is where the slot of the next regions starts.
    pub fn takes_part(&mut self, here: Block, region: usize, base: Value, n: Value) -> Value {
        let slot = self.next.expect("a slot for the next region");
        let address = self.slot_item(here, slot, base, n);
        let next = self.fetch(here, I32, address);
        let (cc, other) = match self.flow.together {
            true => (IntCC::Ne, DONE),
            false => (IntCC::Eq, region as u32),
        };
        let other = self.region_const(here, other);
        let full = self.full[region];
        let mut b = self.at(here);
        let here = b.icmp(cc, next, other);
        // Where none can have returned on the way, none has noted anything.
        match full {
            Some(full) => b.binary(BinaryOp::Or, full, here),
            None => here,
        }
    }

    /// A new block in place of one of the kernel's.
    pub fn clone_of(&mut self, block: Block) -> Block {
        let clone = self.out.add_block();
        self.out.block_mut(clone).unroll = self.func.block(block).unroll;
        clone
    }

    /// A builder that goes on at the end of `block`, whether or not that has its terminator yet.
    pub fn at(&mut self, block: Block) -> Builder<'_> {
        let mut b = Builder::new(&mut self.out);
        b.switch_to(block);
        b
    }

    pub fn at_loc(&mut self, block: Block, loc: SrcLoc) -> Builder<'_> {
        let mut b = self.at(block);
        b.set_loc(loc);
        b
    }

    /// Whether the global ids in x of this group, cut to 32 bits, are in a row, as signed and as unsigned numbers;
    /// `None` if that is known, or the kernel does not cut them, and does not care.
    pub fn narrow(&mut self) -> Option<Value> {
        if let Some(known) = self.narrow {
            return known;
        }
        if self.full_rows || !cuts_global_ids(self.func) {
            self.narrow = Some(None);
            return None;
        }
        let first = self.query(WorkItemQuery::GlobalId, 0);
        let (entry, size) = (self.entry, self.sizes[0]);
        let mut b = self.at(entry);
        let one = b.iconst(I64, 1);
        let far = b.binary(BinaryOp::Sub, size, one);
        let last = b.binary(BinaryOp::Add, first, far);
        let ends = [first, last].map(|id| b.cast(CastOp::Trunc, id, I32));
        let [signed, unsigned] = [CastOp::SExt, CastOp::ZExt].map(|op| {
            let [first, last] = ends.map(|id| b.cast(op, id, I64));
            let wide = b.binary(BinaryOp::Sub, last, first);
            b.icmp(IntCC::Eq, wide, far)
        });
        let narrow = Some(b.binary(BinaryOp::And, signed, unsigned));
        self.narrow = Some(narrow);
        narrow
    }

    /// How many items of a row a chunk under a mask takes: one if the row's ids are not [`Self::narrow`].
    pub fn step(&mut self, here: Block, lanes: u16) -> Value {
        let narrow = self.narrow();
        let mut b = self.at(here);
        let lanes = b.iconst(I64, u64::from(lanes));
        match narrow {
            Some(narrow) => {
                let one = b.iconst(I64, 1);
                b.select(narrow, lanes, one)
            }
            None => lanes,
        }
    }

    /// The answer to a query that is the same for the group, asked once.
    pub fn query(&mut self, query: WorkItemQuery, dim: u8) -> Value {
        if let Some(&v) = self.queries.get(&(query, dim)) {
            return v;
        }
        let entry = self.entry;
        let v = match query {
            // What is added to an item's local id to give its place in the NDRange, without the offset, and with it.
            WorkItemQuery::LocalId => {
                let group = self.query(WorkItemQuery::GroupId, dim);
                let size = self.query(WorkItemQuery::EnqueuedLocalSize, dim);
                self.at(entry).binary(BinaryOp::Mul, group, size)
            }
            WorkItemQuery::GlobalId => {
                let base = self.query(WorkItemQuery::LocalId, dim);
                let offset = self.query(WorkItemQuery::GlobalOffset, dim);
                self.at(entry).binary(BinaryOp::Add, base, offset)
            }
            _ => self.at(entry).work_item(query, dim),
        };
        self.queries.insert((query, dim), v);
        v
    }

    /// What an item answers to a query (OpenCL C 3.0, 6.15.1: beyond three dimensions ids are 0).
    pub fn item_id(
        &mut self,
        here: Block,
        ids: [Value; 3],
        item: Value,
        query: WorkItemQuery,
        dim: u8,
    ) -> Value {
        let d = usize::from(dim);
        match query {
            WorkItemQuery::LocalId | WorkItemQuery::GlobalId if d > 2 => {
                self.at(here).iconst(I64, 0)
            }
            WorkItemQuery::LocalId => ids[d],
            WorkItemQuery::GlobalId => {
                let base = self.query(query, dim);
                self.at(here).binary(BinaryOp::Add, base, ids[d])
            }
            WorkItemQuery::LocalLinearId => item,
            WorkItemQuery::SubGroupId | WorkItemQuery::SubGroupLocalId => {
                let size = u64::from(self.sub_group);
                let mut b = self.at(here);
                let (op, by) = match query {
                    WorkItemQuery::SubGroupId => (BinaryOp::LShr, u64::from(size.trailing_zeros())),
                    _ => (BinaryOp::And, size - 1),
                };
                let by = b.iconst(I64, by);
                b.binary(op, item, by)
            }
            WorkItemQuery::GlobalLinearId => {
                let mut sum = self.place_in_range(here, ids, 2);
                for d in [1, 0] {
                    let size = self.query(WorkItemQuery::GlobalSize, d);
                    sum = self.at(here).binary(BinaryOp::Mul, sum, size);
                    let place = self.place_in_range(here, ids, d);
                    sum = self.at(here).binary(BinaryOp::Add, sum, place);
                }
                sum
            }
            _ => self.query(query, dim),
        }
    }

    /// The global id without the offset.
    fn place_in_range(&mut self, here: Block, ids: [Value; 3], dim: u8) -> Value {
        let base = self.query(WorkItemQuery::LocalId, dim);
        let id = ids[usize::from(dim)];
        self.at(here).binary(BinaryOp::Add, base, id)
    }

    /// The start of a slot, computed at the end of `block`.
    pub fn slot_start(&mut self, block: Block, slot: SlotId) -> Value {
        let fixed = self.layout.fixed_size();
        let before = self.layout.before(slot);
        let (scratch, items) = (self.scratch, self.items);
        let mut b = self.at(block);
        let fixed = b.iconst(I64, fixed);
        let before = b.iconst(I64, before);
        let before = b.binary(BinaryOp::Mul, items, before);
        let offset = b.binary(BinaryOp::Add, before, fixed);
        b.ptr_add(scratch, offset)
    }

    /// The address of item `n` in the slot that starts at `start`, computed at the end of `block`.
    pub fn slot_item(&mut self, block: Block, slot: SlotId, start: Value, n: Value) -> Value {
        let size = self.layout.size(slot);
        let mut b = self.at(block);
        let size = b.iconst(I64, size);
        let offset = b.binary(BinaryOp::Mul, n, size);
        b.ptr_add(start, offset)
    }

    /// The address of a place in the fixed part, computed at the end of `block`.
    pub fn fixed_place(&mut self, block: Block, offset: u64) -> Value {
        let scratch = self.scratch;
        let mut b = self.at(block);
        let offset = b.iconst(I64, offset);
        b.ptr_add(scratch, offset)
    }

    /// The address of one of the allocas that are left.
    pub fn stack_address(&self, n: usize) -> Value {
        self.stack[n]
    }

    /// Where the copies of a private variable for the lanes of a chunk start.
    pub fn lanes_of_private(&mut self, block: Block, private: Value, lanes: u16) -> Value {
        let copies = self.crossing.of_lanes(private);
        if let Some(offset) = copies.fixed {
            return self.fixed_place(block, offset);
        }
        if let Some(&address) = self.copies.get(&(private, lanes)) {
            return address;
        }
        let entry = self.entry;
        let size = copies.bytes * u64::from(lanes);
        let align = copies.align.max(BASE_ALIGN as u32 / 2);
        let address = self.at(entry).alloca(size, align);
        self.copies.insert((private, lanes), address);
        address
    }

    /// Loads a value of type `ty` that [`Self::keep`] stored.
    pub fn fetch(&mut self, block: Block, ty: Type, address: Value) -> Value {
        let mut b = self.at(block);
        if ty.elem == Elem::I1 {
            let byte = b.load(ty.with_elem(I8.elem), address, 1, false);
            return b.cast(CastOp::Trunc, byte, ty);
        }
        b.load(ty, address, ty.align() as u32, false)
    }

    /// Stores a value in its place. A truth value takes a byte.
    pub fn keep(&mut self, block: Block, value: Value, address: Value) {
        let ty = self.out.ty(value);
        let mut b = self.at(block);
        if ty.elem == Elem::I1 {
            let byte = b.cast(CastOp::ZExt, value, ty.with_elem(I8.elem));
            b.store(byte, address, 1, false);
        } else {
            b.store(value, address, ty.align() as u32, false);
        }
    }

    /// The constant that stands for a region in `next`.
    pub fn region_const(&mut self, block: Block, region: u32) -> Value {
        self.at(block).iconst(I32, u64::from(region))
    }

    pub fn home(&self, value: Value) -> Home {
        self.crossing.home(value)
    }

    /// Where a private variable is, if it is the same place for all items.
    pub fn common_address(&mut self, block: Block, address: Address) -> Option<Value> {
        match address {
            Address::Stack(n) => Some(self.stack_address(n)),
            Address::Fixed(offset) => Some(self.fixed_place(block, offset)),
            Address::Item(_) => None,
        }
    }
}

fn has_generic_pointers(func: &Function) -> bool {
    let generic = |ty: Type| ty.addr_space() == Some(AddrSpace::Generic);
    (0..func.num_values()).any(|n| generic(func.ty(Value::new(n))))
}

/// Items can tell in which row of the group they are; so can a debugger.
fn tells_rows(func: &Function) -> bool {
    use WorkItemQuery as Q;
    let mut insts = func.layout().iter().flat_map(|&b| &func.block(b).insts);
    func.debug.is_some()
        || insts.any(|&inst| match *func.inst(inst) {
            InstData::WorkItem { query, dim } => {
                let of_row = matches!(query, Q::LocalId | Q::GlobalId) && dim > 0;
                of_row || query == Q::GlobalLinearId
            }
            _ => false,
        })
}

/// Somewhere the kernel makes an `i32` of an item's global id in x.
fn cuts_global_ids(func: &Function) -> bool {
    let mut insts = func.layout().iter().flat_map(|&b| &func.block(b).insts);
    insts.any(|&inst| match *func.inst(inst) {
        InstData::Cast {
            op: CastOp::Trunc,
            arg,
            ..
        } => matches!(
            func.def_inst(arg),
            Some(InstData::WorkItem {
                query: WorkItemQuery::GlobalId,
                dim: 0,
            })
        ),
        _ => false,
    })
}
