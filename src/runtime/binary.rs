//! Program binaries: a container with a version and a checksum that holds the translation units (source, options,
//! headers, included files) of a program, and for an executable also what they were compiled to; if it was linked, the
//! linker's options.
//!
//! ```text
//! binary = "CLOTHO\0B" version:u32 abi:u32 kind:u32 linked:u8 text(link options) units:u32 unit*
//!          bytes(image) checksum:16 bytes
//! unit   = text(source) text(options) texts(headers) texts(files)
//! texts  = count:u32 (text(name) text(source))*
//! ```
//!
//! (`compiler::wire` says how texts and bytes are written.) The image is used when compiler, CPU and environment are those
//! that it was made with; else the units are compiled again. The machine code in it is trusted if the checksum fits: it finds damage,
//! not malice, and who loads a binary trusts it as much as a program that he starts.
//!
//! Invariant: [`Container::decode`] takes any bytes; whatever is not exactly such a container is refused.

use crate::cl::*;
use crate::compiler::Header;
use crate::compiler::abi::ABI_VERSION;
use crate::compiler::unit::SourceUnit as Unit;
use crate::compiler::wire::{CHECKSUM, Reader, Writer, checksum};

const MAGIC: &[u8; 8] = b"CLOTHO\0B";
const VERSION: u32 = 4;

/// A decoded binary. `kind` is a CL_PROGRAM_BINARY_TYPE_* other than NONE.
pub struct Container {
    pub kind: cl_program_binary_type,
    /// The linker's options, of a linked executable.
    pub link: Option<String>,
    pub units: Vec<Unit>,
    /// See `compiler::Program::image`; may be empty.
    pub image: Vec<u8>,
}

impl Container {
    pub fn encode(
        kind: cl_program_binary_type,
        link: Option<&str>,
        units: &[Unit],
        image: &[u8],
    ) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        for word in [VERSION, ABI_VERSION, kind] {
            out.word(word);
        }
        out.flag(link.is_some());
        out.text(link.unwrap_or_default());
        out.word(units.len() as u32);
        for unit in units {
            out.text(&unit.source);
            out.text(&unit.options);
            for texts in [&unit.headers[..], unit.files.as_deref().unwrap_or_default()] {
                out.word(texts.len() as u32);
                for text in texts {
                    out.text(&text.name);
                    out.text(&text.source);
                }
            }
        }
        out.bytes(image);
        let sum = checksum(&out.0);
        out.0.extend(sum);
        out.0
    }

    /// # Errors
    /// CL_INVALID_BINARY for everything that `encode` did not write.
    pub fn decode(bytes: &[u8]) -> Result<Container> {
        parse(bytes).ok_or(Error::INVALID_BINARY)
    }
}

fn parse(bytes: &[u8]) -> Option<Container> {
    let (body, sum) = bytes.split_last_chunk::<CHECKSUM>()?;
    if checksum(body) != *sum {
        return None;
    }
    let mut reader = Reader(body);
    if reader.take(MAGIC.len())? != MAGIC
        || reader.word()? != VERSION
        || reader.word()? != ABI_VERSION
    {
        return None;
    }
    let kind = reader.word()?;
    let known = [
        CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
        CL_PROGRAM_BINARY_TYPE_LIBRARY,
        CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
    ];
    if !known.contains(&u64::from(kind)) {
        return None;
    }
    let (linked, options) = (reader.flag()?, reader.text()?);
    if !linked && !options.is_empty() {
        return None;
    }
    let link = linked.then_some(options);
    let mut units = Vec::new();
    for _ in 0..reader.word()? {
        units.push(Unit {
            source: reader.text()?,
            options: reader.text()?,
            headers: texts(&mut reader)?,
            files: Some(texts(&mut reader)?),
        });
    }
    let image = reader.bytes()?.to_vec();
    (reader.at_end() && !units.is_empty()).then_some(Container {
        kind,
        link,
        units,
        image,
    })
}

fn texts(reader: &mut Reader) -> Option<Vec<Header>> {
    let mut texts = Vec::new();
    for _ in 0..reader.word()? {
        texts.push(Header {
            name: reader.text()?,
            source: reader.text()?,
        });
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let unit = Unit {
            source: "kernel void f() {}".into(),
            options: "-w".into(),
            headers: vec![Header {
                name: "a.h".into(),
                source: "int x;".into(),
            }],
            files: Some(vec![Header {
                name: "/tmp/b.h".into(),
                source: "int y;".into(),
            }]),
        };
        Container::encode(
            CL_PROGRAM_BINARY_TYPE_EXECUTABLE as u32,
            Some("-cl-mad-enable"),
            &[unit],
            b"code",
        )
    }

    #[test]
    fn a_binary_comes_back_as_it_was() {
        let container = Container::decode(&sample()).unwrap();
        assert_eq!(u64::from(container.kind), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        assert_eq!(container.link.as_deref(), Some("-cl-mad-enable"));
        assert_eq!(container.units[0].source, "kernel void f() {}");
        assert_eq!(container.units[0].headers[0].name, "a.h");
        let files = container.units[0].files.as_ref().unwrap();
        assert_eq!(
            (&files[0].name[..], &files[0].source[..]),
            ("/tmp/b.h", "int y;")
        );
        assert_eq!(container.image, b"code");
    }

    #[test]
    fn damaged_binaries_are_refused() {
        let good = sample();
        for cut in 0..good.len() {
            assert!(Container::decode(&good[..cut]).is_err());
            let mut bad = good.clone();
            bad[cut] ^= 0x40;
            assert!(Container::decode(&bad).is_err());
        }
    }
}
