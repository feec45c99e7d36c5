//! What makes two builds the same: a hash of everything that goes into machine code.
//!
//! That is the sources with their options and headers, the files that `#include` finds on the disk, the library itself
//! (its build id, which changes with every byte of it), the CPU's features, and the environment variables that change
//! code. Builds for debuggers have no key. A build whose key is known gives what the earlier build gave. The hash is BLAKE3.

use super::abi::ABI_VERSION;
use super::build_id::build_id;
use super::unit::SourceUnit;
use crate::codegen;
use crate::front::options::FrontOptions;

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
    /// The key of a build of `units`, whose files are known; `link` holds the linker's options if they are linked. None when this library does not
    /// know its build id, and for builds with `-g`: what debuggers are told names places of this process.
    pub fn of(units: &[SourceUnit], link: Option<&str>) -> Option<Key> {
        let for_debugger = |unit: &SourceUnit| {
            FrontOptions::parse(&unit.options).is_ok_and(|options| options.debug_info)
        };
        if units.iter().any(for_debugger) {
            return None;
        }
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

    /// The key of a kernel's variant (`variants.rs`).
    pub fn variant(&self, kernel: usize, words: &[u32]) -> Key {
        let mut hash = Hash::new("variant");
        hash.add(&self.0);
        hash.add(&kernel.to_le_bytes());
        words.iter().for_each(|word| hash.add(&word.to_le_bytes()));
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
            let files = unit.files.as_deref().unwrap_or_default();
            for (kind, texts) in [("header", &unit.headers[..]), ("file", files)] {
                for text in texts {
                    hash.add(kind.as_bytes());
                    hash.add(text.name.as_bytes());
                    hash.add(text.source.as_bytes());
                }
            }
        }
        hash.key()
    }
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
            ..SourceUnit::default()
        }
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
            base.key(&[header.clone()], None),
            base.key(
                &[SourceUnit {
                    files: Some(header.headers),
                    ..unit("a", "b")
                }],
                None,
            ),
        ];
        for (i, one) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(one), "{i}");
            assert!(!keys.contains(&one.part(0)) && one.part(0) != one.part(1));
        }
        assert_eq!(keys[0], base.key(&units, None));
    }
}
