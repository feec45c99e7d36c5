//! Where the parts of a build go as they are made, and what they are called in the disk cache.

use super::cache::Cache;
use super::code::Code;
use super::image;
use super::key::Key;
use super::{Kernel, KernelInfo};
use crate::codegen::DataImage;
use once_cell::sync::OnceCell;
use std::path::Path;
use std::sync::Arc;

/// Which object of a build: each kernel has a first one, which is made with the program, and may have others, which are
/// made when a launch wants them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part(usize);

/// The objects that a kernel may have.
const PARTS: usize = 8;

impl Part {
    pub fn first(kernel: usize) -> Part {
        Part(PARTS * kernel)
    }

    /// For groups of any size, where the first one is not.
    pub fn general(kernel: usize) -> Part {
        Part(PARTS * kernel + 1)
    }

    /// For the `n`-th of [`KernelInfo::row_lengths`](super::KernelInfo::row_lengths), counted from 0.
    pub fn of_rows(kernel: usize, n: usize) -> Part {
        match n {
            0 => Part::first(kernel),
            _ => Part(PARTS * kernel + 1 + n),
        }
    }

    /// For the same groups as the first one, by stores that go around the caches.
    pub fn streaming(kernel: usize) -> Part {
        Part(PARTS * kernel + PARTS - 1)
    }

    pub fn is_streaming(self) -> bool {
        self.0 % PARTS == PARTS - 1
    }

    pub fn is_first(self) -> bool {
        self.0.is_multiple_of(PARTS)
    }

    /// The kernel's number in its program.
    pub fn kernel(self) -> usize {
        self.0 / PARTS
    }

    /// The code of that kernel that the object is for.
    pub fn code(self, kernel: &Kernel) -> &Code {
        match self.0 % PARTS {
            0 => kernel.first_code(),
            1 => &kernel.code,
            n => match &kernel.streaming {
                Some(code) if self.is_streaming() => code,
                _ => &kernel.full_rows[n - 1],
            },
        }
    }

    /// Those that a kernel of one program has.
    pub fn all(kernel: usize, info: &KernelInfo) -> impl Iterator<Item = Part> {
        let rows = (0..info.row_lengths().count()).map(move |n| Part::of_rows(kernel, n));
        let general = match info.full_rows {
            0 => Part::first(kernel),
            _ => Part::general(kernel),
        };
        std::iter::once(general).chain(rows)
    }

    pub fn number(self) -> usize {
        self.0
    }
}

/// Where the parts of one build go as they are made.
pub(super) struct Store {
    cache: &'static Cache,
    key: Key,
    /// The program without its machine code, and the part that brings it along. Nothing is stored before it is known.
    program: OnceCell<(Vec<u8>, Option<Part>)>,
}

impl Store {
    pub fn new(cache: &'static Cache, key: Key) -> Store {
        Store {
            cache,
            key,
            program: OnceCell::new(),
        }
    }

    /// `first` is the first kernel whose code is made with the program.
    pub fn open(&self, program: Vec<u8>, first: Option<usize>) {
        if first.is_none() {
            self.cache.put(&self.key, &program);
        }
        let _ = self.program.set((program, first.map(Part::first)));
    }

    pub fn folder(&self) -> &Path {
        self.cache.folder()
    }

    /// For a variant of a kernel of this build: an entry of its own, like that of a program with one kernel.
    pub fn variant(&self, kernel: usize, words: &[u32]) -> Option<Arc<Store>> {
        self.program.get()?;
        let key = self.key.variant(kernel, words);
        Some(Arc::new(Store::new(self.cache, key)))
    }

    /// What an earlier process stored of a variant.
    pub fn variant_info(&self) -> Option<KernelInfo> {
        let program = self.cache.get(&self.key)?;
        let info = image::decode_program(&program)?.kernels.pop()?;
        let _ = self.program.set((program, None));
        Some(info)
    }

    /// Stores a variant; its objects follow when they are made.
    pub fn put_variant(&self, info: &KernelInfo) {
        let kernels = std::iter::once(info);
        self.open(
            image::encode_program("", &DataImage::default(), kernels),
            None,
        );
    }

    /// An object, if it is there already.
    pub fn get(&self, part: Part) -> Option<Arc<[u8]>> {
        self.program.get()?;
        let object = self.cache.get(&self.key.part(part.0))?;
        self.put_program(part);
        Some(object.into())
    }

    /// Stores an object.
    pub fn put(&self, part: Part, object: &[u8]) {
        if self.program.get().is_some() {
            self.cache.put(&self.key.part(part.0), object);
            self.put_program(part);
        }
    }

    /// The first kernel brings the program with it.
    fn put_program(&self, part: Part) {
        if let Some((program, first)) = self.program.get()
            && *first == Some(part)
        {
            self.cache.put(&self.key, program);
        }
    }
}
