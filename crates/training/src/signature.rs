use damier_bench_positions::BENCH;
use damier_engine::search::Control;
use damier_engine::{Engine, Job, Level};
use damier_rules::Game;
use damier_rules::notation::fen;

/// A checksum of what the engine finds in a few positions: another search or evaluation has another one.
pub fn signature(engine: &mut Engine) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let lines = BENCH
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines.step_by(6) {
        let position =
            fen::parse(line).unwrap_or_else(|error| unreachable!("bench reads {line}: {error}"));
        let job = Job::new(Game::new(position), Level::nodes(2_000));
        let outcome = engine.run(&job, &Control::new(), &mut ());
        let best = outcome.best.map_or(String::new(), |mv| mv.to_string());
        let score = outcome.report.score;
        let found = format!(
            "{best} {score} {} {}\n",
            outcome.stats.nodes, outcome.report.depth
        );
        hasher.update(found.as_bytes());
    }
    hasher.finalize()
}
