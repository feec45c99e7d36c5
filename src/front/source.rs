//! Where text comes from: every buffer that a build reads, and positions in them.
//!
//! Every inclusion of a file has a range of its own in one number space, so that a [`Loc`] of four bytes names the
//! file, the offset and the chain of `#include`s that led there. A token that comes out of a macro's body has a `Loc`
//! with the top bit set: an index into a table of (where it is spelled, which expansion made it). A macro's argument
//! keeps the location where it is written.
//!
//! Invariants: buffers are sorted by their start; `Loc::NONE` lies in no buffer; a buffer's end (one past its last
//! byte) is a location of that buffer, so that the end of the file can be pointed at.

use once_cell::sync::OnceCell;
use std::sync::Arc;

/// A position in the text of a build. Compact and `Copy`; only the [`SourceMap`] that made it can read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc(u32);

impl Loc {
    /// No position: a diagnostic about the build as a whole.
    pub const NONE: Loc = Loc(0);
    const EXPANDED: u32 = 1 << 31;

    /// Whether the token at this location came out of a macro's body.
    pub fn is_expanded(self) -> bool {
        self.0 & Loc::EXPANDED != 0
    }

    /// The location `bytes` further on in the same buffer. Only for locations that stand in a buffer.
    pub fn offset(self, bytes: usize) -> Loc {
        if self.is_expanded() || self == Loc::NONE {
            self
        } else {
            Loc(self.0 + bytes as u32)
        }
    }
}

/// One inclusion of a file, or a buffer of predefined or command-line macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(u32);

/// One use of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpansionId(u32);

/// A position as a reader sees it, `#line` directives obeyed. Lines and columns count from 1; columns are bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

/// The text of the build is longer than locations can count (see [`SourceMap::MAX_TEXT`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchText;

#[derive(Default)]
pub struct SourceMap {
    buffers: Vec<Buffer>,
    /// Those from the disk.
    files: Vec<BufferId>,
    expansions: Vec<Expansion>,
    expanded: Vec<(Loc, ExpansionId)>,
}

struct Buffer {
    start: u32,
    name: Arc<str>,
    text: Arc<str>,
    included_from: Loc,
    /// Offsets at which lines begin, made when first asked for.
    lines: OnceCell<Vec<u32>>,
    /// What `#line` said, in order of offset.
    marks: Vec<LineMark>,
}

/// From the line after `offset`, the line number is `line` and the file is called `name`.
struct LineMark {
    offset: u32,
    line: u32,
    name: Arc<str>,
}

struct Expansion {
    /// The macro's name in its `#define`.
    name: Loc,
    /// Where the macro was used; this may itself be inside an expansion.
    site: Loc,
}

impl SourceMap {
    /// The sum of the lengths of all buffers may not exceed this many bytes (an included file counts each time).
    pub const MAX_TEXT: usize = 1 << 28;

    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a buffer; `included_from` is the place of the `#include`, or [`Loc::NONE`].
    pub fn add_buffer(
        &mut self,
        name: &str,
        text: Arc<str>,
        included_from: Loc,
    ) -> Result<BufferId, TooMuchText> {
        let start = match self.buffers.last() {
            Some(last) => last.end() as usize + 1,
            None => 1,
        };
        if text.len() > SourceMap::MAX_TEXT || start + text.len() > SourceMap::MAX_TEXT {
            return Err(TooMuchText);
        }
        let id = BufferId(self.buffers.len() as u32);
        self.buffers.push(Buffer {
            start: start as u32,
            name: name.into(),
            text,
            included_from,
            lines: OnceCell::new(),
            marks: Vec::new(),
        });
        Ok(id)
    }

    /// Notes that a buffer is a file from the disk.
    pub fn note_file(&mut self, buffer: BufferId) {
        self.files.push(buffer);
    }

    /// Path and text of each file from the disk, as often as it was included.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let buffers = self.files.iter().map(|id| &self.buffers[id.0 as usize]);
        buffers.map(|b| (&*b.name, &*b.text))
    }

    /// Whether `#line` gives lines to a file of this name.
    pub fn is_renumbered(&self, name: &str) -> bool {
        let mut marks = self.buffers.iter().flat_map(|buffer| &buffer.marks);
        marks.any(|mark| &*mark.name == name)
    }

    /// The location of the byte at `offset` (up to and including the length of the text).
    pub fn loc(&self, buffer: BufferId, offset: usize) -> Loc {
        let buffer = &self.buffers[buffer.0 as usize];
        debug_assert!(offset <= buffer.text.len());
        Loc(buffer.start + offset as u32)
    }

    /// Records a use of the macro whose name is defined at `name`.
    pub fn add_expansion(&mut self, name: Loc, site: Loc) -> ExpansionId {
        self.expansions.push(Expansion { name, site });
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// The location of a token that `expansion` made from one spelled at `spelling`.
    pub fn expanded_loc(&mut self, spelling: Loc, expansion: ExpansionId) -> Loc {
        let index = self.expanded.len() as u32;
        debug_assert!(index < Loc::EXPANDED);
        self.expanded.push((spelling, expansion));
        Loc(index | Loc::EXPANDED)
    }

    /// Where the token stands in a file: for one out of a macro, the place of the outermost macro's use.
    pub fn file_loc(&self, mut loc: Loc) -> Loc {
        while let Some((_, expansion)) = self.expansion(loc) {
            loc = self.expansions[expansion.0 as usize].site;
        }
        loc
    }

    /// For a token out of a macro: where the body spells it, the macro's name, and where the macro was used.
    pub fn expanded_from(&self, loc: Loc) -> Option<(Loc, &str, Loc)> {
        let (spelling, expansion) = self.expansion(loc)?;
        let expansion = &self.expansions[expansion.0 as usize];
        Some((spelling, self.identifier_at(expansion.name), expansion.site))
    }

    /// File, line and column of a location in a file, or `None` for [`Loc::NONE`].
    pub fn position(&self, loc: Loc) -> Option<Position> {
        let (buffer, offset) = self.find(self.file_loc(loc))?;
        let (line_index, line_start) = buffer.line_of(offset);
        let mut line = line_index + 1;
        let mut file = &buffer.name;
        let at = buffer.marks.partition_point(|m| m.offset < line_start);
        if let Some(mark) = at.checked_sub(1).map(|i| &buffer.marks[i]) {
            let (mark_line, _) = buffer.line_of(mark.offset);
            line = (line_index - mark_line - 1).saturating_add(mark.line);
            file = &mark.name;
        }
        Some(Position {
            file: file.clone(),
            line,
            column: offset - line_start + 1,
        })
    }

    /// The whole line around a location, without its end, and the byte offset of the location in it.
    pub fn line_text(&self, loc: Loc) -> Option<(&str, usize)> {
        let (buffer, offset) = self.find(self.file_loc(loc))?;
        let (_, start) = buffer.line_of(offset);
        let rest = &buffer.text[start as usize..];
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        Some((&rest[..end], ((offset - start) as usize).min(end)))
    }

    /// The places of the `#include`s that led to this location, innermost first.
    pub fn include_stack(&self, loc: Loc) -> Vec<Loc> {
        let mut stack = Vec::new();
        let mut loc = self.file_loc(loc);
        while let Some((buffer, _)) = self.find(loc) {
            loc = buffer.included_from;
            if loc != Loc::NONE {
                stack.push(loc);
            }
        }
        stack
    }

    /// Obeys `#line`: the line after the one that holds `loc` is number `line` of the file `name` (or of the same).
    pub fn set_line(&mut self, loc: Loc, line: u32, name: Option<&str>) {
        let Some(index) = self.find_index(loc) else {
            return;
        };
        let buffer = &mut self.buffers[index];
        let name = match (name, buffer.marks.last()) {
            (Some(name), _) => name.into(),
            (None, Some(mark)) => mark.name.clone(),
            (None, None) => buffer.name.clone(),
        };
        let offset = loc.0 - buffer.start;
        buffer.marks.push(LineMark { offset, line, name });
    }

    fn expansion(&self, loc: Loc) -> Option<(Loc, ExpansionId)> {
        loc.is_expanded()
            .then(|| self.expanded[(loc.0 & !Loc::EXPANDED) as usize])
    }

    fn find_index(&self, loc: Loc) -> Option<usize> {
        let index = self
            .buffers
            .partition_point(|b| b.start <= loc.0)
            .checked_sub(1)?;
        (loc != Loc::NONE && loc.0 <= self.buffers[index].end()).then_some(index)
    }

    fn find(&self, loc: Loc) -> Option<(&Buffer, u32)> {
        let buffer = &self.buffers[self.find_index(loc)?];
        Some((buffer, loc.0 - buffer.start))
    }

    fn identifier_at(&self, loc: Loc) -> &str {
        let Some((buffer, offset)) = self.find(loc) else {
            return "";
        };
        let rest = &buffer.text[offset as usize..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        &rest[..end.unwrap_or(rest.len())]
    }
}

impl Buffer {
    fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }

    /// The index of the line that holds `offset`, and the offset at which that line begins.
    fn line_of(&self, offset: u32) -> (u32, u32) {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        let index = lines.partition_point(|&start| start <= offset) - 1;
        (index as u32, lines[index])
    }
}

/// A line ends at a line feed, a carriage return, or both in this order.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (i, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' || (byte == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
            starts.push(i as u32 + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_all_line_ends_and_line_directives() {
        let mut map = SourceMap::new();
        let text = "a\nbc\r\nd\re\n";
        let buffer = map.add_buffer("f", text.into(), Loc::NONE).unwrap();
        let at = |map: &SourceMap, offset| {
            let p = map.position(map.loc(buffer, offset)).unwrap();
            (p.file.to_string(), p.line, p.column)
        };
        assert_eq!(at(&map, 3), ("f".into(), 2, 2));
        assert_eq!(at(&map, 8), ("f".into(), 4, 1));
        assert_eq!(at(&map, text.len()), ("f".into(), 5, 1));
        map.set_line(map.loc(buffer, 2), 70, Some("g"));
        assert_eq!(at(&map, 2), ("f".into(), 2, 1));
        assert_eq!(at(&map, 6), ("g".into(), 70, 1));
        assert_eq!(at(&map, 8), ("g".into(), 71, 1));
        assert_eq!(map.line_text(map.loc(buffer, 3)), Some(("bc", 1)));
        assert_eq!(map.position(Loc::NONE), None);
    }

    #[test]
    fn too_much_text_is_refused() {
        let mut map = SourceMap::new();
        let text: Arc<str> = " ".repeat(SourceMap::MAX_TEXT / 3 + 1).into();
        for _ in 0..2 {
            map.add_buffer("f", text.clone(), Loc::NONE).unwrap();
        }
        assert_eq!(map.add_buffer("f", text, Loc::NONE), Err(TooMuchText));
    }
}
