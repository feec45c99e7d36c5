//! IR to a [`Program`]: the stages after the front end, as one readable list.

use super::frontend::{KernelFacts, Unit};
use super::{Kernel, ParamInfo, ParamKind, Program, library};
use crate::codegen::{self, FastMath};
use crate::front::options::FrontOptions;
use crate::ir::{AddrSpace, FuncId, Function, Module, abi, verify};
use crate::{opt, workgroup};
use std::sync::Arc;
use std::thread;

/// A kernel whose group function is in the module.
pub(super) struct Prepared {
    pub kernel: FuncId,
    pub group: workgroup::GroupKernel,
}

/// Makes machine code of all kernels of the unit. Errors are limits that the source exceeds, in words for its author.
/// `width` forces the lanes; tests ask for that.
pub(super) fn run(
    mut unit: Unit,
    options: &FrontOptions,
    width: Option<u16>,
) -> Result<Program, String> {
    let prepared = prepare(&mut unit.module, options, width)?;
    let code = machine_code(&unit.module, &prepared, &codegen_options(options))?;
    let kernels = prepared
        .iter()
        .zip(&code)
        .map(|(p, code)| kernel(&unit.module, p, &mut unit.kernels, code).map(Arc::new))
        .collect::<Result<_, _>>()?;
    Ok(Program { kernels })
}

/// For each kernel the loaded object that holds its group function. Kernels are shared out among as many threads as
/// there are CPUs, in turn, so that neighbours of like size go to different ones; each makes one object.
fn machine_code(
    module: &Module,
    prepared: &[Prepared],
    options: &codegen::Options,
) -> Result<Vec<Arc<codegen::Loaded>>, String> {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    let shares = cpus.min(prepared.len()).max(1);
    let make = |share: usize| {
        let groups: Vec<FuncId> = prepared
            .iter()
            .skip(share)
            .step_by(shares)
            .map(|p| p.group.func)
            .collect();
        let object = codegen::emit_groups(module, &groups, options)?;
        codegen::load(&object).map(Arc::new)
    };
    let loaded: Vec<Result<Arc<codegen::Loaded>, String>> = thread::scope(|scope| {
        let others: Vec<_> = (1..shares)
            .map(|share| {
                let thread = thread::Builder::new().spawn_scoped(scope, move || make(share));
                (share, thread)
            })
            .collect();
        let mut all = vec![make(0)];
        for (share, thread) in others {
            all.push(match thread {
                Ok(thread) => thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // No thread to be had: this one does the work.
                Err(_) => make(share),
            });
        }
        all
    });
    let loaded = loaded.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok((0..prepared.len())
        .map(|n| loaded[n % shares].clone())
        .collect())
}

/// Links the library, optimises, and adds a group function for every kernel.
pub(super) fn prepare(
    module: &mut Module,
    options: &FrontOptions,
    width: Option<u16>,
) -> Result<Vec<Prepared>, String> {
    let missing = library::link(module);
    if let Some(name) = missing.first() {
        return Err(format!("undefined reference to '{name}'"));
    }
    check(module, "the front end");
    let kernels: Vec<FuncId> = module.kernels().collect();
    if options.opt_disable {
        opt::run_required(module, &kernels)?;
    } else {
        opt::run(module, &kernels)?;
    }
    let mut prepared = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        let group = group(module, kernel, workgroup_options(options, width))?;
        prepared.push(Prepared { kernel, group });
    }
    check(module, "the work-group compiler");
    Ok(prepared)
}

/// Work-items that share vectors want the kernel's own vectors split; where no region runs that way they stay.
fn group(
    module: &mut Module,
    kernel: FuncId,
    options: workgroup::Options,
) -> Result<workgroup::GroupKernel, String> {
    let before = module.body(kernel).cloned();
    if options.width == 1 || !opt::scalarize(module, kernel) {
        return workgroup::run(module, kernel, options);
    }
    let group = workgroup::run(module, kernel, options)?;
    if group.wide_regions > 0 {
        return Ok(group);
    }
    module.functions[group.func.index()].body = None;
    module.functions[kernel.index()].body = before;
    workgroup::run(
        module,
        kernel,
        workgroup::Options {
            width: 1,
            ..options
        },
    )
}

/// Lanes for the width of the CPU's vector registers and values of 32 bits, the widest in frequent use. The environment
/// variable `CLOTHO_WIDTH` sets another number; 1 runs work-items one by one, as builds without optimisation do.
fn workgroup_options(options: &FrontOptions, forced: Option<u16>) -> workgroup::Options {
    let features = codegen::host_features();
    let bits = match () {
        () if features.contains("+avx512f") => 512,
        () if features.contains("+avx2") => 256,
        () => 128,
    };
    let wanted = || std::env::var("CLOTHO_WIDTH").ok()?.parse().ok();
    let width = match forced.or_else(wanted) {
        Some(width @ (1 | 2 | 4 | 8 | 16 | 32)) => width,
        _ if options.opt_disable => 1,
        _ => bits / 32,
    };
    workgroup::Options {
        width,
        ..workgroup::Options::default()
    }
}

/// Debug builds verify between stages; a broken invariant is our mistake, not the source's.
fn check(module: &Module, stage: &str) {
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
        optimize: !options.opt_disable,
        features: None,
    }
}

fn kernel(
    module: &Module,
    prepared: &Prepared,
    facts: &mut [KernelFacts],
    code: &Arc<codegen::Loaded>,
) -> Result<Kernel, String> {
    let body = module
        .body(prepared.kernel)
        .ok_or("a kernel has no body any more")?;
    let entry = code.lookup(&body.name)?;
    let info = facts
        .iter_mut()
        .find(|f| f.name == body.name)
        .map(|f| std::mem::take(&mut f.info))
        .unwrap_or_default();
    let (offsets, args_size) = abi::args_layout(body);
    let sizes3 = |sizes: Option<[u32; 3]>| sizes.map(|s| s.map(|n| n as usize));
    Ok(Kernel {
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
        entry,
        machine_code: Some(code.clone()),
    })
}

fn bytes(n: u64) -> Result<usize, String> {
    usize::try_from(n).map_err(|_| "a kernel needs more memory than can be addressed".to_string())
}

fn params(
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
            let kind = match ty.addr_space() {
                _ if param.by_value.is_some() => ParamKind::Value,
                None => ParamKind::Value,
                Some(AddrSpace::Local) => ParamKind::LocalPointer,
                Some(AddrSpace::Constant) => ParamKind::ConstantPointer,
                Some(_) => ParamKind::GlobalPointer,
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
