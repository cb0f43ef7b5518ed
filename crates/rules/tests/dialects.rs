//! Games as programs, sites and people write them: random games in each dialect, read back.

use damier_rules::notation::moves;
use damier_rules::notation::pdn::{Game, Outcome, Stream, read};
use damier_rules::{Move, Position};
use std::fmt::Write;

/// Games of each dialect.
const GAMES: usize = 120;

/// A game that is to be written.
struct Played {
    moves: Vec<Move>,
    result: Outcome,
    number: usize,
}

/// How a program or a site writes games.
struct Dialect {
    name: &'static str,
    /// A tag; `N` stands for its name and `V` for its value.
    tag: &'static str,
    /// What stands before the tags, and behind the moves.
    around: [&'static str; 2],
    end_of_line: &'static str,
    /// White's number; `N` stands for it. Nothing where moves have none.
    number: &'static str,
    /// Whether Black's moves have it too, with dots.
    is_doubled: bool,
    /// Between squares of a quiet move, and of a capture.
    signs: [&'static str; 2],
    /// Whether captures name every square.
    has_routes: bool,
    /// Behind some moves.
    marks: &'static [&'static str],
    /// White won, a draw, Black won, unknown.
    results: [&'static str; 4],
    /// Whether the result stands in its tag, and behind the moves.
    result_in: [bool; 2],
    /// Other tags.
    tags: &'static [(&'static str, &'static str)],
    /// Moves in a line.
    per_line: usize,
}

const STANDARD: Dialect = Dialect {
    name: "PDN 3.0",
    tag: "[N \"V\"]",
    around: ["", ""],
    end_of_line: "\n",
    number: "N. ",
    is_doubled: false,
    signs: ["-", "x"],
    has_routes: false,
    marks: &[
        "",
        "",
        "",
        " $1",
        " {why not}",
        "!",
        " (1. 32-28 is no move here)",
    ],
    results: ["2-0", "1-1", "0-2", "*"],
    result_in: [true, false],
    tags: &[("GameType", "20,W,10,10,N2,0")],
    per_line: 8,
};

const DIALECTS: [Dialect; 11] = [
    STANDARD,
    Dialect {
        name: "toernooibase",
        tag: "[N V]",
        end_of_line: "\r\n",
        number: "N.",
        marks: &[""],
        result_in: [true, true],
        per_line: 1000,
        ..STANDARD
    },
    Dialect {
        name: "lidraughts",
        marks: &[" { [%clock w0:02:59 B0:03:00] }", " { [%eval 0.12] }", "?!"],
        results: ["2-0", "1-1", "0-2", "*"],
        result_in: [true, true],
        tags: &[
            ("GameType", "20"),
            ("Variant", "Standard"),
            ("TimeControl", "180+2"),
            ("Site", "https://lidraughts.org/AbCd1234"),
        ],
        per_line: 1000,
        ..STANDARD
    },
    Dialect {
        name: "Turbo Dambase",
        end_of_line: "\r\n",
        number: "N. ",
        results: ["1-0", "1/2-1/2", "0-1", "*"],
        result_in: [true, true],
        tags: &[],
        ..STANDARD
    },
    Dialect {
        name: "KingsRow",
        has_routes: true,
        marks: &[" {0.02/17}", "", " {book}"],
        results: ["1-0", "1/2-1/2", "0-1", "*"],
        result_in: [true, true],
        tags: &[("GameType", "20"), ("ECO", "x")],
        ..STANDARD
    },
    Dialect {
        name: "Dam 2.2",
        number: "0N. ",
        signs: [" - ", " x "],
        marks: &[""],
        results: ["2 - 0", "1 - 1", "0 - 2", "*"],
        result_in: [true, true],
        tags: &[],
        ..STANDARD
    },
    Dialect {
        name: "a forum",
        tag: "[N \u{201c}V\u{201d}]",
        around: ["[pdn]\n", "\n[/pdn]\n"],
        signs: ["\u{2013}", "\u{d7}"],
        marks: &["", "\u{203c}", "\u{a0}\u{2049}", "\u{2026}", "\u{200b}"],
        results: ["2\u{2013}0", "\u{bd}\u{2013}\u{bd}", "0\u{2013}2", "*"],
        result_in: [false, true],
        tags: &[],
        per_line: 20,
        ..STANDARD
    },
    Dialect {
        name: "a Russian site",
        number: "N.",
        signs: ["-", ":"],
        marks: &["", "!", " {хорошо}"],
        results: ["2:0", "1:1", "0:2", "*"],
        result_in: [true, true],
        tags: &[("Annotator", "Чижов")],
        ..STANDARD
    },
    Dialect {
        name: "a Russian keyboard",
        tag: "[N «V»]",
        signs: ["\u{2014}", "\u{445}"],
        marks: &[""],
        results: ["2\u{2014}0", "1\u{2014}1", "0\u{2014}2", "*"],
        result_in: [false, true],
        tags: &[],
        ..STANDARD
    },
    Dialect {
        name: "Flits",
        tag: "[N='V']",
        number: "",
        signs: ["-", "x"],
        marks: &[""],
        results: ["2-0", "1-1", "0-2", "*"],
        result_in: [true, true],
        tags: &[],
        ..STANDARD
    },
    Dialect {
        name: "an East Asian keyboard",
        tag: "\u{ff3b}N \u{ff02}V\u{ff02}\u{ff3d}",
        number: "N\u{ff0e}",
        is_doubled: true,
        signs: ["\u{2192}", "\u{ff58}"],
        marks: &["", "\u{ff01}", "\u{ff1f}", "\u{ff5b}ok\u{ff5d}"],
        results: ["2\u{ff1a}0", "1\u{ff1a}1", "0\u{ff1a}2", "\u{ff0a}"],
        result_in: [true, true],
        tags: &[],
        ..STANDARD
    },
];

/// Numbers that look random, the same ones each time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

fn play(random: &mut Random, number: usize) -> Played {
    let mut position = Position::start();
    let mut moves = Vec::new();
    for _ in 0..20 + random.below(100) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal.as_slice()[random.below(legal.len())];
        position = position.play(mv);
        moves.push(mv);
    }
    let outcomes = [
        Outcome::White,
        Outcome::Draw,
        Outcome::Black,
        Outcome::Unknown,
    ];
    let result = outcomes[random.below(4)];
    Played {
        moves,
        result,
        number,
    }
}

fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::White => 0,
        Outcome::Draw => 1,
        Outcome::Black => 2,
        _ => 3,
    }
}

impl Dialect {
    fn names(&self, played: &Played) -> Vec<(&'static str, String)> {
        let number = played.number;
        let mut tags = vec![
            ("Event", format!("Clubkampioenschap {}", self.name)),
            (
                "Date",
                format!("2024.{:02}.{:02}", 1 + number % 12, 1 + number % 28),
            ),
            ("Round", (1 + number % 9).to_string()),
            ("White", format!("Jansen, P. ({number})")),
            ("Black", format!("Schwarzm\u{fc}ller-\u{427}{number}")),
        ];
        tags.extend(
            self.tags
                .iter()
                .map(|&(name, value)| (name, value.to_owned())),
        );
        tags
    }

    fn write(&self, played: &Played, out: &mut String) {
        let end = self.end_of_line;
        out.push_str(self.around[0]);
        let result = self.results[place(played.result)];
        let mut tags = self.names(played);
        if self.result_in[0] {
            tags.push(("Result", result.to_owned()));
        }
        for (name, value) in tags {
            out.push_str(&self.tag.replace("V", &value).replacen("N", name, 1));
            out.push_str(end);
        }
        out.push_str(end);
        let mut position = Position::start();
        for (ply, &mv) in played.moves.iter().enumerate() {
            let number = self.number.replace('N', &(ply / 2 + 1).to_string());
            if ply % 2 == 0 {
                out.push_str(&number);
            } else if self.is_doubled {
                out.push_str(&number.replace('\u{ff0e}', "\u{2026}"));
            }
            let text = match self.has_routes {
                true => mv.to_string(),
                false => moves::with_path(&position, mv),
            };
            out.push_str(&text.replace('-', self.signs[0]).replace('x', self.signs[1]));
            out.push_str(self.marks[(ply + played.number) % self.marks.len()]);
            out.push_str(if (ply + 1) % self.per_line == 0 {
                end
            } else {
                " "
            });
            position = position.play(mv);
        }
        if self.result_in[1] || self.name == "PDN 3.0" {
            let behind = if self.result_in[1] { result } else { "*" };
            out.push_str(behind);
        }
        out.push_str(self.around[1]);
        let _ = write!(out, "{end}{end}");
    }
}

/// The games of a text, as a stream and as a whole; they are the same.
fn games(text: &str, name: &str) -> Vec<Game> {
    let mut stream = Stream::new(text.as_bytes());
    let mut found = Vec::new();
    while let Some(game) = stream.next_game().expect("memory can be read") {
        found.push(game.unwrap_or_else(|damaged| panic!("{name}: {}", damaged.error)));
    }
    let whole: Result<Vec<Game>, _> = read(text).collect();
    assert_eq!(whole.as_ref(), Ok(&found), "{name}");
    found
}

#[test]
fn games_of_every_dialect_are_read_as_they_were_played() {
    let mut random = Random(20_241_128);
    let mut count = 0;
    for dialect in &DIALECTS {
        let played: Vec<Played> = (0..GAMES).map(|number| play(&mut random, number)).collect();
        let mut text = String::new();
        played
            .iter()
            .for_each(|played| dialect.write(played, &mut text));
        let name = dialect.name;
        let found = games(&text, name);
        assert_eq!(found.len(), GAMES, "{name}");
        let mut written = String::new();
        for (played, game) in played.iter().zip(&found) {
            assert_eq!(
                game.plain_moves(),
                played.moves,
                "{name}, game {}",
                played.number
            );
            assert_eq!(game.result, played.result, "{name}, game {}", played.number);
            for (tag, value) in dialect.names(played) {
                assert_eq!(
                    game.tag(tag),
                    Some(value.as_str()),
                    "{name}, game {}",
                    played.number
                );
            }
            written += &game.to_string();
            count += 1;
        }
        // What is written reads the same, and is written the same.
        let again = games(&written, name);
        assert_eq!(again.len(), GAMES, "{name}");
        let mut twice = String::new();
        for (first, second) in found.iter().zip(&again) {
            assert_eq!(
                (&first.moves, first.result, first.start),
                (&second.moves, second.result, second.start)
            );
            twice += &second.to_string();
        }
        assert_eq!(twice, written, "{name}");
    }
    assert!(count > 1_000);
}
