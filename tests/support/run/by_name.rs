//! Executors by the names that the command line and `CLOTHO_RUN` give them; `tests/run.rs` lists them.

use super::check;
use super::executor::Executor;
use super::interp::Interp;
use super::machine_code::{MachineCode, Units};
use super::opencl::OpenCl;
use super::runfile::RunFile;

/// Work-items in one pass.
const WIDTHS: [u16; 6] = [1, 4, 8, 16, 32, 64];

/// Runs every launch of the file on the executor.
pub fn run(file: &RunFile, executor: &str) -> Result<(), String> {
    let executor: Box<dyn Executor> = match executor.split_once(':').unwrap_or((executor, "")) {
        ("interp", "") => Box::new(Interp::Items),
        ("group", "") => Box::new(Interp::Groups),
        ("code", "") => {
            let units = Units::default();
            for width in WIDTHS {
                check::run(file, &MachineCode::By(width, &units))
                    .map_err(|error| format!("by {width}: {error}"))?;
            }
            Box::new(MachineCode::Chosen)
        }
        ("opencl", platform) => {
            if file.skip_peer.is_some() && !platform.eq_ignore_ascii_case("clotho") {
                return Ok(());
            }
            Box::new(OpenCl::open(platform)?)
        }
        _ => return Err(format!("no executor `{executor}`")),
    };
    check::run(file, &*executor)
}
