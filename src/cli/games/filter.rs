//! Which games of which base to select, as arguments.

use super::BaseArgs;
use crate::cli::shared_args::position;
use crate::cli::{Failure, error};
use clap::builder::NonEmptyStringValueParser;
use damier::base::{Day, Material, Order, ResultWanted, Search};
use damier::notation::moves;
use damier::rules::Position;

/// Games of a base, as arguments.
#[derive(clap::Args, Debug)]
pub(super) struct GamesArgs {
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub position: PositionArgs,
}

impl GamesArgs {
    /// The search for them.
    pub fn search(&self) -> Result<Search, Failure> {
        Ok(Search {
            position: self.position.position()?,
            ..self.filter.search()?
        })
    }
}

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Which games")]
pub(super) struct FilterArgs {
    /// A player of either colour: words of the name, in any case, with or without accents; repeat it for the opponent
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// The player with white
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The player with black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Result of the game: 2-0, 1-1, 0-2, 0-0 or *, or win, draw or loss of the first --player
    #[arg(long, value_name = "RESULT")]
    result: Option<ResultWanted>,
    /// Earliest date: 2001, 2001.05 or 2001.05.31
    #[arg(long, value_name = "DATE")]
    from: Option<Day>,
    /// Latest date: a day, a month or a year
    #[arg(long, value_name = "DATE")]
    to: Option<Day>,
    /// Words of the event
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// The first moves, as in `1. 32-28 19-23`
    #[arg(long, value_name = "MOVES")]
    opening: Option<String>,
    /// Pieces of white and black at some point where nothing could be captured: 4x3 of any kind, 3Kx1K kings alone,
    /// 2+1Kx4 two men and a king against four
    #[arg(long, value_name = "PIECES")]
    material: Option<Material>,
    /// Collection of the game, by its full name
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    collection: Option<String>,
}

/// A position, as arguments.
#[derive(clap::Args, Debug)]
pub(super) struct PositionArgs {
    /// A position of the game, as FEN or Hub board
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// Moves from --position, or from the start position, to the position to search for
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl FilterArgs {
    pub fn search(&self) -> Result<Search, Failure> {
        let opening = self.opening.as_deref().unwrap_or_default();
        Ok(Search {
            players: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            result: self.result,
            from: self.from,
            to: self.to,
            event: self.event.clone(),
            opening: moves::parse_line(&Position::start(), opening).map_err(error)?,
            material: self.material,
            collection: self.collection.clone(),
            position: None,
            order: Order::Stored,
        })
    }

    /// Whether all games are selected.
    pub fn is_empty(&self) -> bool {
        let FilterArgs {
            player,
            white,
            black,
            result,
            from,
            to,
            event,
            opening,
            material,
            collection,
        } = self;
        player.is_empty()
            && [white, black, event, opening, collection]
                .iter()
                .all(|text| text.is_none())
            && (result.is_none() && from.is_none() && to.is_none() && material.is_none())
    }
}

impl PositionArgs {
    /// The position to search for, if one is given.
    pub fn position(&self) -> Result<Option<Position>, Failure> {
        if self.position.is_none() && self.moves.is_none() {
            return Ok(None);
        }
        let start = position(self.position.as_deref())?;
        let line =
            moves::parse_line(&start, self.moves.as_deref().unwrap_or_default()).map_err(error)?;
        Ok(Some(
            line.into_iter()
                .fold(start, |position, mv| position.play(mv)),
        ))
    }
}
