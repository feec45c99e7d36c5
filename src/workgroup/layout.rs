//! Where values that live across region boundaries stand in a group's scratch.
//!
//! First the fixed part, then the slots: `[slot][item]`, one behind the other by descending alignment, so that each
//! starts aligned whatever the number of items: every size is a multiple of its alignment, and every alignment a
//! multiple of the ones behind it. Item `n` of a slot stands `n * size` bytes behind its start.

use crate::ir::abi::BASE_ALIGN;

/// A slot for each item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SlotId(usize);

#[derive(Default)]
pub struct Layout {
    fixed: u64,
    slots: Vec<Slot>,
}

struct Slot {
    size: u64,
    align: u64,
    /// Bytes for each item in the slots before this one.
    before: u64,
}

impl Layout {
    /// A place that the group shares; returns its offset in bytes.
    pub fn add_fixed(&mut self, size: u64, align: u64) -> u64 {
        let at = self.fixed.next_multiple_of(clamp_align(align));
        self.fixed = at + size;
        at
    }

    pub fn add_slot(&mut self, size: u64, align: u64) -> SlotId {
        let align = clamp_align(align);
        self.slots.push(Slot {
            size: size.max(1).next_multiple_of(align),
            align,
            before: 0,
        });
        SlotId(self.slots.len() - 1)
    }

    /// Gives the slots their places; none is added afterwards.
    pub fn finish(&mut self) {
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        order.sort_by_key(|&n| std::cmp::Reverse(self.slots[n].align));
        let mut at = 0;
        for n in order {
            self.slots[n].before = at;
            at += self.slots[n].size;
        }
    }

    /// Bytes of the fixed part, a multiple of the base alignment.
    pub fn fixed_size(&self) -> u64 {
        self.fixed.next_multiple_of(BASE_ALIGN as u64)
    }

    pub fn per_item(&self) -> u64 {
        self.slots.iter().map(|s| s.size).sum()
    }

    /// The slot starts at `fixed_size() + items * before(slot)`.
    pub fn before(&self, slot: SlotId) -> u64 {
        self.slots[slot.0].before
    }

    pub fn size(&self, slot: SlotId) -> u64 {
        self.slots[slot.0].size
    }
}

fn clamp_align(align: u64) -> u64 {
    align.next_power_of_two().min(BASE_ALIGN as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_aligned_for_any_number_of_items() {
        let mut layout = Layout::default();
        let wanted = [
            (12, 4),
            (1, 1),
            (64, 64),
            (40, 8),
            (3, 1),
            (128, 128),
            (6, 2),
        ];
        let slots: Vec<_> = wanted
            .iter()
            .map(|&(size, align)| layout.add_slot(size, align))
            .collect();
        layout.add_fixed(5, 4);
        layout.finish();
        for items in [1, 2, 3, 7, 16, 33] {
            for (&slot, &(_, align)) in slots.iter().zip(&wanted) {
                let start = layout.fixed_size() + items * layout.before(slot);
                assert_eq!(start % align, 0);
                assert_eq!(layout.size(slot) % align, 0);
            }
        }
        assert_eq!(layout.per_item(), 12 + 1 + 64 + 40 + 3 + 128 + 6);
    }
}
