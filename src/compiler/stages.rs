//! The program after each stage, as text: for `clothoc dump` and for tests.

use super::frontend::Unit;
use super::pipeline::{Kept, Prepared};
use super::timings::Timings;
use super::unit::SourceUnit;
use super::{Header, Program, frontend, library, pipeline, target};
use crate::codegen;
use crate::front::options::FrontOptions;
use crate::front::pp::{Includes, preprocess};
use crate::front::session::Session;
use crate::front::{dump, parse, token_dump};
use crate::ir::{FuncId, Module};
use crate::workgroup;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// After the preprocessor.
    Tokens,
    /// The syntax tree.
    Ast,
    /// The IR that the front end makes.
    Ir,
    /// The IR with the library linked in, optimised, and a group function for each kernel.
    Group,
    /// The LLVM module before and after LLVM's passes.
    Llvm,
    OptimizedLlvm,
    Assembly,
}

impl Stage {
    /// The names that the command line takes, in order.
    pub const NAMES: [(&str, Stage); 7] = [
        ("tokens", Stage::Tokens),
        ("ast", Stage::Ast),
        ("ir", Stage::Ir),
        ("group", Stage::Group),
        ("llvm", Stage::Llvm),
        ("llvm-opt", Stage::OptimizedLlvm),
        ("asm", Stage::Assembly),
    ];
}

/// Which group function of a kernel that has two is shown from [`Stage::Group`] on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// The one for launches of any size.
    Any,
    /// The one for launches whose rows in x are multiples of the lanes.
    Full,
}

/// A group function in a module, and the scratch that it needs (see [`crate::ir::abi::Group`]).
#[derive(Clone, Debug)]
pub struct GroupFunction {
    pub kernel: FuncId,
    pub group: FuncId,
    pub scratch_per_item: u64,
    pub scratch_fixed: u64,
}

/// The text of `source` after `stage`. The error is the build log.
pub fn dump(source: &str, options: &str, stage: Stage, rows: Rows) -> Result<String, String> {
    let parsed = parse_options(options)?;
    match stage {
        Stage::Tokens | Stage::Ast => {
            let mut session = Session::new(parsed.warnings);
            let tokens = preprocess(
                source,
                &Includes::default(),
                &parsed,
                &target::target(),
                &mut session,
            );
            let text = if stage == Stage::Tokens {
                token_dump::dump(&tokens, &session)
            } else {
                let ast = parse::parse(&tokens, &mut session);
                dump::dump(&ast, &tokens, &session.names)
            };
            if session.diags.has_errors() {
                return Err(session.log());
            }
            Ok(text)
        }
        Stage::Ir => Ok(ir(source, options, &[])?.to_string()),
        Stage::Group => Ok(shown(source, options, rows)?.to_string()),
        Stage::Llvm | Stage::OptimizedLlvm | Stage::Assembly => {
            let module = shown(source, options, rows)?;
            let form = match stage {
                Stage::Llvm => codegen::Form::Llvm,
                Stage::OptimizedLlvm => codegen::Form::OptimizedLlvm,
                _ => codegen::Form::Assembly,
            };
            codegen::print(&module, &pipeline::codegen_options(&parsed), form)
        }
    }
}

/// The IR that the front end makes; library functions are declarations. The error is the build log.
pub fn ir(source: &str, options: &str, headers: &[Header]) -> Result<Module, String> {
    let unit = SourceUnit::new(source, options, headers);
    let options = parse_options(options)?;
    let (log, unit) = frontend::run(&unit, &options, &Timings::none());
    unit.map(|u| u.module).ok_or(log)
}

/// The IR with the library linked in: what the interpreter can run a kernel of.
pub fn linked(source: &str, options: &str) -> Result<Module, String> {
    Ok(Linked::new(source, options)?.unit.module)
}

/// A source after the front end with the library linked in, from which tests make programs of several widths.
pub struct Linked {
    unit: Unit,
    options: FrontOptions,
}

impl Linked {
    /// The error is the build log.
    pub fn new(source: &str, options: &str) -> Result<Self, String> {
        let unit = SourceUnit::new(source, options, &[]);
        let options = parse_options(options)?;
        let (log, unit) = frontend::run(&unit, &options, &Timings::none());
        let mut unit = unit.ok_or(log)?;
        match library::link(&mut unit.module).first() {
            None => Ok(Self { unit, options }),
            Some(name) => Err(format!("undefined reference to '{name}'")),
        }
    }

    /// What the interpreter can run a kernel of.
    pub fn module(&self) -> &Module {
        &self.unit.module
    }

    /// The program with this many work-items in one pass (1, 2, 4, 8, 16, 32 or 64) wherever that can be done.
    pub fn program(&self, width: u16) -> Result<Program, String> {
        pipeline::run(
            self.unit.clone(),
            &self.options,
            Some(width),
            Kept::default(),
            &Timings::none(),
        )
    }

    /// The IR that [`Linked::program`] makes code of, and its group functions.
    pub fn group(&self, width: u16) -> Result<(Module, Vec<GroupFunction>), String> {
        grouped(self.unit.module.clone(), &self.options, Some(width))
    }
}

/// The IR before code generation, with one group function a kernel.
fn shown(source: &str, options: &str, rows: Rows) -> Result<Module, String> {
    let parsed = parse_options(options)?;
    let mut module = ir(source, options, &[])?;
    let groups = match rows {
        Rows::Any => pipeline::workgroup_options(&parsed, None),
        Rows::Full => pipeline::every_group(&parsed, None),
    };
    for kernel in prepared(&mut module, &parsed, groups)? {
        if kernel.group.full_rows.is_some() {
            module.functions[kernel.group.func.index()].body = None;
        }
    }
    Ok(module)
}

/// The IR before code generation, and its group functions.
pub fn group(source: &str, options: &str) -> Result<(Module, Vec<GroupFunction>), String> {
    let parsed = parse_options(options)?;
    grouped(ir(source, options, &[])?, &parsed, None)
}

fn grouped(
    mut module: Module,
    options: &FrontOptions,
    width: Option<u16>,
) -> Result<(Module, Vec<GroupFunction>), String> {
    let groups = pipeline::workgroup_options(options, width);
    let prepared = prepared(&mut module, options, groups)?;
    let list = prepared
        .iter()
        .map(|p| GroupFunction {
            kernel: p.kernel,
            group: p.group.func,
            scratch_per_item: p.group.scratch_per_item,
            scratch_fixed: p.group.scratch_fixed,
        })
        .collect();
    Ok((module, list))
}

fn prepared(
    module: &mut Module,
    options: &FrontOptions,
    groups: workgroup::Options,
) -> Result<Vec<Prepared>, String> {
    let timings = Timings::none();
    pipeline::link_library(module, options, &timings)?;
    let kernels: Vec<FuncId> = module.kernels().collect();
    pipeline::prepare(module, &kernels, options, groups, &timings)
}

fn parse_options(options: &str) -> Result<FrontOptions, String> {
    FrontOptions::parse(options).map_err(|e| format!("error: {}\n", e.0))
}
