//! `damier picture`.

mod pages;

use super::batch::Feed;
use super::input::GameInput;
use crate::cli::progress::{self, counted};
use crate::cli::shared_args::{EncodingArgs, whole};
use crate::cli::{Command, Failure, GivenOptions, error, warn};
use clap::ValueEnum;
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::diagram::{Diagram, MOST_PER_PAGE, Numbers, Style};
use damier::analysis::{Language, numbered, words};
use damier::board::Color;
use damier::notation::moves;
use damier::notation::pdn::Game;
use damier::os::shard::Shard;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::rules::Move;
use pages::Pages;
use std::path::PathBuf;
use std::str::FromStr;

/// Maximum plies of a solution.
const SOLUTION: usize = 60;

const HELP: &str = "\
Of each game the start position is drawn, or the positions that --at names. The text below a board names the side to \
move, and the players, event and date, or has the comment. SVG and PNG are one picture, three boards in a row; with \
--per-page they are pages of A4, each a file of its own (sheet-1.svg, sheet-2.svg); a PDF is always pages of A4.

Examples:
  damier picture \"W:W28,K33:B8,14,K3\" --moves \"33-29\" --out board.png
  damier picture puzzles.pdn --style print --numbers border --per-page 12 --title \"Club evening\" \\
      --answers --solutions --out sheet.pdf
  damier picture games.pdn --at comments --out book.pdf
  damier picture \"1. 32-28 19-23\" --at last > board.svg";

/// Draw positions as SVG, PNG or PDF, with moves as arrows, or sheets of many for training
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct PictureArgs {
    /// Positions as FEN or in Hub notation; files of positions or games; - for stdin; moves such as "1. 32-28 18-22"
    #[arg(value_name = "POSITIONS", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub inputs: Vec<String>,
    /// Which positions of a game: start, last, comments (each with a comment), or the number of plies before it
    #[arg(long, value_name = "WHERE", default_value = "start")]
    pub at: At,
    /// Moves from the position, drawn as arrows; repeat it for each of several positions
    #[arg(long, value_name = "MOVES")]
    pub moves: Vec<String>,
    /// Text below the board, instead of that of --captions; repeat it for each of several positions
    #[arg(long, value_name = "TEXT")]
    pub caption: Vec<String>,
    /// Text below a board
    #[arg(long, value_name = "WHAT", default_value = "all")]
    pub captions: Captions,
    /// The language of the text that names the side to move: en, nl, fr, de or ru
    #[arg(long, value_name = "CODE", default_value_t)]
    pub language: Language,
    /// The colours
    #[arg(long, value_name = "STYLE", default_value = "color")]
    pub style: StyleName,
    /// Where to draw the numbers of the squares
    #[arg(long, value_name = "WHERE", default_value = "inside")]
    pub numbers: NumbersName,
    /// Show the board from the side of Black
    #[arg(long)]
    pub flip: bool,
    /// Draw pages of A4 with this many numbered diagrams each [default for PDF: 6]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_PER_PAGE))]
    pub per_page: Option<usize>,
    /// A title on each page
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// A line below each diagram of a page to write the answer on
    #[arg(long)]
    pub answers: bool,
    /// Add pages with the solutions: the moves that follow the positions in the games
    #[arg(long)]
    pub solutions: bool,
    /// Pixels of a PNG for each of the 400 units of a board, or for each point of a page
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(1..=16))]
    pub scale: u32,
    /// The file to write: SVG, PNG or PDF by the end of its name [default: SVG on stdout]
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
    #[command(flatten)]
    pub text: EncodingArgs,
}

/// Which positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum At {
    Ply(usize),
    Last,
    Comments,
}

impl FromStr for At {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<At, &'static str> {
        match text {
            "start" => Ok(At::Ply(0)),
            "last" => Ok(At::Last),
            "comments" => Ok(At::Comments),
            _ => text
                .parse()
                .map(At::Ply)
                .map_err(|_| "expected start, last, comments or a number of plies"),
        }
    }
}

/// Text below a board.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Captions {
    /// The side to move, and the players, event and date, or the comment
    All,
    /// The side to move
    Turn,
    /// Only the texts of --caption
    None,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum StyleName {
    /// For the screen
    Color,
    /// Black, white and grey
    Print,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum NumbersName {
    /// In empty squares
    Inside,
    /// Along the four edges of the board
    Border,
    /// No numbers
    None,
}

impl Command for PictureArgs {
    const NAME: &'static str = "picture";

    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().map(PathBuf::from).collect()
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let games = GameInput::open(&self.inputs, None, self.text)?.with_positions();
        let mut pages = Pages::begin(self)?;
        note_requests_to_end();
        let bar = progress::bar(games.total, "bytes");
        let mut feed = Feed::new(games, &Shard::WHOLE, &bar);
        let mut short = 0;
        let drawn = (|| {
            while let Some(task) = feed.next() {
                if asked_to_end() {
                    return Err(error("stopped; the file is not written"));
                }
                let places = self.places(&task.game);
                short += u64::from(places.is_empty());
                for (ply, comment) in places {
                    self.draw(&task.game, ply, &comment, &mut pages)?;
                }
                bar.set_position(feed.position());
                bar.set_message(counted(pages.count() as u64, "position"));
            }
            Ok(())
        })();
        bar.finish_and_clear();
        drawn?;
        for (option, given) in [("--moves", &self.moves), ("--caption", &self.caption)] {
            if given.len() > pages.count() {
                let message = format!(
                    "{option} is given {} times for {}",
                    given.len(),
                    counted(pages.count() as u64, "position")
                );
                return Err(Failure::Usage(message));
            }
        }
        if short > 0 {
            let lacks = match self.at {
                At::Comments => "no comment",
                _ => "fewer plies than --at",
            };
            warn(&format!(
                "{} with {lacks}, not drawn",
                counted(short, "game")
            ));
        }
        if pages.count() == 0 {
            let told = feed.damaged > 0 || short > 0;
            let empty = if told {
                Failure::Reported
            } else {
                error("no position in it")
            };
            return Err(feed.broken.map_or(empty, error));
        }
        pages.finish()?;
        match feed.broken {
            Some(message) => Err(error(message)),
            None if feed.damaged > 0 => Err(Failure::Reported),
            None => Ok(()),
        }
    }
}

impl PictureArgs {
    /// The positions of a game to be drawn: plies before each, and the comment there.
    fn places(&self, game: &Game) -> Vec<(usize, String)> {
        match self.at {
            At::Ply(ply) if ply > game.moves.len() => Vec::new(),
            At::Ply(ply) => vec![(ply, String::new())],
            At::Last => vec![(game.moves.len(), String::new())],
            At::Comments => {
                let moves = game.moves.iter().map(|mv| &mv.comment);
                let comments = std::iter::once(&game.comment).chain(moves);
                let comments =
                    comments.map(|comment| words(comment.as_deref().unwrap_or_default()));
                let comments = comments.enumerate();
                comments
                    .filter(|(_, comment)| !comment.is_empty())
                    .collect()
            }
        }
    }

    fn draw(
        &self,
        game: &Game,
        ply: usize,
        comment: &str,
        pages: &mut Pages<'_>,
    ) -> Result<(), Failure> {
        let (before, after) = game.moves.split_at(ply);
        let position = before.iter().fold(game.start, |position, annotated| {
            position.play(annotated.mv)
        });
        let index = pages.count();
        let line = self.moves.get(index).map_or("", String::as_str);
        let arrows = moves::parse_line(&position, line).map_err(error)?;
        let diagram = Diagram {
            bottom: if self.flip {
                Color::Black
            } else {
                Color::White
            },
            arrows,
            style: match self.style {
                StyleName::Color => Style::Color,
                StyleName::Print => Style::Print,
            },
            numbers: match self.numbers {
                NumbersName::Inside => Numbers::Inside,
                NumbersName::Border => Numbers::Border,
                NumbersName::None => Numbers::None,
            },
            shows_turn: !matches!(self.captions, Captions::None),
            language: self.language,
            ..Diagram::new(position)
        };
        let known = || match (self.captions, comment) {
            (Captions::All, "") => origin(game),
            (Captions::All, comment) => comment.to_owned(),
            _ => String::new(),
        };
        let caption = self.caption.get(index).cloned().unwrap_or_else(known);
        let moves = after.iter().take(SOLUTION).map(|annotated| annotated.mv);
        let moves: Vec<Move> = moves.collect();
        pages.add(diagram, &caption, numbered(&position, &[], &moves))
    }
}

/// Who played, where and when, as far as it is known.
fn origin(game: &Game) -> String {
    let tag = |name| {
        game.tag(name)
            .map(str::trim)
            .filter(|text| !matches!(*text, "" | "?" | "-"))
    };
    let players = match (tag("White"), tag("Black")) {
        (None, None) => None,
        (white, black) => Some(format!(
            "{} \u{2013} {}",
            white.unwrap_or("?"),
            black.unwrap_or("?")
        )),
    };
    let date = tag("Date").map(|date| date.trim_end_matches(".??").to_owned());
    let parts = [
        players,
        tag("Event").map(str::to_owned),
        date.filter(|date| !date.contains('?')),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(", ")
}
