//! The language of the signature table.
//!
//! ```text
//! signatures = signature { "|" signature } ;
//! signature  = type "(" [ type { "," type } ] ")" ;
//! type       = base [ "*" flags ] ;
//! base       = a class letter: the type variable   F floating point, I integers, A both: scalars and vectors
//!                                                  S scalars of A; W 32-bit and L 64-bit integer scalars
//!                                                  D floating point of 1 to 4 lanes, C of 3 or 4 lanes
//!                                                  Q float of 1 to 4 lanes
//!            | "s" its scalar | "i", "u" the signed and unsigned integers of its width and lanes
//!            | "n" int in its lanes | "r" what a comparison gives (int for a scalar)
//!            | "w" the integer of twice its width, of its sign
//!            | "@" digits: a vector of its scalar with that many lanes
//!            | "%" digits: such a vector of the unsigned integer of its width
//!            | a type's name ;
//! flags      = { "g" global | "l" local | "p" private | "c" constant | "n" generic where there is such
//!            | "k" const pointee | "v" volatile pointee } ;
//! ```
//!
//! No space letter means global, local and private (constant too if the pointee is const). All variables of one
//! signature are the same variable; "@" and "%" alone stand for a variable of class S.

/// The types that a signature's variable ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Float,
    Int,
    Arith,
    ScalarArith,
    Word,
    Long,
    FloatTo4,
    Float3Or4,
    SingleTo4,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    Var,
    Scalar,
    Signed,
    Unsigned,
    IntLanes,
    Relational,
    Wide,
    Lanes(u8),
    UnsignedLanes(u8),
    Named(String),
    Pointer(Box<Pattern>, Pointee),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pointee {
    pub global: bool,
    pub local: bool,
    pub private: bool,
    pub constant: bool,
    pub generic: bool,
    pub is_const: bool,
    pub is_volatile: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub class: Option<Class>,
    pub ret: Pattern,
    pub params: Vec<Pattern>,
    /// As written in the table, for messages.
    pub text: String,
}

/// Reads `a | b | c`. The table is ours: a mistake in it panics, in the first test that runs.
pub fn parse(text: &str) -> Vec<Signature> {
    text.split('|').map(|s| signature(s.trim())).collect()
}

fn signature(text: &str) -> Signature {
    let (ret, rest) = text.split_once('(').expect("a signature has parentheses");
    let params = rest.strip_suffix(')').expect("a signature ends with ')'");
    let mut class = None;
    let ret = pattern(ret.trim(), &mut class);
    let params = params
        .split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .map(|p| pattern(p, &mut class))
        .collect();
    Signature {
        class,
        ret,
        params,
        text: text.to_string(),
    }
}

fn pattern(text: &str, class: &mut Option<Class>) -> Pattern {
    if let Some((base, flags)) = text.split_once('*') {
        return Pattern::Pointer(Box::new(pattern(base.trim(), class)), pointee(flags));
    }
    let letter = match text {
        "F" => Class::Float,
        "I" => Class::Int,
        "A" => Class::Arith,
        "S" => Class::ScalarArith,
        "W" => Class::Word,
        "L" => Class::Long,
        "D" => Class::FloatTo4,
        "C" => Class::Float3Or4,
        "Q" => Class::SingleTo4,
        "s" => return Pattern::Scalar,
        "i" => return Pattern::Signed,
        "u" => return Pattern::Unsigned,
        "n" => return Pattern::IntLanes,
        "r" => return Pattern::Relational,
        "w" => return Pattern::Wide,
        _ => {
            let Some(sigil) = text.chars().next().filter(|c| "@%".contains(*c)) else {
                return Pattern::Named(text.to_string());
            };
            class.get_or_insert(Class::ScalarArith);
            let lanes = text[1..].parse().expect("a number of lanes");
            return if sigil == '@' {
                Pattern::Lanes(lanes)
            } else {
                Pattern::UnsignedLanes(lanes)
            };
        }
    };
    *class = Some(letter);
    Pattern::Var
}

fn pointee(flags: &str) -> Pointee {
    let mut out = Pointee::default();
    for flag in flags.trim().chars() {
        match flag {
            'g' => out.global = true,
            'l' => out.local = true,
            'p' => out.private = true,
            'c' => out.constant = true,
            'n' => out.generic = true,
            'k' => out.is_const = true,
            'v' => out.is_volatile = true,
            _ => panic!("unknown pointer flag {flag:?}"),
        }
    }
    if !(out.global || out.local || out.private || out.constant) {
        out.global = true;
        out.local = true;
        out.private = true;
        out.constant = out.is_const;
    }
    out
}
