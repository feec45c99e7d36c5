//! Text to IR: preprocess, parse, analyse, lower.

use super::source_files;
use super::timings::Timings;
use super::unit::SourceUnit;
use super::{Header, target};
use crate::front::options::FrontOptions;
use crate::front::pp::{self, preprocess};
use crate::front::session::Session;
use crate::front::{hir, lower, parse, sema};
use crate::ir::Module;
use std::collections::HashSet;

/// A translation unit as IR, and what is known of its kernels besides.
#[derive(Clone)]
pub(super) struct Unit {
    pub module: Module,
    pub kernels: Vec<KernelFacts>,
    /// Names of the functions that other units don't see.
    pub internal: Vec<String>,
}

/// What clGetKernelInfo and clGetKernelArgInfo tell that the IR does not hold.
#[derive(Clone)]
pub(super) struct KernelFacts {
    pub name: String,
    pub info: hir::KernelInfo,
}

/// The files that the preprocessor reads from the disk for a unit, each once.
pub(super) fn files(unit: &SourceUnit) -> Vec<Header> {
    let Ok(options) = FrontOptions::parse(&unit.options) else {
        return Vec::new();
    };
    let mut session = Session::new(options.warnings);
    let includes = pp::Includes {
        headers: &pp_headers(&unit.headers),
        files: None,
    };
    let target = target::target();
    preprocess(&unit.source, &includes, &options, &target, &mut session);
    let mut seen = HashSet::new();
    let files = session.sources.files();
    files
        .filter(|(name, _)| seen.insert(*name))
        .map(|(name, text)| Header {
            name: name.to_string(),
            source: text.to_string(),
        })
        .collect()
}

fn pp_headers(headers: &[Header]) -> Vec<pp::Header<'_>> {
    headers
        .iter()
        .map(|Header { name, source }| pp::Header { name, text: source })
        .collect()
}

/// The build log, and the unit unless there were errors.
pub(super) fn run(
    unit: &SourceUnit,
    options: &FrontOptions,
    timings: &Timings,
) -> (String, Option<Unit>) {
    let headers = pp_headers(&unit.headers);
    let files = unit.files.as_deref().map(pp_headers);
    let includes = pp::Includes {
        headers: &headers,
        files: files.as_deref(),
    };
    let mut session = Session::new(options.warnings);
    let tokens = timings.stage("preprocess", || {
        let target = target::target();
        preprocess(&unit.source, &includes, options, &target, &mut session)
    });
    let ast = timings.stage("parse", || parse::parse(&tokens, &mut session));
    if session.diags.stopped() {
        return (session.log(), None);
    }
    let analysis = timings.stage("analyse", || {
        sema::analyze(&ast, &tokens, &session.names, options, &mut session.diags)
    });
    let log = session.log();
    if session.diags.has_errors() {
        return (log, None);
    }
    let mut program = analysis.program;
    let mut module = timings.stage("lower to IR", || {
        let (types, sources) = (&analysis.types, &session.sources);
        match options.debug_info && options.opt_disable {
            true => lower::lower_for_debugger(&program, types, sources, &session.names),
            false => lower::lower(&program, types, sources),
        }
    });
    if options.debug_info {
        source_files::provide(&mut module.files, unit, &session.sources);
    }
    let internal = program
        .functions
        .iter()
        .filter(|f| f.internal && f.kernel.is_none());
    let internal = internal.map(|f| f.name.clone()).collect();
    let kernels = program
        .functions
        .iter_mut()
        .filter_map(|f| {
            f.kernel.take().map(|info| KernelFacts {
                name: f.name.clone(),
                info,
            })
        })
        .collect();
    let unit = Unit {
        module,
        kernels,
        internal,
    };
    (log, Some(unit))
}
