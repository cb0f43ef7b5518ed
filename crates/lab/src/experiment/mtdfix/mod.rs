//! Van Horssen's experiments with MTDfix ("Handling Search Inconsistencies in MTD(f)", 2018), for this engine: matches
//! of the drivers (his Table 1) with the inconsistencies detected in them, the time to a depth, and positions in which
//! MTD(f) plays a wrong move.

pub mod find;
pub mod pairings;
mod report;
mod suite;

use super::matches::{Contender, MatchScore, Matches, score};
use super::{Findings, Grid, Plan, Variant, cost};
use crate::LabError;
use damier_arena::level::GameLevel;
use damier_arena::standings::{DetectionCounts, DetectionStats};
use damier_engine::search::MAX_DEPTH;
use damier_rules::Position;

/// How much more than the others the stronger opponent searches.
const STRONGER: u32 = 4;
/// Variants in the quick form, besides the weaker opponent.
const QUICK: usize = 2;

/// The drivers; the quick form takes the first ones.
fn drivers() -> Vec<Variant> {
    let no_window = format!("aspiration_min_depth={}", MAX_DEPTH + 1);
    vec![
        Variant::new("mtdfix", &[]),
        Variant::new("mtdf", &[("search", "mtdf")]),
        Variant::new("mtdf-clear", &[("search", "mtdf-clear")]),
        Variant::new(
            "mtdf, entries of the same depth only",
            &[("search", "mtdf"), ("param", "table=same-depth")],
        ),
        Variant::new("pvs", &[("search", "pvs")]),
        Variant::new(
            "pvs without aspiration",
            &[("search", "pvs"), ("param", &no_window)],
        ),
    ]
}

/// A hand-made evaluation loses to the network; a longer search wins against it.
fn opponents(level: GameLevel) -> [Contender; 2] {
    let longer = match level {
        GameLevel::MoveTime(time) => GameLevel::MoveTime(time * STRONGER),
        GameLevel::Nodes(nodes) => GameLevel::Nodes(nodes.saturating_mul(STRONGER.into())),
        // A clock or a depth for both: only the driver differs.
        level => level,
    };
    let contender =
        |name: &str, changes: &[_], level| Contender::new(Variant::new(name, changes), level);
    [
        contender("weaker", &[("weights", "handmade")], level),
        contender("stronger", &[("search", "pvs")], longer),
    ]
}

/// All pairings of the match part.
fn pairings(plan: &Plan) -> Vec<[Contender; 2]> {
    let level = plan.matches.level;
    let [weaker, stronger] = opponents(level);
    let all = drivers().into_iter();
    let all: Vec<Contender> = all.map(|variant| Contender::new(variant, level)).collect();
    let players = match plan.quick {
        true => &all[..QUICK],
        false => &all[..],
    };
    let against = |opponent: &Contender| -> Vec<[Contender; 2]> {
        let pair = |player: &Contender| [player.clone(), opponent.clone()];
        players.iter().map(pair).collect()
    };
    let mut pairings = against(&weaker);
    if !plan.quick {
        pairings.extend(against(&stronger));
    }
    for (index, first) in players.iter().enumerate() {
        let later = &players[index + 1..];
        pairings.extend(later.iter().map(|second| [first.clone(), second.clone()]));
    }
    pairings
}

/// Games of all matches.
pub(super) fn games(plan: &Plan) -> Result<usize, LabError> {
    Ok(pairings(plan).len() * plan.matches.games()? as usize)
}

pub(super) fn run(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let pairings = pairings(plan);
    let games = plan.matches.games()? as usize;
    let matches = Matches::new(&plan.matches, &plan.engine)?;
    let mut scores = Vec::new();
    for (index, [first, second]) in pairings.iter().enumerate() {
        let mut told = |done| progress(index * games + done);
        scores.push(matches.play([first, second], &mut told)?);
    }
    let played = pairings.len() * games;
    let mut findings = cost::run(plan, positions, drivers(), &mut |done| {
        progress(played + done)
    })?;
    let searches = findings.tables.split_off(0);
    findings.tables = vec![
        results(plan, &pairings, &scores),
        by_program(&pairings, &scores),
    ];
    findings.tables.extend(where_detected(&scores));
    findings.tables.extend(searches);
    let drivers = match plan.quick {
        true => drivers()[..QUICK].to_vec(),
        false => drivers(),
    };
    findings.tables.push(suite::run(plan, &drivers)?);
    Ok(findings)
}

/// Table 1.
fn results(plan: &Plan, pairings: &[[Contender; 2]], scores: &[MatchScore]) -> Grid {
    let row = |([first, second], found): (&[Contender; 2], &MatchScore)| {
        let [won, drawn, lost] = found.tally.wdl();
        let [own, others] = found.detections;
        vec![
            first.name().to_owned(),
            second.name().to_owned(),
            found.tally.games().to_string(),
            won.to_string(),
            lost.to_string(),
            drawn.to_string(),
            score(&found.tally),
            own.all.decisive.to_string(),
            others.all.decisive.to_string(),
        ]
    };
    Grid {
        title: format!(
            "Matches at {} a move, from three-move ballots with both colours. The weaker opponent has the hand-made \
             evaluation, the stronger one (pvs) searches {STRONGER} times as long. Decisive: searches whose move \
             comes from an iteration in which an inconsistency was detected, of the program and of the opponent; \
             pvs detects none.",
            plan.matches.level
        ),
        columns: vec![
            "program",
            "opponent",
            "games",
            "won",
            "lost",
            "drawn",
            "score (95 %)",
            "decisive",
            "decisive, opponent",
        ],
        rows: pairings.iter().zip(scores).map(row).collect(),
    }
}

/// What each program detected in all its games.
fn by_program(pairings: &[[Contender; 2]], scores: &[MatchScore]) -> Grid {
    let mut programs: Vec<(&str, u64, DetectionStats)> = Vec::new();
    for (pairing, found) in pairings.iter().zip(scores) {
        for (player, stats) in pairing.iter().zip(&found.detections) {
            let name = player.name();
            let games = found.tally.games();
            match programs.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, all, sum)) => {
                    *all += games;
                    sum.merge(stats);
                }
                None => programs.push((name, games, *stats)),
            }
        }
    }
    programs.retain(|(_, _, stats)| stats.any());
    let row = |(name, games, stats): &(&str, u64, DetectionStats)| {
        let [won, drawn, lost] = stats.decisive_games;
        let with = won + drawn + lost;
        vec![
            (*name).to_owned(),
            stats.all.searches.to_string(),
            stats.all.detections.to_string(),
            one_in(stats.all.searches, stats.all.detections),
            stats.all.decisive.to_string(),
            one_in(stats.all.searches, stats.all.decisive),
            one_in(*games, with),
            format!("+{won} ={drawn} -{lost}"),
            DetectionStats::score(stats.decisive_games)
                .map_or_else(String::new, |score| format!("{:.1} %", 100.0 * score)),
        ]
    };
    Grid {
        title: "Inconsistencies detected, in all matches of each program, how often in its searches and games, and its \
                results in the games in which at least one was decisive."
            .to_owned(),
        columns: vec![
            "program",
            "searches",
            "detections",
            "detected in",
            "decisive",
            "decisive in",
            "games with a decisive one",
            "their results",
            "their score",
        ],
        rows: programs.iter().map(row).collect(),
    }
}

/// In which phase of the game they are, and at which scores.
fn where_detected(scores: &[MatchScore]) -> [Grid; 2] {
    let mut sum = DetectionStats::default();
    for stats in scores.iter().flat_map(|found| &found.detections) {
        // Programs that cannot detect any say nothing about where they are.
        if stats.any() {
            sum.merge(stats);
        }
    }
    let row = |name: String, counts: &DetectionCounts| {
        vec![
            name,
            counts.searches.to_string(),
            counts.detections.to_string(),
            one_in(counts.searches, counts.detections),
            counts.decisive.to_string(),
            one_in(counts.searches, counts.decisive),
        ]
    };
    let grid = |title: &str, first, rows| Grid {
        title: title.to_owned(),
        columns: vec![
            first,
            "searches",
            "detections",
            "detected in",
            "decisive",
            "decisive in",
        ],
        rows,
    };
    let phases = DetectionStats::PIECES.iter().zip(&sum.by_pieces);
    let phases = phases.map(|(most, counts)| row(format!("up to {most}"), counts));
    let below = DetectionStats::SCORES.map(|bound| format!("below {bound:+.1}"));
    let last = format!("{:+.1} and more", DetectionStats::SCORES[3]);
    let classes = below.into_iter().chain([last]).zip(&sum.by_score);
    let classes = classes.map(|(name, counts)| row(name, counts));
    [
        grid(
            "Where they are detected: by the pieces on the board.",
            "pieces",
            phases.collect(),
        ),
        grid(
            "By the score of the search, in men; each class begins where the one before ends.",
            "score",
            classes.collect(),
        ),
    ]
}

/// `1 : 627`.
fn one_in(all: u64, some: u64) -> String {
    match some {
        0 => String::new(),
        some => format!("1 : {:.0}", all as f64 / some as f64),
    }
}
