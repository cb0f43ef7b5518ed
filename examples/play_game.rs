//! Plays a game of the engine against itself, each move on the engine's own thread, and prints it as PDN.
//!
//!     cargo run --release --example play_game 0.05

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use damier::board::Color;
use damier::engine::{Engine, Job, Level, Options, ThinkEvent, Thread};
use damier::notation::pdn;
use damier::rules::{Game, Position, Status};
use std::error::Error;
use std::io;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const LONGEST_GAME: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let seconds: f64 = std::env::args()
        .nth(1)
        .map_or(Ok(0.02), |text| text.parse())?;
    let level = Level::move_time(Duration::try_from_secs_f64(seconds)?);

    let (events, inbox) = channel();
    let engine = Engine::new(Options::default())?;
    let mut thread = Thread::start(engine, move |_, event| {
        // The main thread listens until the game is over.
        let _ = events.send(event);
    })?;

    let mut game = Game::new(Position::start());
    while game.status() == Status::Playing && game.moves().len() < LONGEST_GAME {
        thread.run(Job::new(game.clone(), level), Instant::now());
        let outcome = loop {
            match inbox.recv()? {
                ThinkEvent::Report(_) => {}
                ThinkEvent::Done(outcome) => break outcome,
                ThinkEvent::Failed(why) => return Err(why.into()),
            }
        };
        game.play(outcome.best.ok_or("no move in a game that goes on")?);
    }
    thread.quit();

    let mut record = pdn::Game::new(*game.start());
    record.tags = [
        ("Event", "Example"),
        ("White", "Damier"),
        ("Black", "Damier"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    record.moves = game.moves().iter().map(|&mv| mv.into()).collect();
    record.result = match game.status() {
        Status::WonBy(Color::White) => pdn::Outcome::White,
        Status::WonBy(Color::Black) => pdn::Outcome::Black,
        Status::Drawn(_) => pdn::Outcome::Draw,
        Status::Playing => pdn::Outcome::Unknown,
    };
    record.write(&mut io::stdout().lock())?;
    println!();
    Ok(())
}
