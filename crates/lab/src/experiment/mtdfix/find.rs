//! Finds positions in which MTD(f) plays a wrong move because of a search inconsistency, and MTDfix does not.
//!
//! Games between a deep and a shallow search, in which one side soon has an advantage: there the inconsistencies are.
//! Each position of the deeper side is searched by MTD(f) with an empty table. Where the move of an iteration comes
//! from an inconsistency, MTDfix searches to the same depth, and a deeper search judges both moves.

use super::super::cost::Engines;
use crate::LabError;
use damier_arena::schedule::openings::{Opening, random_plies};
use damier_engine::rng::Rng;
use damier_engine::search::{Control, Depth, Driver, Report};
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::board::Color;
use damier_rules::notation::fen;
use damier_rules::{Game, Move, Position, Status};
use std::collections::HashSet;
use std::fmt;

/// A move is judged by a search this many plies deeper than the one that chose it.
const JUDGED_DEEPER: Depth = 8;
/// A wrong move loses at least so many hundredths of a man.
const WRONG: i32 = 30;
/// The right one loses at most so many, a grain of the scores.
const RIGHT: i32 = 8;
/// Scores beyond this, in hundredths of a man, count as this.
const MOST: i32 = 300;
/// Least depth of interest, in plies.
pub const SHALLOWEST: Depth = 4;
/// Depth of the side that is to get into trouble.
const OTHER_SIDE: Depth = 2;
/// Random plies from the start.
const RANDOM_PLIES: usize = 8;
/// Longer games are left.
const MAX_PLIES: usize = 160;

/// Where to look.
#[derive(Clone, PartialEq, Debug)]
pub struct FindSettings {
    /// The engine; the driver is chosen here.
    pub engine: Options,
    /// Depth of the searches.
    pub depth: Depth,
    /// Seed of the games.
    pub seed: u64,
}

/// A position in which MTD(f) is wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Blunder {
    /// The position.
    pub position: Position,
    /// The depth at which it is wrong, with an empty table.
    pub depth: Depth,
    /// The move of MTD(f).
    pub wrong: Move,
    /// The move of MTDfix.
    pub right: Move,
    /// What the wrong move loses, in hundredths of a man, by a deeper search.
    pub loss: i32,
    /// Seed and number of the game, and plies played in it.
    pub source: (u64, u64, usize),
}

/// A line of a suite.
impl fmt::Display for Blunder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seed, game, ply) = self.source;
        write!(
            f,
            "{}; bm {}; id mtdf-{seed}-{game}-{ply}; grade {}; proof MTD(f) plays {}, {:.2} men worse at depth {}",
            fen::format(&self.position),
            self.right,
            self.depth,
            self.wrong,
            f64::from(self.loss) / 100.0,
            self.depth + JUDGED_DEEPER,
        )
    }
}

/// Plays games until as many as `wanted` are found; `each` gets each, `progress` the number of games played.
///
/// # Errors
/// There is no memory for an engine's table, its options are not usable, or one of the two functions fails.
pub fn find(
    settings: &FindSettings,
    wanted: usize,
    each: &mut dyn FnMut(&Blunder) -> Result<(), LabError>,
    progress: &mut dyn FnMut(u64) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let mut makers = Engines::default();
    let mut engine = |search| {
        makers.engine(&Options {
            search,
            ..settings.engine.clone()
        })
    };
    let mut finder = Finder {
        plain: engine(Driver::Mtdf)?,
        fixed: engine(Driver::Mtdfix)?,
        depth: settings.depth,
        seen: HashSet::new(),
    };
    let mut found = 0;
    for number in 1.. {
        let mut rng = Rng::stream(settings.seed, number);
        let start = random_plies(&Opening::start(), RANDOM_PLIES, true, &mut rng);
        let mut game = Game::new(start.map_or_else(Position::start, |opening| opening.position()));
        let deep = match number % 2 {
            0 => Color::White,
            _ => Color::Black,
        };
        while game.status() == Status::Playing && game.moves().len() < MAX_PLIES {
            let position = *game.position();
            let mv = match position.turn() == deep {
                true => {
                    let (mv, blunder) = finder.search(position);
                    if let Some(blunder) = blunder {
                        each(&Blunder {
                            source: (settings.seed, number, game.moves().len()),
                            ..blunder
                        })?;
                        found += 1;
                    }
                    mv
                }
                false => run(&mut finder.fixed, position, OTHER_SIDE, &mut |_| {}).0,
            };
            progress(number)?;
            if found >= wanted {
                return Ok(());
            }
            let Some(mv) = mv else { break };
            game.play(mv);
        }
    }
    Ok(())
}

struct Finder {
    plain: Engine,
    fixed: Engine,
    depth: Depth,
    seen: HashSet<damier_rules::Key>,
}

impl Finder {
    /// The move of MTD(f), and where it is wrong.
    fn search(&mut self, position: Position) -> (Option<Move>, Option<Blunder>) {
        let mut suspects: Vec<(Depth, Move)> = Vec::new();
        let (mv, _) = run(&mut self.plain, position, self.depth, &mut |report| {
            let first = report.pv.first();
            if let Some(&mv) = first.filter(|_| report.rank == 1 && report.detections.decisive) {
                suspects.push((report.depth as Depth, mv));
            }
        });
        suspects.retain(|&(depth, _)| depth >= SHALLOWEST);
        suspects.dedup();
        let is_new = suspects.is_empty() || self.seen.insert(position.key());
        let suspects = suspects.into_iter().filter(|_| is_new);
        let blunder = suspects
            .filter_map(|(depth, wrong)| self.judge(position, depth, wrong))
            .next();
        (mv, blunder)
    }

    fn judge(&mut self, position: Position, depth: Depth, wrong: Move) -> Option<Blunder> {
        let right = run(&mut self.fixed, position, depth, &mut |_| {}).0?;
        if right == wrong {
            return None;
        }
        let deeper = depth + JUDGED_DEEPER;
        let [bad, good] = [wrong, right]
            .map(|mv| -run(&mut self.fixed, position.play(mv), deeper - 1, &mut |_| {}).1);
        let loss = good - bad;
        if loss < WRONG {
            return None;
        }
        let best = run(&mut self.fixed, position, deeper, &mut |_| {}).1;
        (best - good <= RIGHT).then_some(Blunder {
            position,
            depth,
            wrong,
            right,
            loss,
            source: (0, 0, 0),
        })
    }
}

/// The move and its value, in hundredths of a man, of a search with an empty table.
fn run(
    engine: &mut Engine,
    position: Position,
    depth: Depth,
    observer: &mut dyn FnMut(&Report),
) -> (Option<Move>, i32) {
    engine.new_game();
    let job = Job::new(Game::new(position), Level::depth(depth)).with_purpose(Purpose::Measure);
    let outcome = engine.run(&job, &Control::new(), &mut |report: &Report| {
        observer(report)
    });
    (
        outcome.best,
        outcome.report.score.centimen().clamp(-MOST, MOST),
    )
}
