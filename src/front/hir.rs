//! The typed tree: what sema makes of the syntax tree and lowering turns into IR.
//!
//! Invariants: every name is resolved, every conversion is explicit, every operand has the type that its operator
//! says below; nothing here can be wrong in a way that the user caused. An [`Expr`] is a value (rvalue); a [`Place`]
//! designates an object (lvalue). Trees are no deeper than a small multiple of `ast::MAX_DEPTH`.

use super::image::{Access, ImageKind};
use super::source::Loc;
use super::token::Unroll;
use super::types::{QualType, TypeId};
use crate::builtins::BuiltinId;
use crate::ir::{AddrSpace, DeviceOp, Linkage, Team};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);

/// A parameter or variable of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// A label of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LabelId(pub u32);

#[derive(Debug, Default)]
pub struct Program {
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
}

/// A program-scope or function-scope `static`/`__constant` variable, or a string literal.
#[derive(Debug)]
pub struct Global {
    pub name: String,
    /// `space` is `Constant` or `Global`.
    pub ty: QualType,
    pub linkage: Linkage,
    pub align: u64,
    /// The initial bytes (size of the type, zero-filled).
    pub init: Vec<u8>,
    /// Addresses of other globals in `init`: (offset, global, addend), 8 bytes each.
    pub relocs: Vec<(u64, GlobalId, i64)>,
}

#[derive(Debug)]
pub struct Function {
    /// Unique in the program; a kernel's own name.
    pub name: String,
    pub loc: Loc,
    pub ret: TypeId,
    /// The first variables, in order.
    pub params: Vec<VarId>,
    pub vars: Vec<Var>,
    pub num_labels: u32,
    pub kernel: Option<KernelInfo>,
    pub always_inline: bool,
    pub noinline: bool,
    /// `static` or `inline`: other sources of the program don't see it.
    pub internal: bool,
    /// `None` for a declaration that nobody defined (sema reports those that are called).
    pub body: Option<Vec<Stmt>>,
}

#[derive(Debug)]
pub struct Var {
    pub name: String,
    pub loc: Loc,
    /// `space` is `Private`, or `Local` for a kernel's `__local` variable.
    pub ty: QualType,
    /// At least the type's (`aligned` attribute).
    pub align: u64,
}

#[derive(Clone, Debug, Default)]
pub struct KernelInfo {
    pub reqd_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    /// The bits of a component of `vec_type_hint`'s type.
    pub number_bits: Option<u32>,
    /// cl_intel_required_subgroup_size
    pub sub_group_size: Option<u32>,
    /// CL_KERNEL_ATTRIBUTES, without reqd_work_group_size normalisation: as written, joined by blanks.
    pub attributes: String,
    /// What clGetKernelArgInfo tells of each parameter: the type's name as the specification spells it
    /// (no qualifiers of the parameter, unsigned as `uint`, typedef names resolved where they name scalars or vectors).
    pub params: Vec<KernelParam>,
}

#[derive(Clone, Debug)]
pub struct KernelParam {
    pub name: String,
    pub type_name: String,
    pub object: Option<ParamObject>,
    pub is_const: bool,
    pub is_restrict: bool,
    pub is_volatile: bool,
}

/// What a parameter takes that is neither a value nor a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamObject {
    Image(ImageKind, Access),
    Sampler,
    Queue,
    /// `packet` is the size of a packet in bytes.
    Pipe {
        access: Access,
        packet: u32,
    },
}

#[derive(Debug)]
pub struct Stmt {
    pub loc: Loc,
    pub kind: StmtKind,
}

#[derive(Debug)]
pub enum StmtKind {
    Block(Vec<Stmt>),
    Expr(Expr),
    /// The variable's life begins (each time control passes); `init` writes it.
    Decl {
        var: VarId,
        init: Option<Init>,
    },
    /// A condition is a scalar: integer, floating point, or pointer; it holds if unequal to 0.
    If {
        cond: Expr,
        then: Box<Stmt>,
        els: Option<Box<Stmt>>,
    },
    /// `cases` are the values (bits of the type of `value`) and the labels inside `body` that they go to.
    Switch {
        value: Expr,
        cases: Vec<(u64, LabelId)>,
        default: Option<LabelId>,
        body: Box<Stmt>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
        unroll: Option<Unroll>,
    },
    Do {
        body: Box<Stmt>,
        cond: Expr,
        unroll: Option<Unroll>,
    },
    /// `init` stands before it in an enclosing block. `continue` goes to `step`.
    For {
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        unroll: Option<Unroll>,
    },
    /// A label of `goto` or of a switch's case.
    Label(LabelId),
    Goto(LabelId),
    Break,
    Continue,
    Return(Option<Expr>),
}

/// How an object gets its first value.
#[derive(Debug)]
pub enum Init {
    /// Of the variable's type.
    Value(Expr),
    /// The object is zeroed if `zero`, then each part is stored in order.
    Parts { zero: bool, parts: Vec<InitPart> },
}

/// A scalar, vector, pointer or whole record at a byte offset in an object.
#[derive(Debug)]
pub struct InitPart {
    pub offset: u64,
    pub bits: Option<(u32, u32)>,
    pub value: Expr,
}

#[derive(Debug)]
pub struct Place {
    /// The object's type; `space` says where it lives.
    pub ty: QualType,
    pub loc: Loc,
    pub kind: PlaceKind,
}

#[derive(Debug)]
pub enum PlaceKind {
    Var(VarId),
    Global(GlobalId),
    /// `*pointer`
    Deref(Box<Expr>),
    /// `bits` is (first bit, width) in the storage unit of the place's type at that offset.
    Field {
        base: Box<Place>,
        offset: u64,
        bits: Option<(u32, u32)>,
    },
    /// Components of a vector object, distinct where it is written to. The place's type is the component's or vector's.
    Swizzle {
        base: Box<Place>,
        lanes: Vec<u8>,
    },
    /// A record value (call result, conditional) that is stored in a fresh temporary.
    Temp(Box<Expr>),
    /// A compound literal: the variable is initialised each time, then designated.
    Literal {
        var: VarId,
        init: Box<Init>,
    },
}

#[derive(Debug)]
pub struct Expr {
    pub ty: TypeId,
    pub loc: Loc,
    pub kind: ExprKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Mul,
    /// A floating-point product that may be fused into the sum or difference that it is an operand of (FP_CONTRACT).
    MulContract,
    Div,
    Rem,
    Add,
    Sub,
    /// The count (second operand) has as many lanes; its element may be another integer type.
    Shl,
    Shr,
    And,
    Xor,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Rounding of a `convert_` function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    Rte,
    Rtz,
    Rtp,
    Rtn,
}

#[derive(Debug)]
pub enum ExprKind {
    /// An integer, bool, enum or null pointer constant: the bits of its type, zero-extended.
    Int(u64),
    /// half, float or double: exactly representable in the type.
    Float(f64),
    /// The object's value (aggregates too: then the expression may only be assigned, passed, returned, or stored).
    Load(Box<Place>),
    /// The type is a pointer to the place's type, or to its element (an array's decay).
    AddrOf(Box<Place>),
    /// Integers or floating point, scalar or vector; the type of the operand is the result's.
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    /// `!scalar`, an int. (On vectors, sema makes a comparison with 0.)
    Not(Box<Expr>),
    /// Both operands have the type of the result (but see the shifts). Signedness follows from the type.
    Binary {
        op: BinaryOp,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    /// `index` is a `long`; the offset is `index * size` bytes.
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        size: u64,
    },
    /// (a - b) / size, a `long`.
    PtrDiff {
        a: Box<Expr>,
        b: Box<Expr>,
        size: u64,
    },
    /// Operands of one type. Scalars and pointers give an int 0 or 1; vectors give signed integers 0 or -1.
    Compare {
        op: Compare,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    /// Scalars: short circuit, an int.
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    /// A scalar condition; only one arm is evaluated. Both arms have the result's type (void too).
    Cond {
        cond: Box<Expr>,
        then: Box<Expr>,
        els: Box<Expr>,
    },
    /// A vector condition: by the highest bit of each component.
    VectorSelect {
        cond: Box<Expr>,
        then: Box<Expr>,
        els: Box<Expr>,
    },
    /// From the operand's type to this one: between arithmetic types with equal lanes, to bool, pointers and integers,
    /// pointers and pointers (address space may change), anything to void. C's rules for the value.
    Convert(Box<Expr>),
    /// `convert_T` with saturation and rounding; `None` is the default of the function.
    ConvertBuiltin {
        arg: Box<Expr>,
        saturate: bool,
        rounding: Option<Rounding>,
    },
    /// to_global and its kin: the generic pointer in the address space of this type, null if it leads elsewhere.
    ToSpace(Box<Expr>),
    /// The fence flags for what a generic pointer leads to.
    GetFence(Box<Expr>),
    /// A scalar of the element's type to all lanes.
    Splat(Box<Expr>),
    /// Scalars and vectors of the element's type, one after the other; together as many lanes as the type.
    VectorLit(Vec<Expr>),
    /// One lane gives a scalar.
    Swizzle {
        vec: Box<Expr>,
        lanes: Vec<u8>,
    },
    /// `as_T`: the same bits (3- and 4-vectors of the same element size may mix).
    Bitcast(Box<Expr>),
    /// The result is the value assigned (converted). Aggregates too.
    Assign {
        place: Box<Place>,
        value: Box<Expr>,
    },
    /// `place = (T)((C)place op value)`: `compute` is C, the type of `value` but for shifts; for pointers, `Add`/`Sub`
    /// with a `long` and `scale` the pointee's size. The place is evaluated once.
    CompoundAssign {
        place: Box<Place>,
        op: BinaryOp,
        value: Box<Expr>,
        compute: TypeId,
        scale: u64,
    },
    /// `scale` is the pointee's size for pointers, else 1. Gives the old value if `post`.
    IncDec {
        place: Box<Place>,
        dec: bool,
        post: bool,
        scale: u64,
    },
    Comma(Box<Expr>, Box<Expr>),
    Call {
        func: FuncId,
        args: Vec<Expr>,
    },
    /// The arguments have the parameter types of the resolved overload.
    Builtin {
        id: BuiltinId,
        args: Vec<Expr>,
    },
    /// Arguments are promoted (float to double only with doubles); format is a string constant.
    Printf {
        format: GlobalId,
        args: Vec<Expr>,
    },
    /// The first argument is the pipe, of packets of the type that a pointer among the others leads to.
    Pipe {
        op: PipeOp,
        args: Vec<Expr>,
    },
    /// What the runtime does for a kernel; see `ir::DeviceOp` for the arguments.
    Device {
        op: DeviceOp,
        args: Vec<Expr>,
    },
    /// GNU's `({ ... })`: the statements, then the value.
    StmtExpr {
        stmts: Vec<Stmt>,
        value: Option<Box<Expr>>,
    },
}

/// A pipe function (OpenCL C 3.0, 6.15.13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PipeOp {
    pub kind: PipeKind,
    /// For writing, or a reservation of packets to write.
    pub writes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PipeKind {
    /// One packet, to or from the address of the second argument.
    Packet,
    /// One packet of a reservation: its id, the packet's number in it, an address.
    Reserved,
    /// So many packets; the work-items of a team together, if there is one.
    Reserve(Option<Team>),
    /// The packets of a reservation are there to be read, or their places to be written.
    Commit(Option<Team>),
    NumPackets,
    MaxPackets,
}

impl PipeOp {
    /// As it is called in the source.
    pub fn name(self) -> &'static str {
        match (self.kind, self.writes) {
            (PipeKind::Packet | PipeKind::Reserved, false) => "read_pipe",
            (PipeKind::Packet | PipeKind::Reserved, true) => "write_pipe",
            (PipeKind::Reserve(None), false) => "reserve_read_pipe",
            (PipeKind::Reserve(None), true) => "reserve_write_pipe",
            (PipeKind::Reserve(Some(Team::Group)), false) => "work_group_reserve_read_pipe",
            (PipeKind::Reserve(Some(Team::Group)), true) => "work_group_reserve_write_pipe",
            (PipeKind::Reserve(Some(_)), false) => "sub_group_reserve_read_pipe",
            (PipeKind::Reserve(Some(_)), true) => "sub_group_reserve_write_pipe",
            (PipeKind::Commit(None), false) => "commit_read_pipe",
            (PipeKind::Commit(None), true) => "commit_write_pipe",
            (PipeKind::Commit(Some(Team::Group)), false) => "work_group_commit_read_pipe",
            (PipeKind::Commit(Some(Team::Group)), true) => "work_group_commit_write_pipe",
            (PipeKind::Commit(Some(_)), false) => "sub_group_commit_read_pipe",
            (PipeKind::Commit(Some(_)), true) => "sub_group_commit_write_pipe",
            (PipeKind::NumPackets, _) => "get_pipe_num_packets",
            (PipeKind::MaxPackets, _) => "get_pipe_max_packets",
        }
    }

    /// Whose work-items make the call together.
    pub fn team(self) -> Option<Team> {
        match self.kind {
            PipeKind::Reserve(team) | PipeKind::Commit(team) => team,
            _ => None,
        }
    }
}

impl Var {
    pub fn is_local_memory(&self) -> bool {
        self.ty.space == AddrSpace::Local
    }
}
