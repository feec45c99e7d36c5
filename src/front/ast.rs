//! The syntax tree: what was written, with names unresolved and types as they were spelled.
//!
//! Invariants: expressions and statements live in the arenas of [`Ast`] and refer to each other by id, so that no
//! depth of the tree costs host stack to drop; the parser bounds the depth of every tree ([`MAX_DEPTH`]), so that
//! later stages may recurse.

pub use super::image::Access;
use super::source::Loc;
use super::symbol::Symbol;
use super::token::{FloatSuffix, IntTy, Pragma, StrId, Unroll};
use crate::ir::AddrSpace;

/// The deepest tree of expressions, statements or declarators that the parser lets through; a longer chain of
/// operators (which nests to the left) counts too.
pub const MAX_DEPTH: u32 = 2048;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StmtId(pub u32);

#[derive(Debug, Default)]
pub struct Ast {
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub decls: Vec<ExternalDecl>,
}

impl Ast {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }
}

#[derive(Debug)]
pub enum ExternalDecl {
    Function(Box<FunctionDef>),
    Declaration(Declaration),
    /// `OPENCL EXTENSION` or `FP_CONTRACT` outside functions.
    Pragma(Pragma, Loc),
}

#[derive(Debug)]
pub struct FunctionDef {
    pub specs: DeclSpecs,
    /// Its first chunk is the function's.
    pub declarator: Declarator,
    pub body: StmtId,
}

/// `specs init-declarator-list ;` — the list may be empty (`struct S { ... };`).
#[derive(Debug)]
pub struct Declaration {
    pub loc: Loc,
    pub specs: DeclSpecs,
    pub items: Vec<InitDeclarator>,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Init>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub addr_space: Option<AddrSpace>,
}

#[derive(Debug)]
pub struct DeclSpecs {
    pub loc: Loc,
    pub storage: Option<Storage>,
    pub is_inline: bool,
    pub is_kernel: bool,
    pub quals: Quals,
    pub access: Option<Access>,
    pub pipe: bool,
    pub attrs: Vec<Attribute>,
    pub ty: TypeSpec,
}

/// The integer and floating-point types that keywords spell; `unsigned` is resolved by the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BasicType {
    Void,
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    Float,
    Double,
}

#[derive(Debug)]
pub enum TypeSpec {
    Basic(BasicType),
    /// A typedef's name, or a predefined one: `float4`, `size_t`, `uint`, `event_t`, `atomic_int`, `image2d_t`...
    Named(Symbol),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    TypeofExpr(ExprId),
    TypeofType(Box<TypeName>),
    /// The parser reported an error; later stages stay quiet about it.
    Error,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub loc: Loc,
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// `None` where there is no `{ ... }`.
    pub fields: Option<Vec<FieldDecl>>,
    pub attrs: Vec<Attribute>,
}

#[derive(Debug)]
pub struct FieldDecl {
    pub loc: Loc,
    pub specs: DeclSpecs,
    /// Empty for an anonymous struct or union member. The expression is a bit-field's width.
    pub declarators: Vec<(Declarator, Option<ExprId>)>,
}

#[derive(Debug)]
pub struct EnumSpec {
    pub loc: Loc,
    pub tag: Option<Symbol>,
    pub items: Option<Vec<Enumerator>>,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Symbol,
    pub loc: Loc,
    pub value: Option<ExprId>,
}

/// What stands around a declared name. `chunks` goes from the name outwards: `int *a[3]` is `[Array(3), Pointer]`
/// ("a is an array of 3 of pointer to int").
#[derive(Debug)]
pub struct Declarator {
    /// `None` in an abstract declarator or an unnamed parameter or bit-field.
    pub name: Option<Symbol>,
    pub loc: Loc,
    pub chunks: Vec<DeclChunk>,
    pub attrs: Vec<Attribute>,
}

#[derive(Debug)]
pub enum DeclChunk {
    Pointer(Quals),
    /// `None` is `[]`.
    Array {
        size: Option<ExprId>,
        loc: Loc,
    },
    Function {
        params: Vec<ParamDecl>,
        variadic: bool,
        loc: Loc,
    },
    /// The `^` of a block's type.
    Block(Loc),
}

/// `^ret(params) { body }`
#[derive(Debug)]
pub struct BlockLiteral {
    /// None where the result's type is left to the body.
    pub specs: Option<DeclSpecs>,
    /// An abstract one, of a function; without a chunk for it if no parameters were written.
    pub declarator: Declarator,
    pub body: StmtId,
}

#[derive(Debug)]
pub struct ParamDecl {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
}

/// A type as in a cast or sizeof: specifiers and an abstract declarator.
#[derive(Debug)]
pub struct TypeName {
    pub loc: Loc,
    pub specs: DeclSpecs,
    pub declarator: Declarator,
}

/// `__attribute__((name(args)))`; underscores around the name are dropped (`__packed__` is `packed`).
#[derive(Debug)]
pub struct Attribute {
    pub loc: Loc,
    pub name: Symbol,
    pub args: Vec<AttrArg>,
    /// As written, without the double parentheses: for CL_KERNEL_ATTRIBUTES.
    pub text: String,
}

#[derive(Debug)]
pub enum AttrArg {
    Expr(ExprId),
    Type(Box<TypeName>),
    Str(StrId),
}

#[derive(Debug)]
pub enum Init {
    Expr(ExprId),
    List(InitList),
}

#[derive(Debug)]
pub struct InitList {
    pub loc: Loc,
    pub items: Vec<(Vec<Designator>, Init)>,
}

#[derive(Debug)]
pub enum Designator {
    Field(Symbol, Loc),
    Index(ExprId),
}

#[derive(Debug)]
pub struct Expr {
    /// Of the operator or the first token, whichever a diagnostic points at: for binary operators and calls
    /// `a op b`, the operator; for a call, the callee's start.
    pub loc: Loc,
    pub kind: ExprKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
}

#[derive(Debug)]
pub enum ExprKind {
    Int {
        value: u64,
        ty: IntTy,
    },
    Float {
        value: f64,
        single: f32,
        suffix: FloatSuffix,
    },
    Char(i32),
    /// `true` and `false`.
    Bool(bool),
    Str(StrId),
    Ident(Symbol),
    Paren(ExprId),
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// `base.name` or `base->name`; vector components too.
    Member {
        base: ExprId,
        name: Symbol,
        name_loc: Loc,
        arrow: bool,
    },
    Unary {
        op: UnaryOp,
        arg: ExprId,
    },
    Binary {
        op: BinaryOp,
        args: [ExprId; 2],
    },
    /// `op` is `None` for plain `=`.
    Assign {
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `then` is `None` in GNU's `a ?: b`.
    Cond {
        cond: ExprId,
        then: Option<ExprId>,
        els: ExprId,
    },
    Cast {
        ty: Box<TypeName>,
        arg: ExprId,
    },
    /// `(type)(a, b, ...)`, one or more: a vector literal if the type is a vector, else a cast of a comma expression.
    VectorLit {
        ty: Box<TypeName>,
        args: Vec<ExprId>,
    },
    /// `(type){ ... }`
    CompoundLit {
        ty: Box<TypeName>,
        init: InitList,
    },
    Block(Box<BlockLiteral>),
    SizeofExpr(ExprId),
    SizeofType(Box<TypeName>),
    AlignofType(Box<TypeName>),
    AlignofExpr(ExprId),
    /// `vec_step(expression or type)`
    VecStepExpr(ExprId),
    VecStepType(Box<TypeName>),
    Comma([ExprId; 2]),
    /// GNU's `({ ... })`.
    StmtExpr(StmtId),
    /// The parser reported an error here.
    Error,
}

#[derive(Debug)]
pub struct Stmt {
    pub loc: Loc,
    pub kind: StmtKind,
}

#[derive(Debug)]
pub enum StmtKind {
    /// Blocks hold declarations as statements. `end` is the closing brace.
    Compound {
        items: Vec<StmtId>,
        end: Loc,
    },
    Decl(Declaration),
    /// `None` is the empty statement.
    Expr(Option<ExprId>),
    If {
        cond: ExprId,
        then: StmtId,
        els: Option<StmtId>,
    },
    Switch {
        cond: ExprId,
        body: StmtId,
    },
    /// GNU's `case lo ... hi` has `hi`.
    Case {
        lo: ExprId,
        hi: Option<ExprId>,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    While {
        cond: ExprId,
        body: StmtId,
        unroll: Option<Unroll>,
    },
    Do {
        body: StmtId,
        cond: ExprId,
        unroll: Option<Unroll>,
    },
    For {
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        unroll: Option<Unroll>,
    },
    Goto {
        label: Symbol,
        label_loc: Loc,
    },
    Label {
        name: Symbol,
        body: StmtId,
    },
    Continue,
    Break,
    Return(Option<ExprId>),
    Pragma(Pragma),
    /// The parser reported an error here.
    Error,
}
