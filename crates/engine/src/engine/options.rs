//! All options, in one table. A Hub session selects by scope, a command of the command line by a list of names.

use super::searcher::HANDMADE;
use super::strength::ladder;
use crate::search::Driver;
use crate::search::params::Params;
use crate::settings::{Kind, Setting, settings};
use std::path::{Path, PathBuf};

/// Which Hub clients can set an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Whether it is declared to Hub clients.
    pub hub: bool,
    /// Whether an untrusted client (`--safe`) may set it: not if it names files, or takes memory or cores.
    pub safe: bool,
}

/// Declared to every Hub client.
const HUB: Scope = Scope {
    hub: true,
    safe: true,
};

/// Declared to every client; only trusted ones may set it.
const TRUSTED: Scope = Scope { safe: false, ..HUB };

settings! {
    /// The options of an engine and of a session, with the same names everywhere.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Options: Scope, "option";

    /// Play from the opening book
    book: bool = true, Kind::Bool, in HUB;
    /// Plies from the start in which book moves may be worse than the best one
    book_ply as "book-ply": u32 = 4, Kind::Int(0, 20), in HUB;
    /// How much worse a book move may be than the best one, in hundredths of a man
    book_margin as "book-margin": u32 = 2, Kind::Int(0, 100), in HUB;
    /// How many moves the book's line must have for its first move to be played
    book_line as "book-line": u32 = 5, Kind::Int(1, 20), in HUB;
    /// Opening book
    book_file as "book-file": PathBuf = "embedded".into(), Kind::File(&["embedded"]), in TRUSTED;
    /// Seed of the choice among book moves; 0 for a new seed in each game
    book_seed as "book-seed": u32 = 0, Kind::Int(0, 0xffff_ffff), in HUB;
    /// Elo of the level to play at, as in docs/levels.md; 0 for full strength
    elo: u32 = 0, Kind::ZeroOr(ladder::LOWEST as i64, ladder::HIGHEST as i64), in HUB;
    /// Seed of the random choices of a level; 0 for a new seed in each game
    elo_seed as "elo-seed": u32 = 0, Kind::Int(0, 0xffff_ffff), in HUB;
    /// Think on the opponent's time
    ponder: bool = false, Kind::Bool, in HUB;
    /// Number of threads
    threads: usize = 1, Kind::Int(1, 64), in TRUSTED;
    /// Size of the transposition table as log2 of its entries, 16 bytes each
    tt_size as "tt-size": u32 = 22, Kind::Int(12, 30), in TRUSTED;
    /// Use endgame tables of up to this many pieces
    bb_size as "bb-size": u32 = 6, Kind::Int(0, 6), in HUB;
    /// Folder of further endgame tables, besides the built-in ones
    endgame_dir as "endgame-dir": PathBuf = PathBuf::new(), Kind::Folder, in TRUSTED;
    /// Search driver at the root
    search: Driver = Driver::Mtdfix, Kind::Choice(Driver::NAMES), in HUB;
    /// Evaluation: pattern is that of the weights, pst a weaker one for the lower levels of lidraughts
    full_eval as "eval": bool = true, Kind::Choice(&["pattern", "pst"]), in HUB;
    /// Weights of the evaluation
    weights: PathBuf = "embedded".into(), Kind::File(&["embedded", "handmade", "material"]), in TRUSTED;
    /// Number of lines in an analysis over Hub (multi-PV)
    multi_pv as "multi-pv": u32 = 1, Kind::Int(1, 50), in HUB;
    /// Minimum microseconds on a pipe before an info, or before any line if the last may be unread; 0 for no gap
    line_gap as "line-gap": u32 = 500, Kind::Int(0, 1_000_000), in HUB;
    /// Search parameters for experiments, as in lmr_base=70,grain=4
    params as "param": Params = Params::default(), Kind::Text("NAME=VALUE, such as lmr_base=70"),
        in Scope { hub: false, ..HUB };
}

impl Options {
    /// Names of former options: ignored in options files and match files written for earlier versions.
    pub const RETIRED: [&str; 1] = ["variant"];

    /// The weights that count: those named, or the ones that `eval` asks for.
    pub(super) fn evaluation(&self) -> &Path {
        match self.full_eval {
            true => &self.weights,
            false => Path::new(HANDMADE),
        }
    }

    /// The options declared to Hub clients.
    pub fn of_hub() -> impl Iterator<Item = &'static Setting<Options, Scope>> {
        Options::specs().iter().filter(|spec| spec.scope.hub)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_own_value_and_nothing_else() {
        let mut options = Options::default();
        for spec in Options::specs() {
            let value = spec.get(&options);
            spec.set(&mut options, &value).unwrap();
            // Any other word is the name of a file, which is looked for when the engine is made.
            let bad: &[&str] = match spec.kind {
                Kind::Folder => &[],
                Kind::File(_) => &[""],
                Kind::Text(_) => &["x", "lmr_base", "lmr_base=70000", "grain=16,lmr=2"],
                _ => &["", "x", "-1", "99999999999999999999", "1e3", "True", "nan"],
            };
            for bad in bad {
                assert!(spec.set(&mut options, bad).is_err(), "{} {bad}", spec.name);
            }
        }
        assert_eq!(options, Options::default());
        assert!(options.set("nonsense", "1").is_err());
        assert!(
            Options::RETIRED
                .iter()
                .all(|name| options.set(name, "1").is_err())
        );
    }

    #[test]
    fn each_option_is_a_field_of_its_own() {
        for spec in Options::specs() {
            let value = match spec.kind {
                Kind::Bool if spec.get(&Options::default()) == "true" => "false",
                Kind::Bool => "true",
                Kind::Int(min, max) if spec.get(&Options::default()) == max.to_string() => {
                    &min.to_string()
                }
                Kind::Int(_, max) | Kind::ZeroOr(_, max) => &max.to_string(),
                Kind::Choice(words) => words[1],
                Kind::Text(_) => "grain=4",
                _ => "other",
            };
            let mut options = Options::default();
            spec.set(&mut options, value).unwrap();
            let changed =
                |other: &&Setting<_, _>| other.get(&options) != other.get(&Options::default());
            let names: Vec<_> = Options::specs()
                .iter()
                .filter(changed)
                .map(|spec| spec.name)
                .collect();
            assert_eq!(names, [spec.name]);
        }
    }

    #[test]
    fn search_parameters_add_up() {
        let mut options = Options::default();
        options.set("param", "lmr_base=70").unwrap();
        options.set("param", "grain = 4, threats = false").unwrap();
        assert_eq!((options.params.lmr_base, options.params.grain), (70, 4));
        assert_eq!(
            options.get("param").as_deref(),
            Ok("grain=4,lmr_base=70,threats=false")
        );
    }
}
