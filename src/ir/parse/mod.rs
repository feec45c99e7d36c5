//! Reads the text form that [`super::print`] writes; the grammar stands there.
//!
//! Invariants: any text gives a module or an error with its position, never a panic; ids are kept as they are
//! written, so a module that was printed comes back with the same ids. An id that the text skips becomes what a pass
//! leaves behind when it drops something: a value of an instruction in no block, a block outside the layout.
//! What is checked here is only what the tables need (every value and block that is used is defined once); the rest
//! is the verifier's, so that its tests can be written as text.

mod cursor;
mod debug;
mod func;
mod inst;
mod lex;

use std::fmt;

use super::entities::{Block, FuncId, GlobalId, LocalId, Value};
use super::function::Function;
use super::module::{FuncSlot, Global, Linkage, Module};
use super::names::Words;
use super::types::AddrSpace;
use cursor::Cursor;
use lex::Tok;

/// Limit in bytes on the initialisers of one module.
const MAX_INIT: usize = 1 << 28;

/// What is wrong with a text, and where (1-based).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    pub col: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parse<T> = Result<T, ParseError>;

/// A whole module.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let mut cursor = Cursor::new(lex::lex(text)?);
    module(&mut cursor)
}

/// The first function of a text that may hold globals and other functions too.
pub fn parse_function(text: &str) -> Result<Function, ParseError> {
    let module = parse_module(text)?;
    let body = module.functions.into_iter().find_map(|slot| slot.body);
    body.ok_or_else(|| ParseError {
        line: 1,
        col: 1,
        message: "the text has no function with a body".to_string(),
    })
}

/// `module = { file | type | global | declare | function } ;`
fn module(c: &mut Cursor) -> Parse<Module> {
    let mut module = Module::new();
    let mut init_left = MAX_INIT;
    loop {
        if *c.peek() == Tok::End {
            return Ok(module);
        }
        let word = c.word()?;
        match word.as_str() {
            "file" => {
                c.counted("", module.files.len())?;
                module.files.push(c.text()?);
            }
            "type" => {
                c.counted("", module.debug_types.len())?;
                let ty = debug::debug_type(c)?;
                module.debug_types.push(ty);
            }
            "global" => {
                c.counted("g", module.globals.len())?;
                let global = global(c, &mut init_left)?;
                module.globals.push(global);
            }
            "declare" => {
                c.counted("fn", module.functions.len())?;
                let name = c.name()?;
                module.functions.push(FuncSlot { name, body: None });
            }
            "kernel" | "func" => {
                c.counted("fn", module.functions.len())?;
                let body = func::function(c, word == "kernel")?;
                module.add_function(body);
            }
            _ => return c.error_before("expected file, type, global, declare, kernel or func"),
        }
    }
}

/// `global = "global" gN space string [ "external" | "undefined" ] "align" number "=" { string | "zero" number } { reloc } ;`
/// `reloc = "reloc" number gN ( "+" | "-" ) number ;`
fn global(c: &mut Cursor, init_left: &mut usize) -> Parse<Global> {
    let space: AddrSpace = c.variant("an address space")?;
    let name = c.text()?;
    let linkage = match () {
        () if c.accept_keyword("external") => Linkage::External,
        () if c.accept_keyword("undefined") => Linkage::Undefined,
        () => Linkage::Internal,
    };
    c.keyword("align")?;
    let align = c.int()?;
    c.punct('=')?;
    let mut global = Global {
        name,
        space,
        linkage,
        align,
        init: Vec::new(),
        relocs: Vec::new(),
    };
    loop {
        if let Tok::Str(_) = c.peek() {
            let bytes = c.string()?;
            global.init.extend(bytes);
        } else if c.accept_keyword("zero") {
            let count: usize = c.int()?;
            if count > *init_left {
                return c.error_before("the initialisers of the module are too large");
            }
            *init_left -= count;
            global.init.resize(global.init.len() + count, 0);
        } else {
            break;
        }
    }
    while c.accept_keyword("reloc") {
        let offset = c.int()?;
        let target: GlobalId = c.id("g")?;
        let negative = !c.accept('+');
        if negative {
            c.punct('-')?;
        }
        let size: u64 = c.int()?;
        let addend = if negative {
            0i64.checked_sub_unsigned(size)
        } else {
            0i64.checked_add_unsigned(size)
        };
        match addend {
            Some(addend) => global.relocs.push((offset, target, addend)),
            None => return c.error_before("the addend does not fit 64 bits"),
        }
    }
    Ok(global)
}

/// A dense id made from a parsed number.
trait Id: Sized {
    fn from_index(index: usize) -> Self;
}

impl Id for usize {
    fn from_index(index: usize) -> Self {
        index
    }
}

macro_rules! ids {
    ($($ty:ty),*) => {
        $(impl Id for $ty {
            fn from_index(index: usize) -> Self {
                Self::new(index)
            }
        })*
    };
}

ids!(Value, Block, FuncId, GlobalId, LocalId);

#[cfg(test)]
mod tests;
