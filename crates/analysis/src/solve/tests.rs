use super::*;
use crate::Stop;
use damier_engine::{Engine, Options};
use damier_rules::notation::{fen, moves};

fn solve(text: &str, goal: Goal, line: &str) -> Solution {
    let start = fen::parse(text).expect("a position");
    solve_problem(&Problem {
        goal,
        intended: moves::parse_line(&start, line).expect("legal"),
        ..Problem::win(start)
    })
}

fn solve_problem(problem: &Problem) -> Solution {
    let options = Options {
        tt_size: 16,
        ..Default::default()
    };
    let mut solver = Solver::new(Engine::new(options).expect("an engine"), 5_000);
    let solution = solver.solve(problem, &Stop::new()).expect("not stopped");
    check(&solution);
    solution
}

/// Every line is legal where it stands, and every reply of the main line is there.
fn check(solution: &Solution) {
    let legal = |path: &[Move], line: &[Move]| {
        let mut position = solution.problem.start;
        for &mv in path.iter().chain(line) {
            assert!(position.is_legal(mv), "{mv} in {solution}");
            position = position.play(mv);
        }
    };
    legal(&[], &solution.main_line);
    for defence in &solution.defences {
        legal(&defence.path, &defence.line);
        assert_eq!(defence.ply, defence.path.len() + 1);
    }
    for other in &solution.alternatives {
        legal(&other.path, &other.line);
        assert_eq!(other.ply, other.path.len() + 1);
    }
}

fn short(solution: &Solution, line: &[Move]) -> String {
    moves::short(&solution.problem.start, line[0])
}

#[test]
fn the_only_win_is_sound() {
    let solution = solve("W:W6,7,40:B19,30,33", Goal::Win, "");
    assert_eq!(solution.verdict, Verdict::Sound, "{solution}");
    assert_eq!(short(&solution, &solution.main_line), "40-34");
    assert!(solution.is_proven && solution.is_complete && solution.is_sound(false));
    assert!(!solution.defences.is_empty());
    let reached = |defence: &Defence| defence.status == Status::Reached;
    assert!(solution.defences.iter().all(reached));
}

#[test]
fn the_same_holds_for_black() {
    let start = fen::parse("W:W6,7,40:B19,30,33").expect("a position");
    let text = fen::format(&start.flipped());
    let solution = solve(&text, Goal::Win, "");
    assert_eq!(solution.verdict, Verdict::Sound, "{solution}");
    assert_eq!(solution.problem.side, Color::Black);
}

#[test]
fn a_second_first_move_is_a_cook() {
    let solution = solve("W:W22,27,31,32,43:B10,13,23,28,33", Goal::Win, "");
    assert_eq!(solution.verdict, Verdict::Cook, "{solution}");
    let cooks = solution.alternatives.iter().filter(|other| other.is_first);
    let mut first: Vec<String> = cooks.map(|cook| short(&solution, &cook.line)).collect();
    first.push(short(&solution, &solution.main_line));
    first.sort();
    assert_eq!(first, ["43-38", "43-39"]);
}

#[test]
fn all_cooks_are_named_however_many() {
    let solution = solve("W:WK1,K2,K3,K50:BK45", Goal::Win, "");
    assert_eq!(solution.verdict, Verdict::Cook, "{solution}");
    let cooks = solution.alternatives.iter().filter(|other| other.is_first);
    let text = solution.to_string();
    assert_eq!(text.matches("\ncook ").count(), cooks.count());
    assert!(text.matches("\ncook ").count() > 10, "{text}");
    let cooks = text.lines().filter(|line| line.starts_with("cook "));
    assert_eq!(
        cooks.filter(|line| line.contains("last move")).count(),
        0,
        "{text}"
    );
}

#[test]
fn a_second_way_later_is_a_dual_and_accepted_at_the_end() {
    let text = "W:W9,13,27:B17,19,24,28,37";
    let whole = "9-3 19x8 3x15 28-32 27x38";
    let solution = solve(text, Goal::Win, whole);
    assert_eq!(solution.verdict, Verdict::Dual, "{solution}");
    let dual = solution
        .alternatives
        .iter()
        .find(|other| other.in_main_line);
    let dual = dual.expect("a dual");
    assert_eq!((dual.ply, dual.line[0].to().number()), (3, 20));
    // The composer ends there: the dual is at the last move.
    let solution = solve(text, Goal::Win, "9-3 19x8 3x15");
    assert_eq!(solution.verdict, Verdict::Sound, "{solution}");
    assert!(solution.is_sound(false) && !solution.is_sound(true));
}

#[test]
fn a_wrong_solution_is_refuted() {
    let solution = solve("W:W6,7,40:B19,30,33", Goal::Win, "7-2");
    assert_eq!(solution.verdict, Verdict::Refuted, "{solution}");
    assert_eq!(solution.refuted_at, Some(1));
    let refutation = solution.refutation.as_ref().expect("a defence");
    assert_eq!((refutation.ply, refutation.path.len()), (2, 1));
    assert!(
        !refutation.line.is_empty() && solution.to_string().contains("\nrefutation 1"),
        "{solution}"
    );
    let none = solve("W:W31-50:B1-20", Goal::Win, "");
    assert_eq!(none.verdict, Verdict::Refuted, "{none}");
    assert!(none.main_line.is_empty());
}

#[test]
fn a_draw_can_be_the_goal() {
    let solution = solve("W:W24,43:B11,K25", Goal::Draw, "");
    assert_eq!(solution.verdict, Verdict::Sound, "{solution}");
    assert_eq!(short(&solution, &solution.main_line), "24-19");
    let won = solve("W:W24,43:B11,K25", Goal::Win, "");
    assert_eq!(won.verdict, Verdict::Refuted, "{won}");
}

#[test]
fn any_number_of_pieces_and_a_game_that_is_over_are_taken() {
    // Every square taken but one.
    let crowd = solve("B:W27-50:B1-25", Goal::Win, "");
    assert!(crowd.nodes > 0 || crowd.verdict != Verdict::Sound);
    for over in ["W:W:B1", "W:W28:B", "W:W:B"] {
        solve(over, Goal::Win, "");
        solve(over, Goal::Draw, "");
    }
}

#[test]
fn a_game_says_what_is_asked() {
    let game = |result: &str| {
        let text = format!("[FEN \"B:W28:B19\"]\n[Result \"{result}\"]\n*\n");
        let mut games = damier_rules::notation::pdn::read(&text);
        let problem = Problem::of_game(&games.next().expect("a game").expect("sound"));
        (problem.side, problem.goal)
    };
    assert_eq!(game("2-0"), (Color::White, Goal::Win));
    assert_eq!(game("0-2"), (Color::Black, Goal::Win));
    assert_eq!(game("1-1"), (Color::Black, Goal::Draw));
    // The convention of compositions.
    assert_eq!(game("*"), (Color::White, Goal::Win));
}

#[test]
fn the_end_of_a_solution_says_what_is_asked() {
    for (result, end, side, goal, source) in [
        ("*", "+", Color::White, Goal::Win, GoalSource::Solution),
        (
            "*",
            " and wins",
            Color::White,
            Goal::Win,
            GoalSource::Solution,
        ),
        (
            "*",
            " zwart wint",
            Color::Black,
            Goal::Win,
            GoalSource::Solution,
        ),
        (
            "*",
            " remise",
            Color::White,
            Goal::Draw,
            GoalSource::Solution,
        ),
        (
            "*",
            " {a comment}",
            Color::White,
            Goal::Win,
            GoalSource::Convention,
        ),
        (
            "2-0",
            " remise",
            Color::White,
            Goal::Win,
            GoalSource::Result,
        ),
    ] {
        let text =
            format!("[FEN \"B:W28,38:B19\"]\n[Result \"{result}\"]\n1... 19-23 2. 28x19{end}\n");
        let mut games = damier_rules::notation::pdn::read(&text);
        let problem = Problem::of_game(&games.next().expect("a game").expect("sound"));
        assert_eq!(
            (problem.side, problem.goal, problem.source),
            (side, goal, source),
            "{text}"
        );
    }
}

#[test]
fn the_other_side_may_begin() {
    // Black must take first.
    let start = fen::parse("W:W6,7,40:B19,30,33").expect("a position");
    let mut position = start;
    let line = moves::parse_line(&start, "40-34").expect("legal");
    position = position.play(line[0]);
    let problem = Problem {
        side: Color::White,
        ..Problem::win(position)
    };
    let engine = Engine::new(Options::default()).expect("an engine");
    let mut solver = Solver::new(engine, 5_000);
    let solution = solver.solve(&problem, &Stop::new()).expect("not stopped");
    assert_ne!(solution.verdict, Verdict::Refuted, "{solution}");
    check(&solution);
}

/// A composition whose side to move need not be the one with the goal.
fn solve_for(text: &str, side: Color, goal: Goal) -> Solution {
    solve_problem(&Problem {
        side,
        goal,
        ..Problem::win(fen::parse(text).expect("a position"))
    })
}

#[test]
fn goals_are_judged_for_the_side_that_has_them_whoever_begins() {
    // A draw by White's threat of 24-19; after it Black has no more than that.
    let drawn = "B:W19,43:B11,K25";
    // 1... 50x30 and 1... 50x25 both lose.
    let lost = "B:WK11,34,40,44,48:B17,33,35,K50";
    for (text, side, goal, is_reached) in [
        (drawn, Color::White, Goal::Draw, true),
        (drawn, Color::White, Goal::Win, false),
        (drawn, Color::Black, Goal::Draw, true),
        (drawn, Color::Black, Goal::Win, false),
        (lost, Color::White, Goal::Win, true),
        (lost, Color::White, Goal::Draw, true),
        (lost, Color::Black, Goal::Win, false),
        (lost, Color::Black, Goal::Draw, false),
    ] {
        let flipped = fen::format(&fen::parse(text).expect("a position").flipped());
        for (text, side) in [(text, side), (&flipped, !side)] {
            let solution = solve_for(text, side, goal);
            let is_refuted = solution.verdict == Verdict::Refuted;
            assert_eq!(is_refuted, !is_reached, "{side} {goal}: {solution}");
            assert_ne!(
                solution.verdict,
                Verdict::Unsolved,
                "{side} {goal}: {solution}"
            );
            assert_eq!(solution.refutation.is_some(), is_refuted, "{solution}");
        }
    }
}

#[test]
fn the_side_that_begins_may_refute_at_once() {
    let solution = solve_for("B:W6,7,40:B19,30,33", Color::White, Goal::Win);
    assert_eq!(solution.verdict, Verdict::Refuted, "{solution}");
    let refutation = solution.refutation.as_ref().expect("a defence");
    assert_eq!(
        (refutation.ply, solution.refuted_at),
        (1, None),
        "{solution}"
    );
    assert!(refutation.line.len() > 1, "{solution}");
    let text = solution.to_string();
    let first = crate::numbered(&solution.problem.start, &[], &refutation.line[..1]);
    for wanted in [
        format!("nothing reaches the goal against {first}\n"),
        format!("refutation {first} 2. "),
    ] {
        assert!(text.contains(&wanted), "{wanted}: {text}");
    }
    let json = serde_json::to_value(solution.to_json(1, false)).expect("JSON");
    assert_eq!(
        json["refutation"]["line"][0],
        refutation.line[0].to_string()
    );
    // No move of the side to move does.
    let solution = solve_for("W:W24,43:B11,K25", Color::White, Goal::Win);
    assert!(
        solution.to_string().contains("\nbest try   1. "),
        "{solution}"
    );
    // With the answer, which the search of the move may not know.
    let solution = solve_for("W:W27,32:B16,19", Color::White, Goal::Win);
    let refutation = solution.refutation.as_ref().expect("a try");
    assert!(refutation.line.len() > 1, "{solution}");
}

#[test]
fn a_stop_ends_it() {
    let stop = Stop::new();
    stop.stop();
    let start = fen::parse("W:W22,27,31,32,43:B10,13,23,28,33").expect("a position");
    let engine = Engine::new(Options::default()).expect("an engine");
    let mut solver = Solver::new(engine, 5_000);
    assert!(solver.solve(&Problem::win(start), &stop).is_err());
}
