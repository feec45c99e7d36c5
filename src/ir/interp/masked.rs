//! Vector accesses under a mask: each lane that is on is an access of its own, in ascending order.

use super::exec::Runner;
use super::fault::FaultKind;
use super::item::Item;
use super::step::{get, put};
use crate::ir::entities::Value;
use crate::ir::inst::InstData;
use crate::ir::types::Elem;

/// Where lane `n` of an access lies.
enum Place {
    Row {
        ptr: Value,
        bytes: u64,
    },
    Spread {
        base: Value,
        offsets: Value,
        scale: u32,
    },
}

impl Place {
    fn address(&self, r: &Runner, lane: usize) -> u64 {
        match *self {
            Place::Row { ptr, bytes } => r.get(ptr).wrapping_add(lane as u64 * bytes),
            Place::Spread {
                base,
                offsets,
                scale,
            } => {
                let bases = r.lanes(base);
                let base = if bases.len() > 1 {
                    bases[lane]
                } else {
                    bases[0]
                };
                let offset = match (r.func.ty(offsets).elem, r.lanes(offsets)[lane]) {
                    (Elem::I32, bits) => i64::from(bits as i32) as u64,
                    (_, bits) => bits,
                };
                base.wrapping_add(offset.wrapping_mul(u64::from(scale)))
            }
        }
    }
}

/// The elements of a row behind the first are only as aligned as their size lets them be.
fn row_align(align: u32, bytes: u64) -> u32 {
    align.min(bytes as u32)
}

pub fn load(r: &mut Runner, data: &InstData, dst: usize) -> Result<(), FaultKind> {
    let (ty, place, mask, align) = match *data {
        InstData::MaskedLoad {
            ty,
            ptr,
            mask,
            align,
        } => {
            let bytes = ty.elem.bytes();
            (ty, Place::Row { ptr, bytes }, mask, row_align(align, bytes))
        }
        InstData::Gather {
            ty,
            base,
            offsets,
            scale,
            mask,
            align,
        } => {
            let place = Place::Spread {
                base,
                offsets,
                scale,
            };
            (ty, place, mask, align)
        }
        _ => unreachable!("only masked loads come here"),
    };
    for lane in 0..usize::from(ty.lanes) {
        let mut bits = [0];
        if r.lanes(mask)[lane] != 0 {
            let address = place.address(r, lane);
            let private = &r.item.private;
            let bytes = (r.machine.memory).read(private, address, ty.elem.bytes(), align)?;
            get(bytes, ty.elem, &mut bits);
        }
        r.item.regs[dst + lane] = bits[0];
    }
    Ok(())
}

pub fn store(r: &mut Runner, data: &InstData) -> Result<(), FaultKind> {
    let (value, place, mask, align) = match *data {
        InstData::MaskedStore {
            value,
            ptr,
            mask,
            align,
        } => {
            let bytes = r.func.ty(value).elem.bytes();
            let align = row_align(align, bytes);
            (value, Place::Row { ptr, bytes }, mask, align)
        }
        InstData::Scatter {
            value,
            base,
            offsets,
            scale,
            mask,
            align,
        } => {
            let place = Place::Spread {
                base,
                offsets,
                scale,
            };
            (value, place, mask, align)
        }
        _ => unreachable!("only masked stores come here"),
    };
    let ty = r.func.ty(value);
    for lane in 0..usize::from(ty.lanes) {
        if r.lanes(mask)[lane] == 0 {
            continue;
        }
        let address = place.address(r, lane);
        let bits = [r.lanes(value)[lane]];
        let Item { private, .. } = &mut *r.item;
        let bytes = (r.machine.memory).write(private, address, ty.elem.bytes(), align)?;
        put(bytes, ty.elem, &bits);
    }
    Ok(())
}
