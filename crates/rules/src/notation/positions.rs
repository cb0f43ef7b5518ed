//! The positions of a text: one a line, as FEN or the board of Hub, or as [pictures](super::picture) of several lines.
//! Blank lines and lines that begin with `#` are none.
//!
//! ```
//! use damier_rules::notation::{picture, positions};
//! use damier_rules::{Color, Position};
//!
//! let picture = picture::draw(&Position::start(), Color::White, true);
//! let text = format!("# a comment\nW:W31:B20\n{picture}black to move\n");
//! let found: Vec<(usize, String)> = positions::of_text(&text).collect();
//! assert_eq!(found[0], (2, "W:W31:B20".to_owned()));
//! assert_eq!(found[1], (3, format!("{picture}black to move")));
//! ```

use super::picture::Line;
use super::{fen, hub_board};

/// Joins the lines of pictures, and passes on every other one.
#[derive(Default)]
pub struct Positions {
    /// Lines so far.
    count: usize,
    held: Vec<String>,
    /// Rows among those held.
    rows: usize,
    /// Number of the first one held.
    first: usize,
}

impl Positions {
    /// Takes a line; gives what is complete: the number of its first line, from 1, and its text.
    pub fn line(&mut self, line: &str) -> Vec<(usize, String)> {
        self.count += 1;
        let mut whole = Vec::new();
        let kind = Line::of(line);
        if !self.takes(&kind, line) {
            whole.extend(self.end());
        }
        // The colour of a line by itself may come before a picture.
        let opens = kind.is_row() || matches!(kind, Line::Border { .. } | Line::Turn(_));
        let text = line.trim();
        if !self.held.is_empty() || opens {
            if self.held.is_empty() {
                (self.first, self.rows) = (self.count, 0);
            }
            self.held.push(line.trim_end().to_owned());
            self.rows += usize::from(matches!(kind, Line::Row { .. }));
        } else if !text.is_empty() && !text.starts_with('#') {
            whole.push((self.count, text.to_owned()));
        }
        whole
    }

    /// What is left at the end of the text.
    pub fn end(&mut self) -> Option<(usize, String)> {
        let held = std::mem::take(&mut self.held).join("\n");
        let held = held.trim_end();
        (!held.is_empty()).then(|| (self.first, held.to_owned()))
    }

    /// Whether a line belongs to the picture that has begun.
    fn takes(&self, kind: &Line, line: &str) -> bool {
        if self.held.is_empty() {
            return true;
        }
        match kind {
            Line::Row { .. } => self.rows < 10,
            // Behind the side to move, behind the whole board, and between rows where it is behind each of them.
            Line::Blank => self.rows == 10 || self.rows < 2 || self.is_spaced(),
            Line::Border { .. } | Line::Turn(_) => true,
            // The FEN of the same board.
            Line::Other => self.rows == 10 && self.is_same(line),
        }
    }

    /// Whether a blank line stands between the last two rows.
    fn is_spaced(&self) -> bool {
        let mut lines = self.held.iter().rev().skip(1);
        lines.next().is_some_and(|line| line.trim().is_empty())
    }

    fn is_same(&self, line: &str) -> bool {
        let pieces = |text: &str| {
            fen::parse_setup(text)
                .ok()
                .map(|setup| (setup.men, setup.kings))
        };
        pieces(line).is_some_and(|there| Some(there) == pieces(&self.held.join("\n")))
    }
}

/// The positions of a text: the number of the first line of each, and its text.
pub fn of_text(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut positions = Positions::default();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let mut whole = Vec::new().into_iter();
    std::iter::from_fn(move || {
        loop {
            if let Some(next) = whole.next() {
                return Some(next);
            }
            match lines.next() {
                Some(line) => whole = positions.line(line).into_iter(),
                None => return positions.end(),
            }
        }
    })
}

/// Whether a text begins as positions do, and not as games.
pub fn begin(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = meaningful(text);
    let Some(line) = lines.next() else {
        // Comments alone.
        return !text.trim().is_empty();
    };
    if hub_board::is_board(line) {
        return true;
    }
    let kind = Line::of(line);
    let is_board = |line: &str| matches!(Line::of(line), Line::Row { signs, .. } if (4..11).contains(&signs.len()));
    match kind {
        Line::Row { .. } | Line::Turn(_) | Line::Border { .. } => {
            let mut rows = lines
                .skip_while(|line| matches!(Line::of(line), Line::Border { .. } | Line::Turn(_)));
            rows.next().is_some_and(is_board)
        }
        _ => fen::begins(line) && !names_player(line),
    }
}

/// Whether the beginning of a text is long enough for [`begin`]: the lines that it looks at are whole.
pub fn is_enough(text: &str) -> bool {
    /// Lines of a frame, of the side to move and of the first rows of a picture.
    const LINES: usize = 4;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = meaningful(whole.trim_start_matches('\u{feff}'));
    let is_picture = |line: &str| {
        matches!(
            Line::of(line),
            Line::Row { .. } | Line::Turn(_) | Line::Border { .. }
        )
    };
    lines.next().is_some_and(|line| !is_picture(line)) || lines.nth(LINES - 2).is_some()
}

/// The lines that are neither blank nor comments.
fn meaningful(text: &str) -> impl Iterator<Item = &str> {
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    text.lines()
        .filter(move |line| !line.trim().is_empty() && !is_comment(line))
}

/// Whether a line is `White: Jansen`: no squares stand behind the name of the side.
fn names_player(line: &str) -> bool {
    let side: String = line
        .trim_start()
        .chars()
        .take_while(|c| c.is_alphabetic())
        .collect();
    // `White: W` is a name.
    let has_squares = line.contains(|c: char| c.is_ascii_digit());
    let is_fen = has_squares && fen::parse_with_fields(line).is_ok();
    let behind = line.trim_start().get(side.len()..).unwrap_or_default();
    let behind = behind.trim_start_matches([':', ' ', '\t']);
    let word: String = behind.chars().take_while(|c| c.is_alphabetic()).collect();
    // A side, or a side and the sign of a king.
    let is_side = word.chars().all(|c| "WBKwbkZz".contains(c));
    let has_squares = has_squares && behind.contains(|c: char| c.is_ascii_digit()) && is_side;
    !is_fen && (side.chars().count() > 1 || !has_squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::picture;
    use crate::{Color, Position};

    #[test]
    fn players_are_no_positions() {
        for text in [
            "White: W\nBlack: B\n",
            "White: Jansen",
            "Wit: W.",
            "Zwart: Z",
        ] {
            assert!(!begin(text), "{text}");
        }
        for text in ["White: W31\n", "W:W31:B20"] {
            assert!(begin(text), "{text}");
        }
    }

    #[test]
    fn pictures_and_lines_are_told_apart() {
        let position: Position = "B:W28,K46:B19,K5".parse().unwrap();
        let picture = picture::draw(&position, Color::Black, true);
        let fen = position.to_string();
        let text = format!(
            "{fen}\n\n{picture}{fen}\nblack to move\n\nW:W31:B20\nrubbish\nW\n{picture}\n# end\n"
        );
        let read: Vec<_> = of_text(&text)
            .map(|(line, text)| (line, fen::parse(&text).ok()))
            .collect();
        let white: Position = "W:W28,K46:B19,K5".parse().unwrap();
        let other: Position = "W:W31:B20".parse().unwrap();
        assert_eq!(
            read,
            [
                (1, Some(position)),
                (3, Some(position)),
                (16, Some(other)),
                (17, None),
                (18, Some(white))
            ]
        );
    }

    #[test]
    fn a_picture_may_be_double_spaced_and_stand_behind_the_side_to_move() {
        let position: Position = "B:W28,K46:B19,K5".parse().unwrap();
        let picture = picture::draw(&position, Color::White, true).replace('\n', "\n\n");
        let text = format!("\nZwart aan zet\n\n{picture}W:W31:B20\n");
        let found: Vec<_> = of_text(&text)
            .map(|(line, text)| (line, fen::parse(&text).ok()))
            .collect();
        assert_eq!(found, [(2, Some(position)), (24, "W:W31:B20".parse().ok())]);
    }

    #[test]
    fn two_pictures_without_a_line_between_are_two() {
        let picture = picture::draw(&Position::start(), Color::White, false);
        let found: Vec<_> = of_text(&picture.repeat(2)).map(|(line, _)| line).collect();
        assert_eq!(found, [1, 11]);
    }

    #[test]
    fn positions_begin_otherwise_than_games() {
        let picture = picture::draw(&Position::start(), Color::White, true);
        for text in [
            "W:W31:B20",
            "# a list",
            "\n b;b1",
            "w31-50",
            "W",
            "Black: W31",
            &picture,
            &format!("W\n{picture}"),
            &format!("\nZwart aan zet\n\n{picture}"),
            &format!("B\n{}", picture.replace('\n', "\n\n")),
            "W:WK46:BK5",
            "B:BK11,34:W17,33",
        ] {
            assert_eq!(begin(text), text != "W", "{text}");
        }
        for text in [
            "",
            "[FEN \"W:W31:B20\"]",
            "1. 32-28",
            "World championship\n1. 32-28",
            "Black and white: 1. 32-28",
            "# Partij 1\n1. 32-28",
            "## x\n[White \"A\"]",
            "_____\n1. 32-28",
            "...\n1. 32-28",
            "x\n1. 32-28",
            "White: A\nBlack: B\n1. 32-28",
            "White: W. de Vries\n1. 32-28",
            "Wit: K. Jansen\n1. 32-28",
            "Wit 2 - Zwart 0\n1. 32-28",
            "W: A",
        ] {
            assert!(!begin(text), "{text}");
        }
    }
}
