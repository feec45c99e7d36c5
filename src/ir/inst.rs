//! Instructions and terminators.
//!
//! Invariants (checked by the verifier): every operand dominates its use; binary operands have the type of the result;
//! shift counts are masked to the width by the instruction itself; no instruction traps: integer division by zero and
//! `MIN / -1` give an unspecified value (0 and MIN here), out-of-range float-to-int conversions an unspecified one;
//! only memory accesses can fault. Unspecified is never undefined: an `Undef` value is some fixed, arbitrary bits.

pub use super::atomic::{AtomicOp, FenceFlags, MemOrder, MemScope};
use super::device::DeviceOp;
use super::entities::{Block, FuncId, GlobalId, LocalId, Value};
use super::types::{AddrSpace, Type};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Two's complement negation, bitwise not (`I1` too).
    Neg,
    Not,
    /// Leading zeros, trailing zeros (the width for 0), bits set.
    Clz,
    Ctz,
    Popcount,
    BitReverse,
    /// Floating point: exact sign operations.
    FNeg,
    FAbs,
    /// Correctly rounded; to integral values: up, down, towards zero, nearest-even, nearest-away.
    Sqrt,
    Ceil,
    Floor,
    Trunc,
    Rint,
    Round,
    /// 1 / x and 1 / sqrt(x) within a relative error of 2^-13 (`f32` only), as special values have it; what exactly
    /// comes out is up to the machine.
    RecipEstimate,
    RsqrtEstimate,
    /// x = m * 2^e with m in [3/4, 3/2) and integral e (`f32`, `f64`; the results are m and e). Of 0 they are 1 and
    /// -infinity, of infinity 1 and infinity, of a NaN NaNs; of what is below 0 a NaN and something unspecified.
    FMantissa,
    FExponent,
    /// |x| = m * 2^e with m in [1, 2) and integral e (`f32`, `f64`; the results are m and e). Of 0 they are 1 and
    /// -infinity, of infinity 1 and infinity, of a NaN NaNs.
    FSignificand,
    FLogb,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// See the head of this file: these never trap.
    SDiv,
    UDiv,
    SRem,
    URem,
    /// The count is taken modulo the width (OpenCL C 3.0, 6.4.10).
    Shl,
    LShr,
    AShr,
    /// Rotate left; the count is taken modulo the width.
    Rotl,
    And,
    Or,
    Xor,
    SMin,
    SMax,
    UMin,
    UMax,
    /// The high half of the double-width product.
    SMulHi,
    UMulHi,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's fmod: exact, the sign of the dividend.
    FRem,
    /// IEEE 754-2008 minNum/maxNum: the other operand where one is NaN.
    FMin,
    FMax,
    CopySign,
    /// a * 2^b for b rounded down, rounded once (`f32`, `f64`). |b| is at most 252 (`f32`) or 2044 (`f64`), and a *
    /// 2^(b/2) is a normal number, 0, infinite or NaN: elsewhere the value is unspecified.
    FScale,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TernaryOp {
    /// a * b + c with one rounding.
    Fma,
    /// a * b + c with one or two roundings, as is fastest (OpenCL `mad` and contraction).
    MulAdd,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntCC {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// Ordered comparisons are false with a NaN; `Une`, `Uno` and the like are true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCC {
    Oeq,
    One,
    Olt,
    Ole,
    Ogt,
    Oge,
    Ord,
    Ueq,
    Une,
    Ult,
    Ule,
    Ugt,
    Uge,
    Uno,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    /// Integer widths.
    Trunc,
    ZExt,
    SExt,
    /// Floating-point widths, round to nearest even.
    FpTrunc,
    FpExt,
    /// Towards zero; out of range unspecified.
    FpToSi,
    FpToUi,
    /// Round to nearest even.
    SiToFp,
    UiToFp,
    /// The same bits; total size in memory is equal (3-vectors count 3 lanes).
    Bitcast,
    PtrToInt,
    IntToPtr,
    /// Between generic and a named space, or private/local/global among themselves by an explicit cast.
    AddrSpaceCast,
}

/// What a work-item can ask of its place in the NDRange (OpenCL C 3.0, 6.15.1). The result is `i64` (`WorkDim`: `i32`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WorkItemQuery {
    GlobalId,
    LocalId,
    GroupId,
    GlobalSize,
    /// The size of this group, which is smaller in a remainder group.
    LocalSize,
    EnqueuedLocalSize,
    NumGroups,
    GlobalOffset,
    /// These take no dimension (it is 0).
    GlobalLinearId,
    LocalLinearId,
    WorkDim,
    /// The number of this work-item's sub-group, its place in it, and how many work-items that has.
    SubGroupId,
    SubGroupLocalId,
    SubGroupSize,
    /// How many work-items a full sub-group has; the sub-groups of this group, and of one of the size that was enqueued.
    MaxSubGroupSize,
    NumSubGroups,
    EnqueuedNumSubGroups,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstData {
    /// An integer or pointer constant by its bits, zero-extended; splat over a vector type.
    IConst {
        ty: Type,
        bits: u64,
    },
    /// A floating-point constant by its bits (f16, f32: in the low bits); splat over a vector type.
    FConst {
        ty: Type,
        bits: u64,
    },
    /// Some fixed, arbitrary value.
    Undef {
        ty: Type,
    },
    Unary {
        op: UnaryOp,
        arg: Value,
    },
    Binary {
        op: BinaryOp,
        args: [Value; 2],
    },
    Ternary {
        op: TernaryOp,
        args: [Value; 3],
    },
    /// The result is `i1` in as many lanes. Pointers compare as unsigned integers.
    ICmp {
        cc: IntCC,
        args: [Value; 2],
    },
    FCmp {
        cc: FloatCC,
        args: [Value; 2],
    },
    /// `cond` is `i1`, or a vector of `i1` with as many lanes as the arms.
    Select {
        cond: Value,
        then: Value,
        els: Value,
    },
    Cast {
        op: CastOp,
        arg: Value,
        to: Type,
    },

    /// All lanes the same.
    Splat {
        arg: Value,
        lanes: u16,
    },
    /// A vector from as many scalars as it has lanes.
    BuildVector {
        args: Vec<Value>,
    },
    Extract {
        vec: Value,
        lane: u16,
    },
    Insert {
        vec: Value,
        scalar: Value,
        lane: u16,
    },
    /// The lane is an `i32` value, taken modulo the number of lanes rounded up to a power of two; a lane that isn't there reads as arbitrary bits and writes nothing.
    ExtractDyn {
        vec: Value,
        lane: Value,
    },
    InsertDyn {
        vec: Value,
        scalar: Value,
        lane: Value,
    },
    /// Lanes of `a` then lanes of `b`; as many results as `mask` is long (2 or more).
    Shuffle {
        a: Value,
        b: Value,
        mask: Vec<u16>,
    },

    /// Private memory that lives as long as the call; only in the entry block. The result is `ptr.private`.
    Alloca {
        size: u64,
        align: u32,
    },
    /// `align` in bytes, a power of two.
    Load {
        ty: Type,
        ptr: Value,
        align: u32,
        volatile: bool,
    },
    Store {
        value: Value,
        ptr: Value,
        align: u32,
        volatile: bool,
    },
    /// Regions do not overlap; sizes in bytes.
    MemCpy {
        dst: Value,
        src: Value,
        size: u64,
        align: u32,
    },
    MemSet {
        dst: Value,
        byte: Value,
        size: u64,
        align: u32,
    },
    /// `ptr + offset` bytes; `offset` is `i64`. Same address space. Lane by lane for vectors.
    PtrAdd {
        ptr: Value,
        offset: Value,
    },
    /// Whether a generic pointer leads into memory of this space (`i1`, lane by lane): local is the group's local
    /// memory, private the work-item's own, global all else. The function that asks is inlined in its kernel.
    InSpace {
        ptr: Value,
        space: AddrSpace,
    },
    GlobalAddr {
        global: GlobalId,
    },
    LocalAddr {
        local: LocalId,
    },

    /// A vector from as many elements in a row; a lane that `mask` (`i1` in as many lanes) leaves out is not read and
    /// is 0. `align` is that of the first element's address.
    MaskedLoad {
        ty: Type,
        ptr: Value,
        mask: Value,
        align: u32,
    },
    /// Lanes that `mask` leaves out are not written.
    MaskedStore {
        value: Value,
        ptr: Value,
        mask: Value,
        align: u32,
    },
    /// Lane by lane from `base + offsets * scale` bytes. `base` is one pointer or a pointer for each lane; the offsets
    /// are `i64`, or `i32` and sign-extended. `align` is that of each element; masks as above.
    Gather {
        ty: Type,
        base: Value,
        offsets: Value,
        scale: u32,
        mask: Value,
        align: u32,
    },
    /// Lane by lane to such places, in ascending order: where two lanes meet the higher one stays.
    Scatter {
        value: Value,
        base: Value,
        offsets: Value,
        scale: u32,
        mask: Value,
        align: u32,
    },
    /// Whether any lane of an `i1` vector is set.
    AnyLane {
        mask: Value,
    },
    /// The lanes of an `i1` vector of up to 64 as the low bits of an `i64`.
    MaskBits {
        mask: Value,
    },

    AtomicLoad {
        ty: Type,
        ptr: Value,
        order: MemOrder,
        scope: MemScope,
    },
    AtomicStore {
        value: Value,
        ptr: Value,
        order: MemOrder,
        scope: MemScope,
    },
    /// The result is the old value.
    AtomicRmw {
        op: AtomicOp,
        ptr: Value,
        value: Value,
        order: MemOrder,
        scope: MemScope,
    },
    /// The result is the old value; success is `old == expected` (by bits).
    AtomicCmpXchg {
        ptr: Value,
        expected: Value,
        new: Value,
        success: MemOrder,
        failure: MemOrder,
        scope: MemScope,
    },
    Fence {
        order: MemOrder,
        scope: MemScope,
        flags: FenceFlags,
    },
    /// The line of the cache at `ptr` will be read soon. Any address will do.
    Prefetch {
        ptr: Value,
    },

    WorkItem {
        query: WorkItemQuery,
        dim: u8,
    },
    /// The ticks so far (`i64`) of a clock of the device, when it is executed; work-items may share one look at it.
    Clock,
    /// A call of a function of this module; it reaches no barrier unless it is inlined first.
    Call {
        func: FuncId,
        args: Vec<Value>,
    },
    /// `format` is a NUL-terminated string global. The result is `i32` 0.
    Printf {
        format: GlobalId,
        args: Vec<Value>,
    },

    /// The runtime does something for the work-item; see [`DeviceOp`].
    Device {
        op: DeviceOp,
        args: Vec<Value>,
    },

    /// Only in group functions (after the work-group pass): the base of this group's scratch (`ptr.private`).
    ScratchBase,
    /// Only in group functions: tells the runtime that work-items wait at two barriers at once.
    ReportDivergence(Divergent),
}

/// Two barriers at which items of a group wait at once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Divergent {
    /// Their source lines (`i32`).
    pub lines: [Value; 2],
    /// The numbers of the regions behind them (`i32`).
    pub regions: [Value; 2],
    /// Where the number of each item's next region stands (`ptr.private` to `i32`s, by linear local id).
    pub next: Value,
}

impl Divergent {
    /// In the order in which they are written.
    pub fn operands(&self) -> [Value; 5] {
        let ([a, b], [c, d]) = (self.lines, self.regions);
        [a, b, c, d, self.next]
    }
}

/// A block and the arguments for its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockCall {
    pub block: Block,
    pub args: Vec<Value>,
}

/// What the work-items of a team make together of their operands (the first one, if nothing else is said). Those that do
/// not take part, because they returned or are elsewhere, count for nothing. `ir::fold` has the order of operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Collective {
    /// 1 if the operand is not 0 for all of them, or for one of them, else 0. Of an integer.
    All,
    Any,
    /// Only of sub-groups, of an `i64`: bit n is set if the n-th work-item's operand is not 0.
    Ballot,
    /// Only of groups: the operand of the work-item whose local id are three more operands (`i64`), the same for all.
    Broadcast,
    /// Only of sub-groups: the operand of the work-item whose place in the sub-group is a second operand (`i32`), modulo
    /// the full size of a sub-group; 0 if that one takes no part.
    Shuffle,
    /// All operands folded into one; see [`BinaryOp::identity`] for the operations.
    Reduce(BinaryOp),
    /// Those up to the work-item's own, or before it and the identity.
    ScanInclusive(BinaryOp),
    ScanExclusive(BinaryOp),
}

/// The work-items of a group that wait for each other at a barrier or collective.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Team {
    Group,
    /// The work-items of a sub-group: so many in a row by their linear local id; see
    /// [`KernelAttrs::sub_group_size`](super::function::KernelAttrs).
    SubGroup,
    /// So many in a row of a sub-group, a power of two; only for [`Collective::Reduce`]. More than a sub-group has stand
    /// for the sub-group.
    Cluster(u32),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    Jump(BlockCall),
    /// `cond` is `i1`.
    Branch {
        cond: Value,
        then: BlockCall,
        els: BlockCall,
    },
    /// `value` is an integer; the case values are its bits, each at most once.
    Switch {
        value: Value,
        cases: Vec<(u64, BlockCall)>,
        default: BlockCall,
    },
    Return(Option<Value>),
    /// Control can't get here by the language's rules; executing it is unspecified: it acts as a return of undef.
    Unreachable,
    /// Every work-item of the team arrives before any goes on to `next` (OpenCL C 3.0, 6.15.8). `line` is the source line.
    Barrier {
        team: Team,
        flags: FenceFlags,
        scope: MemScope,
        line: u32,
        next: BlockCall,
    },
    /// As a barrier without fence; its result is the last parameter of `next.block` (not in `next.args`).
    Collective {
        team: Team,
        op: Collective,
        args: Vec<Value>,
        line: u32,
        next: BlockCall,
    },
}
