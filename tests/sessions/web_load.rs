//! Two hundred pages at once that play, analyse and judge.

use crate::web_client::{Page, Server};
use serde_json::{Value, json};
use std::env;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

const PLAYERS: u64 = 100;
const ANALYSTS: u64 = 60;
const JUDGES: u64 = 40;
const NOT_JUDGES: u64 = PLAYERS + ANALYSTS;
/// Seconds, unless the variable `LOAD_SECONDS` says otherwise.
const SECONDS: u64 = 60;
/// Seconds from which on memory may not grow.
const LONG: u64 = 400;
/// Moves after which a game begins anew.
const GAME: usize = 60;

/// A page and the chances by which it acts.
struct Person {
    page: Page,
    chance: u64,
    end: Instant,
}

impl Person {
    /// A number below `most`.
    fn draw(&mut self, most: u64) -> u64 {
        // The generator of Knuth's MMIX.
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % most
    }

    /// Waits as people do, for less than so many seconds.
    fn ponder(&mut self, most: u64) {
        let wait = Duration::from_millis(self.draw(most * 1000));
        thread::sleep(wait.min(self.end.saturating_duration_since(Instant::now())));
    }

    fn is_here(&self) -> bool {
        Instant::now() < self.end
    }

    /// Plays games against the engine; tells the seconds until a position was answered, which needs no engine, and by
    /// how many seconds a move exceeded its think time.
    fn play(&mut self, told: &Sender<[f64; 2]>) {
        let mut moves: Vec<Value> = Vec::new();
        while self.is_here() {
            self.ponder(4);
            let asked = Instant::now();
            let place = self
                .page
                .answer(json!({"type": "position", "moves": moves}));
            let position = asked.elapsed().as_secs_f64();
            let legal = place["legal"].as_array().expect("a list");
            if place["status"] != "playing" || moves.len() > GAME {
                moves.clear();
                continue;
            }
            let chosen = self.draw(legal.len() as u64) as usize;
            moves.push(legal[chosen]["move"].clone());
            let time = [0.1, 0.3, 0.5][self.draw(3) as usize];
            let asked = Instant::now();
            self.page
                .ask(json!({"type": "think", "moves": moves, "limit": {"time": time}}));
            let best = self.page.hear_a("best");
            let late = asked.elapsed().as_secs_f64() - time;
            told.send([position, late]).expect("a listener");
            match best["best"].is_string() {
                true => moves.push(best["best"].clone()),
                false => moves.clear(),
            }
        }
    }

    /// Analyses one position after the other.
    fn analyse(&mut self) {
        let mut moves: Vec<Value> = Vec::new();
        while self.is_here() {
            self.page
                .ask(json!({"type": "analyse", "moves": moves, "lines": 3}));
            self.ponder(6);
            self.page.ask(json!({"type": "stop"}));
            let best = self.page.hear_a("best");
            match best["best"].is_string() && moves.len() < GAME {
                true => moves.push(best["best"].clone()),
                false => moves.clear(),
            }
        }
    }

    /// Has games judged, which are lists of chances.
    fn judge(&mut self) {
        while self.is_here() {
            let mut moves: Vec<Value> = Vec::new();
            while moves.len() < GAME / 2 {
                let line: Vec<_> = moves.iter().map(|mv| mv["move"].clone()).collect();
                let place = self.page.answer(json!({"type": "position", "moves": line}));
                let legal = place["legal"].as_array().expect("a list");
                if legal.is_empty() {
                    break;
                }
                let chosen = self.draw(legal.len() as u64) as usize;
                moves.push(json!({"move": legal[chosen]["move"]}));
            }
            let game = json!({"moves": moves});
            self.page
                .ask(json!({"type": "annotate", "game": game, "nodes": 300}));
            let judged = self.page.hear_a("annotated");
            self.page
                .answer(json!({"type": "write_game", "game": judged["game"]}));
            self.ponder(10);
        }
    }
}

#[test]
#[ignore = "takes a minute, or LOAD_SECONDS: cargo test --release --test sessions -- --ignored web_load"]
fn two_hundred_pages_play_analyse_and_judge() {
    let seconds = env::var("LOAD_SECONDS").map_or(SECONDS, |text| text.parse().expect("seconds"));
    let server = Arc::new(Server::of(&["--engines", "2", "--tt-size", "18"]));
    let end = Instant::now() + Duration::from_secs(seconds);
    let (told, times) = channel();
    let people = (0..NOT_JUDGES + JUDGES).map(|number| {
        let told = told.clone();
        let page = server.page();
        let mut person = Person {
            page,
            chance: number,
            end,
        };
        let work = move || match number {
            0..PLAYERS => person.play(&told),
            PLAYERS..NOT_JUDGES => person.analyse(),
            _ => person.judge(),
        };
        let builder = thread::Builder::new().stack_size(512 << 10);
        builder.spawn(work).expect("a thread")
    });
    let people: Vec<_> = people.collect();
    drop(told);
    let mut memory = Vec::new();
    while Instant::now() < end {
        memory.extend(server.memory());
        thread::sleep(Duration::from_millis(500));
    }
    for person in people {
        person.join().expect("no panic");
    }
    let (mut positions, mut lateness) = (Vec::new(), Vec::new());
    for [position, late] in times.iter() {
        positions.push(position);
        lateness.push(late);
    }
    let moves = lateness.len();
    let [positions, lateness] = [&mut positions, &mut lateness].map(|times| {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[(times.len() as f64 * share) as usize];
        [at(0.5), at(0.99), at(0.999_999)]
    });
    let quarter = memory.len() / 4;
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or_default();
    let (early, late) = (
        most(&memory[quarter..2 * quarter]),
        most(&memory[3 * quarter..]),
    );
    let _ = writeln!(
        io::stderr(),
        "{moves} moves in {seconds} s; median, 99th percentile, slowest: {lateness:.2?} s beyond the think time, \
         {positions:.2?} s for a position; {early} MiB in the second quarter, {late} MiB in the last"
    );
    assert!(moves as u64 > PLAYERS, "all play");
    // What a busy machine delays on the way to the engine, to the scheduler and back is not the server's.
    assert!(lateness[1] < 1.0 + 3.0 * positions[1]);
    assert!(
        late < 200 && (seconds < LONG || late <= early + 16),
        "memory grows"
    );
}
