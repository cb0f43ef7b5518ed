//! What was detected in each pairing, and how the players fared in the games with a detection.

use super::super::Grid;
use super::super::matches::{MatchScore, score};
use crate::{LabError, asked_to_end};
use damier_analysis::Stop;
use damier_analysis::losses::Finder;
use damier_arena::level::GameLevel;
use damier_arena::record::GameRecord;
use damier_arena::schedule::GamePair;
use damier_arena::standings::statistics::Tally;
use damier_arena::standings::{DetectionCounts, DetectionStats};
use damier_rules::GameResult;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{self, Outcome};

/// What was played of a pairing.
pub(super) struct Played {
    /// The players.
    pub names: [String; 2],
    /// Games of the whole match.
    pub planned: u64,
    /// Games that are over.
    pub games: Vec<(GamePair, GameRecord)>,
    /// Result of these games.
    pub score: MatchScore,
}

/// The tables of these matches.
pub(super) fn tables(found: &[Played], level: GameLevel, opponents: &str) -> Vec<Grid> {
    vec![
        results(found, level, opponents),
        detections(found),
        by_game(found),
        by_phase(found),
        by_score(found),
    ]
}

/// Lost games in which a move came from an inconsistency, and whether such a move lost them.
pub(super) fn losses(found: &[Played], finder: &mut Finder) -> Result<Grid, LabError> {
    let mut rows = Vec::new();
    for match_ in found {
        for player in 0..2 {
            let [mut lost, mut moves, mut decisive] = [0; 3];
            for (pair, game) in &match_.games {
                let seats = pair.seats(game.id.leg());
                let color = Color::BOTH[usize::from(seats[1] == player)];
                let first = pair.opening.position().turn();
                let is_decisive = |ply: usize| {
                    let turn = if ply.is_multiple_of(2) { first } else { !first };
                    turn == color && game.plies[ply].detections.decisive
                };
                let any = (0..game.plies.len()).any(is_decisive);
                if !any || game.outcome.of(color) != GameResult::Loss {
                    continue;
                }
                if asked_to_end() {
                    return Err(LabError::Interrupted);
                }
                lost += 1;
                let pdn = pdn::Game {
                    moves: game.plies.iter().map(|ply| ply.mv.into()).collect(),
                    result: match color {
                        Color::White => Outcome::Black,
                        Color::Black => Outcome::White,
                    },
                    ..pdn::Game::new(pair.opening.position())
                };
                let found = finder.find(&pdn, &Stop::new());
                let found = found.map_err(|_| LabError::Interrupted)?;
                if let Some(losing) = found {
                    moves += 1;
                    decisive += u32::from(is_decisive(losing.ply));
                }
            }
            if match_.score.detections[player].any() {
                let names = [player, 1 - player].map(|index| match_.names[index].clone());
                let counts = [lost, moves, decisive].map(|count: u32| count.to_string());
                rows.push([&names[..], &counts].concat());
            }
        }
    }
    Ok(Grid {
        title: "Lost games with a decisive detection: in how many `losses` finds one move that lost the game, and in \
                how many that move is one with a decisive detection. The others were lost little by little."
            .to_owned(),
        columns: vec![
            "program",
            "opponent",
            "lost with a decisive one",
            "with a losing move",
            "which is decisive",
        ],
        rows,
    })
}

fn results(found: &[Played], level: GameLevel, opponents: &str) -> Grid {
    let row = |played: &Played| {
        let found = &played.score;
        let [first, second] = &played.names;
        let [won, drawn, lost] = found.tally.wdl();
        let both = found.both_decisive;
        vec![
            first.clone(),
            second.clone(),
            match found.tally.games() {
                games if games == played.planned => games.to_string(),
                games => format!("{games} of {}", played.planned),
            },
            won.to_string(),
            lost.to_string(),
            drawn.to_string(),
            score(&found.tally),
            found.detections[0].all.decisive.to_string(),
            found.detections[1].all.decisive.to_string(),
            games_of(both),
            faults(&played.games).to_string(),
        ]
    };
    Grid {
        title: format!(
            "Matches at {level} a move, from ballots with both colours. {opponents} Decisive: searches whose move \
             comes from an iteration in which an inconsistency was detected, of the program and of the opponent. \
             Both: games in which both programs had one, with their results. pvs and other engines detect none. \
             Faults: games that ended by a crash, silence or a late move, whose results count."
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
            "both",
            "faults",
        ],
        rows: found.iter().map(row).collect(),
    }
}

/// The players that detected anything, with their matches.
fn detecting(found: &[Played]) -> impl Iterator<Item = (Vec<String>, &DetectionStats, [u64; 3])> {
    let players = found.iter().flat_map(|played| {
        let [first, second] = &played.names;
        let [own, others] = &played.score.detections;
        let tally = &played.score.tally;
        [
            (vec![first.clone(), second.clone()], own, tally.wdl()),
            (
                vec![second.clone(), first.clone()],
                others,
                tally.reversed().wdl(),
            ),
        ]
    });
    players.filter(|(_, stats, _)| stats.any())
}

fn detections(found: &[Played]) -> Grid {
    let row = |(mut cells, stats, _): (Vec<String>, &DetectionStats, _)| {
        let DetectionCounts {
            searches,
            detections,
            decisive,
        } = stats.all;
        cells.extend([
            searches.to_string(),
            detections.to_string(),
            one_in(searches, detections),
            decisive.to_string(),
            one_in(searches, decisive),
        ]);
        cells
    };
    Grid {
        title: "Detections by search.".to_owned(),
        columns: vec![
            "program",
            "opponent",
            "searches",
            "detections",
            "detected in",
            "decisive",
            "decisive in",
        ],
        rows: detecting(found).map(row).collect(),
    }
}

fn by_game(found: &[Played]) -> Grid {
    let row = |(mut cells, stats, all): (Vec<String>, &DetectionStats, [u64; 3])| {
        let games: u64 = all.iter().sum();
        let with = stats.decisive_games;
        let without: Vec<u64> = all.iter().zip(with).map(|(all, with)| all - with).collect();
        cells.extend([
            stats.games.iter().sum::<u64>().to_string(),
            with.iter().sum::<u64>().to_string(),
            one_in(games, with.iter().sum()),
            games_of(with),
            score(&singles(&with)),
            score(&singles(&without)),
        ]);
        cells
    };
    Grid {
        title: "Detections by game: games with any, games with a decisive one, their results, and the scores in these \
                and in the other games, each with its 95 % interval."
            .to_owned(),
        columns: vec![
            "program",
            "opponent",
            "games with any",
            "with a decisive one",
            "one in",
            "their results",
            "their score",
            "score in the others",
        ],
        rows: detecting(found).map(row).collect(),
    }
}

fn by_phase(found: &[Played]) -> Grid {
    let row = |(mut cells, stats, _): (Vec<String>, &DetectionStats, _)| {
        cells.extend(stats.by_pieces.iter().map(decisive));
        cells
    };
    Grid {
        title: "Decisive detections and how often they come, by the pieces on the board."
            .to_owned(),
        columns: vec![
            "program", "opponent", "up to 10", "11 to 20", "21 to 30", "31 to 40",
        ],
        rows: detecting(found).map(row).collect(),
    }
}

fn by_score(found: &[Played]) -> Grid {
    let row = |(mut cells, stats, _): (Vec<String>, &DetectionStats, _)| {
        cells.extend(stats.by_score.iter().map(decisive));
        cells
    };
    Grid {
        title: "The same by the score of the search, in men for the side to move.".to_owned(),
        columns: vec![
            "program",
            "opponent",
            "below -1",
            "-1 to -0.3",
            "-0.3 to +0.3",
            "+0.3 to +1",
            "+1 and more",
        ],
        rows: detecting(found).map(row).collect(),
    }
}

/// Games that a fault ended.
fn faults(games: &[(GamePair, GameRecord)]) -> usize {
    let ended = |(_, game): &&(GamePair, GameRecord)| game.fault.is_some();
    games.iter().filter(ended).count()
}

/// `12 (1 : 340)`.
fn decisive(counts: &DetectionCounts) -> String {
    match counts.decisive {
        0 => "0".to_owned(),
        decisive => format!("{decisive} ({})", one_in(counts.searches, decisive)),
    }
}

/// `+3 =1 -0`.
fn games_of([won, drawn, lost]: [u64; 3]) -> String {
    format!("+{won} ={drawn} -{lost}")
}

/// Games that are no pairs.
fn singles(wdl: &[u64]) -> Tally {
    let mut tally = Tally::new();
    let results = [GameResult::Win, GameResult::Draw, GameResult::Loss];
    for (&count, result) in wdl.iter().zip(results) {
        (0..count).for_each(|_| tally.add_single(result));
    }
    tally
}

/// `1 : 627`.
fn one_in(all: u64, some: u64) -> String {
    match some {
        0 => String::new(),
        some => format!("1 : {:.0}", all as f64 / some as f64),
    }
}
