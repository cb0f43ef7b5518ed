//! `damier picture`.

use crate::cli::{Failure, error};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::diagram::{Diagram, page};
use damier::board::Color;
use damier::notation::moves;
use damier::os::files;
use damier::terminal::analyze::read_position;
use std::io::{self, Write};
use std::path::Path;

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: damier picture \"W:W28,K33:B8,14,K3\" --moves \"33-29\" --out board.svg"
)]
pub(in crate::cli) struct PictureArgs {
    /// Positions as FEN or as Hub has them; several make a page, three in a row
    #[arg(value_name = "FEN", required = true)]
    pub fen: Vec<String>,
    /// Moves from the position, drawn as arrows; for several positions give it as often
    #[arg(long, value_name = "MOVES")]
    pub moves: Vec<String>,
    /// A line of text below the board; for several positions give it as often
    #[arg(long, value_name = "TEXT")]
    pub caption: Vec<String>,
    /// Black at the lower edge
    #[arg(long)]
    pub flip: bool,
    /// The file to write, SVG [default: stdout]
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
}

/// Draws.
pub(in crate::cli) fn run(args: &PictureArgs) -> Result<(), Failure> {
    let is_svg = |file: &String| {
        let extension = Path::new(file).extension();
        extension.is_none_or(|extension| extension.eq_ignore_ascii_case("svg"))
    };
    if let Some(file) = args.out.as_ref().filter(|file| !is_svg(file)) {
        let message =
            format!("{file}: only SVG is written; give a name that ends with .svg and convert it");
        return Err(Failure::Usage(message));
    }
    let diagrams = args.fen.iter().enumerate().map(|(index, fen)| {
        let position = read_position(fen).map_err(error)?;
        let line = args.moves.get(index).map_or("", String::as_str);
        let arrows = moves::parse_line(&position, line).map_err(error)?;
        let bottom = if args.flip {
            Color::Black
        } else {
            Color::White
        };
        let caption = args.caption.get(index).map_or("", String::as_str);
        Ok(Diagram::new(position)
            .seen_by(bottom)
            .with_moves(&arrows)
            .with_caption(caption))
    });
    let diagrams: Vec<Diagram> = diagrams.collect::<Result<_, Failure>>()?;
    let svg = page(&diagrams);
    match &args.out {
        Some(file) => files::replace(Path::new(file), b"<svg", svg.as_bytes())
            .map_err(|problem| error(format!("{file}: {problem}"))),
        None => Ok(io::stdout().write_all(svg.as_bytes())?),
    }
}
