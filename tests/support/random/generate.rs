//! A random kernel whose result does not depend on who runs it.
//!
//! `kernel random(out, in, n, f)` with a local tile of [`MAX_ITEMS`] words: each work-item writes [`SLOTS`] words of
//! its own to `out`, reads `in` (read-only, [`INPUT_WORDS`] words), and meets the others at barriers and collectives
//! in uniform control flow only; between two barriers the tile is either written (each its own word) or read. What
//! the IR leaves unspecified does not occur: divisors are small and positive, NaNs are made one before they are
//! stored, float-to-int conversions are in range.

use super::rng::Rng;
use clotho::ir::types::{F32, F64, I8, I16, I32, I64};
use clotho::ir::*;

pub const MAX_ITEMS: usize = 64;
pub const SLOTS: usize = 8;
pub const INPUT_WORDS: usize = 64;

const I32X4: Type = Type::vector(Elem::I32, 4);
const F32X3: Type = Type::vector(Elem::F32, 3);
pub const TYPES: [Type; 9] = [I32, I32, I64, I16, I8, F32, F64, I32X4, F32X3];

/// What may stand in a place.
#[derive(Clone, Copy)]
struct Place {
    /// All work-items that still run come here together.
    uniform: bool,
    depth: usize,
}

struct Var {
    value: Value,
    ty: Type,
    /// Equal for the whole group, as far as the generator knows.
    uniform: bool,
}

pub(super) struct Gen<'f> {
    pub(super) b: Builder<'f>,
    pub(super) rng: Rng,
    scope: Vec<Var>,
    /// Statements that may still be made.
    budget: usize,
    out: Value,
    pub(super) input: Value,
    tile: Value,
    line: u32,
    helper: FuncId,
    exchange: FuncId,
}

/// The module of a seed; its kernel is the only one.
pub fn module(seed: u64) -> Module {
    let mut module = Module::new();
    let helper = module.add_function(helper());
    let exchange = module.add_function(exchange());
    let mut func = Function::new("random", None);
    func.kernel = Some(KernelAttrs::default());
    let tile = func.add_local(LocalVar {
        name: "tile".to_string(),
        size: 4 * MAX_ITEMS as u64,
        align: 4,
    });
    for name in ["out", "in", "n", "f"] {
        func.params.push(ParamAttrs {
            name: name.to_string(),
            noalias: false,
            readonly: false,
            by_value: None,
        });
    }
    let mut b = Builder::new(&mut func);
    let entry = b.add_block();
    b.switch_to(entry);
    let pointer = Type::ptr(AddrSpace::Global);
    let [out, input, n, f] = [pointer, pointer, I32, F32].map(|ty| b.add_param(entry, ty));
    let tile = b.local_addr(tile);
    let mut rng = Rng::new(seed);
    let budget = 4 + rng.below(40);
    let mut g = Gen {
        b,
        rng,
        scope: Vec::new(),
        budget,
        out,
        input,
        tile,
        line: 1,
        helper,
        exchange,
    };
    g.prologue(n, f);
    g.body(Place {
        uniform: true,
        depth: 0,
    });
    g.write_out();
    g.b.ret(None);
    module.add_function(func);
    module
}

/// `helper(a, b)`: a loop and no barrier.
fn helper() -> Function {
    function(
        "func fn0 @helper(v0: i32 \"a\", v1: i32 \"b\") -> i32 {
block0:
    v2: i32 = iconst 7
    v3: i32 = and v1, v2
    v4: i32 = iconst 0
    jump block1(v4, v0)
block1(v5: i32, v6: i32):
    v7: i1 = icmp ult v5, v3
    br v7, block2, block3
block2:
    v8: i32 = iconst 3
    v9: i32 = imul v6, v8
    v10: i32 = xor v9, v5
    v11: i32 = iconst 1
    v12: i32 = iadd v5, v11
    jump block1(v12, v10)
block3:
    return v6
}",
    )
}

/// `exchange(tile, x)`: what the next work-item gives; barriers inside.
fn exchange() -> Function {
    function(
        "func fn0 @exchange(v0: ptr.local \"tile\", v1: i32 \"x\") -> i32 {
block0:
    v2: i64 = work_item local_linear_id 0
    v3: i64 = iconst 2
    v4: i64 = shl v2, v3
    v5: ptr.local = ptr_add v0, v4
    store v1, v5 align 4
    barrier [local] work_group line 900, block1
block1:
    v6: i64 = iconst 1
    v7: i64 = iadd v2, v6
    v8: i64 = iconst 63
    v9: i64 = and v7, v8
    v10: i64 = shl v9, v3
    v11: ptr.local = ptr_add v0, v10
    v12: i32 = load v11 align 4
    barrier [local] work_group line 901, block2
block2:
    return v12
}",
    )
}

fn function(text: &str) -> Function {
    parse_function(text).expect("a valid text")
}

impl Gen<'_> {
    pub(super) fn int(&mut self, ty: Type, n: i64) -> Value {
        self.b.iconst(ty, n as u64)
    }

    pub(super) fn add(&mut self, value: Value, uniform: bool) {
        let ty = self.b.func.ty(value);
        self.scope.push(Var { value, ty, uniform });
    }

    /// A value of the type, made where there is none; only a uniform one if that is asked.
    pub(super) fn pick(&mut self, ty: Type, uniform: bool) -> (Value, bool) {
        let fits = |v: &Var| v.ty == ty && (v.uniform || !uniform);
        let count = self.scope.iter().filter(|v| fits(v)).count();
        if count > 0 && !self.rng.percent(8) {
            // The newest are taken more often.
            let skip = self.rng.below(count).min(self.rng.below(count));
            if let Some(var) = self.scope.iter().rev().filter(|v| fits(v)).nth(skip) {
                return (var.value, var.uniform);
            }
        }
        let value = if ty.elem.is_float() {
            let x = self.rng.pick(&[0.0, 1.0, -2.5, 1e10, 0.1, -0.0]);
            self.b.fconst(ty, x)
        } else {
            let n = self.rng.next() as i64 >> self.rng.below(64);
            self.int(ty, n)
        };
        (value, true)
    }

    /// Arguments, ids, and pointers to the work-item's own words.
    fn prologue(&mut self, n: Value, f: Value) {
        self.add(n, true);
        self.add(f, true);
        for query in [WorkItemQuery::LocalId, WorkItemQuery::GlobalId] {
            for dim in 0..2 {
                let id = self.b.work_item(query, dim);
                self.add(id, false);
                let narrow = self.b.cast(CastOp::Trunc, id, I32);
                self.add(narrow, false);
            }
        }
        for query in [WorkItemQuery::GroupId, WorkItemQuery::LocalSize] {
            let value = self.b.work_item(query, 0);
            self.add(value, true);
        }
    }

    fn body(&mut self, place: Place) {
        let count = 1 + self.rng.below(if place.depth == 0 { 12 } else { 5 });
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.line += 1;
            let choice = self.rng.below(100);
            match choice {
                0..40 => self.arithmetic(),
                40..50 => self.load_input(),
                50..56 => self.private_array(),
                56..60 => self.call_helper(),
                60..72 if place.depth < 3 => self.conditional(place),
                72..80 if place.depth < 3 => self.repeat(place),
                80..84 if place.depth < 3 => self.switch(place),
                84..92 if place.uniform => self.exchange_tile(),
                92..95 if place.uniform => self.call_exchange(),
                95..98 if place.uniform => self.collective(),
                98 if place.depth == 0 => self.leave(),
                _ => self.arithmetic(),
            }
        }
    }

    /// Stores to a small private array and reads it back elsewhere.
    fn private_array(&mut self) {
        let size = self.rng.pick(&[16u64, 64, 8192]);
        let array = self.b.alloca(size, 4);
        let zero = self.int(I8, 0);
        self.b.memset(array, zero, size, 4);
        for _ in 0..1 + self.rng.below(2) {
            let (value, _) = self.pick(I32, false);
            let (index, _) = self.pick(I32, false);
            let at = self.element(array, index, size as usize / 4, 2);
            self.b.store(value, at, 4, false);
        }
        if self.rng.percent(50) {
            self.arithmetic();
        }
        let (index, _) = self.pick(I32, false);
        let at = self.element(array, index, size as usize / 4, 2);
        let value = self.b.load(I32, at, 4, false);
        self.add(value, false);
    }

    fn call_helper(&mut self) {
        let (a, ua) = self.pick(I32, false);
        let (b, ub) = self.pick(I32, false);
        if let Some(value) = self.b.call(self.helper, vec![a, b], Some(I32)) {
            self.add(value, ua && ub);
        }
    }

    /// A condition, and whether the arms are uniform.
    fn condition(&mut self, place: Place) -> (Value, bool) {
        let ty = self.rng.pick(&[I32, I32, I64, F32]);
        let want = place.uniform && self.rng.percent(60);
        let (a, ua) = self.pick(ty, want);
        let (b, ub) = self.pick(ty, want);
        (self.compare(a, b), ua && ub)
    }

    /// Runs `fill` in the current block as a scope of its own; what stands at its end goes to `join`.
    fn arm(&mut self, place: Place, types: &[Type], join: Block) -> Vec<bool> {
        let mark = self.scope.len();
        self.body(place);
        let picked: Vec<(Value, bool)> = types.iter().map(|&ty| self.pick(ty, false)).collect();
        self.scope.truncate(mark);
        self.b.jump(join, picked.iter().map(|p| p.0).collect());
        picked.iter().map(|p| p.1).collect()
    }

    fn some_types(&mut self) -> Vec<Type> {
        let count = self.rng.below(3);
        (0..count).map(|_| self.rng.pick(&TYPES)).collect()
    }

    fn join_params(&mut self, join: Block, types: &[Type]) -> Vec<Value> {
        types.iter().map(|&ty| self.b.add_param(join, ty)).collect()
    }

    fn conditional(&mut self, place: Place) {
        let (cond, uniform) = self.condition(place);
        let inner = Place {
            uniform: place.uniform && uniform,
            depth: place.depth + 1,
        };
        let [then, els, join] = [(); 3].map(|()| self.b.add_block());
        let types = self.some_types();
        let params = self.join_params(join, &types);
        self.b.branch(cond, (then, vec![]), (els, vec![]));
        self.b.switch_to(then);
        let one = self.arm(inner, &types, join);
        self.b.switch_to(els);
        let two = self.arm(inner, &types, join);
        self.b.switch_to(join);
        for ((param, a), b) in params.into_iter().zip(one).zip(two) {
            self.add(param, uniform && a && b);
        }
    }

    fn switch(&mut self, place: Place) {
        let want = place.uniform && self.rng.percent(60);
        let (value, uniform) = self.pick(I32, want);
        let three = self.int(I32, 3);
        let value = self.b.binary(BinaryOp::And, value, three);
        let inner = Place {
            uniform: place.uniform && uniform,
            depth: place.depth + 1,
        };
        let [one, two, join] = [(); 3].map(|()| self.b.add_block());
        let param = self.b.add_param(join, I32);
        let (fallback, _) = self.pick(I32, false);
        let call = |block, args| BlockCall { block, args };
        self.b.terminate(Terminator::Switch {
            value,
            cases: vec![(0, call(one, vec![])), (2, call(two, vec![]))],
            default: call(join, vec![fallback]),
        });
        // The second arm may fall into the first.
        self.b.switch_to(two);
        if self.rng.percent(40) {
            let mark = self.scope.len();
            self.body(inner);
            self.scope.truncate(mark);
            self.b.jump(one, vec![]);
        } else {
            self.arm(inner, &[I32], join);
        }
        self.b.switch_to(one);
        self.arm(inner, &[I32], join);
        self.b.switch_to(join);
        self.add(param, false);
    }

    /// A loop of up to seven rounds that carries values, perhaps with a way out in the middle.
    fn repeat(&mut self, place: Place) {
        let want = place.uniform && self.rng.percent(60);
        let (count, mut uniform) = self.pick(I32, want);
        let seven = self.int(I32, 7);
        let count = self.b.binary(BinaryOp::And, count, seven);
        let early = self.rng.percent(30);
        // A break may part the work-items, so nothing that needs them all stands in such a loop.
        uniform &= !early;
        let inner = Place {
            uniform: place.uniform && uniform,
            depth: place.depth + 1,
        };
        let types = self.some_types();
        let [header, body, latch, exit] = [(); 4].map(|()| self.b.add_block());
        let counter = self.b.add_param(header, I32);
        let carried = self.join_params(header, &types);
        let results = self.join_params(exit, &types);
        let zero = self.int(I32, 0);
        let mut args = vec![zero];
        args.extend(types.iter().map(|&ty| self.pick(ty, false).0));
        self.b.jump(header, args);

        self.b.switch_to(header);
        let mark = self.scope.len();
        self.add(counter, uniform);
        for &param in &carried {
            self.add(param, false);
        }
        let go_on = self.b.icmp(IntCC::Ult, counter, count);
        self.b
            .branch(go_on, (body, vec![]), (exit, carried.clone()));
        self.b.switch_to(body);
        self.body(inner);
        if early {
            let (cond, _) = self.condition(inner);
            let next = self.b.add_block();
            let out = types.iter().map(|&ty| self.pick(ty, false).0).collect();
            self.b.branch(cond, (exit, out), (next, vec![]));
            self.b.switch_to(next);
            self.body(inner);
        }
        let next: Vec<Value> = types.iter().map(|&ty| self.pick(ty, false).0).collect();
        let latch_params = self.join_params(latch, &types);
        self.b.jump(latch, next);
        self.b.switch_to(latch);
        let one = self.int(I32, 1);
        let mut args = vec![self.b.binary(BinaryOp::Add, counter, one)];
        args.extend(latch_params);
        self.b.jump(header, args);
        self.scope.truncate(mark);
        self.b.switch_to(exit);
        for result in results {
            self.add(result, false);
        }
    }

    fn barrier(&mut self) {
        let next = self.b.add_block();
        self.b.terminate(Terminator::Barrier {
            team: Team::Group,
            flags: FenceFlags {
                local: true,
                ..FenceFlags::default()
            },
            scope: MemScope::WorkGroup,
            line: self.line,
            next: BlockCall {
                block: next,
                args: vec![],
            },
        });
        self.b.switch_to(next);
    }

    /// Everyone writes a word, everyone reads one.
    fn exchange_tile(&mut self) {
        let own = self.b.work_item(WorkItemQuery::LocalLinearId, 0);
        let at = self.element(self.tile, own, MAX_ITEMS, 2);
        let (value, _) = self.pick(I32, false);
        self.b.store(value, at, 4, false);
        self.barrier();
        let (index, uniform) = self.pick(I32, false);
        let at = self.element(self.tile, index, MAX_ITEMS, 2);
        let value = self.b.load(I32, at, 4, false);
        self.barrier();
        self.add(value, uniform);
    }

    fn call_exchange(&mut self) {
        let (value, _) = self.pick(I32, false);
        let args = vec![self.tile, value];
        if let Some(value) = self.b.call(self.exchange, args, Some(I32)) {
            self.add(value, false);
        }
    }

    fn collective(&mut self) {
        let op = self.rng.pick(&[
            Collective::All,
            Collective::Any,
            Collective::Reduce(BinaryOp::Add),
            Collective::Reduce(BinaryOp::SMin),
            Collective::Reduce(BinaryOp::UMax),
            Collective::ScanInclusive(BinaryOp::Add),
            Collective::ScanExclusive(BinaryOp::SMax),
            Collective::Shuffle,
        ]);
        let mut team = self.rng.pick(&[Team::Group, Team::SubGroup]);
        let (value, _) = self.pick(I32, false);
        let mut args = vec![value];
        if op == Collective::Shuffle {
            team = Team::SubGroup;
            args.push(self.pick(I32, false).0);
        } else if matches!(op, Collective::Reduce(_)) && self.rng.percent(20) {
            team = Team::Cluster(self.rng.pick(&[1, 2, 4]));
        }
        let uniform = team == Team::Group && op.gives_one();
        let next = self.b.add_block();
        let result = self.b.add_param(next, I32);
        self.b.terminate(Terminator::Collective {
            team,
            op,
            args,
            line: self.line,
            next: BlockCall {
                block: next,
                args: vec![],
            },
        });
        self.b.switch_to(next);
        self.add(result, uniform);
    }

    /// Some work-items write what they have and are done.
    fn leave(&mut self) {
        let (cond, _) = self.condition(Place {
            uniform: false,
            depth: 0,
        });
        let [done, go_on] = [(); 2].map(|()| self.b.add_block());
        self.b.branch(cond, (done, vec![]), (go_on, vec![]));
        self.b.switch_to(done);
        self.write_out();
        self.b.ret(None);
        self.b.switch_to(go_on);
    }

    /// Writes some values to the work-item's words of `out`.
    fn write_out(&mut self) {
        let own = self.b.work_item(WorkItemQuery::GlobalLinearId, 0);
        let size = self.int(I64, 8 * SLOTS as i64);
        let offset = self.b.binary(BinaryOp::Mul, own, size);
        let base = self.b.ptr_add(self.out, offset);
        for slot in 0..SLOTS {
            let ty = self.rng.pick(&TYPES);
            let (value, _) = self.pick(ty, false);
            let word = self.word(value);
            let offset = self.int(I64, 8 * slot as i64);
            let at = self.b.ptr_add(base, offset);
            self.b.store(word, at, 8, false);
        }
    }
}
