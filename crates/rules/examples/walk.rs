//! Walks the tree of legal moves from the start position, as a user of the library does: `walk [DEPTH]`. Prints the
//! millions of moves per second with a list that is kept, with lists that are returned, and of `perft`.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use damier_rules::perft::perft;
use damier_rules::{MoveList, Position};
use std::error::Error;
use std::time::Instant;

/// With one list for each depth, filled again for each position.
fn kept(position: &Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    position.legal_moves_into(list);
    list.iter()
        .map(|&mv| kept(&position.play(mv), deeper))
        .sum()
}

fn returned(position: &Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    moves
        .iter()
        .map(|&mv| returned(&position.play(mv), depth - 1))
        .sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args()
        .nth(1)
        .map_or(Ok(8), |depth| depth.parse::<u8>())?;
    let start = Position::start();
    let mut lists = vec![MoveList::new(); depth.into()];
    let timed = |name: &str, count: &mut dyn FnMut() -> u64| {
        let began = Instant::now();
        let moves = count();
        let speed = moves as f64 / began.elapsed().as_secs_f64() / 1e6;
        println!("{name:18} {moves} moves, {speed:.0} million a second");
    };
    timed("legal_moves_into", &mut || kept(&start, &mut lists));
    timed("legal_moves", &mut || returned(&start, depth.into()));
    timed("perft", &mut || perft(&start, depth.into()));
    Ok(())
}
