//! `damier picture`.

use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, Given, error};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::diagram::{Diagram, page};
use damier::board::Color;
use damier::notation::moves;
use damier::os::files;
use damier::terminal::analyze::read_position;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Draw positions as SVG or PNG, with moves as arrows
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: damier picture \"W:W28,K33:B8,14,K3\" --moves \"33-29\" --out board.png"
)]
pub(in crate::cli) struct PictureArgs {
    /// Positions as FEN or in Hub notation; several make a page, three in a row
    #[arg(value_name = "FEN", required = true)]
    pub fen: Vec<String>,
    /// Moves from the position, drawn as arrows; repeat it for each of several positions
    #[arg(long, value_name = "MOVES")]
    pub moves: Vec<String>,
    /// A line of text below the board; repeat it for each of several positions
    #[arg(long, value_name = "TEXT")]
    pub caption: Vec<String>,
    /// Show the board from the side of Black
    #[arg(long)]
    pub flip: bool,
    /// Pixels of a PNG for each of the 400 units of a board
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(1..=16))]
    pub scale: u32,
    /// The file to write: SVG, or PNG where its name ends with .png [default: SVG on stdout]
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
}

impl Command for PictureArgs {
    const NAME: &'static str = "picture";

    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().map(PathBuf::from).collect()
    }

    fn run(&self, _: &Given) -> Result<(), Failure> {
        let form = self.form()?;
        for (option, given) in [("--moves", &self.moves), ("--caption", &self.caption)] {
            if given.len() > self.fen.len() {
                let message = format!(
                    "{option} is given {} times for {} positions",
                    given.len(),
                    self.fen.len()
                );
                return Err(Failure::Usage(message));
            }
        }
        let diagrams = self.fen.iter().enumerate().map(|(index, fen)| {
            let position = read_position(fen).map_err(error)?;
            let line = self.moves.get(index).map_or("", String::as_str);
            let arrows = moves::parse_line(&position, line).map_err(error)?;
            let bottom = if self.flip {
                Color::Black
            } else {
                Color::White
            };
            let caption = self.caption.get(index).map_or("", String::as_str);
            Ok(Diagram::new(position)
                .seen_by(bottom)
                .with_moves(&arrows)
                .with_caption(caption))
        });
        let diagrams: Vec<Diagram> = diagrams.collect::<Result<_, Failure>>()?;
        let drawing = page(&diagrams);
        let (magic, bytes): (&[u8], _) = match form {
            Form::Svg => (b"<svg", drawing.to_svg().into_bytes()),
            Form::Png => (b"\x89PNG", drawing.to_png(self.scale).map_err(error)?),
        };
        match &self.out {
            Some(file) => files::replace(Path::new(file), magic, &bytes)
                .map_err(|problem| error(format!("{file}: {problem}"))),
            None => Ok(io::stdout().write_all(&bytes)?),
        }
    }
}

enum Form {
    Svg,
    Png,
}

impl PictureArgs {
    /// What the file is to be.
    fn form(&self) -> Result<Form, Failure> {
        let extension = self
            .out
            .as_ref()
            .and_then(|file| Path::new(file).extension());
        let Some(extension) = extension else {
            return Ok(Form::Svg);
        };
        let is = |name| extension.eq_ignore_ascii_case(name);
        if is("svg") {
            Ok(Form::Svg)
        } else if is("png") {
            Ok(Form::Png)
        } else {
            let file = self.out.as_deref().unwrap_or_default();
            let message = format!("{file}: give a name that ends with .svg or .png");
            Err(Failure::Usage(message))
        }
    }
}
