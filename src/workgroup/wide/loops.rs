//! A region's edges, loops and post-dominators, by node.

use std::collections::HashMap;

use crate::ir::{BlockCall, Terminator};
use crate::workgroup::graph::Subgraph;

use super::plan::Input;

/// The loops, inner ones first, and by node the innermost one around it.
pub type Loops = (Vec<Loop>, Vec<Option<usize>>);

/// A loop of the region.
pub struct Loop {
    pub header: u32,
    /// By node.
    pub inside: Vec<bool>,
    pub parent: Option<usize>,
}
/// By node: the nodes that control can go to, and whether it can leave the region.
pub struct Edges {
    pub to: Vec<Vec<u32>>,
    pub leaves: Vec<bool>,
}

pub fn edges(input: &Input, graph: &Subgraph) -> Edges {
    let mut to = vec![Vec::new(); graph.len()];
    let mut leaves = vec![false; graph.len()];
    for (node, &block) in graph.blocks.iter().enumerate() {
        let term = input.func.term(block);
        leaves[node] = matches!(term, Terminator::Return(_) | Terminator::Unreachable);
        term.for_each_call(|call| match inner(input, graph, call) {
            Some(n) => to[node].push(n),
            None => leaves[node] = true,
        });
    }
    Edges { to, leaves }
}

/// The node that an edge leads to, unless it leaves the region.
pub fn inner(input: &Input, graph: &Subgraph, call: &BlockCall) -> Option<u32> {
    match input.regions.headed_by(call.block) {
        Some(_) => None,
        None => graph.node(call.block),
    }
}

/// The natural loops, inner ones first; `None` for irreducible flow and for loops that are entered in several ways.
pub fn find_loops(graph: &Subgraph, edges: &Edges) -> Option<Loops> {
    let n = graph.len();
    let mut by_header: HashMap<u32, Vec<bool>> = HashMap::new();
    for (from, list) in (0u32..).zip(&edges.to) {
        for &to in list.iter().filter(|&&to| to <= from) {
            if !graph.dominates(to, from) {
                return None;
            }
            let inside = by_header.entry(to).or_insert_with(|| vec![false; n]);
            inside[to as usize] = true;
            let mut work = vec![from];
            while let Some(node) = work.pop() {
                if !std::mem::replace(&mut inside[node as usize], true) {
                    work.extend(graph.preds(node));
                }
            }
        }
    }
    let size = |inside: &[bool]| inside.iter().filter(|&&i| i).count();
    let mut loops: Vec<Loop> = by_header
        .into_iter()
        .map(|(header, inside)| Loop {
            header,
            inside,
            parent: None,
        })
        .collect();
    loops.sort_by_key(|l| (size(&l.inside), l.header));
    let mut innermost = vec![None; n];
    for l in (0..loops.len()).rev() {
        for (inner, inside) in innermost.iter_mut().zip(&loops[l].inside) {
            if *inside {
                *inner = Some(l);
            }
        }
        let header = loops[l].header as usize;
        loops[l].parent = (l + 1..loops.len()).find(|&p| loops[p].inside[header]);
        let outside = |p: &&u32| !loops[l].inside[**p as usize];
        let entries = graph.preds(loops[l].header).iter().filter(outside).count();
        // Node 0 is entered from before the region.
        if entries + usize::from(header == 0) != 1 {
            return None;
        }
    }
    Some((loops, innermost))
}

/// By node, the immediate post-dominator; the number of nodes stands for the end of the region. `None` if some block
/// can't come to the end.
pub fn post_dominators(edges: &Edges) -> Option<Vec<usize>> {
    let n = edges.to.len();
    let exit = n;
    let words = (n + 1).div_ceil(64);
    let mut sets = vec![vec![u64::MAX; words]; n + 1];
    sets[exit] = vec![0; words];
    sets[exit][exit / 64] |= 1 << (exit % 64);
    let mut changed = true;
    while changed {
        changed = false;
        for node in (0..n).rev() {
            let mut new = vec![u64::MAX; words];
            let exits = edges.leaves[node].then_some(exit);
            for to in edges.to[node].iter().map(|&t| t as usize).chain(exits) {
                new.iter_mut().zip(&sets[to]).for_each(|(a, b)| *a &= b);
            }
            new[node / 64] |= 1 << (node % 64);
            if new != sets[node] {
                sets[node] = new;
                changed = true;
            }
        }
    }
    let mut reaches = edges.leaves.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for node in (0..n).rev() {
            if !reaches[node] && edges.to[node].iter().any(|&t| reaches[t as usize]) {
                reaches[node] = true;
                changed = true;
            }
        }
    }
    if reaches.contains(&false) {
        return None;
    }
    let count = |set: &[u64]| set.iter().map(|w| w.count_ones()).sum::<u32>();
    Some(
        (0..n)
            .map(|node| {
                (0..=n)
                    .filter(|&p| p != node && sets[node][p / 64] >> (p % 64) & 1 == 1)
                    .max_by_key(|&p| count(&sets[p]))
                    .unwrap_or(exit)
            })
            .collect(),
    )
}
