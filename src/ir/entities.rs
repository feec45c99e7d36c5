//! Ids of the things that the IR is made of: dense `u32` indices into side tables.
//!
//! Invariants: an id is only meaningful for the function or module that made it; `SecondaryMap`-like tables are plain
//! `Vec`s indexed by `id.index()`. In the manner of cranelift's `entities.rs`.

use std::fmt;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than u32::MAX entities"))
            }
            /// The index into a side table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

entity!(
    /// An SSA value: a block parameter or the result of an instruction.
    Value, "v"
);
entity!(
    /// An instruction that is not a terminator.
    Inst, "inst"
);
entity!(
    /// A basic block.
    Block, "block"
);
entity!(
    /// A function of a module.
    FuncId, "fn"
);
entity!(
    /// A program-scope variable or constant of a module, string literals included.
    GlobalId, "g"
);
entity!(
    /// A `__local` variable of one kernel.
    LocalId, "l"
);
entity!(
    /// A natural loop of a [`super::loops::LoopForest`].
    LoopId, "loop"
);
