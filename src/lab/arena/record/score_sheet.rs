//! A game as PDN.

use super::{GameOutcome, GameRecord, PlyRecord};
use crate::board::Color;
use crate::lab::arena::level::Level;
use crate::lab::arena::schedule::GamePair;
use crate::notation::pdn::{self, Annotated};

const SECONDS_OF_A_DAY: u64 = 86_400;

/// A game with names and comments. Games of journals that do not say when a game began have no site and no date, as in the
/// PDN files that were written with these journals.
pub(in crate::lab::arena) fn game(
    pair: &GamePair,
    game: &GameRecord,
    names: [&str; 2],
    levels: [Level; 2],
) -> pdn::Game {
    let [white, black] = names;
    let [white_level, black_level] = levels.map(|level| level.to_string());
    let mut tags = vec![("Event", "damier match".to_owned())];
    if let Some(began) = game.began {
        tags.push(("Site", "?".to_owned()));
        tags.push(("Date", date(began)));
    }
    tags.extend([
        ("Round", game.id.number().to_string()),
        ("White", white.to_owned()),
        ("Black", black.to_owned()),
        ("Opening", pair.opening.name.clone()),
        ("WhiteLevel", white_level),
        ("BlackLevel", black_level),
        ("Termination", game.ending.name().to_owned()),
    ]);
    if let Some(fault) = &game.fault {
        let who = names[fault.color.index()];
        tags.push(("Fault", format!("{who} {}", fault.what)));
    }
    let tag = |(name, value): (&str, String)| (name.to_owned(), value);
    let opening = pair.opening.moves.iter().map(|&mv| Annotated::from(mv));
    let played = game.plies.iter().map(|ply| Annotated {
        comment: Some(comment(ply)),
        ..ply.mv.into()
    });
    pdn::Game {
        tags: tags.into_iter().map(tag).collect(),
        moves: opening.chain(played).collect(),
        result: match game.outcome {
            GameOutcome::Won(Color::White) => pdn::Outcome::White,
            GameOutcome::Drawn => pdn::Outcome::Draw,
            GameOutcome::Won(Color::Black) => pdn::Outcome::Black,
        },
        ..pdn::Game::new(pair.opening.start)
    }
}

/// What a player reported with its move: score in men from its side, depth, nodes, seconds.
fn comment(ply: &PlyRecord) -> String {
    let mut words = Vec::new();
    if let Some(score) = ply.score {
        words.push(format!("score={score:+.2}"));
    }
    if let Some(depth) = ply.depth {
        words.push(format!("depth={depth}"));
    }
    if let Some(nodes) = ply.nodes {
        words.push(format!("nodes={nodes}"));
    }
    words.push(format!("time={:.3}", ply.elapsed.as_secs_f64()));
    words.join(" ")
}

/// The day in UTC of a time in seconds since 1970, as PDN writes it: `2026.11.22`. Years begin in March here, so that the
/// leap day is the last (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn date(seconds: u64) -> String {
    // Days since 1 March of the year 0, in eras of 400 years.
    let days = seconds / SECONDS_OF_A_DAY + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year + next_year)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_those_of_the_calendar() {
        // From `date -u -d @SECONDS`.
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_709_164_800, "2024.02.29"),
            (1_767_225_599, "2025.12.31"),
            (1_767_225_600, "2026.01.01"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }
}
