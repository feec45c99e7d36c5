//! A build from beginning to end: what is known of it already, or the compiler.

use super::cache::Cache;
use super::code::{Code, Ready, Recipe};
use super::image::{self, Image};
use super::key::Key;
use super::link;
use super::pipeline::Kept;
use super::timings::{Step, Timings};
use super::unit::{SourceUnit, with_files};
use super::variants::Variants;
use super::{BuildOutput, Kernel, Program, pipeline};
use crate::codegen::{self, Data};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// Where a finished build may be found.
#[derive(Default)]
pub struct Known<'a> {
    /// The disk cache, which also gets what is made now; the error says why there is none.
    pub cache: Option<Result<&'static Cache, &'static str>>,
    /// [`Program::image`] of an earlier build.
    pub image: Option<&'a [u8]>,
}

/// Builds one unit, or links several with `link`, the linker's options; with an image or an entry in the cache that fits, it
/// is only read. As [`super::build`] otherwise.
pub fn build_known(units: &[SourceUnit], link: Option<&str>, known: &Known) -> BuildOutput {
    let timings = Timings::start();
    let units = &timings.stage("read files", || with_files(units))[..];
    let key = timings.stage("hash", || Key::of(units, link));
    let cache = known.cache.and_then(Result::ok);
    if let Some(key) = &key {
        let found = timings.stage("look up", || {
            let image = known.image.and_then(|image| image::decode(image, key));
            let image = image.map(|image| ("the program's binary".to_string(), image));
            image.or_else(|| {
                let cache = cache?;
                Some((cache.folder().display().to_string(), find(cache, key)?))
            })
        });
        if let Some((place, image)) = found {
            timings.note(|| format!("cache: served from {place}"));
            if let Ok(data) = pipeline::program_data(&image.program.variables) {
                let source = Source {
                    units: units.to_vec(),
                    link: link.map(str::to_string),
                    key: *key,
                    cache,
                    program: Mutex::new(None),
                    data,
                };
                return serve(source, image, &timings);
            }
        }
    }
    let store = key
        .zip(cache)
        .map(|(key, cache)| Arc::new(Store::new(cache, key)));
    let kept = Kept {
        store: store.clone(),
        data: None,
    };
    let mut output = link::run(units, link, kept, &timings);
    if let Ok(program) = &mut output.result {
        let kernels = program.kernels.iter().map(|kernel| &kernel.info);
        let bytes = image::encode_program(&output.log, &program.variables, kernels);
        if let Some(store) = store {
            timings.note(|| format!("cache: stored in {}", store.cache.folder().display()));
            let first = program.kernels.iter().position(|k| k.is_made_early());
            store.open(bytes.clone(), first);
        } else if let Some(Err(reason)) = known.cache {
            timings.note(|| format!("cache: none ({reason})"));
        }
        program.origin = key.map(|key| (key, bytes));
        program.start(&timings);
    }
    output.into()
}

/// Which object of a build: each kernel has a first one, which is made with the program, and may have others, which are
/// made when a launch wants them.
#[derive(Clone, Copy, PartialEq, Eq)]
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

    pub fn is_first(self) -> bool {
        self.0.is_multiple_of(PARTS)
    }

    /// The code that the object of a program is for; not the first one.
    fn code(self, program: &Program) -> &Code {
        let kernel = &program.kernels[self.0 / PARTS];
        match self.0 % PARTS {
            1 => &kernel.code,
            n => &kernel.full_rows[n - 1],
        }
    }
}

/// The program and the first objects of a build, from the cache.
fn find(cache: &Cache, key: &Key) -> Option<Image> {
    let program = image::decode_program(&cache.get(key)?)?;
    let part = |kernel| cache.get(&key.part(Part::first(kernel).0));
    let objects = program.kernels.iter().enumerate();
    let objects = objects.map(|(number, info)| match info.by_objects {
        true => Some(Arc::default()),
        false => part(number).map(Arc::from),
    });
    let objects = objects.collect::<Option<_>>()?;
    Some(Image { program, objects })
}

/// What a program was built from that is there already, for code that is not.
struct Source {
    units: Vec<SourceUnit>,
    link: Option<String>,
    key: Key,
    cache: Option<&'static Cache>,
    program: Mutex<Option<Arc<Program>>>,
    /// The memory of the program's variables.
    data: Option<Arc<Data>>,
}

impl Source {
    /// Makes an object of a kernel that is not its first, or finds it in the cache.
    fn make(&self, part: Part, name: &str) -> Result<Ready, String> {
        let key = self.key.part(part.0);
        if let Some(object) = self.cache.and_then(|cache| cache.get(&key)) {
            return load(name, object.into(), self.data.clone(), &Timings::none());
        }
        let program = self.compiled()?;
        let recipe = part.code(&program).recipe();
        recipe.ok_or("it has been begun elsewhere")?()
    }

    /// The program, compiled when that is first asked for.
    fn compiled(&self) -> Result<Arc<Program>, String> {
        // Whoever has the lock may have stayed behind when the process was forked: nobody waits for it.
        if let Some(program) = self.program.try_lock().and_then(|known| known.clone()) {
            return Ok(program);
        }
        let program = self.build()?;
        if let Some(mut known) = self.program.try_lock() {
            *known = Some(program.clone());
        }
        Ok(program)
    }

    fn build(&self) -> Result<Arc<Program>, String> {
        let store = self.cache.map(|cache| {
            let store = Store::new(cache, self.key);
            Arc::new(store)
        });
        let kept = Kept {
            store: store.clone(),
            data: self.data.clone(),
        };
        let output = link::run(&self.units, self.link.as_deref(), kept, &Timings::none());
        let program = output.result.map_err(|_| output.log.clone())?;
        if let Some(store) = store {
            let kernels = program.kernels.iter().map(|kernel| &kernel.info);
            let first = program.kernels.iter().position(|k| k.is_made_early());
            let bytes = image::encode_program(&output.log, &program.variables, kernels);
            store.open(bytes, first);
        }
        Ok(Arc::new(program))
    }
}

fn serve(source: Source, image: Image, timings: &Timings) -> BuildOutput {
    let (key, source) = (source.key, Arc::new(source));
    let Image { program, objects } = image;
    let bytes = image::encode_program(&program.log, &program.variables, program.kernels.iter());
    let (log, variables) = (program.log, program.variables);
    let kernels = program.kernels.into_iter().zip(objects).enumerate();
    let kernels = kernels.map(|(number, (info, object))| {
        if info.by_objects {
            let source = source.clone();
            return Arc::new(Kernel {
                info,
                code: Code::later(Arc::new(|| Err("it is made for a launch".into()))),
                full_rows: Vec::new(),
                variants: Some(Variants::new(Arc::new(move |words| {
                    source.compiled()?.kernels[number].for_objects(words)
                }))),
            });
        }
        let (name, timings, data) = (info.name.clone(), timings.clone(), source.data.clone());
        let recipe: Recipe = Arc::new(move || {
            let ready = load(&name, object.clone(), data.clone(), &timings);
            timings.kernel_done();
            ready
        });
        let first = Code::later(recipe);
        if info.full_rows == 0 {
            return Arc::new(Kernel::new(info, first));
        }
        let later = |part| {
            let (name, source) = (info.name.clone(), source.clone());
            Code::later(Arc::new(move || source.make(part, &name)))
        };
        let shorter = (1..info.row_lengths().count()).map(|n| later(Part::of_rows(number, n)));
        Arc::new(Kernel {
            code: later(Part::general(number)),
            full_rows: std::iter::once(first).chain(shorter).collect(),
            info,
            variants: None,
        })
    });
    let program = Program {
        kernels: kernels.collect(),
        variables,
        origin: Some((key, bytes)),
    };
    program.start(timings);
    BuildOutput {
        log,
        result: Ok(Arc::new(program)),
    }
}

/// Loads a kernel's object.
pub(super) fn load(
    name: &str,
    object: Arc<[u8]>,
    data: Option<Arc<Data>>,
    timings: &Timings,
) -> Result<Ready, String> {
    timings.step(name, Step::Load, || {
        let loaded = codegen::load_with(&object, data)?;
        let entry = loaded.lookup(name)?;
        codegen::perf::list(&object, name, entry);
        Ok(Ready {
            entry,
            _loaded: Some(loaded),
            object,
        })
    })
}

/// Where the parts of one build go as they are made.
pub(super) struct Store {
    cache: &'static Cache,
    key: Key,
    /// The program without its machine code, and the part that brings it along. Nothing is stored before it is known.
    program: OnceLock<(Vec<u8>, Option<Part>)>,
}

impl Store {
    fn new(cache: &'static Cache, key: Key) -> Store {
        Store {
            cache,
            key,
            program: OnceLock::new(),
        }
    }

    /// `first` is the first kernel whose code is made with the program.
    fn open(&self, program: Vec<u8>, first: Option<usize>) {
        if first.is_none() {
            self.cache.put(&self.key, &program);
        }
        let _ = self.program.set((program, first.map(Part::first)));
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

impl Program {
    /// Has the first machine code of all kernels made.
    pub(super) fn start(&self, timings: &Timings) {
        timings.title(|| match self.kernels.len() {
            1 => "1 kernel".into(),
            n => format!("{n} kernels"),
        });
        let early = self.kernels.iter().filter(|k| k.is_made_early());
        let cells: Vec<_> = early.map(|k| k.first_code().cell().clone()).collect();
        timings.ready(cells.len());
        super::background::enqueue(cells);
    }

    /// The program as bytes for [`Known::image`]. Waits for the first machine code of all kernels; none if some has none.
    pub fn image(&self) -> Option<Vec<u8>> {
        let (key, program) = self.origin.as_ref()?;
        let objects = self.kernels.iter().map(|kernel| {
            if kernel.is_made_early() {
                kernel.first_code().object().ok()
            } else {
                Some(Arc::default())
            }
        });
        let objects = objects.collect::<Option<Vec<_>>>()?;
        Some(image::encode(key, program, &objects))
    }
}
