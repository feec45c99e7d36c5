//! Places (lvalues): where an object is, reading it and writing it.
//!
//! A component of a private vector is read and written with the whole vector, so that the variable can leave memory;
//! in shared memory only the component itself is written, because another work-item may write its neighbour.

use super::super::hir::{Place, PlaceKind};
use super::super::types::TypeId;
use super::expr::space_of;
use super::function::FunctionLowerer;
use crate::ir::types::I64;
use crate::ir::{AddrSpace, GlobalId, Type, Value};

/// An evaluated place.
pub(super) struct Spot {
    pub ptr: Value,
    /// Known alignment of `ptr` in bytes.
    pub align: u32,
    pub volatile: bool,
    pub part: Part,
}

/// What of the object at `ptr` is meant.
pub(super) enum Part {
    /// An object of this type.
    Whole(TypeId),
    /// Bits (first, width) of a storage unit of this type.
    Bits(TypeId, u32, u32),
    /// Lanes of a vector of this type.
    Lanes(Type, Vec<u8>),
}

impl<'m> FunctionLowerer<'_, 'm> {
    /// Evaluates what the place depends on, once.
    pub fn place(&mut self, place: &'m Place) -> Spot {
        let outer = self.b.loc();
        self.set_loc(place.loc);
        let mut spot = self.place_of_kind(place);
        spot.volatile |= place.ty.is_volatile;
        self.b.set_loc(outer);
        spot
    }

    fn place_of_kind(&mut self, place: &'m Place) -> Spot {
        let ty = place.ty.ty;
        let whole = |ptr, align| Spot {
            ptr,
            align,
            volatile: false,
            part: Part::Whole(ty),
        };
        let natural = self.align32(self.types.align(ty));
        match &place.kind {
            PlaceKind::Var(id) => {
                let align = self.var_align(*id);
                whole(self.var_addr(*id), align)
            }
            PlaceKind::Global(id) => {
                let global = &self.cx.program.globals[id.0 as usize];
                let align = self.align32(global.align);
                let space = global.ty.space;
                let ptr = self.b.global_addr(GlobalId::new(id.0 as usize), space);
                whole(ptr, align)
            }
            PlaceKind::Deref(pointer) => {
                let align = self.align32(self.types.align_of(place.ty));
                whole(self.value(pointer), align)
            }
            PlaceKind::Temp(value) => {
                let temp = self.temp(ty);
                if self.types.is_aggregate(ty) {
                    self.aggregate(value, temp);
                } else {
                    let value = self.value(value);
                    self.b.store(value, temp, natural, false);
                }
                whole(temp, natural)
            }
            PlaceKind::Literal { var, init } => {
                self.init_var(*var, init);
                let align = self.var_align(*var);
                whole(self.var_addr(*var), align)
            }
            PlaceKind::Field { base, offset, bits } => {
                let base = self.place(base);
                let spot = self.at_offset(base, *offset);
                let part = match *bits {
                    Some((first, width)) => Part::Bits(ty, first, width),
                    None => Part::Whole(ty),
                };
                Spot { part, ..spot }
            }
            PlaceKind::Swizzle { base, lanes } => {
                let base_ty = base.ty.ty;
                let spot = self.place(base);
                let part = match &spot.part {
                    Part::Lanes(vector, outer) => {
                        let lanes = lanes.iter().map(|&i| outer[i as usize]).collect();
                        Part::Lanes(*vector, lanes)
                    }
                    _ => Part::Lanes(self.ir_type(base_ty), lanes.clone()),
                };
                Spot { part, ..spot }
            }
        }
    }

    /// The spot `offset` bytes further on.
    pub fn at_offset(&mut self, base: Spot, offset: u64) -> Spot {
        if offset == 0 {
            return base;
        }
        let by = self.b.iconst(I64, offset);
        let known = 1u32 << offset.trailing_zeros().min(31);
        Spot {
            ptr: self.b.ptr_add(base.ptr, by),
            align: base.align.min(known),
            ..base
        }
    }

    /// The value of a scalar, vector or pointer object.
    pub fn load(&mut self, spot: &Spot) -> Value {
        match &spot.part {
            Part::Whole(ty) => {
                let ty = self.ir_type(*ty);
                self.b.load(ty, spot.ptr, spot.align, spot.volatile)
            }
            Part::Bits(ty, first, width) => {
                let signed = self.scalar_of(*ty).is_signed();
                self.load_bits(spot, self.ir_type(*ty), signed, (*first, *width))
            }
            Part::Lanes(ty, lanes) => {
                if let [lane] = lanes[..]
                    && !self.is_private(spot)
                {
                    let (ptr, align) = self.lane_addr(spot, *ty, lane);
                    return self.b.load(ty.lane(), ptr, align, spot.volatile);
                }
                let whole = self.b.load(*ty, spot.ptr, spot.align, spot.volatile);
                self.pick(whole, lanes)
            }
        }
    }

    /// Writes `value` and gives the value that the object then has.
    pub fn store(&mut self, spot: &Spot, value: Value) -> Value {
        match &spot.part {
            Part::Whole(ty) => {
                let ty = self.ir_type(*ty);
                let value = self.in_space(value, ty);
                self.b.store(value, spot.ptr, spot.align, spot.volatile);
                value
            }
            Part::Bits(ty, first, width) => {
                let signed = self.scalar_of(*ty).is_signed();
                self.store_bits(spot, value, signed, (*first, *width))
            }
            Part::Lanes(ty, lanes) => {
                self.store_lanes(spot, *ty, lanes, value);
                value
            }
        }
    }

    fn store_lanes(&mut self, spot: &Spot, ty: Type, lanes: &[u8], value: Value) {
        let scalar = |this: &mut Self, i: usize| match lanes {
            [_] => value,
            _ => this.b.extract(value, i as u16),
        };
        if self.is_private(spot) {
            let mut whole = self.b.load(ty, spot.ptr, spot.align, spot.volatile);
            for (i, &lane) in lanes.iter().enumerate() {
                let part = scalar(self, i);
                whole = self.b.insert(whole, part, u16::from(lane));
            }
            self.b.store(whole, spot.ptr, spot.align, spot.volatile);
            return;
        }
        for (i, &lane) in lanes.iter().enumerate() {
            let part = scalar(self, i);
            let (ptr, align) = self.lane_addr(spot, ty, lane);
            self.b.store(part, ptr, align, spot.volatile);
        }
    }

    fn is_private(&self, spot: &Spot) -> bool {
        space_of(self.b.func.ty(spot.ptr)) == AddrSpace::Private
    }

    fn lane_addr(&mut self, spot: &Spot, ty: Type, lane: u8) -> (Value, u32) {
        let size = ty.elem.bytes();
        let offset = size * u64::from(lane);
        if offset == 0 {
            return (spot.ptr, spot.align);
        }
        let by = self.b.iconst(I64, offset);
        let ptr = self.b.ptr_add(spot.ptr, by);
        (ptr, spot.align.min(self.align32(size)))
    }
}
