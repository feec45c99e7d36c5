//! What a debugger is told of a group function: which work-item runs, and where its variables are.
//!
//! One more variable of the group function, the note (`ir::debug::ITEM`), has the ids of the item that runs, and the addresses of those of its
//! variables that have a copy for each item or are not on the stack. It is filled before the first item, with the ids of that, and
//! brought up to date where an item begins a region. Only kernels whose items run one by one have it.

use std::collections::HashMap;

use crate::ir::debug::{FunctionDebug, ITEM_WORDS, Place, Variable};
use crate::ir::types::{I32, I64};
use crate::ir::{Block, CastOp, InstData, Value, WorkItemQuery};

use super::crossing::{Address, Home};
use super::group::Group;
use super::layout::SlotId;

/// The note, and which variables' addresses stand in it.
#[derive(Default)]
pub struct Note {
    item: Option<Value>,
    /// The word of each, and the slot that its copies are in.
    slots: Vec<(u64, SlotId)>,
}

/// Bytes of a word.
const WORD: u64 = 8;

/// The words of [`crate::ir::debug::ITEM`] that are the same for the group, from the third entry on.
const OF_GROUP: [WorkItemQuery; 5] = [
    WorkItemQuery::GroupId,
    WorkItemQuery::LocalSize,
    WorkItemQuery::GlobalSize,
    WorkItemQuery::NumGroups,
    WorkItemQuery::GlobalOffset,
];

/// Gives the group function its note, and places to the kernel's variables; those whose place isn't known are left out.
pub fn begin(group: &mut Group) {
    let func = group.func;
    let Some(debug) = &func.debug else {
        return;
    };
    if group.lanes > 1 {
        group.out.debug = func.head().debug;
        return;
    }
    let mut words = ITEM_WORDS;
    // By the variable's address in the kernel: its word.
    let mut noted: HashMap<Value, u64> = HashMap::new();
    let mut shared: Vec<(u64, Value)> = Vec::new();
    let mut variables = Vec::new();
    for variable in &debug.variables {
        let base = variable.place.base;
        let on_stack = match group.home(base) {
            Home::Private(Address::Stack(n)) => Some(group.stack_address(n)),
            Home::Private(_) => None,
            _ if matches!(func.def_inst(base), Some(InstData::LocalAddr { .. })) => None,
            _ => continue,
        };
        let place = match on_stack {
            Some(base) => Place {
                base,
                ..variable.place
            },
            None => {
                let word = *noted.entry(base).or_insert_with(|| {
                    match group.home(base) {
                        Home::Private(Address::Item(slot)) => group.note.slots.push((words, slot)),
                        _ => shared.push((words, base)),
                    }
                    words += 1;
                    words - 1
                });
                Place {
                    // The note, once that is there.
                    base,
                    offset: word * WORD,
                    indirect: true,
                }
            }
        };
        variables.push(Variable {
            place,
            ..variable.clone()
        });
    }
    let entry = group.entry;
    let item = group.at(entry).alloca(words * WORD, WORD as u32);
    group.note.item = Some(item);
    for variable in &mut variables {
        if variable.place.indirect {
            variable.place.base = item;
        }
    }
    group.out.debug = Some(Box::new(FunctionDebug {
        scopes: debug.scopes.clone(),
        variables,
        item: Some(item),
    }));
    fill(group, &shared);
}

/// What is the same for the group, and the first item's ids.
fn fill(group: &mut Group, shared: &[(u64, Value)]) {
    let entry = group.entry;
    let zero = group.at(entry).iconst(I64, 0);
    let ids = [zero; 3];
    note_ids(group, entry, ids);
    for (n, query) in (2u64..).zip(OF_GROUP) {
        for dim in 0..3u8 {
            let value = group.query(query, dim);
            note(group, entry, 3 * n + u64::from(dim), value);
        }
    }
    let dims = group.query(WorkItemQuery::WorkDim, 0);
    debug_assert_eq!(group.out.ty(dims), I32);
    let dims = group.at(entry).cast(CastOp::ZExt, dims, I64);
    note(group, entry, ITEM_WORDS - 1, dims);
    for &(word, base) in shared {
        let address = match (group.home(base), group.func.def_inst(base)) {
            (Home::Private(address), _) => group.common_address(entry, address),
            (_, Some(&InstData::LocalAddr { local })) => Some(group.at(entry).local_addr(local)),
            _ => None,
        };
        if let Some(address) = address {
            note(group, entry, word, address);
        }
    }
}

/// An item begins a region: its ids. What [`slots`](Note::slots) names is noted by who knows the addresses.
pub fn note_ids(group: &mut Group, here: Block, ids: [Value; 3]) {
    if group.note.item.is_none() {
        return;
    }
    for (dim, id) in (0u8..).zip(ids) {
        note(group, here, u64::from(dim), id);
        let global = group.item_id(here, ids, id, WorkItemQuery::GlobalId, dim);
        note(group, here, 3 + u64::from(dim), global);
    }
}

/// Stores a value in a word of the note.
pub fn note(group: &mut Group, here: Block, word: u64, value: Value) {
    let Some(item) = group.note.item else {
        return;
    };
    let mut b = group.at(here);
    let offset = b.iconst(I64, word * WORD);
    let address = b.ptr_add(item, offset);
    b.store(value, address, WORD as u32, false);
}

impl Note {
    /// The words that are an item's addresses in slots.
    pub fn slots(&self) -> Vec<(u64, SlotId)> {
        self.slots.clone()
    }
}
