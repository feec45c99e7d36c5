//! What a translation unit is made of: enough to compile it again, on another day, to the same.

use super::Header;
use super::frontend;
use std::borrow::Cow;

/// One source text with what it is compiled with.
#[derive(Clone, Debug, Default)]
pub struct SourceUnit {
    pub source: String,
    pub options: String,
    /// What clCompileProgram was given.
    pub headers: Vec<Header>,
    /// The files that `#include` found on the disk, by their paths. None as long as that is not known: the disk is looked at
    /// when the unit is compiled.
    pub files: Option<Vec<Header>>,
}

impl SourceUnit {
    pub fn new(source: &str, options: &str, headers: &[Header]) -> SourceUnit {
        SourceUnit {
            source: source.to_string(),
            options: options.to_string(),
            headers: headers.to_vec(),
            files: None,
        }
    }

    /// Reads the files that `#include` finds: from now on they belong to the unit, whatever becomes of them on the disk.
    pub fn read_files(&mut self) {
        if self.files.is_none() {
            self.files = Some(match self.may_include() {
                true => frontend::files(self),
                false => Vec::new(),
            });
        }
    }

    fn may_include(&self) -> bool {
        let headers = self.headers.iter().map(|header| &header.source);
        [&self.source]
            .into_iter()
            .chain(headers)
            .any(|text| mentions_include(text))
    }
}

/// The units with their files.
pub(super) fn with_files(units: &[SourceUnit]) -> Cow<'_, [SourceUnit]> {
    let mut units = Cow::from(units);
    if units.iter().any(|unit| unit.files.is_none()) {
        units.to_mut().iter_mut().for_each(SourceUnit::read_files);
    }
    units
}

/// Whether the text may have an `#include`, also one that is spread over lines.
fn mentions_include(text: &str) -> bool {
    let joined: String;
    let text = match text.contains('\\') {
        false => text,
        true => {
            // Blanks may stand between a backslash and the end of its line.
            let spread = |c: char| c == '\\' || c.is_ascii_whitespace();
            joined = text.replace(spread, "");
            &joined
        }
    };
    text.contains("include")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_once() {
        let folder = std::env::temp_dir().join(format!("clotho-unit-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
        let file = folder.join("h.h");
        let write = |text| std::fs::write(&file, text).expect("the temporary folder is writable");
        let mut unit = SourceUnit {
            source: "#inc\\\nlude \"h.h\"\n#include \"h.h\"\n#include \"given.h\"\n".into(),
            options: format!("-I {}", folder.display()),
            headers: vec![Header {
                name: "given.h".into(),
                source: "#define GIVEN\n".into(),
            }],
            files: None,
        };
        write("#define ONE\n");
        unit.read_files();
        let read = unit.files.clone();
        write("#define TWO\n");
        let units = [unit];
        let again = with_files(&units);
        std::fs::remove_dir_all(&folder).expect("it is ours");
        let [file] = &read.expect("they are read")[..] else {
            panic!("one file is included");
        };
        assert!(file.name.ends_with("/h.h"));
        assert_eq!(file.source, "#define ONE\n");
        assert!(matches!(again, Cow::Borrowed(_)));
    }
}
