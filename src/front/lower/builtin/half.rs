//! vload_half and vstore_half: half as a storage format (OpenCL C 3.0, 6.15.7).

use super::super::super::hir::{Expr, Rounding};
use super::super::super::types::{Scalar, TypeId};
use super::super::function::FunctionLowerer;
use crate::builtins;
use crate::ir::{CastOp, Elem, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    /// `aligned`: the vloada_ forms, where a 3-vector takes four places.
    pub(super) fn vload_half(&mut self, args: &'m [Expr], ty: TypeId, aligned: bool) -> Value {
        let ty = self.ir_type(ty);
        let stored = ty.with_elem(Elem::F16);
        let ptr = self.element_address(&args[0], &args[1], stride(stored.lanes, aligned));
        let halves = self.load_lanes(ptr, stored);
        self.b.cast(CastOp::FpExt, halves, ty)
    }

    pub(super) fn vstore_half(
        &mut self,
        args: &'m [Expr],
        aligned: bool,
        rounding: builtins::Rounding,
    ) {
        let from = self.scalar_of(args[0].ty);
        let data = self.value(&args[0]);
        let rounding = match rounding {
            builtins::Rounding::Nearest => Rounding::Rte,
            builtins::Rounding::Zero => Rounding::Rtz,
            builtins::Rounding::Up => Rounding::Rtp,
            builtins::Rounding::Down => Rounding::Rtn,
        };
        let halves = self.convert_rounded(data, from, Scalar::Half, false, Some(rounding));
        let lanes = self.b.func.ty(halves).lanes;
        let ptr = self.element_address(&args[1], &args[2], stride(lanes, aligned));
        self.store_vector(ptr, halves);
    }
}

/// Bytes from one vector of halves to the next.
fn stride(lanes: u16, aligned: bool) -> u64 {
    let lanes = if lanes == 3 && aligned { 4 } else { lanes };
    2 * u64::from(lanes)
}
