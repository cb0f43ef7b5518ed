//! Asks the endgame tables inside the program about a position and each of its moves.
//!
//!     cargo run --release --example probe_tables "W:WK1,K2:BK45"

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use damier::endgame::{Advice, MAX_PIECES, Tables, View};
use damier::notation::{fen, moves};
use damier::rules::Game;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let game = Game::new(fen::parse(text.as_deref().unwrap_or("W:WK1,K2:BK45"))?);
    // A folder of larger tables could be named here.
    let tables = Tables::open(None)?;
    let view = View::new(&tables, MAX_PIECES);
    let advice = Advice::on(&view, game.position(), &game.clock())
        .ok_or("the tables do not have this position")?;
    println!("{}: {}", fen::format(game.position()), advice.value);
    for mv in &advice.moves {
        println!("  {:8} {}", moves::short(game.position(), mv.mv), mv.value);
    }
    Ok(())
}
