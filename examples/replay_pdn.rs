//! Replays the games of a PDN file and prints how each one ended on the board, beside the result in the file.
//!
//!     cargo run --release --example replay_pdn games.pdn

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use damier::notation::{fen, pdn};
use damier::rules::{Game, Status};
use std::error::Error;

/// Used when no file is named: White gives three men and takes four, and Black resigns.
const SAMPLE: &str = r#"[White "Example"]
[Black "Opponent"]
[Result "2-0"]
[FEN "W:W27,31,32,33,34,35,41,43,44,46,47,48,49,50:B1,2,3,8,9,12,13,14,18,22,23,25"]

1. 33-28 22x33 2. 34-30 25x34 3. 43-39 34x43 4. 48x10 9-14 5. 10x19 13x24 *
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = match std::env::args_os().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => SAMPLE.as_bytes().to_vec(),
    };
    let mut damaged = 0;
    for (number, game) in (1..).zip(pdn::read(&pdn::decode(&bytes))) {
        match game {
            Ok(game) => replay(number, &game),
            Err(error) => {
                damaged += 1;
                println!("game {number}: {error}");
            }
        }
    }
    match damaged {
        0 => Ok(()),
        _ => Err(format!("games that cannot be read: {damaged}").into()),
    }
}

fn replay(number: usize, record: &pdn::Game) {
    let mut game = Game::new(record.start);
    record.moves.iter().for_each(|played| game.play(played.mv));
    let ending = match game.status() {
        Status::Playing => "not decided on the board".to_owned(),
        Status::WonBy(color) => format!("won by {color}"),
        Status::Drawn(rule) => format!("drawn: {rule}"),
    };
    let name = |tag| record.tag(tag).unwrap_or("?");
    println!(
        "game {number}: {} - {}, {} plies, result {}, {ending}\n  {}",
        name("White"),
        name("Black"),
        game.moves().len(),
        record.result.text(),
        fen::format(game.position())
    );
}
