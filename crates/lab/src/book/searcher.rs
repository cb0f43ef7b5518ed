//! The searches of a book.

use super::{BookSettings, ScoredMove};
use damier_engine::search::{Control, Report};
use damier_engine::{Engine, EngineError, Job, Level, Options, PROGRAM, Purpose};
use damier_rules::{Game, Move, Position};

/// Scores moves of a position. The result depends on the arguments alone.
pub trait LineSearcher: Send {
    /// The best `lines` moves other than the excluded ones, best first, and the number of nodes. None if the search was
    /// stopped.
    fn search(
        &mut self,
        position: &Position,
        excluded: &[Move],
        lines: usize,
        control: &Control,
    ) -> Option<(Vec<ScoredMove>, u64)>;

    /// Identifies the search: another signature may find other scores.
    fn signature(&mut self) -> String;
}

/// The engine, with one thread.
pub struct EngineSearcher {
    engine: Engine,
    nodes: u64,
}

impl EngineSearcher {
    /// A number of searchers that share the endgame tables.
    ///
    /// # Errors
    /// Memory is short, or the weights or endgame tables of the options cannot be read.
    pub fn many(
        count: usize,
        settings: &BookSettings,
        options: &Options,
    ) -> Result<Vec<EngineSearcher>, EngineError> {
        let options = Options {
            threads: 1,
            tt_size: settings.table_size,
            ..options.clone()
        };
        let engines = Engine::several(&options, count)?.into_iter();
        let nodes = settings.nodes;
        Ok(engines
            .map(|engine| EngineSearcher { engine, nodes })
            .collect())
    }
}

impl LineSearcher for EngineSearcher {
    fn search(
        &mut self,
        position: &Position,
        excluded: &[Move],
        lines: usize,
        control: &Control,
    ) -> Option<(Vec<ScoredMove>, u64)> {
        self.engine.new_game();
        let job = Job {
            lines,
            excluded: excluded.to_vec(),
            // Scores of a hundredth of a man.
            purpose: Purpose::Analyse,
            ..Job::new(Game::new(*position), Level::nodes(self.nodes))
        };
        let outcome = self.engine.run(&job, control, &mut ());
        if control.is_stopped() {
            return None;
        }
        let line = |report: &Report| {
            Some(ScoredMove {
                mv: *report.pv.first()?,
                score: report.score.centimen(),
                depth: report.depth,
            })
        };
        let found = outcome.lines.iter().filter_map(line);
        Some((found.collect(), outcome.stats.nodes))
    }

    fn signature(&mut self) -> String {
        let nodes = std::mem::replace(&mut self.nodes, 20_000);
        let found = self.search(&Position::start(), &[], 2, &Control::new());
        self.nodes = nodes;
        let checksum = crc32fast::hash(format!("{found:?}").as_bytes());
        format!("{PROGRAM} {checksum:08x}")
    }
}
