//! Sides, and the side to move.

use super::FenReader;
use crate::board::Color;
use crate::notation::fen::{FenError, FenErrorKind};
use crate::notation::picture;

impl FenReader<'_> {
    /// Reads the side to move behind the pieces: `W` by itself, or `white to move`. Whether it stands here.
    pub(super) fn turn_behind(&mut self, turn: &mut Option<Color>) -> bool {
        /// Longer than a name and a verb.
        const LONGER: usize = 64;
        let rest = &self.text[self.byte(self.at)..];
        if rest.len() > LONGER {
            return false;
        }
        let line = rest.trim_matches(|c: char| c.is_whitespace() || "\"'].:".contains(c));
        let is_letter = turn.is_none() && self.sides.len() > 1;
        let named = picture::turn(line).filter(|_| line.chars().count() > 1 || is_letter);
        let Some(color) = named.filter(|color| turn.is_none_or(|turn| turn == *color)) else {
            return false;
        };
        *turn = Some(color);
        self.at = self.signs.len();
        true
    }

    /// Reads the side to move before the pieces as words, `Zwart aan zet.`; whether it stands at this place.
    pub(super) fn turn_before(&mut self, begin: usize, turn: &mut Option<Color>) -> bool {
        let rest = &self.text[self.byte(begin)..];
        let Some(end) = rest.find(['.', ':', '\n', ',', ';']) else {
            return false;
        };
        let words = rest[..end].trim();
        let named = picture::turn(words).filter(|_| words.contains(' '));
        if named.is_some() {
            *turn = named;
            let end = self.byte(begin) + end;
            self.at = self.signs.iter().take_while(|&&(at, _)| at < end).count();
        }
        named.is_some()
    }

    /// Whether the sides are `B` and `N`, as in `N:B31:N1`. In the fields behind them may stand a name such as `n14`.
    pub(super) fn has_french_sides(&self) -> bool {
        let sides = &self.signs[..self.fields_begin()];
        let begins_side = |letter: char| {
            let mut signs = sides
                .windows(3)
                .map(|part| (part[0].1, part[1].1, part[2].1));
            signs.any(|(before, sign, behind)| {
                sign.eq_ignore_ascii_case(&letter)
                    && !before.is_alphabetic()
                    && "K0123456789".contains(behind)
            })
        };
        begins_side('B') && begins_side('N')
    }

    /// Where a semicolon with a word of two letters or more behind it stands, such as `; id`; the end without one.
    fn fields_begin(&self) -> usize {
        let is_field = |&at: &usize| {
            let behind = self.signs[at + 1..].iter().map(|&(_, sign)| sign);
            let mut word = behind.skip_while(|sign| sign.is_whitespace());
            let mut letter = || word.next().is_some_and(char::is_alphabetic);
            self.signs[at].1 == ';' && letter() && letter()
        };
        let mut places = 0..self.signs.len();
        places.find(|at| is_field(at)).unwrap_or(self.signs.len())
    }

    /// The side that a word or a letter of this text names, and its length.
    fn name(&self, word: &str) -> Option<(Color, usize)> {
        let named = name(word);
        match word {
            "B" | "b" if self.is_french => named.map(|(color, length)| (!color, length)),
            _ => named,
        }
    }

    pub(super) fn turn(&mut self) -> Option<Color> {
        let named = self.name(&self.word_at(self.at));
        let (color, length) = named.or_else(|| {
            let first = self.peek()?.to_string();
            self.name(&first)
        })?;
        self.at += length;
        Some(color)
    }

    /// The side that begins at a place, and the length of its name.
    pub(super) fn side_at(&self, at: usize) -> Option<(Color, usize)> {
        let word = self.word_at(at);
        self.name(&word).or_else(|| {
            // A prefix of a square follows.
            let (first, rest) = word.split_at_checked(1)?;
            self.name(first)
                .filter(|_| matches!(rest, "K" | "k" | "D" | "G" | "g" | "P" | "p"))
        })
    }

    /// The letters that begin at a place.
    pub(super) fn word_at(&self, at: usize) -> String {
        let letters = self.signs[at.min(self.signs.len())..].iter();
        letters
            .map(|&(_, sign)| sign)
            .take_while(|c| c.is_alphabetic())
            .take(8)
            .collect()
    }

    pub(super) fn side(&mut self) -> Result<(), FenError> {
        let first = self.peek().and_then(|first| self.name(&first.to_string()));
        let Some((color, length)) = self.name(&self.word_at(self.at)).or(first) else {
            return self.unexpected(FenErrorKind::Side);
        };
        let is_given = |sides: &[(Color, usize)]| sides.iter().any(|&(given, _)| given == color);
        // The side to move stands twice: `W:B:W50:B` of py-draughts.
        if is_given(&self.sides) && self.sides.len() < 3 && self.sides[0].1 == 0 {
            (self.setup.turn, _) = self.sides.remove(0);
            self.doubled = Some(self.setup.turn);
        }
        // So does the letter of a side: `W:W:W31:B:B1`.
        if self.sides.last() == Some(&(color, 0)) {
            self.sides.pop();
        }
        if is_given(&self.sides) && self.is_unnamed(1) {
            self.rename();
        }
        if is_given(&self.sides) {
            return self.error(self.at, FenErrorKind::SideTwice(color));
        }
        self.sides.push((color, 0));
        self.at += length;
        Ok(())
    }

    /// Gives the pieces of the side without a letter to the other one.
    fn rename(&mut self) {
        self.setup.men.swap(0, 1);
        self.setup.kings.swap(0, 1);
        self.sides[0].0 = !self.sides[0].0;
    }
}

/// The side that a word names, and its length.
pub fn name(word: &str) -> Option<(Color, usize)> {
    let color = match word.to_lowercase().as_str() {
        "w" | "white" | "wit" | "blanc" | "blancs" | "weiss" | "weiß" | "\u{431}" | "белые"
        | "белых" => Color::White,
        "b" | "black" | "z" | "zwart" | "noir" | "noirs" | "n" | "schwarz" | "s" => Color::Black,
        "\u{447}" | "черные" | "чёрные" | "черных" | "чёрных" => {
            Color::Black
        }
        _ => return None,
    };
    Some((color, word.chars().count()))
}
