//! What makes two builds the same: a hash of everything that goes into machine code.
//!
//! That is the sources with their options and headers, the files that `#include` finds on the disk, the library itself
//! (its build id, which changes with every byte of it), the CPU's features, and the environment variables that change
//! code. A build whose key is known gives what the earlier build gave. The hash is BLAKE3.

use super::abi::ABI_VERSION;
use super::build_id::build_id;
use super::frontend;
use super::link::SourceUnit;
use crate::codegen;

/// The name of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key([u8; 32]);

/// Variables of ours that change no code. All others are counted in.
const HARMLESS: [&str; 10] = [
    "CLOTHO_CACHE",
    "CLOTHO_CACHE_DIR",
    "CLOTHO_CACHE_SIZE",
    "CLOTHO_FAULTS",
    "CLOTHO_LOG",
    "CLOTHO_PERF",
    "CLOTHO_TIMINGS",
    "CLOTHO_TRACE",
    "CLOTHO_WATCHDOG",
    "CLOTHO_WORKERS",
];

impl Key {
    /// The key of a build of `units`; `link` holds the linker's options if they are linked. None when this library does not
    /// know its build id.
    pub fn of(units: &[SourceUnit], link: Option<&str>) -> Option<Key> {
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let counts = name.starts_with("CLOTHO_") && !HARMLESS.contains(&name.as_str());
            counts.then(|| (name, value.to_string_lossy().into_owned()))
        });
        let mut environment: Vec<(String, String)> = environment.collect();
        environment.sort();
        let setting = Setting {
            build: build_id()?,
            features: codegen::host_features(),
            environment: &environment,
        };
        Some(setting.key(units, link))
    }

    /// The key of a part of what this one stands for.
    pub fn part(&self, number: usize) -> Key {
        let mut hash = Hash::new("part");
        hash.add(&self.0);
        hash.add(&number.to_le_bytes());
        hash.key()
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 hexadecimal digits.
    pub fn name(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    #[cfg(test)]
    pub fn of_text(text: &str) -> Key {
        Hash::new(text).key()
    }
}

/// Whether a build of `units` reads files, so that the same key may not stand for the same build a moment later.
pub(super) fn reads_files(units: &[SourceUnit]) -> bool {
    let texts = |unit: &SourceUnit| {
        mentions_include(&unit.source) || unit.headers.iter().any(|h| mentions_include(&h.source))
    };
    units.iter().any(texts)
}

/// Everything but the sources.
struct Setting<'a> {
    build: &'a [u8],
    features: &'a str,
    environment: &'a [(String, String)],
}

impl Setting<'_> {
    fn key(&self, units: &[SourceUnit], link: Option<&str>) -> Key {
        let mut hash = Hash::new("program");
        hash.add(self.build);
        hash.add(&ABI_VERSION.to_le_bytes());
        hash.add(self.features.as_bytes());
        for (name, value) in self.environment {
            hash.add(name.as_bytes());
            hash.add(value.as_bytes());
        }
        hash.add(match link {
            None => b"build",
            Some(_) => b"link",
        });
        hash.add(link.unwrap_or_default().as_bytes());
        for unit in units {
            hash.add(b"unit");
            hash.add(unit.source.as_bytes());
            hash.add(unit.options.as_bytes());
            for header in &unit.headers {
                hash.add(header.name.as_bytes());
                hash.add(header.source.as_bytes());
            }
            if reads_files(std::slice::from_ref(unit)) {
                for (name, text) in frontend::texts(unit) {
                    hash.add(name.as_bytes());
                    hash.add(text.as_bytes());
                }
            }
        }
        hash.key()
    }
}

/// Whether the text may have an `#include` (or `__has_include`), also one that is spread over lines.
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

/// A hash of pieces, each with its length.
struct Hash(blake3::Hasher);

impl Hash {
    fn new(purpose: &str) -> Hash {
        let mut hash = Hash(blake3::Hasher::new());
        hash.add(purpose.as_bytes());
        hash
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn key(self) -> Key {
        Key(*self.0.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Header;
    use super::*;

    fn unit(source: &str, options: &str) -> SourceUnit {
        SourceUnit {
            source: source.into(),
            options: options.into(),
            headers: Vec::new(),
        }
    }

    fn key(units: &[SourceUnit], link: Option<&str>) -> Key {
        let setting = Setting {
            build: b"1",
            features: "+sse2",
            environment: &[],
        };
        setting.key(units, link)
    }

    #[test]
    fn whatever_changes_code_changes_the_key() {
        let base = Setting {
            build: b"1",
            features: "+sse2",
            environment: &[],
        };
        let environment = [("CLOTHO_WIDTH".to_string(), "4".to_string())];
        let units = [unit("a", "b")];
        let mut header = unit("a", "b");
        header.headers.push(Header {
            name: "h".into(),
            source: "x".into(),
        });
        let keys = [
            base.key(&units, None),
            Setting {
                build: b"2",
                ..base
            }
            .key(&units, None),
            Setting {
                features: "+avx",
                ..base
            }
            .key(&units, None),
            Setting {
                environment: &environment,
                ..base
            }
            .key(&units, None),
            base.key(&units, Some("")),
            base.key(&units, Some("-w")),
            base.key(&[unit("ab", "")], None),
            base.key(&[unit("a", "b"), unit("a", "b")], None),
            base.key(&[header], None),
        ];
        for (i, one) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(one), "{i}");
            assert!(!keys.contains(&one.part(0)) && one.part(0) != one.part(1));
        }
        assert_eq!(keys[0], base.key(&units, None));
    }

    #[test]
    fn included_files_are_part_of_the_key() {
        let folder = std::env::temp_dir().join(format!("clotho-key-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
        let file = folder.join("h.h");
        let units = [unit(
            "#inc\\\nlude \"h.h\"\n",
            &format!("-I {}", folder.display()),
        )];
        let with = |text: &str| {
            std::fs::write(&file, text).expect("the temporary folder is writable");
            key(&units, None)
        };
        let (one, two, again) = (with("int x;"), with("int y;"), with("int x;"));
        std::fs::remove_dir_all(&folder).expect("it is ours");
        assert_ne!(one, two);
        assert_eq!(one, again);
        assert_ne!(one, key(&units, None));
    }
}
