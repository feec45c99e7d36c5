//! Kernels with images and samplers among their parameters: machine code for the formats of the images and the modes of the
//! samplers that a launch comes with, made when the first such launch comes.
//!
//! A variant is named by one word for each image (its `abi::ImageDescriptor::format`) and each sampler (its bits), in the
//! order of the parameters. Invariants: a variant, once there, stays; no lock is held while one is made.

use super::background;
use super::{Kernel, ParamInfo, ParamKind};
use crate::ir::abi::{IMAGE_FORMAT_OFFSET, image_format};
use crate::opt::Known;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Makes the variant of a name. Called on a thread with the stack that the compiler needs.
pub(super) type Make = Arc<dyn Fn(&[u32]) -> Result<Arc<Kernel>, String> + Send + Sync>;

pub(super) struct Variants {
    make: Make,
    made: Mutex<HashMap<Vec<u32>, Arc<Kernel>>>,
}

impl Variants {
    pub fn new(make: Make) -> Variants {
        Variants {
            make,
            made: Mutex::default(),
        }
    }

    /// The variant of a name, made if it is not there. The error is a text for people.
    pub fn get(&self, words: &[u32]) -> Result<Arc<Kernel>, String> {
        // Whoever has the lock may have stayed behind when the process was forked: nobody waits for it.
        let known = |made: &HashMap<Vec<u32>, Arc<Kernel>>| made.get(words).cloned();
        if let Some(kernel) = self.made.try_lock().and_then(|made| known(&made)) {
            return Ok(kernel);
        }
        let (make, name) = (self.make.clone(), words.to_vec());
        let thread = background::spawn(move || make(&name));
        let thread = thread.map_err(|error| format!("no thread for the compiler: {error}"))?;
        let kernel = thread
            .join()
            .unwrap_or_else(|_| Err("internal compiler error".into()))?;
        if let Some(mut made) = self.made.try_lock() {
            // Somebody may have been quicker.
            return Ok(made.entry(words.to_vec()).or_insert(kernel).clone());
        }
        Ok(kernel)
    }
}

/// A name to go by before a launch tells: colours in floating point, or depths, read at the nearest texel.
pub(super) fn likely(params: &[ParamInfo]) -> Vec<u32> {
    const CL_RGBA: u32 = 0x10b5;
    const CL_DEPTH: u32 = 0x10bd;
    const CL_FLOAT: u32 = 0x10de;
    // CLK_ADDRESS_CLAMP_TO_EDGE and CLK_FILTER_NEAREST.
    const NEAREST: u32 = 0x12;
    let word = |param: &ParamInfo| match param.kind {
        ParamKind::Image { kind, .. } if kind.is_depth() => Some(image_format(CL_DEPTH, CL_FLOAT)),
        ParamKind::Image { .. } => Some(image_format(CL_RGBA, CL_FLOAT)),
        ParamKind::Sampler => Some(NEAREST),
        _ => None,
    };
    params.iter().filter_map(word).collect()
}

/// What a name says of the parameters.
pub(super) fn known(params: &[ParamInfo], words: &[u32]) -> Vec<Option<Known>> {
    let mut words = words.iter().copied();
    params
        .iter()
        .map(|param| match param.kind {
            ParamKind::Image { .. } => words.next().map(|bits| Known::Word {
                offset: IMAGE_FORMAT_OFFSET,
                bits,
            }),
            ParamKind::Sampler => words.next().map(|bits| Known::Constant(bits.into())),
            _ => None,
        })
        .collect()
}
