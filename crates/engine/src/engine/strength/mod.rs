//! Play below full strength: at a level of the [`ladder`], or with a [`Handicap`].
//!
//! A level searches fewer nodes, at one move more than at another, so that long shots are overlooked before short ones
//! ([`ladder`]); it weighs moves with some noise and plays the one that looks best ([`choice`]); on a clock it takes
//! its time ([`pace`]). A handicap searches without some of what makes the search strong.

mod choice;
mod dice;
mod handicap;
pub(super) mod ladder;
pub(super) mod pace;
mod setting;

pub use handicap::Handicap;
pub use setting::Strength;

use super::searcher::{self, AnySearcher};
use super::{Job, Options, Purpose};
use crate::eval::WdlModel;
use crate::search::{Control, Observer, Outcome, TableError};
use damier_endgame::Tables;
use damier_rules::internal::mix;

use choice::Chooser;
use dice::Dice;
use ladder::Rung;
use pace::Choice;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// Log2 of the entries of a level's transposition table. It is emptied before each move.
const TT_SIZE: u32 = 16;

/// A handicap without extensions, threats and offers, and with one ply of captures beyond the horizon.
const BLIND: Handicap = Handicap { step: 3, ply: 1 };

/// What makes a search weaker than it could be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Weakness {
    Level(Rung),
    Handicap(Handicap),
}

impl Weakness {
    /// The weakness of a job. None at full strength, and for everything but a move to play.
    pub fn of(job: &Job, options: &Options) -> Option<Weakness> {
        if !matches!(job.purpose, Purpose::Think | Purpose::Ponder) {
            return None;
        }
        match job.strength {
            Strength::Full => None,
            Strength::AsOptions if options.elo == 0 => None,
            Strength::AsOptions => Some(Weakness::Level(Rung::of(options.elo))),
            Strength::Elo(elo) => Some(Weakness::Level(Rung::of(elo))),
            Strength::Handicap(handicap) if handicap.is_none() => None,
            Strength::Handicap(handicap) => Some(Weakness::Handicap(handicap)),
        }
    }

    /// Whether the book may answer this many plies from the start.
    pub fn allows_book(&self, plies: usize) -> bool {
        match self {
            Weakness::Level(rung) => plies < rung.theory,
            Weakness::Handicap(_) => true,
        }
    }
}

/// What a weak player needs to choose a move, besides its weakness.
pub(super) struct Place<'a> {
    pub job: &'a Job,
    pub options: &'a Options,
    pub tables: &'a Arc<Tables>,
}

/// Plays below full strength, with a small search of its own, which shares no table or history with that of the
/// engine.
pub(super) struct WeakPlayer {
    searcher: Box<dyn AnySearcher>,
    meaning: WdlModel,
    /// State of the random numbers that are used when `elo-seed` is 0.
    state: u64,
}

impl WeakPlayer {
    /// A player with the evaluation of this searcher.
    ///
    /// # Errors
    /// There is no memory for its table.
    pub fn new(like: &dyn AnySearcher, meaning: &WdlModel) -> Result<WeakPlayer, TableError> {
        Ok(WeakPlayer {
            searcher: like.sibling(TT_SIZE)?,
            meaning: meaning.clone(),
            state: RandomState::new().hash_one(0),
        })
    }

    /// Forgets what was learned in the last game.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// The move to play.
    pub fn play(
        &mut self,
        weakness: &Weakness,
        place: &Place,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let most = match weakness {
            Weakness::Level(rung) => place.options.bb_size.min(rung.tables),
            Weakness::Handicap(_) => place.options.bb_size,
        };
        self.searcher
            .set_tables(Arc::clone(place.tables), most as u8);
        self.searcher.set_driver(place.options.search);
        match weakness {
            Weakness::Level(rung) => self.at_level(rung, place, control, observer),
            Weakness::Handicap(handicap) => {
                let job = place.job;
                self.searcher
                    .set_params(handicap.params(&place.options.params));
                let request = job.request();
                searcher::search_for_move(&mut *self.searcher, &request, false, control, observer)
            }
        }
    }

    fn at_level(
        &mut self,
        rung: &Rung,
        place: &Place,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let job = place.job;
        let mut dice = self.dice(place.options.elo_seed, job);
        let blindness = match dice.unit() < rung.blind {
            true => BLIND,
            false => Handicap::default(),
        };
        self.searcher
            .set_params(blindness.params(&place.options.params));
        // What was found for the move before would show what this player overlooks.
        self.searcher.new_game();
        let mut request = job.request();
        request.lines = rung.lines(job.game.position().legal_moves().len());
        let (nodes, limits) = (rung.budget(request.lines, &mut dice), &mut request.limits);
        limits.nodes = Some(limits.nodes.map_or(nodes, |most| most.min(nodes)));
        let mut found = self.searcher.search(&request, control, &mut ());
        // Even a beginner looks at every move.
        if found.lines.iter().any(|line| line.depth == 0) {
            found = searcher::search_one_ply(&mut *self.searcher, &request, &mut ());
        }
        let choice = Choice::among(job, &found.lines);
        let chooser = Chooser {
            meaning: &self.meaning,
            pieces: job.game.position().occupied().len(),
            noise: rung.noise,
        };
        let outcome = chooser.choose(found, &mut dice);
        pace::hold(job, choice, control);
        observer.report(&outcome.report);
        outcome
    }

    fn dice(&mut self, seed: u32, job: &Job) -> Dice {
        if seed == 0 {
            self.state = mix(self.state);
            return Dice::new(self.state);
        }
        Dice::of_game(u64::from(seed), &job.game)
    }
}
