//! Random kernels with barriers. Variables are private memory (so that the optimiser makes SSA form of them), and each
//! item observes what it computes in a hash, which it stores in the end.
//!
//! Every kernel ends: loops have small counts, and jumps use up fuel.

use clotho::ir::types::{I32, I64};
use clotho::ir::{
    AddrSpace, BinaryOp, Block, BlockCall, Builder, CastOp, Collective, FenceFlags, Function,
    IntCC, KernelAttrs, MemScope, Module, ParamAttrs, SUB_GROUP_SIZES, Team, Terminator, Type,
    Value, WorkItemQuery,
};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    /// Barriers under conditions that are equal for the group.
    Uniform,
    /// The same, but items may return early.
    EarlyReturn,
    /// Barriers anywhere.
    Divergent,
    /// Blocks that jump anywhere, barriers among them.
    Jumps,
}

pub fn generate(seed: u64, shape: Shape) -> Module {
    let mut func = Function::new("k", None);
    func.kernel = Some(KernelAttrs {
        sub_group_size: Some(SUB_GROUP_SIZES[(seed % 4) as usize]),
        ..KernelAttrs::default()
    });
    for name in ["out", "tile", "n"] {
        func.params.push(ParamAttrs {
            name: name.to_string(),
            noalias: false,
            readonly: false,
            by_value: None,
        });
    }
    let entry = func.add_block();
    let out = func.add_param(entry, Type::ptr(AddrSpace::Global));
    let tile = func.add_param(entry, Type::ptr(AddrSpace::Local));
    let n = func.add_param(entry, I32);
    let mut b = Builder::new(&mut func);
    b.switch_to(entry);
    let vars: Vec<Value> = (0..6).map(|_| b.alloca(4, 4)).collect();
    let array = b.alloca(16, 4);
    let big = b.alloca(64, 8);
    let lid = b.work_item(WorkItemQuery::LocalLinearId, 0);
    let gid = b.work_item(WorkItemQuery::GlobalLinearId, 0);
    let group = b.work_item(WorkItemQuery::GroupId, 0);
    let lid32 = b.cast(CastOp::Trunc, lid, I32);
    let group32 = b.cast(CastOp::Trunc, group, I32);
    let byte = b.iconst(clotho::ir::types::I8, 3);
    b.memset(big, byte, 64, 8);
    b.memset(array, byte, 16, 4);
    let mut generator = Generator {
        rng: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
        shape,
        b,
        out,
        tile,
        vars,
        array,
        big,
        lid,
        gid,
        lid32,
        uniform: vec![n, group32],
        line: 0,
        varying_depth: 0,
        budget: 24,
    };
    for var in 0..generator.vars.len() {
        let zero = generator.int(0);
        generator.set(var, zero);
    }
    for var in 0..generator.vars.len() {
        let value = generator.value();
        generator.set(var, value);
    }
    if shape == Shape::Jumps {
        generator.jumps();
    } else {
        generator.statements(3, 4);
        generator.finish();
    }
    let mut module = Module::new();
    module.add_function(func);
    module
}

struct Generator<'f> {
    rng: u64,
    shape: Shape,
    b: Builder<'f>,
    out: Value,
    tile: Value,
    /// The last is the hash, the one before counts fuel.
    vars: Vec<Value>,
    array: Value,
    big: Value,
    lid: Value,
    gid: Value,
    lid32: Value,
    /// Values that are equal for the group and defined in the entry.
    uniform: Vec<Value>,
    line: u32,
    /// Conditions around that differ between items.
    varying_depth: u32,
    budget: u32,
}

impl Generator<'_> {
    fn random(&mut self, below: u64) -> u64 {
        self.rng ^= self.rng << 13;
        self.rng ^= self.rng >> 7;
        self.rng ^= self.rng << 17;
        (self.rng >> 11) % below
    }

    fn get(&mut self, var: usize) -> Value {
        let address = self.vars[var];
        self.b.load(I32, address, 4, false)
    }

    fn set(&mut self, var: usize, value: Value) {
        let address = self.vars[var];
        self.b.store(value, address, 4, false);
    }

    fn int(&mut self, x: u64) -> Value {
        self.b.iconst(I32, x)
    }

    fn hash(&self) -> usize {
        self.vars.len() - 1
    }

    fn observe(&mut self, value: Value) {
        let hash = self.hash();
        let old = self.get(hash);
        let k = self.int(31);
        let x = self.b.binary(BinaryOp::Mul, old, k);
        let x = self.b.binary(BinaryOp::Add, x, value);
        self.set(hash, x);
    }

    /// The address of the item's own place in the local tile.
    fn own_tile(&mut self) -> Value {
        let four = self.b.iconst(I64, 4);
        let offset = self.b.binary(BinaryOp::Mul, self.lid, four);
        self.b.ptr_add(self.tile, offset)
    }

    fn element(&mut self, base: Value, index: Value, mask: u64) -> Value {
        let mask = self.int(mask);
        let index = self.b.binary(BinaryOp::And, index, mask);
        let index = self.b.cast(CastOp::ZExt, index, I64);
        let four = self.b.iconst(I64, 4);
        let offset = self.b.binary(BinaryOp::Mul, index, four);
        self.b.ptr_add(base, offset)
    }

    /// Some value, which may differ between items.
    fn value(&mut self) -> Value {
        match self.random(7) {
            0 => self.lid32,
            1 => self.b.cast(CastOp::Trunc, self.gid, I32),
            2 => {
                let c = self.random(9);
                self.int(c)
            }
            3 => self.uniform_value(),
            4 => {
                let index = self.random(4);
                let index = self.int(index);
                let address = self.element(self.array, index, 3);
                self.b.load(I32, address, 4, false)
            }
            _ => {
                let var = self.random(4) as usize;
                self.get(var)
            }
        }
    }

    fn uniform_value(&mut self) -> Value {
        let pick = self.random(self.uniform.len() as u64) as usize;
        let value = self.uniform[pick];
        let c = self.random(4);
        let c = self.int(c);
        self.b.binary(BinaryOp::Add, value, c)
    }

    fn expression(&mut self) -> Value {
        let (x, y) = (self.value(), self.value());
        const OPS: [BinaryOp; 6] = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Xor,
            BinaryOp::UDiv,
            BinaryOp::SMin,
        ];
        let op = OPS[self.random(6) as usize];
        self.b.binary(op, x, y)
    }

    fn condition(&mut self, value: Value) -> Value {
        let (mask, limit) = (1 + self.random(3), self.random(3));
        let (mask, limit) = (self.int(mask), self.int(limit));
        let x = self.b.binary(BinaryOp::And, value, mask);
        self.b.icmp(IntCC::Ule, x, limit)
    }

    fn may_sync(&self) -> bool {
        self.shape != Shape::Uniform && self.shape != Shape::EarlyReturn || self.varying_depth == 0
    }

    fn statements(&mut self, depth: u32, most: u64) {
        for _ in 0..1 + self.random(most) {
            if self.b.is_terminated() {
                return;
            }
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        self.budget = self.budget.saturating_sub(1);
        let depth = if self.budget == 0 { 0 } else { depth };
        match self.random(if depth == 0 { 6 } else { 12 }) {
            0 | 1 => {
                let value = self.expression();
                let var = self.random(4) as usize;
                self.set(var, value);
            }
            2 => {
                let (value, index) = (self.value(), self.value());
                let (base, mask) = if self.random(2) == 0 {
                    (self.array, 3)
                } else {
                    (self.big, 15)
                };
                let address = self.element(base, index, mask);
                let old = self.b.load(I32, address, 4, false);
                self.observe(old);
                self.b.store(value, address, 4, false);
            }
            3 => {
                let address = self.own_tile();
                let old = self.b.load(I32, address, 4, false);
                self.observe(old);
                let value = self.value();
                self.b.store(value, address, 4, false);
            }
            4..=6 if self.may_sync() => self.sync(),
            4..=6 => {
                let value = self.expression();
                self.observe(value);
            }
            7 | 8 => self.conditional(depth),
            9 => self.switch(depth),
            10 => self.counted_loop(depth),
            _ => self.early_return(),
        }
    }

    fn sync(&mut self) {
        let next = self.b.add_block();
        self.line += 1;
        let line = self.line;
        if self.random(4) != 0 {
            let global = self.random_flag();
            self.b.terminate(Terminator::Barrier {
                team: Team::Group,
                flags: FenceFlags {
                    local: true,
                    global,
                    image: false,
                },
                scope: MemScope::WorkGroup,
                line,
                next: BlockCall {
                    block: next,
                    args: Vec::new(),
                },
            });
            self.b.switch_to(next);
            return;
        }
        use BinaryOp::{Add, And, Mul, SMax, SMin, UMax, UMin, Xor};
        const OPS: [Collective; 13] = [
            Collective::All,
            Collective::Any,
            Collective::Broadcast,
            Collective::Shuffle,
            Collective::Reduce(Add),
            Collective::Reduce(SMin),
            Collective::Reduce(UMax),
            Collective::ScanInclusive(Mul),
            Collective::ScanInclusive(And),
            Collective::ScanInclusive(SMax),
            Collective::ScanExclusive(Add),
            Collective::ScanExclusive(UMin),
            Collective::ScanExclusive(Xor),
        ];
        // Only those that take part can broadcast.
        let all_here = self.shape == Shape::Uniform;
        let mut op = OPS[self.random(13) as usize];
        if op == Collective::Broadcast && !all_here {
            op = Collective::Any;
        }
        let team = match op {
            Collective::Broadcast => Team::Group,
            Collective::Shuffle => Team::SubGroup,
            Collective::Reduce(_) if self.random(4) == 0 => Team::Cluster(1 << self.random(5)),
            _ if self.random_flag() => Team::SubGroup,
            _ => Team::Group,
        };
        let mut args = vec![self.value()];
        match op {
            Collective::Broadcast => {
                let zero = self.b.iconst(I64, 0);
                args.extend([zero; 3]);
            }
            Collective::Shuffle => args.push(self.value()),
            _ => {}
        }
        let result = self.b.add_param(next, I32);
        self.b.terminate(Terminator::Collective {
            team,
            op,
            args,
            line,
            next: BlockCall {
                block: next,
                args: Vec::new(),
            },
        });
        self.b.switch_to(next);
        self.observe(result);
    }

    fn random_flag(&mut self) -> bool {
        self.random(2) == 0
    }

    /// A condition, and whether it can differ between items.
    fn pick_condition(&mut self) -> (Value, bool) {
        let varying = self.random_flag();
        let value = if varying {
            self.value()
        } else {
            self.uniform_value()
        };
        (self.condition(value), varying)
    }

    fn nested(&mut self, varying: bool, body: impl FnOnce(&mut Self)) {
        self.varying_depth += u32::from(varying);
        body(self);
        self.varying_depth -= u32::from(varying);
    }

    fn conditional(&mut self, depth: u32) {
        let (cond, varying) = self.pick_condition();
        let [then, els, join] = [(); 3].map(|()| self.b.add_block());
        self.b.branch(cond, (then, Vec::new()), (els, Vec::new()));
        let with_else = self.random_flag();
        for (block, filled) in [(then, true), (els, with_else)] {
            self.b.switch_to(block);
            if filled {
                self.nested(varying, |g| g.statements(depth - 1, 3));
            }
            self.go_to(join);
        }
        self.b.switch_to(join);
    }

    fn switch(&mut self, depth: u32) {
        let varying = self.random_flag();
        let value = if varying {
            self.value()
        } else {
            self.uniform_value()
        };
        let three = self.int(3);
        let value = self.b.binary(BinaryOp::And, value, three);
        let blocks: Vec<Block> = (0..4).map(|_| self.b.add_block()).collect();
        let call = |block| BlockCall {
            block,
            args: Vec::new(),
        };
        self.b.terminate(Terminator::Switch {
            value,
            cases: vec![
                (0, call(blocks[0])),
                (1, call(blocks[1])),
                (3, call(blocks[1])),
            ],
            default: call(blocks[2]),
        });
        let join = blocks[3];
        for n in 0..3 {
            self.b.switch_to(blocks[n]);
            self.nested(varying, |g| g.statements(depth - 1, 2));
            // The first case may fall through.
            let falls = n == 0 && self.random_flag();
            self.go_to(if falls { blocks[1] } else { join });
        }
        self.b.switch_to(join);
    }

    fn go_to(&mut self, block: Block) {
        if !self.b.is_terminated() {
            self.b.jump(block, Vec::new());
        }
    }

    fn counted_loop(&mut self, depth: u32) {
        let varying = self.random_flag();
        let bound = if varying {
            self.value()
        } else {
            self.uniform_value()
        };
        let mask = 1 + self.random(3);
        let mask = self.int(mask);
        let bound = self.b.binary(BinaryOp::And, bound, mask);
        let counter = self.b.alloca(4, 4);
        let zero = self.int(0);
        self.b.store(zero, counter, 4, false);
        let [head, body, exit] = [(); 3].map(|()| self.b.add_block());
        self.b.jump(head, Vec::new());
        self.b.switch_to(head);
        let i = self.b.load(I32, counter, 4, false);
        let more = self.b.icmp(IntCC::Ult, i, bound);
        self.b.branch(more, (body, Vec::new()), (exit, Vec::new()));
        self.b.switch_to(body);
        let one = self.int(1);
        let next = self.b.binary(BinaryOp::Add, i, one);
        self.b.store(next, counter, 4, false);
        self.observe(i);
        self.nested(varying, |g| g.statements(depth - 1, 3));
        if !self.b.is_terminated() && self.random(3) == 0 {
            // A break that may be taken by some items: nothing may synchronise in the loop then, so that it is the
            // last thing in it, and only where that is allowed.
            let (cond, differs) = self.pick_condition();
            if !differs || self.shape == Shape::Divergent || self.varying_depth > 0 || varying {
                self.b.branch(cond, (exit, Vec::new()), (head, Vec::new()));
            }
        }
        self.go_to(head);
        self.b.switch_to(exit);
        let i = self.b.load(I32, counter, 4, false);
        self.observe(i);
    }

    fn early_return(&mut self) {
        if self.shape == Shape::Uniform {
            return;
        }
        let (cond, _) = self.pick_condition();
        let [leave, stay] = [(); 2].map(|()| self.b.add_block());
        self.b.branch(cond, (leave, Vec::new()), (stay, Vec::new()));
        self.b.switch_to(leave);
        self.finish();
        self.b.switch_to(stay);
    }

    /// Stores the hash and the variables, and returns.
    fn finish(&mut self) {
        if self.b.is_terminated() {
            return;
        }
        for var in 0..5 {
            let value = self.get(var);
            self.observe(value);
        }
        let index = self.int(2);
        let address = self.element(self.big, index, 15);
        let value = self.b.load(I32, address, 4, false);
        self.observe(value);
        let size = self.b.iconst(I64, 64);
        let offset = self.b.binary(BinaryOp::Mul, self.gid, size);
        let address = self.b.ptr_add(self.out, offset);
        let hash = self.hash();
        let value = self.get(hash);
        self.b.store(value, address, 4, false);
        self.b.ret(None);
    }

    /// Blocks that jump to any other, irreducible as it comes; each one uses up fuel.
    fn jumps(&mut self) {
        let count = 4 + self.random(8) as usize;
        let blocks: Vec<Block> = (0..count).map(|_| self.b.add_block()).collect();
        let exit = self.b.add_block();
        let fuel = self.vars.len() - 2;
        let start = self.int(20);
        self.set(fuel, start);
        self.b.jump(blocks[0], Vec::new());
        for n in 0..count {
            self.b.switch_to(blocks[n]);
            let left = self.get(fuel);
            let one = self.int(1);
            let less = self.b.binary(BinaryOp::Sub, left, one);
            self.set(fuel, less);
            let zero = self.int(0);
            let out_of_fuel = self.b.icmp(IntCC::Sle, less, zero);
            let go = self.b.add_block();
            self.b
                .branch(out_of_fuel, (exit, Vec::new()), (go, Vec::new()));
            self.b.switch_to(go);
            self.statements(0, 3);
            let (cond, _) = self.pick_condition();
            let to = self.random(count as u64) as usize;
            let or = self.random(count as u64 + 1) as usize;
            let or = blocks.get(or).copied().unwrap_or(exit);
            self.b
                .branch(cond, (blocks[to], Vec::new()), (or, Vec::new()));
        }
        self.b.switch_to(exit);
        self.finish();
    }
}
