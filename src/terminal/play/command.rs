//! What the player types.

use super::{PlayerKind, TimeControl};
use crate::board::Color;
use crate::engine::level::{read_depth, read_nodes, read_seconds};
use crate::engine::{HIGHEST_ELO, LOWEST_ELO, Level};
use crate::notation::signs;
use crate::search::MAX_DEPTH;
use crate::settings::near;

/// Levels with a name, here and in the browser.
const NAMED_LEVELS: [(&str, u32); 5] = [
    ("beginner", 800),
    ("casual", CASUAL_ELO),
    ("club player", 1600),
    ("strong", 2000),
    ("expert", 2400),
];

/// The level at which a player begins who has chosen none.
pub const CASUAL_ELO: u32 = 1200;

/// The name of a level.
pub(super) fn level_name(elo: u32) -> Option<&'static str> {
    let named = NAMED_LEVELS.iter().find(|&&(_, level)| level == elo);
    named.map(|&(name, _)| name)
}

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PlayCommand {
    Nothing,
    Move(String),
    Moves,
    Back,
    Hint,
    Go,
    Swap,
    Seat(Option<Color>, PlayerKind),
    Level(Level),
    /// How strong the computer is to play; 0: as well as it can. None: how strong it does.
    Elo(Option<u32>),
    /// Shows the clocks, sets them, or takes them away.
    ShowClock,
    SetClock(Option<TimeControl>),
    Fen(Option<String>),
    /// To a file, or the one that the game was saved to before.
    Save(Option<String>),
    Load(String),
    /// The computer is to move at once.
    Stop,
    Resign,
    Draw,
    New,
    Board,
    Flip,
    Game,
    Help,
    Quit,
    /// A sentence for the player.
    Unclear(String),
}

pub(super) const HELP: &str = "\
Type a move: the square it leaves and the one it goes to, as 32-28 or 28x19.
  moves            the legal moves
  back             take back your last move
  hint             what the computer would play for you
  go               let the computer make this move and go on with this side
  stop             the computer stops thinking and moves
  draw, resign     offer a draw, give up
  swap             change sides
  white computer   who plays white: human or computer (black and both likewise)
  time 5           seconds for each move of the computer (or: depth 8, nodes 100000)
  elo 1400         how strong the computer plays, 800 to 2800; elo off: as well as it can
                   (or a name: beginner, casual, club player, strong, expert)
  clock 5+3        clocks: 5 minutes each, and 3 seconds more for each move; clock off
  board, flip      show the board, turn it round
  game             the moves so far
  save FILE        save the game as PDN; load FILE loads one, load FILE 3 the third of a file
  fen              the position as FEN; fen W:W31-50:B1-20 sets one up
  new              a new game
  quit             leave (Ctrl-C too: it saves the game first)
";

/// The usual names of the commands.
pub(super) const WORDS: [&str; 25] = [
    "moves", "back", "hint", "go", "stop", "draw", "resign", "swap", "white", "black", "both",
    "time", "depth", "nodes", "elo", "clock", "board", "flip", "game", "save", "load", "fen",
    "new", "help", "quit",
];

/// Reads a line.
pub(super) fn read(line: &str) -> PlayCommand {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    // As written for names of files and for messages.
    let (plain, number) = (signs::plain(word), signs::plain(rest));
    match plain.to_lowercase().as_str() {
        "" => PlayCommand::Nothing,
        "moves" | "legal" | "m" => PlayCommand::Moves,
        "back" | "undo" | "takeback" | "b" => PlayCommand::Back,
        "hint" | "h" => PlayCommand::Hint,
        "go" | "g" => PlayCommand::Go,
        "swap" | "switch" => PlayCommand::Swap,
        "white" | "w" => seat(Some(Color::White), rest),
        "black" => seat(Some(Color::Black), rest),
        "both" => seat(None, rest),
        word @ ("time" | "depth" | "nodes") => limit(word, &number),
        "elo" | "level" => elo(&number),
        "fen" | "position" => PlayCommand::Fen((!rest.is_empty()).then(|| rest.to_owned())),
        "clock" | "clocks" => clock(&number),
        "save" => PlayCommand::Save((!rest.is_empty()).then(|| rest.to_owned())),
        "load" | "open" if rest.is_empty() => {
            PlayCommand::Unclear("name the file, as in: load game.pdn".to_owned())
        }
        "load" | "open" => PlayCommand::Load(rest.to_owned()),
        "stop" | "now" => PlayCommand::Stop,
        "resign" => PlayCommand::Resign,
        "draw" => PlayCommand::Draw,
        "new" => PlayCommand::New,
        "board" | "show" | "d" => PlayCommand::Board,
        "flip" => PlayCommand::Flip,
        "game" | "history" => PlayCommand::Game,
        "help" | "?" => PlayCommand::Help,
        "quit" | "exit" | "q" | "bye" => PlayCommand::Quit,
        word if !word.starts_with(char::is_alphabetic) && has_digit(line) => {
            PlayCommand::Move(line.to_owned())
        }
        word => {
            let hint = match near(word, WORDS).first() {
                Some(known) => format!("did you mean {known}?"),
                None => "type help to see them all".to_owned(),
            };
            PlayCommand::Unclear(format!(
                "that is neither a move, such as 32-28, nor a command; {hint}"
            ))
        }
    }
}

fn has_digit(line: &str) -> bool {
    signs::plain(line).contains(|c: char| c.is_ascii_digit())
}

fn seat(color: Option<Color>, rest: &str) -> PlayCommand {
    match rest.to_lowercase().as_str() {
        "human" | "me" => PlayCommand::Seat(color, PlayerKind::Human),
        "computer" | "engine" => PlayCommand::Seat(color, PlayerKind::Computer),
        _ => PlayCommand::Unclear("say human or computer, as in: white computer".to_owned()),
    }
}

fn clock(rest: &str) -> PlayCommand {
    match rest.to_lowercase().as_str() {
        "" => PlayCommand::ShowClock,
        "off" | "none" => PlayCommand::SetClock(None),
        text => match text.parse() {
            Ok(control) => PlayCommand::SetClock(Some(control)),
            Err(expected) => PlayCommand::Unclear(expected),
        },
    }
}

/// The level of a name, which may lack its last word.
fn named_level(text: &str) -> Option<u32> {
    let is_meant = |name: &str| name.split(' ').next() == Some(text) || name == text;
    let named = NAMED_LEVELS.iter().find(|(name, _)| is_meant(name));
    named.map(|&(_, elo)| elo)
}

fn elo(rest: &str) -> PlayCommand {
    let is_level = |elo: &u32| (LOWEST_ELO..=HIGHEST_ELO).contains(elo);
    match rest.to_lowercase().as_str() {
        "" => PlayCommand::Elo(None),
        "off" | "none" | "full" | "0" => PlayCommand::Elo(Some(0)),
        text => match named_level(text).or_else(|| text.parse().ok().filter(is_level)) {
            Some(elo) => PlayCommand::Elo(Some(elo)),
            None => PlayCommand::Unclear(format!(
                "say a number from {LOWEST_ELO} to {HIGHEST_ELO}, as in: elo 1400; a name such as casual; or elo off"
            )),
        },
    }
}

fn limit(word: &str, rest: &str) -> PlayCommand {
    let level = match word {
        "time" => read_seconds(rest).map(Level::move_time),
        "depth" => read_depth(rest).map(Level::depth),
        _ => read_nodes(rest).map(Level::nodes),
    };
    match (level, word) {
        (Some(level), _) => PlayCommand::Level(level),
        (None, "time") => PlayCommand::Unclear("say how many seconds, as in: time 2.5".to_owned()),
        (None, "depth") => PlayCommand::Unclear(format!(
            "say a number from 1 to {MAX_DEPTH}, as in: depth 8"
        )),
        (None, _) => PlayCommand::Unclear("say how many positions, as in: nodes 100000".to_owned()),
    }
}
