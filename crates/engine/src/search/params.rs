//! The tunables of the search, in one table. Margins and scores are hundredths of a man, depths are plies and
//! inclusive.

use super::{Depth, MAX_DEPTH, MAX_PLY};
use crate::eval::Score;
use crate::settings::{Kind, SettingError, Value, choice, settings};
use once_cell::sync::Lazy;

/// Scores of the history stay within this either way.
pub(in crate::search) const HISTORY_MAX: i32 = 1 << 14;

/// What table entries may cut a search short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableUse {
    /// Those at least as deep, and proven results of any depth.
    #[default]
    Normal,
    /// Only those of exactly the same depth: no inconsistency comes from the table.
    SameDepth,
    /// None; nothing is stored.
    Off,
}

choice! {
    TableUse { Normal = "normal", SameDepth = "same-depth", Off = "off" }
}

/// What TT entries are compared by when one has to give way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Age and depth.
    #[default]
    Depth,
    /// Age and the nodes that they cost.
    Nodes,
    /// Nothing: each position has one place, and the last one has it.
    Always,
}

choice! {
    Policy { Depth = "depth", Nodes = "nodes", Always = "always" }
}

/// The range of a depth from which something is done; the largest is deeper than any search.
const FROM_DEPTH: Kind = Kind::Int(1, MAX_DEPTH as i64 + 1);
/// The range of hundredths of a man.
const CENTIMEN: Kind = Kind::Int(0, 1000);
/// The range of a bonus in the order of moves; the TT move stands above all.
const ORDER: Kind = Kind::Int(0, 1 << 22);
/// The range of shares and factors of the clock, in thousandths.
const THOUSANDTHS: Kind = Kind::Int(0, 10_000);

settings! {
    /// All tunables; a value so that two sets can be played against each other.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Params: (), "search parameter";

    /// Scores of the search are multiples of this many hundredths of a man
    grain: i32 = 8, Kind::PowerOfTwo(1, 64);

    /// Depth from which ProbCut is tried
    probcut_min_depth: Depth = 6, FROM_DEPTH;
    /// ProbCut searches to this share of the depth, in percent
    probcut_depth_percent: i32 = 60, Kind::Int(0, 95);
    /// ProbCut margin for every ply of depth
    probcut_margin: i32 = 8, CENTIMEN;
    /// ProbCut is tried when the evaluation is at most this much below beta
    probcut_gate: i32 = 20, Kind::Int(-1000, 20_000);

    /// Deepest reverse futility pruning
    rfp_max_depth: Depth = 3, Kind::Int(0, MAX_DEPTH as i64);
    /// Reverse futility margin for every ply
    rfp_margin: i32 = 40, CENTIMEN;

    /// Depth from which later moves are reduced
    lmr_min_depth: Depth = 2, FROM_DEPTH;
    /// Moves before the first that may be reduced; twice as many on the principal path
    lmr_first: usize = 2, Kind::Int(1, 64);
    /// Late move reduction: hundredths of a ply added to ln(depth) ln(number of the move) / divisor
    lmr_base: i32 = 30, Kind::Int(-300, 1000);
    /// Late move reduction: hundredths by which the product of the logarithms is divided
    lmr_divisor: i32 = 190, Kind::Int(25, 10_000);
    /// Depth from which later moves of the root are reduced, by one ply
    root_lmr_min_depth: Depth = 3, FROM_DEPTH;
    /// Moves of the root before the first that may be reduced
    root_lmr_first: usize = 3, Kind::Int(1, 128);

    /// A forced move costs no depth
    one_reply: bool = true, Kind::Bool;
    /// Extensions end at this share of the depth of the iteration, in percent, counted in plies from the root
    extension_percent: i32 = 200, Kind::Int(0, 1000);
    /// Depth from which the TT move is tried for being the only good one, and then costs no depth
    singular_min_depth: Depth = 5, FROM_DEPTH;
    /// Plies by which the TT entry may be shallower than the node for that
    singular_table_plies: Depth = 3, Kind::Int(0, 100);
    /// Margin for every ply of depth by which all other moves must be worse
    singular_margin: i32 = 4, CENTIMEN;
    /// The other moves are searched to this share of the depth, in percent
    singular_depth_percent: i32 = 50, Kind::Int(0, 95);

    /// Plies beyond the horizon to which captures are followed
    capture_plies: i32 = MAX_PLY as i32, Kind::Int(0, MAX_PLY as i64);
    /// Plies beyond the horizon in which all offers are tried
    offer_plies: i32 = 1, Kind::Int(0, 20);
    /// Offers are tried where the evaluation is less than this much below alpha
    offer_margin: i32 = 100, Kind::Int(0, 20_000);
    /// Plies beyond the horizon in which offers are tried that lose nothing by the captures that follow
    sound_offer_plies: i32 = 8, Kind::Int(0, MAX_PLY as i64);
    /// Whether a threat at the horizon is answered by one ply of every move
    threats: bool = true, Kind::Bool;

    /// Half the aspiration window of the driver pvs
    aspiration: i32 = 16, Kind::Int(1, 2000);
    /// Depth from which that window is used
    aspiration_min_depth: Depth = 4, FROM_DEPTH;
    /// A window wider than this on one side is opened
    aspiration_max: i32 = 500, Kind::Int(0, 2000);
    /// Whether pvs tries later moves with a zero window first; without it is plain alpha-beta
    scout: bool = true, Kind::Bool;
    /// Grains by which scores of odd and even depths must differ for the first guess to be that of the same parity
    guess_parity_grains: i32 = 2, Kind::Int(0, 1000);
    /// Plies by which a proven score must be searched deeper than its end before the search may stop for it
    proof_plies: u32 = 4, Kind::Int(0, 100);

    /// Which TT entries may cut
    table: TableUse = TableUse::Normal, Kind::Choice(TableUse::NAMES);
    /// What decides which TT entry gives way: age and depth, age and the nodes that they cost, or nothing, always
    table_replace: Policy = Policy::Depth, Kind::Choice(Policy::NAMES);
    /// Plies by which a TT entry counts as shallower for every search since it was written
    table_age_plies: i32 = 4, Kind::Int(0, 100);
    /// A TT entry is not replaced by one of the same position and search that is shallower by more than this
    table_keep_plies: i32 = 3, Kind::Int(0, 100);

    /// Depth from which all threads search a pass of the root together
    team_min_depth: Depth = 5, FROM_DEPTH;
    /// Depth from which a node is shared: a later move that another thread is at is put off
    team_share_depth: Depth = 3, FROM_DEPTH;
    /// Threads from which a part of a team looks into the passes that may come next
    team_ahead_threads: usize = 16, Kind::Int(2, 1000);
    /// That part, in percent
    team_ahead_percent: usize = 25, Kind::Int(0, 100);
    /// Threads take turns in a fixed order: for measuring a team in nodes
    lock_step: bool = false, Kind::Bool;

    /// Whether answers of the TT and distinct positions are counted
    tally: bool = false, Kind::Bool;

    /// Whether moves are sorted
    ordering: bool = true, Kind::Bool;
    /// Added to the history score of a promotion
    order_promotion: i32 = 1 << 20, ORDER;
    /// Added to the history score of the last killer of the ply
    order_killer_1: i32 = 1 << 18, ORDER;
    /// Added to the history score of the killer before it
    order_killer_2: i32 = 1 << 17, ORDER;
    /// Added to the history score of a third killer; with 0 there are two
    order_killer_3: i32 = 0, ORDER;
    /// The first two killers of a ply stay, and the third is the last one
    killers_stay: bool = false, Kind::Bool;
    /// Added to the history score of the counter-move
    order_counter: i32 = 1 << 16, ORDER;
    /// Added to the history score for every row between the own edge and the square that a move ends on
    order_forward: i32 = 0, Kind::Int(0, 1 << 12);
    /// History scores are the share of its chances of a cutoff that a move took: relative history
    history_relative: bool = false, Kind::Bool;
    /// History bonus of a cutoff for every unit of the depth squared
    history_bonus: i32 = 4, Kind::Int(0, 64);
    /// Depth squared above which the bonus grows no more
    history_bonus_limit: i32 = 400, Kind::Int(1, 10_000);
    /// Share of the history scores kept for the next search, in percent
    history_kept_percent: i32 = 50, Kind::Int(0, 100);

    /// Depth from which a node without a TT move is searched less deeply first: internal iterative deepening
    iid_min_depth: Depth = MAX_DEPTH + 1, FROM_DEPTH;
    /// Plies by which that search is less deep
    iid_plies: Depth = 2, Kind::Int(1, 20);

    /// Milliseconds kept back from a clock for the way to the opponent
    clock_reserve_ms: u32 = 50, Kind::Int(1, 10_000);
    /// Share of a clock kept back where that is more, in thousandths
    clock_reserve: u32 = 125, Kind::Int(0, 900);
    /// Most that is kept back of a clock that has little left, in thousandths
    clock_reserve_max: u32 = 600, Kind::Int(0, 900);
    /// Moves among which the rest of the clock is divided, before those for pieces are added
    clock_moves: u32 = 9, Kind::Int(1, 200);
    /// Moves planned besides for each piece, in thousandths
    clock_moves_per_piece: u32 = 200, THOUSANDTHS;
    /// Share of the increment to use on a clock that has run down, in thousandths
    clock_increment_low: u32 = 280, Kind::Int(0, 1000);
    /// Share of the increment to use otherwise, in thousandths
    clock_increment: u32 = 840, Kind::Int(0, 1000);
    /// The search is broken off at this many times the target, in thousandths
    clock_hard: u32 = 3000, Kind::Int(1000, 100_000);
    /// The most of a clock that one move may take, in thousandths of what is not kept back
    clock_hard_share: u32 = 667, Kind::Int(1, 1000);
    /// Failures after which a remembered cost of a depth, and those of greater depths, are forgotten
    clock_failures: u32 = 2, Kind::Int(0, 100);
    /// Least growth of the cost from one depth to the next that is expected, in thousandths
    clock_growth_min: u32 = 1300, THOUSANDTHS;
    /// Greatest growth expected, in thousandths
    clock_growth_max: u32 = 3000, Kind::Int(0, 100_000);
    /// The target is multiplied by this after an iteration that changed the move, in thousandths
    clock_unsettled: u32 = 1250, Kind::Int(1000, 10_000);
    /// That factor is at most this, in thousandths
    clock_unsettled_max: u32 = 2000, Kind::Int(1000, 10_000);
    /// The target is multiplied by this after an iteration that kept the move, in thousandths
    clock_settled: u32 = 930, Kind::Int(1, 1000);
    /// That factor is at least this, in thousandths
    clock_settled_min: u32 = 550, Kind::Int(1, 1000);
    /// A score that fell this much below the best one so far is a reason to think
    clock_fall: i32 = 24, CENTIMEN;
    /// The target is multiplied by this after such a fall, in thousandths
    clock_fallen: u32 = 1300, Kind::Int(1000, 10_000);
    /// That factor is at most this, in thousandths
    clock_fallen_max: u32 = 2200, Kind::Int(1000, 10_000);
    /// Share of the cost of an iteration that must fit in, in thousandths
    clock_next: u32 = 600, THOUSANDTHS;
    /// An iteration is always begun before this share of the target is spent, in thousandths
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
            params.set(param.trim(), value.trim())?;
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

    /// Whether quiet moves are sorted by what the usual order does not know.
    pub(super) fn sorts_experimentally(&self) -> bool {
        self.order_killer_3 > 0
            || self.killers_stay
            || self.history_relative
            || self.order_forward > 0
    }

    /// Whether no parameter is set that only experiments change.
    pub(super) fn is_fast_path(&self) -> bool {
        self.ordering
            && !self.sorts_experimentally()
            && self.iid_min_depth > MAX_DEPTH
            && self.table != TableUse::Off
            && self.table_replace == Policy::Depth
            && !self.tally
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

/// Late move reductions by depth and number of the move, worked out from [`Params`] once.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i8; 64]; 64]>);

impl Reductions {
    /// Those of the default tunables. Logarithms cannot be worked out at compile time, so they are at first use.
    pub fn usual() -> &'static Reductions {
        static USUAL: Lazy<Reductions> = Lazy::new(|| Reductions::new(&Params::default()));
        &USUAL
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
    fn what_only_experiments_set_leaves_the_fast_path() {
        assert!(Params::default().is_fast_path());
        for (name, value) in [
            ("ordering", "false"),
            ("order_killer_3", "1"),
            ("killers_stay", "true"),
            ("history_relative", "true"),
            ("order_forward", "1"),
            ("iid_min_depth", "4"),
            ("table", "off"),
            ("table_replace", "nodes"),
            ("table_replace", "always"),
            ("tally", "true"),
        ] {
            let mut params = Params::default();
            params.set(name, value).unwrap();
            assert!(!params.is_fast_path(), "{name}={value}");
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
