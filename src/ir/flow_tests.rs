//! `cfg`, `dom` and `loops` against definitions taken literally, on random graphs.

use super::cfg::Cfg;
use super::dom::{DomTree, PostDomTree};
use super::entities::Block;
use super::function::Function;
use super::inst::{BlockCall, Terminator};
use super::loops::{LoopForest, irreducible_edge};
use super::parse::parse_function;
use super::types::I32;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Every block ends in a return, a jump, or a switch of two or three ways.
fn random_graph(random: &mut Random) -> Function {
    let mut func = Function::new("random", None);
    let count = 1 + random.below(12);
    let blocks: Vec<Block> = (0..count).map(|_| func.add_block()).collect();
    let value = func.add_param(blocks[0], I32);
    for &block in &blocks {
        let mut target = || BlockCall {
            block: blocks[random.below(count)],
            args: Vec::new(),
        };
        let (default, one, two) = (target(), target(), target());
        func.block_mut(block).term = Some(match random.below(8) {
            0 => Terminator::Return(None),
            1 | 2 => Terminator::Jump(default),
            3 => Terminator::Switch {
                value,
                cases: vec![(0, one), (1, two)],
                default,
            },
            _ => Terminator::Switch {
                value,
                cases: vec![(0, one)],
                default,
            },
        });
    }
    func
}

/// What `from` reaches without entering `without`.
fn reached(cfg: &Cfg, from: Block, without: Option<Block>) -> Vec<bool> {
    let mut seen = vec![false; cfg.num_blocks()];
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block.index()], true) {
            stack.extend(cfg.succs(block));
        }
    }
    seen
}

fn for_random_graphs(mut check: impl FnMut(&Function, &Cfg, &DomTree)) {
    let mut random = Random(7);
    for _ in 0..2000 {
        let func = random_graph(&mut random);
        let cfg = Cfg::compute(&func);
        let dom = DomTree::compute(&cfg);
        check(&func, &cfg, &dom);
    }
}

#[test]
fn orders_hold_what_the_entry_reaches() {
    for_random_graphs(|func, cfg, _| {
        let seen = reached(cfg, func.entry(), None);
        for &block in func.layout() {
            assert_eq!(cfg.is_reachable(block), seen[block.index()]);
            assert_eq!(cfg.postorder().contains(&block), seen[block.index()]);
        }
        assert_eq!(cfg.reverse_postorder().next(), Some(func.entry()));
    });
}

#[test]
fn a_block_dominates_what_is_not_reached_without_it() {
    for_random_graphs(|func, cfg, dom| {
        for &a in func.layout() {
            let without = reached(cfg, func.entry(), Some(a));
            for &b in func.layout() {
                let expected = cfg.is_reachable(a) && cfg.is_reachable(b) && !without[b.index()];
                assert_eq!(dom.dominates(a, b), expected, "{a} {b}\n{func}");
            }
        }
        for &block in dom.preorder() {
            for &child in dom.children(block) {
                assert_eq!(dom.idom(child), Some(block));
            }
        }
    });
}

#[test]
fn a_block_post_dominates_what_ends_only_through_it() {
    for_random_graphs(|func, cfg, _| {
        let post = PostDomTree::compute(cfg);
        let exits: Vec<Block> = (cfg.postorder().iter().copied())
            .filter(|&b| cfg.succs(b).is_empty())
            .collect();
        let ends = |from: Block, without: Option<Block>| {
            let seen = reached(cfg, from, without);
            exits.iter().any(|e| seen[e.index()])
        };
        // Where some path never ends, the tree stands on a choice; the literal definition holds elsewhere.
        if !cfg.postorder().iter().all(|&b| ends(b, None)) {
            return;
        }
        for &a in cfg.postorder() {
            for &b in cfg.postorder() {
                assert_eq!(
                    post.post_dominates(a, b),
                    !ends(b, Some(a)),
                    "{a} {b}\n{func}"
                );
            }
        }
    });
}

#[test]
fn every_reachable_block_is_in_the_post_dominator_tree() {
    for_random_graphs(|_, cfg, _| {
        let post = PostDomTree::compute(cfg);
        for &block in cfg.postorder() {
            assert!(post.post_dominates(block, block));
        }
    });
}

#[test]
fn a_frontier_is_where_dominance_ends() {
    for_random_graphs(|func, cfg, dom| {
        let frontiers = dom.frontiers(cfg);
        for &a in cfg.postorder() {
            for &b in cfg.postorder() {
                let reaches = cfg.preds(b).iter().any(|&p| dom.dominates(a, p));
                let expected = reaches && !(dom.dominates(a, b) && a != b);
                let found = frontiers[a.index()].iter().filter(|&&x| x == b).count();
                assert_eq!(found, usize::from(expected), "{a} {b}\n{func}");
            }
        }
    });
}

#[test]
fn loops_hold_what_reaches_a_latch_without_the_header() {
    for_random_graphs(|func, cfg, dom| {
        let forest = LoopForest::compute(cfg, dom);
        for &header in cfg.postorder() {
            let latches: Vec<Block> = (cfg.postorder().iter().copied())
                .filter(|&b| cfg.succs(b).contains(&header) && dom.dominates(header, b))
                .collect();
            let id = forest.ids().find(|&id| forest.get(id).header == header);
            assert_eq!(id.is_some(), !latches.is_empty(), "{header}\n{func}");
            let Some(id) = id else { continue };
            for &block in cfg.postorder() {
                let seen = reached(cfg, block, Some(header));
                let expected = block == header || latches.iter().any(|l| seen[l.index()]);
                assert_eq!(
                    forest.contains(id, block),
                    expected,
                    "{header} {block}\n{func}"
                );
                assert_eq!(forest.get(id).blocks.contains(&block), expected);
            }
            assert_eq!(forest.get(id).latches.len(), latches.len());
            assert_eq!(forest.get(id).blocks[0], header);
            if let Some(parent) = forest.get(id).parent {
                assert!(parent < id && forest.contains(parent, header));
                assert_eq!(forest.get(parent).depth + 1, forest.get(id).depth);
            }
        }
    });
}

#[test]
fn flow_is_irreducible_when_a_cycle_is_left_without_its_headers_back_edges() {
    for_random_graphs(|func, cfg, dom| {
        // Without the edges to a dominator, a reducible graph has no cycle.
        let mut left: Vec<Block> = cfg.postorder().to_vec();
        loop {
            let before = left.len();
            let now = left.clone();
            left.retain(|&b| {
                (cfg.succs(b).iter()).any(|s| now.contains(s) && !dom.dominates(*s, b))
            });
            if left.len() == before {
                break;
            }
        }
        assert_eq!(
            irreducible_edge(cfg, dom).is_some(),
            !left.is_empty(),
            "{func}"
        );
    });
}

#[test]
fn a_hundred_thousand_blocks_in_a_row_take_no_stack() {
    let mut text = String::from("func fn0 @f(v0: i1) {\n");
    for n in 0..100_000 {
        text += &format!("block{n}:\n    br v0, block{}, block{n}\n", n + 1);
    }
    text += "block100000:\n    return\n}\n";
    let func = parse_function(&text).unwrap_or_else(|e| panic!("{e}"));
    let cfg = Cfg::compute(&func);
    let dom = DomTree::compute(&cfg);
    assert_eq!(LoopForest::compute(&cfg, &dom).ids().count(), 100_000);
    let post = PostDomTree::compute(&cfg);
    assert_eq!(post.ipdom(Block::new(5)), Some(Block::new(6)));
}
