//! The board as a terminal shows it: in colours, in Unicode, or plain.

use crate::board::{Color, Square};
use crate::notation::hub_board::piece;
use crate::rules::{Move, Position};

/// What a terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Colours (256 of them).
    pub color: bool,
    /// Symbols beyond ASCII.
    pub unicode: bool,
}

impl Style {
    /// What the output can show, by the environment variables: nothing beyond ASCII where it is no terminal; colours
    /// unless `NO_COLOR` is set or `TERM` is `dumb`; Unicode in a locale of UTF-8.
    pub fn detect(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Style {
        let given = |name| variable(name).filter(|value| !value.is_empty());
        let is_dumb = given("TERM").is_some_and(|term| term == "dumb");
        // The old console of Windows takes neither.
        let is_able =
            is_terminal && !is_dumb && (cfg!(not(windows)) || given("WT_SESSION").is_some());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(given);
        let locale = locale.unwrap_or_default().to_lowercase();
        let is_utf8 = cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8");
        Style {
            color: is_able && given("NO_COLOR").is_none(),
            unicode: is_able && is_utf8,
        }
    }

    /// A piece, or `.` for an empty square, as one character.
    fn symbol(self, letter: char) -> char {
        match (self.color, self.unicode, letter) {
            (false, true, 'w') => '\u{26c0}',
            (false, true, 'W') => '\u{26c1}',
            (false, true, 'b') => '\u{26c2}',
            (false, true, 'B') => '\u{26c3}',
            (false, true, _) => '\u{b7}',
            (true, true, 'w' | 'b') => '\u{25cf}',
            (true, true, 'W' | 'B') => '\u{265b}',
            (true, false, 'w' | 'b') => 'o',
            (true, false, 'W' | 'B') => 'K',
            (true, _, _) => ' ',
            (false, false, letter) => letter,
        }
    }
}

/// Ten lines, each with a newline and the numbers of its five squares behind it. `bottom` is the colour that sits at
/// the lower edge; the squares of the last move are marked.
pub(super) fn draw(position: &Position, bottom: Color, last: Option<Move>, style: Style) -> String {
    let mut squares: Vec<Square> = Square::all().collect();
    if bottom == Color::Black {
        squares.reverse();
    }
    let mut out = String::new();
    for (row, squares) in squares.chunks(5).enumerate() {
        let cells = squares.iter().map(|&square| Cell {
            letter: piece(position, square).unwrap_or('.'),
            marked: last.is_some_and(|mv| mv.from() == square || mv.to() == square),
        });
        // The first row begins with a light square.
        let light_first = row % 2 == 0;
        match style.color {
            true => out.push_str(&colored(cells, light_first, style)),
            false => out.push_str(&format!("{:<24}", plain(cells, light_first, style))),
        }
        let numbers: Vec<String> = squares.iter().map(|n| format!("{n:>2}")).collect();
        out.push_str(&numbers.join(" "));
        out.push('\n');
    }
    out
}

/// A dark square.
struct Cell {
    letter: char,
    marked: bool,
}

/// Four columns to a square; parentheses mark it.
fn plain(cells: impl Iterator<Item = Cell>, light_first: bool, style: Style) -> String {
    let mut line = String::from(if light_first { "   " } else { " " });
    for cell in cells {
        let symbol = style.symbol(cell.letter);
        match cell.marked {
            true => line.push_str(&format!("({symbol}) ")),
            false => line.push_str(&format!(" {symbol}  ")),
        }
    }
    line
}

/// Three columns to a square, light ones included; another background marks it.
fn colored(cells: impl Iterator<Item = Cell>, light_first: bool, style: Style) -> String {
    const LIGHT: &str = "\x1b[48;5;230m   ";
    let mut line = String::from("  ");
    for cell in cells {
        let background = if cell.marked { 172 } else { 95 };
        let foreground = if matches!(cell.letter, 'w' | 'W') {
            231
        } else {
            16
        };
        let symbol = style.symbol(cell.letter);
        let dark = format!("\x1b[48;5;{background};38;5;{foreground}m {symbol} ");
        let (left, right) = match light_first {
            true => (LIGHT, dark.as_str()),
            false => (dark.as_str(), LIGHT),
        };
        line.push_str(left);
        line.push_str(right);
    }
    line + "\x1b[0m  "
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, moves, picture};

    fn detect(is_terminal: bool, variables: &[(&str, &str)]) -> Style {
        Style::detect(is_terminal, |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    #[cfg(not(windows))]
    fn pipes_dumb_terminals_and_no_color_are_respected() {
        let utf8 = ("LANG", "en_GB.UTF-8");
        let (color, unicode) = (true, true);
        assert_eq!(detect(true, &[utf8]), Style { color, unicode });
        assert_eq!(detect(false, &[utf8]), Style::default());
        assert_eq!(detect(true, &[utf8, ("TERM", "dumb")]), Style::default());
        let no_color = detect(true, &[utf8, ("NO_COLOR", "1")]);
        assert_eq!((no_color.color, no_color.unicode), (false, true));
        assert!(detect(true, &[("NO_COLOR", "")]).color);
        assert!(!detect(true, &[("LC_ALL", "C"), utf8]).unicode);
    }

    #[test]
    fn the_last_move_is_marked_in_every_style() {
        let before = fen::parse("W:W46,K5:B1,K50").unwrap();
        let mv = moves::parse(&before, "46-41").unwrap();
        let position = before.play(mv);
        let plain = draw(&position, Color::White, Some(mv), Style::default());
        let lines: Vec<&str> = plain.lines().collect();
        assert_eq!(lines[8], "   (w)  .   .   .   .   41 42 43 44 45");
        assert_eq!(lines[9], " (.)  .   .   .   B     46 47 48 49 50");
        for bottom in Color::BOTH {
            let unmarked = draw(&position, bottom, None, Style::default());
            assert_eq!(unmarked, picture::draw(&position, bottom, true));
        }
        for unicode in [false, true] {
            let style = Style {
                color: true,
                unicode,
            };
            let board = draw(&position, Color::White, Some(mv), style);
            assert_eq!(board.matches("48;5;172;").count(), 2);
            assert_eq!(board.is_ascii(), !unicode);
        }
    }
}
