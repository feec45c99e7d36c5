//! Accesses of a block to neighbouring elements (fields of a struct, components of a vector), made together: loads
//! where the first of them stands, stores where the last one does.
//!
//! A load moves up and a store moves down only past accesses that it can't meet: in another address space, or to
//! another field of the same struct.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::ir::{AddrSpace, Elem, Inst, InstData, Type, Value};
use crate::workgroup::crossing::Home;

use super::linear::{Numbers, Terms};
use super::plan::Pass;
use super::rows::MAX_STRIDE;
use super::shape::Shape;
use super::{Rep, Widen};

#[derive(Default)]
pub struct Fields {
    of: HashMap<Inst, usize>,
    groups: Vec<Group>,
}

/// Accesses to elements in a row.
struct Group {
    loads: bool,
    elem: Elem,
    step: i64,
    align: u32,
    space: AddrSpace,
    root: Terms,
    /// By block order: the access and its offset in bytes from the root.
    members: Vec<(Inst, i64)>,
    /// Offsets of fields that were stored since, which must not be loaded any earlier.
    stored: Vec<i64>,
}

/// Groups that are looked at at a time.
const MAX_OPEN: usize = 16;

struct Access {
    load: bool,
    elem: Elem,
    align: u32,
    space: AddrSpace,
    root: Terms,
    offset: i64,
    step: i64,
}

impl Pass<'_> {
    pub fn find_fields(&mut self) {
        let mut found = Fields::default();
        let numbers = OnceCell::new();
        for node in 0..self.graph.len() as u32 {
            let mut open: Vec<Group> = Vec::new();
            for &inst in &self.input.func.block(self.graph.block(node)).insts {
                self.visit(node, inst, &numbers, &mut open, &mut found);
            }
            open.into_iter().for_each(|g| found.close(g));
        }
        self.plan.fields = found;
    }

    fn visit(
        &self,
        node: u32,
        inst: Inst,
        numbers: &OnceCell<Numbers>,
        open: &mut Vec<Group>,
        found: &mut Fields,
    ) {
        let func = self.input.func;
        let data = func.inst(inst);
        let ptr = match *data {
            InstData::Load {
                ptr,
                volatile: false,
                ..
            }
            | InstData::Store {
                ptr,
                volatile: false,
                ..
            } => ptr,
            _ => {
                if data.has_side_effects() {
                    open.drain(..).for_each(|g| found.close(g));
                }
                return;
            }
        };
        let space = func.ty(ptr).addr_space().unwrap_or(AddrSpace::Generic);
        let stores = matches!(data, InstData::Store { .. });
        let access = self.access(node, data, numbers);
        let mut joined = false;
        for group in std::mem::take(open) {
            let mut group = group;
            match &access {
                Some(a) if group.is_apart_from(a) => {
                    if stores && group.loads {
                        group.stored.push(a.offset);
                    }
                    if !joined && group.takes(a) {
                        group.members.push((inst, a.offset));
                        group.align = group.align.min(a.align);
                        joined = true;
                    }
                    open.push(group);
                }
                // Loads of the same field are one.
                Some(a) if !stores && group.loads && group.same_struct(a) => {
                    if !joined && group.takes(a) {
                        group.members.push((inst, a.offset));
                        joined = true;
                    }
                    open.push(group);
                }
                _ if (group.loads && !stores) || !may_meet(group.space, space) => open.push(group),
                _ => found.close(group),
            }
        }
        if let Some(a) = access.filter(|_| !joined) {
            if open.len() == MAX_OPEN {
                found.close(open.remove(0));
            }
            open.push(Group {
                loads: a.load,
                elem: a.elem,
                step: a.step,
                align: a.align,
                space,
                root: a.root,
                members: vec![(inst, a.offset)],
                stored: Vec::new(),
            });
        }
    }

    /// An access that can be one of several.
    fn access(&self, node: u32, data: &InstData, numbers: &OnceCell<Numbers>) -> Option<Access> {
        let func = self.input.func;
        let (load, ptr, ty, align) = match *data {
            InstData::Load { ptr, ty, align, .. } => (true, ptr, ty, align),
            InstData::Store {
                ptr, value, align, ..
            } => {
                let home = self.input.crossing.home(value);
                if matches!(home, Home::ItemAtDef(_)) {
                    return None;
                }
                (false, ptr, func.ty(value), align)
            }
            _ => return None,
        };
        let Some(Shape::Strided { step, .. }) = self.operand(ptr, node) else {
            return None;
        };
        let bytes = ty.elem.bytes() as i64;
        let fits = step % bytes == 0 && (2..=MAX_STRIDE).contains(&(step / bytes));
        if ty.is_vector() || ty.elem == Elem::I1 || !fits {
            return None;
        }
        let numbers = numbers.get_or_init(|| Numbers::of(func));
        let (root, offset) = numbers.linear(func, ptr)?;
        Some(Access {
            load,
            elem: ty.elem,
            align,
            space: func.ty(ptr).addr_space().unwrap_or(AddrSpace::Generic),
            root,
            offset,
            step,
        })
    }
}

impl Fields {
    fn close(&mut self, group: Group) {
        let (first, last) = group.range();
        if first == last {
            return;
        }
        for &(inst, _) in &group.members {
            self.of.insert(inst, self.groups.len());
        }
        self.groups.push(group);
    }
}

impl Group {
    fn range(&self) -> (i64, i64) {
        let offsets = self.members.iter().map(|m| m.1);
        let first = offsets.clone().min().unwrap_or(0);
        (first, offsets.max().unwrap_or(0))
    }

    fn same_struct(&self, a: &Access) -> bool {
        let bytes = a.elem.bytes() as i64;
        let (first, last) = self.range();
        self.elem == a.elem
            && self.step == a.step
            && self.space == a.space
            && (a.offset - first) % bytes == 0
            && a.offset.max(last) - a.offset.min(first) < a.step
            && self.root == a.root
    }

    /// Other fields of the same struct.
    fn is_apart_from(&self, a: &Access) -> bool {
        self.same_struct(a) && self.members.iter().all(|m| m.1 != a.offset)
    }

    /// Stores must leave no gap, which is found out at the end: they join in ascending or descending order.
    fn takes(&self, a: &Access) -> bool {
        let (first, last) = self.range();
        let bytes = a.elem.bytes() as i64;
        self.loads == a.load
            && !self.stored.contains(&a.offset)
            && (self.loads || a.offset == first - bytes || a.offset == last + bytes)
    }
}

/// Memory of the two spaces may be the same.
fn may_meet(a: AddrSpace, b: AddrSpace) -> bool {
    a == b || a == AddrSpace::Generic || b == AddrSpace::Generic
}

impl Widen<'_, '_> {
    /// Makes the accesses that `inst` is one of, or leaves it to the one that does; false if it stands alone.
    pub fn fields(&mut self, node: u32, inst: Inst) -> bool {
        let plan = self.plan;
        let Some(&group) = plan.fields.of.get(&inst) else {
            return false;
        };
        let group = &plan.fields.groups[group];
        let lead = match group.loads {
            true => group.members.first(),
            false => group.members.last(),
        };
        let &(lead, at) = lead.expect("a group has members");
        if lead != inst {
            return true;
        }
        let func = self.group.func;
        let loc = func.loc(inst);
        let (first, last) = group.range();
        let bytes = group.elem.bytes() as i64;
        let count = ((last - first) / bytes + 1) as u16;
        let (InstData::Load { ptr, .. } | InstData::Store { ptr, .. }) = *func.inst(inst) else {
            panic!("a group of loads or stores");
        };
        let ptr = self.operand(ptr, node);
        let ptr = self.field(&ptr, (first - at) as u64);
        if group.loads {
            let ty = Type::vector(group.elem, count);
            let all = self.load(ty, &ptr, group.align, loc);
            let all = self.lanes(&all);
            for &(member, offset) in &group.members {
                let part = self.component(all, ((offset - first) / bytes) as u16);
                let result = func.result(member).expect("a load has a result");
                self.define(result, Rep::Lanes(part));
            }
            return true;
        }
        let mut parts = vec![None; usize::from(count)];
        for &(member, offset) in &group.members {
            let InstData::Store { value, .. } = *func.inst(member) else {
                panic!("a group of stores");
            };
            let value = self.operand(value, node);
            parts[((offset - first) / bytes) as usize] = Some(self.lanes(&value));
        }
        let parts: Vec<Value> = parts.into_iter().flatten().collect();
        let all = self.joined(&parts);
        self.store(&Rep::Lanes(all), &ptr, group.align, loc);
        true
    }
}
