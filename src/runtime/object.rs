//! What every OpenCL object has in common, and how a handle becomes a reference.
//!
//! An object is an `Arc<Object<T>>`; its handle is the address of the `Object`. The registry knows every living
//! object by its address, so a null, stale or garbage handle is an error code and never a wild read. Two counts:
//! `api_refs` is what clRetain*, clRelease* and the reference-count queries see; while it is above zero the registry
//! holds one `Arc`. All other `Arc`s are internal (a queue holds its context, a command its buffers).
//!
//! Invariants: `dispatch` and `icd_data` are the first two words (cl_khr_icd 2.0: `struct _cl_<object>`). No `Arc` is
//! dropped while a registry lock is held, because dropping can run the application's callbacks.

use crate::cl::{Dispatch, Error, Result};
use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;
use once_cell::sync::Lazy;
use std::any::Any;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

/// What stands in an [`Object`].
pub trait Body: Send + Sync + 'static {
    /// The error for a handle that is no living object of this type.
    const INVALID: Error;
    /// Whether the handle stays good after the last clRelease* as long as the object itself lives on, because the
    /// application can get the handle back from another object (a context from its queues, and so on).
    const OUTLIVES_RELEASE: bool;

    /// Called when the object ends, after `handle` has become invalid and before the body is dropped. The handle is a
    /// number by then: it points to nothing that may be used.
    fn on_destroy(&self, handle: usize) {
        let _ = handle;
    }

    /// Called when the application gives up its last reference; commands in flight may still hold the object.
    fn on_last_release(this: &Handle<Self>)
    where
        Self: Sized,
    {
        let _ = this;
    }
}

/// An OpenCL object as the application and the ICD loader see it.
#[repr(C)]
pub struct Object<T: Body> {
    dispatch: *const Dispatch,
    icd_data: AtomicPtr<c_void>,
    api_refs: AtomicU32,
    /// Whether the registry knows the object.
    listed: AtomicBool,
    body: T,
}

/// A counted reference to an object.
pub type Handle<T> = Arc<Object<T>>;

// SAFETY: `dispatch` points to a static table that nobody writes after it is installed; the rest is Send and Sync.
unsafe impl<T: Body> Send for Object<T> {}
// SAFETY: as above.
unsafe impl<T: Body> Sync for Object<T> {}

static DISPATCH: AtomicPtr<Dispatch> = AtomicPtr::new(std::ptr::null_mut());
static ICD_DATA: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Sets the table that new objects point to. Must come before the first object that an application sees.
pub fn install_dispatch(table: &'static Dispatch) {
    // Release: pairs with the Acquire in `Object::new`; whoever sees the pointer sees the table.
    DISPATCH.store(std::ptr::from_ref(table).cast_mut(), Ordering::Release);
}

/// Sets the loader's word (clIcdSetPlatformDispatchDataKHR) that new objects carry.
pub fn set_icd_data(data: *mut c_void) {
    // Release: pairs with the Acquire in `Object::new`.
    ICD_DATA.store(data, Ordering::Release);
}

impl<T: Body> Object<T> {
    /// Makes an object with one API reference, known to the registry.
    pub fn new(body: T) -> Handle<T> {
        let object = Object::unlisted(body);
        publish(&object);
        object
    }

    /// Makes an object that the registry does not know: it has no handle for C until it is given to [`publish`].
    pub fn unlisted(body: T) -> Handle<T> {
        Arc::new(Object {
            // Acquire: pairs with the Release stores above.
            dispatch: DISPATCH.load(Ordering::Acquire),
            icd_data: AtomicPtr::new(ICD_DATA.load(Ordering::Acquire)),
            api_refs: AtomicU32::new(0),
            listed: AtomicBool::new(false),
            body,
        })
    }

    /// The handle for C. It does not count as a reference.
    pub fn raw(&self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// The value of a CL_*_REFERENCE_COUNT query.
    pub fn reference_count(&self) -> u32 {
        // Relaxed: the count is advisory ("should be considered stale" says the specification).
        self.api_refs.load(Ordering::Relaxed)
    }

    /// Sets this object's loader word, for the platform and what was made before clIcdSetPlatformDispatchDataKHR.
    pub fn set_own_icd_data(&self, data: *mut c_void) {
        // Release: as in `set_icd_data`.
        self.icd_data.store(data, Ordering::Release);
    }

    fn address(&self) -> usize {
        self.raw() as usize
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
        if *self.listed.get_mut() {
            // The entry's Arc is gone by now, so that removing the entry drops only a Weak.
            let entry = shard(self.address()).lock().remove(&self.address());
            drop(entry);
        }
        self.body.on_destroy(self.address());
    }
}

/// Gives an unlisted object its one API reference and its handle for C. Once an object.
pub fn publish<T: Body>(object: &Handle<T>) -> *mut c_void {
    let strong: Arc<dyn Any + Send + Sync> = object.clone();
    let entry = Entry {
        weak: Arc::downgrade(&strong),
        strong: Some(strong),
    };
    // Relaxed, both: the handle is not known to other threads yet, and `drop` has the object to itself.
    object.api_refs.store(1, Ordering::Relaxed);
    object.listed.store(true, Ordering::Relaxed);
    let mut shard = shard(object.address()).lock();
    shard.insert(object.address(), entry);
    object.raw()
}

/// The object behind a handle, or the type's CL_INVALID_* code.
pub fn lookup<T: Body>(handle: *mut c_void) -> Result<Handle<T>> {
    let found = {
        let shard = shard(handle as usize).lock();
        shard.get(&(handle as usize)).and_then(|entry| {
            let live = entry.strong.is_some() || T::OUTLIVES_RELEASE;
            if live { entry.weak.upgrade() } else { None }
        })
    };
    found
        .and_then(|any| any.downcast::<Object<T>>().ok())
        .ok_or(T::INVALID)
}

/// clRetain*.
pub fn retain<T: Body>(handle: *mut c_void) -> Result<()> {
    let object = lookup::<T>(handle)?;
    let mut shard = shard(handle as usize).lock();
    let entry = shard.get_mut(&(handle as usize)).ok_or(T::INVALID)?;
    if entry.strong.is_none() {
        if !T::OUTLIVES_RELEASE {
            return Err(T::INVALID);
        }
        entry.strong = Some(object.clone());
    }
    // Relaxed: the shard's lock orders all changes of the count.
    object.api_refs.fetch_add(1, Ordering::Relaxed);
    drop(shard);
    Ok(())
}

/// clRelease*. True when that was the last API reference.
pub fn release<T: Body>(handle: *mut c_void) -> Result<bool> {
    let object = lookup::<T>(handle)?;
    let last = {
        let mut shard = shard(handle as usize).lock();
        let entry = shard.get_mut(&(handle as usize)).ok_or(T::INVALID)?;
        if entry.strong.is_none() {
            return Err(T::INVALID);
        }
        // Relaxed: the shard's lock orders all changes of the count.
        if object.api_refs.fetch_sub(1, Ordering::Relaxed) == 1 {
            entry.strong.take()
        } else {
            None
        }
    };
    if last.is_some() {
        T::on_last_release(&object);
    }
    Ok(last.is_some())
}

struct Entry {
    weak: Weak<dyn Any + Send + Sync>,
    /// The application's reference, while it has one.
    strong: Option<Arc<dyn Any + Send + Sync>>,
}

type Shard = Mutex<HashMap<usize, Entry, BuildHasherDefault<AddressHasher>>>;

const SHARDS: usize = 64;

static REGISTRY: Lazy<Vec<Shard>> = Lazy::new(|| (0..SHARDS).map(|_| Shard::default()).collect());

/// The locks of the registry.
pub(super) fn locks() -> impl Iterator<Item = &'static dyn HeldOverFork> {
    REGISTRY.iter().map(|shard| shard as _)
}

fn shard(address: usize) -> &'static Shard {
    &REGISTRY[(mix(address as u64) >> 58) as usize % SHARDS]
}

/// Spreads an address over all bits (Fibonacci hashing).
fn mix(address: u64) -> u64 {
    (address >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte) << 4);
        }
    }
    fn write_usize(&mut self, value: usize) {
        // The shard took the top bits; the map takes the low and top ones, so fold.
        let mixed = mix(value as u64);
        self.0 = mixed ^ mixed.rotate_right(29);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Apple(u32);
    struct Pear;
    impl Body for Apple {
        const INVALID: Error = Error::INVALID_EVENT;
        const OUTLIVES_RELEASE: bool = false;
    }
    impl Body for Pear {
        const INVALID: Error = Error::INVALID_CONTEXT;
        const OUTLIVES_RELEASE: bool = true;
    }

    #[test]
    fn handles_are_checked_for_type_and_life() {
        let apple = Object::new(Apple(7));
        let raw = apple.raw();
        assert_eq!(lookup::<Apple>(raw).unwrap().0, 7);
        assert_eq!(lookup::<Pear>(raw).err(), Some(Error::INVALID_CONTEXT));
        assert_eq!(
            lookup::<Apple>(std::ptr::null_mut()).err(),
            Some(Error::INVALID_EVENT)
        );
        assert_eq!(
            lookup::<Apple>(8 as *mut c_void).err(),
            Some(Error::INVALID_EVENT)
        );
        retain::<Apple>(raw).unwrap();
        assert_eq!(apple.reference_count(), 2);
        assert!(!release::<Apple>(raw).unwrap());
        assert!(release::<Apple>(raw).unwrap());
        assert_eq!(lookup::<Apple>(raw).err(), Some(Error::INVALID_EVENT));
        assert_eq!(release::<Apple>(raw).err(), Some(Error::INVALID_EVENT));
        assert_eq!(apple.0, 7);
    }

    #[test]
    fn an_object_that_others_hold_can_be_retained_again() {
        let pear = Object::new(Pear);
        let raw = pear.raw();
        assert!(release::<Pear>(raw).unwrap());
        retain::<Pear>(raw).unwrap();
        assert_eq!(pear.reference_count(), 1);
        assert!(release::<Pear>(raw).unwrap());
        drop(pear);
        assert_eq!(lookup::<Pear>(raw).err(), Some(Error::INVALID_CONTEXT));
    }
}
