use super::*;
use damier_engine::search::Detections;
use damier_rules::Position;
use damier_rules::notation::moves;
use std::time::Duration;

fn play(game: &mut Game, texts: &str) {
    for text in texts.split_whitespace() {
        let mv = moves::parse(game.position(), text).expect(text);
        game.play(mv);
    }
}

#[test]
fn one_player_alone_decides_no_game() {
    let ply = |mv, score| PlyRecord {
        mv,
        score: Some(score),
        depth: None,
        nodes: None,
        detections: Detections::default(),
        elapsed: Duration::ZERO,
        overshoot: None,
    };
    let mut judge = ScoreAdjudicator::new(5.0, 1);
    let mut game = Game::new(Position::start());
    let mut verdict = |text: &str, score| {
        play(&mut game, text);
        let mv = *game.moves().last().expect("a move");
        judge.decide(&game, Some(&ply(mv, score)))
    };
    assert_eq!(verdict("32-28", 9.0), None);
    assert_eq!(verdict("19-23", 0.5), None);
    assert_eq!(verdict("28x19", 9.0), None);
    let won = Some((GameOutcome::Won(Color::White), Ending::Scores));
    assert_eq!(verdict("14x23", -9.0), won);
}
