//! How hard LLVM may work on a module, so that build time stays near linear in the size of the source.
//!
//! Why: some passes of LLVM 22 grow with the square of a function or worse. Measured on chains of diamonds and on
//! straight-line code (CPU seconds on a 2026 server core): GVN takes 0.2 s at 2,000 blocks, 2.7 s at 6,000 and about
//! 40 s at 20,000; CodeGenPrepare 0.4 s at 6,000 and 9 s at 20,000; the machine scheduler 0.3 s for a block of 5,000
//! instructions and 2 s for one of 20,000. The loop passes of O1 take 2.8 s for 500 loops over work-items one after the
//! other (5,500 blocks), 13 s for 1,000 and 97 s for 2,000; without them it is 0.06, 0.2 and 0.5 s. Code of such sizes is generated, or hostile; it still compiles, with less
//! optimisation. `default<O1>` has no GVN, and code generation at level "none" is linear.

use super::llvm::Size;

/// Above these a module gets the passes of O1 that do most (`target::SOME`), which vectorise no loops. (`default<O2>` does, whatever the pass
/// options say.) The vectoriser doubles the code of every loop that it takes, and the passes and the register allocator
/// behind it pay for that: 64 guarded barriers in nested loops (1,600 blocks) took 2.7 s of CPU at O2 in all.
const O2_BLOCKS: usize = 800;
const O2_INSTS: usize = 200_000;

/// Above this it gets those that are near linear: none that looks at loops.
const O1_BLOCKS: usize = 6_000;

/// Above these machine code is made without optimisation.
const CODE_BLOCKS: usize = 12_000;
const CODE_BLOCK_INSTS: usize = 40_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    None,
    Little,
    Some,
    Full,
    /// As `Full`, for code that runs several work-items in vector lanes already.
    Wide,
}

/// For the passes, by the module's size before them. `wide`: its loops over work-items are vector code.
pub fn for_passes(optimize: bool, size: Size, wide: bool) -> Effort {
    if !optimize {
        Effort::None
    } else if size.blocks > O1_BLOCKS {
        Effort::Little
    } else if size.blocks > O2_BLOCKS || size.insts > O2_INSTS {
        Effort::Some
    } else if wide {
        Effort::Wide
    } else {
        Effort::Full
    }
}

/// For machine code, by the module's size after the passes.
pub fn for_code(optimize: bool, size: Size) -> Effort {
    if !optimize || size.blocks > CODE_BLOCKS || size.block_insts > CODE_BLOCK_INSTS {
        Effort::None
    } else {
        Effort::Full
    }
}
