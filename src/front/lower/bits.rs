//! Bit-fields: reading and writing some bits of a storage unit.

use super::function::FunctionLowerer;
use super::place::Spot;
use super::stmt::bit_mask;
use crate::ir::{BinaryOp, Type, Value};

impl FunctionLowerer<'_, '_> {
    /// `bits` is (first, width) in a unit of type `ty`.
    pub(super) fn load_bits(
        &mut self,
        spot: &Spot,
        ty: Type,
        signed: bool,
        bits: (u32, u32),
    ) -> Value {
        let unit = self.b.load(ty, spot.ptr, spot.align, spot.volatile);
        self.extract_bits(unit, signed, bits)
    }

    /// Gives the value that the field then has.
    pub(super) fn store_bits(
        &mut self,
        spot: &Spot,
        value: Value,
        signed: bool,
        (first, width): (u32, u32),
    ) -> Value {
        let ty = self.b.func.ty(value);
        let mask = bit_mask(width);
        let low = self.b.iconst(ty, mask);
        let field = self.b.binary(BinaryOp::And, value, low);
        let count = self.b.iconst(ty, u64::from(first));
        let field = self.b.binary(BinaryOp::Shl, field, count);
        let unit = self.b.load(ty, spot.ptr, spot.align, spot.volatile);
        let others = self.b.iconst(ty, !(mask << first));
        let unit = self.b.binary(BinaryOp::And, unit, others);
        let unit = self.b.binary(BinaryOp::Or, unit, field);
        self.b.store(unit, spot.ptr, spot.align, spot.volatile);
        self.extract_bits(value, signed, (0, width))
    }

    /// The field at the bottom of the unit, extended by its sign or by zeros.
    fn extract_bits(&mut self, unit: Value, signed: bool, (first, width): (u32, u32)) -> Value {
        let ty = self.b.func.ty(unit);
        let total = ty.elem.bits();
        if !signed {
            let count = self.b.iconst(ty, u64::from(first));
            let low = self.b.binary(BinaryOp::LShr, unit, count);
            let mask = self.b.iconst(ty, bit_mask(width));
            return self.b.binary(BinaryOp::And, low, mask);
        }
        let up = self.b.iconst(ty, u64::from(total - first - width));
        let high = self.b.binary(BinaryOp::Shl, unit, up);
        let down = self.b.iconst(ty, u64::from(total - width));
        self.b.binary(BinaryOp::AShr, high, down)
    }
}
