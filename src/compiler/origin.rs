//! What the variants of a kernel are made from (`variants.rs`): its IR with the library linked in, before all else. A variant
//! goes the way of any kernel from there on, with what its name says put in first.

use super::frontend::KernelFacts;
use super::pipeline::{
    Kept, NO_BODY, Prepared, codegen_options, every_group, make_kernels, params, prepare,
};
use super::serve::{self, Compile};
use super::store::Store;
use super::timings::Timings;
use super::variants::{self, Make, Variants};
use super::{Kernel, KernelInfo, ParamInfo, library};
use crate::codegen::Data;
use crate::front::options::FrontOptions;
use crate::ir::{FuncId, Module, abi};
use crate::opt;
use std::sync::Arc;

/// One kernel, with images or samplers among its parameters.
pub(super) struct Origin {
    /// Linked, but not optimised yet; only what the kernel reaches.
    module: Module,
    kernel: FuncId,
    /// The kernel's number in its program.
    number: usize,
    facts: KernelFacts,
    options: FrontOptions,
    width: Option<u16>,
    kept: Kept,
}

impl Origin {
    pub fn new(
        linked: &Module,
        (number, kernel): (usize, FuncId),
        facts: KernelFacts,
        (options, width): (&FrontOptions, Option<u16>),
        kept: &Kept,
    ) -> Origin {
        let mut module = linked.clone();
        library::keep(&mut module, &[kernel]);
        Origin {
            module,
            kernel,
            number,
            facts,
            options: options.clone(),
            width,
            kept: kept.clone(),
        }
    }

    /// The kernel as its program knows it: with what is likely put in, and from there on what launches ask for.
    pub fn kernel(self) -> Result<Kernel, String> {
        let params = self.params()?;
        let kernel = self.compile(&params, &variants::likely(&params), None)?;
        let (origin, params) = (Arc::new(self), Arc::new(params));
        let make: Make = Arc::new(move |words| origin.clone().variant(&params, words));
        Ok(Kernel {
            info: KernelInfo {
                by_objects: true,
                ..kernel.info
            },
            variants: Some(Variants::new(make)),
            tailored: None,
            ..kernel
        })
    }

    fn params(&self) -> Result<Vec<ParamInfo>, String> {
        let body = self.module.body(self.kernel).ok_or(NO_BODY)?;
        let (offsets, _) = abi::args_layout(body);
        Ok(params(body, &offsets, &self.facts.info.params))
    }

    /// From the store, or compiled and put there.
    fn variant(
        self: Arc<Origin>,
        params: &Arc<Vec<ParamInfo>>,
        words: &[u32],
    ) -> Result<Kernel, String> {
        let store = self.kept.store.as_ref();
        let store = store.and_then(|store| store.variant(self.number, words));
        let data = self.kept.data.clone();
        let (params, words) = (params.clone(), words.to_vec());
        from_store(store, data, move |store| {
            self.compile(&params, &words, store)
        })
    }

    fn compile(
        &self,
        params: &[ParamInfo],
        words: &[u32],
        store: Option<Arc<Store>>,
    ) -> Result<Kernel, String> {
        let mut module = self.module.clone();
        let known = variants::known(params, words);
        opt::specialize(&mut module, self.kernel, &known)?;
        let timings = Timings::none();
        let groups = every_group(&self.options, self.width);
        let prepared = prepare(&mut module, &[self.kernel], &self.options, groups, &timings)?;
        let prepared: Vec<(usize, Prepared)> = prepared.into_iter().enumerate().collect();
        let facts = std::slice::from_ref(&self.facts);
        let data = self.kept.data.clone();
        let made = make_kernels(
            module,
            &prepared,
            facts,
            codegen_options(&self.options),
            groups,
            &Kept { store, data },
            &timings,
        )?;
        made.into_iter().next().ok_or_else(|| NO_BODY.to_string())
    }
}

/// A variant from its store, or else what `compile` makes, which then goes there; `compile` takes where objects go.
pub(super) fn from_store(
    store: Option<Arc<Store>>,
    data: Option<Arc<Data>>,
    compile: impl Fn(Option<Arc<Store>>) -> Result<Kernel, String> + Send + Sync + 'static,
) -> Result<Kernel, String> {
    let Some(store) = store else {
        return compile(None);
    };
    let compile: Compile = {
        let store = store.clone();
        Arc::new(move || compile(Some(store.clone())))
    };
    if let Some(kernel) = serve::stored_variant(&store, data, compile.clone()) {
        return Ok(kernel);
    }
    let kernel = compile()?;
    store.put_variant(&kernel.info);
    Ok(kernel)
}
