//! From the graph to a book file.

use super::Graph;
use super::graph::{Edge, GraphNode};
use damier_book::format::{self, Header, MOST_MOVES, RawEntry, RawMove};
use damier_book::{Learned, numbered_moves};
use damier_engine::PROGRAM;
use damier_rules::notation::hub_board;
use std::collections::HashSet;

/// The part of a graph that goes into a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Upper limit on the positions; those at the ends of the cheapest lines are kept.
    pub positions: usize,
    /// Upper limit on the bytes of the file.
    pub bytes: usize,
    /// Moves that are worse than the best by more than so many hundredths of a man are left out, unless the book
    /// continues after them.
    pub within: u32,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            positions: usize::MAX,
            bytes: usize::MAX,
            within: 40,
        }
    }
}

/// The bytes of a book with the positions of a graph. Every position of the book can be reached from a root by its
/// moves.
pub fn compile(graph: &mut Graph, selection: &Selection) -> Vec<u8> {
    graph.back_up();
    graph.price();
    let nodes = graph.nodes().iter().enumerate();
    let mut order: Vec<(u64, u32)> = nodes
        .filter(|(_, node)| node.searched && node.cost != u64::MAX)
        .map(|(id, node)| (node.cost, id as u32))
        .collect();
    order.sort_unstable();
    order.truncate(selection.positions);
    let bytes = encode(graph, &order, selection);
    if bytes.len() <= selection.bytes {
        return bytes;
    }
    // The largest number of positions that fits.
    let (mut low, mut high) = (0, order.len());
    let mut best = encode(graph, &[], selection);
    while low + 1 < high {
        let middle = low.midpoint(high);
        let bytes = encode(graph, &order[..middle], selection);
        if bytes.len() <= selection.bytes {
            (low, best) = (middle, bytes);
        } else {
            high = middle;
        }
    }
    best
}

fn encode(graph: &Graph, order: &[(u64, u32)], selection: &Selection) -> Vec<u8> {
    let kept: HashSet<u32> = order.iter().map(|&(_, id)| id).collect();
    let entries = order
        .iter()
        .filter_map(|&(_, id)| entry(graph, id, &kept, selection.within));
    let settings = graph.settings();
    let header = Header {
        program: PROGRAM.to_owned(),
        positions: 0,
        nodes: settings.nodes,
        lines: settings.lines,
        roots: settings.roots.iter().map(hub_board::format).collect(),
        learning_bound: 0,
    };
    format::encode(&header, entries.collect())
}

fn entry(graph: &Graph, id: u32, kept: &HashSet<u32>, within: u32) -> Option<RawEntry> {
    let node = &graph.nodes()[id as usize];
    let legal = numbered_moves(&node.code.position()?);
    let edges = graph.best_first(id);
    let &(first, best) = edges.first()?;
    let leads_on = |edge: &Edge, worth: i32| {
        edge.child.is_some_and(|child| {
            kept.contains(&child)
                && is_on_the_way(graph, node, &graph.nodes()[child as usize], worth)
        })
    };
    let moves = edges
        .iter()
        .filter(|(edge, worth)| best - worth <= within as i32 || leads_on(edge, *worth))
        .filter_map(|(edge, worth)| {
            let number = legal.iter().position(|mv| *mv == edge.mv)?;
            Some(RawMove {
                number: u8::try_from(number).ok()?,
                score: *worth,
                learned: Learned::default(),
            })
        });
    Some(RawEntry {
        key: node.code.key(),
        depth: first.depth,
        moves: moves.take(MOST_MOVES).collect(),
    })
}

/// Whether the cheapest line to `child` may come through `node`.
fn is_on_the_way(graph: &Graph, node: &GraphNode, child: &GraphNode, worth: i32) -> bool {
    let drop = u64::from((node.value - worth).max(0) as u32);
    child.cost == node.cost + u64::from(graph.settings().ply_cost) + drop
}
