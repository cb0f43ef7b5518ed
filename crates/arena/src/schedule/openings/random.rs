//! Random moves after an opening.

use super::Opening;
use super::material::Material;
use damier_engine::rng::Rng;
use damier_rules::{Move, Position, Status};

/// Number of lines tried.
const TRIES: usize = 100;
/// Quiet moves to look ahead for the loss of a man: enough for simple shots.
const LOOK_AHEAD: u32 = 2;

/// The opening with this many random moves appended, each legal move equally likely. The game is not over after any of
/// them. With `sound`, no move loses a man at once to a shot or an attack.
///
/// The same random numbers give the same moves. None if the game ends early in every line tried.
pub fn random_plies(
    opening: &Opening,
    plies: usize,
    sound: bool,
    rng: &mut Rng,
) -> Option<Opening> {
    (0..TRIES).find_map(|_| try_line(opening, plies, sound, rng))
}

fn try_line(opening: &Opening, plies: usize, sound: bool, rng: &mut Rng) -> Option<Opening> {
    let mut game = opening.game();
    let mut material = Material::default();
    for _ in 0..plies {
        let position = *game.position();
        let mut legal: Vec<Move> = position.legal_moves().to_vec();
        rng.shuffle(&mut legal);
        let goes_on = legal.into_iter().find(|&mv| {
            if sound && loses_a_man(&mut material, &position, mv) {
                return false;
            }
            game.play(mv);
            let goes_on = game.status() == Status::Playing;
            game.take_back();
            goes_on
        });
        game.play(goes_on?);
    }
    let mut longer = opening.clone();
    longer.moves = game.moves().to_vec();
    Some(longer)
}

/// Whether the moving side has less material after the move than after its best one.
fn loses_a_man(material: &mut Material, position: &Position, mv: Move) -> bool {
    let base = Material::difference(position);
    let before = material.change(position, LOOK_AHEAD, base);
    -material.change(&position.play(mv), LOOK_AHEAD, -base) < before
}
