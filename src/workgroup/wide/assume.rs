//! Two clones of a chunk instead of a question at each access: whether all guarded values are a step apart is found out
//! first, and where they are, a clone runs that takes it for granted.
//!
//! Neighbours on a torus, or clamped to an image, have addresses that are a step apart but at the rims. Each such access
//! asks for itself, and what lies between the questions can't be moved across them. Where these values can be computed before all else,
//! from ids and what is uniform, one question answers for all of them, and for more chunks than one:
//!
//! ```text
//! head:   the first and the last chunk of a row by themselves; else a run of chunks, as long as may be
//! ask:    are the values a step apart in all items of the run? else about a half of it; else `slow`, one chunk
//! fast:   the clone that takes it for granted, for each chunk of the run; back to the head
//! ```
//!
//! What `shape` says of the lanes of a chunk, it says as well of a run of so many items: whether they are a step apart
//! is told by the first and the last of them. Addresses move on with the run: they are computed for its first item only.
//! After a run that is one, the next is tried twice as long, so that rims may lie anywhere. Regions with loops are left as they are:
//! these are jammed, and their guards most often depend on what the loop does.

use std::collections::HashMap;

use crate::ir::types::I64;
use crate::ir::{BinaryOp, Block, InstData, IntCC, SrcLoc, Value};
use crate::workgroup::group::Group;
use crate::workgroup::item::Frame;
use crate::workgroup::loops::{Rows, carried};

use super::memory::guard_of;
use super::plan::Plan;
use super::shape::{self, Shape, Span};
use super::{Assumed, Chunk, Rep, Widen, chunks};

/// Fewer questions than this are not worth a second clone, nor is a region of more instructions, in all and for each of them.
const LEAST_ACCESSES: usize = 3;
const MOST_INSTS: usize = 640;
const MOST_FOR_EACH: usize = 64;

/// The most items of a run.
const LONGEST: u16 = 1 << 15;

/// What is asked about.
pub struct Question {
    /// The shapes of what can be computed before all else, for the items of a run.
    shapes: HashMap<Value, Shape>,
    /// The values, ascending.
    values: Vec<Value>,
    /// The most items of a run.
    longest: u16,
}

/// Whether the region is worth a question: where enough accesses go by guarded values that can be computed before all else.
pub fn find(group: &Group, region: usize, plan: &Plan) -> Option<Question> {
    if !plan.loops.is_empty() || plan.insts > MOST_INSTS {
        return None;
    }
    let one = question(group, region, plan, Span::chunk(plan.lanes), plan.lanes)?;
    let many = question(group, region, plan, Span::run(LONGEST), LONGEST);
    // What is a step apart in a chunk may not be so in a run.
    let covers = |many: &Question| one.values.iter().all(|v| many.values.contains(v));
    Some(many.filter(covers).unwrap_or(one))
}

fn question(
    group: &Group,
    region: usize,
    plan: &Plan,
    span: Span,
    longest: u16,
) -> Option<Question> {
    let func = group.func;
    let graph = &group.regions.list[region].graph;
    let is_run = longest > plan.lanes;
    let outside = |v: Value| {
        if graph.contains(group.crossing.def_block(v)) && !func.param_values().contains(&v) {
            return None;
        }
        let shape = shape::outside(func, group.crossing, span, v);
        // Nobody asks about these.
        shape.filter(|s| !is_run || !is_doubtful(*s))
    };
    let mut shapes: HashMap<Value, Shape> = HashMap::new();
    let mut values = Vec::new();
    let mut accesses = 0;
    // Without loops, blocks come behind those that they are reached from, and values before their uses.
    for &inst in graph.blocks.iter().flat_map(|&b| &func.block(b).insts) {
        let data = func.inst(inst);
        if let InstData::Load { ptr, .. } | InstData::Store { ptr, .. } = data {
            accesses += usize::from(values.contains(ptr) && is_guarded(plan.shape(*ptr)));
        }
        let Some(value) = func.result(inst).filter(|_| is_pure(data)) else {
            continue;
        };
        let of = |v| shapes.get(&v).copied().or_else(|| outside(v));
        let Some(shape) = shape::transfer(func, span, value, data, of) else {
            continue;
        };
        let known = plan.shape(value);
        if shape == Shape::Varying || known == Shape::Varying {
            continue;
        }
        shapes.insert(value, shape);
        let wanted = is_guarded(known) || (is_run && matches!(data, InstData::PtrAdd { .. }));
        if wanted && step_of(known) == step_of(shape) && step_of(known).is_some() {
            values.push(value);
        }
    }
    values.sort_unstable();
    (accesses >= LEAST_ACCESSES.max(plan.insts / MOST_FOR_EACH)).then_some(Question {
        shapes,
        values,
        longest,
    })
}

fn step_of(shape: Shape) -> Option<i64> {
    match shape {
        Shape::Strided { step, .. } => Some(step),
        _ => None,
    }
}

fn is_guarded(shape: Shape) -> bool {
    matches!(shape, Shape::Strided { guarded: true, .. })
}

fn is_doubtful(shape: Shape) -> bool {
    is_guarded(shape) || shape == Shape::Varying
}

fn is_pure(data: &InstData) -> bool {
    matches!(
        data,
        InstData::IConst { .. }
            | InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::ICmp { .. }
            | InstData::Select { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
            | InstData::WorkItem { .. }
    )
}

/// Emits the loop over the full chunks of a row, of which there is one at least, and then on to `rest`. Returns where it begins, which takes
/// what is carried.
pub fn run(group: &mut Group, rows: &Rows, plan: &Plan, question: &Question, rest: Block) -> Block {
    let &Rows { carry, row, .. } = rows;
    let lanes = u64::from(plan.lanes);
    let size = rows.width;
    let [entry, head, ask, fewer, fast, go_on, slow, next] =
        [(); 8].map(|()| group.out.add_block());
    let [chunk_done, last_done] = [(); 2].map(|()| group.out.add_block());
    let words = |group: &mut Group, block: Block| carried(group, block, carry);

    let at_entry = words(group, entry);
    let mut b = group.at(entry);
    let [zero, one_chunk, low] = [0, lanes, lanes - 1].map(|n| b.iconst(I64, n));
    let longest = b.iconst(I64, u64::from(question.longest));
    let not_low = b.iconst(I64, !(lanes - 1));
    let last = b.binary(BinaryOp::And, size, not_low);
    let last = b.binary(BinaryOp::Sub, last, one_chunk);
    b.jump(head, with(&[zero, longest], &at_entry));

    // From which item on, and the most that a run is tried with.
    let [id, most] = [(); 2].map(|()| group.out.add_param(head, I64));
    let before = words(group, head);
    let [count, tried] = [(); 2].map(|()| group.out.add_param(ask, I64));
    let mut b = group.at(head);
    let item = b.binary(BinaryOp::Add, row, id);
    let room = b.binary(BinaryOp::Sub, last, id);
    let many = b.binary(BinaryOp::UMin, room, most);
    let many = b.binary(BinaryOp::UMax, many, one_chunk);
    let is_first = b.icmp(IntCC::Eq, id, zero);
    let many = b.select(is_first, one_chunk, many);
    b.jump(ask, vec![many, most]);

    let frame = Frame {
        region: rows.region,
        setup: rows.setup,
        start: ask,
        latch: next,
        report: carry.report(),
        ids: [id, rows.y.id, rows.z.id],
        item,
    };
    let one = group.at(ask).iconst(I64, 1);
    let far = group.at(ask).binary(BinaryOp::Sub, count, one);
    let (ok, first) = asked(group, &frame, plan, question, far);
    let mut b = group.at(ask);
    let end = b.binary(BinaryOp::Add, id, count);
    b.branch(ok, (fast, with(&[id], &before)), (fewer, Vec::new()));

    let mut b = group.at(fewer);
    let half = b.binary(BinaryOp::LShr, count, one);
    let half = b.binary(BinaryOp::And, half, not_low);
    let is_one = b.icmp(IntCC::Eq, half, zero);
    b.branch(is_one, (slow, Vec::new()), (ask, vec![half, half]));

    let now = group.out.add_param(fast, I64);
    let before_fast = words(group, fast);
    let reported = words(group, chunk_done);
    let mut b = group.at(fast);
    let now_item = b.binary(BinaryOp::Add, row, now);
    let passed = b.binary(BinaryOp::Sub, now, id);
    let assumed = Assumed {
        first,
        before: passed,
    };
    super::run(
        group,
        Frame {
            start: fast,
            latch: chunk_done,
            ids: [now, rows.y.id, rows.z.id],
            item: now_item,
            ..frame
        },
        plan,
        &Chunk {
            assumed: Some(assumed),
            ..Chunk::default()
        },
    );
    let after = chunks::merged(group, carry, chunk_done, &before_fast, &reported);
    let after_run = words(group, go_on);
    let mut b = group.at(chunk_done);
    let then = b.binary(BinaryOp::Add, now, one_chunk);
    let more = b.icmp(IntCC::Ult, then, end);
    b.branch(more, (fast, with(&[then], &after)), (go_on, after));
    let mut b = group.at(go_on);
    let twice = b.binary(BinaryOp::Add, tried, tried);
    let twice = b.binary(BinaryOp::UMin, twice, longest);
    b.jump(next, with(&[end, twice], &after_run));

    let reported = words(group, last_done);
    super::run(
        group,
        Frame {
            start: slow,
            latch: last_done,
            ..frame
        },
        plan,
        &Chunk::default(),
    );
    let after = chunks::merged(group, carry, last_done, &before, &reported);
    let mut b = group.at(last_done);
    let then = b.binary(BinaryOp::Add, id, one_chunk);
    b.jump(next, with(&[then, tried], &after));

    let [id, most] = [(); 2].map(|()| group.out.add_param(next, I64));
    let after = words(group, next);
    let mut b = group.at(next);
    let end = b.binary(BinaryOp::Add, id, low);
    let more = b.icmp(IntCC::Ult, end, size);
    b.branch(
        more,
        (head, with(&[id, most], &after)),
        (rest, with(&[id], &after)),
    );
    entry
}

fn with(first: &[Value], rest: &[Value]) -> Vec<Value> {
    first.iter().chain(rest).copied().collect()
}

/// Computes, at the end of `frame.start`, whether the values are a step apart from there on in all items up to the one with the number
/// `far`; and what they are for the first.
fn asked(
    group: &mut Group,
    frame: &Frame,
    plan: &Plan,
    question: &Question,
    far: Value,
) -> (Value, HashMap<Value, Value>) {
    let chunk = Chunk::default();
    let mut pass = Widen::new(group, *frame, plan, &chunk);
    pass.far = Some(far);
    let mut reps = HashMap::new();
    let mut first = HashMap::new();
    let mut all = None;
    for &value in &question.values {
        let rep = pass.early(value, &question.shapes, &mut reps);
        first.insert(value, pass.first(&rep));
        if let Some(ok) = guard_of(&rep) {
            all = Some(match all {
                None => ok,
                Some(all) => pass.binary(BinaryOp::And, all, ok),
            });
        }
    }
    (all.expect("guarded values have a guard"), first)
}

impl Widen<'_, '_> {
    /// A value as the chunk begins.
    fn early(
        &mut self,
        value: Value,
        shapes: &HashMap<Value, Shape>,
        reps: &mut HashMap<Value, Rep>,
    ) -> Rep {
        if let Some(rep) = reps.get(&value) {
            return rep.clone();
        }
        let func = self.group.func;
        let rep = match (func.def_inst(value), shapes.get(&value)) {
            (Some(data), Some(&shape)) => match *data {
                InstData::WorkItem { query, dim } => self.id(query, dim),
                _ => {
                    let mut args = Vec::new();
                    data.for_each_use(|v| args.push(v));
                    let args = args.into_iter();
                    let args = args.map(|v| self.early(v, shapes, reps)).collect();
                    self.compute(data, func.ty(value), shape, args, SrcLoc::default())
                }
            },
            _ => self.brought(value),
        };
        reps.insert(value, rep.clone());
        rep
    }

    /// A value that is known to be a step apart in this chunk.
    pub fn assumed(&mut self, value: Value) -> Option<Rep> {
        let assumed = self.assumed?;
        let &first = assumed.first.get(&value)?;
        let step = step_of(self.plan.shape(value)).expect("it has been looked at");
        let first = self.further(first, assumed.before, step);
        Some(Self::step(first, step))
    }
}
