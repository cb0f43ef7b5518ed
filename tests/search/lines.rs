//! Several lines: the best root moves, each with its own score, depth and line.

use damier::engine::{Engine, Job, Level, Options, Purpose};
use damier::eval::Score;
use damier::notation::fen;
use damier::rules::{Game, Position};
use damier::search::{Control, Outcome, Report};
use std::collections::HashSet;

const POSITIONS: [&str; 4] = [
    "W:W31-50:B1-20",
    "B:W27,28,32,33,37,38,42,43,48:B8,9,12,13,14,18,19,23,24",
    "W:W28,32,33,37,38,39,41,42,43,48,49:B3,4,8,9,10,13,14,18,19,23",
    "W:WK46,33,38:B18,24,K5",
];

fn engine() -> Engine {
    let options = Options {
        tt_size: 18,
        ..Options::default()
    };
    Engine::new(options).expect("a small table")
}

fn job(text: &str, level: Level, lines: usize) -> Job {
    let game = Game::new(fen::parse(text).expect("a good FEN"));
    Job::new(game, level)
        .with_purpose(Purpose::Analyse)
        .with_lines(lines)
}

fn run(job: &Job) -> Outcome {
    engine().run(job, &Control::new(), &mut ())
}

/// Every line is that of another legal move, legal to its end; scores fall; ranks count from 1.
fn check(position: &Position, lines: &[Report]) {
    let mut moves = HashSet::new();
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line.rank, index + 1);
        assert!(moves.insert(line.pv[0]), "{} twice", line.pv[0]);
        let mut position = *position;
        for &mv in &line.pv {
            assert!(position.is_legal(mv), "{mv}");
            position = position.play(mv);
        }
    }
    let scores: Vec<Score> = lines.iter().map(|line| line.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn every_line_has_a_move_a_score_and_a_depth_of_its_own() {
    for text in POSITIONS {
        let position = fen::parse(text).expect("a good FEN");
        let legal = position.legal_moves().len();
        for wanted in [1, 2, 3, 100] {
            let outcome = run(&job(text, Level::depth(7), wanted));
            assert_eq!(outcome.lines.len(), wanted.min(legal), "{text}");
            check(&position, &outcome.lines);
            assert!(outcome.lines.iter().all(|line| line.depth == 7));
            assert_eq!(outcome.best, outcome.lines[0].pv.first().copied());
            assert_eq!(outcome.report.pv, outcome.lines[0].pv);
        }
    }
}

#[test]
fn one_line_costs_what_it_cost_before_and_is_the_first_of_many() {
    let level = Level::depth(9);
    for text in POSITIONS {
        let alone = run(&job(text, level, 1));
        let none = run(&job(text, level, 0));
        assert_eq!(alone.stats.nodes, none.stats.nodes);
        let many = run(&job(text, level, 3));
        assert!(many.stats.nodes > alone.stats.nodes, "{text}");
    }
}

/// The second line is what is left when the first move is excluded: the same move, or one of about the same value. The
/// table is not the same, so that eight plies give up to half a man more or less.
#[test]
fn the_second_line_is_the_best_without_the_first_move() {
    let level = Level::depth(8);
    for text in POSITIONS {
        let both = run(&job(text, level, 2));
        let mut rest = job(text, level, 1);
        rest.excluded = vec![both.lines[0].pv[0]];
        let second = run(&rest);
        assert_ne!(second.best, both.best);
        let difference = (second.report.score.centimen() - both.lines[1].score.centimen()).abs();
        assert!(difference <= 50, "{text}: {difference}");
    }
}

#[test]
fn lines_keep_their_order_when_the_search_is_broken_off() {
    for text in POSITIONS {
        let position = fen::parse(text).expect("a good FEN");
        for nodes in (1..=40).map(|step| step * step * 30) {
            let mut calls = 0;
            let mut group: Vec<Report> = Vec::new();
            let mut observer = |report: &Report| {
                if report.rank == 1 {
                    check(&position, &group);
                    assert!(group.len() <= 3, "{text}");
                    group.clear();
                }
                group.push(report.clone());
                calls += 1;
            };
            let outcome = engine().run(
                &job(text, Level::nodes(nodes), 3),
                &Control::new(),
                &mut observer,
            );
            check(&position, &group);
            check(&position, &outcome.lines);
            assert!(group.len() <= 3 && outcome.lines.len() <= 3, "{text}");
            assert!(outcome.stats.nodes <= nodes);
            assert!(calls > 0 || outcome.report.depth == 0);
        }
    }
}

#[test]
fn with_every_move_excluded_there_is_none_to_play() {
    let mut job = job(POSITIONS[0], Level::depth(3), 2);
    job.excluded = job.game.position().legal_moves().to_vec();
    let outcome = run(&job);
    assert_eq!((outcome.best, outcome.lines.len()), (None, 0));
}

#[test]
fn an_analysis_has_scores_of_a_hundredth() {
    let fine = |purpose| {
        let scores = POSITIONS.iter().flat_map(|text| {
            let outcome = run(&job(text, Level::depth(8), 4).with_purpose(purpose));
            outcome.lines.into_iter().map(|line| line.score)
        });
        scores
            .filter(|score| score.is_eval() && score.centimen() % 8 != 0)
            .count()
    };
    assert!(fine(Purpose::Analyse) > 4);
    assert_eq!(fine(Purpose::Think), 0);
}
