//! Losses of any weights on games, best on games that none of them learned from.

use crate::dataset::{Damage, Filter};
use crate::train::learning::{learner, network};
use crate::train::session::read_weights;
use crate::train::{Data, Example, FileSummary, Labels, Losses, TrainError, TrainingSettings};
use std::path::{Path, PathBuf};

/// Labelled positions of games.
#[derive(Clone, Debug)]
pub struct TestSet {
    data: Data,
    labels: Labels,
}

impl TestSet {
    /// Reads games, all of them. Positions that are the same count as often as they are there. `each` gets the games
    /// read so far and all games, and says whether to go on; None if not.
    ///
    /// # Errors
    /// A file cannot be read, a game is there twice, or the filter leaves nothing.
    pub fn load(
        files: &[PathBuf],
        labels: Labels,
        filter: Filter,
        each: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<TestSet>, TrainError> {
        let settings = TrainingSettings {
            labels,
            filter,
            hold_out: 0,
            merge_duplicates: false,
            ..TrainingSettings::default()
        };
        let data = Data::load(files, &settings, each)?;
        Ok(data.map(|data| TestSet { data, labels }))
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.data.train.len()
    }

    /// Number of positions that have a result.
    pub fn results(&self) -> usize {
        let results = self.data.train.iter().filter_map(Example::result);
        results.count()
    }

    /// The files.
    pub fn files(&self) -> &[FileSummary] {
        &self.data.files
    }

    /// What could not be read.
    pub fn damages(&self) -> &[Damage] {
        &self.data.damages
    }

    /// The losses of weights, as they are after quantisation: those of a file, or `embedded`.
    ///
    /// # Errors
    /// The file cannot be read, or holds no weights of a network.
    pub fn losses(&self, weights: &Path) -> Result<Losses, TrainError> {
        let (weights, _) = read_weights(weights)?;
        let mut learner = network::fresh(weights.size, 0);
        learner.begin_with(&weights, self.labels.scale as f32);
        let parameters = learner.parameters();
        let losses = learner::losses(&*learner, parameters, &self.data.train, &self.labels);
        losses.ok_or(TrainError::NoPosition {
            stored: 0,
            damages: Vec::new(),
        })
    }
}
