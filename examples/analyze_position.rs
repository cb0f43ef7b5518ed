//! Analyzes a position and prints its two best moves with score and line.
//!
//!     cargo run --release --example analyze_position "W:W28,33,38:B12,17,18" 12

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use damier::engine::{Engine, Job, Level, Options, Purpose};
use damier::notation::{fen, moves, picture};
use damier::rules::{Game, Move, Position};
use damier::search::{Control, Report};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().unwrap_or_else(|| {
        "W:W27,31,32,33,34,35,41,43,44,46,47,48,49,50:B1,2,3,8,9,12,13,14,18,22,23,25".to_owned()
    });
    let depth = arguments.next().map_or(Ok(11), |depth| depth.parse())?;
    let position = fen::parse(&text)?;
    println!("{}", picture::draw(&position, position.turn(), true));

    let mut engine = Engine::new(Options::default())?;
    let job = Job::new(Game::new(position), Level::depth(depth))
        .with_purpose(Purpose::Analyse)
        .with_lines(2);
    let mut observer = |report: &Report| {
        if report.rank == 1 {
            println!("depth {:2}: {:+.2}", report.depth, men(report));
        }
    };
    let outcome = engine.run(&job, &Control::new(), &mut observer);
    for line in &outcome.lines {
        let text = line_text(&position, &line.pv);
        println!("{}. {:+.2} {text}", line.rank, men(line));
    }
    Ok(())
}

/// The score in men, for the side to move.
fn men(report: &Report) -> f64 {
    f64::from(report.score.centimen()) / 100.0
}

/// The moves of a line in short notation, such as `33-28 22x33`.
fn line_text(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for &mv in line {
        words.push(moves::short(&position, mv));
        position = position.play(mv);
    }
    words.join(" ")
}
