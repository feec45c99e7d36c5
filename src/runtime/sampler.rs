//! Samplers: how a kernel reads an image. Source: OpenCL API 5.7.

use super::context::Context;
use super::object::{Body, Handle};
use crate::cl::*;

pub struct Sampler {
    pub context: Handle<Context>,
    pub normalized: bool,
    pub addressing: cl_addressing_mode,
    pub filter: cl_filter_mode,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub properties: Vec<cl_sampler_properties>,
}

impl Body for Sampler {
    const INVALID: Error = Error::INVALID_SAMPLER;
    const OUTLIVES_RELEASE: bool = false;

    fn on_destroy(&self, _handle: usize) {}
}

impl Sampler {
    /// As a kernel knows it: the bits of the CLK_ constants (OpenCL C 3.0, 6.15.15.1).
    pub fn bits(&self) -> u32 {
        let addressing = match self.addressing {
            CL_ADDRESS_CLAMP_TO_EDGE => 2,
            CL_ADDRESS_CLAMP => 4,
            CL_ADDRESS_REPEAT => 6,
            CL_ADDRESS_MIRRORED_REPEAT => 8,
            _ => 0,
        };
        let filter = if self.filter == CL_FILTER_LINEAR {
            0x20
        } else {
            0x10
        };
        addressing | filter | u32::from(self.normalized)
    }
}
