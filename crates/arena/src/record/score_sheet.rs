//! A game as PDN.

use super::{GameOutcome, GameRecord, PlyRecord};
use crate::level::GameLevel;
use crate::schedule::GamePair;
use damier_engine::search::Detections;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{self, Annotated};

/// A game with names and comments. If the journal does not say when the game began, site and date are left out, as in
/// PDN files written along with such journals.
pub(crate) fn game(
    pair: &GamePair,
    game: &GameRecord,
    names: [&str; 2],
    levels: [GameLevel; 2],
) -> pdn::Game {
    let [white, black] = names;
    let [white_level, black_level] = levels.map(|level| level.to_string());
    let mut tags = vec![("Event", "damier match".to_owned())];
    if let Some(began) = game.began {
        tags.push(("Site", "?".to_owned()));
        tags.push(("Date", pdn::date(began)));
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
    for (color, tag) in [
        (Color::White, "WhiteDetections"),
        (Color::Black, "BlackDetections"),
    ] {
        tags.extend(detections(pair, game, color).map(|counts| (tag, counts)));
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

/// The searches of a side, those in which it detected inconsistencies, and those in which one decided the move; none
/// where it reported no inconsistency.
fn detections(pair: &GamePair, game: &GameRecord, color: Color) -> Option<String> {
    let opening = &pair.opening;
    let first = match opening.moves.len() % 2 {
        0 => opening.start.turn(),
        _ => !opening.start.turn(),
    };
    let own = game.plies.iter().skip(usize::from(first != color));
    let own: Vec<Detections> = own.step_by(2).map(|ply| ply.detections).collect();
    let count = |what: fn(&Detections) -> bool| own.iter().filter(|&each| what(each)).count();
    let (detected, decisive) = (count(|each| each.any()), count(|each| each.decisive));
    let searches = own.len();
    (detected > 0).then(|| format!("searches={searches} detected={detected} decisive={decisive}"))
}

/// What a player reported with its move: score in men from its side, depth, nodes, detections, seconds.
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
    if ply.detections.any() {
        words.push(format!("detections={}", ply.detections));
    }
    words.push(format!("time={:.3}", ply.elapsed.as_secs_f64()));
    words.join(" ")
}
