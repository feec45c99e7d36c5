//! Several sources make one program: clCompileProgram checks each, clLinkProgram brings their IR together.
//!
//! A function is known by its name in all units, except where it is `static` or `inline`; those get a name of their
//! own. So is a variable; internal ones are copied as they are. Ids are renumbered. What does not fit together (two definitions of one
//! function, a call that disagrees with the definition, recursion through several units) is an error for the author,
//! found by the merge or by the IR verifier.

use super::frontend::{self, Unit};
use super::pipeline::Kept;
use super::timings::Timings;
use super::unit::SourceUnit;
use super::{BuildError, BuildOutput, pipeline};
use crate::front::options::{FrontOptions, MathOptions};
use crate::ir::{
    AddrSpace, FuncId, Function, Global, GlobalId, InstData, LIBRARY_FILE, Linkage, Module, SrcLoc,
    verify,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Checks one unit as clCompileProgram does: functions that it declares may be defined elsewhere.
pub fn compile(unit: &SourceUnit) -> (String, Result<(), BuildError>) {
    let options = match parse_options(&unit.options) {
        Ok(options) => options,
        Err((log, error)) => return (log, Err(error)),
    };
    let timings = Timings::start();
    timings.title(|| "compilation without linking".into());
    let (log, compiled) = frontend::run(unit, &options, &timings);
    timings.ready(0);
    let result = compiled.map(drop).ok_or(BuildError::Failed);
    (log, result)
}

/// A build that has not begun to make machine code.
pub(super) struct Output {
    pub log: String,
    pub result: Result<super::Program, BuildError>,
}

impl From<Output> for BuildOutput {
    fn from(output: Output) -> BuildOutput {
        BuildOutput {
            log: output.log,
            result: output.result.map(Arc::new),
        }
    }
}

/// Builds one unit, or links units that [`compile`] accepted: the options (on arithmetic) of `link` hold for the whole
/// program.
pub(super) fn run(
    units: &[SourceUnit],
    link: Option<&str>,
    kept: Kept,
    timings: &Timings,
) -> Output {
    let mut log = String::new();
    let result = match (units, link) {
        ([unit], None) => build(unit, kept, timings, &mut log),
        _ => merged(units, link.unwrap_or_default(), kept, timings, &mut log),
    };
    let result = result.map_err(|(text, error)| {
        log.push_str(&text);
        error
    });
    Output { log, result }
}

type Failure = (String, BuildError);

fn failed(error: String) -> Failure {
    (format!("error: {error}\n"), BuildError::Failed)
}

fn build(
    unit: &SourceUnit,
    kept: Kept,
    timings: &Timings,
    log: &mut String,
) -> Result<super::Program, Failure> {
    let options = FrontOptions {
        separate: false,
        ..parse_options(&unit.options)?
    };
    let (text, compiled) = frontend::run(unit, &options, timings);
    log.push_str(&text);
    let compiled = compiled.ok_or((String::new(), BuildError::Failed))?;
    pipeline::run(compiled, &options, None, kept, timings).map_err(failed)
}

fn merged(
    units: &[SourceUnit],
    options: &str,
    kept: Kept,
    timings: &Timings,
    log: &mut String,
) -> Result<super::Program, Failure> {
    let mut compiled = Vec::new();
    let mut common: Option<FrontOptions> = None;
    for unit in units {
        let options = parse_options(&unit.options)?;
        let (text, one) = frontend::run(unit, &options, timings);
        log.push_str(&text);
        compiled.push(one.ok_or((String::new(), BuildError::Failed))?);
        common = Some(match common {
            None => options,
            Some(other) => both(other, &options),
        });
    }
    let extra = parse_options(options)?;
    let mut common = common.unwrap_or_default();
    common.math = either(common.math, extra.math);
    let merged = merge(compiled).map_err(failed)?;
    if let Err(errors) = verify::verify(&merged.module) {
        let first = errors
            .first()
            .map(|error| error.to_string())
            .unwrap_or_default();
        return Err(failed(format!(
            "the compiled programs do not fit together: {first}"
        )));
    }
    pipeline::run(merged, &common, None, kept, timings).map_err(failed)
}

pub(super) fn parse_options(text: &str) -> Result<FrontOptions, Failure> {
    match FrontOptions::parse(text) {
        Ok(options) => Ok(FrontOptions {
            separate: true,
            ..options
        }),
        Err(error) => Err((format!("error: {}\n", error.0), BuildError::InvalidOptions)),
    }
}

/// What may be assumed when both units are optimised as one.
fn both(mut one: FrontOptions, other: &FrontOptions) -> FrontOptions {
    let (a, b) = (one.math, other.math);
    one.opt_disable |= other.opt_disable;
    one.debug_info |= other.debug_info;
    one.math = MathOptions {
        denorms_are_zero: a.denorms_are_zero && b.denorms_are_zero,
        correctly_rounded_divide_sqrt: a.correctly_rounded_divide_sqrt
            || b.correctly_rounded_divide_sqrt,
        mad_enable: a.mad_enable && b.mad_enable,
        no_signed_zeros: a.no_signed_zeros && b.no_signed_zeros,
        unsafe_math: a.unsafe_math && b.unsafe_math,
        finite_math_only: a.finite_math_only && b.finite_math_only,
        fast_relaxed: a.fast_relaxed && b.fast_relaxed,
        ..a
    };
    one
}

/// The units' options with those of the linker.
fn either(a: MathOptions, b: MathOptions) -> MathOptions {
    MathOptions {
        denorms_are_zero: a.denorms_are_zero || b.denorms_are_zero,
        mad_enable: a.mad_enable || b.mad_enable,
        no_signed_zeros: a.no_signed_zeros || b.no_signed_zeros,
        unsafe_math: a.unsafe_math || b.unsafe_math,
        finite_math_only: a.finite_math_only || b.finite_math_only,
        fast_relaxed: a.fast_relaxed || b.fast_relaxed,
        ..a
    }
}

fn merge(units: Vec<Unit>) -> Result<Unit, String> {
    let mut whole = Merge {
        module: Module::new(),
        known: HashMap::new(),
        variables: HashMap::new(),
    };
    let mut kernels = Vec::new();
    for (number, unit) in units.into_iter().enumerate() {
        whole.add(&unit, number)?;
        kernels.extend(unit.kernels);
    }
    Ok(Unit {
        module: whole.module,
        kernels,
        internal: Vec::new(),
    })
}

struct Merge {
    module: Module,
    known: HashMap<String, FuncId>,
    /// Variables that all units know by name.
    variables: HashMap<String, GlobalId>,
}

/// What numbers of a unit are in the whole program.
struct Numbers<'a> {
    globals: &'a [GlobalId],
    /// How many files and types there are before those of the unit.
    files: usize,
    types: usize,
}

impl Numbers<'_> {
    /// Files beyond the last number that there is are not known.
    fn renumber(&self, loc: &mut SrcLoc) {
        if loc.file == LIBRARY_FILE {
            return;
        }
        match u16::try_from(usize::from(loc.file) + self.files) {
            Ok(file) if file != LIBRARY_FILE => loc.file = file,
            _ => loc.line = 0,
        }
    }
}

impl Merge {
    fn add(&mut self, unit: &Unit, number: usize) -> Result<(), String> {
        let globals = unit.module.globals.iter().map(|global| self.global(global));
        let globals: Vec<GlobalId> = globals.collect::<Result<_, _>>()?;
        for (global, &id) in unit.module.globals.iter().zip(&globals) {
            if global.linkage != Linkage::Undefined {
                let moved =
                    |&(at, id, addend): &(u64, GlobalId, i64)| (at, globals[id.index()], addend);
                self.module.globals[id.index()].relocs = global.relocs.iter().map(moved).collect();
            }
        }
        let numbers = Numbers {
            globals: &globals,
            files: self.module.files.len(),
            types: self.module.debug_types.len(),
        };
        self.module.files.extend(unit.module.files.iter().cloned());
        let types = unit.module.debug_types.iter().cloned();
        let types = types.map(|ty| ty.renumbered(numbers.types as u32));
        self.module.debug_types.extend(types);
        for id in unit.module.func_ids() {
            let Some(body) = unit.module.body(id) else {
                continue;
            };
            let name = self.name(unit, number, &body.name);
            let to = self.function(&name);
            if self.module.body(to).is_some() {
                return Err(format!("more than one definition of function '{name}'"));
            }
            let body = self.copy(unit, number, body, name, &numbers);
            self.module.define(to, body);
        }
        Ok(())
    }

    /// The global in the whole program, without the addresses that it holds.
    fn global(&mut self, global: &Global) -> Result<GlobalId, String> {
        let copy = || Global {
            relocs: Vec::new(),
            ..global.clone()
        };
        if global.linkage == Linkage::Internal {
            return Ok(self.module.add_global(copy()));
        }
        let name = &global.name;
        let Some(&id) = self.variables.get(name) else {
            let id = self.module.add_global(copy());
            self.variables.insert(name.clone(), id);
            return Ok(id);
        };
        let known = &mut self.module.globals[id.index()];
        if known.space != global.space {
            return Err(format!(
                "variable '{name}' is declared in different address spaces"
            ));
        }
        match (known.linkage, global.linkage) {
            (Linkage::Undefined, Linkage::External) => *known = copy(),
            // Constants of a header stand in each unit that includes it.
            (Linkage::External, Linkage::External)
                if known.space != AddrSpace::Constant || known.init != global.init =>
            {
                return Err(format!("more than one definition of variable '{name}'"));
            }
            _ => {}
        }
        Ok(id)
    }

    fn copy(
        &mut self,
        unit: &Unit,
        number: usize,
        body: &Function,
        name: String,
        numbers: &Numbers,
    ) -> Function {
        let mut body = body.clone();
        body.name = name;
        body.map_locs(|loc| numbers.renumber(loc));
        if let Some(debug) = &mut body.debug {
            for variable in &mut debug.variables {
                variable.ty += numbers.types as u32;
            }
        }
        let blocks = body.layout().iter();
        let insts: Vec<_> = blocks
            .flat_map(|&block| body.block(block).insts.clone())
            .collect();
        for inst in insts {
            match body.inst_mut(inst) {
                InstData::Call { func, .. } => {
                    let name = self.name(unit, number, &unit.module.functions[func.index()].name);
                    *func = self.function(&name);
                }
                InstData::GlobalAddr { global } | InstData::Printf { format: global, .. } => {
                    *global = numbers.globals[global.index()];
                }
                _ => {}
            }
        }
        body
    }

    /// The name in the whole program.
    fn name(&self, unit: &Unit, number: usize, name: &str) -> String {
        if unit.internal.iter().any(|internal| internal == name) {
            format!("{name}.{number}")
        } else {
            name.to_string()
        }
    }

    fn function(&mut self, name: &str) -> FuncId {
        if let Some(&id) = self.known.get(name) {
            return id;
        }
        let id = self.module.declare(name);
        self.known.insert(name.to_string(), id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(source: &str) -> SourceUnit {
        SourceUnit {
            source: source.into(),
            ..SourceUnit::default()
        }
    }

    fn link_error(sources: &[&str]) -> String {
        let units: Vec<SourceUnit> = sources.iter().map(|source| unit(source)).collect();
        for unit in &units {
            assert_eq!(compile(unit).1, Ok(()), "{}", compile(unit).0);
        }
        let output = linked(&units);
        assert_eq!(output.result.err(), Some(BuildError::Failed));
        output.log
    }

    fn linked(units: &[SourceUnit]) -> Output {
        run(units, Some(""), Kept::default(), &Timings::none())
    }

    #[test]
    fn functions_are_found_in_other_units() {
        let caller = unit("int twice(int x);\nkernel void k(global int *p) { *p = twice(*p); }");
        let callee = unit(
            "constant int two = 2;\nint twice(int x) { return two * x; }\nkernel void other() {}",
        );
        let output = linked(&[caller, callee]);
        let program = output.result.unwrap_or_else(|_| panic!("{}", output.log));
        let names: Vec<&str> = program
            .kernels
            .iter()
            .map(|kernel| kernel.name.as_str())
            .collect();
        assert_eq!(names, ["k", "other"]);
    }

    #[test]
    fn static_functions_are_their_own() {
        let one =
            unit("static int f(void) { return 1; }\nkernel void a(global int *p) { *p = f(); }");
        let two =
            unit("static int f(void) { return 2; }\nkernel void b(global int *p) { *p = f(); }");
        assert!(linked(&[one, two]).result.is_ok());
    }

    #[test]
    fn variables_are_found_in_other_units() {
        let of = |source: &str| SourceUnit {
            options: "-cl-std=CL3.0".into(),
            ..unit(source)
        };
        let user = of("extern global int count;\nkernel void k() { count++; }");
        let owner = of("global int count = 3;\nglobal int *where = &count;\nkernel void o() {}");
        let other = of("static int count;\nkernel void p() { count++; }");
        let units = [user.clone(), owner, other];
        let Ok(program) = linked(&units).result else {
            panic!("they link");
        };
        assert!((16..=32).contains(&program.variables_size()));
        let log = linked(&[user.clone(), of("kernel void q() {}")]).log;
        assert!(log.contains("undefined reference to 'count'"), "{log}");
        let log = linked(&[of("int count;"), of("int count;")]).log;
        assert!(
            log.contains("more than one definition of variable 'count'"),
            "{log}"
        );
        let log = linked(&[user, of("constant int count = 1;")]).log;
        assert!(log.contains("different address spaces"), "{log}");
    }

    #[test]
    fn misfits_are_errors() {
        let call = "int f(int x);\nkernel void k(global int *p) { *p = f(1); }";
        assert!(link_error(&[call]).contains("undefined reference to 'f'"));
        let f = "int f(int x) { return x; }";
        assert!(link_error(&[call, f, f]).contains("more than one definition of function 'f'"));
        assert!(
            link_error(&[call, "float f(float x, float y) { return x; }"])
                .contains("do not fit together")
        );
        let (ping, pong) = (
            "int f(int x); int g(int x) { return f(x); }",
            "int g(int x); int f(int x) { return g(x); }",
        );
        assert!(link_error(&[call, ping, pong]).contains("do not fit together"));
    }
}
