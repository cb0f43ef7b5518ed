//! A pair of games between two sets of parameters, within this process.

use damier_arena::schedule::openings::Opening;
use damier_endgame::Tables;
use damier_engine::search::Control;
use damier_engine::{Engine, Job, Level};
use damier_rules::board::Color;
use damier_training::dataset::End;
use damier_training::selfplay::Judge;
use std::sync::Arc;

/// Longer games are drawn.
const MOST_PLIES: usize = 400;
/// Hundredths of a man by which three searches of each side must agree on who wins.
const AGREED: u32 = 600;

/// Plays an opening with both colours: games won less games lost by the first engine. None if stopped.
pub(super) fn play_pair(
    engines: &mut [Engine; 2],
    opening: &Opening,
    nodes: u64,
    control: &Control,
) -> Option<i32> {
    let mut result = 0;
    for white in [0, 1] {
        let winner = play(engines, white, opening, nodes, control)?;
        result += winner.map_or(0, |color| match (color == Color::White) == (white == 0) {
            true => 1,
            false => -1,
        });
    }
    Some(result)
}

/// Plays a game in which the engine of this number is white. None if stopped.
fn play(
    engines: &mut [Engine; 2],
    white: usize,
    opening: &Opening,
    nodes: u64,
    control: &Control,
) -> Option<Option<Color>> {
    let tables: Arc<Tables> = Arc::clone(engines[0].tables());
    let mut judge = Judge::new(AGREED, engines[0].options().bb_size as u8, &tables);
    engines.iter_mut().for_each(Engine::new_game);
    let mut game = opening.game();
    loop {
        if let Some((_, winner)) = End::of(&game).or_else(|| judge.exact(&game)) {
            return Some(winner);
        }
        if game.moves().len() >= MOST_PLIES {
            return Some(None);
        }
        let turn = game.position().turn();
        let mover = match turn {
            Color::White => white,
            Color::Black => 1 - white,
        };
        let legal = game.position().legal_moves();
        let mv = if let [only] = legal.as_slice() {
            *only
        } else {
            let job = Job::new(game.clone(), Level::nodes(nodes));
            let outcome = engines[mover].run(&job, control, &mut ());
            if control.is_stopped() {
                return None;
            }
            if let Some((_, winner)) = judge.verdict(turn, outcome.whole) {
                return Some(winner);
            }
            outcome.best.unwrap_or(legal[0])
        };
        game.play(mv);
    }
}
