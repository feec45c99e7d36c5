//! Program binaries: a container with a version and a checksum that holds the translation units (source, options,
//! headers) of a program; loading one compiles them again. All numbers are little-endian.
//!
//! ```text
//! binary  = "CLOTHO\0B" version:u32 abi:u32 kind:u32 units:u32 unit* checksum:u64
//! unit    = text(source) text(options) headers:u32 (text(name) text(source))*
//! text(x) = length:u64 byte*
//! ```
//!
//! Invariant: [`Container::decode`] takes any bytes; whatever is not exactly such a container is refused.

use crate::cl::*;
use crate::compiler::Header;
use crate::compiler::abi::ABI_VERSION;
use crate::compiler::link::SourceUnit as Unit;

const MAGIC: &[u8; 8] = b"CLOTHO\0B";
const VERSION: u32 = 1;

/// A decoded binary. `kind` is a CL_PROGRAM_BINARY_TYPE_* other than NONE.
pub struct Container {
    pub kind: cl_program_binary_type,
    pub units: Vec<Unit>,
}

impl Container {
    pub fn encode(kind: cl_program_binary_type, units: &[Unit]) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for word in [VERSION, ABI_VERSION, kind, units.len() as u32] {
            out.extend(word.to_le_bytes());
        }
        for unit in units {
            put_text(&mut out, &unit.source);
            put_text(&mut out, &unit.options);
            out.extend((unit.headers.len() as u32).to_le_bytes());
            for header in &unit.headers {
                put_text(&mut out, &header.name);
                put_text(&mut out, &header.source);
            }
        }
        let sum = checksum(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// # Errors
    /// CL_INVALID_BINARY for everything that `encode` did not write.
    pub fn decode(bytes: &[u8]) -> Result<Container> {
        parse(bytes).ok_or(Error::INVALID_BINARY)
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn parse(bytes: &[u8]) -> Option<Container> {
    let (body, sum) = bytes.split_last_chunk::<8>()?;
    if checksum(body) != u64::from_le_bytes(*sum) {
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
    let mut units = Vec::new();
    for _ in 0..reader.word()? {
        let mut unit = Unit {
            source: reader.text()?,
            options: reader.text()?,
            headers: Vec::new(),
        };
        for _ in 0..reader.word()? {
            unit.headers.push(Header {
                name: reader.text()?,
                source: reader.text()?,
            });
        }
        units.push(unit);
    }
    (reader.0.is_empty() && !units.is_empty()).then_some(Container { kind, units })
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        let bytes = self.take(usize::try_from(length).ok()?)?;
        String::from_utf8(bytes.to_vec()).ok()
    }
}

/// FNV-1a, 64 bits: finds damage, not malice (a binary is trusted as much as a source).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
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
        };
        Container::encode(CL_PROGRAM_BINARY_TYPE_EXECUTABLE as u32, &[unit])
    }

    #[test]
    fn a_binary_comes_back_as_it_was() {
        let container = Container::decode(&sample()).unwrap();
        assert_eq!(u64::from(container.kind), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        assert_eq!(container.units[0].source, "kernel void f() {}");
        assert_eq!(container.units[0].headers[0].name, "a.h");
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
