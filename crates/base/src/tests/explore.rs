//! What the explorer counts.

use super::*;

#[test]
fn an_explorer_counts_what_was_played() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    let explored = base
        .explore(&Search::default(), &Position::start())
        .unwrap();
    let told: Vec<_> = explored
        .moves
        .iter()
        .map(|mv| (&*mv.text, mv.tally.games, mv.score, mv.last_game))
        .collect();
    assert_eq!(
        told,
        [
            ("32-28", 2, Some(0.75), Some(2)),
            ("33-28", 1, Some(0.0), Some(3))
        ]
    );
    assert_eq!(
        (
            explored.tally.games,
            explored.tally.white,
            explored.tally.draws
        ),
        (3, 1, 1)
    );
    let explored = base.explore(&Search::default(), &after("32-28")).unwrap();
    assert_eq!(
        (explored.moves[0].text.as_str(), explored.moves[0].score),
        ("19-23", Some(0.25))
    );
    let only = Search {
        event: Some("brinta".into()),
        ..Search::default()
    };
    assert_eq!(
        base.explore(&only, &Position::start()).unwrap().tally.games,
        2
    );
    // Where a game ends there is no move.
    let end = base
        .explore(&Search::default(), &after("33-28 19-23 28x19 14x23"))
        .unwrap();
    assert_eq!((end.tally.games, end.moves.len()), (1, 0));
    let mut query = base
        .query(&Search {
            position: Some(after("32-28 19-23")),
            ..Search::default()
        })
        .unwrap();
    let hit = query.hits().unwrap().next().unwrap().unwrap();
    assert_eq!(
        (hit.ply, hit.next.map(|mv| mv.to_string())),
        (Some(2), Some("28x19x23".to_owned()))
    );
}
