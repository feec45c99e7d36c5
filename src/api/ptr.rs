//! Pointers from C, as types. An [`In`] may be read and an [`Out`] written, for as many elements as the entry point's
//! other arguments say; both may be null. They are made by C (they have the layout of a bare pointer) or from
//! references, which is why reading and writing through them is safe to call here: that the pointer is
//! good is the application's part of the contract, as in any C API.

use crate::cl::{Error, Result};
use std::ffi::{CStr, c_char, c_void};

/// A pointer to constant `T`s, or null.
#[repr(transparent)]
pub struct In<T>(*const T);

/// A pointer to writable `T`s, or null.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for In<T> {}
impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Out<T> {}

impl<T> In<T> {
    pub fn null() -> In<T> {
        In(std::ptr::null())
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub fn address(self) -> *const T {
        self.0
    }
}

impl In<c_void> {
    /// A pointer to bytes of ours, for calls that take the application's. It must not be used after them.
    pub fn from_bytes(bytes: &[u8]) -> In<c_void> {
        In(bytes.as_ptr().cast())
    }
}

impl<T: Copy> In<T> {
    /// The first element.
    pub fn get(self) -> Option<T> {
        self.list(1).pop()
    }

    /// The element at a place. It is the application's that there is one, as in [`In::list`].
    pub fn at(self, index: usize) -> Option<T> {
        // SAFETY: the application gives so many elements (module comment); it may misalign them.
        (!self.0.is_null()).then(|| unsafe { self.0.add(index).read_unaligned() })
    }

    /// The first `count` elements; none when the pointer is null.
    pub fn list(self, count: usize) -> Vec<T> {
        if self.0.is_null() {
            return Vec::new();
        }
        // SAFETY: the application gives `count` readable elements (module comment); it may misalign them.
        (0..count)
            .map(|i| unsafe { self.0.add(i).read_unaligned() })
            .collect()
    }
}

impl In<c_void> {
    /// A pointer whose type another argument tells.
    pub fn cast<T>(self) -> In<T> {
        In(self.0.cast())
    }
}

impl In<c_char> {
    /// A NUL-terminated string.
    pub fn c_str(&self) -> Option<&CStr> {
        // SAFETY: the application gives a NUL-terminated string (module comment) that lives during the call.
        (!self.0.is_null()).then(|| unsafe { CStr::from_ptr(self.0) })
    }

    /// The `length` bytes of a string, or up to the NUL when `length` is 0.
    pub fn bytes(&self, length: usize) -> Option<&[u8]> {
        if self.0.is_null() {
            None
        } else if length == 0 {
            self.c_str().map(CStr::to_bytes)
        } else {
            // SAFETY: the application gives `length` readable bytes that live during the call.
            Some(unsafe { std::slice::from_raw_parts(self.0.cast(), length) })
        }
    }
}

impl In<u8> {
    /// `length` bytes; nothing when the pointer is null.
    pub fn byte_slice(&self, length: usize) -> &[u8] {
        if self.0.is_null() {
            return &[];
        }
        // SAFETY: the application gives `length` readable bytes that live during the call.
        unsafe { std::slice::from_raw_parts(self.0, length) }
    }
}

/// Reads a property list: names with values up to a 0 name. The list keeps its terminating 0; a null list is empty.
/// # Errors
/// CL_INVALID_PROPERTY for a list longer than any real one (a missing terminator).
pub fn properties<T: Copy + PartialEq + From<u8>>(list: In<T>) -> Result<Vec<T>> {
    const LIMIT: usize = 256;
    let zero = T::from(0);
    let mut out = Vec::new();
    if list.is_null() {
        return Ok(out);
    }
    loop {
        // SAFETY: the application's list goes on until a 0 name (module comment), and none was found yet.
        let name = unsafe { list.0.add(out.len()).read_unaligned() };
        out.push(name);
        if name == zero {
            return Ok(out);
        }
        // SAFETY: each name is followed by a value.
        out.push(unsafe { list.0.add(out.len()).read_unaligned() });
        if out.len() > LIMIT {
            return Err(Error::INVALID_PROPERTY);
        }
    }
}

impl<T> Out<T> {
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Writes one element, unless the pointer is null.
    pub fn put(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the application gives room for one element (module comment); it may misalign it.
            unsafe { self.0.write_unaligned(value) }
        }
    }

    /// Writes as many of `values` as `room` elements hold, unless the pointer is null.
    pub fn put_list(self, values: impl IntoIterator<Item = T>, room: usize) {
        if self.0.is_null() {
            return;
        }
        for (i, value) in values.into_iter().take(room).enumerate() {
            // SAFETY: the application gives room for `room` elements (module comment).
            unsafe { self.0.add(i).write_unaligned(value) }
        }
    }
}

impl Out<c_void> {
    /// A pointer whose type another argument tells.
    pub fn cast<T>(self) -> Out<T> {
        Out(self.0.cast())
    }
}

impl<T: Copy> Out<T> {
    /// The first `count` elements as they are (arrays of pointers to fill).
    pub fn list(self, count: usize) -> Vec<T> {
        In(self.0.cast_const()).list(count)
    }
}

/// Where the answer of a clGet*Info query goes: `param_value_size`, `param_value`, `param_value_size_ret`.
#[derive(Clone, Copy)]
pub struct Answer {
    pub room: usize,
    pub value: Out<c_void>,
    pub size_ret: Out<usize>,
}

impl Answer {
    pub fn new(room: usize, value: Out<c_void>, size_ret: Out<usize>) -> Answer {
        Answer {
            room,
            value,
            size_ret,
        }
    }

    /// Answers with one plain C value.
    pub fn value<T: Copy>(self, value: T) -> Result<()> {
        self.list(&[value])
    }

    /// Answers with an array of plain C values.
    pub fn list<T: Copy>(self, values: &[T]) -> Result<()> {
        let size = size_of_val(values);
        // "CL_INVALID_VALUE if the size in bytes specified by param_value_size is less than the size of the return
        // type and param_value is not NULL".
        if !self.value.is_null() {
            if self.room < size {
                return Err(Error::INVALID_VALUE);
            }
            // SAFETY: the application gives `room` bytes (module comment), and `size` is not more; the source is a
            // slice of plain C values.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    values.as_ptr().cast::<u8>(),
                    self.value.0.cast::<u8>(),
                    size,
                )
            }
        }
        self.size_ret.put(size);
        Ok(())
    }

    /// Answers with a string and its NUL.
    pub fn text(self, text: &str) -> Result<()> {
        let mut bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
        bytes.push(0);
        self.list(&bytes)
    }

    /// Answers CL_TRUE or CL_FALSE.
    pub fn flag(self, flag: bool) -> Result<()> {
        self.value(u32::from(flag))
    }
}
