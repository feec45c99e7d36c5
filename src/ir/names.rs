//! The words of the text form: one table of mnemonics for each enum, read by the printer and by the parser.
//!
//! Invariant: within one enum every word is different; the words of `UnaryOp`, `BinaryOp`, `TernaryOp` and `CastOp`
//! are different between the four as well, because they open an instruction.

use super::debug::Encoding;
use super::device::DeviceOp;
use super::inst::{
    AtomicOp, BinaryOp, CastOp, FloatCC, IntCC, MemOrder, MemScope, TernaryOp, UnaryOp,
    WorkItemQuery,
};
use super::types::AddrSpace;

/// An enum whose variants have words.
pub trait Words: Sized {
    /// The inverse of `name`.
    fn from_word(word: &str) -> Option<Self>;
}

macro_rules! names {
    ($($ty:ident { $($variant:ident $word:literal)* })*) => {
        $(impl $ty {
            /// Every variant, in the order of the table.
            pub const ALL: &[$ty] = &[$($ty::$variant),*];

            /// The word for it in the text form.
            pub fn name(self) -> &'static str {
                match self {
                    $($ty::$variant => $word,)*
                }
            }
        }

        impl Words for $ty {
            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($ty::$variant),)*
                    _ => None,
                }
            }
        })*
    };
}

names! {
    Encoding {
        Signed "signed" Unsigned "unsigned" Float "float" Bool "bool" SignedChar "signed_char"
        UnsignedChar "unsigned_char"
    }
    DeviceOp {
        EnqueueKernel "enqueue_kernel" EnqueueMarker "enqueue_marker" DefaultQueue "default_queue"
        RetainEvent "retain_event" ReleaseEvent "release_event" CreateUserEvent "create_user_event"
        IsValidEvent "is_valid_event" SetUserEventStatus "set_user_event_status"
        CaptureProfilingInfo "capture_profiling_info" WorkGroupSize "work_group_size"
        PreferredWorkGroupSizeMultiple "preferred_work_group_size_multiple"
        MaxSubGroupSize "max_sub_group_size" SubGroupCount "sub_group_count"
    }
    AddrSpace {
        Private "private" Global "global" Constant "constant" Local "local" Generic "generic"
    }
    UnaryOp {
        Neg "ineg" Not "not" Clz "clz" Ctz "ctz" Popcount "popcount" BitReverse "bitreverse"
        FNeg "fneg" FAbs "fabs" Sqrt "sqrt" Ceil "ceil" Floor "floor" Trunc "ftrunc" Rint "rint"
        Round "round" RecipEstimate "recip_estimate" RsqrtEstimate "rsqrt_estimate"
        FMantissa "fmantissa" FExponent "fexponent" FSignificand "fsignificand" FLogb "flogb"
    }
    BinaryOp {
        Add "iadd" Sub "isub" Mul "imul" SDiv "sdiv" UDiv "udiv" SRem "srem" URem "urem"
        Shl "shl" LShr "lshr" AShr "ashr" Rotl "rotl" And "and" Or "or" Xor "xor"
        SMin "smin" SMax "smax" UMin "umin" UMax "umax" SMulHi "smulhi" UMulHi "umulhi"
        SAddSat "sadd_sat" UAddSat "uadd_sat" SSubSat "ssub_sat" USubSat "usub_sat"
        FAdd "fadd" FSub "fsub" FMul "fmul" FDiv "fdiv" FRem "frem" FMin "fmin" FMax "fmax"
        CopySign "copysign" FScale "fscale"
    }
    TernaryOp {
        Fma "fma" MulAdd "muladd"
    }
    IntCC {
        Eq "eq" Ne "ne" Slt "slt" Sle "sle" Sgt "sgt" Sge "sge" Ult "ult" Ule "ule" Ugt "ugt"
        Uge "uge"
    }
    FloatCC {
        Oeq "oeq" One "one" Olt "olt" Ole "ole" Ogt "ogt" Oge "oge" Ord "ord" Ueq "ueq" Une "une"
        Ult "ult" Ule "ule" Ugt "ugt" Uge "uge" Uno "uno"
    }
    CastOp {
        Trunc "trunc" ZExt "zext" SExt "sext" FpTrunc "fptrunc" FpExt "fpext" FpToSi "fptosi"
        FpToUi "fptoui" SiToFp "sitofp" UiToFp "uitofp" Bitcast "bitcast" PtrToInt "ptrtoint"
        IntToPtr "inttoptr" AddrSpaceCast "addrspacecast"
    }
    WorkItemQuery {
        GlobalId "global_id" LocalId "local_id" GroupId "group_id" GlobalSize "global_size"
        LocalSize "local_size" EnqueuedLocalSize "enqueued_local_size" NumGroups "num_groups"
        GlobalOffset "global_offset" GlobalLinearId "global_linear_id"
        LocalLinearId "local_linear_id" WorkDim "work_dim" SubGroupId "sub_group_id"
        SubGroupLocalId "sub_group_local_id" SubGroupSize "sub_group_size"
        MaxSubGroupSize "max_sub_group_size" NumSubGroups "num_sub_groups"
        EnqueuedNumSubGroups "enqueued_num_sub_groups"
    }
    MemOrder {
        Relaxed "relaxed" Acquire "acquire" Release "release" AcqRel "acq_rel" SeqCst "seq_cst"
        Deferred "deferred"
    }
    MemScope {
        WorkItem "work_item" SubGroup "sub_group" WorkGroup "work_group" Device "device"
        AllSvmDevices "all_svm_devices"
    }
    AtomicOp {
        Xchg "xchg" Add "add" Sub "sub" And "and" Or "or" Xor "xor" SMin "smin" SMax "smax"
        UMin "umin" UMax "umax" FAdd "fadd" FMin "fmin" FMax "fmax"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_open_an_instruction_are_all_different() {
        let mut words: Vec<&str> = Vec::new();
        words.extend(UnaryOp::ALL.iter().map(|op| op.name()));
        words.extend(BinaryOp::ALL.iter().map(|op| op.name()));
        words.extend(TernaryOp::ALL.iter().map(|op| op.name()));
        words.extend(CastOp::ALL.iter().map(|op| op.name()));
        let total = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), total);
    }
}
