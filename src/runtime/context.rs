//! The context: devices, the application's error callback, and the callbacks that run when the context is destroyed.

use super::device::Device;
use super::object::{Body, Handle, Object};
use super::queue::Queue;
use super::svm::Allocations;
use crate::cl::{Error, cl_context, cl_context_properties};
use crate::sync::Mutex;
use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, Weak};

/// `pfn_notify` of clCreateContext.
pub type NotifyFn = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);

/// `pfn_notify` of clSetContextDestructorCallback.
pub type DestructorFn = unsafe extern "C" fn(cl_context, *mut c_void);

/// A C callback and its `user_data`.
#[derive(Clone, Copy)]
pub struct Callback<F> {
    pub function: F,
    pub user_data: *mut c_void,
}

// SAFETY: the application says by giving a callback that it may be called with its data from any thread.
unsafe impl<F> Send for Callback<F> {}
// SAFETY: as above.
unsafe impl<F> Sync for Callback<F> {}

pub struct Context {
    /// The devices, each once, in the order given.
    pub devices: Vec<Handle<Device>>,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub properties: Vec<cl_context_properties>,
    pub notify: Option<Callback<NotifyFn>>,
    /// Memory that the host and kernels share by address.
    pub allocations: Allocations,
    /// The command queues, some of which may be gone.
    queues: Mutex<Vec<Weak<Object<Queue>>>>,
    /// The default device queue of each device that has one.
    default_queues: Mutex<Vec<Weak<Object<Queue>>>>,
    destructors: Mutex<Vec<Callback<DestructorFn>>>,
}

impl Body for Context {
    const INVALID: Error = Error::INVALID_CONTEXT;
    const OUTLIVES_RELEASE: bool = true;

    fn on_destroy(&self, handle: usize) {
        let callbacks = std::mem::take(&mut *self.destructors.lock());
        for callback in callbacks.iter().rev() {
            // SAFETY: the application's function, called as clSetContextDestructorCallback specifies, no lock held.
            unsafe { (callback.function)(handle as cl_context, callback.user_data) }
        }
    }
}

impl Context {
    pub fn new(
        devices: Vec<Handle<Device>>,
        properties: Vec<cl_context_properties>,
        notify: Option<Callback<NotifyFn>>,
    ) -> Context {
        Context {
            devices,
            properties,
            notify,
            allocations: Allocations::default(),
            queues: Mutex::default(),
            default_queues: Mutex::default(),
            destructors: Mutex::default(),
        }
    }

    /// Tells the application's callback of an error (its text goes no further when there is no callback).
    /// Never call this with a lock held.
    pub fn report(&self, message: &str) {
        let Some(notify) = self.notify else { return };
        let text = CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default();
        // SAFETY: the function is the application's, called as clCreateContext specifies.
        unsafe { (notify.function)(text.as_ptr(), std::ptr::null(), 0, notify.user_data) }
    }

    /// Registers a callback for the context's end; they run in reverse order.
    pub fn add_destructor(&self, callback: Callback<DestructorFn>) {
        self.destructors.lock().push(callback);
    }

    /// Notes a queue of this context.
    pub(super) fn add_queue(&self, queue: &Handle<Queue>) {
        let mut queues = self.queues.lock();
        // Those that are gone leave when the list would have to grow.
        if queues.len() == queues.capacity() {
            queues.retain(|queue| queue.strong_count() > 0);
        }
        queues.push(Arc::downgrade(queue));
    }

    /// The living queues.
    pub fn queues(&self) -> Vec<Handle<Queue>> {
        let queues = self.queues.lock();
        queues.iter().filter_map(Weak::upgrade).collect()
    }

    /// The default device queue of a device.
    pub fn default_queue(&self, device: &Object<Device>) -> Option<Handle<Queue>> {
        let queues = self.default_queues.lock();
        let mut living = queues.iter().filter_map(Weak::upgrade);
        living.find(|queue| queue.device.raw() == device.raw() && queue.reference_count() > 0)
    }

    /// Makes a queue the default device queue of its device.
    pub fn set_default_queue(&self, queue: &Handle<Queue>) {
        let mut queues = self.default_queues.lock();
        let others: Vec<Handle<Queue>> = queues.iter().filter_map(Weak::upgrade).collect();
        *queues = others
            .iter()
            .filter(|other| other.device.raw() != queue.device.raw())
            .chain([queue])
            .map(Arc::downgrade)
            .collect();
        // What is let go here may run code of the application.
        drop(queues);
        drop(others);
    }

    /// Bytes that buffers and allocations may take in all.
    pub fn memory_limit(&self) -> u64 {
        let sizes = self.devices.iter().map(|device| device.global_mem_size);
        sizes.min().unwrap_or(u64::MAX)
    }

    pub fn has_device(&self, device: &Handle<Device>) -> bool {
        self.devices
            .iter()
            .any(|other| std::ptr::eq(&**other, &**device))
    }
}
