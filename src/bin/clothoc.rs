//! The offline compiler: checks a source, or shows it after any stage.
//!
//! ```text
//! clothoc check FILE [OPTIONS...]          build; the log goes to standard error, the exit status tells
//! clothoc dump STAGE FILE [OPTIONS...]     STAGE: tokens ast ir group llvm llvm-opt asm
//! clothoc kernels FILE [OPTIONS...]        build, and list the kernels with what they need
//! ```
//!
//! OPTIONS are those of clBuildProgram; `-` as FILE is standard input.

use clotho::compiler::stages::{Stage, dump};
use clotho::compiler::{self, STACK_SIZE};
use std::io::Read;
use std::process::ExitCode;

const USAGE: &str = "usage: clothoc check FILE [OPTIONS...]\n       \
                     clothoc dump {tokens|ast|ir|group|llvm|llvm-opt|asm} FILE [OPTIONS...]\n       \
                     clothoc kernels FILE [OPTIONS...]";

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
            let output = compiler::build(&read(file)?, &options.join(" "), &[]);
            eprint!("{}", output.log);
            let program = output.result.map_err(|_| "build failed")?;
            for kernel in &program.kernels {
                kernel.code(0, 1, 1).entry()?;
            }
            Ok(String::new())
        }
        ["dump", stage, file, ref options @ ..] => {
            let stage = Stage::NAMES
                .iter()
                .find(|(name, _)| *name == stage)
                .ok_or(USAGE)?
                .1;
            dump(&read(file)?, &options.join(" "), stage)
        }
        ["kernels", file, ref options @ ..] => kernels(&read(file)?, &options.join(" ")),
        _ => Err(USAGE.into()),
    }
}

fn read(file: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let result = if file == "-" {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(file).map(|b| bytes = b)
    };
    result.map_err(|e| format!("{file}: {e}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
