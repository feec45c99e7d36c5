//! What the preprocessor hands to the parser: the tokens of OpenCL C after all phases of translation up to 6 (C99,
//! 5.1.1.2): macros expanded, adjacent string literals joined, literals converted to values.
//!
//! Invariant: a [`TokenStream`] ends with exactly one [`TokenKind::Eof`].

use super::source::Loc;
use super::symbol::Symbol;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    pub kind: TokenKind,
    pub loc: Loc,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind {
    /// An identifier that is no keyword. Names of vector and image types and of typedefs are identifiers.
    Ident(Symbol),
    Keyword(Kw),
    Int {
        value: u64,
        ty: IntTy,
    },
    /// `value` is correctly rounded to the type that the suffix asks for; `single` is correctly rounded to float
    /// (for -cl-single-precision-constant).
    Float {
        value: f64,
        single: f32,
        suffix: FloatSuffix,
    },
    /// A character constant; its type is int.
    Char(i32),
    /// A string literal: its bytes stand in [`TokenStream::strings`], without the final zero.
    Str(StrId),
    Punct(Punct),
    /// A pragma that the parser obeys or ignores; it can stand between any two tokens.
    Pragma(Pragma),
    Eof,
}

/// The type of an integer constant (OpenCL C 6.3.1, C99 6.4.4.1 with a long of 64 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntTy {
    Int,
    UInt,
    Long,
    ULong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    /// double, or float under -cl-single-precision-constant.
    None,
    F,
    H,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StrId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pragma {
    /// `#pragma OPENCL EXTENSION name : behaviour`; the name may be `all`.
    Extension { name: Symbol, enable: bool },
    /// `#pragma OPENCL FP_CONTRACT on-off-switch`; `None` is DEFAULT.
    FpContract(Option<bool>),
    /// `#pragma unroll`, of the loop that follows.
    Unroll(Unroll),
}

pub use crate::ir::Unroll;

/// All tokens of a build, and the tables their kinds point into.
#[derive(Debug)]
pub struct TokenStream {
    pub tokens: Vec<Token>,
    pub strings: Vec<Box<[u8]>>,
}

impl TokenStream {
    pub fn string(&self, id: StrId) -> &[u8] {
        &self.strings[id.0 as usize]
    }
}

macro_rules! keywords {
    ($($kw:ident: $first:literal $(| $other:literal)*;)*) => {
        /// The keywords of C99 and OpenCL C, and GNU's spellings of them. One variant stands for all its spellings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kw {
            $($kw,)*
        }

        impl Kw {
            /// The usual spelling.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Kw::$kw => $first,)*
                }
            }
        }

        /// Every spelling of every keyword.
        pub(super) const KEYWORDS: &[(&str, Kw)] = &[$(($first, Kw::$kw), $(($other, Kw::$kw),)*)*];
    };
}

keywords! {
    Auto: "auto";
    Break: "break";
    Case: "case";
    Char: "char";
    Const: "const" | "__const" | "__const__";
    Continue: "continue";
    Default: "default";
    Do: "do";
    Double: "double";
    Else: "else";
    Enum: "enum";
    Extern: "extern";
    Float: "float";
    For: "for";
    Goto: "goto";
    If: "if";
    Inline: "inline" | "__inline" | "__inline__";
    Int: "int";
    Long: "long";
    Register: "register";
    Restrict: "restrict" | "__restrict" | "__restrict__";
    Return: "return";
    Short: "short";
    Signed: "signed" | "__signed" | "__signed__";
    Sizeof: "sizeof";
    Static: "static";
    Struct: "struct";
    Switch: "switch";
    Typedef: "typedef";
    Union: "union";
    Unsigned: "unsigned";
    Void: "void";
    Volatile: "volatile" | "__volatile" | "__volatile__";
    While: "while";
    Bool: "bool" | "_Bool";
    Complex: "_Complex";
    Imaginary: "_Imaginary";
    True: "true";
    False: "false";
    Half: "half";
    Kernel: "__kernel" | "kernel";
    Global: "__global" | "global";
    Local: "__local" | "local";
    Constant: "__constant" | "constant";
    Private: "__private" | "private";
    Generic: "__generic" | "generic";
    ReadOnly: "__read_only" | "read_only";
    WriteOnly: "__write_only" | "write_only";
    ReadWrite: "__read_write" | "read_write";
    Pipe: "pipe";
    VecStep: "vec_step";
    Attribute: "__attribute__" | "__attribute";
    Extension: "__extension__";
    Typeof: "typeof" | "__typeof" | "__typeof__";
    Alignof: "_Alignof" | "__alignof" | "__alignof__";
    Alignas: "_Alignas";
    Asm: "asm" | "__asm" | "__asm__";
    StaticAssert: "_Static_assert";
    Noreturn: "_Noreturn";
    GenericSelection: "_Generic";
    Atomic: "_Atomic";
    ThreadLocal: "_Thread_local";
}

impl Symbol {
    /// The keyword that this name is, in OpenCL C 2.0 and later.
    pub fn keyword(self) -> Option<Kw> {
        KEYWORDS.get(self.index()).map(|&(_, kw)| kw)
    }
}

macro_rules! puncts {
    ($($name:ident: $text:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Punct {
            $($name,)*
        }

        impl Punct {
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Punct::$name => $text,)*
                }
            }
        }
    };
}

puncts! {
    LParen: "(";
    RParen: ")";
    LBracket: "[";
    RBracket: "]";
    LBrace: "{";
    RBrace: "}";
    Dot: ".";
    Ellipsis: "...";
    Arrow: "->";
    PlusPlus: "++";
    MinusMinus: "--";
    Amp: "&";
    Star: "*";
    Plus: "+";
    Minus: "-";
    Tilde: "~";
    Bang: "!";
    Slash: "/";
    Percent: "%";
    Shl: "<<";
    Shr: ">>";
    Lt: "<";
    Gt: ">";
    Le: "<=";
    Ge: ">=";
    EqEq: "==";
    Ne: "!=";
    Caret: "^";
    Pipe: "|";
    AmpAmp: "&&";
    PipePipe: "||";
    Question: "?";
    Colon: ":";
    Semi: ";";
    Eq: "=";
    StarEq: "*=";
    SlashEq: "/=";
    PercentEq: "%=";
    PlusEq: "+=";
    MinusEq: "-=";
    ShlEq: "<<=";
    ShrEq: ">>=";
    AmpEq: "&=";
    CaretEq: "^=";
    PipeEq: "|=";
    Comma: ",";
    Hash: "#";
    HashHash: "##";
}
