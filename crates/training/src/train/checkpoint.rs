//! Where an interrupted run goes on.
//!
//! Little-endian: the 8 bytes `DAMIERCK`; version, 2 bytes; 4 bytes each for the length of the text and the numbers of
//! parameters, of floats of the optimiser's memory and of means of the parameters; the text, JSON in UTF-8; all these
//! floats; CRC-32 of all before it. Version 1 had the parameters of the best epoch in the place of the means; version 2
//! was written after whole epochs alone, and is read.

use super::output::read_at_most;
use super::{LearnerState, Losses, TrainError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::Path;

const MAGIC: &[u8; 8] = b"DAMIERCK";
const VERSION: u16 = 3;
const VERSION_OF_WHOLE_EPOCHS: u16 = 2;
const HEAD: usize = 26;
/// A checkpoint is never larger, in bytes; another file may have no end.
const LARGEST: u64 = 1 << 30;

/// The text of a file.
#[derive(Deserialize)]
struct Text {
    identity: Value,
    steps: u64,
    epochs: Vec<EpochReport>,
    #[serde(default)]
    begun: BegunEpoch,
}

/// The steps made of an epoch that is not over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::train) struct BegunEpoch {
    /// How many.
    pub steps: u64,
    /// The bits of the sum of their losses, an `f64`.
    pub losses: u64,
}

/// The outcome of an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochReport {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// Mean loss of the positions trained on, each before the step it was part of.
    pub train: f64,
    /// Losses on the games held out, where there are any, of the mean of the weights over the steps.
    pub held_out: Option<Losses>,
}

/// A run after some of its steps.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::train) struct Checkpoint {
    /// What decides the outcome: an object of settings and one of data.
    pub identity: Value,
    /// The epochs done.
    pub reports: Vec<EpochReport>,
    /// The steps made since.
    pub begun: BegunEpoch,
    /// The learner.
    pub state: LearnerState,
    /// The mean of the parameters over the steps.
    pub mean: Vec<f32>,
}

impl Checkpoint {
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = json!({
            "identity": self.identity,
            "steps": self.state.steps,
            "epochs": self.reports,
            "begun": self.begun,
        });
        let text = text.to_string();
        let floats = [&self.state.parameters, &self.state.memory, &self.mean];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        for part in floats {
            bytes.extend((part.len() as u32).to_le_bytes());
        }
        bytes.extend(text.as_bytes());
        for number in floats.into_iter().flatten() {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The inverse of [`Checkpoint::to_bytes`], or what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, &'static str> {
        const CUT: &str = "the checkpoint is cut off or has something after its end";
        if !bytes.starts_with(MAGIC) {
            return Err("not a checkpoint of damier train");
        }
        let head = bytes.first_chunk::<HEAD>().ok_or(CUT)?;
        let version = u16::from_le_bytes([head[8], head[9]]);
        if ![VERSION_OF_WHOLE_EPOCHS, VERSION].contains(&version) {
            return Err("a checkpoint of another version of damier, which cannot go on here");
        }
        let word = |at: usize| {
            u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize
        };
        let [text, parameters, memory, mean] = [10, 14, 18, 22].map(word);
        if bytes.len() != HEAD + text + 4 * (parameters + memory + mean) + 4 {
            return Err(CUT);
        }
        let (content, sum) = bytes.split_last_chunk::<4>().ok_or(CUT)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err("the checkpoint is damaged: its checksum differs");
        }
        let (text, floats) = content[HEAD..].split_at(text);
        let mut floats = floats.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b));
        let mut take = |count| floats.by_ref().take(count).collect::<Vec<f32>>();
        let (parameters, memory, mean) = (take(parameters), take(memory), take(mean));
        let all = [&parameters, &memory, &mean];
        if all.into_iter().flatten().any(|number| !number.is_finite()) {
            return Err("the checkpoint holds numbers that are not finite");
        }
        let text: Text = serde_json::from_slice(text)
            .map_err(|_| "the checkpoint's text was not written by damier train")?;
        if !f64::from_bits(text.begun.losses).is_finite() {
            return Err("the checkpoint holds numbers that are not finite");
        }
        Ok(Checkpoint {
            identity: text.identity,
            reports: text.epochs,
            begun: text.begun,
            state: LearnerState {
                parameters,
                memory,
                steps: text.steps,
            },
            mean,
        })
    }

    /// Reads a checkpoint. None where there is no such file.
    pub fn read(file: &Path) -> Result<Option<Checkpoint>, TrainError> {
        let Some(bytes) = read_at_most(file, LARGEST)? else {
            return Ok(None);
        };
        let wrong = |what| TrainError::Checkpoint {
            file: file.display().to_string(),
            what,
        };
        Checkpoint::from_bytes(&bytes).map(Some).map_err(wrong)
    }

    /// Compares a `part` of the identity, `settings` or `data`, with that of another run; the error names the first
    /// difference.
    pub fn check(&self, file: &Path, part: &str, here: &Value) -> Result<(), TrainError> {
        let there = &self.identity[part];
        let (none, shown) = (Map::new(), |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => "nothing".to_owned(),
            other => other.to_string().chars().take(300).collect(),
        });
        let names = |value: &Value| value.as_object().unwrap_or(&none).clone();
        for (name, _) in names(here).into_iter().chain(names(there)) {
            if here[&name] != there[&name] {
                return Err(TrainError::OtherRun {
                    file: file.display().to_string(),
                    there: shown(&there[&name]),
                    here: shown(&here[&name]),
                    name,
                });
            }
        }
        Ok(())
    }
}
