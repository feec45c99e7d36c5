//! The loops over several rows, or several chunks of a row, at once (`jam`), before those that take what is left.

use crate::ir::types::I64;
use crate::ir::{BinaryOp, Block, IntCC, Value};

use super::group::Group;
use super::jam::{Body, Jam, LEAST_ROWS};
use super::loops::{Chunks, Rows, and_chunks_may_run};

/// Rows are seldom longer than so many chunks.
const MOST_CHUNKS: u64 = 4;

/// Emits, at the end of `z.head`, loops over several rows at once, for rows that are made of full chunks: over as many as
/// pay, and then over fewer. The loop over rows one by one takes what is left, or all.
pub fn several_rows(
    group: &mut Group,
    rows: &Rows,
    chunks: &Chunks,
    lanes: u64,
    (body, jam): (&Body, &Jam),
) {
    let &Rows { region, y, z, .. } = rows;
    let height = group.planes[0];
    let most = jam.copies / jam.abreast;
    let counts: Vec<u64> = std::iter::successors(Some(most), |n| Some(n / 2))
        .take_while(|&n| n >= LEAST_ROWS.min(most))
        .collect();

    let mut b = group.at(z.head);
    let zero = b.iconst(I64, 0);
    let least = b.iconst(I64, *counts.last().expect("there is the first"));
    let low = b.iconst(I64, lanes * jam.abreast - 1);
    let odd = b.binary(BinaryOp::And, rows.width, low);
    let even = b.icmp(IntCC::Eq, odd, zero);
    let some = b.icmp(IntCC::Ne, rows.width, zero);
    let even = b.binary(BinaryOp::And, even, some);
    let high = b.icmp(IntCC::Uge, height, least);
    let fits = b.binary(BinaryOp::And, even, high);
    let fits = and_chunks_may_run(group, region, z.head, fits);
    let mut start = group.out.add_block();
    let mut y_id = group.out.add_param(start, I64);
    group
        .at(z.head)
        .branch(fits, (start, vec![zero]), (y.head, vec![zero]));
    for high in counts {
        let many = (body, jam, high);
        (start, y_id) = rows_at_once(group, rows, chunks, (start, y_id), lanes, many);
    }
    let mut b = group.at(start);
    let more = b.icmp(IntCC::Ult, y_id, height);
    b.branch(more, (y.head, vec![y_id]), (z.latch, Vec::new()));
}

/// Emits a loop over `high` rows at once, which begins at the end of a block that takes the first row. Returns such a block
/// for what is left.
fn rows_at_once(
    group: &mut Group,
    rows: &Rows,
    chunks: &Chunks,
    (start, first): (Block, Value),
    lanes: u64,
    (body, jam, high): (&Body, &Jam, u64),
) -> (Block, Value) {
    let &Rows { y, plane, .. } = rows;
    let (size, height) = (group.sizes[0], group.planes[0]);
    let [head, across, latch, below, rest] = [(); 5].map(|()| group.out.add_block());
    let y_id = group.out.add_param(head, I64);
    let x_id = group.out.add_param(across, I64);
    let left = group.out.add_param(rest, I64);

    let mut b = group.at(start);
    let count = b.iconst(I64, high);
    let end = b.binary(BinaryOp::Add, first, count);
    let fits = b.icmp(IntCC::Ule, end, height);
    b.branch(fits, (head, vec![first]), (rest, vec![first]));

    let mut b = group.at(head);
    let row = b.binary(BinaryOp::Add, plane, y_id);
    let row = b.binary(BinaryOp::Mul, row, size);
    let zero = b.iconst(I64, 0);
    b.jump(across, vec![zero]);

    let mut b = group.at(across);
    let [one, far] = [1, lanes].map(|step| b.iconst(I64, step));
    let (mut y_now, mut first_item) = (y_id, b.binary(BinaryOp::Add, row, x_id));
    let (mut ys, mut xs, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..high {
        if n > 0 {
            y_now = b.binary(BinaryOp::Add, y_now, one);
            first_item = b.binary(BinaryOp::Add, first_item, size);
        }
        let (mut x_now, mut item) = (x_id, first_item);
        for n in 0..jam.abreast {
            if n > 0 {
                x_now = b.binary(BinaryOp::Add, x_now, far);
                item = b.binary(BinaryOp::Add, item, far);
            }
            ys.push(y_now);
            xs.push(x_now);
            items.push(item);
        }
    }
    let seeds = [(y.id, ys), (chunks.item, items), (chunks.id, xs)];
    body.emit(&mut group.out, jam, &seeds, across, latch);

    let mut b = group.at(latch);
    let step = b.iconst(I64, lanes * jam.abreast);
    let next = b.binary(BinaryOp::Add, x_id, step);
    let more = b.icmp(IntCC::Ult, next, rows.width);
    b.branch(more, (across, vec![next]), (below, Vec::new()));
    let mut b = group.at(below);
    let count = b.iconst(I64, high);
    let next = b.binary(BinaryOp::Add, y_id, count);
    let end = b.binary(BinaryOp::Add, next, count);
    let more = b.icmp(IntCC::Ule, end, height);
    b.branch(more, (head, vec![next]), (rest, vec![next]));
    (rest, left)
}

/// Emits, at the end of `fits`, a loop over several chunks at once; the loop over chunks one by one takes what is left.
pub fn several_chunks(
    group: &mut Group,
    rows: &Rows,
    rest: Block,
    chunks: &Chunks,
    (fits, lanes): (Block, u64),
    (body, jam): (&Body, &Jam),
) {
    let size = rows.width;
    let [head, latch, behind] = [(); 3].map(|()| group.out.add_block());
    let id = group.out.add_param(head, I64);
    let mut b = group.at(fits);
    let zero = b.iconst(I64, 0);
    let step = b.iconst(I64, lanes);
    let copies = jam.copies.min(MOST_CHUNKS);
    let wide = b.iconst(I64, lanes * copies);
    let enough = b.icmp(IntCC::Uge, size, wide);
    b.branch(enough, (head, vec![zero]), (chunks.head, vec![zero]));

    let mut b = group.at(head);
    let mut ids = vec![id];
    let mut items = vec![b.binary(BinaryOp::Add, rows.row, id)];
    for n in 1..copies as usize {
        ids.push(b.binary(BinaryOp::Add, ids[n - 1], step));
        items.push(b.binary(BinaryOp::Add, items[n - 1], step));
    }
    let seeds = [(chunks.id, ids), (chunks.item, items)];
    body.emit(&mut group.out, jam, &seeds, head, latch);

    let mut b = group.at(latch);
    let next = b.binary(BinaryOp::Add, id, wide);
    let end = b.binary(BinaryOp::Add, next, wide);
    let more = b.icmp(IntCC::Ule, end, size);
    b.branch(more, (head, vec![next]), (behind, Vec::new()));
    let mut b = group.at(behind);
    let end = b.binary(BinaryOp::Add, next, step);
    let more = b.icmp(IntCC::Ule, end, size);
    b.branch(more, (chunks.head, vec![next]), (rest, vec![next]));
}
