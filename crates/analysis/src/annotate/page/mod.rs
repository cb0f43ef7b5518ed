//! Annotated games as one page of HTML that needs nothing else: no network, no other file.
//!
//! All text of files passes [`escape`], and the page forbids every script and style but its own by their hashes.

mod view;

use self::view::View;
use super::{AnnotatedGame, PlayerSummary};
use crate::diagram::{Diagram, Numbers, Style, escape};
use crate::{Language, json};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use damier_rules::Position;
use damier_rules::board::Color;
use damier_rules::notation::moves;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/page.js");
/// Most diagrams of a game that are printed.
const DIAGRAMS: usize = 12;
/// Size of the curve, in its own units.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 100.0;
/// Tags that are shown below the players.
const ABOUT: [&str; 5] = ["Event", "Site", "Date", "Round", "Annotator"];

/// The beginning of a page: everything before its games. `titles` are the number and the title of each: the only one is
/// that of the page, several are a list that leads to them.
pub fn begin(titles: &[(u64, String)], language: Language) -> String {
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    let (style, script) = (hash(STYLE), hash(SCRIPT));
    let title = match titles {
        [(_, title)] => escape(title),
        _ => escape(&language.filled("games", &[("count", &titles.len().to_string())])),
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{style}'; \
         script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if titles.len() > 1 {
        out.push_str("<nav><ol>\n");
        for (number, title) in titles {
            let _ = writeln!(
                out,
                "<li value=\"{number}\"><a href=\"#g{number}\">{}</a></li>",
                escape(title)
            );
        }
        out.push_str("</ol></nav>\n");
    }
    out
}

/// The end of a page.
pub fn end() -> String {
    format!("<script>{SCRIPT}</script>\n</body>\n</html>\n")
}

impl AnnotatedGame {
    /// The players and the result, on one line.
    pub fn title(&self) -> String {
        let name = |color| self.player(color).unwrap_or("?");
        format!(
            "{} \u{2013} {}  {}",
            name(Color::White),
            name(Color::Black),
            self.game.result.text()
        )
    }

    /// The game as a part of a page, between [`begin`] and [`end`]. `notes`: what could not be read of it.
    pub fn to_html(&self, number: u64, by: &str, notes: &[&str], language: Language) -> String {
        let game = self.to_pdn(by);
        let mut view = View::new(self, &game, language);
        view.write_moves(&game.start, &game.moves);
        let data = serde_json::to_string(&view.data)
            .unwrap_or_else(|error| unreachable!("plain data: {error}"));
        // So that no text can end the element.
        let data = data.replace('<', "\\u003c");
        let mut out = format!(
            "<article id=\"g{number}\">\n<h2>{}</h2>\n",
            escape(&self.title())
        );
        let about = ABOUT.iter().filter_map(|tag| game.tag(tag));
        let about: Vec<String> = about
            .filter(|text| !matches!(*text, "" | "?"))
            .map(escape)
            .collect();
        let _ = writeln!(out, "<p class=\"about\">{}</p>", about.join(" \u{b7} "));
        for note in notes {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
        }
        out.push_str(&self.table(language));
        let _ = write!(
            out,
            "<div class=\"study\">\n<div class=\"left\"><div class=\"board\"></div><div class=\"controls\" \
             data-labels=\"{}\"></div></div>\n\
             <div class=\"right\">\n{}<p class=\"state\"></p>\n<div class=\"moves\">{}</div>\n</div>\n</div>\n",
            escape(&labels(language)),
            self.curve(language),
            view.text
        );
        let _ = write!(
            out,
            "<div class=\"diagrams\">\n{}</div>\n",
            self.diagrams(language)
        );
        let _ = writeln!(
            out,
            "<script type=\"application/json\">{data}</script>\n</article>"
        );
        out
    }

    fn table(&self, language: Language) -> String {
        let mut out = String::from("<table><tr>");
        for key in ["player", "accuracy", "lost-a-move"] {
            let _ = write!(out, "<th>{}</th>", escape(language.text(key)));
        }
        out.push_str("<th>?!</th><th>?</th><th>??</th></tr>\n");
        for (color, player) in Color::BOTH.into_iter().zip(&self.players) {
            let name = self.player(color).unwrap_or(match color {
                Color::White => language.text("white"),
                Color::Black => language.text("black"),
            });
            let PlayerSummary {
                dubious,
                mistakes,
                blunders,
                ..
            } = player;
            let accuracy = player
                .accuracy()
                .map_or("-".to_owned(), |percent| format!("{percent:.1} %"));
            let loss = player
                .loss()
                .map_or("-".to_owned(), |loss| format!("{loss:.4}"));
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{accuracy}</td><td>{loss}</td><td>{dubious}</td><td>{mistakes}</td>\
                 <td>{blunders}</td></tr>",
                escape(name)
            );
        }
        out + "</table>\n"
    }

    /// White's expected points after each ply.
    fn points(&self) -> Vec<f64> {
        let mut turn = self.game.start.turn();
        let points = (0..=self.moves.len()).map(|ply| {
            let expected = self.evaluation(ply).wdl.expected();
            let points = if turn == Color::White {
                expected
            } else {
                1.0 - expected
            };
            turn = !turn;
            points
        });
        points.collect()
    }

    fn curve(&self, language: Language) -> String {
        let points = self.points();
        let step = WIDTH / (points.len() - 1).max(1) as f64;
        let at = |ply: usize| (ply as f64 * step, (1.0 - points[ply]) * HEIGHT);
        let mut path = format!("M0 {HEIGHT}");
        for ply in 0..points.len() {
            let (x, y) = at(ply);
            let _ = write!(path, "L{x:.1} {y:.1}");
        }
        let half = HEIGHT / 2.0;
        let mut out = format!(
            "<svg class=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
             <path class=\"area\" d=\"{path}L{WIDTH} {HEIGHT}z\"/><line class=\"half\" x1=\"0\" x2=\"{WIDTH}\" \
             y1=\"{half}\" y2=\"{half}\"/>",
            escape(language.text("curve"))
        );
        for (index, mv) in self.moves.iter().enumerate() {
            if let Some(mark) = mv.mark() {
                let (x, y) = at(index + 1);
                let _ = write!(
                    out,
                    "<circle class=\"{mark}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
                );
            }
        }
        out + "</svg>\n"
    }

    /// The positions that matter, for print: the first one unless it is that of every game, those in which something
    /// was lost, with the move played marked and the better one as an arrow, and the last one.
    fn diagrams(&self, language: Language) -> String {
        let mut out = String::new();
        let mut figure = |diagram: Diagram, caption: &str| {
            let diagram = Diagram {
                style: Style::Print,
                numbers: Numbers::Border,
                ..diagram
            };
            let (svg, caption) = (diagram.to_svg(), escape(caption));
            let _ = writeln!(
                out,
                "<figure>{svg}<figcaption>{caption}</figcaption></figure>"
            );
        };
        let start = self.game.start;
        if start != Position::start() {
            let caption = language.text(match start.turn() {
                Color::White => "white-to-move",
                Color::Black => "black-to-move",
            });
            figure(Diagram::new(start), caption);
        }
        let mut position = start;
        let mut left = DIAGRAMS;
        for (ply, mv) in self.moves.iter().enumerate() {
            if let Some(mark) = mv.mark().filter(|_| left > 0) {
                left -= 1;
                let played = format!("{}{}", moves::short(&position, mv.mv), mark.sign());
                let better = mv.better();
                let words = match better {
                    Some(best) => {
                        let better = moves::short(&position, best);
                        language.filled("better", &[("played", &played), ("move", &better)])
                    }
                    None => played,
                };
                let number = number(&start, ply);
                let diagram = Diagram {
                    marked: [mv.mv.from(), mv.mv.to()].into_iter().collect(),
                    arrows: better.into_iter().collect(),
                    ..Diagram::new(position)
                };
                figure(diagram, &format!("{number} {words}"));
            }
            position = position.play(mv.mv);
        }
        let result = self.game.result.text();
        figure(
            Diagram::new(position),
            &language.filled("end", &[("result", result)]),
        );
        out
    }
}

/// The number of a ply: `12.` or `12...`.
fn number(start: &Position, ply: usize) -> String {
    let plies = ply + usize::from(start.turn() == Color::Black);
    let dots = if plies.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", plies / 2 + 1)
}

/// What the buttons below the board are called, in their order, for the script.
fn labels(language: Language) -> String {
    let labels = ["first", "back", "on", "last", "turn"].map(|key| language.text(key));
    json::text(&labels)
}
