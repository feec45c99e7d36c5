//! One kernel in every form: the interpreter on the front end's IR is the oracle, machine code of each width must leave
//! the same memory.

use super::super::support::check::same;
use super::super::support::executor::{ArgData, Built};
use super::super::support::interp::{Program, with_stack};
use super::super::support::machine_code::Code;
use super::super::support::runfile::{Launch, RunFile};
use clotho::compiler::stages::Linked;
use std::sync::Arc;

/// Instructions that the oracle may run: kernels that take longer are left out.
const STEP_LIMIT: u64 = 30_000_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    /// It does not compile, or the oracle does not run it to its end.
    Invalid(String),
    /// The stage, and what is wrong there.
    Differs(String, String),
}

/// Runs a run test of one launch; tells `progress` each stage before it begins.
pub fn run(text: &str, widths: &[u16], mut progress: impl FnMut(&str)) -> Verdict {
    let oracle = || {
        let file = RunFile::parse(text)?;
        let launch = file.launches.into_iter().next().ok_or("no launch")?;
        let args = launch.data()?;
        let linked = with_stack(|| Linked::new(text, &launch.options))?;
        let mut items = Program::items(linked.module().clone());
        items.step_limit = STEP_LIMIT;
        let expected = items.run(&launch.kernel, &args, &launch.range)?;
        Ok::<_, String>((launch, args, linked, expected))
    };
    progress("the interpreter");
    let (launch, args, linked, expected) = match oracle() {
        Ok(oracle) => oracle,
        Err(error) => return Verdict::Invalid(error),
    };
    for &width in widths {
        let stage = format!("by {width}");
        progress(&stage);
        let found = with_stack(|| linked.program(width)).and_then(|program| {
            Code::new(Arc::new(program)).run(&launch.kernel, &args, &launch.range)
        });
        let wrong = match &found {
            Ok(found) => same(&launch, found, &expected).err(),
            Err(error) => Some(error.clone()),
        };
        if let Some(wrong) = wrong {
            progress(&format!("{stage}, its group function interpreted"));
            let group = match group(&linked, width, &launch, &args, &expected) {
                Ok(()) => "its group function, interpreted, is right: code generation".to_string(),
                Err(error) => format!("its group function, interpreted: {error}"),
            };
            return Verdict::Differs(stage, format!("{wrong}\n{group}"));
        }
    }
    Verdict::Same
}

fn group(
    linked: &Linked,
    width: u16,
    launch: &Launch,
    args: &[ArgData],
    expected: &[Vec<u8>],
) -> Result<(), String> {
    let (module, list) = with_stack(|| linked.group(width))?;
    let mut groups = Program::groups(module, &list);
    groups.step_limit = 20 * STEP_LIMIT;
    let found = groups.run(&launch.kernel, args, &launch.range)?;
    same(launch, &found, expected)
}
