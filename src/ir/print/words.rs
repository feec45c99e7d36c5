//! The small parts of the text form: lists, numbers, names, strings.

use std::fmt::{self, Display, Formatter};

use crate::ir::inst::{BlockCall, Collective, FenceFlags, Team};
use crate::ir::types::{Elem, Type};

/// Comma-separated.
pub struct List<'a, T>(pub &'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (n, item) in self.0.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            write!(f, "{comma}{item}")?;
        }
        Ok(())
    }
}

/// `block1(v2, v3)`, or `block1` without arguments.
pub struct Call<'a>(pub &'a BlockCall);

impl Display for Call<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.block)?;
        if !self.0.args.is_empty() {
            write!(f, "({})", List(&self.0.args))?;
        }
        Ok(())
    }
}

/// Nothing for a group, else `sub_group ` or `cluster 4 `.
pub struct TeamWord(pub Team);

impl Display for TeamWord {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Team::Group => Ok(()),
            Team::SubGroup => f.write_str("sub_group "),
            Team::Cluster(n) => write!(f, "cluster {n} "),
        }
    }
}

/// `all`, `scan_inclusive iadd`.
impl Display for Collective {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.fold() {
            Some(op) => write!(f, " {}", op.name()),
            None => Ok(()),
        }
    }
}

/// `[local, global, image]`.
pub struct Flags(pub FenceFlags);

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let FenceFlags {
            local,
            global,
            image,
        } = self.0;
        let words: Vec<&str> = [(local, "local"), (global, "global"), (image, "image")]
            .into_iter()
            .filter_map(|(set, word)| set.then_some(word))
            .collect();
        write!(f, "[{}]", List(&words))
    }
}

/// An integer by its bits: as a signed number of its width (`i1`: 0 or 1), or in hexadecimal for a pointer and for
/// bits that do not fit the width.
pub struct IntBits(pub u64, pub Type);

impl Display for IntBits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let IntBits(bits, ty) = *self;
        let width = ty.elem.bits();
        if !ty.elem.is_int() || (width < 64 && bits >> width != 0) {
            return write!(f, "{bits:#x}");
        }
        match width {
            1 => write!(f, "{bits}"),
            _ => write!(f, "{}", (bits << (64 - width)) as i64 >> (64 - width)),
        }
    }
}

/// A floating-point value by its bits: the shortest decimal number that is this value alone, or hexadecimal bits for
/// infinities, NaNs and bits that do not fit the width.
pub struct FloatBits(pub u64, pub Type);

impl Display for FloatBits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let FloatBits(bits, ty) = *self;
        match ty.elem {
            Elem::F16 if bits <= u64::from(u16::MAX) => {
                let x = half::f16::from_bits(bits as u16);
                if x.is_finite() {
                    return write!(f, "{:?}", x.to_f32());
                }
            }
            Elem::F32 if bits <= u64::from(u32::MAX) => {
                let x = f32::from_bits(bits as u32);
                if x.is_finite() {
                    return write!(f, "{x:?}");
                }
            }
            Elem::F64 => {
                let x = f64::from_bits(bits);
                if x.is_finite() {
                    return write!(f, "{x:?}");
                }
            }
            _ => {}
        }
        write!(f, "{bits:#x}")
    }
}

/// `@word`, or `@"any bytes"` where the name is not a word.
pub struct Name<'a>(pub &'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if !self.0.is_empty() && self.0.chars().all(word) {
            write!(f, "@{}", self.0)
        } else {
            write!(f, "@{}", Quoted(self.0.as_bytes()))
        }
    }
}

/// Printable ASCII as it is, every other byte (and quote and backslash) as `\` and two hexadecimal digits.
pub struct Quoted<'a>(pub &'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for &byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{byte:02x}")?,
                0x20..=0x7e => write!(f, "{}", byte as char)?,
                _ => write!(f, "\\{byte:02x}")?,
            }
        }
        f.write_str("\"")
    }
}
