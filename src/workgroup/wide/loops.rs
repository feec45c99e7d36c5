//! A region's edges, loops, dominators and the order in which its blocks are emitted, by node.

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
    /// The nodes outside that edges lead to.
    pub exits: Vec<u32>,
    /// Control can leave the region from inside.
    pub leaves: bool,
    /// Lanes can leave it in different iterations.
    pub divergent: bool,
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

/// The natural loops, inner ones first; `None` for irreducible flow. The head of a region heads no loop: edges to it
/// leave the region.
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
    let mut sized: Vec<(usize, u32, Vec<bool>)> = by_header
        .into_iter()
        .map(|(header, inside)| (size(&inside), header, inside))
        .collect();
    sized.sort_by_key(|l| (l.0, l.1));
    let mut loops: Vec<Loop> = sized
        .into_iter()
        .map(|(_, header, inside)| {
            let nodes = (0..n).filter(|&m| inside[m]);
            let mut exits: Vec<u32> = nodes.clone().flat_map(|m| edges.to[m].clone()).collect();
            exits.retain(|&to| !inside[to as usize]);
            exits.sort_unstable();
            exits.dedup();
            Loop {
                header,
                leaves: nodes.into_iter().any(|m| edges.leaves[m]),
                inside,
                parent: None,
                exits,
                divergent: false,
            }
        })
        .collect();
    let mut innermost = vec![None; n];
    for l in (0..loops.len()).rev() {
        for (inner, inside) in innermost.iter_mut().zip(&loops[l].inside) {
            if *inside {
                *inner = Some(l);
            }
        }
        let header = loops[l].header as usize;
        loops[l].parent = (l + 1..loops.len()).find(|&p| loops[p].inside[header]);
    }
    Some((loops, innermost))
}

/// By node, the immediate dominator; the head is its own.
pub fn dominators(graph: &Subgraph) -> Vec<u32> {
    let mut idom = vec![0; graph.len()];
    for node in 1..graph.len() as u32 {
        let first = graph.preds(node).iter().find(|&&p| p < node);
        let mut at = *first.expect("in reverse post-order a predecessor comes before");
        while !graph.dominates(at, node) {
            at = idom[at as usize];
        }
        idom[node as usize] = at;
    }
    idom
}

/// The order of emission, and the place of each node in it. Besides the blocks there is a *latch* for each loop `l`,
/// `blocks + l`, where its edges back meet; and last the *end* of the region, `blocks + loops`.
pub struct Order {
    pub nodes: Vec<u32>,
    pub place: Vec<u32>,
}

/// Blocks come after those that lead to them; the blocks of a loop are next to each other, its latch the last of them;
/// and as far as that allows, so are blocks with one dominator. (Moll and Hack: with such an order, what dominates in
/// the region mostly dominates in its linear form.)
pub fn order(loops: &[Loop], innermost: &[Option<usize>], idom: &[u32]) -> Order {
    let n = idom.len();
    let mut children = vec![Vec::new(); n];
    for node in (1..n as u32).rev() {
        children[idom[node as usize] as usize].push(node);
    }
    let mut by_dominator = Vec::with_capacity(n);
    let mut work = vec![0u32];
    while let Some(node) = work.pop() {
        by_dominator.push(node);
        work.extend(&children[node as usize]);
    }
    let total = n + loops.len() + 1;
    let mut order = Order {
        nodes: Vec::with_capacity(total),
        place: vec![0; total],
    };
    put(&by_dominator, None, loops, innermost, &mut order.nodes);
    order.nodes.push(total as u32 - 1);
    for (place, &node) in (0u32..).zip(&order.nodes) {
        order.place[node as usize] = place;
    }
    order
}

/// Puts the nodes of one loop (or of none), inner loops as a whole. As deep as loops nest.
fn put(
    nodes: &[u32],
    level: Option<usize>,
    loops: &[Loop],
    innermost: &[Option<usize>],
    out: &mut Vec<u32>,
) {
    let n = innermost.len();
    let mut done = vec![false; loops.len()];
    for &node in nodes {
        let mut child = None;
        let mut at = innermost[node as usize];
        while let Some(l) = at.filter(|&l| Some(l) != level) {
            child = Some(l);
            at = loops[l].parent;
        }
        let Some(l) = child else {
            out.push(node);
            continue;
        };
        if !std::mem::replace(&mut done[l], true) {
            let inside = |m: &&u32| loops[l].inside[**m as usize];
            let inner: Vec<u32> = nodes.iter().filter(inside).copied().collect();
            put(&inner, Some(l), loops, innermost, out);
            out.push((n + l) as u32);
        }
    }
}
