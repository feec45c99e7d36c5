//! Rectangles in buffers: default pitches, bounds, and overlap. Source: OpenCL API 5.2.2 and its appendix "Checking
//! for Memory Copy Overlap". Arithmetic is checked: no combination of sizes wraps around.

use crate::cl::{Error, Result};

/// One side of a rectangular command, with its pitches filled in. All in bytes, but rows and slices in `region`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Where the rectangle's first byte is, from the start of the buffer or host pointer.
    pub start: usize,
    pub row_pitch: usize,
    pub slice_pitch: usize,
    /// Bytes in a row, rows, slices.
    pub region: [usize; 3],
    /// Behind the rectangle's last byte.
    pub end: usize,
}

impl Rect {
    /// # Errors
    /// CL_INVALID_VALUE when a region size is 0, a pitch is too small or not a multiple, or a sum overflows.
    pub fn new(
        origin: [usize; 3],
        region: [usize; 3],
        row_pitch: usize,
        slice_pitch: usize,
    ) -> Result<Rect> {
        Rect::checked(origin, region, row_pitch, slice_pitch).ok_or(Error::INVALID_VALUE)
    }

    fn checked(
        origin: [usize; 3],
        region: [usize; 3],
        row_pitch: usize,
        slice_pitch: usize,
    ) -> Option<Rect> {
        let [width, height, depth] = region;
        // "if any region array element is zero".
        if region.contains(&0) {
            return None;
        }
        // "If row_pitch is 0, it is computed as region[0]"; "if it is not equal to zero and is less than region[0]".
        let row_pitch = if row_pitch == 0 { width } else { row_pitch };
        if row_pitch < width {
            return None;
        }
        // "If slice_pitch is 0, it is computed as region[1] x row_pitch".
        let least = height.checked_mul(row_pitch)?;
        let slice_pitch = if slice_pitch == 0 { least } else { slice_pitch };
        // "is less than region[1] times row_pitch", "is not a multiple of row_pitch".
        if slice_pitch < least || !slice_pitch.is_multiple_of(row_pitch) {
            return None;
        }
        let at = |[x, y, z]: [usize; 3]| {
            z.checked_mul(slice_pitch)?
                .checked_add(y.checked_mul(row_pitch)?)?
                .checked_add(x)
        };
        let start = at(origin)?;
        let end = start.checked_add(at([width, height - 1, depth - 1])?)?;
        Some(Rect {
            start,
            row_pitch,
            slice_pitch,
            region,
            end,
        })
    }

    /// Whether two rectangles of one size in one buffer share a byte; both starts are from the buffer's first byte.
    pub fn overlaps(&self, other: &Rect) -> bool {
        if self.end <= other.start || other.end <= self.start {
            return false;
        }
        if (self.row_pitch, self.slice_pitch) != (other.row_pitch, other.slice_pitch) {
            return true;
        }
        // Row (y, z) of one meets row (y', z') of the other when the distance between their starts is less than a row's
        // width. With dy = y - y' and dz = z - z' that distance is `distance - dz * slice - dy * row`; the candidates
        // for dz and dy are the ones that bring it next to zero.
        let [width, height, depth] = self.region.map(|n| n as i128);
        let (row, slice) = (self.row_pitch as i128, self.slice_pitch as i128);
        let distance = other.start as i128 - self.start as i128;
        let near = |value: i128, pitch: i128, count: i128| {
            let first = value.div_euclid(pitch);
            (first - 1..=first + 2).filter(move |n| n.abs() < count)
        };
        near(distance, slice, depth).any(|dz| {
            let rest = distance - dz * slice;
            near(rest, row, height).any(|dy| (rest - dy * row).abs() < width)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Rect;

    fn rect(origin: [usize; 3], region: [usize; 3], row: usize, slice: usize) -> Rect {
        Rect::new(origin, region, row, slice).unwrap()
    }

    /// Whether two rectangles share a byte, by writing them out.
    fn share_a_byte(a: &Rect, b: &Rect) -> bool {
        let bytes = |rect: &Rect| {
            let mut all = vec![];
            for z in 0..rect.region[2] {
                for y in 0..rect.region[1] {
                    let start = rect.start + z * rect.slice_pitch + y * rect.row_pitch;
                    all.extend(start..start + rect.region[0]);
                }
            }
            all
        };
        let of_a = bytes(a);
        bytes(b).iter().any(|byte| of_a.contains(byte))
    }

    #[test]
    fn pitches_default_to_tight() {
        let tight = rect([0; 3], [4, 3, 2], 0, 0);
        assert_eq!((tight.row_pitch, tight.slice_pitch, tight.end), (4, 12, 24));
        assert!(Rect::new([0; 3], [4, 3, 2], 3, 0).is_err());
        assert!(Rect::new([0; 3], [4, 3, 2], 5, 16).is_err());
        assert!(Rect::new([0; 3], [4, 0, 2], 0, 0).is_err());
        assert!(Rect::new([0; 3], [4, usize::MAX, 2], 0, 0).is_err());
        assert!(Rect::new([usize::MAX, 1, 0], [4, 1, 1], 0, 0).is_err());
    }

    #[test]
    fn overlap_is_exact() {
        let region = [3, 2, 2];
        let first = rect([5, 1, 0], region, 8, 32);
        for x in 0..12 {
            for y in 0..6 {
                for z in 0..4 {
                    let second = rect([x, y, z], region, 8, 32);
                    assert_eq!(
                        first.overlaps(&second),
                        share_a_byte(&first, &second),
                        "{x} {y} {z}"
                    );
                    assert_eq!(second.overlaps(&first), first.overlaps(&second));
                }
            }
        }
    }
}
