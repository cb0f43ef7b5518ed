//! The positions of many files, in memory.

use crate::dataset::{Damage, DatasetError, Order, Reader, Recipe};
use crate::train::examples::endings;
use crate::train::examples::example::merge_duplicates;
use crate::train::{Example, TrainError, TrainingSettings};
use damier_endgame::Tables;
use damier_engine::rng::Rng;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Games in a part, which one thread reads.
const GAMES_IN_PART: u64 = 1 << 9;
/// Parts read before the next is begun; more bound the memory less tightly.
const WAVE: usize = 64;
/// Mixed into the seed of a file, so that which games are held out has nothing to do with what the same seed decided in
/// them.
const HOLD_OUT: u64 = 0x484F_4C44_4F55_5421;

/// What was taken from a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileSummary {
    /// Its name, without the folders.
    pub name: String,
    /// How its games were made, as the file says.
    pub recipe: Recipe,
    /// Games read in which the filter left something.
    pub games: u64,
    /// Positions taken.
    pub positions: u64,
}

/// Positions to train on, and positions of other games to see what was learned.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// To train on.
    pub train: Vec<Example>,
    /// Held out.
    pub held_out: Vec<Example>,
    /// The files, in the order named.
    pub files: Vec<FileSummary>,
    /// What could not be read.
    pub damages: Vec<Damage>,
    /// Positions read, those left out by the filter included.
    pub stored: u64,
    /// Positions merged into others that are the same.
    pub duplicates: u64,
    /// Checksum over all examples.
    pub checksum: u32,
}

/// The number of the run that a recipe belongs to, among those known so far.
fn number_of_run<'a>(runs: &mut Vec<&'a Recipe>, recipe: &'a Recipe) -> usize {
    let known = runs.iter().position(|run| recipe.is_same_run(run));
    known.unwrap_or_else(|| {
        runs.push(recipe);
        runs.len() - 1
    })
}

impl Data {
    /// Reads the files from the last one to the first, until there are enough positions, on the threads of the current
    /// pool; the outcome does not depend on their number. `each` gets the games read so far and all games, and says
    /// whether to go on; None if not.
    ///
    /// # Errors
    /// A file cannot be read or holds no games, a game is there twice, there is nothing to train on, or an endgame
    /// table is damaged.
    pub fn load(
        files: &[PathBuf],
        settings: &TrainingSettings,
        each: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Data>, TrainError> {
        let readers: Vec<Reader> = files
            .iter()
            .map(|file| Reader::open(std::slice::from_ref(file), Order::Stored))
            .collect::<Result<_, _>>()?;
        // Before hours are spent on games.
        let tables = (settings.table_positions > 0).then(endings::tables);
        let tables = tables.transpose()?;
        let total = readers.iter().map(Reader::games_stored).sum();
        let (mut data, mut done) = (Data::default(), 0);
        let most = settings.positions.unwrap_or(usize::MAX);
        let mut hasher = crc32fast::Hasher::new();
        let (mut runs, mut sources) = (Vec::<&Recipe>::new(), HashMap::new());
        for (number, reader) in readers.iter().enumerate().rev() {
            let mut file = summary(reader);
            let recipe = &reader.files()[0].1.recipe;
            let run = number_of_run(&mut runs, recipe);
            let parts = reader.parts((reader.games_stored() / GAMES_IN_PART) as usize + 1);
            for wave in parts.chunks(WAVE) {
                if data.len() >= most {
                    break;
                }
                let read = |part: &Reader| Part::read(part, settings);
                for part in wave.par_iter().map(read).collect::<Vec<Part>>() {
                    for &(game, ..) in &part.games {
                        if let Some(other) = sources.insert((run, game), number) {
                            let [file, other] =
                                [number, other].map(|file| files[file].display().to_string());
                            return Err(DatasetError::Twice { file, other, game }.into());
                        }
                    }
                    hasher.combine(&part.hasher);
                    data.take(part, most, &mut file);
                }
                done += wave.iter().map(Reader::games_stored).sum::<u64>();
                if !each(done, total) {
                    return Ok(None);
                }
            }
            data.damages.extend(reader.damages());
            data.files.insert(0, file);
        }
        if data.train.is_empty() {
            let (stored, damages) = (data.stored, data.damages);
            return Err(TrainError::NoPosition { stored, damages });
        }
        if u32::try_from(data.len()).is_err() {
            return Err(TrainError::TooMany);
        }
        data.completed(settings, tables.as_deref(), hasher, &mut || {
            each(done, total)
        })
    }

    /// Merges duplicates and adds what the endgame tables know. None where `go_on` says no.
    fn completed(
        mut self,
        settings: &TrainingSettings,
        tables: Option<&Tables>,
        mut hasher: crc32fast::Hasher,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Data>, TrainError> {
        if settings.merge_duplicates {
            let sets = [&mut self.train, &mut self.held_out];
            self.duplicates = sets.into_iter().map(merge_duplicates).sum::<usize>() as u64;
        }
        if let Some(tables) = tables {
            let (count, seed) = (settings.table_positions, settings.seed);
            let Some(endings) = endings::examples(tables, count, seed, go_on) else {
                return Ok(None);
            };
            endings.iter().for_each(|example| example.hash(&mut hasher));
            self.train.extend(endings);
        }
        self.checksum = hasher.finalize();
        match u32::try_from(self.train.len()) {
            Ok(_) => Ok(Some(self)),
            Err(_) => Err(TrainError::TooMany),
        }
    }

    fn len(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Adds a part, its first games, as far as there is room.
    fn take(&mut self, part: Part, most: usize, file: &mut FileSummary) {
        let room = most - self.len().min(most);
        if room == 0 {
            return;
        }
        self.stored += part.stored;
        let mut begin = 0;
        for (_, end, held_out) in part.games {
            if begin >= room {
                break;
            }
            let taken = &part.examples[begin..end.min(room)];
            file.games += 1;
            file.positions += taken.len() as u64;
            let to = if held_out {
                &mut self.held_out
            } else {
                &mut self.train
            };
            to.extend_from_slice(taken);
            begin = end;
        }
    }

    /// What identifies these data.
    pub fn to_json(&self) -> Value {
        json!({
            "files": self.files,
            "train": self.train.len(),
            "held_out": self.held_out.len(),
            "checksum": format!("{:08x}", self.checksum),
        })
    }
}

fn summary(reader: &Reader) -> FileSummary {
    let (name, header) = &reader.files()[0];
    let base = Path::new(name).file_name();
    FileSummary {
        name: base.map_or_else(
            || name.display().to_string(),
            |base| base.to_string_lossy().into_owned(),
        ),
        recipe: header.recipe.clone(),
        games: 0,
        positions: 0,
    }
}

/// Some games in a row of a file.
struct Part {
    examples: Vec<Example>,
    /// Of each game in which the filter left something: its number, where its examples end, and whether it is held out.
    games: Vec<(u64, usize, bool)>,
    stored: u64,
    hasher: crc32fast::Hasher,
}

impl Part {
    fn read(reader: &Reader, settings: &TrainingSettings) -> Part {
        let seed = reader.files()[0].1.recipe.seed().unwrap_or(0);
        let is_held_out =
            |game| Rng::stream(seed ^ HOLD_OUT, game).below(100) < u64::from(settings.hold_out);
        let mut part = Part {
            examples: Vec::new(),
            games: Vec::new(),
            stored: 0,
            hasher: crc32fast::Hasher::new(),
        };
        for game in reader.games() {
            for labelled in settings.labels.of_game(&game) {
                part.stored += 1;
                if !settings.filter.takes(&labelled.sample) {
                    continue;
                }
                let example = Example::of(&labelled);
                example.hash(&mut part.hasher);
                part.examples.push(example);
            }
            let begin = part.games.last().map_or(0, |(_, end, _)| *end);
            let end = part.examples.len();
            if end > begin {
                part.games.push((game.index, end, is_held_out(game.index)));
            }
        }
        part
    }
}
