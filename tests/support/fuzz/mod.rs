//! What the fuzzers feed, and what must hold: any text ends in IR that the verifier takes, or in a build log; any bytes
//! are a program binary, which is then read to the last one, or are none.
//!
//! Shared by the targets of cargo-fuzz (`fuzz/targets`), which search, and by `tests/fuzz.rs`, which runs a fixed list.

use clotho::compiler::abi::ABI_VERSION;
use clotho::compiler::stages;
use clotho::compiler::wire::{Writer, checksum};
use clotho::ir::verify;
use clotho::runtime::binary::Container;

/// The longest input: beyond it a finding is about size, which `tests/host/malformed.c` tries.
const MAX_INPUT: usize = 16 << 10;

/// A first line `// options: ...` is the option string, the rest the program: from text to IR, on the compiler's stack.
pub fn source(bytes: &[u8]) {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_INPUT)]).into_owned();
    on_compiler_stack(move || {
        let first = text.lines().next().unwrap_or_default();
        let options = first.strip_prefix("// options: ").unwrap_or_default();
        // Folders of this machine are none of a test's business.
        let options = if options.contains("-I") { "" } else { options };
        match stages::ir(&text, options, &[]) {
            Ok(module) => {
                if let Err(errors) = verify(&module) {
                    panic!("invalid IR: {}\n{module}", errors[0]);
                }
            }
            Err(log) => assert!(log.contains("error"), "a failure without a reason"),
        }
    });
}

/// What stands behind the version of a binary, before its checksum: both are added, so that the rest gets read.
pub fn binary(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(MAX_INPUT)];
    // As it is, it has no checksum that fits.
    assert!(Container::decode(bytes).is_err(), "a binary by chance");
    let whole = sealed(bytes);
    let Ok(container) = Container::decode(&whole) else {
        return;
    };
    let link = container.link.as_deref();
    let again = Container::encode(container.kind, link, &container.units, &container.image);
    assert_eq!(
        again, whole,
        "a binary that was read otherwise than it is written"
    );
    on_compiler_stack(move || {
        for unit in &container.units {
            // Whatever the container holds is a source, however strange.
            if !unit.options.contains("-I") {
                let _ = stages::ir(&unit.source, &unit.options, &unit.headers);
            }
        }
    });
}

/// A container around its contents. Its magic and version are those of this build, so that a corpus does not grow old.
pub fn sealed(contents: &[u8]) -> Vec<u8> {
    let empty = Container::encode(0, None, &[], &[]);
    let mut out = Writer(empty[..MAGIC_AND_VERSION].to_vec());
    out.word(ABI_VERSION);
    out.0.extend(contents);
    let sum = checksum(&out.0);
    out.0.extend(sum);
    out.0
}

/// Bytes of a container before the version of the launch ABI.
const MAGIC_AND_VERSION: usize = 12;

fn on_compiler_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(clotho::compiler::STACK_SIZE);
    let result = thread.spawn(work).expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}
