//! A build from beginning to end: what is known of it already, or the compiler.

use super::cache::Cache;
use super::cell::Recipe;
use super::code::{Code, Ready};
use super::image::{self, Image, VariantImage};
use super::key::Key;
use super::link;
use super::pipeline::Kept;
use super::store::{Part, Store};
use super::timings::{Step, Timings};
use super::unit::{SourceUnit, with_files};
use super::variants::{Make, Variants};
use super::{BuildOutput, Kernel, KernelInfo, Program, pipeline};
use crate::codegen::{self, Data};
use crate::sync::Mutex;
use std::sync::Arc;

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
            timings.note(|| format!("cache: stored in {}", store.folder().display()));
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

/// The program and the first objects of a build, from the cache.
fn find(cache: &Cache, key: &Key) -> Option<Image> {
    let program = image::decode_program(&cache.get(key)?)?;
    let part = |kernel| cache.get(&key.part(Part::first(kernel).number()));
    let objects = program.kernels.iter().enumerate();
    let objects = objects.map(|(number, info)| match info.by_objects {
        true => Some(Arc::default()),
        false => part(number).map(Arc::from),
    });
    let objects = objects.collect::<Option<_>>()?;
    Some(Image {
        program,
        objects,
        variants: Vec::new(),
    })
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
        let key = self.key.part(part.number());
        if let Some(object) = self.cache.and_then(|cache| cache.get(&key)) {
            return load(name, object.into(), self.data.clone(), &Timings::none());
        }
        let program = self.compiled()?;
        make_part(part, &program.kernels[part.kernel()])
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

/// Makes an object of a kernel that has just been compiled, which nobody else has seen.
fn make_part(part: Part, kernel: &Kernel) -> Result<Ready, String> {
    let recipe = part.code(kernel).recipe();
    recipe.ok_or("it has been begun elsewhere")?()
}

fn serve(source: Source, image: Image, timings: &Timings) -> BuildOutput {
    let (key, source) = (source.key, Arc::new(source));
    let Image {
        program,
        objects,
        mut variants,
    } = image;
    let bytes = image::encode_program(&program.log, &program.variables, program.kernels.iter());
    let (log, variables) = (program.log, program.variables);
    let kernels = program.kernels.into_iter().zip(objects).enumerate();
    let kernels = kernels.map(|(number, (info, object))| {
        if info.by_objects {
            let own = variants.extract_if(.., |variant| variant.kernel == number);
            let make = source.clone().variants(number, own.collect());
            let none = Code::later(Arc::new(|| Err("it is made for a launch".into())));
            return Arc::new(Kernel {
                variants: Some(Variants::new(make)),
                ..Kernel::new(info, none)
            });
        }
        let (name, timings, data) = (info.name.clone(), timings.clone(), source.data.clone());
        let first: Recipe<Ready> = Arc::new(move || {
            let ready = load(&name, object.clone(), data.clone(), &timings);
            timings.kernel_done();
            ready
        });
        let name = info.name.clone();
        let later = |part: Part| {
            if part.is_first() {
                return Code::later(first.clone());
            }
            let (name, source) = (name.clone(), source.clone());
            Code::later(Arc::new(move || source.make(part, &name)))
        };
        let tailored = info
            .can_be_tailored()
            .then(|| Variants::new(source.clone().variants(number, Vec::new())));
        Arc::new(Kernel {
            tailored,
            ..kernel_of(info, number, later)
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

/// A kernel each piece of whose code `later` has made.
fn kernel_of(info: KernelInfo, number: usize, later: impl Fn(Part) -> Code) -> Kernel {
    let first = later(Part::first(number));
    if info.full_rows == 0 {
        return Kernel::new(info, first);
    }
    let shorter = (1..info.row_lengths().count()).map(|n| later(Part::of_rows(number, n)));
    let streams = info.streams.any();
    let streaming = streams.then(|| later(Part::streaming(number)));
    let full_rows = std::iter::once(first).chain(shorter).collect();
    Kernel {
        streaming,
        ..Kernel::with_rows(info, later(Part::general(number)), full_rows)
    }
}

/// Objects by their parts.
type Objects = Vec<(Part, Arc<[u8]>)>;

/// Compiles a variant.
pub(super) type Compile = Arc<dyn Fn() -> Result<Kernel, String> + Send + Sync>;

/// A variant of which an earlier process left `info` and some objects: those here, and those in the store. `compile` is
/// asked for others.
fn kept_variant(
    info: KernelInfo,
    objects: Objects,
    store: Option<Arc<Store>>,
    data: Option<Arc<Data>>,
    compile: Compile,
) -> Kernel {
    let (name, objects) = (info.name.clone(), Arc::new(objects));
    let later = |part: Part| {
        let (name, objects, store) = (name.clone(), objects.clone(), store.clone());
        let (data, compile) = (data.clone(), compile.clone());
        Code::later(Arc::new(move || {
            let object = objects.iter().find(|object| object.0 == part);
            let object = object.map(|object| object.1.clone());
            match object.or_else(|| store.as_ref()?.get(part)) {
                Some(object) => load(&name, object, data.clone(), &Timings::none()),
                None => make_part(part, &compile()?),
            }
        }))
    };
    let other_forms = info.can_be_tailored();
    let kernel = kernel_of(info, 0, later);
    Kernel {
        tailored: other_forms.then(|| Variants::new(tailored_variants(store, data, compile))),
        ..kernel
    }
}

/// How to make the forms for launches' groups of a variant that an earlier process left in `store`, or that `compile` makes.
fn tailored_variants(store: Option<Arc<Store>>, data: Option<Arc<Data>>, compile: Compile) -> Make {
    Arc::new(move |words| {
        let (variant, name) = (compile.clone(), words.to_vec());
        let compile: Compile = Arc::new(move || variant()?.make_variant(&name));
        let store = store.as_ref().and_then(|store| store.variant(0, words));
        stored_or_compiled(store, data.clone(), compile)
    })
}

/// A variant from the store, or what `compile` makes.
fn stored_or_compiled(
    store: Option<Arc<Store>>,
    data: Option<Arc<Data>>,
    compile: Compile,
) -> Result<Kernel, String> {
    let stored = store.and_then(|store| stored_variant(&store, data, compile.clone()));
    stored.map_or_else(|| compile(), Ok)
}

/// A variant from the store, if an earlier process left it there.
pub(super) fn stored_variant(
    store: &Arc<Store>,
    data: Option<Arc<Data>>,
    compile: Compile,
) -> Option<Kernel> {
    let info = store.variant_info()?;
    Some(kept_variant(
        info,
        Vec::new(),
        Some(store.clone()),
        data,
        compile,
    ))
}

impl Source {
    /// How to make the variants of a kernel: `own` came with the program's binary.
    fn variants(self: Arc<Source>, number: usize, own: Vec<VariantImage>) -> Make {
        Arc::new(move |words| {
            let (source, name) = (self.clone(), words.to_vec());
            let compile: Compile =
                Arc::new(move || source.compiled()?.kernels[number].make_variant(&name));
            let data = self.data.clone();
            let store = self
                .cache
                .map(|cache| Store::new(cache, self.key.variant(number, words)));
            let store = store.map(Arc::new);
            if let Some(variant) = own.iter().find(|variant| variant.words == words) {
                let objects = variant.objects.clone();
                return Ok(kept_variant(
                    variant.info.clone(),
                    objects,
                    store,
                    data,
                    compile,
                ));
            }
            stored_or_compiled(store, data, compile)
        })
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
        loaded.announce(&object, name, entry);
        codegen::perf::list(&object, name, entry);
        Ok(Ready {
            entry,
            _loaded: Some(loaded),
            object,
        })
    })
}

impl Program {
    /// Has the first machine code of all kernels made.
    pub(super) fn start(&self, timings: &Timings) {
        timings.title(|| match self.kernels.len() {
            1 => "1 kernel".into(),
            n => format!("{n} kernels"),
        });
        let early = self.kernels.iter().filter(|k| k.is_made_early());
        let jobs: Vec<_> = early.map(|k| k.first_code().job()).collect();
        timings.ready(jobs.len());
        super::background::enqueue(jobs);
    }

    /// The program as bytes for [`Known::image`]. Waits for the first machine code of all kernels, none if some has none;
    /// variants are in it that launches have asked for.
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
        let variants = self
            .kernels
            .iter()
            .enumerate()
            .flat_map(|(number, kernel)| {
                let variants = kernel.variants.as_ref().map(Variants::known);
                let variants = variants.unwrap_or_default().into_iter();
                variants.map(move |(words, variant)| VariantImage {
                    kernel: number,
                    words,
                    objects: known_objects(&variant),
                    info: variant.info.clone(),
                })
            });
        Some(image::encode(
            key,
            program,
            &objects,
            &variants.collect::<Vec<_>>(),
        ))
    }
}

fn known_objects(variant: &Kernel) -> Objects {
    let parts = Part::all(0, &variant.info);
    let known = parts.map(|part| Some((part, part.code(variant).known_object()?)));
    known.flatten().collect()
}
