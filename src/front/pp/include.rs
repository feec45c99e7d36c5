//! `#include` (C99 6.10.2): headers given to clCompileProgram by their names, and files on the disk found through
//! `-I`.
//!
//! Invariants: only regular files are read, of at most [`SourceMap::MAX_TEXT`] bytes; nesting and the number of
//! inclusions are bounded.

use super::super::lex::PpKind;
use super::super::literal;
use super::super::source::SourceMap;
use super::super::token::Punct;
use super::Preprocessor;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How deep files may include each other.
const MAX_DEPTH: usize = 64;
const MAX_INCLUDES: u32 = 1 << 16;

/// A header that comes with the program: what `#include` calls it, and its text.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

/// What `#include` may find.
#[derive(Clone, Copy, Debug, Default)]
pub struct Includes<'a> {
    pub headers: &'a [Header<'a>],
    /// The files, by their paths; without this those that are on the disk.
    pub files: Option<&'a [Header<'a>]>,
}

/// A file to be included.
struct Found {
    name: String,
    text: Arc<str>,
    dir: Option<PathBuf>,
}

impl Preprocessor<'_> {
    pub(super) fn include_directive(&mut self) {
        let loc = self.directive_loc;
        let Some((name, is_angled)) = self.included_name() else {
            let text = "expected \"FILENAME\" or <FILENAME>";
            self.session.diags.error(loc, text);
            return;
        };
        if name.is_empty() {
            self.session.diags.error(loc, "empty filename");
            return;
        }
        self.include_count += 1;
        // The program itself is the first of the files.
        if self.files.len() > MAX_DEPTH {
            let text = "#include nested too deeply";
            self.session.diags.fatal(loc, text);
            return;
        }
        if self.include_count > MAX_INCLUDES {
            let text = format!("the program includes more than {MAX_INCLUDES} files");
            self.session.diags.fatal(loc, text);
            return;
        }
        match self.find_header(&name, is_angled) {
            Some(found) if self.once.contains(found.name.as_str()) => {}
            Some(found) => self.enter(&found.name, found.text, found.dir, loc),
            None => {
                let text = format!("'{name}' file not found");
                self.session.diags.fatal(loc, text);
                if let Some(instead) = instead_of(&name) {
                    let text = format!("OpenCL C has no headers of its own: {instead}");
                    self.session.diags.note(loc, text);
                } else if self.options.include_dirs.is_empty() {
                    let text = "headers are looked for in the folders of -I, and among those that clCompileProgram is given";
                    self.session.diags.note(loc, text);
                }
            }
        }
    }

    /// The name, and whether it stands in angle brackets: written so, or after macro replacement.
    fn included_name(&mut self) -> Option<(String, bool)> {
        let written = self.files.last_mut().and_then(|f| f.lexer.header_name());
        if let Some(written) = written {
            let line = self.line();
            self.extra_tokens(&line, "include");
            return Some(written);
        }
        let line = self.expanded_line();
        let (first, rest) = line.split_first()?;
        if first.kind == PpKind::Str {
            let name = literal::body(self.session.names.name(first.text)).to_string();
            self.extra_tokens(rest, "include");
            // A name that a macro made may hold no escape sequences, which a header name does not know.
            return (!name.contains('\\')).then_some((name, false));
        }
        let close = rest.iter().position(|t| t.is(Punct::Gt))?;
        if !first.is(Punct::Lt) {
            return None;
        }
        let mut name = String::new();
        for (i, token) in rest[..close].iter().enumerate() {
            if token.space && i > 0 {
                name.push(' ');
            }
            name.push_str(self.session.names.name(token.text));
        }
        self.extra_tokens(&rest[close + 1..], "include");
        Some((name, true))
    }

    /// A quoted name is looked for beside the file that includes it first; then, for both forms, among the program's
    /// headers, in the folders of `-I`, and in the working directory.
    fn find_header(&self, name: &str, is_angled: bool) -> Option<Found> {
        let includer = self.files.last()?;
        let beside = Path::new(&*includer.name)
            .parent()
            .map(|dir| dir.join(name));
        let beside = beside.and_then(|path| path.to_str().map(String::from));
        let candidates = [Some(name.to_string()), beside];
        for candidate in candidates.into_iter().flatten() {
            if let Some(header) = self.includes.headers.iter().find(|h| h.name == candidate) {
                return Some(Found {
                    name: candidate,
                    text: header.text.into(),
                    dir: None,
                });
            }
        }
        let own_dir = includer.dir.iter().filter(|_| !is_angled);
        let working_dir = PathBuf::new();
        own_dir
            .chain(&self.options.include_dirs)
            .chain([&working_dir])
            .find_map(|dir| self.file(&dir.join(name)))
    }

    fn file(&self, path: &Path) -> Option<Found> {
        let Some(files) = self.includes.files else {
            return read_file(path);
        };
        let file = files.iter().find(|file| Path::new(file.name) == path)?;
        Some(found(file.name, file.text.into()))
    }
}

/// For a header of C or of the host's side, what a kernel's source uses instead.
fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "stdint.h" | "inttypes.h" => {
            "char, short, int and long have 8, 16, 32 and 64 bits, and uchar, ushort, uint and ulong are predeclared"
        }
        "stddef.h" => "size_t, ptrdiff_t, intptr_t, uintptr_t and NULL are predeclared",
        "stdbool.h" => "bool, true and false are predeclared",
        "math.h" | "cmath" | "tgmath.h" => {
            "the math functions are predeclared, and take float, double and vectors alike"
        }
        "float.h" | "limits.h" => "FLT_MAX, INT_MAX and the like are predefined",
        "stdio.h" => "printf is predeclared",
        "stdatomic.h" => "the atomic functions are predeclared",
        "stdlib.h" | "string.h" | "assert.h" | "stdarg.h" | "time.h" => {
            "what this one declares does not exist in a kernel"
        }
        "CL/cl.h" | "CL/opencl.h" | "OpenCL/opencl.h" | "CL/cl_platform.h" => {
            "this one is for the host's program; kernels write float4 for cl_float4"
        }
        "opencl-c.h" | "opencl-c-base.h" => "all functions are predeclared; leave this line out",
        _ => return None,
    })
}

fn read_file(path: &Path) -> Option<Found> {
    // A device or a pipe could keep the reader waiting for ever.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let limit = SourceMap::MAX_TEXT as u64 + 1;
    let mut bytes = Vec::new();
    fs::File::open(path)
        .ok()?
        .take(limit)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(found(
        path.to_str()?,
        String::from_utf8_lossy(&bytes).into(),
    ))
}

fn found(path: &str, text: Arc<str>) -> Found {
    Found {
        name: path.to_string(),
        text,
        dir: Path::new(path).parent().map(Path::to_path_buf),
    }
}
