//! Host programs under a sanitizer, for `tests/sanitize/run`: they are instrumented by the C compiler, the library by
//! rustc, and both use the sanitizer's runtime of the Rust toolchain. A shared library can't bring the runtime, so that
//! each program does and shows it to the library.

use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Sanitizer {
    /// `address` or `thread`.
    name: String,
    /// The instrumented library.
    pub library: PathBuf,
    /// Archives and sources that programs are linked with.
    parts: Vec<PathBuf>,
}

/// The sanitizer that the environment asks for.
pub fn wanted() -> Option<Sanitizer> {
    let name = std::env::var("CLOTHO_SANITIZER").ok()?;
    let path = |name| PathBuf::from(std::env::var_os(name).expect("tests/sanitize/run sets it"));
    let parts = std::env::var("CLOTHO_SANITIZER_PARTS").expect("tests/sanitize/run sets it");
    Some(Sanitizer {
        name,
        library: path("CLOTHO_SANITIZED"),
        parts: parts.split(':').map(PathBuf::from).collect(),
    })
}

impl Sanitizer {
    /// Makes an instrumented object of `source`, and has `link`, which has all that is needed of a compiler, make the
    /// program of it.
    pub fn compile(
        &self,
        mut compiler: Command,
        source: &Path,
        program: &Path,
        link: &mut Command,
    ) {
        let object = program.with_extension("o");
        compiler
            .args(["-g", "-c"])
            .arg(format!("-fsanitize={}", self.name))
            .arg(source)
            .arg("-o")
            .arg(&object);
        crate::check(&mut compiler);
        link.arg(object)
            .args(["-rdynamic", "-Wl,--whole-archive"])
            .args(&self.parts)
            .args(["-Wl,--no-whole-archive", "-lrt", "-lresolv"]);
    }
}
