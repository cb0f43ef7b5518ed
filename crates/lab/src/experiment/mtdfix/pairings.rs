//! Chosen pairings, and those of the paper: played one after another, and reported from their journals at any time.

use super::super::matches::{Contender, Matches, title};
use super::super::{Curve, Findings, MatchConditions, Plot, Scale, Variant};
use super::report::{self, Played};
use crate::LabError;
use damier_analysis::losses::{Finder, LossSettings};
use damier_arena::level::GameLevel;
use damier_arena::schedule::openings::{self, Opening, OpeningSource};
use damier_arena::spec::{self, EngineSpec, SpecError};
use damier_engine::search::MAX_DEPTH;
use damier_engine::{Engine, Options};

/// The pairings of the paper, whose PVS has no aspiration window; those without pruning are nearer to its program,
/// which has none.
pub const PAPER: [[&str; 2]; 13] = [
    ["mtdfix", "mtdf"],
    ["mtdfix", "pvs-open"],
    ["mtdfix", "weaker"],
    ["mtdf", "weaker"],
    ["mtdf-clear", "weaker"],
    ["mtdf-clear-exact", "weaker"],
    ["pvs-open", "weaker"],
    ["mtdfix", "stronger"],
    ["mtdf", "stronger"],
    ["mtdf-clear", "stronger"],
    ["mtdf-clear-exact", "stronger"],
    ["pvs-open", "stronger"],
    ["mtdfix-unpruned", "mtdf-unpruned"],
];
/// Pairings from all three-move ballots: 988 games. The others are from those of two moves: 158 games.
const LONG: [[&str; 2]; 2] = [PAPER[0], PAPER[12]];
/// Names of the opponents that differ in more than the driver.
const WEAKER: &str = "weaker";
const STRONGER: &str = "stronger";
/// How many times as long as the others the stronger opponent searches, if it is no guest.
const LONGER: u32 = 4;
/// Drivers and their options.
const DRIVERS: [(&str, &[(&str, &str)]); 7] = [
    ("mtdfix", &[]),
    ("mtdf", &[("search", "mtdf")]),
    ("mtdf-clear", &[("search", "mtdf-clear")]),
    ("mtdf-exact", &[("search", "mtdf"), ("param", EXACT)]),
    (
        "mtdf-clear-exact",
        &[("search", "mtdf-clear"), ("param", EXACT)],
    ),
    ("pvs", &[("search", "pvs")]),
    (
        "pvs-open",
        &[("search", "pvs"), ("param", "aspiration_min_depth=100")],
    ),
];
/// Only entries of the same depth may cut.
const EXACT: &str = "table=same-depth";
/// A driver with this behind its name searches without forward pruning and reductions.
const UNPRUNED: &str = "-unpruned";

/// The drivers, each as a variant of the engine.
pub(super) fn drivers() -> Vec<Variant> {
    let variant = |(name, changes): &(&str, &[_])| Variant::new(*name, changes);
    DRIVERS.iter().map(variant).collect()
}

/// An opponent that is described, under the name of its role.
fn named(role: &str, engine: &Option<EngineSpec>) -> Option<EngineSpec> {
    engine.clone().map(|engine| EngineSpec {
        name: role.to_owned(),
        ..engine
    })
}

/// A hand-made evaluation loses to the network; a longer search wins against it.
fn opponents(level: GameLevel) -> [Contender; 2] {
    let longer = match level {
        GameLevel::MoveTime(time) => GameLevel::MoveTime(time * LONGER),
        GameLevel::Nodes(nodes) => GameLevel::Nodes(nodes.saturating_mul(LONGER.into())),
        // A clock or a depth for both: only the driver differs.
        level => level,
    };
    let contender =
        |name: &str, changes: &[_], level| Contender::new(Variant::new(name, changes), level);
    [
        contender(WEAKER, &[("weights", "handmade")], level),
        contender(STRONGER, &[("search", "pvs")], longer),
    ]
}

/// Matches of drivers and other engines.
#[derive(Clone, Debug)]
pub struct Pairings {
    /// The names of the two players of each.
    pub names: Vec<[String; 2]>,
    /// Engines that take part under their own names.
    pub guests: Vec<EngineSpec>,
    /// The weaker opponent; None for the hand-made evaluation.
    pub weaker: Option<EngineSpec>,
    /// The stronger opponent; None for pvs with more time.
    pub stronger: Option<EngineSpec>,
    /// This engine; the players change some of its options.
    pub engine: Options,
    /// How the matches are played.
    pub conditions: MatchConditions,
}

/// Why there is no such pairing.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// A guest with the name of a player that there is.
    #[error("a guest cannot be called {0}: this engine plays under that name")]
    Taken(String),
    /// An opponent that none of the pairings has.
    #[error("no pairing has the player {0}, which is described")]
    Unused(String),
    /// A player that there is not.
    #[error(
        "{0:?} is no player; players are {drivers}, each also with {UNPRUNED} behind it, {WEAKER}, {STRONGER} and the \
        guests",
        drivers = DRIVERS.map(|(name, _)| name).join(", ")
    )]
    Unknown(String),
    /// The engines cannot meet.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl Pairings {
    /// Whether all of them can be played.
    ///
    /// # Errors
    /// A player that there is not, one that meets itself, a guest with the name of a player of this engine, or one that
    /// no pairing has.
    pub fn check(&self) -> Result<(), PairingError> {
        for guest in &self.guests {
            if [WEAKER, STRONGER].contains(&&*guest.name) || self.driver(&guest.name).is_some() {
                return Err(PairingError::Taken(guest.name.clone()));
            }
        }
        let described = [(WEAKER, &self.weaker), (STRONGER, &self.stronger)];
        let described = described.into_iter().filter(|(_, given)| given.is_some());
        let guests = self.guests.iter().map(|guest| &*guest.name);
        for name in described.map(|(name, _)| name).chain(guests) {
            if !self.names.iter().flatten().any(|player| player == name) {
                return Err(PairingError::Unused(name.to_owned()));
            }
        }
        for names in &self.names {
            for name in names {
                self.contender(name)
                    .ok_or_else(|| PairingError::Unknown(name.clone()))?;
            }
            if names[0] == names[1] {
                return Err(SpecError::SameName(names[0].clone()).into());
            }
        }
        let roles = [named(WEAKER, &self.weaker), named(STRONGER, &self.stronger)];
        let engines: Vec<EngineSpec> = self
            .guests
            .iter()
            .cloned()
            .chain(roles.into_iter().flatten())
            .collect();
        if engines.len() > 1 {
            spec::check(&engines, self.conditions.concurrency.get())?;
        }
        Ok(())
    }

    /// Games of all matches.
    pub(super) fn games(&self) -> Result<usize, LabError> {
        let games = |names| Ok(self.matches(names)?.games() as usize);
        self.names.iter().map(games).sum()
    }

    /// Plays what is not in the journals yet. `progress` is told which match is played, how many games of all matches
    /// are over, and how many there are.
    ///
    /// # Errors
    /// A match cannot be played, or `progress` fails.
    pub fn play(
        &self,
        progress: &mut dyn FnMut(&str, usize, usize) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        for names in &self.names {
            let players = self.players(names)?;
            self.matches(names)?.check([&players[0], &players[1]])?;
        }
        let (mut before, all) = (0, self.games()?);
        for names in &self.names {
            let players = self.players(names)?;
            let both = [&players[0], &players[1]];
            let matches = self.matches(names)?;
            let title = title(both);
            matches.play(both, &mut |done| progress(&title, before + done, all))?;
            before += matches.games() as usize;
        }
        Ok(())
    }

    /// What the journals say so far. With `losses` the lost games with a decisive detection are searched for the move
    /// that lost them.
    ///
    /// # Errors
    /// A journal cannot be read, no engine can be had, or the search for losing moves was stopped.
    pub fn report(&self, losses: Option<LossSettings>) -> Result<Findings, LabError> {
        let mut found = Vec::new();
        for names in &self.names {
            let players = self.players(names)?;
            let both = [&players[0], &players[1]];
            let matches = self.matches(names)?;
            let games = matches.played(both)?;
            if !games.is_empty() {
                found.push(Played {
                    names: names.clone(),
                    planned: matches.games(),
                    score: matches.score(&games),
                    games,
                });
            }
        }
        if found.is_empty() {
            return Err(LabError::NoGames(
                self.conditions.folder.clone().unwrap_or_default(),
            ));
        }
        let mut tables = report::tables(&found, self.conditions.level, &self.opponents());
        if let Some(settings) = losses {
            let mut finder = Finder::new(Engine::new(self.engine.clone())?, settings);
            tables.push(report::losses(&found, &mut finder)?);
        }
        let games = found.iter().map(|played| played.games.len());
        Ok(Findings {
            experiment: "mtdfix",
            positions: games.sum(),
            depth: None,
            tables,
            plot: Plot {
                axis: "pairing",
                unit: "score, percent".to_owned(),
                scale: Scale::Linear,
                curves: vec![Curve {
                    name: "score".to_owned(),
                    points: found
                        .iter()
                        .zip(1..)
                        .map(|(played, number)| (number, 100.0 * played.score.tally.score()))
                        .collect(),
                }],
            },
        })
    }

    /// Who the weaker and the stronger opponent are.
    fn opponents(&self) -> String {
        let guest = |engine: &Option<EngineSpec>, own: String| {
            engine.as_ref().map_or(own, |engine| engine.name.clone())
        };
        format!(
            "The weaker opponent is {}, the stronger one {}.",
            guest(
                &self.weaker,
                "this engine with the hand-made evaluation".to_owned()
            ),
            guest(
                &self.stronger,
                format!("pvs with {LONGER} times the nodes or the time")
            ),
        )
    }

    fn matches(&self, names: &[String; 2]) -> Result<Matches<'_>, LabError> {
        Matches::from_openings(&self.conditions, &self.engine, self.openings(names)?)
    }

    fn openings(&self, names: &[String; 2]) -> Result<Vec<Opening>, LabError> {
        let [first, second] = names.each_ref().map(String::as_str);
        if LONG.contains(&[first, second]) || LONG.contains(&[second, first]) {
            return self.conditions.openings();
        }
        openings::load(&OpeningSource::TwoMove).map_err(LabError::step)
    }

    fn players(&self, names: &[String; 2]) -> Result<[Contender; 2], LabError> {
        let player = |name: &String| {
            self.contender(name)
                .ok_or_else(|| LabError::step(PairingError::Unknown(name.clone())))
        };
        Ok([player(&names[0])?, player(&names[1])?])
    }

    /// The player of this name. An opponent that is described plays under the name of its role, as do its journals.
    fn contender(&self, name: &str) -> Option<Contender> {
        let level = self.conditions.level;
        let [weaker, stronger] = opponents(level);
        let guest = |engine| Contender::guest(engine, level);
        match name {
            WEAKER => return Some(named(WEAKER, &self.weaker).map_or(weaker, guest)),
            STRONGER => return Some(named(STRONGER, &self.stronger).map_or(stronger, guest)),
            _ => {}
        }
        let known = self.guests.iter().find(|engine| engine.name == name);
        known.cloned().map(guest).or_else(|| self.driver(name))
    }

    /// The driver of this name.
    fn driver(&self, name: &str) -> Option<Contender> {
        let (driver, unpruned) = match name.strip_suffix(UNPRUNED) {
            Some(driver) => (driver, true),
            None => (name, false),
        };
        let (_, changes) = DRIVERS.iter().find(|(known, _)| *known == driver)?;
        let mut variant = Variant::new(name, changes);
        if unpruned {
            let never = MAX_DEPTH + 1;
            let params = format!(
                "probcut_min_depth={never},rfp_max_depth=0,lmr_min_depth={never},root_lmr_min_depth={never},\
                 singular_negative=0"
            );
            variant.changes.push(("param", params));
        }
        Some(Contender::new(variant, self.conditions.level))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::matches::Player;
    use super::*;
    use damier_arena::level::GameLevel;
    use std::collections::HashSet;
    use std::num::NonZeroUsize;
    use std::time::Duration;

    fn pairings(names: &[[&str; 2]]) -> Pairings {
        Pairings {
            names: names.iter().map(|two| two.map(str::to_owned)).collect(),
            guests: Vec::new(),
            weaker: None,
            stronger: None,
            engine: Options::default(),
            conditions: MatchConditions {
                program: "damier".into(),
                level: GameLevel::MoveTime(Duration::from_millis(100)),
                games: None,
                folder: None,
                concurrency: NonZeroUsize::MIN,
            },
        }
    }

    #[test]
    fn the_paper_has_matches_of_988_and_158_games() {
        let paper = pairings(&PAPER);
        paper.check().expect("all players are known");
        let games = |names| paper.matches(names).expect("openings").games();
        let games: Vec<u64> = paper.names.iter().map(games).collect();
        assert_eq!((games[0], games[12]), (988, 988));
        assert!(games[1..12].iter().all(|&games| games == 158));
        let reversed = pairings(&[["mtdf-unpruned", "mtdfix-unpruned"]]);
        let matches = reversed.matches(&reversed.names[0]).expect("openings");
        assert_eq!(matches.games(), 988);
    }

    #[test]
    fn every_player_is_an_engine_of_its_own() {
        let any = pairings(&[]);
        let names = DRIVERS
            .iter()
            .flat_map(|(driver, _)| [driver.to_string(), format!("{driver}{UNPRUNED}")]);
        let names: Vec<String> = names
            .chain([WEAKER.to_owned(), STRONGER.to_owned()])
            .collect();
        let engines = names.iter().map(|name| {
            let contender = any.contender(name).expect(name);
            let Player::Variant(variant) = &contender.player else {
                panic!("{name} is no guest");
            };
            let options = variant.options(&any.engine).expect(name);
            format!("{options:?} {}", contender.level)
        });
        assert_eq!(engines.collect::<HashSet<_>>().len(), names.len());
        assert!(any.contender("mtdf-").is_none() && any.contender("-unpruned").is_none());
    }

    #[test]
    fn a_guest_takes_the_place_of_an_opponent() {
        let scan = spec::parse("name=scan cmd=scan nodes=9").expect("a description");
        let two = Pairings {
            stronger: Some(scan),
            ..pairings(&[["mtdfix", "stronger"]])
        };
        let [first, second] = two.players(&two.names[0]).expect("players");
        assert_eq!((first.name(), second.name()), ("mtdfix", "stronger"));
        assert_eq!(second.level, GameLevel::Nodes(9));
    }
}
