//! IR to a [`Program`]: the stages after the front end, as one readable list.

use super::cell::Recipe;
use super::code::{Code, Ready};
use super::frontend::{KernelFacts, Unit};
use super::origin::Origin;
use super::serve;
use super::store::{Part, Store};
use super::timings::{Step, Timings};
use super::{Kernel, KernelInfo, ParamInfo, ParamKind, Program, library, tailored, target};
use crate::codegen::{self, Data, DataImage, FastMath};
use crate::front::hir::ParamObject;
use crate::front::options::FrontOptions;
use crate::ir::{AddrSpace, FuncId, Function, Module, SUB_GROUP_SIZES, abi, verify};
use crate::observe::{self, trace};
use crate::opt;
use crate::workgroup::{self, Machine, Width};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A kernel whose group functions are in the module.
pub(super) struct Prepared {
    pub kernel: FuncId,
    pub group: workgroup::GroupKernel,
    /// Work-items in a full sub-group.
    pub sub_group_size: u32,
}

/// What a build goes on with: where its parts are stored, and the memory of its variables; new memory if there is none.
#[derive(Clone, Default)]
pub(super) struct Kept {
    pub store: Option<Arc<Store>>,
    pub data: Option<Arc<Data>>,
}

/// Makes group functions of all kernels of the unit; [`Program::start`] has machine code made of them. Errors are
/// limits that the source exceeds, in words for its author. `width` forces the lanes; tests ask for that.
pub(super) fn run(
    unit: Unit,
    options: &FrontOptions,
    width: Option<u16>,
    mut kept: Kept,
    timings: &Timings,
) -> Result<Program, String> {
    let Unit {
        mut module,
        kernels: facts,
        ..
    } = unit;
    link_library(&mut module, options, timings)?;
    let variables = DataImage::new(&module);
    if kept.data.is_none() {
        kept.data = program_data(&variables)?;
    }
    let ids: Vec<FuncId> = module.kernels().collect();
    let all: Vec<(FuncId, KernelFacts)> = ids
        .into_iter()
        .filter_map(|id| {
            let name = &module.body(id)?.name;
            Some((id, facts.iter().find(|f| f.name == *name)?.clone()))
        })
        .collect();
    let by_objects = |facts: &KernelFacts| !options.opt_disable && takes_objects(facts);
    let linked = all.iter().any(|(_, facts)| by_objects(facts));
    let linked = linked.then(|| module.clone());
    let plain = all.iter().enumerate();
    let plain = plain.filter(|(_, (_, facts))| !by_objects(facts));
    let (numbers, plain): (Vec<usize>, Vec<FuncId>) =
        plain.map(|(number, (id, _))| (number, *id)).unzip();
    let groups = every_group(options, width);
    let prepared = prepare(&mut module, &plain, options, groups, timings)?;
    let prepared: Vec<(usize, Prepared)> = numbers.into_iter().zip(prepared).collect();
    let mut plain = make_kernels(
        module,
        &prepared,
        &facts,
        codegen_options(options),
        groups,
        &kept,
        timings,
    )?
    .into_iter();
    let mut kernels = Vec::with_capacity(all.len());
    for (number, (id, facts)) in all.into_iter().enumerate() {
        let kernel = match &linked {
            Some(linked) if by_objects(&facts) => {
                let origin = Origin::new(linked, (number, id), facts, (options, width), &kept);
                timings.stage("kernels with images", || origin.kernel())?
            }
            _ => plain.next().expect("one for each plain kernel"),
        };
        kernels.push(Arc::new(kernel));
    }
    Ok(Program {
        kernels,
        variables,
        origin: None,
    })
}

/// Memory for a program's variables, if it has some.
pub(super) fn program_data(image: &DataImage) -> Result<Option<Arc<Data>>, String> {
    if image.size == 0 {
        return Ok(None);
    }
    match Data::new(image) {
        Some(data) => Ok(Some(Arc::new(data))),
        None => Err("not enough memory for the program's variables".into()),
    }
}

/// The kernels of a module whose group functions are in it, each with its number in the program.
pub(super) fn make_kernels(
    module: Module,
    prepared: &[(usize, Prepared)],
    facts: &[KernelFacts],
    options: codegen::Options,
    groups: workgroup::Options,
    kept: &Kept,
    timings: &Timings,
) -> Result<Vec<Kernel>, String> {
    for (_, kernel) in prepared {
        codegen::check(&module, &[kernel.group.func])?;
    }
    let maker = Arc::new(Maker {
        module,
        groups,
        kept: kept.clone(),
        options,
        timings: timings.clone(),
    });
    prepared
        .iter()
        .map(|&(number, ref p)| {
            let info = kernel_info(&maker.module, p, facts)?;
            let later = |part, func| Code::later(maker.clone().recipe(part, func));
            let Some(full_rows) = p.group.full_rows else {
                let code = later(Part::first(number), p.group.func);
                return Ok(Kernel::new(info, code));
            };
            let (kernel, general) = (p.kernel, p.group);
            let shorter = info.row_lengths().enumerate().skip(1);
            let shorter = shorter.map(|(n, lanes)| {
                let (maker, part) = (maker.clone(), Part::of_rows(number, n));
                Code::later(Arc::new(move || {
                    maker.make_for_rows(part, kernel, &general, lanes as u16)
                }))
            });
            let longest = later(Part::first(number), full_rows);
            let streams = info.streams.any();
            let streaming = streams.then(|| later(Part::streaming(number), full_rows));
            let general = later(Part::general(number), p.group.func);
            let full_rows = std::iter::once(longest).chain(shorter).collect();
            let tailored = info
                .can_be_tailored()
                .then(|| tailored::variants(&maker, (number, p), facts));
            Ok(Kernel {
                tailored,
                streaming,
                ..Kernel::with_rows(info, general, full_rows)
            })
        })
        .collect()
}

fn takes_objects(facts: &KernelFacts) -> bool {
    facts.info.params.iter().any(|p| p.object.is_some())
}

pub(super) const NO_BODY: &str = "a kernel has no body any more";

/// What the machine code of all kernels of a program is made from.
pub(super) struct Maker {
    pub module: Module,
    pub groups: workgroup::Options,
    pub kept: Kept,
    pub options: codegen::Options,
    timings: Timings,
}

impl Maker {
    /// How to make machine code of one group function: a module of its own, so that a kernel waits for no other.
    fn recipe(self: Arc<Maker>, part: Part, group: FuncId) -> Recipe<Ready> {
        Arc::new(move || {
            let ready = self.make(part, group);
            if part.is_first() {
                self.timings.kernel_done();
            }
            ready
        })
    }

    fn make(&self, part: Part, group: FuncId) -> Result<Ready, String> {
        match self.stored(part, group) {
            Some(ready) => ready,
            None => self.emit(part, &self.module, group),
        }
    }

    /// Code for groups whose rows have just as many items as there are `lanes`, which are fewer than suit the kernel: rows
    /// that fill a part of a chunk else. `general` is the kernel's group function for groups of any size.
    fn make_for_rows(
        &self,
        part: Part,
        kernel: FuncId,
        general: &workgroup::GroupKernel,
        lanes: u16,
    ) -> Result<Ready, String> {
        if let Some(ready) = self.stored(part, general.func) {
            return ready;
        }
        let mut module = self.module.clone();
        let options = workgroup::Options {
            width: Width::Lanes(lanes),
            ..self.groups
        };
        let group = workgroup::run(&mut module, kernel, options)?;
        check(&module, "the work-group compiler");
        // Launches provide what the kernel said that it needs.
        let fits = group.scratch_per_item <= general.scratch_per_item
            && group.scratch_fixed <= general.scratch_fixed;
        let func = group.full_rows.filter(|_| fits).unwrap_or(general.func);
        self.emit(part, &module, func)
    }

    /// From a process that did not come to the end of the program.
    fn stored(&self, part: Part, group: FuncId) -> Option<Result<Ready, String>> {
        let object = self.kept.store.as_ref()?.get(part)?;
        let name = &self.module.functions[group.index()].name;
        let data = self.kept.data.clone();
        Some(serve::load(name, object, data, &self.timings))
    }

    fn emit(&self, part: Part, module: &Module, group: FuncId) -> Result<Ready, String> {
        let (timings, name) = (&self.timings, &module.functions[group.index()].name);
        let mut told = trace::span("build", "LLVM");
        if let Some(told) = &mut told {
            told.args().text("kernel", name);
        }
        let options = codegen::Options {
            streaming: part.is_streaming(),
            ..self.options.clone()
        };
        let emitted = codegen::emit_groups(module, &[group], &options)?;
        drop(told);
        timings.add(name, Step::Lower, emitted.times.lower);
        timings.add(name, Step::Passes, emitted.times.passes);
        timings.add(name, Step::Code, emitted.times.code);
        if let Some(store) = &self.kept.store {
            timings.step(name, Step::Store, || store.put(part, &emitted.object));
        }
        serve::load(name, emitted.object.into(), self.kept.data.clone(), timings)
    }
}

/// Links the library in.
pub(super) fn link_library(
    module: &mut Module,
    options: &FrontOptions,
    timings: &Timings,
) -> Result<(), String> {
    let missing = timings.stage("link the library", || {
        if !options.opt_disable {
            opt::run_early(module);
        }
        library::link(module)
    });
    if let Some(name) = missing.first() {
        return Err(format!("undefined reference to '{name}'"));
    }
    check(module, "the front end");
    Ok(())
}

/// Optimises kernels of a module that has the library linked in, and adds group functions for each.
pub(super) fn prepare(
    module: &mut Module,
    kernels: &[FuncId],
    options: &FrontOptions,
    groups: workgroup::Options,
    timings: &Timings,
) -> Result<Vec<Prepared>, String> {
    timings.stage("optimise", || {
        if options.opt_disable {
            opt::run_required(module, kernels)
        } else {
            opt::run(module, kernels)
        }
    })?;
    let mut prepared = Vec::with_capacity(kernels.len());
    for &kernel in kernels {
        let name = module.functions[kernel.index()].name.clone();
        let made = timings.step(&name, Step::Group, || {
            let sub_group_size = sub_group_size(module, kernel, groups)?;
            let group = group(module, kernel, groups)?;
            Ok::<_, String>(Prepared {
                kernel,
                group,
                sub_group_size,
            })
        })?;
        prepared.push(made);
    }
    check(module, "the work-group compiler");
    Ok(prepared)
}

/// How many work-items a sub-group has. A kernel that has to do with them is told.
fn sub_group_size(
    module: &mut Module,
    kernel: FuncId,
    options: workgroup::Options,
) -> Result<u32, String> {
    let body = module.functions[kernel.index()].body.as_mut();
    let body = body.ok_or(NO_BODY)?;
    let registers = match options.width {
        Width::Machine(machine) => machine.registers,
        Width::Lanes(_) => target::register_bits(),
    };
    let suits = match options.width {
        Width::Lanes(lanes) if SUB_GROUP_SIZES.contains(&lanes.into()) => lanes.into(),
        _ => workgroup::choose_sub_group_size(body, registers),
    };
    let uses = workgroup::uses_sub_groups(body);
    let Some(attrs) = &mut body.kernel else {
        return Ok(suits);
    };
    let size = attrs.sub_group_size.unwrap_or(suits);
    if uses {
        attrs.sub_group_size = Some(size);
    }
    Ok(size)
}

/// Work-items that share vectors want the kernel's own vectors split; where no region runs that way they stay.
fn group(
    module: &mut Module,
    kernel: FuncId,
    options: workgroup::Options,
) -> Result<workgroup::GroupKernel, String> {
    let before = module.body(kernel).cloned();
    if options.width == Width::Lanes(1) || !opt::scalarize(module, kernel) {
        return workgroup::run(module, kernel, options);
    }
    let group = workgroup::run(module, kernel, options)?;
    if group.wide_regions > 0 {
        return Ok(group);
    }
    if let Some(func) = group.full_rows {
        module.functions[func.index()].body = None;
    }
    module.functions[group.func.index()].body = None;
    module.functions[kernel.index()].body = before;
    workgroup::run(
        module,
        kernel,
        workgroup::Options {
            width: Width::Lanes(1),
            ..options
        },
    )
}

/// As many work-items in one pass as suit the kernel and the CPU's vector registers. The environment variable
/// `CLOTHO_WIDTH` sets a number; 1 runs work-items one by one, as builds without optimisation do.
pub(super) fn workgroup_options(options: &FrontOptions, forced: Option<u16>) -> workgroup::Options {
    let bits = target::register_bits();
    static TOLD: AtomicBool = AtomicBool::new(false);
    let lanes = |text: &str| {
        let lanes: u16 = text.parse().ok()?;
        (lanes.is_power_of_two() && lanes <= workgroup::MAX_LANES).then_some(lanes)
    };
    let wanted = || observe::setting("CLOTHO_WIDTH", "1, 2, 4, 8, 16, 32 or 64", &TOLD, lanes);
    let width = match forced.or_else(wanted) {
        Some(lanes) => Width::Lanes(lanes),
        _ if options.opt_disable => Width::Lanes(1),
        // A scan by gathers takes 0.55 of the time in chunks on a CPU with arithmetic on halves, 1.7 on Zen 4 without.
        _ => Width::Machine(Machine {
            registers: bits,
            fast_gathers: target::cpu_features().contains("+avx512fp16"),
        }),
    };
    workgroup::Options {
        width,
        ..workgroup::Options::default()
    }
}

/// All group functions that launches may want.
pub(super) fn every_group(options: &FrontOptions, width: Option<u16>) -> workgroup::Options {
    workgroup::Options {
        full_rows: true,
        ..workgroup_options(options, width)
    }
}

/// Debug builds verify between stages; a broken invariant is our mistake, not the source's.
pub(super) fn check(module: &Module, stage: &str) {
    if cfg!(debug_assertions)
        && let Err(errors) = verify::verify(module)
    {
        let text: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
        panic!("invalid IR after {stage}:\n{}", text.join("\n"));
    }
}

pub(super) fn codegen_options(options: &FrontOptions) -> codegen::Options {
    let math = &options.math;
    let relaxed = math.fast_relaxed;
    codegen::Options {
        fast_math: FastMath {
            no_nans: math.finite_math_only || relaxed,
            no_infs: math.finite_math_only || relaxed,
            no_signed_zeros: math.no_signed_zeros || math.unsafe_math || relaxed,
            reciprocal: math.unsafe_math || relaxed,
            contract: math.mad_enable || math.unsafe_math || relaxed,
            approx: math.unsafe_math || relaxed,
            reassociate: math.unsafe_math || relaxed,
        },
        near_sqrt: !math.correctly_rounded_divide_sqrt,
        optimize: !options.opt_disable,
        streaming: false,
        debug: options.debug_info,
        features: None,
    }
}

fn kernel_info(
    module: &Module,
    prepared: &Prepared,
    facts: &[KernelFacts],
) -> Result<KernelInfo, String> {
    let body = module.body(prepared.kernel).ok_or(NO_BODY)?;
    let info = facts
        .iter()
        .find(|f| f.name == body.name)
        .map(|f| f.info.clone())
        .unwrap_or_default();
    let (offsets, args_size) = abi::args_layout(body);
    let sizes3 = |sizes: Option<[u32; 3]>| sizes.map(|s| s.map(|n| n as usize));
    Ok(KernelInfo {
        name: body.name.clone(),
        params: params(body, &offsets, &info.params),
        args_size: bytes(args_size)?,
        attributes: info.attributes,
        reqd_work_group_size: sizes3(info.reqd_work_group_size),
        work_group_size_hint: sizes3(info.work_group_size_hint),
        local_mem_size: bytes(body.local_layout().1)?,
        private_mem_size: bytes(prepared.group.private_mem)?,
        scratch_per_item: bytes(prepared.group.scratch_per_item)?,
        scratch_fixed: bytes(prepared.group.scratch_fixed)?,
        merging: prepared.group.merging,
        sharing: prepared.group.sharing,
        streams: prepared.group.streams,
        sized: prepared.group.sized,
        in_lanes: {
            let rows = prepared.group.full_rows;
            let rows = rows.and_then(|func| module.body(func));
            rows.is_some_and(|rows| rows.wide)
        },
        prompt: prepared.group.prompt,
        tiles: prepared.group.tiles,
        deferred: prepared.group.deferred,
        by_objects: false,
        full_rows: prepared
            .group
            .full_rows
            .map_or(0, |_| prepared.group.lanes.into()),
        sub_group_size: prepared.sub_group_size,
        reqd_sub_group_size: info.sub_group_size.unwrap_or(0),
    })
}

fn bytes(n: u64) -> Result<usize, String> {
    usize::try_from(n).map_err(|_| "a kernel needs more memory than can be addressed".to_string())
}

pub(super) fn params(
    body: &Function,
    offsets: &[u64],
    facts: &[crate::front::hir::KernelParam],
) -> Vec<ParamInfo> {
    body.params
        .iter()
        .zip(body.param_values())
        .zip(offsets)
        .zip(facts)
        .map(|(((param, &value), &offset), fact)| {
            let ty = body.ty(value);
            let kind = match (fact.object, ty.addr_space()) {
                (Some(ParamObject::Image(kind, access)), _) => ParamKind::Image { kind, access },
                (Some(ParamObject::Sampler), _) => ParamKind::Sampler,
                (Some(ParamObject::Queue), _) => ParamKind::Queue,
                (Some(ParamObject::Pipe { access, packet }), _) => {
                    ParamKind::Pipe { access, packet }
                }
                _ if param.by_value.is_some() => ParamKind::Value,
                (_, None) => ParamKind::Value,
                (_, Some(AddrSpace::Local)) => ParamKind::LocalPointer,
                (_, Some(AddrSpace::Constant)) => ParamKind::ConstantPointer,
                (_, Some(_)) => ParamKind::GlobalPointer,
            };
            let size = param.by_value.map_or(ty.bytes(), |(size, _)| size);
            ParamInfo {
                name: fact.name.clone(),
                type_name: fact.type_name.clone(),
                kind,
                is_const: fact.is_const,
                is_restrict: fact.is_restrict,
                is_volatile: fact.is_volatile,
                offset: offset as usize,
                size: size as usize,
            }
        })
        .collect()
}
