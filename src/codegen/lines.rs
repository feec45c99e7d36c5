//! Which line of the source an instruction of loaded code comes from, read from the line table of the object.
//!
//! Invariant: an object has one section of code, which the linker keeps together. Nothing is kept in memory but the object
//! itself: the table is read when something went wrong. Source: DWARF 4, 6.2.

use gimli::{AttributeValue, DebugLine, DebugLineOffset, EndianSlice, LittleEndian};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex};

use super::module::GROUP_PREFIX;
use crate::ir::abi::GroupFn;

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// As the build log names it, or a path.
    pub file: String,
    pub line: u64,
}

/// Where the code of an object is: its section, the address of that, and its size.
pub struct Placed {
    pub section: SectionIndex,
    pub address: u64,
    pub size: u64,
}

/// Finds out where an object is loaded whose function of `kernel` is at `entry`.
pub fn place(file: &object::File, kernel: &str, entry: GroupFn) -> Option<Placed> {
    let symbol = format!("{GROUP_PREFIX}{kernel}");
    let mut symbols = file.symbols();
    let known = symbols.find(|s| s.name() == Ok(&symbol))?;
    let section = known.section_index()?;
    Some(Placed {
        section,
        address: (entry as usize as u64).wrapping_sub(known.address()),
        size: file.section_by_index(section).ok()?.size(),
    })
}

/// The line of the instruction at `pc`, if that is in this object and the object knows.
pub fn line_at(object: &[u8], kernel: &str, entry: GroupFn, pc: usize) -> Option<Line> {
    let file = object::File::parse(object).ok()?;
    let placed = place(&file, kernel, entry)?;
    let offset = (pc as u64).checked_sub(placed.address)?;
    if offset >= placed.size {
        return None;
    }
    let table = relocated(&file, placed.section)?;
    let table = DebugLine::new(&table, LittleEndian);
    let program = table.program(DebugLineOffset(0), 8, None, None).ok()?;
    let mut rows = program.rows();
    let mut before: Option<(u64, Option<Line>)> = None;
    while let Some((header, row)) = rows.next_row().ok()? {
        if let Some((from, line)) = before.take()
            && (from..row.address()).contains(&offset)
        {
            return line;
        }
        if row.end_sequence() {
            continue;
        }
        let line = row.line().and_then(|line| {
            let file = row.file(header)?;
            let name = text(file.path_name())?;
            // Folder 0 is that of the process.
            let folder = file.directory(header).and_then(text);
            let file = match folder.filter(|_| file.directory_index() > 0) {
                Some(folder) => format!("{folder}/{name}"),
                None => name,
            };
            Some(Line {
                file,
                line: line.get(),
            })
        });
        before = Some((row.address(), line));
    }
    None
}

/// In this version names stand in the table itself.
fn text(value: AttributeValue<EndianSlice<LittleEndian>>) -> Option<String> {
    match value {
        AttributeValue::String(text) => Some(String::from_utf8_lossy(text.slice()).into_owned()),
        _ => None,
    }
}

/// The bytes of the line table, in which addresses are offsets in the section of code.
fn relocated(file: &object::File, code: SectionIndex) -> Option<Vec<u8>> {
    let section = file.section_by_name(".debug_line")?;
    let mut bytes = section.data().ok()?.to_vec();
    for (at, relocation) in section.relocations() {
        let RelocationTarget::Symbol(symbol) = relocation.target() else {
            return None;
        };
        let symbol = file.symbol_by_index(symbol).ok()?;
        if symbol.section_index() != Some(code) || relocation.size() != 64 {
            return None;
        }
        let value = symbol.address().wrapping_add_signed(relocation.addend());
        let at = usize::try_from(at).ok()?;
        bytes
            .get_mut(at..at + 8)?
            .copy_from_slice(&value.to_le_bytes());
    }
    Some(bytes)
}
