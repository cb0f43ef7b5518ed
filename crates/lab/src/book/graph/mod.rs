//! The graph of positions searched so far: backed-up scores, the cost of every line, and the next searches.
//!
//! Drop-out expansion (Lincke, *Strategies for the Automatic Construction of Opening Books*, 2000): the cost of a
//! line is the sum over its moves of a fixed cost per ply and the move's loss against the best move; the cheapest leaf
//! is searched next. Transpositions share a node. The edges of a node are the moves that a search has scored; "the
//! rest" stands for the others, whose score is at most that of the last move of the search.

use super::{BookSettings, SCORE_MAX, ScoredMove};
use damier_book::{Canonical, Code, play_forced};
use damier_rules::board::Color;
use damier_rules::{Move, Position};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The kind of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SearchTask {
    /// The first search of a position: its best moves.
    Expand,
    /// The best of the moves without a score.
    Widen,
    /// A requested move (from --games).
    Try(TaskMove),
}

/// A [`Move`] as its squares, which can be sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TaskMove(pub Move);

impl TaskMove {
    fn rank(self) -> (u8, u8, u64) {
        (
            self.0.from().number(),
            self.0.to().number(),
            self.0.captured().bits(),
        )
    }
}

impl PartialOrd for TaskMove {
    fn partial_cmp(&self, other: &TaskMove) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TaskMove {
    fn cmp(&self, other: &TaskMove) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// A search to run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Work {
    /// The position.
    pub code: Code,
    /// The kind of search.
    pub task: SearchTask,
}

/// A finished search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The search.
    pub work: Work,
    /// Nodes of the search.
    pub nodes: u64,
    /// The moves it scored, best first.
    pub lines: Vec<ScoredMove>,
}

/// A move from a node.
#[derive(Clone, Copy, Debug)]
pub(in crate::book) struct Edge {
    /// The move, white to move.
    pub mv: Move,
    /// The score of its search, for the side to move.
    pub score: i32,
    /// Depth of that search.
    pub depth: u32,
    /// The node after the move and the forced moves that follow; None where the game ends there.
    pub child: Option<u32>,
    /// Whether the other side is to move there.
    pub other_side: bool,
}

/// A position that was or will be searched.
#[derive(Clone, Debug)]
pub(in crate::book) struct GraphNode {
    pub code: Code,
    pub edges: Vec<Edge>,
    /// Upper bound on the scores of moves without an edge; None if there are none, or nothing was searched.
    pub rest: Option<i32>,
    pub searched: bool,
    /// The backed-up score, for the side to move.
    pub value: i32,
    /// Cost of the cheapest line that leads here.
    pub cost: u64,
    /// Requested moves without an edge.
    wanted: Vec<Move>,
    /// A number that grows with every irreversible move.
    progress: u32,
}

/// All positions searched so far.
#[derive(Clone, Debug)]
pub struct Graph {
    settings: BookSettings,
    nodes: Vec<GraphNode>,
    index: HashMap<Code, u32>,
    roots: Vec<u32>,
    expanded: u64,
    /// The searched nodes, by descending progress.
    order: Vec<(Reverse<u32>, u32)>,
    /// Requested moves of positions that have no node yet.
    asked: HashMap<Code, Vec<Move>>,
}

/// A number that grows with captures, promotions and moves of men, and that moves of kings leave alone: positions
/// between which play can go back and forth share it.
fn progress(position: &Position) -> u32 {
    let (white, black) = (position.men(Color::White), position.men(Color::Black));
    let way: u32 = white.map(|square| 9 - u32::from(square.row())).sum::<u32>()
        + black.map(|square| u32::from(square.row())).sum::<u32>();
    let pieces = position.occupied().len();
    (50 - pieces) << 16 | (50 - white.len() - black.len()) << 10 | way
}

impl Graph {
    /// A graph without searches.
    pub fn new(settings: &BookSettings) -> Graph {
        let mut graph = Graph {
            settings: settings.clone(),
            nodes: Vec::new(),
            index: HashMap::new(),
            roots: Vec::new(),
            expanded: 0,
            order: Vec::new(),
            asked: HashMap::new(),
        };
        for root in &settings.roots {
            if let Some((node, _)) = graph.node_after(root)
                && !graph.roots.contains(&node)
            {
                graph.roots.push(node);
            }
        }
        graph
    }

    /// The number of searched positions.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(in crate::book) fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    pub(in crate::book) fn roots(&self) -> &[u32] {
        &self.roots
    }

    pub(in crate::book) fn find(&self, position: &Position) -> Option<u32> {
        let code = Canonical::of(position).code();
        self.index.get(&code).copied()
    }

    /// The node of a position after its forced moves, and their number. None where the game ends there.
    fn node_after(&mut self, position: &Position) -> Option<(u32, usize)> {
        let settled = play_forced(position);
        if settled.position.is_terminal() {
            return None;
        }
        let canonical = Canonical::of(&settled.position);
        let code = canonical.code();
        let next = self.nodes.len() as u32;
        let id = *self.index.entry(code).or_insert(next);
        if id == next {
            self.nodes.push(GraphNode {
                code,
                edges: Vec::new(),
                rest: None,
                searched: false,
                value: 0,
                cost: u64::MAX,
                wanted: self.asked.remove(&code).unwrap_or_default(),
                progress: progress(canonical.position()),
            });
        }
        Some((id, settled.forced.len()))
    }

    /// Whether a move has a score.
    pub fn has_move(&self, position: &Position, mv: Move) -> bool {
        let canonical = Canonical::of(position);
        let mv = canonical.convert(mv);
        self.edges(canonical.code())
            .iter()
            .any(|edge| edge.mv == mv)
    }

    fn edges(&self, code: Code) -> &[Edge] {
        self.index
            .get(&code)
            .map_or(&[], |&id| &self.nodes[id as usize].edges)
    }

    /// Whether all the moves that a search scored already have a score.
    pub(in crate::book) fn has_all(&self, searched: &Searched) -> bool {
        let edges = self.edges(searched.work.code);
        searched
            .lines
            .iter()
            .all(|line| edges.iter().any(|edge| edge.mv == line.mv))
    }

    /// Whether any of the moves that a search scored already has a score.
    pub(in crate::book) fn has_any(&self, searched: &Searched) -> bool {
        let edges = self.edges(searched.work.code);
        searched
            .lines
            .iter()
            .any(|line| edges.iter().any(|edge| edge.mv == line.mv))
    }

    /// The moves to exclude from a search and the number of moves it has to score; None if the work does not apply
    /// here.
    pub fn request(&self, work: &Work) -> Option<(Position, Vec<Move>, usize)> {
        let position = work.code.position()?;
        let known: Vec<Move> = self.edges(work.code).iter().map(|edge| edge.mv).collect();
        let legal = position.legal_moves();
        let (excluded, lines) = match work.task {
            SearchTask::Expand | SearchTask::Widen => (known, self.settings.lines as usize),
            SearchTask::Try(TaskMove(mv)) => (
                legal.iter().copied().filter(|&other| other != mv).collect(),
                1,
            ),
        };
        let left = legal
            .len()
            .checked_sub(excluded.len())
            .filter(|left| *left > 0)?;
        Some((position, excluded, lines.min(left)))
    }

    /// Adds the result of a search. Scores and costs are stale until [`Graph::back_up`].
    pub fn apply(&mut self, work: &Work, lines: &[ScoredMove]) {
        let Some(position) = work.code.position() else {
            return;
        };
        let Some((id, 0)) = self.node_after(&position) else {
            return;
        };
        for line in lines {
            let after = position.play(line.mv);
            let child = self.node_after(&after);
            let plies =
                child.map_or_else(|| play_forced(&after).forced.len(), |(_, forced)| forced) + 1;
            let other_side = plies % 2 == 1;
            let score = match child {
                Some(_) => line.score.clamp(-SCORE_MAX, SCORE_MAX),
                // Who is to move at the end has lost.
                None => {
                    if other_side {
                        SCORE_MAX
                    } else {
                        -SCORE_MAX
                    }
                }
            };
            let edge = Edge {
                mv: line.mv,
                score,
                depth: line.depth,
                child: child.map(|(id, _)| id),
                other_side,
            };
            let node = &mut self.nodes[id as usize];
            node.wanted.retain(|wanted| *wanted != line.mv);
            match node.edges.iter_mut().find(|edge| edge.mv == line.mv) {
                Some(known) => *known = edge,
                None => node.edges.push(edge),
            }
        }
        let node = &mut self.nodes[id as usize];
        let last = lines
            .last()
            .map(|line| line.score.clamp(-SCORE_MAX, SCORE_MAX));
        match work.task {
            SearchTask::Expand | SearchTask::Widen => node.rest = last,
            SearchTask::Try(_) => {}
        }
        if node.edges.len() == position.legal_moves().len() {
            node.rest = None;
        }
        if !std::mem::replace(&mut node.searched, true) {
            self.expanded += 1;
            let progress = node.progress;
            self.order.push((Reverse(progress), id));
        }
    }

    /// Requests a move: it is searched once its position is cheap enough, however bad the move is.
    pub fn ask(&mut self, code: Code, mv: Move) {
        let wanted = match self.index.get(&code) {
            Some(&id) => {
                let node = &mut self.nodes[id as usize];
                if node.edges.iter().any(|edge| edge.mv == mv) {
                    return;
                }
                &mut node.wanted
            }
            None => self.asked.entry(code).or_default(),
        };
        if !wanted.contains(&mv) {
            wanted.push(mv);
        }
    }

    /// The score of an edge for the side that moves: the value of its node once that is searched.
    pub(in crate::book) fn worth(&self, edge: &Edge) -> i32 {
        match edge.child.map(|child| &self.nodes[child as usize]) {
            Some(child) if child.searched => {
                if edge.other_side {
                    -child.value
                } else {
                    child.value
                }
            }
            _ => edge.score,
        }
    }

    /// Backs scores up through all searched positions. Cycles are draws: within a set of positions of equal progress
    /// all values start as draws and are iterated to a fixed point, so that a win or loss counts only if it can be
    /// forced in a finite number of moves.
    pub fn back_up(&mut self) {
        self.order.sort_unstable();
        let order = std::mem::take(&mut self.order);
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            for &(_, id) in group {
                self.nodes[id as usize].value = 0;
            }
            // Each pass settles at least one more position.
            for _ in 0..=group.len() {
                let mut changed = false;
                for &(_, id) in group {
                    let edges = self.nodes[id as usize].edges.iter();
                    let best = edges.map(|edge| self.worth(edge)).max().unwrap_or(0);
                    let value = &mut self.nodes[id as usize].value;
                    changed |= std::mem::replace(value, best) != best;
                }
                if !changed {
                    break;
                }
            }
        }
        self.order = order;
    }

    /// Computes the cost of every line and returns the `count` cheapest searches to run, cheapest first. Scores must
    /// have been backed up.
    pub fn next(&mut self, count: usize) -> Vec<Work> {
        let mut found = Vec::new();
        self.explore(|work| {
            found.push(work);
            found.len() < count
        });
        found
    }

    /// Computes the cost of every searched position.
    pub fn price(&mut self) {
        self.explore(|_| true);
    }

    /// Visits positions and searches to run by ascending cost until `each` returns false.
    fn explore(&mut self, mut each: impl FnMut(Work) -> bool) {
        let step = u64::from(self.settings.ply_cost);
        for node in &mut self.nodes {
            node.cost = u64::MAX;
        }
        // By cost, then by the age of the node, so that the order is always the same.
        let mut heap = BinaryHeap::new();
        for &root in &self.roots {
            self.nodes[root as usize].cost = 0;
            heap.push(Reverse((0, root, None)));
        }
        while let Some(Reverse((cost, id, task))) = heap.pop() {
            let node = &self.nodes[id as usize];
            let task = match task {
                Some(task) => Some(task),
                None if cost > node.cost => continue,
                None => (!node.searched).then_some(SearchTask::Expand),
            };
            if let Some(task) = task {
                let code = node.code;
                if !each(Work { code, task }) {
                    return;
                }
                continue;
            }
            let best = node.value;
            let price = |score: i32| cost + step + u64::from((best - score).max(0) as u32);
            if let Some(rest) = node.rest {
                heap.push(Reverse((price(rest), id, Some(SearchTask::Widen))));
            }
            for &mv in &node.wanted {
                heap.push(Reverse((
                    cost + step,
                    id,
                    Some(SearchTask::Try(TaskMove(mv))),
                )));
            }
            let edges = node
                .edges
                .iter()
                .filter_map(|edge| Some((edge.child?, price(self.worth(edge)))));
            for (child, price) in edges.collect::<Vec<_>>() {
                let child_node = &mut self.nodes[child as usize];
                if price < child_node.cost {
                    child_node.cost = price;
                    heap.push(Reverse((price, child, None)));
                }
            }
        }
    }

    /// The edges of a node, best first; equal ones in the order in which they were found.
    pub(in crate::book) fn best_first(&self, id: u32) -> Vec<(Edge, i32)> {
        let edges = &self.nodes[id as usize].edges;
        let mut edges: Vec<(Edge, i32)> =
            edges.iter().map(|edge| (*edge, self.worth(edge))).collect();
        edges.sort_by_key(|(_, worth)| -worth);
        edges
    }

    /// The line of best moves from a root, forced moves included.
    pub fn main_line(&self, root: usize, most: usize) -> Vec<Move> {
        let Some(&start) = self.settings.roots.get(root) else {
            return Vec::new();
        };
        let (mut position, mut line) = (start, Vec::new());
        while line.len() < most {
            let settled = play_forced(&position);
            line.extend(&settled.forced);
            let best = self
                .find(&settled.position)
                .and_then(|id| self.best_first(id).first().copied());
            let Some((edge, _)) = best else { break };
            let mv = Canonical::of(&settled.position).convert(edge.mv);
            line.push(mv);
            position = settled.position.play(mv);
        }
        line.truncate(most);
        line
    }

    /// The settings of the book.
    pub fn settings(&self) -> &BookSettings {
        &self.settings
    }
}

#[cfg(test)]
mod tests;
