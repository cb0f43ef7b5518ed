//! The search of `damier bench --bb-size 0` without the command line, to count instructions: `bench [DEPTH]`. Unpacking
//! endgame tables would be most of them.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use damier_bench_positions::BENCH;
use damier_engine::search::Control;
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::Game;
use damier_rules::notation::fen;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args()
        .nth(1)
        .map_or(Ok(8), |depth| depth.parse())?;
    let mut engine = Engine::new(Options {
        bb_size: 0,
        ..Options::default()
    })?;
    let mut nodes = 0;
    for line in BENCH.lines().filter(|line| line.starts_with(['W', 'B'])) {
        let game = Game::new(fen::parse(line)?);
        let job = Job::new(game, Level::depth(depth)).with_purpose(Purpose::Measure);
        nodes += engine.run(&job, &Control::new(), &mut ()).stats.nodes;
    }
    println!("{nodes} nodes");
    Ok(())
}
