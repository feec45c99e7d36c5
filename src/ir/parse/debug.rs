//! What a debugger is told: types of the module, scopes and variables of a function.

use super::Parse;
use super::cursor::Cursor;
use crate::ir::debug::{DebugType, FunctionDebug, Member, Place, Scope, Variable};

/// `type = "base" string bytes encoding | "pointer" ( number | "none" ) | "vector" number "lanes" n "size" bytes`
/// `     | "array" number "count" n | ( "struct" | "union" ) string bytes "(" [ member { "," member } ] ")" ;`
/// `member = string number "at" offset ;`
pub fn debug_type(c: &mut Cursor) -> Parse<DebugType> {
    let word = c.word()?;
    Ok(match word.as_str() {
        "base" => DebugType::Base {
            name: c.text()?,
            bytes: c.int()?,
            encoding: c.variant("an encoding")?,
        },
        "pointer" if c.accept_keyword("none") => DebugType::Pointer(None),
        "pointer" => DebugType::Pointer(Some(c.int()?)),
        "vector" => {
            let elem = c.int()?;
            c.keyword("lanes")?;
            let lanes = c.int()?;
            c.keyword("size")?;
            let bytes = c.int()?;
            DebugType::Vector { elem, lanes, bytes }
        }
        "array" => {
            let elem = c.int()?;
            c.keyword("count")?;
            let count = c.int()?;
            DebugType::Array { elem, count }
        }
        "struct" | "union" => {
            let (name, bytes) = (c.text()?, c.int()?);
            c.punct('(')?;
            DebugType::Record {
                name,
                bytes,
                is_union: word == "union",
                members: c.list(')', member)?,
            }
        }
        _ => return c.error_before("expected base, pointer, vector, array, struct or union"),
    })
}

fn member(c: &mut Cursor) -> Parse<Member> {
    let (name, ty) = (c.text()?, c.int()?);
    c.keyword("at")?;
    let offset = c.int()?;
    Ok(Member { name, ty, offset })
}

/// `debug = [ "debug" { scope } { variable } [ "item" vN ] ] ;`
/// `scope = "scope" number [ "inlined" name loc ] "from" loc ;`
/// `variable = "variable" string number [ "parameter" n ] "place" vN offset [ "indirect" ] loc ;`
pub fn function_debug(c: &mut Cursor) -> Parse<Option<Box<FunctionDebug>>> {
    if !c.accept_keyword("debug") {
        return Ok(None);
    }
    let mut debug = FunctionDebug::default();
    while c.accept_keyword("scope") {
        c.counted("", debug.scopes.len() + 1)?;
        let inlined = match c.accept_keyword("inlined") {
            true => Some((c.name()?, c.loc()?)),
            false => None,
        };
        c.keyword("from")?;
        let loc = c.loc()?;
        debug.scopes.push(Scope { loc, inlined });
    }
    while c.accept_keyword("variable") {
        let (name, ty) = (c.text()?, c.int()?);
        let param = match c.accept_keyword("parameter") {
            true => Some(c.int()?),
            false => None,
        };
        c.keyword("place")?;
        let place = Place {
            base: c.id("v")?,
            offset: c.int()?,
            indirect: c.accept_keyword("indirect"),
        };
        debug.variables.push(Variable {
            name,
            ty,
            loc: c.loc()?,
            param,
            place,
        });
    }
    if c.accept_keyword("item") {
        debug.item = Some(c.id("v")?);
    }
    Ok(Some(Box::new(debug)))
}
