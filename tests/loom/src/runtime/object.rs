//! Objects without a registry: no model has handles of C.

use crate::cl::Error;
use std::ffi::c_void;
use std::ops::Deref;
use std::sync::Arc;

pub trait Body: Send + Sync + 'static {
    const INVALID: Error;
    const OUTLIVES_RELEASE: bool;

    fn on_destroy(&self, _handle: usize) {}

    fn on_last_release(_this: &Handle<Self>)
    where
        Self: Sized,
    {
    }
}

pub struct Object<T: Body> {
    body: T,
}

pub type Handle<T> = Arc<Object<T>>;

impl<T: Body> Object<T> {
    pub fn new(body: T) -> Handle<T> {
        Object::unlisted(body)
    }

    pub fn unlisted(body: T) -> Handle<T> {
        Arc::new(Object { body })
    }

    pub fn raw(&self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }
}

impl<T: Body> Deref for Object<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.body
    }
}

impl<T: Body> Drop for Object<T> {
    fn drop(&mut self) {
        self.body.on_destroy(0);
    }
}

pub fn publish<T: Body>(object: &Handle<T>) -> *mut c_void {
    object.raw()
}
