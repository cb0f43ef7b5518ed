//! Makes the built-in set of puzzles from files of `damier mine`: sound ones, no two alike, hard and named ones first.
//! A set that it wrote before is kept, but for puzzles that are alike. docs/puzzles.md has the commands.
//!
//! ```sh no-run
//! cargo run --release -p damier-analysis --example puzzle_set -- 640 mined.pdn >easy.pdn
//! cargo run --release -p damier-analysis --example puzzle_set -- 720 easy.pdn hard.pdn >puzzles.pdn
//! ```

use damier_analysis::puzzle::{Judge, Puzzle};
use damier_analysis::solve::{Problem, Solution, Solver, Verdict};
use damier_analysis::{Stop, motifs};
use damier_engine::{Engine, Options};
use damier_rules::notation::pdn::{self, Game};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::error::Error;
use std::io::Write;

/// Nodes of a search of the solver.
const NODES: u64 = 20_000;
/// Fewest men given; those that give more come first.
const LEAST_GIVEN: i32 = 1;

/// Whether the answer is right and no other move is, but at the end of a line. A win that cannot be proven with so few
/// nodes was proven by `mine` with more.
fn has_one_answer(found: &Solution) -> bool {
    let is_right = matches!(found.verdict, Verdict::Sound | Verdict::Unsolved);
    is_right && found.alternatives.iter().all(|other| other.is_accepted())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let wanted: usize = arguments.next().ok_or("how many?")?.parse()?;
    let mut games = Vec::new();
    for name in arguments {
        let text = std::fs::read_to_string(name)?;
        games.extend(pdn::read(&text).collect::<Result<Vec<Game>, _>>()?);
    }
    let number = |game: &Game, tag: &str| game.tag(tag).and_then(|value| value.parse().ok());
    // Those of a set have no such tag.
    let is_kept = |game: &Game| game.tag("MenGiven").is_none();
    games.retain(|game| is_kept(game) || number(game, "MenGiven") >= Some(LEAST_GIVEN));
    games.sort_by_cached_key(|game| {
        let is_named = !motifs(&game.start, &game.plain_moves()).is_empty();
        Reverse((
            is_kept(game),
            number(game, "Grade"),
            is_named,
            number(game, "MenGiven"),
            game.moves.len(),
        ))
    });
    let engine = || {
        Engine::new(Options {
            tt_size: 20,
            ..Options::default()
        })
    };
    let mut solver = Solver::new(engine()?, NODES);
    let mut judge = Judge::new(engine()?);
    let mut shapes = HashSet::new();
    let mut chosen: Vec<(u32, Game)> = Vec::new();
    let (mut alike, mut unsound) = (0, 0);
    for game in games {
        if chosen.len() >= wanted {
            break;
        }
        let puzzle = Puzzle::of(&game)?;
        if puzzle.shapes().iter().any(|shape| shapes.contains(shape)) {
            alike += 1;
            continue;
        }
        let mut is_sound = || {
            let solved = solver.solve(&Problem::of_game(&game), &Stop::new());
            solved.is_ok_and(|found| has_one_answer(&found))
                && judge.is_only(&puzzle, &Stop::new()) == Ok(true)
        };
        if !is_kept(&game) && !is_sound() {
            unsound += 1;
            continue;
        }
        shapes.extend(puzzle.shapes());
        let mut kept = Game::new(game.start);
        kept.tags
            .push(("Grade".to_owned(), puzzle.grade.to_string()));
        let names = motifs(&puzzle.start, &puzzle.answer);
        if !names.is_empty() {
            let names: Vec<_> = names.iter().map(ToString::to_string).collect();
            kept.tags.push(("Motif".to_owned(), names.join(", ")));
        }
        kept.moves = puzzle.answer.iter().map(|&mv| mv.into()).collect();
        kept.result = game.result;
        chosen.push((puzzle.grade, kept));
    }
    let mut told = std::io::stderr().lock();
    writeln!(
        told,
        "{} chosen, {alike} alike, {unsound} not sound or with two answers",
        chosen.len()
    )?;
    chosen.sort_by_key(|(grade, _)| *grade);
    let mut out = std::io::stdout().lock();
    for (_, game) in chosen {
        game.write(&mut out)?;
    }
    Ok(out.flush()?)
}
