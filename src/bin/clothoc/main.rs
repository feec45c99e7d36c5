//! The offline compiler: checks a source, shows it after any stage, makes program binaries, and tells what the device is.
//!
//! ```text
//! clothoc check FILE [OPTIONS...]                       build; the log goes to standard error, the exit status tells
//! clothoc dump [--full-rows] STAGE FILE [OPTIONS...]    STAGE: tokens ast ir group llvm llvm-opt asm
//! clothoc kernels FILE [OPTIONS...]                     build, and list the kernels with what they need
//! clothoc emit [--library=LIBRARY] OUT FILE [OPTIONS...]      a program binary, with machine code
//! clothoc compile [--library=LIBRARY] OUT FILE [OPTIONS...]   a compiled object
//! clothoc link [--library=LIBRARY] OUT FILE... [OPTIONS...]   objects to a program binary, or with -create-library to a library
//! clothoc device                                        the properties of platform and device, and the compiler's
//! ```
//!
//! OPTIONS are those of clBuildProgram, clCompileProgram, clLinkProgram; `-` as FILE is standard input. `--full-rows` shows the
//! group function for launches whose rows in x are multiples of the lanes, where a kernel has one. OUT is for
//! clCreateProgramWithBinary of the library that made it, by default the libclotho.so beside this program.

mod binary;
mod device;
mod library;
mod properties;

use binary::Maker;
use clotho::compiler::stages::{Rows, Stage, dump};
use clotho::compiler::{self, STACK_SIZE};
use library::Library;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: clothoc check FILE [OPTIONS...]\n       \
                     clothoc dump [--full-rows] {tokens|ast|ir|group|llvm|llvm-opt|asm} FILE [OPTIONS...]\n       \
                     clothoc kernels FILE [OPTIONS...]\n       \
                     clothoc emit [--library=LIBRARY] OUT FILE [OPTIONS...]\n       \
                     clothoc compile [--library=LIBRARY] OUT FILE [OPTIONS...]\n       \
                     clothoc link [--library=LIBRARY] OUT FILE... [OPTIONS...]\n       \
                     clothoc device";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // The compiler recurses over trees, and the main thread's stack is small.
    let worker = std::thread::Builder::new()
        .stack_size(STACK_SIZE)
        .spawn(move || run(&args));
    let result = match worker.map(|w| w.join()) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err("internal error".into()),
        Err(error) => Err(error.to_string()),
    };
    match result {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("{}", text.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<String, String> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["check", file, ref options @ ..] => {
            let (text, options) = input(file, options)?;
            let output = compiler::build(&text, &options, &[]);
            eprint!("{}", output.log);
            let program = output.result.map_err(|_| "build failed")?;
            for kernel in &program.kernels {
                kernel.code(0, [1; 3], [1; 3]).entry()?;
            }
            Ok(String::new())
        }
        ["dump", "--full-rows", stage, file, ref options @ ..] => {
            let (text, options) = input(file, options)?;
            dump(&text, &options, find(stage)?, Rows::Full)
        }
        ["dump", stage, file, ref options @ ..] => {
            let (text, options) = input(file, options)?;
            dump(&text, &options, find(stage)?, Rows::Any)
        }
        ["kernels", file, ref options @ ..] => {
            let (text, options) = input(file, options)?;
            kernels(&text, &options)
        }
        [command @ ("emit" | "compile" | "link"), ref rest @ ..] => {
            let given = rest
                .first()
                .and_then(|word| word.strip_prefix("--library="));
            let rest = &rest[usize::from(given.is_some())..];
            let &[out, ref files @ ..] = rest else {
                return Err(USAGE.into());
            };
            let make = || Maker::new(Library::open(given.map(Path::new))?);
            let binary = match (command, files) {
                ("emit", &[file, ref options @ ..]) => {
                    let (text, options) = input(file, options)?;
                    make()?.build(&text, &options)?
                }
                ("compile", &[file, ref options @ ..]) => {
                    let (text, options) = input(file, options)?;
                    make()?.compile(&text, &options)?
                }
                ("link", words) => {
                    let files = words.iter().take_while(|word| !word.starts_with('-'));
                    let objects = files.map(|&file| Ok((file, read(file)?)));
                    let objects = objects.collect::<Result<Vec<_>, String>>()?;
                    make()?.link(&objects, &join(&words[objects.len()..]))?
                }
                _ => return Err(USAGE.into()),
            };
            std::fs::write(out, binary).map_err(|e| format!("{out}: {e}"))?;
            Ok(String::new())
        }
        ["device"] => device::list(&Library::own()),
        ["--help"] => Ok(format!("{USAGE}\n")),
        _ => Err(USAGE.into()),
    }
}

fn find(stage: &str) -> Result<Stage, String> {
    let found = Stage::NAMES.iter().find(|(name, _)| *name == stage);
    found.map(|&(_, stage)| stage).ok_or(USAGE.into())
}

/// The text, which says what file it is, and its options, which say where its folder is, for what it includes.
fn input(file: &str, options: &[&str]) -> Result<(String, String), String> {
    let bytes = read(file)?;
    let name = match file {
        "-" => "<stdin>".into(),
        _ => file.replace('\\', "\\\\").replace('"', "\\\""),
    };
    let text = format!("#line 1 \"{name}\"\n{}", String::from_utf8_lossy(&bytes));
    let mut words = options.to_vec();
    let folder = Path::new(file).parent().and_then(Path::to_str);
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        words.extend(["-I", folder]);
    }
    Ok((text, join(&words)))
}

/// The words of a command line as one string of options, which is split as a shell does it.
fn join(words: &[&str]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    let quoted = words.iter().map(
        |word| match !word.is_empty() && word.chars().all(is_plain) {
            true => word.to_string(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        },
    );
    quoted.collect::<Vec<_>>().join(" ")
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let result = if file == "-" {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(file).map(|b| bytes = b)
    };
    result.map_err(|e| format!("{file}: {e}"))?;
    Ok(bytes)
}

fn kernels(source: &str, options: &str) -> Result<String, String> {
    let output = compiler::build(source, options, &[]);
    let program = match output.result {
        Ok(program) => program,
        Err(_) => return Err(output.log),
    };
    let mut text = String::new();
    for kernel in &program.kernels {
        let params: Vec<String> = kernel
            .params
            .iter()
            .map(|p| format!("{} {}", p.type_name, p.name))
            .collect();
        text += &format!(
            "{}({})\n  local memory {} bytes, private {} bytes; scratch {} bytes an item and {} bytes\n",
            kernel.name,
            params.join(", "),
            kernel.local_mem_size,
            kernel.private_mem_size,
            kernel.scratch_per_item,
            kernel.scratch_fixed
        );
    }
    Ok(text)
}
