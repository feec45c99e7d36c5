//! vload, vstore and shuffle (OpenCL C 3.0, 6.15.7 and 6.15.13).

use super::super::super::hir::Expr;
use super::super::super::types::TypeId;
use super::super::function::FunctionLowerer;
use crate::ir::types::{I32, I64};
use crate::ir::{Type, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    /// vloadn(offset, p): the address is `p + offset * n`, aligned as the element.
    pub(super) fn vload(&mut self, args: &'m [Expr], ty: TypeId) -> Value {
        let ty = self.ir_type(ty);
        let ptr = self.element_address(&args[0], &args[1], ty.elem.bytes() * u64::from(ty.lanes));
        self.load_lanes(ptr, ty)
    }

    /// vstoren(data, offset, p)
    pub(super) fn vstore(&mut self, args: &'m [Expr]) {
        let data = self.value(&args[0]);
        let ty = self.b.func.ty(data);
        let ptr = self.element_address(&args[1], &args[2], ty.elem.bytes() * u64::from(ty.lanes));
        self.store_vector(ptr, data);
    }

    /// `ptr + offset * stride` bytes.
    pub(super) fn element_address(
        &mut self,
        offset: &'m Expr,
        ptr: &'m Expr,
        stride: u64,
    ) -> Value {
        let offset = self.value(offset);
        let ptr = self.value(ptr);
        let bytes = self.times(offset, stride);
        self.b.ptr_add(ptr, bytes)
    }

    /// Just the lanes of a vector that is aligned as its element: a 3-vector has no fourth here.
    pub(super) fn load_lanes(&mut self, ptr: Value, ty: Type) -> Value {
        let align = ty.elem.bytes() as u32;
        if ty.lanes != 3 {
            return self.b.load(ty, ptr, align, false);
        }
        let lanes = (0..3)
            .map(|lane| {
                let at = self.lane_place(ptr, ty, lane);
                self.b.load(ty.lane(), at, align, false)
            })
            .collect();
        self.b.build_vector(lanes)
    }

    pub(super) fn store_vector(&mut self, ptr: Value, data: Value) {
        let ty = self.b.func.ty(data);
        let align = ty.elem.bytes() as u32;
        if ty.lanes != 3 {
            self.b.store(data, ptr, align, false);
            return;
        }
        for lane in 0..3 {
            let at = self.lane_place(ptr, ty, lane);
            let scalar = self.b.extract(data, lane);
            self.b.store(scalar, at, align, false);
        }
    }

    /// shuffle(x, mask), shuffle2(x, y, mask): of each mask element only the low bits count.
    pub(super) fn shuffle(&mut self, args: &'m [Expr]) -> Value {
        let x = self.value(&args[0]);
        let lanes = self.b.func.ty(x).lanes;
        let source = if args.len() == 3 {
            let y = self.value(&args[1]);
            self.b.shuffle(x, y, (0..2 * lanes).collect())
        } else {
            x
        };
        let mask = self.value(&args[args.len() - 1]);
        let mask_ty = self.b.func.ty(mask);
        let picked = (0..mask_ty.lanes)
            .map(|lane| {
                let index = self.b.extract(mask, lane);
                let index = self.resize_int(index, false, I32);
                // An index out of range is taken modulo the number of lanes.
                self.b.extract_dyn(source, index)
            })
            .collect();
        self.b.build_vector(picked)
    }

    fn lane_place(&mut self, ptr: Value, ty: Type, lane: u16) -> Value {
        if lane == 0 {
            return ptr;
        }
        let offset = self.b.iconst(I64, ty.elem.bytes() * u64::from(lane));
        self.b.ptr_add(ptr, offset)
    }
}
