//! Copies and fills between buffers and host memory: one form for the linear and the rectangular commands.
//!
//! Source: OpenCL API 5.2.2 to 5.2.4; byte (x, y, z) of a rectangle stands at
//! `origin + z * slice_pitch + y * row_pitch + x`. Large transfers are cut in parts that threads share.
//!
//! Invariants: the addresses are valid for the whole region and the memory objects behind them are held until the
//! command has ended; a transfer whose source and destination overlap has one part.

use super::memory::Memory;
use super::object::Handle;
use super::stream::{self, BLOCK};
use smallvec::SmallVec;
use std::ops::Range;

/// Memory objects that a command holds until it has ended.
pub type Held = SmallVec<[Handle<Memory>; 4]>;

/// One side of a copy: an address and the distances in bytes between rows and between slices.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub address: *mut u8,
    pub row_pitch: usize,
    pub slice_pitch: usize,
}

/// A copy from one place to another.
#[derive(Clone)]
pub struct Transfer {
    source: Side,
    target: Side,
    /// Bytes in a row, rows, slices; none is 0.
    region: [usize; 3],
    parts: u64,
    /// Whether the stores go around the caches.
    streams: bool,
    held: Held,
}

/// A pattern repeated over rows of memory.
#[derive(Clone)]
pub struct Fill {
    target: Side,
    /// Bytes in a row, rows, slices; none is 0.
    region: [usize; 3],
    /// One pattern after the other, [`BLOCK`] bytes; the pattern's size is a power of two up to 128.
    block: [u8; BLOCK],
    held: Held,
}

// SAFETY: the application promises that memory it gives to a command may be used from any thread.
unsafe impl Send for Transfer {}
// SAFETY: as above; parts of a transfer touch different bytes.
unsafe impl Sync for Transfer {}
// SAFETY: as for `Transfer`.
unsafe impl Send for Fill {}
// SAFETY: as for `Transfer`.
unsafe impl Sync for Fill {}

/// Bytes that make a part worth another thread.
const PART: usize = 512 << 10;

/// Transfers of so many bytes leave nothing useful in the caches.
const STREAMED: usize = 16 << 20;

/// Shorter rows have too many ends.
const STREAMED_ROW: usize = 4 << 10;

impl Transfer {
    /// A copy of `size` bytes, not 0.
    ///
    /// # Safety
    /// Both addresses are valid for `size` bytes until the command has ended, given that `held` is held.
    pub unsafe fn linear(source: *const u8, target: *mut u8, size: usize, held: Held) -> Transfer {
        let side = |address| Side {
            address,
            row_pitch: size,
            slice_pitch: size,
        };
        // SAFETY: one row of `size` bytes, by the caller's promise.
        unsafe { Transfer::rectangle(side(source.cast_mut()), side(target), [size, 1, 1], held) }
    }

    /// A copy of a rectangle of `region` bytes, rows and slices (none of them 0); `address` is the first byte of it.
    ///
    /// # Safety
    /// Both sides are valid for the whole region until the command has ended, given that `held` is held.
    pub unsafe fn rectangle(
        source: Side,
        target: Side,
        region: [usize; 3],
        held: Held,
    ) -> Transfer {
        let mut transfer = Transfer {
            source,
            target,
            region,
            parts: 1,
            streams: false,
            held,
        };
        let (from, to) = (transfer.span(source), transfer.span(target));
        if from.end <= to.start || to.end <= from.start {
            let rows = (region[1] as u64).saturating_mul(region[2] as u64);
            let bytes = transfer.size();
            transfer.streams = bytes >= STREAMED && region[0] >= STREAMED_ROW;
            transfer.parts = if rows == 1 {
                region[0].div_ceil(PART) as u64
            } else {
                ((bytes / PART) as u64).clamp(1, rows)
            };
        }
        transfer
    }

    /// Addresses from the first to behind the last byte of one side.
    fn span(&self, side: Side) -> Range<usize> {
        let [bytes, rows, slices] = self.region;
        let start = side.address as usize;
        let last = (slices - 1) * side.slice_pitch + (rows - 1) * side.row_pitch + bytes;
        start..start.saturating_add(last)
    }

    /// Bytes to copy.
    pub fn size(&self) -> usize {
        self.region
            .iter()
            .fold(1usize, |all, &n| all.saturating_mul(n))
    }

    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Copies some of the parts.
    pub fn run(&self, parts: Range<u64>) {
        let [bytes, rows, slices] = self.region;
        if rows == 1 && slices == 1 {
            let start = parts.start as usize * PART;
            let end = if parts.end == self.parts {
                bytes
            } else {
                parts.end as usize * PART
            };
            self.copy(start, start, end - start);
            return;
        }
        let all = rows as u64 * slices as u64;
        let cut = |part: u64| (u128::from(all) * u128::from(part) / u128::from(self.parts)) as u64;
        for row in cut(parts.start)..cut(parts.end) {
            let (y, z) = ((row % rows as u64) as usize, (row / rows as u64) as usize);
            self.copy(
                z * self.source.slice_pitch + y * self.source.row_pitch,
                z * self.target.slice_pitch + y * self.target.row_pitch,
                bytes,
            );
        }
    }

    /// Copies `count` bytes at byte offsets from both addresses.
    fn copy(&self, from: usize, to: usize, count: usize) {
        let source = self.source.address.wrapping_add(from);
        let target = self.target.address.wrapping_add(to);
        if std::ptr::eq(source, target) {
            return;
        }
        // SAFETY: inside the region that the constructor's caller vouches for; `copy` allows overlaps, and where there
        // is one nothing is streamed.
        unsafe {
            if self.streams {
                stream::copy(source, target, count);
            } else {
                std::ptr::copy(source, target, count);
            }
        }
    }

    /// The memory objects behind the addresses. Without them the command must not run any more.
    pub fn held(&mut self) -> &mut Held {
        &mut self.held
    }
}

impl Fill {
    /// Fills `size` bytes, not 0, with a pattern of 1, 2, 4, ... 128 bytes, of which `size` is a multiple.
    ///
    /// # Safety
    /// `target` is valid for `size` bytes until the command has ended, given that `held` is held.
    pub unsafe fn new(target: *mut u8, size: usize, pattern: &[u8], held: Held) -> Fill {
        let side = Side {
            address: target,
            row_pitch: size,
            slice_pitch: size,
        };
        // SAFETY: one row of `size` bytes, by the caller's promise.
        unsafe { Fill::rectangle(side, [size, 1, 1], pattern, held) }
    }

    /// Fills a rectangle of `region` bytes, rows and slices (none of them 0), each row from the pattern's first byte on;
    /// the bytes of a row are a multiple of the pattern's.
    ///
    /// # Safety
    /// The target is valid for the whole region until the command has ended, given that `held` is held.
    pub unsafe fn rectangle(target: Side, region: [usize; 3], pattern: &[u8], held: Held) -> Fill {
        assert!(pattern.len().is_power_of_two() && pattern.len() <= BLOCK);
        Fill {
            target,
            region: joined(region, target),
            block: std::array::from_fn(|i| pattern[i % pattern.len()]),
            held,
        }
    }

    /// Bytes to write.
    pub fn size(&self) -> usize {
        self.region
            .iter()
            .fold(1usize, |all, &n| all.saturating_mul(n))
    }

    pub fn parts(&self) -> u64 {
        match self.region {
            [bytes, 1, 1] => bytes.div_ceil(PART) as u64,
            [_, rows, slices] => {
                let rows = (rows as u64).saturating_mul(slices as u64);
                ((self.size() / PART) as u64).clamp(1, rows)
            }
        }
    }

    /// Fills some of the parts.
    pub fn run(&self, parts: Range<u64>) {
        let [bytes, rows, slices] = self.region;
        if rows == 1 && slices == 1 {
            let start = (parts.start as usize).saturating_mul(PART).min(bytes);
            let end = (parts.end as usize).saturating_mul(PART).min(bytes);
            self.fill(self.target.address.wrapping_add(start), end - start);
            return;
        }
        let (all, count) = (rows as u64 * slices as u64, self.parts());
        let cut = |part: u64| (u128::from(all) * u128::from(part) / u128::from(count)) as u64;
        for row in cut(parts.start)..cut(parts.end) {
            let (y, z) = ((row % rows as u64) as usize, (row / rows as u64) as usize);
            let offset = z * self.target.slice_pitch + y * self.target.row_pitch;
            self.fill(self.target.address.wrapping_add(offset), bytes);
        }
    }

    /// Fills bytes that begin with the pattern's first.
    fn fill(&self, target: *mut u8, size: usize) {
        if self.size() >= STREAMED && size >= STREAMED_ROW {
            // SAFETY: inside the region that the constructor's caller vouches for.
            unsafe { stream::fill(&self.block, target, size) };
            return;
        }
        let even = self.block.iter().all(|&byte| byte == self.block[0]);
        // SAFETY: inside the region that the constructor's caller vouches for.
        unsafe {
            if even {
                target.write_bytes(self.block[0], size);
                return;
            }
            let mut at = 0;
            while at < size {
                let count = BLOCK.min(size - at);
                std::ptr::copy_nonoverlapping(self.block.as_ptr(), target.add(at), count);
                at += count;
            }
        }
    }

    /// The memory objects behind the addresses. Without them the command must not run any more.
    pub fn held(&mut self) -> &mut Held {
        &mut self.held
    }
}

/// A region whose rows, and then slices, follow each other without a gap has longer rows instead.
fn joined(mut region: [usize; 3], side: Side) -> [usize; 3] {
    if region[1] == 1 || side.row_pitch == region[0] {
        let gapless = region[2] == 1 || side.slice_pitch == region[0] * region[1];
        region = if gapless {
            [region[0] * region[1] * region[2], 1, 1]
        } else {
            [region[0] * region[1], 1, region[2]]
        };
    }
    region
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_copies_have_parts_that_cover_each_byte_once() {
        let size = PART * 3 + 17;
        let source: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
        let mut target = vec![0u8; size];
        // SAFETY: both vectors have `size` bytes.
        let copy =
            unsafe { Transfer::linear(source.as_ptr(), target.as_mut_ptr(), size, Held::new()) };
        assert_eq!(copy.parts(), 4);
        copy.run(1..3);
        copy.run(0..1);
        copy.run(3..4);
        assert_eq!(source, target);
    }

    #[test]
    fn rectangles_follow_their_pitches() {
        let source: Vec<u8> = (0..=255).collect();
        let mut target = vec![0u8; 256];
        let from = Side {
            address: source.as_ptr().cast_mut(),
            row_pitch: 16,
            slice_pitch: 64,
        };
        let to = Side {
            address: target.as_mut_ptr(),
            row_pitch: 3,
            slice_pitch: 100,
        };
        // SAFETY: the last byte read is at 64 + 16 + 2, the last written at 100 + 3 + 2.
        let copy = unsafe { Transfer::rectangle(from, to, [3, 2, 2], Held::new()) };
        copy.run(0..copy.parts());
        assert_eq!(target[..7], [0, 1, 2, 16, 17, 18, 0]);
        assert_eq!(target[100..107], [64, 65, 66, 80, 81, 82, 0]);
    }

    #[test]
    fn many_rows_are_cut_without_gaps() {
        let (row, rows) = (10_000, 1_001);
        let source: Vec<u8> = (0..row * rows).map(|i| (i % 253) as u8).collect();
        let mut target = vec![0u8; row * rows];
        let side = |address| Side {
            address,
            row_pitch: row,
            slice_pitch: row * 77,
        };
        let (from, to) = (side(source.as_ptr().cast_mut()), side(target.as_mut_ptr()));
        // SAFETY: 13 slices of 77 rows are the 1,001 rows of each vector.
        let copy = unsafe { Transfer::rectangle(from, to, [row, 77, 13], Held::new()) };
        assert!(copy.parts() > 10);
        for part in (0..copy.parts()).rev() {
            copy.run(part..part + 1);
        }
        assert_eq!(source, target);
    }

    #[test]
    fn overlapping_copies_are_not_cut() {
        let mut data: Vec<u8> = (0..PART * 3).map(|i| (i / 1000) as u8).collect();
        let expected: Vec<u8> = data[..PART * 2].to_vec();
        let start = data.as_mut_ptr();
        // SAFETY: reads the first two parts and writes behind one byte of them, all inside the vector.
        let copy = unsafe { Transfer::linear(start, start.add(1), PART * 2, Held::new()) };
        assert_eq!(copy.parts(), 1);
        copy.run(0..1);
        assert_eq!(data[1..=PART * 2], expected);
    }

    #[test]
    fn fills_of_rectangles_leave_the_gaps() {
        let mut target = vec![9u8; 256];
        let side = |address: *mut u8, row_pitch| Side {
            address,
            row_pitch,
            slice_pitch: 100,
        };
        // SAFETY: the last byte written is at 100 + 40 + 7.
        unsafe {
            let to = side(target.as_mut_ptr(), 40);
            let fill = Fill::rectangle(to, [8, 2, 2], &[1, 2, 3, 4], Held::new());
            fill.run(0..fill.parts());
        }
        let row = [1, 2, 3, 4, 1, 2, 3, 4];
        for start in [0, 40, 100, 140] {
            assert_eq!(target[start..start + 8], row);
        }
        assert_eq!(target.iter().filter(|&&byte| byte == 9).count(), 256 - 32);
        // SAFETY: rows without gaps, 16 bytes each, in slices of 100.
        let joined = unsafe {
            let to = side(target.as_mut_ptr(), 16);
            Fill::rectangle(to, [16, 4, 2], &[0], Held::new())
        };
        assert_eq!(joined.region, [64, 1, 2]);
        joined.run(0..joined.parts());
        assert!(
            target[..64]
                .iter()
                .chain(&target[100..164])
                .all(|&b| b == 0)
        );
        assert_eq!(target[64..100].iter().filter(|&&b| b == 0).count(), 0);
    }

    #[test]
    fn fills_repeat_their_pattern() {
        let mut target = vec![9u8; PART * 2 + 24];
        let size = PART * 2 + 12;
        // SAFETY: the vector is longer than `size`.
        let fill = unsafe { Fill::new(target.as_mut_ptr(), size, &[1, 2, 3, 4], Held::new()) };
        for part in (0..fill.parts()).rev() {
            fill.run(part..part + 1);
        }
        assert!(
            target[..size]
                .iter()
                .enumerate()
                .all(|(i, &b)| b == (i % 4) as u8 + 1)
        );
        assert!(target[size..].iter().all(|&b| b == 9));
    }
}
