//! The text form of what a debugger is told, where locations are shown.

use std::fmt::{self, Display, Formatter};

use super::FromFn;
use super::words::{Name, Quoted};
use crate::ir::debug::{DebugType, FunctionDebug};
use crate::ir::function::SrcLoc;

/// `base "int" 4 signed`, `pointer 3`, `pointer none`, `vector 0 lanes 4 size 16`, `array 0 count 8`,
/// `struct "s" 8 ("x" 0 at 0, "y" 0 at 4)`.
pub fn debug_type(ty: &DebugType, f: &mut Formatter<'_>) -> fmt::Result {
    match ty {
        DebugType::Base {
            name,
            bytes,
            encoding,
        } => write!(
            f,
            "base {} {bytes} {}",
            Quoted(name.as_bytes()),
            encoding.name()
        ),
        DebugType::Pointer(Some(to)) => write!(f, "pointer {to}"),
        DebugType::Pointer(None) => f.write_str("pointer none"),
        DebugType::Vector { elem, lanes, bytes } => {
            write!(f, "vector {elem} lanes {lanes} size {bytes}")
        }
        DebugType::Array { elem, count } => write!(f, "array {elem} count {count}"),
        DebugType::Record {
            name,
            bytes,
            is_union,
            members,
        } => {
            let word = if *is_union { "union" } else { "struct" };
            write!(f, "{word} {} {bytes} (", Quoted(name.as_bytes()))?;
            for (n, member) in members.iter().enumerate() {
                let comma = if n > 0 { ", " } else { "" };
                let name = Quoted(member.name.as_bytes());
                write!(f, "{comma}{name} {} at {}", member.ty, member.offset)?;
            }
            f.write_str(")")
        }
    }
}

/// The lines in a function's head.
pub fn function_debug(debug: &FunctionDebug, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("    debug\n")?;
    for (n, scope) in debug.scopes.iter().enumerate() {
        write!(f, "    scope {}", n + 1)?;
        if let Some((name, named)) = &scope.inlined {
            write!(f, " inlined {}{}", Name(name), text(*named))?;
        }
        writeln!(f, " from{}", text(scope.loc))?;
    }
    for variable in &debug.variables {
        let name = Quoted(variable.name.as_bytes());
        write!(f, "    variable {name} {}", variable.ty)?;
        if let Some(n) = variable.param {
            write!(f, " parameter {n}")?;
        }
        let place = variable.place;
        let how = if place.indirect { " indirect" } else { "" };
        write!(f, " place {} {}{how}", place.base, place.offset)?;
        writeln!(f, "{}", text(variable.loc))?;
    }
    match debug.item {
        Some(item) => writeln!(f, "    item {item}"),
        None => Ok(()),
    }
}

pub fn loc_text(loc: SrcLoc, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(" !")?;
    if loc.file != 0 {
        write!(f, "{}:", loc.file)?;
    }
    let exact = if loc.exact { "!" } else { "" };
    write!(f, "{}:{}{exact}", loc.line, loc.col)?;
    match loc.scope {
        0 => Ok(()),
        scope => write!(f, "+{scope}"),
    }
}

/// The location, also if it is unknown.
fn text(loc: SrcLoc) -> impl Display {
    FromFn(move |f: &mut Formatter<'_>| loc_text(loc, f))
}
