use super::spsa::Tunable;
use damier_arena::schedule::openings::{self, Opening, OpeningSource, ScoreWindow};
use damier_engine::{Engine, EngineError, Options};
use damier_text::Encoding;
use damier_training::signature;
use serde_json::{Value, json};
use std::sync::Arc;

/// Everything that the values found depend on.
#[derive(Clone, Debug)]
pub struct TuneSettings {
    /// What to tune.
    pub tunables: Vec<Tunable>,
    /// The engine that plays both sides; its parameters are those that stay as they are.
    pub options: Options,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Pairs that are played with the same present values: as many can be played at once.
    pub batch: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Share of its step by which a parameter moves for a game won more than lost, in the last pairs.
    pub rate: f64,
    /// Where games begin.
    pub openings: OpeningSource,
    /// The encoding of their file, where it is given.
    pub encoding: Option<Encoding>,
    /// Random plies after each opening.
    pub random_plies: u32,
    /// What one side is ahead by after them.
    pub window: Option<ScoreWindow>,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl TuneSettings {
    /// What a file is compared by: the settings, and the contents of what they name.
    pub(super) fn to_json(&self, openings: &[Opening], engine: &mut Engine) -> Value {
        let parameters = self.tunables.iter().map(|tunable| {
            let Tunable {
                name, start, step, ..
            } = tunable;
            json!({ "name": name, "start": start, "step": step })
        });
        let usual = Options::default();
        let changed = Options::specs()
            .iter()
            .map(|spec| (spec.name, spec.get(&self.options), spec.get(&usual)))
            .filter(|(_, value, usual)| value != usual);
        json!({
            "signature": format!("{:08x}", signature(engine)),
            "parameters": parameters.collect::<Vec<_>>(),
            "options": changed.map(|(name, value, _)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
            "games": 2 * self.pairs,
            "batch": self.batch,
            "nodes": self.nodes,
            "rate": self.rate,
            "openings": openings::fingerprint(openings),
            "random_plies": self.random_plies,
            "window": self.window.map(|window| window.to_string()),
            "seed": self.seed,
        })
    }

    /// An engine, with the endgame tables of another one if there is one.
    pub(super) fn engine(&self, beside: Option<&Engine>) -> Result<Engine, EngineError> {
        let options = Options {
            threads: 1,
            book: false,
            ..self.options.clone()
        };
        match beside {
            Some(other) => Engine::with_tables(options, Arc::clone(other.tables())),
            None => Engine::new(options),
        }
    }
}
