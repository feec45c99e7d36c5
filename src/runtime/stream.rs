//! Copies and fills of more memory than the caches hold, by stores that go around them: a line that is written whole
//! need not be read first, and what others use stays in the cache.
//!
//! Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Non-temporal stores": whole lines, and a fence
//! before another thread may look. Elsewhere these are plain copies.

/// Copies `count` bytes between regions that do not overlap.
///
/// # Safety
/// `source` is valid for reads and `target` for writes of `count` bytes, and they do not overlap.
pub unsafe fn copy(source: *const u8, target: *mut u8, count: usize) {
    let head = target.align_offset(LINE).min(count);
    let lines = (count - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: three pieces of the regions that the caller vouches for; the middle one's target is aligned.
    unsafe {
        std::ptr::copy_nonoverlapping(source, target, head);
        copy_lines(source.add(head), target.add(head), lines);
        std::ptr::copy_nonoverlapping(source.add(tail), target.add(tail), count - tail);
    }
}

/// Writes `block` again and again over `count` bytes, a multiple of the block's part that repeats.
///
/// # Safety
/// `target` is valid for writes of `count` bytes.
pub unsafe fn fill(block: &[u8; BLOCK], target: *mut u8, count: usize) {
    let head = target.align_offset(LINE).min(count);
    let lines = (count - head) / LINE;
    // The block as it goes on at the first whole line, twice, so that any line of it stands in a row.
    let mut turned = [0; BLOCK + LINE];
    for (at, byte) in turned.iter_mut().enumerate() {
        *byte = block[(head + at) % BLOCK];
    }
    let rest = |from: usize, to: usize| {
        for at in from..to {
            // SAFETY: inside the `count` bytes.
            unsafe { *target.add(at) = block[at % BLOCK] };
        }
    };
    rest(0, head);
    for line in 0..lines {
        // SAFETY: an aligned line inside the `count` bytes; `turned` has a line from there on.
        unsafe {
            let from = turned.as_ptr().add(line * LINE % BLOCK);
            store_line(from, target.add(head + line * LINE));
        }
    }
    finish();
    rest(head + lines * LINE, count);
}

/// Bytes of the block that [`fill`] repeats.
pub const BLOCK: usize = 128;

const LINE: usize = 64;

/// # Safety
/// As for [`copy`], for `lines` lines; `target` is aligned to one.
unsafe fn copy_lines(source: *const u8, target: *mut u8, lines: usize) {
    for line in 0..lines {
        // SAFETY: inside both regions.
        unsafe { store_line(source.add(line * LINE), target.add(line * LINE)) };
    }
    finish();
}

/// # Safety
/// A line at `source` can be read, and an aligned one at `target` written.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn store_line(source: *const u8, target: *mut u8) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    // SAFETY: four quarters of the line; SSE2 is part of x86-64.
    unsafe {
        let (source, target) = (source.cast::<__m128i>(), target.cast::<__m128i>());
        let (a, b) = (_mm_loadu_si128(source), _mm_loadu_si128(source.add(1)));
        let (c, d) = (
            _mm_loadu_si128(source.add(2)),
            _mm_loadu_si128(source.add(3)),
        );
        _mm_stream_si128(target, a);
        _mm_stream_si128(target.add(1), b);
        _mm_stream_si128(target.add(2), c);
        _mm_stream_si128(target.add(3), d);
    }
}

/// # Safety
/// A line at `source` can be read, and an aligned one at `target` written.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn store_line(source: *const u8, target: *mut u8) {
    // SAFETY: as the caller says.
    unsafe { std::ptr::copy_nonoverlapping(source, target, LINE) };
}

/// Streaming stores so far come before later stores.
pub fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_copied_at_any_alignment() {
        let source: Vec<u8> = (0..1000).map(|i| (i % 251) as u8).collect();
        for (from, to, count) in [(0, 0, 0), (1, 3, 40), (0, 7, 64), (5, 0, 500), (3, 60, 900)] {
            let mut target = vec![255; 1000];
            // SAFETY: both ranges lie in their vectors.
            unsafe {
                copy(
                    source.as_ptr().add(from),
                    target.as_mut_ptr().add(to),
                    count,
                )
            };
            assert_eq!(target[to..to + count], source[from..from + count]);
            assert!(
                target[..to]
                    .iter()
                    .chain(&target[to + count..])
                    .all(|&b| b == 255)
            );
        }
    }

    #[test]
    fn fills_repeat_at_any_alignment() {
        let block: [u8; BLOCK] = std::array::from_fn(|i| i as u8);
        for (to, count) in [(0, 0), (3, 20), (1, 128), (7, 900), (64, 512)] {
            let mut target = vec![255; 1000];
            // SAFETY: the range lies in the vector.
            unsafe { fill(&block, target.as_mut_ptr().add(to), count) };
            let right = |(at, &byte): (usize, &u8)| byte == (at % BLOCK) as u8;
            assert!(target[to..to + count].iter().enumerate().all(right));
            assert!(
                target[..to]
                    .iter()
                    .chain(&target[to + count..])
                    .all(|&b| b == 255)
            );
        }
    }
}
