//! Variants of a kernel that are made when a launch comes that wants them: of kernels with images and samplers among their
//! parameters, machine code for the formats of the images and the modes of the samplers; of others, for the groups of long launches (`tailored`).
//!
//! A variant for images is named by one word for each image (its `abi::ImageDescriptor::format`) and each sampler (its bits), in the
//! order of the parameters. Invariants: a variant, once there, stays; no lock is held while one is made.

use super::background;
use super::cell::{Cell, Job};
use super::{Kernel, ParamInfo, ParamKind};
use crate::ir::abi::{IMAGE_FORMAT_OFFSET, image_format};
use crate::opt::Known;
use crate::sync::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Makes the variant of a name. Called on a thread with the stack that the compiler needs.
pub(super) type Make = Arc<dyn Fn(&[u32]) -> Result<Kernel, String> + Send + Sync>;

/// A variant that may still be in the making.
type Variant = Arc<Cell<Arc<Kernel>>>;

pub(super) struct Variants {
    make: Make,
    begun: Mutex<HashMap<Vec<u32>, Variant>>,
}

/// Whoever has the lock may have stayed behind when the process was forked: nobody waits longer for it than this.
const PATIENCE: Duration = Duration::from_millis(10);

/// Variants that nobody waits for.
const MAX_OFFERED: usize = 8;

impl Variants {
    pub fn new(make: Make) -> Variants {
        Variants {
            make,
            begun: Mutex::default(),
        }
    }

    /// The variant of a name, made by the compiler's crew if it is not there. The error is a text for people.
    pub fn get(&self, words: &[u32]) -> Result<Arc<Kernel>, String> {
        let variant = self.begun(words, usize::MAX);
        let variant = variant.unwrap_or_else(|| self.later(words));
        variant.wait().clone()
    }

    /// The variant of a name, if it is there with its first machine code. If not, it is made behind the caller's back, as long as
    /// there are not too many.
    pub fn ready(&self, words: &[u32]) -> Option<Arc<Kernel>> {
        let variant = self.begun(words, MAX_OFFERED)?;
        let Some(made) = variant.known() else {
            let job: Arc<dyn Job> = variant;
            background::offer(&job);
            return None;
        };
        let kernel = made.as_ref().ok()?;
        let is_ready = kernel.first_code().is_known_or_offered();
        is_ready.then(|| kernel.clone())
    }

    /// The variant of a name. `None` if the lock is not to be had, or if it would be new, and there are `most` already.
    fn begun(&self, words: &[u32], most: usize) -> Option<Variant> {
        let mut begun = self.begun.try_lock_for(PATIENCE)?;
        if let Some(variant) = begun.get(words) {
            return Some(variant.clone());
        }
        if begun.len() >= most {
            return None;
        }
        let variant = self.later(words);
        begun.insert(words.to_vec(), variant.clone());
        Some(variant)
    }

    fn later(&self, words: &[u32]) -> Variant {
        let (make, name) = (self.make.clone(), words.to_vec());
        Cell::later(Arc::new(move || make(&name).map(Arc::new)))
    }

    /// A variant of which nobody else knows, made by this thread, whose stack must be as `make` wants it.
    pub fn make(&self, words: &[u32]) -> Result<Kernel, String> {
        (self.make)(words)
    }

    /// Those that are there, with their names.
    pub fn known(&self) -> Vec<(Vec<u32>, Arc<Kernel>)> {
        let begun = self.begun.try_lock_for(PATIENCE);
        let begun = begun.iter().flat_map(|begun| begun.iter());
        let known = begun.filter_map(|(words, variant)| {
            let kernel = variant.known()?.as_ref().ok()?;
            Some((words.clone(), kernel.clone()))
        });
        known.collect()
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
