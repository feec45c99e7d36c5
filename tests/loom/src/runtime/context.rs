//! A context knows nobody here.

use super::object::{Body, Handle};
use super::queue::Queue;
use crate::cl::Error;
use std::ffi::c_void;

#[derive(Clone, Copy)]
pub struct Callback<F> {
    pub function: F,
    pub user_data: *mut c_void,
}

// SAFETY: as Clotho's.
unsafe impl<F> Send for Callback<F> {}
// SAFETY: as Clotho's.
unsafe impl<F> Sync for Callback<F> {}

pub struct Context;

impl Body for Context {
    const INVALID: Error = Error::INVALID_CONTEXT;
    const OUTLIVES_RELEASE: bool = true;
}

impl Context {
    pub fn add_queue(&self, _queue: &Handle<Queue>) {}
}
