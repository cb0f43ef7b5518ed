use super::*;
use damier_rules::notation::fen;

fn settings(roots: &[&str]) -> BookSettings {
    BookSettings {
        roots: roots
            .iter()
            .map(|text| fen::parse(text).expect("a position"))
            .collect(),
        lines: 2,
        ply_cost: 4,
        ..BookSettings::default()
    }
}

fn expand(graph: &mut Graph, position: &Position, scored: &[(Move, i32)]) {
    let canonical = Canonical::of(position);
    let lines: Vec<ScoredMove> = scored
        .iter()
        .map(|&(mv, score)| ScoredMove {
            mv: canonical.convert(mv),
            score,
            depth: 9,
        })
        .collect();
    graph.apply(
        &Work {
            code: canonical.code(),
            task: SearchTask::Expand,
        },
        &lines,
    );
}

fn value(graph: &Graph, position: &Position) -> i32 {
    graph.nodes[graph.find(position).expect("a node") as usize].value
}

#[test]
fn the_cheapest_leaf_comes_first_and_drops_count() {
    let mut graph = Graph::new(&settings(&["W:W31-50:B1-20"]));
    let start = Position::start();
    let moves = damier_book::numbered_moves(&start);
    let work = graph.next(5);
    assert_eq!(
        work,
        [Work {
            code: Canonical::of(&start).code(),
            task: SearchTask::Expand
        }]
    );
    expand(&mut graph, &start, &[(moves[0], 10), (moves[1], 0)]);
    graph.back_up();
    let leaf = |mv: Move| Canonical::of(&start.play(mv)).code();
    let next = graph.next(9);
    assert_eq!(
        next[0],
        Work {
            code: leaf(moves[0]),
            task: SearchTask::Expand
        }
    );
    // The rest is worth no more than the last move scored, and older.
    assert_eq!(
        next[1],
        Work {
            code: Canonical::of(&start).code(),
            task: SearchTask::Widen
        }
    );
    assert_eq!(
        next[2],
        Work {
            code: leaf(moves[1]),
            task: SearchTask::Expand
        }
    );
    assert_eq!(next.len(), 3);
    // The first move is worse than it looked: its line comes later now.
    let child = start.play(moves[0]);
    expand(&mut graph, &child, &[(child.legal_moves()[0], 50)]);
    graph.back_up();
    assert_eq!(value(&graph, &start), 0);
    let next = graph.next(9);
    assert_eq!(next[0].task, SearchTask::Widen);
    assert_eq!(next[1].code, leaf(moves[1]));
    let last = next.last().expect("some");
    assert_eq!(
        last.code,
        Canonical::of(&play_forced(&child.play(child.legal_moves()[0])).position).code()
    );
}

#[test]
fn transpositions_are_one_node_reached_the_cheapest_way() {
    let mut graph = Graph::new(&settings(&["W:W31-50:B1-20"]));
    let start = Position::start();
    let play = |position: &Position, text: &str| {
        let mv = damier_rules::notation::moves::parse(position, text).expect("a move");
        (mv, position.play(mv))
    };
    let (a, after_a) = play(&start, "32-28");
    let (b, after_b) = play(&start, "34-29");
    let (x, ax) = play(&after_a, "19-23");
    assert!(ax.must_capture());
    let (y, ay) = play(&after_a, "20-25");
    let (z, bz) = play(&after_b, "20-25");
    let _ = x;
    expand(&mut graph, &start, &[(a, 0), (b, -20)]);
    expand(&mut graph, &after_a, &[(y, 0)]);
    expand(&mut graph, &after_b, &[(z, 0)]);
    let (c, meet) = play(&ay, "34-29");
    let (d, same) = play(&bz, "32-28");
    assert_eq!(meet, same);
    expand(&mut graph, &ay, &[(c, 0)]);
    expand(&mut graph, &bz, &[(d, 0)]);
    let nodes = graph.nodes.len();
    assert_eq!(nodes, 6, "one node for the position both lines lead to");
    let mv = meet.legal_moves()[0];
    expand(&mut graph, &meet, &[(mv, 30)]);
    graph.back_up();
    assert_eq!(value(&graph, &ay), -30);
    assert_eq!(value(&graph, &bz), -30);
    graph.price();
    let cost = |position| graph.nodes[graph.find(position).expect("a node") as usize].cost;
    assert_eq!(cost(&meet), cost(&ay) + 4);
    // Both lines are worth the same now.
    assert_eq!(cost(&after_b), cost(&after_a));
}

#[test]
fn a_twin_is_the_same_node() {
    let graph = Graph::new(&settings(&["W:W31-50:B1-20", "B:W31-50:B1-20"]));
    assert_eq!((graph.nodes.len(), graph.roots.len()), (1, 1));
}

#[test]
fn going_back_and_forth_is_a_draw_unless_something_better_can_be_forced() {
    let at = |text: &str| fen::parse(text).expect("a position");
    let p = at("W:WK50,35:BK16");
    let mut graph = Graph::new(&settings(&["W:WK50,35:BK16"]));
    // White moves its king away and back, black too: four positions in a circle.
    let play = |position: &Position, from: u8, to: u8| {
        let found = position
            .legal_moves()
            .into_iter()
            .find(|mv| mv.from().number() == from && mv.to().number() == to);
        let mv = found.expect("legal");
        (mv, position.play(mv))
    };
    let (m1, p1) = play(&p, 50, 44);
    let (m2, p2) = play(&p1, 16, 21);
    let (m3, p3) = play(&p2, 44, 50);
    let (m4, p4) = play(&p3, 21, 16);
    assert_eq!(p4, p);
    // Every search thinks well of going round for the side to move.
    expand(&mut graph, &p, &[(m1, 70)]);
    expand(&mut graph, &p1, &[(m2, 70)]);
    expand(&mut graph, &p2, &[(m3, 70)]);
    expand(&mut graph, &p3, &[(m4, 70)]);
    graph.back_up();
    assert!(
        [p, p1, p2, p3]
            .iter()
            .all(|position| value(&graph, position) == 0)
    );
    // A way out that wins for white is taken, one that loses is not.
    let (win, _) = play(&p2, 35, 30);
    expand(&mut graph, &p2, &[(m3, 70), (win, 90)]);
    graph.back_up();
    assert_eq!(value(&graph, &p2), 90);
    assert_eq!(value(&graph, &p1), -90);
    assert_eq!(value(&graph, &p), 90);
    let (loss, _) = play(&p2, 35, 30);
    expand(&mut graph, &p2, &[(m3, 70), (loss, -90)]);
    graph.back_up();
    assert_eq!(value(&graph, &p2), 0);
}
