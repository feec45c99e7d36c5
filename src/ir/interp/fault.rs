//! How a launch can end badly.

use std::fmt;

use super::memory::Access;
use crate::ir::function::SrcLoc;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    OutOfBounds {
        access: Access,
        place: String,
    },
    Misaligned {
        access: Access,
        place: String,
    },
    ReadOnly {
        place: String,
    },
    /// More private memory than a work-item can have here.
    PrivateMemory,
    /// The launch ran more instructions than the limit.
    StepLimit,
    /// Calls are nested too deep.
    CallDepth,
    /// A function without a body was called.
    MissingBody(String),
    /// The kernel, the arguments or the sizes of the launch do not fit each other.
    BadLaunch(String),
}

/// What went wrong and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The function that ran; empty where the launch never began.
    pub func: String,
    pub loc: SrcLoc,
    /// The work-item, or none in a group function.
    pub global_id: Option<[u64; 3]>,
}

impl Fault {
    pub(super) fn before_launch(message: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::BadLaunch(message.into()),
            func: String::new(),
            loc: SrcLoc::default(),
            global_id: None,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |access: &Access| if access.write { "write" } else { "read" };
        match self {
            FaultKind::OutOfBounds { access, place } => {
                let size = access.size;
                write!(f, "{} of {size} bytes out of bounds: {place}", word(access))
            }
            FaultKind::Misaligned { access, place } => {
                let align = access.align;
                write!(f, "{} not aligned to {align} bytes: {place}", word(access))
            }
            FaultKind::ReadOnly { place } => write!(f, "write to read-only memory: {place}"),
            FaultKind::PrivateMemory => f.write_str("too much private memory"),
            FaultKind::StepLimit => f.write_str("the step limit is reached"),
            FaultKind::CallDepth => f.write_str("calls are nested too deep"),
            FaultKind::MissingBody(name) => write!(f, "'{name}' has no body"),
            FaultKind::BadLaunch(message) => f.write_str(message),
        }
    }
}

/// `line:col: in 'f', work-item (3, 0, 0): read of 4 bytes out of bounds: offset 64 of buffer 0 of 64 bytes`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.loc.line != 0 {
            write!(f, "{}:{}: ", self.loc.line, self.loc.col)?;
        }
        if !self.func.is_empty() {
            write!(f, "in '{}'", self.func)?;
            if let Some([x, y, z]) = self.global_id {
                write!(f, ", work-item ({x}, {y}, {z})")?;
            }
            f.write_str(": ")?;
        }
        fmt::Display::fmt(&self.kind, f)
    }
}

impl std::error::Error for Fault {}
