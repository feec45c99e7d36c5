//! C host programs against the built library: through the system's ICD loader and linked directly. Also what the
//! library shows to the linker. Each program prints the checks that failed and ends with their verdict.

#[path = "support/host/sanitizer.rs"]
mod sanitizer;

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

/// The built library, next to this test's own executable, or the one that a sanitizer looks at.
fn library() -> PathBuf {
    if let Some(sanitizer) = sanitizer::wanted() {
        return sanitizer.library;
    }
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
    let command = || {
        let mut command = compiler.to_command();
        command.args(["-std=gnu11", "-Wall", "-Wno-unused-function", "-Werror"]);
        command
    };
    let mut link = command();
    match sanitizer::wanted() {
        Some(sanitizer) => sanitizer.compile(command(), &source, &program, &mut link),
        None => _ = link.arg(&source),
    }
    link.arg("-o").arg(&program);
    match way {
        Way::Loader => link.arg("-lOpenCL"),
        Way::Direct => {
            let library = library();
            let folder = library.parent().expect("it is in a folder");
            link.arg(&library)
                .arg(format!("-Wl,-rpath,{}", folder.display()))
        }
    };
    check(link.args(["-ldl", "-lpthread", "-lm"]));
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
            .arg(sanitizer::wanted().map_or("300", |_| "1200"))
            .arg(&program)
            // Neither does a user's cache change what is tested, nor the other way round.
            .env("CLOTHO_CACHE", "0")
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
    callback_order: Loader Direct;
    command_buffer: Loader Direct;
    context_queue: Loader Direct;
    device_enqueue: Loader Direct;
    event: Loader Direct;
    extensions: Loader;
    garbage_handles: Direct;
    icd_layout: Direct;
    image: Loader Direct;
    image_kernels: Loader;
    kernel: Loader Direct;
    malformed: Loader;
    memory: Loader Direct;
    mutable_dispatch: Loader Direct;
    native_kernel: Loader Direct;
    pipe: Loader Direct;
    platform_device: Loader Direct;
    program: Loader Direct;
    semaphore: Loader Direct;
    short_memory: Loader;
    soak: Loader;
    sub_device: Loader Direct;
    sub_groups: Loader;
    svm: Loader Direct;
    threads: Direct;
    transfer: Loader Direct;
    unsupported: Loader Direct;
    usm: Loader Direct;
    variables: Loader;
}

/// A program in one of its modes, by its arguments.
fn in_mode(name: &str, mode: &str, variables: &[(&str, &str)]) -> Output {
    let folder = scratch(&format!("{name}-{}", mode.replace([' ', '/'], "_")));
    let mut command = Command::new("timeout");
    command
        .arg("120")
        .arg(compile(name, Way::Loader, &folder))
        .args(mode.splitn(2, ' '))
        .env("CLOTHO_CACHE", "0")
        .env("OCL_ICD_VENDORS", vendors(&folder))
        .env("XDG_RUNTIME_DIR", &folder)
        .envs(variables.iter().copied());
    check(&mut command)
}

/// Random valid and invalid calls of eight threads against a model: a minute of what `make soak` does for half an hour.
#[test]
fn calls_on_shared_objects_answer_as_the_model_says() {
    let folder = scratch("api_soak");
    // Sanitizers keep what has been freed from use again for a while.
    let growth: &[&str] = match sanitizer::wanted() {
        Some(_) => &["--growth", "4096"],
        None => &[],
    };
    check(
        Command::new("timeout")
            .arg("500")
            .arg(compile("api_soak", Way::Loader, &folder))
            .args(["--seconds", "60", "--seed", "1"])
            .args(growth)
            .env("CLOTHO_CACHE", "0")
            .env("OCL_ICD_VENDORS", vendors(&folder)),
    );
}

#[test]
fn kernels_that_fault_fail_their_command() {
    in_mode("faults", "default", &[]);
}

/// What waits for the command has the message: the process may end then.
#[test]
fn a_fault_is_told_before_who_waits_goes_on() {
    for mode in ["brief", "brief callback"] {
        for _ in 0..20 {
            let said = in_mode("faults", mode, &[]).stderr;
            let said = String::from_utf8_lossy(&said);
            assert!(said.contains("wrote to"), "{mode}: {said}");
        }
    }
}

#[test]
fn the_host_keeps_its_own_signal_handlers() {
    in_mode("faults", "handler", &[]);
}

#[test]
fn the_watchdog_ends_endless_kernels() {
    in_mode("faults", "endless", &[("CLOTHO_WATCHDOG", "0.3")]);
}

#[test]
fn with_debug_information_messages_name_the_line() {
    for options in ["-g", "-g -cl-opt-disable"] {
        in_mode("faults", &format!("default {options}"), &[]);
    }
    let limit = [("CLOTHO_WATCHDOG", "0.3")];
    in_mode("faults", "endless -g -cl-opt-disable", &limit);
}

#[test]
fn faults_in_linked_units_name_the_file() {
    for options in ["-g", "-g -cl-opt-disable"] {
        in_mode("linked_lines", &format!("lines {options}"), &[]);
    }
}

#[test]
fn gdb_shows_lines_variables_and_work_items() {
    gdb("debugged");
}

#[test]
fn gdb_knows_the_units_of_a_linked_program() {
    gdb("linked_lines");
}

/// A program and a session: `tests/host/NAME.gdb` has what is typed, with what it shows as comments: `#= text`, whole lines
/// in that order.
fn gdb(name: &str) {
    let folder = scratch(&format!("{name}-gdb"));
    let program = compile(name, Way::Loader, &folder);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/host/{name}.gdb"));
    let text = std::fs::read_to_string(&script).expect("it is there");
    let mut command = Command::new("timeout");
    command
        .args(["120", "gdb", "-nx", "-batch", "-x"])
        .arg(&script)
        .arg(program)
        .env("CLOTHO_CACHE", "0")
        .env("CLOTHO_WORKERS", "1")
        .env("OCL_ICD_VENDORS", vendors(&folder))
        .env("XDG_RUNTIME_DIR", &folder)
        .env_remove("DEBUGINFOD_URLS");
    let output = check(&mut command);
    let shown = String::from_utf8_lossy(&output.stdout);
    let mut lines = shown.lines();
    for expected in text.lines().filter_map(|line| line.strip_prefix("#= ")) {
        assert!(
            lines.any(|line| line == expected),
            "no {expected:?}, or not there, in:\n{shown}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn odd_hosts_come_to_their_end() {
    for mode in [
        "fork_before",
        "fork_idle",
        "fork_busy",
        "exit_busy",
        "_exit_busy",
        "abort_busy",
        "small_stack",
        "signals",
        "callbacks",
        "user_events",
        "release_busy",
        "one_cpu",
        "shared",
    ] {
        in_mode("odd_hosts", mode, &[]);
    }
    in_mode("odd_hosts", "locale", &[("LC_ALL", "de_DE.UTF-8")]);
    in_mode("odd_hosts", "whole", &[("CLOTHO_WORKERS", "64")]);
}

/// A program in a mode, with a folder of its own for the cache or none; what the log says of launches that ran joined.
fn joined_launches(name: &str, mode: &str, cache: Option<&Path>) -> Vec<String> {
    let cache = cache.map(|folder| folder.to_str().expect("a path of ours"));
    let output = in_mode(
        name,
        mode,
        &[
            ("CLOTHO_LOG", "debug"),
            ("CLOTHO_WORKERS", "2"),
            ("CLOTHO_CACHE", if cache.is_some() { "1" } else { "0" }),
            ("CLOTHO_CACHE_DIR", cache.unwrap_or("")),
        ],
    );
    let log = String::from_utf8_lossy(&output.stderr);
    let joined = log.lines().filter(|line| line.contains(" joined="));
    joined.map(str::to_owned).collect()
}

/// How many launches of `joined_groups` in a mode ran joined.
fn joined_groups(mode: &str, cache: Option<&Path>) -> usize {
    joined_launches("joined_groups", mode, cache).len()
}

#[test]
fn long_launches_with_tiles_in_common_run_joined() {
    assert!(joined_groups("threads", None) > 0);
    joined_groups("release", None);
}

#[test]
fn long_launches_of_small_groups_run_by_code_for_their_size() {
    let settings = [
        ("CLOTHO_LOG", "debug"),
        ("CLOTHO_WORKERS", "2"),
        ("CLOTHO_CACHE", "0"),
    ];
    let output = in_mode("sized_groups", "all", &settings);
    let log = String::from_utf8_lossy(&output.stderr);
    for local in ["64,1", "8,8", "32,2", "16,1"] {
        let field = format!(" local={local} sized=yes");
        assert!(log.contains(&field), "no launch of groups of {local}");
    }
    for local in ["256,4", "5,4"] {
        assert!(log.contains(&format!(" local={local} ")));
        assert!(!log.contains(&format!(" local={local} sized=yes")));
    }
}

/// What one process has made for that is there for the next one.
#[test]
fn code_for_joined_groups_is_kept() {
    let folder = scratch("joined_groups-kept");
    let cache = folder.join("entries");
    _ = std::fs::remove_dir_all(&cache);
    let entries = || -> usize {
        let folders = std::fs::read_dir(&cache).expect("it has been made");
        let folders = folders.map(|entry| entry.expect("readable").path());
        let folders = folders.filter(|path| path.is_dir());
        let counts = folders.map(|path| std::fs::read_dir(path).expect("readable").count());
        counts.sum()
    };
    assert!(joined_groups("once", Some(&cache)) > 0);
    let before = entries();
    assert!(joined_groups("once", Some(&cache)) > 0);
    assert_eq!(entries(), before);
    let binary = folder.join("binary");
    let file = binary.to_str().expect("a path of ours");
    assert!(joined_groups(&format!("save {file}"), None) > 0);
    assert!(joined_groups(&format!("load {file}"), None) > 0);
}

/// Some of them in groups of 16 rows or more, where the application asked for fewer.
#[test]
fn columns_come_out_right_in_launches_of_all_shapes() {
    let joined = joined_launches("columns", "", None);
    let in_tiles = |line: &&String| {
        let rows = |name: &str| {
            let sizes = line.split_once(name)?.1.split(' ').next()?;
            sizes.split(',').nth(1)?.parse::<u32>().ok()
        };
        rows(" local=") < Some(16) && rows(" joined=") >= Some(16)
    };
    assert!(joined.iter().any(|line| in_tiles(&line)));
}

/// How many launches of a kernel by `joined_uses` in a mode ran joined.
fn joined_uses(mode: &str, kernel: &str, cache: Option<&Path>) -> usize {
    let joined = joined_launches("joined_uses", mode, cache);
    let which = format!(" kernel={kernel}");
    joined.iter().filter(|line| line.contains(&which)).count()
}

#[test]
fn recorded_launches_run_joined() {
    assert!(joined_uses("command_buffer", "tiles", None) > 0);
    assert!(joined_uses("mutable", "tiles", None) > 0);
}

#[test]
fn launches_that_kernels_enqueue_run_joined() {
    assert!(joined_uses("device", ".enqueued", None) > 0);
}

/// Also where an earlier process has left the kernel for such images.
#[test]
fn launches_with_images_run_joined() {
    let folder = scratch("joined_uses-images");
    let cache = folder.join("entries");
    _ = std::fs::remove_dir_all(&cache);
    for _ in 0..2 {
        assert!(joined_uses("image", "of_image", Some(&cache)) > 0);
    }
    let file = folder.join("binary");
    let file = file.to_str().expect("a path of ours");
    assert!(joined_uses(&format!("image-save {file}"), "of_image", None) > 0);
    assert!(joined_uses(&format!("image-load {file}"), "of_image", None) > 0);
}

/// The child's launches are known by their size.
#[test]
fn parent_and_child_have_groups_joined() {
    let file = scratch("joined_uses-fork").join("binary");
    let joined = joined_launches("joined_uses", &format!("fork {}", file.display()), None);
    for size in ["320,320", "320,256"] {
        let which = format!(" kernel=tiles global={size} ");
        assert!(joined.iter().any(|line| line.contains(&which)), "{size}");
    }
}

#[test]
fn kernels_may_go_while_their_groups_are_being_joined() {
    joined_uses("release", "tiles", None);
    let file = scratch("joined_uses-release").join("binary");
    let file = file.to_str().expect("a path of ours");
    joined_uses(&format!("release-load {file}"), "tiles", None);
}

#[test]
fn the_library_can_be_closed_and_opened_again() {
    let folder = scratch("dl_reopen");
    let program = compile("dl_reopen", Way::Loader, &folder);
    for cache in ["0", "1"] {
        check(
            Command::new("timeout")
                .arg("120")
                .arg(&program)
                .arg(library())
                .env("CLOTHO_CACHE", cache)
                .env("CLOTHO_CACHE_DIR", folder.join("entries")),
        );
    }
}

#[test]
fn settings_that_mean_nothing_are_complained_of_once() {
    let output = in_mode(
        "seen",
        "all",
        &[("CLOTHO_WORKERS", "none"), ("CLOTHO_WIDTH", "5")],
    );
    let said = String::from_utf8_lossy(&output.stderr);
    for line in [
        "clotho: CLOTHO_WORKERS is 'none': it takes a number from 1 to 1024\n",
        "clotho: CLOTHO_WIDTH is '5': it takes 1, 2, 4, 8, 16, 32 or 64\n",
    ] {
        assert_eq!(said.matches(line).count(), 1, "{said}");
    }
}

#[test]
fn log_and_timeline_tell_of_a_run() {
    let file = scratch("seen-all").join("trace.json");
    let name = file.to_str().expect("a path of ours");
    let output = in_mode(
        "seen",
        "all",
        &[("CLOTHO_LOG", "debug"), ("CLOTHO_TRACE", name)],
    );
    let log = String::from_utf8_lossy(&output.stderr);
    for part in [
        " info device ",
        " info build job=build sources=1 result=failed ",
        "use of undeclared identifier 'nothing'",
        " info build job=build sources=1 result=ok kernels=2 ",
        " debug command queue=1 command=NDRANGE_KERNEL kernel=second_kernel global=262144 local=16 groups=16384 status=0 ",
        " command=READ_BUFFER ",
        " info api_error function=clEnqueueReadBuffer error=CL_INVALID_VALUE\n",
    ] {
        assert!(log.contains(part), "no {part:?} in:\n{log}");
    }
    let trace = std::fs::read_to_string(&file).expect("it has been written");
    let events = trace
        .strip_prefix("[\n")
        .and_then(|t| t.strip_suffix("\n]\n"));
    let events = events.unwrap_or_else(|| panic!("no whole array:\n{trace}"));
    for (n, line) in events.lines().enumerate() {
        let event = line.strip_suffix(',').unwrap_or(line);
        let whole = event.starts_with("{\"ph\":\"") && event.ends_with('}');
        assert!(whole, "line {n}: {line}");
        assert_eq!(event.matches('{').count(), event.matches('}').count());
    }
    for part in [
        "\"cat\":\"command\",\"name\":\"first_kernel\"",
        "\"cat\":\"chunk\",\"name\":\"second_kernel\"",
        "\"cat\":\"build\",\"name\":\"LLVM\"",
        "\"cat\":\"api\",\"name\":\"clFinish\"",
        "\"args\":{\"name\":\"queue 1\"}",
        "\"args\":{\"name\":\"clotho-worker\"}",
    ] {
        assert!(events.contains(part), "no {part:?} in:\n{events}");
    }
}

/// `clothoc` with these words; whether it succeeds, and all that it says.
fn clothoc(folder: &Path, words: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_clothoc"))
        .current_dir(folder)
        .args(words)
        .env("CLOTHO_CACHE", "0")
        .output()
        .expect("it starts");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
fn binaries_that_clothoc_makes_run_as_they_are() {
    let folder = scratch("offline");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("the target folder is writable");
    };
    write("answer.h", "#define ANSWER (N + 2)\n");
    let kernel = "kernel void k(global int *p) { p[get_global_id(0)] = get_global_id(0) + F; }\n";
    write(
        "one.cl",
        &format!("#include <answer.h>\n#define F ANSWER\n{kernel}"),
    );
    write("user.cl", &format!("int f(void);\n#define F f()\n{kernel}"));
    write("f.cl", "int f(void) { return N; }\n");
    write(
        "wrong.cl",
        "kernel void k(global int *p) { *p = nothing; }\n",
    );
    let library = format!("--library={}", library().display());
    for words in [
        "emit LIBRARY one.bin one.cl -I . -D N=40",
        "compile LIBRARY f.bin f.cl -D N=7",
        "link LIBRARY f.lib f.bin -create-library",
        "compile LIBRARY user.bin user.cl",
        "link LIBRARY linked.bin user.bin f.lib -cl-fast-relaxed-math",
        "compile LIBRARY alone.o one.cl -I . -D N=1",
        "link LIBRARY alone.bin alone.o",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let words = words.iter().map(|&word| match word {
            "LIBRARY" => library.as_str(),
            word => word,
        });
        let (fine, text) = clothoc(&folder, &words.collect::<Vec<_>>());
        assert!(fine && text.is_empty(), "{text}");
    }
    // They hold all that is needed.
    for name in ["answer.h", "one.cl", "user.cl", "f.cl"] {
        std::fs::remove_file(folder.join(name)).expect("it is ours");
    }
    let program = compile("offline", Way::Loader, &folder);
    for (file, answer) in [("one.bin", "42"), ("linked.bin", "7"), ("alone.bin", "3")] {
        let output = check(
            Command::new(&program)
                .current_dir(&folder)
                .args([file, "k", answer])
                .env("CLOTHO_CACHE", "0")
                .env("CLOTHO_TIMINGS", "1")
                .env("OCL_ICD_VENDORS", vendors(&folder)),
        );
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("served from the program's binary"), "{told}");
    }
    let (fine, text) = clothoc(&folder, &["emit", &library, "wrong.bin", "wrong.cl"]);
    assert!(
        !fine && text.contains("use of undeclared identifier 'nothing'"),
        "{text}"
    );
    assert!(
        text.ends_with("clBuildProgram: CL_BUILD_PROGRAM_FAILURE\n"),
        "{text}"
    );
    let (fine, text) = clothoc(&folder, &["link", &library, "wrong.bin", "wrong.cl"]);
    assert!(!fine && text == "wrong.cl: CL_INVALID_BINARY\n", "{text}");
    assert!(!folder.join("wrong.bin").exists());
}

#[test]
fn clothoc_tells_of_the_device_and_shows_both_group_functions() {
    let folder = scratch("clothoc");
    let (fine, text) = clothoc(&folder, &["device"]);
    assert!(fine, "{text}");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    for line in [
        "CL_PLATFORM_NAME Clotho",
        "CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU",
        "CL_DEVICE_LOCAL_MEM_SIZE 256 KiB",
        "CL_DEVICE_PROFILING_TIMER_RESOLUTION 1 ns",
        "CL_DEVICE_NUMERIC_VERSION 3.0.0",
        "CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_COARSE_GRAIN_BUFFER",
        "CL_DEVICE_IL_VERSION none",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(lines.contains(&words), "no {line:?} in:\n{text}");
    }
    let kernel = "kernel void k(global float *p) { p[get_global_id(0)] += 1; }";
    std::fs::write(folder.join("k.cl"), kernel).expect("the target folder is writable");
    let (fine, any) = clothoc(&folder, &["dump", "group", "k.cl"]);
    let (also_fine, full) = clothoc(&folder, &["dump", "--full-rows", "group", "k.cl"]);
    assert!(fine && also_fine, "{any}{full}");
    // What is left of a row takes code of its own in the one only.
    assert!(any.lines().count() > full.lines().count(), "{any}\n{full}");
}

#[test]
fn perf_gets_a_map_of_the_kernels() {
    let folder = scratch("seen-perf");
    let program = compile("seen", Way::Loader, &folder);
    let mut command = Command::new(program);
    command
        .env("CLOTHO_CACHE", "0")
        .env("CLOTHO_PERF", "1")
        .env("OCL_ICD_VENDORS", vendors(&folder))
        .stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("it starts");
    let name = format!("/tmp/perf-{}.map", child.id());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let map = std::fs::read_to_string(&name).expect("it has been written");
    std::fs::remove_file(&name).expect("it is ours");
    for kernel in ["first_kernel", "second_kernel"] {
        let line = map.lines().find(|line| line.ends_with(kernel));
        let fields: Vec<&str> = line.unwrap_or_default().split(' ').collect();
        let [start, size, _] = fields[..] else {
            panic!("{kernel} is not in:\n{map}");
        };
        let number = |text| u64::from_str_radix(text, 16).expect("a hexadecimal number");
        assert!(number(start) > 0x1000 && number(size) > 16, "{map}");
    }
}

/// What work-items do with pipes and enqueue, whatever number of them runs at a time.
#[test]
fn pipes_and_children_at_every_width() {
    for width in ["1", "4", "8", "16", "32"] {
        in_mode("pipe", width, &[("CLOTHO_WIDTH", width)]);
        in_mode("device_enqueue", width, &[("CLOTHO_WIDTH", width)]);
    }
    in_mode("device_enqueue", "alone", &[("CLOTHO_WORKERS", "1")]);
}

/// What debuggers look for (GDB manual, "JIT Compilation Interface").
const DEBUGGER: [&str; 2] = ["__jit_debug_descriptor", "__jit_debug_register_code"];

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
        .filter(|name| !name.starts_with("cl") && !DEBUGGER.contains(name))
        .collect();
    assert!(
        strange.is_empty(),
        "exported, but no entry points: {strange:?}"
    );
    assert!(DEBUGGER.iter().all(|name| names.contains(name)));
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
    let output = check(
        Command::new("clinfo")
            .env("CLOTHO_CACHE", "0")
            .env("OCL_ICD_VENDORS", vendors),
    );
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

/// `tests/host/cache.c` with a cache in a folder of its own.
struct CacheTest {
    program: PathBuf,
    vendors: PathBuf,
    cache: PathBuf,
}

impl CacheTest {
    fn new(name: &str) -> CacheTest {
        let folder = scratch(&format!("cache-{name}"));
        let cache = folder.join("entries");
        let _ = std::fs::remove_dir_all(&cache);
        CacheTest {
            program: compile("cache", Way::Loader, &folder),
            vendors: vendors(&folder),
            cache,
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command
            .arg("120")
            .arg(&self.program)
            .args(args)
            .env("OCL_ICD_VENDORS", &self.vendors)
            .env("CLOTHO_CACHE_DIR", &self.cache)
            .env("CLOTHO_TIMINGS", "1")
            .env_remove("CLOTHO_CACHE")
            .env_remove("CLOTHO_CACHE_SIZE");
        command
    }

    /// The build log, and what the table of times says of the cache.
    fn run(&self, args: &[&str]) -> (String, String) {
        outcome(&check(&mut self.command(args)))
    }

    fn entries(&self) -> Vec<PathBuf> {
        let list = |folder: &Path| -> Vec<PathBuf> {
            let list = std::fs::read_dir(folder).into_iter().flatten();
            list.map(|file| file.expect("readable").path()).collect()
        };
        let folders = list(&self.cache).into_iter().filter(|path| path.is_dir());
        folders.flat_map(|folder| list(&folder)).collect()
    }
}

fn outcome(output: &Output) -> (String, String) {
    let errors = String::from_utf8_lossy(&output.stderr);
    let line = errors
        .lines()
        .find_map(|line| line.strip_prefix("  cache: "));
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    (log, line.unwrap_or("nothing").to_string())
}

#[test]
fn the_cache_serves_a_second_process() {
    let test = CacheTest::new("second");
    let (log, said) = test.run(&["1", "3"]);
    assert!(said.starts_with("stored in"), "{said}");
    assert!(log.contains("warning: "), "{log}");
    assert_eq!(test.entries().len(), 4, "a program and its 3 kernels");
    let (again, said) = test.run(&["1", "3"]);
    assert!(said.starts_with("served from"), "{said}");
    assert_eq!(log, again);
    for other in [&["2", "3"][..], &["1", "2"], &["1", "3", "-cl-mad-enable"]] {
        let (_, said) = test.run(other);
        assert!(said.starts_with("stored in"), "{other:?}: {said}");
    }
    let mut narrow = test.command(&["1", "3"]);
    let (_, said) = outcome(&check(narrow.env("CLOTHO_WIDTH", "1")));
    assert!(said.starts_with("stored in"), "{said}");
}

#[test]
fn code_for_odd_rows_follows_when_it_is_wanted() {
    let test = CacheTest::new("rows");
    assert!(test.run(&["rows", "64"]).1.starts_with("stored in"));
    let first = test.entries().len();
    for sizes in [
        &["rows", "32", "37"][..],
        &["rows", "37"],
        &["rows", "1", "64"],
    ] {
        let (_, said) = test.run(sizes);
        assert!(said.starts_with("served from"), "{sizes:?}: {said}");
        assert_eq!(test.entries().len(), first + 1);
    }
}

#[test]
fn the_cache_sees_that_an_included_file_has_changed() {
    let test = CacheTest::new("include");
    let file = test.vendors.with_file_name("add.h");
    let options = format!("-DFROM_FILE=\"{}\"", file.display()).replace('"', "\\\"");
    let run = |add: &str| {
        std::fs::write(&file, format!("#define ADD {add}\n")).expect("writable");
        test.run(&["1", "1", &options, add]).1
    };
    assert!(run("0").starts_with("stored in"));
    assert!(run("0").starts_with("served from"));
    assert!(run("5").starts_with("stored in"));
    assert!(run("0").starts_with("served from"));
}

#[test]
fn the_cache_replaces_damaged_entries() {
    let test = CacheTest::new("damaged");
    test.run(&["1", "2"]);
    for entry in test.entries() {
        let mut bytes = std::fs::read(&entry).expect("readable");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&entry, bytes).expect("writable");
        assert!(test.run(&["1", "2"]).1.starts_with("stored in"));
        assert!(test.run(&["1", "2"]).1.starts_with("served from"));
    }
}

#[test]
fn the_cache_is_private_and_can_be_switched_off() {
    use std::os::unix::fs::PermissionsExt;
    let test = CacheTest::new("private");
    let mut off = test.command(&["1", "1"]);
    let (_, said) = outcome(&check(off.env("CLOTHO_CACHE", "0")));
    assert_eq!(said, "none (CLOTHO_CACHE=0)");
    assert!(!test.cache.exists());
    test.run(&["1", "1"]);
    let mode = |path: &Path| {
        let meta = std::fs::metadata(path).expect("it is there");
        meta.permissions().mode() & 0o777
    };
    assert_eq!(mode(&test.cache), 0o700);
    assert!(test.entries().iter().all(|entry| mode(entry) == 0o600));
    let all = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(&test.cache, all).expect("it is ours");
    let (_, said) = test.run(&["1", "1"]);
    assert!(said.ends_with("others may write to it)"), "{said}");
}

#[test]
fn programs_run_where_there_can_be_no_cache() {
    let test = CacheTest::new("nowhere");
    let mut command = test.command(&["1", "1"]);
    command
        .env_remove("CLOTHO_CACHE_DIR")
        .env_remove("XDG_CACHE_HOME");
    for home in [None, Some("/proc/no-such-folder")] {
        match home {
            None => command.env_remove("HOME"),
            Some(home) => command.env("HOME", home),
        };
        let (_, said) = outcome(&check(&mut command));
        assert!(said.starts_with("none ("), "{said}");
    }
}

#[test]
fn the_cache_keeps_its_size() {
    let test = CacheTest::new("size");
    for number in 0..12 {
        let mut command = test.command(&[&number.to_string(), "2"]);
        check(command.env("CLOTHO_CACHE_SIZE", "40K"));
        let sizes = test.entries().into_iter();
        let sizes = sizes.map(|path| std::fs::metadata(path).expect("it is there").len());
        let total: u64 = sizes.sum();
        assert!(total > 0 && total <= 40 << 10, "{total} bytes");
    }
}

#[test]
fn eight_processes_share_a_cache() {
    let test = CacheTest::new("eight");
    let children: Vec<_> = (0..8)
        .map(|_| {
            let mut command = test.command(&["1", "4"]);
            let command = command.stdout(std::process::Stdio::piped());
            command.spawn().expect("it starts")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success());
    }
    assert!(test.run(&["1", "4"]).1.starts_with("served from"));
    assert_eq!(test.entries().len(), 5);
}

#[test]
fn binaries_bring_their_machine_code() {
    let test = CacheTest::new("binary");
    let file = test.vendors.with_file_name("program.bin");
    let file = file.to_string_lossy();
    let without_cache = |args: &[&str], width: &str| {
        let mut command = test.command(args);
        outcome(&check(
            command.env("CLOTHO_CACHE", "0").env("CLOTHO_WIDTH", width),
        ))
    };
    let (log, said) = without_cache(&["save", &file], "4");
    assert_eq!(said, "none (CLOTHO_CACHE=0)");
    let (again, said) = without_cache(&["load", &file], "4");
    assert_eq!(said, "served from the program's binary");
    assert_eq!(log, again);
    // Code for another width is no use; the source is.
    let (again, said) = without_cache(&["load", &file], "1");
    assert_eq!(said, "none (CLOTHO_CACHE=0)");
    assert_eq!(log, again);
}

/// Whether a process compiled anything, as its log says.
fn compiled(output: &Output) -> bool {
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("step=load"), "machine code was loaded: {log}");
    log.contains("step=group")
}

#[test]
fn kernels_for_the_formats_of_images_are_kept() {
    let test = CacheTest::new("image");
    let run = |formats: &[&str]| {
        let mut command = test.command(&[&["image"], formats].concat());
        let output = check(command.env("CLOTHO_LOG", "debug"));
        (outcome(&output).1, compiled(&output), test.entries().len())
    };
    let (said, compiles, entries) = run(&["float"]);
    assert!(said.starts_with("stored in") && compiles, "{said}");
    assert_eq!(entries, 3, "a program, a kernel for floats, its code");
    let (said, compiles, entries) = run(&["float"]);
    assert!(said.starts_with("served from") && !compiles, "{said}");
    assert_eq!(entries, 3);
    let (said, compiles, entries) = run(&["float", "byte"]);
    assert!(said.starts_with("served from") && compiles, "{said}");
    assert_eq!(entries, 5);
    let (_, compiles, entries) = run(&["byte", "float"]);
    assert!(!compiles && entries == 5);
}

#[test]
fn binaries_bring_kernels_for_the_formats_of_images() {
    let test = CacheTest::new("image-binary");
    let file = test.vendors.with_file_name("image.bin");
    let file = file.to_string_lossy();
    let run = |mode: &str, formats: &[&str]| {
        let mut command = test.command(&[&[mode, &*file], formats].concat());
        let command = command.env("CLOTHO_CACHE", "0").env("CLOTHO_LOG", "debug");
        let output = check(command);
        (outcome(&output).1, compiled(&output))
    };
    assert!(run("image-save", &["byte"]).1);
    let (said, compiles) = run("image-load", &["byte"]);
    assert_eq!(said, "served from the program's binary");
    assert!(!compiles);
    assert!(run("image-load", &["byte", "float"]).1);
}

#[test]
fn a_child_has_kernels_made_for_its_images() {
    let test = CacheTest::new("image-fork");
    check(test.command(&["image-fork", "-"]).env("CLOTHO_CACHE", "0"));
}

#[test]
fn a_process_may_end_and_fork_while_machine_code_is_made() {
    let test = CacheTest::new("exit");
    for _ in 0..10 {
        check(test.command(&["exit", "20"]).env("CLOTHO_CACHE", "0"));
    }
    for _ in 0..3 {
        check(test.command(&["fork", "6"]).env("CLOTHO_CACHE", "0"));
    }
}
