//! The OpenCL C library: its functions' signatures in one table, and their bodies in OpenCL C.
//!
//! [`table`] lists every function once; [`signature`] reads the little language that its overloads are written in;
//! [`source`] holds the texts of the bodies. The front end resolves calls by the table; the compiler links in what a
//! program uses of the bodies.

mod copies;
mod images;
pub mod signature;
pub mod source;
mod table;
mod teams;

use crate::ir::{BinaryOp, TernaryOp, UnaryOp, WorkItemQuery};
use once_cell::sync::Lazy;
use signature::Signature;
use std::collections::HashMap;

/// An index into the table of builtin functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BuiltinId(pub u16);

/// One function name with all its overloads.
#[derive(Debug)]
pub struct Builtin {
    pub name: String,
    pub signatures: Vec<Signature>,
    pub lowering: Lowering,
    /// The first OpenCL C version that has it, as `__OPENCL_C_VERSION__` counts (100, 110, 120, 200, 300).
    pub since: u32,
}

/// What a call becomes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lowering {
    /// One instruction on the arguments as they are; a scalar beside a vector is splat.
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ternary(TernaryOp),
    /// One instruction, chosen by the type of the arguments.
    BySign {
        float: BinaryOp,
        signed: BinaryOp,
        unsigned: BinaryOp,
    },
    /// A query with an optional dimension.
    WorkItem(WorkItemQuery),
    /// Code of its own in the front end's lowering.
    Special(Special),
    /// A scalar function of the library, called for each component; scalars are passed to every call, and what a
    /// pointer gets is gathered from the calls.
    Elementwise,
    /// A function of the library with just these parameter types.
    Whole,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Special {
    /// barrier, work_group_barrier
    Barrier,
    /// sub_group_barrier
    SubGroupBarrier,
    MemFence(FenceKind),
    /// atomic_work_item_fence
    WorkItemFence,
    /// The old atomics: atomic_add and the like; `Inc`/`Dec` have no operand.
    Atomic(AtomicKind),
    /// The atomics of C11: the arguments, then orders and scope where the name says `explicit`.
    C11(C11Kind),
    VLoad,
    VStore,
    /// The rounding of a store is by the name's suffix.
    VLoadHalf {
        aligned: bool,
    },
    VStoreHalf {
        aligned: bool,
        rounding: Rounding,
    },
    Select,
    Bitselect,
    Any,
    All,
    Abs,
    AsyncCopy,
    AsyncStridedCopy,
    /// async_work_group_copy_2D2D and its 3D form.
    AsyncCopyLines,
    AsyncCopyFence,
    WaitGroupEvents,
    Prefetch,
    /// A test of floating-point values: -1/1 or 0 by component.
    Test(FloatTest),
    Upsample,
    /// shuffle and shuffle2: the last argument is the mask.
    Shuffle,
    /// read_imagef and its kin: image, perhaps a sampler, coordinates.
    ReadImage(Channels),
    /// write_imagef and its kin: image, coordinates, a colour.
    WriteImage(Channels),
    QueryImage(ImageQuery),
    /// What the work-items of a group or sub-group do together.
    Team(TeamFunction),
    /// clock_read_device and its kin: as a ulong, or as a uint2 with the low word first. One clock serves all scopes.
    ReadClock,
    /// is_valid_reserve_id
    IsValidReserveId,
}

/// What a texel is read or written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channels {
    Float,
    /// With cl_khr_fp16; as floats, rounded.
    Half,
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageQuery {
    Width,
    Height,
    Depth,
    /// Width and height, and depth and a 0 for a 3D image.
    Size,
    ArraySize,
    ChannelDataType,
    ChannelOrder,
}

/// A work-group or sub-group function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamFunction {
    pub whose: Whose,
    pub op: TeamOp,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    Group,
    SubGroup,
    /// So many work-items in a row of a sub-group: the last argument, a constant and a power of two.
    Cluster,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TeamOp {
    All,
    Any,
    /// Of the work-item with the local id that the other arguments say.
    Broadcast,
    Reduce(FoldKind),
    ScanInclusive(FoldKind),
    ScanExclusive(FoldKind),
    /// The first argument of another work-item of the sub-group.
    Pick(Index),
    /// All have the same.
    AllEqual,
    /// The first one of the sub-group that is here.
    Elect,
    Ballot,
    OfBallot(BallotPart),
}

/// Which work-item of the sub-group; a second argument, `by`, says more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// The first one that is here.
    First,
    /// That number.
    Argument,
    /// By the own number.
    Xor,
    Up,
    Down,
    Rotate,
    /// A third argument is the size of clusters, a constant and a power of two.
    RotateInCluster,
}

/// What is asked of a ballot, or made like one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BallotPart {
    /// The own bit, or that of a second argument.
    Own,
    Extract,
    /// Bits that are set: in all, up to the own, before it.
    Count,
    CountUpTo,
    CountBefore,
    FindLsb,
    FindMsb,
    /// The numbers that compare like this with the own number.
    MaskEq,
    MaskGe,
    MaskGt,
    MaskLe,
    MaskLt,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
    /// Of an int that counts as true where it is not 0; the result is 1 or 0.
    LogicalAnd,
    LogicalOr,
    LogicalXor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenceKind {
    ReadWrite,
    Read,
    Write,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicKind {
    Add,
    Sub,
    Xchg,
    Inc,
    Dec,
    CmpXchg,
    Min,
    Max,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum C11Kind {
    Init,
    Load,
    Store,
    /// atomic_exchange, atomic_fetch_*.
    Rmw(AtomicKind),
    CompareExchange,
    FlagTestAndSet,
    FlagClear,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    Nearest,
    Zero,
    Up,
    Down,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatTest {
    IsEqual,
    IsNotEqual,
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsOrdered,
    IsUnordered,
    IsFinite,
    IsInf,
    IsNan,
    IsNormal,
    SignBit,
}

struct Table {
    list: Vec<Builtin>,
    ids: HashMap<String, BuiltinId>,
}

static TABLE: Lazy<Table> = Lazy::new(|| {
    let list = table::build();
    let ids = list
        .iter()
        .enumerate()
        .map(|(n, b)| (b.name.clone(), BuiltinId(n as u16)))
        .collect();
    Table { list, ids }
});

/// The builtin of a name.
pub fn find(name: &str) -> Option<BuiltinId> {
    TABLE.ids.get(name).copied()
}

/// The function of floats that stands for another where `-cl-unsafe-math-optimizations` relaxes the bounds (OpenCL C 3.0,
/// "ULP values for single precision built-in math functions with unsafe math optimizations"): for these, native_ forms
/// are within them.
pub fn relaxed(id: BuiltinId) -> BuiltinId {
    const RELAXED: [&str; 5] = ["cos", "exp", "exp2", "exp10", "sin"];
    let name = get(id).name.as_str();
    let native = RELAXED
        .contains(&name)
        .then(|| find(&format!("native_{name}")));
    native.flatten().unwrap_or(id)
}

pub fn get(id: BuiltinId) -> &'static Builtin {
    &TABLE.list[usize::from(id.0)]
}

/// All of them, for tests and tools.
pub fn all() -> &'static [Builtin] {
    &TABLE.list
}
