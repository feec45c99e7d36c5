//! Golden tests of the compiler's stages: every file in `tests/filetests/STAGE/` goes through that stage, and what
//! comes out must be the text in `NAME.expected` beside it. With `CLOTHO_BLESS=1` that file is written instead.
//!
//! A file's first line may give build options (`// options: -D X=1`; for `workgroup`, a number of lanes); a line `//--- NAME` begins a header of that
//! name, which reaches to the next such line or to the end.

use clotho::codegen::{self, FastMath, Form};
use clotho::compiler::stages;
use clotho::front::dump::dump as dump_tree;
use clotho::front::lower::{lower, lower_for_debugger};
use clotho::front::options::{FrontOptions, Target};
use clotho::front::parse::parse;
use clotho::front::pp::{Header, Includes, preprocess};
use clotho::front::sema::analyze;
use clotho::front::session::Session;
use clotho::front::token::TokenStream;
use clotho::front::token_dump::dump;
use clotho::ir::module::FuncSlot;
use clotho::ir::print::with_locations;
use clotho::ir::{Module, parse_module, verify};
use clotho::{opt, workgroup};
use std::fs;
use std::path::{Path, PathBuf};

/// Makes a file's text to the text that is expected.
type Stage = fn(&Case) -> String;

/// The stages, by their folders.
const STAGES: &[(&str, Stage)] = &[
    ("pp", preprocessor),
    ("parse", parser),
    ("sema", analysis),
    ("lower", lowering),
    ("opt", optimiser),
    ("workgroup", work_groups),
    ("codegen", code_generation),
];

/// One test file, taken apart.
struct Case {
    options: String,
    source: String,
    headers: Vec<(String, String)>,
}

#[test]
fn golden_files() {
    // SAFETY: this is the only test of its process; the main thread just waits for it.
    // The text must not depend on this machine's vector registers.
    unsafe { std::env::set_var("CLOTHO_WIDTH", "1") };
    let bless = std::env::var_os("CLOTHO_BLESS").is_some();
    let mut failures = Vec::new();
    for (stage, run) in STAGES {
        let files = inputs(stage);
        assert!(!files.is_empty(), "no test files for stage {stage}");
        for path in files {
            let found = run(&Case::read(&path));
            let golden = path.with_extension("expected");
            if bless {
                fs::write(&golden, found).unwrap();
            } else if fs::read_to_string(&golden).unwrap_or_default() != found {
                failures.push(format!("--- {}\n{found}", path.display()));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} golden files differ (CLOTHO_BLESS=1 accepts):\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn inputs(stage: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/filetests")
        .join(stage);
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e != "expected"))
        .collect();
    files.sort();
    files
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = fs::read_to_string(path).unwrap();
        let mut parts = text.split("//--- ");
        let source = parts.next().unwrap_or_default().to_string();
        let headers = parts.map(|part| {
            let (name, text) = part.split_once('\n').unwrap_or((part, ""));
            (name.trim().to_string(), text.to_string())
        });
        let first = source.lines().next().unwrap_or_default();
        let options = first.strip_prefix("// options: ").unwrap_or_default();
        Case {
            options: options.to_string(),
            headers: headers.collect(),
            source,
        }
    }

    fn headers(&self) -> Vec<Header<'_>> {
        self.headers
            .iter()
            .map(|(name, text)| Header { name, text })
            .collect()
    }
}

/// The device that the tests compile for.
const TARGET: Target = Target {
    device_version: 300,
    extensions: &["cl_khr_fp64", "cl_khr_global_int32_base_atomics"],
    features: &["__opencl_c_int64", "__opencl_c_fp64"],
    images: true,
    fast_fma: true,
    fast_half_fma: true,
};

/// Options, tokens and what the stages share, or what is wrong with the options.
fn tokens(case: &Case) -> Result<(FrontOptions, TokenStream, Session), String> {
    let options = FrontOptions::parse(&case.options).map_err(|error| format!("{}\n", error.0))?;
    let mut session = Session::new(options.warnings);
    let headers = case.headers();
    let includes = Includes {
        headers: &headers,
        files: None,
    };
    let stream = preprocess(&case.source, &includes, &options, &TARGET, &mut session);
    Ok((options, stream, session))
}

/// The tokens, and the build log.
fn preprocessor(case: &Case) -> String {
    match tokens(case) {
        Ok((_, stream, session)) => format!("{}\n{}", dump(&stream, &session), session.log()),
        Err(text) => text,
    }
}

/// The syntax tree, and the build log.
fn parser(case: &Case) -> String {
    match tokens(case) {
        Ok((_, stream, mut session)) => {
            let ast = parse(&stream, &mut session);
            let tree = dump_tree(&ast, &stream, &session.names);
            format!("{tree}\n{}", session.log())
        }
        Err(text) => text,
    }
}

/// The build log.
fn analysis(case: &Case) -> String {
    match tokens(case) {
        Ok((options, stream, mut session)) => {
            let ast = parse(&stream, &mut session);
            let names = &session.names;
            analyze(&ast, &stream, names, &options, &mut session.diags);
            session.log()
        }
        Err(text) => text,
    }
}

/// The IR, or the build log.
fn lowering(case: &Case) -> String {
    let (options, stream, mut session) = match tokens(case) {
        Ok(parts) => parts,
        Err(text) => return text,
    };
    let ast = parse(&stream, &mut session);
    let names = &session.names;
    let analysis = analyze(&ast, &stream, names, &options, &mut session.diags);
    if session.diags.has_errors() {
        return session.log();
    }
    let (program, types, sources) = (&analysis.program, &analysis.types, &session.sources);
    let module = match options.debug_info && options.opt_disable {
        true => lower_for_debugger(program, types, sources, &session.names),
        false => lower(program, types, sources),
    };
    match verify(&module) {
        Ok(()) => text(&module),
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
            format!("{module}\n{}\n", errors.join("\n"))
        }
    }
}

/// The IR after the pass that the options name, on every function; `inline` is for the kernel.
fn optimiser(case: &Case) -> String {
    let mut module = parsed(case);
    let pass = case.options.trim();
    if pass == "inline" {
        let kernel = module.kernels().next().expect("a kernel");
        opt::run_required(&mut module, &[kernel]).expect("a small kernel");
    } else {
        for slot in &mut module.functions {
            if let Some(body) = &mut slot.body {
                assert!(opt::run_pass(body, pass), "no pass '{pass}'");
            }
        }
    }
    shown(&module)
}

/// The kernel and its group function, and what that needs. An option says how many items run in one pass.
fn work_groups(case: &Case) -> String {
    let mut module = parsed(case);
    let kernel = module.kernels().next().expect("a kernel");
    let lanes = case.options.parse().unwrap_or(1);
    let options = workgroup::Options {
        width: workgroup::Width::Lanes(lanes),
        ..workgroup::Options::default()
    };
    let group = workgroup::run(&mut module, kernel, options);
    format!("{group:?}\n{}", shown(&module))
}

/// The LLVM module of the group functions before LLVM's passes, for a CPU without any extension.
fn code_generation(case: &Case) -> String {
    let made = stages::group(&case.source, &case.options);
    let (module, _) = made.unwrap_or_else(|log| panic!("{log}"));
    let relaxed = case.options.contains("-cl-fast-relaxed-math");
    let options = codegen::Options {
        fast_math: if relaxed {
            FastMath::RELAXED
        } else {
            FastMath::default()
        },
        near_sqrt: false,
        optimize: true,
        streaming: false,
        debug: false,
        features: Some(String::new()),
    };
    codegen::print(&module, &options, Form::Llvm).unwrap_or_else(|error| panic!("{error}"))
}

fn parsed(case: &Case) -> Module {
    parse_module(&case.source).unwrap_or_else(|error| panic!("{error}\n{}", case.source))
}

/// The text, and what the verifier says.
fn shown(module: &Module) -> String {
    let errors = verify(module).err().unwrap_or_default();
    let errors: Vec<String> = errors.iter().map(|e| format!("{e}\n")).collect();
    format!("{}{}", text(module), errors.concat())
}

/// With the places in the source where a debugger is told of them.
fn text(module: &Module) -> String {
    let mut functions = module.functions.iter();
    let told = |slot: &FuncSlot| slot.body.as_ref().is_some_and(|body| body.debug.is_some());
    match functions.any(told) {
        true => with_locations(module).to_string(),
        false => module.to_string(),
    }
}
