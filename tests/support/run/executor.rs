//! How a run test reaches an implementation. An executor builds a source once; the result runs its kernels any
//! number of times. All data are plain bytes, so an executor knows nothing of the file format.

use super::image::ImageType;

/// One kernel argument.
#[derive(Clone, Debug)]
pub enum ArgData {
    /// Initial bytes of a buffer, passed as `__global` or `__constant` pointer.
    Buffer(Vec<u8>),
    /// The bytes of a scalar, vector or struct.
    Value(Vec<u8>),
    /// An image and its texels.
    Image(ImageType, Vec<u8>),
    /// The bits of its CLK_ constants.
    Sampler(u32),
    /// Size in bytes of a `__local` pointer's memory.
    Local(usize),
}

/// An NDRange: 1 to 3 dimensions, all three lists of the same length.
#[derive(Clone, Debug)]
pub struct Range {
    pub global: Vec<usize>,
    pub local: Vec<usize>,
    pub offset: Vec<usize>,
}

pub trait Executor {
    /// Builds `source` with the option string of clBuildProgram. The error holds the build log.
    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String>;
}

pub trait Built {
    /// Runs one kernel to its end. Answers the bytes of each argument afterwards (empty for what is neither buffer nor image).
    fn run(&self, kernel: &str, args: &[ArgData], range: &Range) -> Result<Vec<Vec<u8>>, String>;
}
