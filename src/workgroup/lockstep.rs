//! The loops over several rows, or several chunks of a row, at once (`jam`, `tile`), before those that take what is left.

use crate::ir::types::I64;
use crate::ir::{BinaryOp, Block, IntCC, Value};

use super::group::Group;
use super::jam::{Body, Jam, LEAST_ROWS};
use super::loops::{Chunks, Rows, and_chunks_may_run};
use super::tile::Tile;

/// Rows are seldom longer than so many chunks.
const MOST_CHUNKS: u64 = 4;

/// How several rows run at once.
pub enum Together {
    Jam(Jam),
    Tile(Tile),
}

impl Together {
    /// How many rows at once, in one loop after the other.
    fn counts(&self) -> Vec<u64> {
        match self {
            Together::Tile(tile) => vec![tile.rows],
            Together::Jam(jam) => {
                let most = jam.copies / jam.abreast;
                std::iter::successors(Some(most), |n| Some(n / 2))
                    .take_while(|&n| n >= LEAST_ROWS.min(most))
                    .collect()
            }
        }
    }

    /// Chunks of each row at once.
    fn abreast(&self) -> u64 {
        match self {
            Together::Jam(jam) => jam.abreast,
            Together::Tile(_) => 1,
        }
    }
}

/// Emits, at the end of `z.head`, loops over several rows at once: over as many as pay, and then over fewer. The loop over rows one by
/// one takes what is left, or all. Jammed rows are made of full chunks; tiles leave the rest of their rows. Returns where a row
/// begins for the loop that takes that, if not at 0: a value of `y.head`.
pub fn several_rows(
    group: &mut Group,
    rows: &Rows,
    chunks: &Chunks,
    lanes: u64,
    (body, together): (&Body, &Together),
) -> Option<Value> {
    let &Rows { region, y, z, .. } = rows;
    let height = group.planes[0];
    let counts = together.counts();
    let least = *counts.last().expect("there is the first");
    let leaves_rest = matches!(together, Together::Tile(_)) && !group.full_rows;

    let step = lanes * together.abreast();
    let mut b = group.at(z.head);
    let zero = b.iconst(I64, 0);
    let whole = b.iconst(I64, !(step - 1));
    let full = b.binary(BinaryOp::And, rows.width, whole);
    let some = b.icmp(IntCC::Ne, full, zero);
    let wide = match leaves_rest {
        true => some,
        false => {
            let even = b.icmp(IntCC::Eq, full, rows.width);
            b.binary(BinaryOp::And, even, some)
        }
    };
    let count = b.iconst(I64, least);
    let high = b.icmp(IntCC::Uge, height, count);
    let fits = b.binary(BinaryOp::And, wide, high);
    let fits = and_chunks_may_run(group, region, z.head, fits);
    let done = leaves_rest.then(|| {
        let mut b = group.at(z.head);
        let whole = b.iconst(I64, !(least - 1));
        let count = b.binary(BinaryOp::And, height, whole);
        b.select(fits, count, zero)
    });
    let mut start = group.out.add_block();
    let mut y_id = group.out.add_param(start, I64);
    group
        .at(z.head)
        .branch(fits, (start, vec![zero]), (y.head, vec![zero]));
    for high in counts {
        let many = (body, together, high);
        (start, y_id) = rows_at_once(group, rows, chunks, (start, y_id), (full, step), many);
    }
    let mut b = group.at(start);
    let left = match leaves_rest {
        true => {
            let even = b.icmp(IntCC::Eq, full, rows.width);
            b.select(even, y_id, zero)
        }
        false => y_id,
    };
    let more = b.icmp(IntCC::Ult, left, height);
    b.branch(more, (y.head, vec![left]), (z.latch, Vec::new()));
    let done = done?;
    let mut b = group.at(y.head);
    let tiled = b.icmp(IntCC::Ult, y.id, done);
    Some(b.select(tiled, full, zero))
}

/// Emits a loop over `high` rows at once, up to `width` by steps, which begins at the end of a block that takes the first row.
/// Returns such a block for what is left.
fn rows_at_once(
    group: &mut Group,
    rows: &Rows,
    chunks: &Chunks,
    (start, first): (Block, Value),
    (width, step): (Value, u64),
    (body, together, high): (&Body, &Together, u64),
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
    let [one, far] = [1, step / together.abreast()].map(|step| b.iconst(I64, step));
    let first_row = b.binary(BinaryOp::Add, row, x_id);
    let (mut y_now, mut first_item) = (y_id, first_row);
    let (mut ys, mut xs, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..high {
        if n > 0 {
            y_now = b.binary(BinaryOp::Add, y_now, one);
            first_item = b.binary(BinaryOp::Add, first_item, size);
        }
        let (mut x_now, mut item) = (x_id, first_item);
        for n in 0..together.abreast() {
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
    match together {
        Together::Jam(jam) => body.emit(&mut group.out, jam, &seeds, across, latch),
        Together::Tile(tile) => {
            group.out.tiles = tile.tiles(&group.out);
            let one_by_one = group.out.add_block();
            tile.emit(&mut group.out, &seeds, (across, latch), one_by_one);
            if tile.asks() {
                let first = [y_id, first_row, x_id];
                each_row(
                    group,
                    chunks,
                    y.id,
                    first,
                    (one_by_one, latch),
                    (body, tile),
                );
            } else {
                group.at(one_by_one).jump(latch, Vec::new());
            }
        }
    }

    let mut b = group.at(latch);
    let step = b.iconst(I64, step);
    let next = b.binary(BinaryOp::Add, x_id, step);
    let more = b.icmp(IntCC::Ult, next, width);
    b.branch(more, (across, vec![next]), (below, Vec::new()));
    let mut b = group.at(below);
    let count = b.iconst(I64, high);
    let next = b.binary(BinaryOp::Add, y_id, count);
    let end = b.binary(BinaryOp::Add, next, count);
    let more = b.icmp(IntCC::Ule, end, height);
    b.branch(more, (head, vec![next]), (rest, vec![next]));
    (rest, left)
}

/// Emits a loop over the rows of a tile one by one, between `from` and `to`. Its first row is `y_id`, with the chunk's first item `item`
/// at `x_id`; `y` is what tells rows apart in the code that there is.
fn each_row(
    group: &mut Group,
    chunks: &Chunks,
    y: Value,
    [y_id, item, x_id]: [Value; 3],
    (from, to): (Block, Block),
    (body, tile): (&Body, &Tile),
) {
    let size = group.sizes[0];
    let [head, latch] = [(); 2].map(|()| group.out.add_block());
    let [row, first] = [(); 2].map(|()| group.out.add_param(head, I64));
    group.at(from).jump(head, vec![y_id, item]);
    let seeds = [
        (y, vec![row]),
        (chunks.item, vec![first]),
        (chunks.id, vec![x_id]),
    ];
    body.emit(&mut group.out, &tile.one_row(), &seeds, head, latch);
    let mut b = group.at(latch);
    let [one, count] = [1, tile.rows].map(|n| b.iconst(I64, n));
    let next = b.binary(BinaryOp::Add, row, one);
    let next_item = b.binary(BinaryOp::Add, first, size);
    let end = b.binary(BinaryOp::Add, y_id, count);
    let more = b.icmp(IntCC::Ult, next, end);
    b.branch(more, (head, vec![next, next_item]), (to, Vec::new()));
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
