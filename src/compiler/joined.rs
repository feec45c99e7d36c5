//! Kernels whose groups are several groups of another one, made behind the application's back for launches that are long
//! enough to pay for it (`workgroup::join`).
//!
//! One is named by the words of its shape: the local size in x and y, how many groups are joined in x and y, and the
//! bytes of each argument in local memory.

use super::frontend::KernelFacts;
use super::origin::from_store;
use super::pipeline::{Kept, Maker, NO_BODY, Prepared, check, make_kernels};
use super::timings::Timings;
use super::variants::{Make, Variants};
use super::{Kernel, KernelInfo, abi};
use crate::workgroup::{self, Shape};
use std::sync::Arc;

/// The words of a shape. `None` if one is too large.
pub(super) fn name(shape: &Shape) -> Option<Vec<u32>> {
    let sizes = shape.local.iter().chain(&shape.groups).copied();
    let args = shape.local_args.iter().map(|&bytes| bytes.try_into().ok());
    sizes.map(Some).chain(args).collect()
}

fn shape(words: &[u32]) -> Option<Shape> {
    let &[x, y, groups_x, groups_y, ref args @ ..] = words else {
        return None;
    };
    Some(Shape {
        local: [x, y],
        groups: [groups_x, groups_y],
        local_args: args.iter().map(|&bytes| bytes.into()).collect(),
    })
}

/// What may be made of the kernel, the `number`-th of its program.
pub(super) fn variants(
    maker: &Arc<Maker>,
    (number, prepared): (usize, &Prepared),
    facts: &[KernelFacts],
) -> Variants {
    let (maker, facts) = (maker.clone(), facts.to_vec());
    let Prepared {
        kernel,
        sub_group_size,
        ..
    } = *prepared;
    let make: Make = Arc::new(move |words| {
        let store = maker.kept.store.as_ref();
        let store = store.and_then(|store| store.variant(number, words));
        let data = maker.kept.data.clone();
        let (maker, facts, words) = (maker.clone(), facts.clone(), words.to_vec());
        from_store(store, data, move |store| {
            let mut module = maker.module.clone();
            let shape = shape(&words).ok_or("no shape has this name")?;
            workgroup::join(&mut module, kernel, &shape)?;
            let group = workgroup::run(&mut module, kernel, maker.groups)?;
            check(&module, "joining groups");
            let prepared = Prepared {
                kernel,
                group,
                sub_group_size,
            };
            let size = [0, 1].map(|d| shape.local[d] as usize * shape.groups[d] as usize);
            let data = maker.kept.data.clone();
            let made = make_kernels(
                module,
                &[(0, prepared)],
                &facts,
                maker.options.clone(),
                maker.groups,
                &Kept { store, data },
                &Timings::none(),
            )?;
            let made = made.into_iter().next().ok_or(NO_BODY)?;
            Ok(Kernel {
                info: KernelInfo {
                    reqd_work_group_size: Some([size[0], size[1], 1]),
                    sharing: abi::Sharing::default(),
                    ..made.info
                },
                joined: None,
                ..made
            })
        })
    });
    Variants::new(make)
}
