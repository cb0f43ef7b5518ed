//! What was detected in each pairing, and how the players fared in the games with a detection.

use super::super::Grid;
use super::super::matches::{MatchScore, score};
use super::one_in;
use damier_arena::GameResult;
use damier_arena::level::GameLevel;
use damier_arena::standings::statistics::Tally;
use damier_arena::standings::{DetectionCounts, DetectionStats};

/// The tables of these matches.
pub(super) fn tables(found: &[([String; 2], MatchScore)], level: GameLevel) -> Vec<Grid> {
    vec![
        results(found, level),
        detections(found),
        by_game(found),
        by_phase(found),
        by_score(found),
    ]
}

fn results(found: &[([String; 2], MatchScore)], level: GameLevel) -> Grid {
    let row = |([first, second], found): &([String; 2], MatchScore)| {
        let [won, drawn, lost] = found.tally.wdl();
        let both = found.both_decisive;
        vec![
            first.clone(),
            second.clone(),
            found.tally.games().to_string(),
            won.to_string(),
            lost.to_string(),
            drawn.to_string(),
            score(&found.tally),
            found.detections[0].all.decisive.to_string(),
            found.detections[1].all.decisive.to_string(),
            games_of(both),
        ]
    };
    Grid {
        title: format!(
            "Matches at {level} a move, from ballots with both colours. Decisive: searches whose move comes from an \
             iteration in which an inconsistency was detected, of the program and of the opponent. Both: games in \
             which both programs had one, with their results. pvs and other engines detect none."
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
        ],
        rows: found.iter().map(row).collect(),
    }
}

/// The players that detected anything, with their matches.
fn detecting(
    found: &[([String; 2], MatchScore)],
) -> impl Iterator<Item = (Vec<String>, &DetectionStats, [u64; 3])> {
    let players = found.iter().flat_map(|([first, second], found)| {
        let mut reversed = found.tally.wdl();
        reversed.reverse();
        [
            (
                vec![first.clone(), second.clone()],
                &found.detections[0],
                found.tally.wdl(),
            ),
            (
                vec![second.clone(), first.clone()],
                &found.detections[1],
                reversed,
            ),
        ]
    });
    players.filter(|(_, stats, _)| stats.any())
}

fn detections(found: &[([String; 2], MatchScore)]) -> Grid {
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

fn by_game(found: &[([String; 2], MatchScore)]) -> Grid {
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

fn by_phase(found: &[([String; 2], MatchScore)]) -> Grid {
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

fn by_score(found: &[([String; 2], MatchScore)]) -> Grid {
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
