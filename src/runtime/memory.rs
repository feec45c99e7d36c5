//! Memory objects: buffers, sub-buffers, images and pipes.
//!
//! A buffer is host memory: the application's (CL_MEM_USE_HOST_PTR) or ours, aligned to 128 bytes or more, so that
//! mapping and kernel arguments are plain addresses. A sub-buffer, and an image on a buffer or on
//! another image, holds its parent and shares its bytes.
//! The bytes themselves are unsynchronised, as OpenCL's memory model has them: commands order the accesses.

use super::context::{Callback, Context};
use super::image::{Image, Shape, Texel};
use super::object::{Body, Handle};
use super::pipe::Pipe;
use super::storage::Storage;
use super::svm::{Facts, Kind};
use crate::cl::*;
use crate::sync::Mutex;
use std::ffi::c_void;

/// `pfn_notify` of clSetMemObjectDestructorCallback.
pub type DestructorFn = unsafe extern "C" fn(cl_mem, *mut c_void);

pub struct Memory {
    pub context: Handle<Context>,
    /// As CL_MEM_FLAGS answers: defaults filled in, a parent's flags inherited.
    pub flags: cl_mem_flags,
    /// Size in bytes.
    pub size: usize,
    /// Offset in bytes from the parent's start; 0 for a buffer.
    pub offset: usize,
    pub parent: Option<Handle<Memory>>,
    /// As CL_MEM_HOST_PTR answers: the pointer given with CL_MEM_USE_HOST_PTR, or null.
    pub host_ptr: *mut c_void,
    /// Whether the application's memory is of clSVMAlloc.
    pub uses_svm: bool,
    /// The property list as given, its terminating 0 included; empty when there was none.
    pub properties: Vec<cl_mem_properties>,
    /// What the bytes are, if they are an image.
    pub image: Option<Image>,
    /// What they are, if they are a pipe.
    pub pipe: Option<Pipe>,
    data: *mut u8,
    /// Ours; held for its `Drop`.
    _storage: Option<Storage>,
    maps: Mutex<Vec<Mapping>>,
    destructors: Mutex<Vec<Callback<DestructorFn>>>,
}

/// One clEnqueueMapBuffer or clEnqueueMapImage that is not unmapped yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Of its first byte, from this object's start.
    pub offset: usize,
    /// First corner and size: of an image in texels, of a buffer in bytes of one row.
    pub origin: [usize; 3],
    pub region: [usize; 3],
    pub writes: bool,
}

// SAFETY: the pointers name bytes whose accesses the application orders with commands and events (OpenCL's memory
// model); everything else in the struct is Send and Sync.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Body for Memory {
    const INVALID: Error = Error::INVALID_MEM_OBJECT;
    // A sub-buffer gives its parent back (CL_MEM_ASSOCIATED_MEMOBJECT).
    const OUTLIVES_RELEASE: bool = true;

    fn on_destroy(&self, handle: usize) {
        // "in the reverse order in which they were registered", before the memory is freed.
        let callbacks = std::mem::take(&mut *self.destructors.lock());
        for callback in callbacks.iter().rev() {
            // SAFETY: the application's function, called as specified, no lock held.
            unsafe { (callback.function)(handle as cl_mem, callback.user_data) }
        }
    }
}

impl Memory {
    /// A buffer of `size` bytes (not 0). With CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR, `host_ptr` must be valid
    /// for `size` bytes; `flags` must have been checked.
    pub fn buffer(
        context: Handle<Context>,
        flags: cl_mem_flags,
        size: usize,
        host_ptr: *mut c_void,
        properties: Vec<cl_mem_properties>,
    ) -> Result<Memory> {
        let uses_host = flags & CL_MEM_USE_HOST_PTR != 0;
        let svm = |facts: Facts| facts.kind == Kind::Svm;
        let uses_svm = uses_host && context.allocations.find(host_ptr).is_some_and(svm);
        let storage = if uses_host {
            None
        } else {
            let storage = Storage::allocate(size, context.memory_limit());
            Some(storage.ok_or(Error::MEM_OBJECT_ALLOCATION_FAILURE)?)
        };
        let data = match &storage {
            Some(storage) => storage.data(),
            None => host_ptr.cast(),
        };
        if flags & CL_MEM_COPY_HOST_PTR != 0 {
            // SAFETY: the caller gives `size` readable bytes; `data` is a new allocation of that size.
            unsafe { std::ptr::copy_nonoverlapping(host_ptr.cast::<u8>(), data, size) }
        }
        Ok(Memory {
            context,
            flags,
            size,
            offset: 0,
            parent: None,
            host_ptr: if uses_host {
                host_ptr
            } else {
                std::ptr::null_mut()
            },
            uses_svm,
            properties,
            image: None,
            pipe: None,
            data,
            _storage: storage,
            maps: Mutex::default(),
            destructors: Mutex::default(),
        })
    }

    /// The bytes of a [`Memory::buffer`], as an image of this shape, whose bytes these are.
    pub fn with_image(mut self, format: cl_image_format, texel: Texel, shape: Shape) -> Memory {
        self.image = Some(Image::new(format, texel, shape, self.data));
        self
    }

    /// The bytes of a [`Memory::buffer`], as a pipe that has been made in them.
    pub fn with_pipe(mut self, pipe: Pipe) -> Memory {
        self.pipe = Some(pipe);
        self
    }

    /// Neither an image nor a pipe.
    pub fn is_buffer(&self) -> bool {
        self.image.is_none() && self.pipe.is_none()
    }

    /// An image on the first bytes of a buffer or another image. They must be enough.
    pub fn image_on(
        parent: Handle<Memory>,
        flags: cl_mem_flags,
        properties: Vec<cl_mem_properties>,
        (format, texel, shape): (cl_image_format, Texel, Shape),
    ) -> Memory {
        Memory {
            context: parent.context.clone(),
            flags,
            size: shape.bytes(texel.size).unwrap_or(parent.size),
            offset: 0,
            host_ptr: parent.host_ptr,
            uses_svm: parent.uses_svm,
            properties,
            image: Some(Image::new(format, texel, shape, parent.data)),
            pipe: None,
            data: parent.data,
            _storage: None,
            parent: Some(parent),
            maps: Mutex::default(),
            destructors: Mutex::default(),
        }
    }

    /// The part `offset .. offset + size` of a buffer, which must be in bounds and not be a sub-buffer itself.
    pub fn sub_buffer(
        parent: Handle<Memory>,
        flags: cl_mem_flags,
        offset: usize,
        size: usize,
    ) -> Memory {
        debug_assert!(parent.parent.is_none() && offset + size <= parent.size);
        Memory {
            context: parent.context.clone(),
            flags,
            size,
            offset,
            host_ptr: if parent.host_ptr.is_null() {
                std::ptr::null_mut()
            } else {
                parent.host_ptr.cast::<u8>().wrapping_add(offset).cast()
            },
            uses_svm: parent.uses_svm,
            properties: Vec::new(),
            image: None,
            pipe: None,
            data: parent.data.wrapping_add(offset),
            _storage: None,
            parent: Some(parent),
            maps: Mutex::default(),
            destructors: Mutex::default(),
        }
    }

    /// The first byte (a sub-buffer's offset included), valid for `self.size` bytes.
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    /// The object whose memory it is: the parent's of a sub-buffer or an image on another object, else itself.
    pub fn root(&self) -> &Memory {
        self.parent.as_deref().map_or(self, |parent| parent.root())
    }

    /// Counts a mapping (when clEnqueueMapBuffer is enqueued) and gives its address.
    /// # Errors
    /// CL_INVALID_OPERATION "if mapping would lead to overlapping regions being mapped for writing".
    pub fn map(&self, mapping: Mapping) -> Result<*mut c_void> {
        let mut maps = self.maps.lock();
        let overlaps = |m: &Mapping| {
            (0..3).all(|n| {
                m.origin[n] < mapping.origin[n] + mapping.region[n]
                    && mapping.origin[n] < m.origin[n] + m.region[n]
            })
        };
        if mapping.writes && maps.iter().any(|m| m.writes && overlaps(m)) {
            return Err(Error::INVALID_OPERATION);
        }
        maps.push(mapping);
        Ok(self.data.wrapping_add(mapping.offset).cast())
    }

    /// Ends one mapping that returned `address`; none such is CL_INVALID_VALUE.
    pub fn unmap(&self, address: *mut c_void) -> Result<Mapping> {
        let mut maps = self.maps.lock();
        let found = maps
            .iter()
            .position(|m| self.data.wrapping_add(m.offset).cast() == address);
        found.map(|at| maps.remove(at)).ok_or(Error::INVALID_VALUE)
    }

    /// CL_MEM_MAP_COUNT.
    pub fn map_count(&self) -> usize {
        self.maps.lock().len()
    }

    /// Registers a callback for the object's end; they run in reverse order.
    pub fn add_destructor(&self, callback: Callback<DestructorFn>) {
        self.destructors.lock().push(callback);
    }
}
