//! Where the items of a group go that stay together: the control flow of a region without the branches that send them
//! different ways. There control goes where they meet again; where some of them return, it follows those that go on.

use crate::ir::Function;
use crate::ir::dom::{NONE, immediate_dominators};

use super::graph::Subgraph;
use super::group::Group;

/// Where the copy goes from a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As the terminator says.
    All,
    /// By its n-th call, whatever it decides by.
    Call(usize),
    /// To the node where items meet again, which takes no arguments that matter.
    Meet(u32),
    /// No item comes here and goes on.
    Stop,
}

/// The region's control flow without the branches that send items different ways.
pub struct Ways {
    pub way: Vec<Way>,
    pub to: Vec<Vec<u32>>,
    pub leaves: Vec<bool>,
    /// By node; the number of nodes stands for the end.
    pub ipdom: Vec<Option<usize>>,
}

/// Where a terminator leads: its calls, by node or out of the region (`None`).
fn calls(func: &Function, group: &Group, graph: &Subgraph, node: u32) -> Vec<Option<u32>> {
    let mut out = Vec::new();
    func.term(graph.block(node)).for_each_call(|call| {
        out.push(match group.regions.headed_by(call.block) {
            Some(_) => None,
            None => graph.node(call.block),
        });
    });
    out
}

impl Ways {
    pub fn new(group: &Group, region: usize) -> Self {
        let info = &group.regions.list[region];
        let (func, graph) = (group.func, &info.graph);
        let nodes = graph.len();
        let all: Vec<Vec<Option<u32>>> = (0..nodes as u32)
            .map(|n| calls(func, group, graph, n))
            .collect();
        // Items that return are followed only where none goes on.
        let ends: Vec<bool> = all
            .iter()
            .map(|calls| calls.contains(&None) || (info.exits.is_empty() && calls.is_empty()))
            .collect();
        let inner: Vec<Vec<u32>> = all
            .iter()
            .map(|calls| calls.iter().copied().flatten().collect())
            .collect();
        let meets = post_dominators(&inner, &ends);
        let far = distances(&inner, &ends);
        let way: Vec<Way> = (0..nodes)
            .map(|n| {
                if group.uniformity.split(graph.block(n as u32)).is_none() {
                    return Way::All;
                }
                let goes_on = |to: &Option<u32>| match to {
                    None => Some(0),
                    Some(to) => far[*to as usize],
                };
                let open: Vec<usize> = (0..all[n].len())
                    .filter(|&k| goes_on(&all[n][k]).is_some())
                    .collect();
                match (open[..].len(), meets[n]) {
                    (0, _) => Way::Stop,
                    (1, _) => Way::Call(open[0]),
                    (_, Some(meet)) if meet < nodes => Way::Meet(meet as u32),
                    _ => Way::Call(
                        open.into_iter()
                            .min_by_key(|&k| goes_on(&all[n][k]))
                            .expect("there are two"),
                    ),
                }
            })
            .collect();
        let mut to = vec![Vec::new(); nodes];
        let mut leaves = vec![false; nodes];
        for n in 0..nodes {
            let taken: Vec<Option<u32>> = match way[n] {
                Way::All => all[n].clone(),
                Way::Call(k) => vec![all[n][k]],
                Way::Meet(meet) => vec![Some(meet)],
                Way::Stop => Vec::new(),
            };
            leaves[n] = taken.is_empty() || taken.contains(&None);
            to[n] = taken.into_iter().flatten().collect();
        }
        Self::with(way, to, leaves)
    }

    /// Up to the first branches that send items different ways, which are `stops`.
    pub fn before(group: &Group, region: usize, stops: impl Fn(u32) -> bool) -> Self {
        let graph = &group.regions.list[region].graph;
        let nodes = graph.len();
        let mut way = vec![Way::All; nodes];
        let mut to = vec![Vec::new(); nodes];
        let mut leaves = vec![true; nodes];
        for n in 0..nodes as u32 {
            if stops(n) {
                way[n as usize] = Way::Stop;
            } else {
                let all = calls(group.func, group, graph, n);
                leaves[n as usize] = all.is_empty() || all.contains(&None);
                to[n as usize] = all.into_iter().flatten().collect();
            }
        }
        Self::with(way, to, leaves)
    }

    fn with(way: Vec<Way>, mut to: Vec<Vec<u32>>, mut leaves: Vec<bool>) -> Self {
        let reached = reached(&to);
        for n in (0..to.len()).filter(|&n| !reached[n]) {
            to[n].clear();
            leaves[n] = false;
        }
        let ipdom = post_dominators(&to, &leaves);
        Self {
            way,
            to,
            leaves,
            ipdom,
        }
    }

    /// By node: the nodes whose terminators decide whether control comes there.
    pub fn controls(&self) -> Vec<Vec<u32>> {
        let mut out = vec![Vec::new(); self.to.len()];
        for (n, to) in self.to.iter().enumerate() {
            let Some(meet) = self.ipdom[n] else {
                continue;
            };
            if to.len() + usize::from(self.leaves[n]) < 2 {
                continue;
            }
            for &first in to {
                let mut at = Some(first as usize);
                while let Some(node) = at.filter(|&node| node != meet) {
                    if out[node].last() != Some(&(n as u32)) {
                        out[node].push(n as u32);
                    }
                    at = self.ipdom.get(node).copied().flatten();
                }
            }
        }
        out
    }
}

/// The nodes that control comes to.
fn reached(to: &[Vec<u32>]) -> Vec<bool> {
    let mut reached = vec![false; to.len()];
    let mut stack = vec![0u32];
    while let Some(n) = stack.pop() {
        if !std::mem::replace(&mut reached[n as usize], true) {
            stack.extend(&to[n as usize]);
        }
    }
    reached
}

/// For each node the next one on every way to an end (`to.len()` stands for the end); `None` if it comes to none.
fn post_dominators(to: &[Vec<u32>], ends: &[bool]) -> Vec<Option<usize>> {
    let end = to.len();
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); end + 1];
    for (n, list) in (0u32..).zip(to) {
        for &t in list {
            from[t as usize].push(n);
        }
        if ends[n as usize] {
            from[end].push(n);
        }
    }
    // Postorder of a walk from the end.
    let mut seen = vec![false; end + 1];
    let mut order = Vec::new();
    let mut stack = vec![(end as u32, 0)];
    seen[end] = true;
    while let Some((node, next)) = stack.last_mut() {
        match from[*node as usize].get(*next).copied() {
            Some(p) => {
                *next += 1;
                if !std::mem::replace(&mut seen[p as usize], true) {
                    stack.push((p, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    let mut ipdom = immediate_dominators(&order, end + 1, |node, out| {
        let node = node as usize;
        if node < end {
            out.extend(&to[node]);
            out.extend(ends[node].then_some(end as u32));
        }
    });
    ipdom.truncate(end);
    let known = |n: u32| (n != NONE).then_some(n as usize);
    ipdom.into_iter().map(known).collect()
}

/// By node: the steps to the nearest end; `None` if there is no way.
fn distances(to: &[Vec<u32>], ends: &[bool]) -> Vec<Option<u32>> {
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); to.len()];
    for (n, list) in (0u32..).zip(to) {
        for &t in list {
            from[t as usize].push(n);
        }
    }
    let mut out: Vec<Option<u32>> = ends.iter().map(|&end| end.then_some(1)).collect();
    let mut work: std::collections::VecDeque<u32> =
        (0..to.len() as u32).filter(|&n| ends[n as usize]).collect();
    while let Some(n) = work.pop_front() {
        let next = out[n as usize].map(|d| d + 1);
        for &p in &from[n as usize] {
            if out[p as usize].is_none() {
                out[p as usize] = next;
                work.push_back(p);
            }
        }
    }
    out
}
