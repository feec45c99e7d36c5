//! The device's and the platform's properties as text, and what the compiler makes of the CPU.

use super::library::{InfoFn, Library, ask, check};
use super::properties::{DEVICE, Kind, PLATFORM, Property};
use clotho::cl::{CL_NAME_VERSION_MAX_NAME_SIZE, c_void, cl_bool, cl_uint};
use clotho::compiler::target;

/// The column of the answers. Longer names have a line of their own.
const COLUMN: usize = 54;

/// All of it.
pub fn list(library: &Library) -> Result<String, String> {
    let mut text = String::from("Platform\n");
    // SAFETY: both have the type that the specification gives them.
    let queries: (InfoFn, InfoFn) = unsafe {
        (
            library.function("clGetPlatformInfo")?,
            library.function("clGetDeviceInfo")?,
        )
    };
    // NULL is the default platform.
    text += &answers(queries.0, std::ptr::null_mut(), PLATFORM)?;
    text += "\nDevice\n";
    text += &answers(queries.1, library.device()?, DEVICE)?;
    text += "\nCompiler\n";
    text += &compiler();
    Ok(text)
}

fn answers(query: InfoFn, object: *mut c_void, list: &[Property]) -> Result<String, String> {
    let mut text = String::new();
    for &(name, number, kind) in list {
        match ask(query, object, number) {
            Ok(bytes) => text += &row(name, &lines(kind, &bytes)),
            Err(status) => check(name, status)?,
        }
    }
    Ok(text)
}

/// A name and the lines beside it.
fn row(name: &str, lines: &[String]) -> String {
    let mut text = String::new();
    let mut name = name;
    if name.len() >= COLUMN {
        text += &format!("  {name}\n");
        name = "";
    }
    let none = ["none".to_string()];
    for line in if lines.is_empty() { &none } else { lines } {
        text += &format!("  {name:COLUMN$}{line}\n");
        name = "";
    }
    text
}

/// An answer, in lines; none is nothing.
fn lines(kind: Kind, bytes: &[u8]) -> Vec<String> {
    let text = || {
        String::from_utf8_lossy(bytes)
            .trim_end_matches('\0')
            .to_string()
    };
    let numbers = || numbers(bytes).into_iter();
    match kind {
        Kind::Text => Some(text())
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
        Kind::Words => text().split_whitespace().map(str::to_string).collect(),
        Kind::Number => numbers().map(|n| n.to_string()).collect(),
        Kind::Of(unit) => {
            let list: Vec<String> = numbers().map(|n| n.to_string()).collect();
            vec![format!("{} {unit}", list.join(" "))]
        }
        Kind::Bytes => numbers().map(in_bytes).collect(),
        Kind::Bits => numbers().map(|n| format!("{n} bits")).collect(),
        Kind::Flag => {
            let flags = numbers_of(size_of::<cl_bool>(), bytes).into_iter();
            let flags = flags.map(|n| if n == 0 { "no" } else { "yes" });
            vec![flags.collect::<Vec<_>>().join(" ")]
        }
        Kind::Choice(names) => numbers().map(|n| one_of(names, n)).collect(),
        Kind::Mask(names) => numbers().flat_map(|n| sum_of(names, n)).collect(),
        Kind::Version => numbers().map(version).collect(),
        Kind::Versions => versions(bytes),
        Kind::Identity => vec![bytes.iter().map(|byte| format!("{byte:02x}")).collect()],
        Kind::Handle | Kind::Hexadecimal => numbers().map(|n| format!("{n:#x}")).collect(),
    }
}

/// The numbers that an answer consists of: of 8 bytes if it can be cut in these.
fn numbers(bytes: &[u8]) -> Vec<u64> {
    match bytes.len().is_multiple_of(8) {
        true => numbers_of(8, bytes),
        false => numbers_of(4, bytes),
    }
}

fn numbers_of(size: usize, bytes: &[u8]) -> Vec<u64> {
    let parts = bytes.chunks_exact(size).map(|part| {
        let bytes = part.iter().rev();
        bytes.fold(0, |sum, &byte| sum << 8 | u64::from(byte))
    });
    parts.collect()
}

fn one_of(names: &[(&str, u64)], value: u64) -> String {
    let found = names.iter().find(|&&(_, known)| known == value);
    found.map_or_else(|| value.to_string(), |(name, _)| name.to_string())
}

/// The names of all bits, and those that have none as a number.
fn sum_of(names: &[(&str, u64)], mut value: u64) -> Vec<String> {
    let mut list = Vec::new();
    for &(name, bit) in names {
        if value & bit != 0 {
            list.push(name.to_string());
            value &= !bit;
        }
    }
    if value != 0 {
        list.push(format!("{value:#x}"));
    }
    list
}

/// In the largest unit that leaves a whole number, or with two digits behind the point and in bytes.
fn in_bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let power = (n.max(1).ilog2() as usize / 10).min(UNITS.len() - 1);
    let exact = (n.max(1).trailing_zeros() as usize / 10).min(power);
    match exact == power {
        true => format!("{} {}", n >> (10 * power), UNITS[power]),
        false => {
            let size = n as f64 / (1u64 << (10 * power)) as f64;
            format!("{size:.2} {} ({n} bytes)", UNITS[power])
        }
    }
}

/// CL_MAKE_VERSION taken apart.
fn version(n: u64) -> String {
    format!("{}.{}.{}", n >> 22, n >> 12 & 0x3ff, n & 0xfff)
}

fn versions(bytes: &[u8]) -> Vec<String> {
    let size = size_of::<cl_uint>() + CL_NAME_VERSION_MAX_NAME_SIZE;
    let entries = bytes.chunks_exact(size).map(|entry| {
        let (number, name) = entry.split_at(size_of::<cl_uint>());
        let name = String::from_utf8_lossy(name);
        let number = numbers(number).first().copied().unwrap_or_default();
        format!("{} {}", name.trim_end_matches('\0'), version(number))
    });
    entries.collect()
}

fn compiler() -> String {
    let mut has: Vec<String> = target::cpu_features()
        .split(',')
        .filter_map(|feature| feature.strip_prefix('+'))
        .map(str::to_string)
        .collect();
    has.sort();
    let lanes =
        [("64-bit", 64), ("32-bit", 32), ("16-bit and narrower", 16)].map(|(types, bits)| {
            format!(
                "{} where {types} types fill a register",
                target::lanes(bits)
            )
        });
    let sizes = target::SUB_GROUP_SIZES.map(|size| size.to_string());
    let features: Vec<String> = target::FEATURES
        .iter()
        .map(|name| name.to_string())
        .collect();
    let mut text = row(
        "vector registers",
        &[format!("{} bits", target::register_bits())],
    );
    text += &row("work-items in one pass", &lanes);
    if let Ok(width) = std::env::var("CLOTHO_WIDTH") {
        text += &row("CLOTHO_WIDTH (work-items in one pass instead)", &[width]);
    }
    text += &row("sizes of sub-groups", &[sizes.join(" ")]);
    text += &row("optional features of OpenCL C", &features);
    text += &row("CPU features that code is made for", &in_rows(&has));
    text
}

/// Several words a line.
fn in_rows(words: &[String]) -> Vec<String> {
    words.chunks(8).map(|words| words.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A query that is answered but not listed would be missing from what people see.
    #[test]
    fn every_query_that_is_answered_is_listed() {
        let library = Library::own();
        // SAFETY: both have the type that the specification gives them.
        let (platform, device): (InfoFn, InfoFn) = unsafe {
            (
                library.function("clGetPlatformInfo").unwrap(),
                library.function("clGetDeviceInfo").unwrap(),
            )
        };
        let objects = [
            (platform, std::ptr::null_mut(), PLATFORM),
            (device, library.device().unwrap(), DEVICE),
        ];
        for (query, object, list) in objects {
            let listed: BTreeSet<cl_uint> = list.iter().map(|&(_, number, _)| number).collect();
            let all = (0..0x5000).filter(|&number| ask(query, object, number).is_ok());
            assert_eq!(listed, all.collect());
            assert_eq!(listed.len(), list.len(), "one is listed twice");
        }
    }

    #[test]
    fn answers_are_readable() {
        let number = |n: u64| n.to_ne_bytes();
        assert_eq!(lines(Kind::Bytes, &number(512 << 20)), ["512 MiB"]);
        assert_eq!(lines(Kind::Bytes, &number(0)), ["0 bytes"]);
        assert_eq!(lines(Kind::Bytes, &number(1536)), ["1.50 KiB (1536 bytes)"]);
        let mask = Kind::Mask(&[("one", 1), ("two", 2)]);
        assert_eq!(lines(mask, &number(10)), ["two", "0x8"]);
        assert_eq!(lines(mask, &number(0)), [""; 0]);
        assert_eq!(lines(Kind::Flag, &[1, 0, 0, 0]), ["yes"]);
        assert_eq!(lines(Kind::Version, &(3u32 << 22).to_ne_bytes()), ["3.0.0"]);
        assert_eq!(lines(Kind::Words, b"a b\0"), ["a", "b"]);
        assert_eq!(lines(Kind::Of("ns"), &number(1)), ["1 ns"]);
    }
}
