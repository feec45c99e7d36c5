//! Kernels made behind the application's back, of another one, for launches that are long enough to pay for it: whose groups
//! are several of its groups (`workgroup::join`), or have one known size, so small that what lives across barriers can stay in
//! registers (`workgroup::fix_size`).
//!
//! One is named by words: three for a size; for groups that are joined the local size in x and y, how many are joined in x
//! and y, and the bytes of each argument in local memory.

use super::frontend::KernelFacts;
use super::origin::from_store;
use super::pipeline::{Kept, Maker, NO_BODY, Prepared, check, make_kernels};
use super::timings::Timings;
use super::variants::{Make, Variants};
use super::{Kernel, KernelInfo, SHORTEST_ROW, abi};
use crate::ir::{FuncId, Module};
use crate::workgroup::{self, Shape, Width};
use std::sync::Arc;

/// What is known of the groups of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Groups {
    /// All have this size.
    Sized([u32; 3]),
    Joined(Shape),
}

impl Groups {
    pub(super) fn of_size(size: [u64; 3]) -> Option<Groups> {
        let word = |d: usize| u32::try_from(size[d]).ok();
        Some(Groups::Sized([word(0)?, word(1)?, word(2)?]))
    }

    /// Whether no group of a launch is cut off at an end of its range, and ids in x are below 2^31, as all such kernels want it.
    pub fn are_full(offset: u64, global: [u64; 3], local: [u64; 3]) -> bool {
        let mut sizes = global.iter().zip(local);
        sizes.all(|(global, local)| global.is_multiple_of(local))
            && offset.saturating_add(global[0]) <= 1 << 31
    }

    /// The words that name it. `None` if one is too large.
    pub(super) fn name(&self) -> Option<Vec<u32>> {
        let shape = match self {
            Groups::Sized(size) => return Some(size.to_vec()),
            Groups::Joined(shape) => shape,
        };
        let sizes = shape.local.iter().chain(&shape.groups).copied();
        let args = shape.local_args.iter().map(|&bytes| bytes.try_into().ok());
        sizes.map(Some).chain(args).collect()
    }

    fn named(words: &[u32]) -> Option<Groups> {
        match *words {
            [x, y, z] => Some(Groups::Sized([x, y, z])),
            [x, y, groups_x, groups_y, ref args @ ..] => Some(Groups::Joined(Shape {
                local: [x, y],
                groups: [groups_x, groups_y],
                local_args: args.iter().map(|&bytes| bytes.into()).collect(),
            })),
            _ => None,
        }
    }

    /// Makes the kernel require such groups. Returns their size.
    fn put_into(&self, module: &mut Module, kernel: FuncId) -> Result<[u32; 3], String> {
        match self {
            Groups::Sized(size) => {
                workgroup::fix_size(module, kernel, *size)?;
                Ok(*size)
            }
            Groups::Joined(shape) => {
                workgroup::join(module, kernel, shape)?;
                let [x, y] = [0, 1].map(|d| shape.local[d] * shape.groups[d]);
                Ok([x, y, 1])
            }
        }
    }
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
        group: workgroup::GroupKernel { lanes, streams, .. },
        sub_group_size,
    } = *prepared;
    let make: Make = Arc::new(move |words| {
        let store = maker.kept.store.as_ref();
        let store = store.and_then(|store| store.variant(number, words));
        let data = maker.kept.data.clone();
        let (maker, facts, words) = (maker.clone(), facts.clone(), words.to_vec());
        from_store(store, data, move |store| {
            let mut module = maker.module.clone();
            let groups = Groups::named(&words).ok_or("no groups have this name")?;
            let size = groups.put_into(&mut module, kernel)?;
            let options = in_rows_of(size[0], lanes, maker.groups);
            let mut group = workgroup::run(&mut module, kernel, options)?;
            if let Groups::Joined(_) = groups {
                // The ids of groups in a large one are computed, which hides that items stand in a row.
                group.streams = streams;
            }
            check(&module, "code for the groups of a launch");
            let prepared = Prepared {
                kernel,
                group,
                sub_group_size,
            };
            let data = maker.kept.data.clone();
            let made = make_kernels(
                module,
                &[(0, prepared)],
                &facts,
                maker.options.clone(),
                options,
                &Kept { store, data },
                &Timings::none(),
            )?;
            let made = made.into_iter().next().ok_or(NO_BODY)?;
            Ok(Kernel {
                info: KernelInfo {
                    reqd_work_group_size: Some(size.map(|n| n as usize)),
                    sharing: abi::Sharing::default(),
                    ..made.info
                },
                tailored: None,
                ..made
            })
        })
    });
    Variants::new(make)
}

/// With fewer lanes where these are more than the items of a row.
fn in_rows_of(items: u32, lanes: u16, options: workgroup::Options) -> workgroup::Options {
    let short = u16::try_from(items).ok();
    let short = short.filter(|&items| items < lanes && u32::from(items) >= SHORTEST_ROW);
    match short.filter(|items| items.is_power_of_two()) {
        Some(items) => workgroup::Options {
            width: Width::Lanes(items),
            ..options
        },
        None => options,
    }
}
