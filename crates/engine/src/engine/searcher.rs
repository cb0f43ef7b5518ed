//! A searcher whose evaluation is chosen at run time by the options `weights` and `eval`.

use super::EngineError;
use crate::eval::network::{self, BySize, Network, Size};
use crate::eval::{
    BoxedEvaluator, Evaluator, Handmade, Material, Score, WdlModel, WeightsError, WeightsFile,
};
use crate::search::params::Params;
use crate::search::{
    Control, Driver, Limits, Observer, Outcome, Request, Searcher, TableError, TranspositionTable,
};
use damier_cpu::{self as cpu, Cpu, OnCpu};
use damier_endgame::Tables;
use damier_rules::Position;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Enough nodes to score any move, few enough to take no noticeable time.
const FALLBACK_NODES: u64 = 20_000;
/// Material only.
const MATERIAL: &str = "material";
/// The hand-written evaluation.
pub(super) const HANDMADE: &str = "handmade";

/// A searcher, whatever its evaluation.
pub(super) trait AnySearcher: Send {
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome;
    fn evaluate(&self, position: &Position) -> Score;
    fn new_game(&mut self);
    fn resize(&mut self, table_size: u32) -> Result<(), TableError>;
    fn set_threads(&mut self, threads: usize);
    fn set_driver(&mut self, driver: Driver);
    fn set_params(&mut self, params: Params);
    fn set_tables(&mut self, tables: Arc<Tables>, most: u8);
    fn table(&self) -> &TranspositionTable;
    /// A searcher with the same evaluation and a table of `2^table_size` entries.
    fn sibling(&self, table_size: u32) -> Result<Box<dyn AnySearcher>, TableError>;
}

impl<E: Evaluator + Clone + 'static> AnySearcher for Searcher<E> {
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        Searcher::search(self, request, control, observer)
    }

    fn evaluate(&self, position: &Position) -> Score {
        let evaluator = self.evaluator();
        evaluator.evaluate(&mut evaluator.scratch(), 0, position)
    }

    fn new_game(&mut self) {
        Searcher::new_game(self);
    }

    fn resize(&mut self, table_size: u32) -> Result<(), TableError> {
        Searcher::resize(self, table_size)
    }

    fn set_threads(&mut self, threads: usize) {
        Searcher::set_threads(self, threads);
    }

    fn set_driver(&mut self, driver: Driver) {
        Searcher::set_driver(self, driver);
    }

    fn set_params(&mut self, params: Params) {
        Searcher::set_params(self, params);
    }

    fn set_tables(&mut self, tables: Arc<Tables>, most: u8) {
        Searcher::set_tables(self, tables, most);
    }

    fn table(&self) -> &TranspositionTable {
        Searcher::table(self)
    }

    fn sibling(&self, table_size: u32) -> Result<Box<dyn AnySearcher>, TableError> {
        let searcher = Searcher::new(self.evaluator().clone(), table_size)?;
        Ok(Box::new(searcher))
    }
}

/// Searches for a move to play: one stopped before its first iteration was complete, unless its nodes are limited, is
/// followed by one of a single ply, so that there is a move and a score.
pub(super) fn search_for_move(
    searcher: &mut dyn AnySearcher,
    request: &Request,
    is_exact: bool,
    control: &Control,
    observer: &mut dyn Observer,
) -> Outcome {
    let outcome = searcher.search(request, control, observer);
    let unknown = outcome.report.depth == 0 && outcome.best.is_some();
    match unknown && !is_exact {
        true => search_one_ply(searcher, request, observer),
        false => outcome,
    }
}

/// Searches a single ply, whatever the limits.
pub(super) fn search_one_ply(
    searcher: &mut dyn AnySearcher,
    request: &Request,
    observer: &mut dyn Observer,
) -> Outcome {
    let shallow = Request {
        limits: Limits {
            depth: Some(1),
            nodes: Some(FALLBACK_NODES),
            ..Limits::default()
        },
        ..*request
    };
    let mut outcome = searcher.search(&shallow, &Control::new(), observer);
    outcome.report.depth = 1;
    outcome.lines.iter_mut().for_each(|line| line.depth = 1);
    outcome
}

/// A searcher, and what its scores mean.
type Loaded = (Box<dyn AnySearcher>, WdlModel);

/// Whether this names built-in weights rather than a file.
pub fn is_built_in(weights: &str) -> bool {
    [MATERIAL, HANDMADE, WeightsFile::NAME].contains(&weights)
}

/// Identifies the contents of a weights file by its modification time and length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stamp(SystemTime, u64);

impl Stamp {
    /// The stamp of a file of weights. None for built-in weights, or if there is no such file.
    pub fn of(weights: &Path) -> Option<Stamp> {
        let file = (!weights.to_str().is_some_and(is_built_in)).then_some(weights)?;
        let there = fs::metadata(file).ok()?;
        Some(Stamp(there.modified().ok()?, there.len()))
    }
}

/// The searcher for a value of the option `weights`, and what its scores mean.
pub(super) fn load(weights: &Path, table_size: u32) -> Result<Loaded, EngineError> {
    cpu::level()?.run(Load {
        weights,
        table_size,
    })
}

/// What a searcher is made of, on any level of processors.
struct Load<'a> {
    weights: &'a Path,
    table_size: u32,
}

impl OnCpu for Load<'_> {
    type Output = Result<Loaded, EngineError>;

    fn on<C: Cpu>(self, cpu: C) -> Self::Output {
        let plain = |evaluator| Ok((self.shared(evaluator)?, WdlModel::default()));
        match self.weights.to_str() {
            Some(MATERIAL) => plain(BoxedEvaluator::new(cpu, Material)),
            Some(HANDMADE) => plain(BoxedEvaluator::new(cpu, Handmade)),
            _ => {
                let name = self.weights.display().to_string();
                let read = WeightsFile::named(self.weights);
                let bytes = read.map_err(|error| unusable(&name, error))?;
                match self.learned(cpu, &name, &bytes) {
                    Err(EngineError::Weights { .. }) if name == WeightsFile::NAME => {
                        Err(EngineError::DamagedWeights)
                    }
                    loaded => loaded,
                }
            }
        }
    }
}

impl Load<'_> {
    /// A searcher with the weights in `bytes`, read from `file`.
    fn learned<C: Cpu>(&self, cpu: C, file: &str, bytes: &[u8]) -> Result<Loaded, EngineError> {
        let read = WeightsFile::from_bytes(bytes).map_err(|error| unusable(file, error))?;
        let (weights, unfit) = (&read.weights, || unusable(file, WeightsError::Unfit));
        let searcher = match weights.size {
            // The size of the embedded weights has a copy of the search.
            Size::Deep => {
                let network = Network::<128, { Size::SECOND }, C>::new(cpu, weights);
                Box::new(Searcher::new(network.ok_or_else(unfit)?, self.table_size)?)
            }
            size => self.shared(size.dispatch(Erased(cpu, weights)).ok_or_else(unfit)?)?,
        };
        let meaning = WdlModel::of_record(&read.record).unwrap_or_default();
        Ok((searcher, meaning))
    }

    /// A searcher of the copy of the search that all other evaluators share.
    fn shared<C: Cpu>(
        &self,
        evaluator: BoxedEvaluator<C>,
    ) -> Result<Box<dyn AnySearcher>, EngineError> {
        Ok(Box::new(Searcher::new(evaluator, self.table_size)?))
    }
}

/// A network of any size with these weights. None if their number does not match its dimensions.
struct Erased<'a, C>(C, &'a network::Weights);

impl<C: Cpu> BySize for Erased<'_, C> {
    type Output = Option<BoxedEvaluator<C>>;

    fn with<const H: usize, const D: usize>(self) -> Self::Output {
        let Erased(cpu, weights) = self;
        let network = Network::<H, D, C>::new(cpu, weights)?;
        Some(BoxedEvaluator::new(cpu, network))
    }
}

fn unusable(file: &str, why: impl fmt::Display) -> EngineError {
    EngineError::Weights {
        file: file.to_owned(),
        why: why.to_string(),
    }
}
