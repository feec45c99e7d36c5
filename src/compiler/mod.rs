//! source + options -> [`Program`]. What the runtime sees of the compiler: nothing below this room leaks upwards.
//!
//! `frontend` makes IR of the text, `link` makes one program of several, `library` links in what it uses of the OpenCL C
//! library, `pipeline` goes on to group functions; `background` makes machine code of them, kernel by kernel, which
//! `code` waits for, in a `cell`. `serve` is the whole of a build, with the disk `cache`, where `store` puts it, and program
//! binaries (`image`), which know a build by its `key`. `variants` are kernels for the images of a launch, `origin` makes
//! them; `tailored` those for the groups of long launches. `stages` shows the program after each stage to people and tests; `target` says what the language offers on this
//! device; `source_files` puts text where debuggers find it; `private_files` writes both it and the cache; `timings` tells where the time goes.

pub mod background;
mod build_id;
pub mod cache;
mod cell;
mod code;
mod frontend;
mod image;
mod key;
mod library;
pub mod link;
mod origin;
mod pipeline;
mod private_files;
mod serve;
mod source_files;
pub mod stages;
mod store;
mod tailored;
pub mod target;
#[cfg(test)]
mod tests;
mod timings;
pub mod unit;
mod variants;
pub mod wire;

pub use crate::codegen::{Line, debuggers_lock};
pub use crate::front::image::{Access, ImageKind};
pub use crate::ir::{DeviceOp, abi, deferred};
pub use crate::workgroup::{COPY_ALIGN, Shape};
pub use build_id::build_id;
pub use code::Code;
pub use serve::{Known, build_known};
pub use tailored::Groups;
pub use timings::lock as timings_lock;

use crate::codegen::DataImage;
use crate::workgroup;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use unit::SourceUnit;
use variants::Variants;

/// Bytes of stack that a thread needs to run [`build`].
pub const STACK_SIZE: usize = 64 << 20;

/// A header given to clCompileProgram: `name` as it stands between the quotes of `#include`.
#[derive(Clone, Debug)]
pub struct Header {
    pub name: String,
    pub source: String,
}

/// What came of a build. `log` is what CL_PROGRAM_BUILD_LOG answers (warnings too), in clang's form.
pub struct BuildOutput {
    pub log: String,
    pub result: Result<Arc<Program>, BuildError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The option string has an unknown or malformed option: CL_INVALID_BUILD_OPTIONS.
    InvalidOptions,
    /// The source has errors: CL_BUILD_PROGRAM_FAILURE (or CL_COMPILE_PROGRAM_FAILURE).
    Failed,
}

/// The kernels of a built program, in source order.
pub struct Program {
    pub kernels: Vec<Arc<Kernel>>,
    /// What its variables in global memory start as; their memory belongs to the code.
    variables: DataImage,
    /// What it was built from, and all but its machine code as bytes; none when that can't be known.
    origin: Option<(key::Key, Vec<u8>)>,
}

impl Program {
    /// The kernels that the source names.
    pub fn named_kernels(&self) -> impl Iterator<Item = &Arc<Kernel>> {
        self.kernels.iter().filter(|kernel| !kernel.is_block())
    }

    /// Bytes that the variables in global memory take (CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE).
    pub fn variables_size(&self) -> usize {
        self.variables.size as usize
    }
}

/// One kernel: what is known of it when its program has been built, and its machine code.
pub struct Kernel {
    info: KernelInfo,
    /// For groups of any size.
    code: Code,
    /// For groups of full rows, by [`KernelInfo::row_lengths`]. Most are multiples of the first of them, and this code is made
    /// with the program.
    full_rows: Vec<Code>,
    /// For the same groups as the first of them: its stores go around the caches.
    streaming: Option<Code>,
    /// What runs instead, for the images and samplers that a launch comes with.
    variants: Option<Variants>,
    /// Kernels for the groups of one launch, see `tailored.rs`.
    tailored: Option<Variants>,
    /// Launches that did without code of their own, see [`Kernel::code_for`].
    humble: AtomicU32,
}

/// A launch of fewer items is not worth the time that it takes to make code for its rows (some 10 ms), when there is code
/// for groups of any size; until there have been a few of them.
const WORTH_CODE: u64 = 1 << 12;
const HUMBLE_LAUNCHES: u32 = 16;

impl Kernel {
    /// Whether it is a block that kernels may enqueue, which has no name for the application.
    pub fn is_block(&self) -> bool {
        self.name.starts_with('.')
    }

    pub fn new(info: KernelInfo, code: Code) -> Kernel {
        Kernel::with_rows(info, code, Vec::new())
    }

    fn with_rows(info: KernelInfo, code: Code, full_rows: Vec<Code>) -> Kernel {
        Kernel {
            info,
            code,
            full_rows,
            streaming: None,
            variants: None,
            tailored: None,
            humble: AtomicU32::new(0),
        }
    }

    /// The kernel to launch with images and samplers of these formats and modes: a word for each, see
    /// `variants.rs`. Itself where that makes no difference. The error says why there is none.
    pub fn for_objects(self: &Arc<Kernel>, words: &[u32]) -> Result<Arc<Kernel>, String> {
        match &self.variants {
            Some(variants) => variants.get(words),
            None => Ok(self.clone()),
        }
    }

    /// A kernel for such objects that nobody else has, made by this thread, which needs a stack of [`STACK_SIZE`] bytes.
    fn make_variant(&self, words: &[u32]) -> Result<Kernel, String> {
        let variants = self.variants.as_ref().or(self.tailored.as_ref());
        variants.ok_or("it has no variants")?.make(words)
    }

    /// The kernel for such groups, made now if it is not there. The error says why there is none.
    pub fn tailor(&self, groups: &Groups) -> Result<Arc<Kernel>, String> {
        let variants = self.tailored.as_ref().ok_or("it has no other form")?;
        variants.get(&groups.name().ok_or("its local arguments are too large")?)
    }

    /// The kernel for such groups, if it is there already and worth it; else it is being made from now on.
    pub fn tailored(&self, groups: &Groups) -> Option<Arc<Kernel>> {
        let tailored = self.tailored.as_ref()?.ready(&groups.name()?)?;
        // Branches around what is filled once may make parts too large for lanes.
        (tailored.in_lanes || !self.in_lanes).then_some(tailored)
    }

    /// What is known of the groups of a launch with these sizes, if code for that would keep in registers what lives across barriers.
    pub fn sized_groups(&self, offset: u64, global: [u64; 3], local: [u64; 3]) -> Option<Groups> {
        let [per_item, fixed] = [self.scratch_per_item, self.scratch_fixed].map(|n| n as u64);
        workgroup::small_scratch(local, per_item, fixed)?;
        let fits = self.info.sized
            && Groups::are_full(offset, global, local)
            && (self.row_lengths()).any(|lanes| self.is_for_rows_of(local[0], lanes));
        fits.then(|| Groups::of_size(local)).flatten()
    }

    /// Whether machine code is made with the program, before a launch asks for it.
    fn is_made_early(&self) -> bool {
        !self.info.by_objects
    }

    /// The code for a launch with this offset in x, and these global and local sizes (at least 1).
    pub fn code(&self, offset: u64, global: [u64; 3], local: [u64; 3]) -> &Code {
        // As [`workgroup::Options::full_rows`](crate::workgroup::Options) wants it, the last group too.
        if offset.saturating_add(global[0]) > 1 << 31 {
            return &self.code;
        }
        if let Some(size) = self.info.reqd_work_group_size {
            let all_have_it =
                (size.iter().zip(local).zip(global)).all(|((&size, local), global)| {
                    size as u64 == local && global.is_multiple_of(local)
                });
            if !all_have_it {
                return &self.code;
            }
        }
        let [global, local] = [global[0], local[0]];
        let mut codes = self.info.row_lengths().zip(&self.full_rows);
        let found = codes.find(|&(lanes, _)| {
            self.is_for_rows_of(local, lanes) && global.is_multiple_of(lanes.into())
        });
        found.map_or(&self.code, |(_, code)| code)
    }

    /// Whether there can be code for such a launch whose stores go around the caches.
    pub fn may_stream(&self, offset: u64, global: [u64; 3], local: [u64; 3]) -> bool {
        let first = self.full_rows.first().filter(|_| self.streaming.is_some());
        first.is_some_and(|first| std::ptr::eq(first, self.code(offset, global, local)))
    }

    /// That code, if it is there already; else it is being made from now on. Who calls it lets a store fence follow.
    pub fn streaming(&self, offset: u64, global: [u64; 3], local: [u64; 3]) -> Option<&Code> {
        let code = self.streaming.as_ref()?;
        let code = Some(code).filter(|_| self.may_stream(offset, global, local));
        code.filter(|code| code.is_known_or_offered())
    }

    /// The code for such a launch of `items` work-items: what [`Kernel::code`] gives, or what is there already.
    pub fn code_for(&self, offset: u64, global: [u64; 3], local: [u64; 3], items: u64) -> &Code {
        let best = self.code(offset, global, local);
        if items >= WORTH_CODE || best.is_known() || !self.code.is_known() {
            return best;
        }
        // Relaxed: launches that count at the same time may do so in any order.
        match self.humble.fetch_add(1, Ordering::Relaxed) {
            ..HUMBLE_LAUNCHES => &self.code,
            _ => best,
        }
    }

    /// The line of the source that an instruction of this kernel comes from, as far as its code tells.
    pub fn line_at(&self, pc: usize) -> Option<Line> {
        let codes = std::iter::once(&self.code).chain(&self.full_rows);
        let mut codes = codes.chain(&self.streaming);
        codes.find_map(|code| code.line_at(&self.info.name, pc))
    }

    /// The code that is made when the program is built.
    fn first_code(&self) -> &Code {
        self.full_rows.first().unwrap_or(&self.code)
    }
}

impl Deref for Kernel {
    type Target = KernelInfo;

    fn deref(&self) -> &KernelInfo {
        &self.info
    }
}

/// What clGetKernelInfo and clGetKernelArgInfo tell, how to lay out a kernel's arguments, and what memory it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelInfo {
    pub name: String,
    pub params: Vec<ParamInfo>,
    /// Size in bytes of the argument block (see [`abi::GroupFn`]).
    pub args_size: usize,
    /// CL_KERNEL_ATTRIBUTES: the attributes as written, separated by spaces.
    pub attributes: String,
    pub reqd_work_group_size: Option<[usize; 3]>,
    /// CL_KERNEL_COMPILE_WORK_GROUP_SIZE is `reqd_work_group_size`; this one is the hint.
    pub work_group_size_hint: Option<[usize; 3]>,
    /// Bytes of `__local` variables declared in the kernel (arguments not included).
    pub local_mem_size: usize,
    /// Bytes of private memory a work-item uses, as far as the compiler knows.
    pub private_mem_size: usize,
    /// Bytes of `abi::Group::scratch` for each work-item, and the part that does not depend on the group's size.
    pub scratch_per_item: usize,
    pub scratch_fixed: usize,
    pub merging: abi::Merging,
    /// Along which dimensions joining groups saves work ([`Kernel::tailored`]).
    pub sharing: abi::Sharing,
    pub streams: abi::Streams,
    /// Its work-items keep something across barriers, which may be in registers where the size of groups is known.
    pub sized: bool,
    /// Where rows are full, none of its parts runs item by item.
    pub in_lanes: bool,
    /// Whether it ends by itself and calls nothing, so that a short launch may run on the thread that enqueues it.
    pub prompt: bool,
    pub tiles: abi::Tiles,
    /// What its atomic operations do that wait for the end of a thread's part of a launch.
    pub deferred: Option<deferred::Deferred>,
    /// Whether its code is made for the images and samplers of a launch (see [`Kernel::for_objects`]).
    pub by_objects: bool,
    /// There is code of its own for groups whose rows in x are multiples of this number; 0 if there is not.
    pub full_rows: u32,
    /// Work-items in a full sub-group; and what the source requires of that, 0 if nothing.
    pub sub_group_size: u32,
    pub reqd_sub_group_size: u32,
}

/// Rows of fewer items have no code of their own.
const SHORTEST_ROW: u32 = 4;

impl KernelInfo {
    /// Whether there are other forms of it, see `tailored.rs`.
    fn can_be_tailored(&self) -> bool {
        self.full_rows > 0 && (self.sharing.joins || self.sized)
    }

    /// Whether the code for rows of so many `lanes`, one of [`Self::row_lengths`], is for rows of so many `items`.
    fn is_for_rows_of(&self, items: u64, lanes: u32) -> bool {
        let is_longest = lanes == self.full_rows;
        let lanes = u64::from(lanes);
        items == lanes || (is_longest && items.is_multiple_of(lanes))
    }

    /// For rows of which lengths there is code of its own: multiples of the first of these, or any of the others.
    fn row_lengths(&self) -> impl Iterator<Item = u32> {
        let longest = Some(self.full_rows).filter(|&lanes| lanes > 0);
        std::iter::successors(longest, |lanes| {
            Some(lanes / 2).filter(|&half| half >= SHORTEST_ROW)
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// CL_KERNEL_ARG_NAME and CL_KERNEL_ARG_TYPE_NAME ("float*", "uint4", "struct foo"...).
    pub name: String,
    pub type_name: String,
    pub kind: ParamKind,
    pub is_const: bool,
    pub is_restrict: bool,
    pub is_volatile: bool,
    /// Where the parameter stands in the argument block, in bytes; a pointer takes 8.
    pub offset: usize,
    pub size: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Passed by its bytes: a scalar, a vector or a struct; the address qualifier is private.
    Value,
    GlobalPointer,
    ConstantPointer,
    LocalPointer,
    /// The address of an [`abi::ImageDescriptor`].
    Image {
        kind: ImageKind,
        access: Access,
    },
    /// The bits of its CLK_ constants, 4 bytes.
    Sampler,
    /// The handle of a device queue, 8 bytes.
    Queue,
    /// The address of an [`abi::PipeHeader`], of packets of this size in bytes.
    Pipe {
        access: Access,
        packet: u32,
    },
}

/// Compiles and links one source text; the machine code of its kernels follows in the background. Never panics on bad
/// input; runs on the calling thread, which needs a stack of [`STACK_SIZE`] bytes, since the front end recurses over
/// trees of bounded depth.
pub fn build(source: &str, options: &str, headers: &[Header]) -> BuildOutput {
    let unit = SourceUnit::new(source, options, headers);
    build_known(&[unit], None, &Known::default())
}
