//! What the stages of one build share: texts, names, and the diagnostics so far.

use super::diag::Diagnostics;
use super::source::SourceMap;
use super::symbol::Interner;
use super::warn::Warnings;

#[derive(Default)]
pub struct Session {
    pub sources: SourceMap,
    pub names: Interner,
    pub diags: Diagnostics,
}

impl Session {
    pub fn new(warnings: Warnings) -> Session {
        Session {
            diags: Diagnostics::new(warnings),
            ..Session::default()
        }
    }

    /// The build log so far.
    pub fn log(&self) -> String {
        self.diags.render(&self.sources)
    }
}
