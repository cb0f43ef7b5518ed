//! The tunables of the search, in one table. Margins and scores are hundredths of a man, depths are plies and
//! inclusive.

use super::{Depth, MAX_DEPTH, MAX_PLY};
use crate::eval::Score;
use crate::settings::{Kind, SettingError, Value, choice, settings};
use once_cell::sync::Lazy;

/// Scores of the history stay within this either way.
pub(in crate::search) const HISTORY_MAX: i32 = 1 << 14;

/// Parameters of removed experiments, and a value of one that is left: commit fb37f44 is the last one that has them.
const REMOVED: [&str; 10] = [
    "table=off",
    "table_replace",
    "tally",
    "ordering",
    "order_killer_3",
    "killers_stay",
    "order_forward",
    "history_relative",
    "iid_min_depth",
    "iid_plies",
];

/// Which table entries may decide a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableUse {
    /// Entries of at least the depth, and proven results.
    #[default]
    Normal,
    /// Only entries of exactly this depth: no inconsistency comes from the table.
    SameDepth,
}

choice! {
    TableUse { Normal = "normal", SameDepth = "same-depth" }
}

/// The range of a minimum depth; the largest is deeper than any search.
const FROM_DEPTH: Kind = Kind::Int(1, MAX_DEPTH as i64 + 1);
/// The range of hundredths of a man.
const CENTIMEN: Kind = Kind::Int(0, 1000);
/// The range of a bonus in the order of moves; the TT move is always first.
const ORDER: Kind = Kind::Int(0, 1 << 22);
/// The range of shares and factors of the clock, in thousandths.
const THOUSANDTHS: Kind = Kind::Int(0, 10_000);

settings! {
    /// All tunables; a value so that two sets can be played against each other.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Params: (), "search parameter";

    /// Scores of the search are multiples of this many hundredths of a man
    grain: i32 = 8, Kind::PowerOfTwo(1, 64);

    /// Minimum depth for ProbCut
    probcut_min_depth: Depth = 6, FROM_DEPTH;
    /// ProbCut: depth of the shallow search, in percent of the depth
    probcut_depth_percent: i32 = 60, Kind::Int(0, 95);
    /// ProbCut: margin per ply of depth
    probcut_margin: i32 = 8, CENTIMEN;
    /// ProbCut: maximum of beta minus the evaluation
    probcut_gate: i32 = 20, Kind::Int(-1000, 20_000);

    /// Maximum depth for reverse futility pruning
    rfp_max_depth: Depth = 3, Kind::Int(0, MAX_DEPTH as i64);
    /// Reverse futility pruning: margin per ply of depth
    rfp_margin: i32 = 40, CENTIMEN;

    /// Minimum depth for late move reductions
    lmr_min_depth: Depth = 2, FROM_DEPTH;
    /// Late move reductions: number of first moves that are not reduced; twice as many on the principal path
    lmr_first: usize = 2, Kind::Int(1, 64);
    /// Late move reductions: hundredths of a ply added to ln(depth) ln(number of the move) / divisor
    lmr_base: i32 = 30, Kind::Int(-300, 1000);
    /// Late move reductions: divisor of the product of the logarithms, in hundredths
    lmr_divisor: i32 = 190, Kind::Int(25, 10_000);
    /// Minimum depth for late move reductions at the root, by one ply
    root_lmr_min_depth: Depth = 3, FROM_DEPTH;
    /// Late move reductions at the root: number of first moves that are not reduced
    root_lmr_first: usize = 3, Kind::Int(1, 128);

    /// One-reply extension: a forced move costs no depth
    one_reply: bool = true, Kind::Bool;
    /// Maximum ply for extensions, in percent of the depth of the iteration
    extension_percent: i32 = 200, Kind::Int(0, 1000);
    /// Minimum depth for singular extension
    singular_min_depth: Depth = 5, FROM_DEPTH;
    /// Singular extension: maximum TT depth deficit
    singular_table_plies: Depth = 3, Kind::Int(0, 100);
    /// Singular extension: margin per ply of depth by which all other moves must be worse
    singular_margin: i32 = 4, CENTIMEN;
    /// Singular extension: plies less for a TT move that should fail high where another move is not worse by the margin
    singular_negative: Depth = 1, Kind::Int(0, 3);
    /// Singular extension: depth of the search of the other moves, in percent of the depth
    singular_depth_percent: i32 = 50, Kind::Int(0, 95);

    /// Quiescence: maximum plies of captures
    capture_plies: i32 = MAX_PLY as i32, Kind::Int(0, MAX_PLY as i64);
    /// Quiescence: plies in which all offers are searched
    offer_plies: i32 = 1, Kind::Int(0, 20);
    /// Quiescence: offers are searched if alpha minus the evaluation is below this
    offer_margin: i32 = 100, Kind::Int(0, 20_000);
    /// Quiescence: plies in which sound offers are searched, which lose nothing by the captures that follow
    sound_offer_plies: i32 = 8, Kind::Int(0, MAX_PLY as i64);
    /// Quiescence: search all moves for one ply under a threat at the horizon
    threats: bool = true, Kind::Bool;

    /// Driver pvs: half the aspiration window
    aspiration: i32 = 16, Kind::Int(1, 2000);
    /// Driver pvs: minimum depth for the aspiration window
    aspiration_min_depth: Depth = 4, FROM_DEPTH;
    /// Driver pvs: half window above which that side is opened
    aspiration_max: i32 = 500, Kind::Int(0, 2000);
    /// Driver pvs: search later moves with a zero window first; false is plain alpha-beta
    scout: bool = true, Kind::Bool;
    /// First guess: minimum difference of odd and even depths, in grains, to take the score of the same parity
    guess_parity_grains: i32 = 2, Kind::Int(0, 1000);
    /// Plies searched beyond the end of a proven win or loss before the search may stop
    proof_plies: u32 = 4, Kind::Int(0, 100);

    /// Which TT entries may decide a node
    table: TableUse = TableUse::Normal, Kind::Choice(TableUse::NAMES);
    /// Replacement in the TT: plies subtracted from the depth of an entry for each search since it was written
    table_age_plies: i32 = 4, Kind::Int(0, 100);
    /// Replacement in the TT: maximum depth deficit of a new entry of the same position and search
    table_keep_plies: i32 = 3, Kind::Int(0, 100);

    /// Threads: minimum depth for a common pass over the root
    team_min_depth: Depth = 5, FROM_DEPTH;
    /// Threads: minimum depth of shared nodes, where a later move that another thread searches is put off
    team_share_depth: Depth = 3, FROM_DEPTH;
    /// Threads: minimum number for some of them to search the passes that may come next
    team_ahead_threads: usize = 16, Kind::Int(2, 1000);
    /// Threads: share that searches the passes that may come next, in percent
    team_ahead_percent: usize = 25, Kind::Int(0, 100);
    /// Threads run one at a time in a fixed order, to measure them in nodes
    lock_step: bool = false, Kind::Bool;

    /// Order: bonus of a promotion
    order_promotion: i32 = 1 << 20, ORDER;
    /// Order: bonus of the last killer of the ply
    order_killer_1: i32 = 1 << 18, ORDER;
    /// Order: bonus of the second killer of the ply
    order_killer_2: i32 = 1 << 17, ORDER;
    /// Order: bonus of the counter-move
    order_counter: i32 = 1 << 16, ORDER;
    /// History: bonus of a cutoff per depth squared
    history_bonus: i32 = 4, Kind::Int(0, 64);
    /// History: maximum of the depth squared
    history_bonus_limit: i32 = 400, Kind::Int(1, 10_000);
    /// History: share of the scores kept for the next search, in percent
    history_kept_percent: i32 = 50, Kind::Int(0, 100);

    /// Minimum reserve of a clock for transmission, in milliseconds
    clock_reserve_ms: u32 = 50, Kind::Int(1, 10_000);
    /// Reserve of a clock, in thousandths of it
    clock_reserve: u32 = 125, Kind::Int(0, 900);
    /// Maximum reserve of a clock, in thousandths of it
    clock_reserve_max: u32 = 600, Kind::Int(0, 900);
    /// Moves for which the rest of the clock is planned, before those for pieces
    clock_moves: u32 = 9, Kind::Int(1, 200);
    /// Further moves planned per piece, in thousandths
    clock_moves_per_piece: u32 = 200, THOUSANDTHS;
    /// Share of the increment used when the clock has run down, in thousandths
    clock_increment_low: u32 = 280, Kind::Int(0, 1000);
    /// Share of the increment used otherwise, in thousandths
    clock_increment: u32 = 840, Kind::Int(0, 1000);
    /// Hard limit as a multiple of the target, in thousandths
    clock_hard: u32 = 3000, Kind::Int(1000, 100_000);
    /// Hard limit as a share of the clock without its reserve, in thousandths
    clock_hard_share: u32 = 667, Kind::Int(1, 1000);
    /// Unfinished iterations after which the remembered costs of that depth and greater ones are discarded
    clock_failures: u32 = 2, Kind::Int(0, 100);
    /// Minimum expected growth of the cost from one depth to the next, in thousandths
    clock_growth_min: u32 = 1300, THOUSANDTHS;
    /// Maximum expected growth of the cost, in thousandths
    clock_growth_max: u32 = 3000, Kind::Int(0, 100_000);
    /// Factor of the target after an iteration that changed the move, in thousandths
    clock_unsettled: u32 = 1250, Kind::Int(1000, 10_000);
    /// Maximum factor of the target after changed moves, in thousandths
    clock_unsettled_max: u32 = 2000, Kind::Int(1000, 10_000);
    /// Factor of the target after an iteration that kept the move, in thousandths
    clock_settled: u32 = 930, Kind::Int(1, 1000);
    /// Minimum factor of the target after kept moves, in thousandths
    clock_settled_min: u32 = 550, Kind::Int(1, 1000);
    /// Drop of the score below its maximum that lengthens the search
    clock_fall: i32 = 24, CENTIMEN;
    /// Factor of the target after such a drop, in thousandths
    clock_fallen: u32 = 1300, Kind::Int(1000, 10_000);
    /// Maximum factor of the target after drops, in thousandths
    clock_fallen_max: u32 = 2200, Kind::Int(1000, 10_000);
    /// Share of the expected cost of an iteration that must fit into the target, in thousandths
    clock_next: u32 = 600, THOUSANDTHS;
    /// Share of the target before which an iteration is always begun, in thousandths
    clock_always: u32 = 333, Kind::Int(0, 1000);
}

/// Search parameters as one value: `lmr_base=70,grain=4` changes these and leaves the others; shows those that differ
/// from the default.
impl<T> Value<T> for Params {
    fn read(text: &str, kind: &Kind) -> Result<Params, String> {
        let mut params = Params::default();
        let changed = Value::<T>::assign(&mut params, "", text, kind);
        changed.map(|()| params).map_err(|error| error.to_string())
    }

    fn show(&self, _: &Kind) -> String {
        let usual = Params::default();
        let differ = Params::specs()
            .iter()
            .filter(|spec| spec.get(self) != spec.get(&usual));
        let shown: Vec<String> = differ
            .map(|spec| format!("{}={}", spec.name, spec.get(self)))
            .collect();
        shown.join(",")
    }

    fn assign(&mut self, name: &'static str, text: &str, kind: &Kind) -> Result<(), SettingError> {
        let mut params = self.clone();
        for pair in text.split(',').filter(|_| !text.is_empty()) {
            let (param, value) = pair.split_once('=').ok_or_else(|| SettingError::Invalid {
                name,
                value: text.to_owned(),
                expected: kind.to_string(),
            })?;
            let param = param.trim();
            if let Some(&removed) = REMOVED.iter().find(|&&it| it == param || it == pair.trim()) {
                return Err(SettingError::Removed(removed.to_owned()));
            }
            params.set(param, value.trim())?;
        }
        *self = params;
        Ok(())
    }
}

impl Params {
    /// What a cutoff at this depth adds to a history score.
    #[inline(always)]
    pub(super) fn bonus(&self, depth: Depth) -> i32 {
        let bonus = (depth * depth).min(self.history_bonus_limit) * self.history_bonus;
        bonus.min(HISTORY_MAX)
    }

    /// No pruning, reduction or extension: the value is that of plain minimax with the same quiescence.
    pub fn full_width() -> Params {
        let never = Depth::MAX;
        Params {
            probcut_min_depth: never,
            lmr_min_depth: never,
            root_lmr_min_depth: never,
            rfp_max_depth: 0,
            singular_min_depth: never,
            offer_margin: 2 * Score::INFINITE.centimen(),
            one_reply: false,
            ..Params::default()
        }
    }
}

/// Late move reductions by depth and number of the move, computed from [`Params`] once.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i8; 64]; 64]>);

impl Reductions {
    /// Of the default tunables, computed at first use.
    pub fn of_defaults() -> &'static Reductions {
        static DEFAULTS: Lazy<Reductions> = Lazy::new(|| Reductions::new(&Params::default()));
        &DEFAULTS
    }

    pub fn new(params: &Params) -> Reductions {
        let (base, divisor) = (
            params.lmr_base as f64 / 100.0,
            params.lmr_divisor as f64 / 100.0,
        );
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (index, reduction) in row.iter_mut().enumerate() {
                let product = (depth as f64).ln() * (index as f64 + 1.0).ln();
                *reduction = (base + product / divisor) as i8;
            }
        }
        Reductions(table)
    }

    /// Plies to reduce the move of this number, 0 being the first.
    #[inline(always)]
    pub fn get(&self, depth: Depth, index: usize) -> Depth {
        Depth::from(self.0[(depth as usize).min(63)][index.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_takes_its_default_and_the_ends_of_its_range() {
        let mut params = Params::default();
        for spec in Params::specs() {
            spec.set(&mut params, &spec.get(&Params::default()))
                .unwrap();
            assert_eq!(params, Params::default(), "{}", spec.name);
            assert!(
                spec.help.len() > 10 && !spec.help.ends_with('.'),
                "{}",
                spec.name
            );
            if let Kind::Int(min, max) | Kind::PowerOfTwo(min, max) = spec.kind {
                for (value, fits) in [(min - 1, false), (min, true), (max, true), (max + 1, false)]
                {
                    let mut changed = Params::default();
                    let result = spec.set(&mut changed, &value.to_string());
                    assert_eq!(result.is_ok(), fits, "{} = {value}", spec.name);
                    assert_eq!(
                        changed != params,
                        fits && spec.get(&params) != value.to_string()
                    );
                }
            }
        }
        params.set("table", "same-depth").unwrap();
        assert_eq!(params.table, TableUse::SameDepth);
    }

    #[test]
    fn what_was_removed_is_named() {
        for (text, removed) in [
            ("lmr_base=70,ordering=false", "ordering"),
            (" table=off ", "table=off"),
        ] {
            let error = Value::<()>::assign(&mut Params::default(), "param", text, &Kind::Text(""))
                .unwrap_err();
            assert_eq!(error, SettingError::Removed(removed.to_owned()));
        }
    }

    #[test]
    fn the_search_survives_every_parameter_at_both_ends() {
        use crate::eval::Material;
        use crate::search::{Control, Driver, Limits, Request, Searcher, TimeControl};
        use damier_rules::{Game, Position};
        use std::time::Duration;
        let game = Game::new(Position::start());
        let limits = Limits {
            nodes: Some(3000),
            clock: Some(TimeControl {
                time: Duration::from_secs(60),
                ..TimeControl::default()
            }),
            ..Limits::default()
        };
        let request = Request::new(&game, limits);
        let mut searcher = Searcher::new(Material, 10).unwrap();
        for spec in Params::specs() {
            let values = match spec.kind {
                Kind::Int(min, max) | Kind::PowerOfTwo(min, max) => {
                    vec![min.to_string(), max.to_string()]
                }
                Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
                _ => vec!["false".to_owned(), "true".to_owned()],
            };
            for (value, driver) in values
                .iter()
                .flat_map(|v| [(v, Driver::Mtdfix), (v, Driver::Pvs)])
            {
                let mut params = Params::default();
                spec.set(&mut params, value).unwrap();
                searcher.set_params(params);
                searcher.set_driver(driver);
                searcher.new_game();
                let outcome = searcher.search(&request, &Control::new(), &mut ());
                assert!(outcome.best.is_some(), "{} = {value}", spec.name);
            }
        }
    }
}
