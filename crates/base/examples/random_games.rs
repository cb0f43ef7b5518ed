//! Games of chance as PDN, to measure bases with: legal moves, few of which are likely in an opening, with players,
//! events, dates and results as a collection has them.
//!
//! ```sh no-run
//! cargo run --release -p damier-base --example random_games -- 100000 >games.pdn
//! ```

use damier_rules::notation::moves;
use damier_rules::{Game, Position, Status};
use std::fmt::Write as _;
use std::io::{self, Write};

const PLAYERS: u64 = 2_000;
const EVENTS: u64 = 500;
/// Longer games are drawn.
const PLIES: usize = 160;

/// Random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }

    /// Small numbers are likely.
    fn small(&mut self, bound: u64) -> u64 {
        let bound = self.below(bound) + 1;
        self.below(bound)
    }
}

fn name(number: u64) -> String {
    const PARTS: [&str; 10] = [
        "ba", "ko", "sij", "wier", "tsi", "gant", "ver", "sla", "mé", "đu",
    ];
    let part = |place: u64| PARTS[(number / place % 10) as usize];
    format!(
        "{}{}{}{}, {}.",
        part(1),
        part(10),
        part(100),
        number / 1000,
        (b'A' + (number % 26) as u8) as char
    )
}

/// The moves of a game, and its result.
fn play(random: &mut Random) -> (String, &'static str) {
    let mut game = Game::new(Position::start());
    let mut text = String::new();
    for ply in 0..PLIES {
        match game.status() {
            Status::Playing => {}
            Status::WonBy(winner) => {
                return (text, if winner.index() == 0 { "2-0" } else { "0-2" });
            }
            Status::Drawn(_) => return (text, "1-1"),
        }
        let legal = game.position().legal_moves();
        let count = legal.len() as u64;
        // Openings have favourites.
        let choice = if ply < 12 {
            random.small(count)
        } else {
            random.below(count)
        };
        let mv = legal[choice as usize];
        if ply % 2 == 0 {
            // A String takes any text.
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        text.push_str(&moves::short(game.position(), mv));
        text.push(if ply % 12 == 11 { '\n' } else { ' ' });
        game.play(mv);
    }
    (text, "1-1")
}

fn main() -> io::Result<()> {
    let argument = |place| {
        std::env::args()
            .nth(place)
            .and_then(|text| text.parse().ok())
    };
    let count: u64 = argument(1).unwrap_or(1_000);
    let mut random = Random(argument(2).unwrap_or(1_u64).max(1));
    let mut out = io::BufWriter::new(io::stdout().lock());
    for number in 0..count {
        let (white, black) = (random.small(PLAYERS), random.small(PLAYERS));
        let (event, year) = (random.below(EVENTS), 1950 + random.below(76));
        let (month, day) = (random.below(12) + 1, random.below(28) + 1);
        let (moves, result) = play(&mut random);
        write!(
            out,
            "[Event \"Tournament {event}\"]\n[Site \"Town {}\"]\n[Date \"{year}.{month:02}.{day:02}\"]\n\
             [Round \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\n{moves}*\n\n",
            event % 90,
            number % 19 + 1,
            name(white),
            name(black),
        )?;
    }
    out.flush()
}
