//! C host programs against the built library: through the system's ICD loader and linked directly. Also what the
//! library shows to the linker. Each program prints the checks that failed and ends with their verdict.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a program finds the library.
#[derive(Clone, Copy)]
enum Way {
    /// Linked with libOpenCL; the loader finds an .icd file that names the library.
    Loader,
    /// Linked with the library itself.
    Direct,
}

/// The built library, next to this test's own executable.
fn library() -> PathBuf {
    let exe = std::env::current_exe().expect("a test knows where it is");
    let deps = exe.parent().expect("it is in a folder");
    let candidates = [
        deps.join("libclotho.so"),
        deps.with_file_name("libclotho.so"),
    ];
    let found = candidates.iter().find(|path| path.exists());
    found
        .unwrap_or_else(|| panic!("none of {candidates:?} exists"))
        .clone()
}

/// A folder of this test program for files with `name` in theirs.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("host")
        .join(name);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

fn vendors(folder: &Path) -> PathBuf {
    let vendors = folder.join("vendors");
    std::fs::create_dir_all(&vendors).expect("the target folder is writable");
    let line = format!("{}\n", library().display());
    std::fs::write(vendors.join("clotho.icd"), line).expect("the target folder is writable");
    vendors
}

fn compile(name: &str, way: Way, folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/host")
        .join(format!("{name}.c"));
    let program = folder.join(name);
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let compiler = cc::Build::new()
        .target(&host)
        .host(&host)
        .opt_level(1)
        .cargo_metadata(false)
        .get_compiler();
    let mut command = compiler.to_command();
    command
        .args(["-std=gnu11", "-Wall", "-Wno-unused-function", "-Werror"])
        .arg(&source)
        .arg("-o")
        .arg(&program);
    match way {
        Way::Loader => command.arg("-lOpenCL"),
        Way::Direct => {
            let library = library();
            let folder = library.parent().expect("it is in a folder");
            command
                .arg(&library)
                .arg(format!("-Wl,-rpath,{}", folder.display()))
        }
    };
    check(command.args(["-ldl", "-lpthread", "-lm"]));
    program
}

fn check(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{text}{errors}",
        output.status
    );
    output
}

/// Compiles and runs one program.
fn host(name: &str, way: Way) {
    let folder = scratch(&match way {
        Way::Loader => format!("{name}-loader"),
        Way::Direct => format!("{name}-direct"),
    });
    let program = compile(name, way, &folder);
    check(
        Command::new("timeout")
            .arg("300")
            .arg(&program)
            .env("OCL_ICD_VENDORS", vendors(&folder)),
    );
}

macro_rules! programs {
    ($($name:ident: $($way:ident)+;)*) => {$(
        #[test]
        fn $name() {
            $(host(stringify!($name), Way::$way);)+
        }
    )*};
}

programs! {
    context_queue: Loader Direct;
    event: Loader Direct;
    extensions: Loader;
    garbage_handles: Direct;
    icd_layout: Direct;
    kernel: Loader Direct;
    malformed: Loader;
    memory: Loader Direct;
    platform_device: Loader Direct;
    program: Loader Direct;
    soak: Loader;
    threads: Direct;
    transfer: Loader Direct;
    unsupported: Loader Direct;
}

#[test]
fn only_entry_points_are_exported() {
    let output = check(
        Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(library()),
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let strange: Vec<_> = names
        .iter()
        .filter(|name| !name.starts_with("cl"))
        .collect();
    assert!(
        strange.is_empty(),
        "exported, but no entry points: {strange:?}"
    );
    assert!(
        names.contains(&"clIcdGetPlatformIDsKHR") && names.len() > 120,
        "{} names",
        names.len()
    );
}

#[test]
fn the_library_needs_no_loader_and_no_llvm_and_stays_loaded() {
    let output = check(Command::new("readelf").arg("-d").arg(library()));
    let text = String::from_utf8_lossy(&output.stdout);
    for needed in text.lines().filter(|line| line.contains("(NEEDED)")) {
        assert!(
            !needed.contains("OpenCL") && !needed.contains("LLVM"),
            "{needed}"
        );
    }
    let flags = text
        .lines()
        .find(|line| line.contains("(FLAGS_1)"))
        .unwrap_or_default();
    assert!(flags.contains("NODELETE"), "{flags}");
}

#[test]
fn clinfo_tells_every_line() {
    let vendors = vendors(&scratch("clinfo"));
    let output = check(Command::new("clinfo").env("OCL_ICD_VENDORS", vendors));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("Platform Name                                   Clotho"),
        "{text}"
    );
    let complaint = text
        .lines()
        .find(|line| line.contains(" : error ") || line.contains("BUILD_LOG"));
    assert_eq!(complaint, None, "{text}");
}
