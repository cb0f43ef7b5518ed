//! `damier endgame probe`.

use super::{folder, open};
use crate::cli::shared_args::EncodingArgs;
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, json, warn};
use damier::analysis::json::TableVerdict;
use damier::endgame::{self, Advice, MoveVerdict, Tables, View};
use damier::notation::fen;
use damier::rules::{Game, Status};
use damier::terminal::{analyze, input};
use damier::text::Utf8Reader;
use serde::Serialize;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

const HELP: &str = "\
The value is that of best play without the draw rules; fmjd is the value with them. Several positions, and - for the \
lines of the standard input (empty ones and those that begin with # are skipped), are answered one after the other. \
With --json each answer is then an object with its input and, on the standard input, the number of its line. Exit code \
1 if any of them has no answer.

Example: damier endgame probe W:WK26,K33,K31:BK4";

/// Show the values of positions and of their moves in the tables
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct ProbeArgs {
    /// Positions, as FEN or Hub position; - reads them from the standard input
    #[arg(value_name = "FEN", required = true)]
    pub fen: Vec<String>,
    /// Moves to play first, as in `1. 32-28 19-23`; they count for the draw rules
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Folder of the tables [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print a JSON object for each position
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub text: EncodingArgs,
}

/// One position to probe.
struct Input<'a> {
    text: &'a str,
    /// Line of the position on the standard input.
    line: Option<usize>,
    /// Whether it is one of several.
    in_batch: bool,
}

/// The answer to a position as JSON.
#[derive(Serialize)]
struct ProbeJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    fen: String,
    #[serde(flatten)]
    verdict: TableVerdict,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    verdict: TableVerdict,
}

/// A position without an answer.
#[derive(Serialize)]
struct ErrorJson<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    input: &'a str,
}

impl ProbeJson<'_> {
    fn new<'a>(input: &Input<'a>, game: &Game, advice: &Advice) -> ProbeJson<'a> {
        let of_move = |mv: &MoveVerdict| MoveJson {
            mv: mv.mv.to_string(),
            verdict: TableVerdict::from(mv),
        };
        ProbeJson {
            line: input.line,
            input: input.in_batch.then_some(input.text),
            fen: fen::format(game.position()),
            verdict: TableVerdict::from(advice),
            moves: advice.moves.iter().map(of_move).collect(),
        }
    }
}

fn write_json(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", json(object))
}

impl Command for ProbeArgs {
    const NAME: &'static str = "probe";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[&["endgame-dir"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let tables = open(folder(self.dir.as_ref(), engine)?.as_deref())?;
        let mut out = io::stdout().lock();
        let in_batch = self.fen.len() > 1 || self.fen.iter().any(|text| text == "-");
        let (mut answered, mut failed) = (0, false);
        let mut answer = |text: &str, line: Option<usize>| -> Result<(), Failure> {
            let input = Input {
                text,
                line,
                in_batch,
            };
            if answered > 0 && !self.json {
                writeln!(out)?;
            }
            answered += 1;
            failed |= !probe_one(self, &tables, &input, &mut out)?;
            Ok(out.flush()?)
        };
        for (index, text) in self.fen.iter().enumerate() {
            if text == "-" {
                let input = Utf8Reader::new(io::stdin(), self.text.encoding).at_once();
                let encoding = input.taken();
                let found = each_line(&mut io::BufReader::new(input), &mut answer)?;
                self.text.print_note(&"stdin", encoding.get());
                if !found {
                    return Err(error("stdin: no position in it"));
                }
            } else {
                answer(text, in_batch.then_some(index + 1))?;
            }
        }
        match failed {
            true => Err(Failure::Reported),
            false => Ok(()),
        }
    }
}

/// Calls `answer` with the positions of an input, one a line; empty lines and lines that begin with `#` are skipped.
/// Whether there was any.
fn each_line(
    source: &mut dyn BufRead,
    answer: &mut impl FnMut(&str, Option<usize>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let (mut number, mut found) = (0, false);
    while let Some(line) = input::read_line(source)? {
        number += 1;
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            found = true;
            answer(text, Some(number))?;
        }
    }
    Ok(found)
}

/// Answers one position; false where it cannot be read or the tables do not know it.
fn probe_one(
    args: &ProbeArgs,
    tables: &Tables,
    input: &Input,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let moves = args.moves.as_deref().unwrap_or_default();
    let game = analyze::read_game(input.text, moves);
    match game.and_then(|game| Ok((advice(tables, &game)?, game))) {
        Ok((advice, game)) if args.json => {
            write_json(out, &ProbeJson::new(input, &game, &advice)).map(|()| true)
        }
        Ok((advice, game)) => write_advice(out, &game, &advice).map(|()| true),
        Err(error) if args.json => {
            let error = ErrorJson {
                error: &error,
                line: input.line,
                input: input.text,
            };
            write_json(out, &error).map(|()| false)
        }
        Err(error) => {
            let line = input.line.map_or(String::new(), |n| format!("line {n}: "));
            warn(&format_args!("{line}{error}"));
            Ok(false)
        }
    }
}

/// What the tables know of the present position of a game. A problem with a table is an error.
fn advice(tables: &Tables, game: &Game) -> Result<Advice, String> {
    let (position, before) = (game.position(), tables.problems().len());
    let view = View::new(tables, endgame::MAX_PIECES);
    let advice = Advice::in_game(&view, position, &game.clock(), game.keys());
    if let Some(problem) = tables.problems().get(before) {
        return Err(problem.to_string());
    }
    let advice = advice.ok_or("the tables do not know this position")?;
    Ok(match game.status() {
        Status::Drawn(_) => advice.drawn(),
        _ => advice,
    })
}

fn write_advice(out: &mut dyn Write, game: &Game, advice: &Advice) -> io::Result<()> {
    writeln!(out, "{}", fen::format(game.position()))?;
    writeln!(out, "value {}", advice.value)?;
    let doubt = if advice.certain { "" } else { ", not certain" };
    writeln!(out, "fmjd  {}{doubt}", advice.ruled)?;
    let mut moves = advice.moves.clone();
    moves.sort_by_key(|mv| std::cmp::Reverse((mv.ruled.value, mv.value.value)));
    for mv in moves {
        let ruled = match mv.ruled.value == mv.value.value {
            true => String::new(),
            false => format!(", fmjd {}", mv.ruled.value),
        };
        writeln!(out, "  {:12} {}{ruled}", mv.mv.to_string(), mv.value)?;
    }
    Ok(())
}
