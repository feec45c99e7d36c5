//! The boundary: no panic crosses it. A panic inside an entry point becomes CL_OUT_OF_HOST_MEMORY, and its message
//! goes to the context's callback (Rust's panic hook has put it on stderr by then).

use super::ptr::{In, Out};
use crate::cl::{Error, Result};
use crate::observe::log::{self, Level};
use crate::observe::trace;
use crate::reserve;
use crate::runtime::{Context, Event, Handle, Kernel, Memory, Program, Queue, object};
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of an entry point. `name` and `first`, its first argument, serve the message when it panics.
pub fn guard<R>(name: &str, first: *mut c_void, body: impl FnOnce() -> Result<R>) -> Result<R> {
    let _told = trace::span("api", name);
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        // The callback is the application's; if it is another panic that comes out of it, there is nobody to tell.
        let _ = catch_unwind(AssertUnwindSafe(|| report(name, first, &*panic)));
        Err(Error::OUT_OF_HOST_MEMORY)
    });
    if let Err(error) = &result {
        log::event(Level::Info, "api_error", |f| {
            f.add("function", name)
                .add("error", format_args!("{error:?}"));
        });
    }
    result
}

/// As [`guard`], for what makes something new: refused while memory is short.
pub fn guard_making<R>(
    name: &str,
    first: *mut c_void,
    body: impl FnOnce() -> Result<R>,
) -> Result<R> {
    guard(name, first, || {
        if reserve::is_short() {
            return Err(Error::OUT_OF_HOST_MEMORY);
        }
        body()
    })
}

/// CL_OUT_OF_HOST_MEMORY where a build would end for want of memory.
pub fn check_memory_for_build() -> Result<()> {
    if reserve::has(reserve::FOR_BUILDS) {
        Ok(())
    } else {
        Err(Error::OUT_OF_HOST_MEMORY)
    }
}

/// The code for C.
pub fn status(result: Result<()>) -> i32 {
    result.map_or_else(Error::code, |()| 0)
}

/// What a `create` function gives: a handle, and for clLinkProgram a status with it.
pub trait Created {
    /// The handle and the status for C.
    fn split(self) -> (*mut c_void, Result<()>);

    /// Writes the status and returns the handle, or NULL.
    fn give(result: Result<Self>, errcode_ret: Out<i32>) -> *mut c_void
    where
        Self: Sized,
    {
        let (handle, result) = match result {
            Ok(created) => created.split(),
            Err(error) => (std::ptr::null_mut(), Err(error)),
        };
        errcode_ret.put(status(result));
        handle
    }
}

impl Created for *mut c_void {
    fn split(self) -> (*mut c_void, Result<()>) {
        (self, Ok(()))
    }
}

impl Created for (*mut c_void, Result<()>) {
    fn split(self) -> (*mut c_void, Result<()>) {
        self
    }
}

/// What a `plain` function returns when it fails.
pub trait Zero {
    const ZERO: Self;
}

impl Zero for () {
    const ZERO: () = ();
}

impl Zero for *mut c_void {
    const ZERO: Self = std::ptr::null_mut();
}

impl Zero for *const c_void {
    const ZERO: Self = std::ptr::null();
}

/// What the first argument of an entry point says of the object that the call is about.
pub trait FirstArgument {
    fn handle(&self) -> *mut c_void;
}

impl FirstArgument for *mut c_void {
    fn handle(&self) -> *mut c_void {
        *self
    }
}

macro_rules! no_handle {
    ($($ty:ty),*) => {$(
        impl FirstArgument for $ty {
            fn handle(&self) -> *mut c_void {
                std::ptr::null_mut()
            }
        }
    )*};
}
no_handle!(u32, usize, u64);

impl<T> FirstArgument for In<T> {
    fn handle(&self) -> *mut c_void {
        std::ptr::null_mut()
    }
}

fn report(name: &str, handle: *mut c_void, panic: &(dyn Any + Send)) {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    if let Some(context) = context_of(handle) {
        context.report(&format!("{name}: internal error: {text}"));
    }
}

fn context_of(handle: *mut c_void) -> Option<Handle<Context>> {
    let context = object::lookup::<Context>(handle).ok();
    context
        .or_else(|| Some(object::lookup::<Queue>(handle).ok()?.context.clone()))
        .or_else(|| Some(object::lookup::<Memory>(handle).ok()?.context.clone()))
        .or_else(|| Some(object::lookup::<Program>(handle).ok()?.context.clone()))
        .or_else(|| {
            Some(
                object::lookup::<Kernel>(handle)
                    .ok()?
                    .program
                    .context
                    .clone(),
            )
        })
        .or_else(|| object::lookup::<Event>(handle).ok()?.context().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::Object;
    use crate::runtime::context::Callback;
    use std::ffi::{CStr, c_char};
    use std::sync::atomic::{AtomicU32, Ordering};

    static REPORTS: AtomicU32 = AtomicU32::new(0);

    unsafe extern "C" fn count(text: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
        // SAFETY: `Context::report` gives a C string.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        assert_eq!(text, "clTest: internal error: as planned");
        // Relaxed: read on the same thread.
        REPORTS.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn a_panic_becomes_an_error_and_a_report() {
        let notify = Callback {
            function: count as _,
            user_data: std::ptr::null_mut(),
        };
        let context = Object::new(Context::new(Vec::new(), Vec::new(), Some(notify)));
        let result: Result<()> = guard("clTest", context.raw(), || panic!("as planned"));
        assert_eq!(result, Err(Error::OUT_OF_HOST_MEMORY));
        // Relaxed: written on this thread.
        assert_eq!(REPORTS.load(Ordering::Relaxed), 1);
        let result: Result<()> = guard("clTest", std::ptr::null_mut(), || panic!("as planned"));
        assert_eq!(result, Err(Error::OUT_OF_HOST_MEMORY));
    }
}
