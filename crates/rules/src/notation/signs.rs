//! The signs that people type, paste and scan, as the plain ones of ASCII that a reader looks for.
//!
//! Every dash, hyphen and minus sign becomes `-`, every x and multiplication sign `x`, every dot and ellipsis `.`,
//! every blank a space; so do full-width forms, colons, asterisks, quotes, and the letters `B` and `K` of other
//! alphabets. Doubled dashes become one. Soft hyphens, byte order marks and what else is not seen vanish, but for one
//! case: where two numbers would run into one of more than two digits, a soft hyphen stands for a dash and the others
//! for a space.
//!
//! Between two numbers `_`, `~` and `>` are dashes too, and a stroke before a sign, as Markdown has it, vanishes.
//!
//! Entities of HTML (`&ndash;`, `&nbsp;`, `&#215;`) stand for their characters.
//!
//! A reader works on the plain text; a message shows what was written, which [`written`] finds.
//!
//! ```
//! use damier_rules::notation::signs;
//!
//! let text = "1\u{2026} 3\u{200b}2\u{2013}\u{2013}28\u{a0}19\u{445}23";
//! assert_eq!(signs::plain(text), "1. 32-28 19x23");
//! let at = signs::written(text, "1. 32-28 19".len());
//! assert!(text[at..].starts_with('\u{445}'));
//! ```

use std::borrow::Cow;

/// The plain sign that a character stands for; itself where it is no lookalike of one, none where it is not seen.
pub fn plain_char(c: char) -> Option<char> {
    if c.is_ascii() {
        // The end of a file on old systems.
        return Some(if c == '\u{1a}' { ' ' } else { c });
    }
    Some(match c {
        // Not seen: soft hyphen, joiners, marks of direction, selectors of variants, byte order mark.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' => None?,
        '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => None?,
        // Dashes. The first two are those of Windows-1252 read as Latin-1.
        '\u{96}' | '\u{97}' | '\u{2d7}' | '\u{58a}' | '\u{5be}' | '\u{1400}' | '\u{1806}' => '-',
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{207b}' | '\u{208b}' | '\u{2212}' => '-',
        '\u{223c}' => '-',
        // Arrows.
        '\u{2192}'
        | '\u{21d2}'
        | '\u{279c}'..='\u{279e}'
        | '\u{27a1}'
        | '\u{27f6}'
        | '\u{2794}' => '-',
        '\u{23af}' | '\u{2500}' | '\u{2501}' | '\u{2796}' | '\u{2e17}' | '\u{2e1a}'
        | '\u{2e3a}' => '-',
        '\u{2e3b}' | '\u{2e40}' | '\u{2e5d}' | '\u{301c}' | '\u{3030}' | '\u{30a0}'
        | '\u{30fc}' => '-',
        '\u{fe31}' | '\u{fe32}' | '\u{fe58}' | '\u{fe63}' | '\u{10ead}' => '-',
        // Multiplication signs, crosses, and the letters of other alphabets.
        '\u{d7}' | '\u{2e3}' | '\u{3a7}' | '\u{3c7}' | '\u{425}' | '\u{445}' | '\u{4b2}'
        | '\u{4b3}' => 'x',
        '\u{2093}' | '\u{2169}' | '\u{2179}' | '\u{2297}' | '\u{22a0}' | '\u{24cd}'
        | '\u{24e7}' => 'x',
        '\u{2573}'
        | '\u{2613}'
        | '\u{2715}'..='\u{2718}'
        | '\u{274c}'
        | '\u{274e}'
        | '\u{292b}' => 'x',
        '\u{292c}' | '\u{2a02}' | '\u{2a09}' | '\u{2a2f}' | '\u{1f5d9}' => 'x',
        '\u{1d400}'..='\u{1d6a3}' if (u32::from(c) - 0x1d400) % 26 == 23 => 'x',
        '\u{85}' | '\u{2024}'..='\u{2026}' | '\u{22ef}' | '\u{3002}' | '\u{fe52}' | '\u{ff61}' => {
            '.'
        }
        '\u{2d0}' | '\u{589}' | '\u{5c3}' | '\u{2236}' | '\u{a789}' | '\u{fe13}' | '\u{fe55}' => {
            ':'
        }
        '\u{204e}' | '\u{2217}' | '\u{2731}' | '\u{fe61}' => '*',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{3001}' | '\u{fe50}' => ',',
        '\u{2755}' | '\u{2757}' | '\u{fe15}' | '\u{fe57}' => '!',
        '\u{2753}' | '\u{2754}' | '\u{fe16}' | '\u{fe56}' => '?',
        '\u{3010}' => '[',
        '\u{3011}' => ']',
        '\u{3014}' | '\u{fe59}' => '(',
        '\u{3015}' | '\u{fe5a}' => ')',
        '\u{ab}' | '\u{bb}' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{300c}'..='\u{300f}' => '"',
        '\u{b4}' | '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2039}' | '\u{203a}' => '\'',
        '\u{392}' | '\u{412}' => 'B',
        '\u{39a}' | '\u{41a}' => 'K',
        // Digits of other alphabets, and of mathematics.
        '\u{660}'..='\u{669}' => digit(c, 0x660),
        '\u{6f0}'..='\u{6f9}' => digit(c, 0x6f0),
        '\u{1d7ce}'..='\u{1d7ff}' => digit(c, 0x1d7ce),
        '\u{ff5e}' => '-',
        '\u{ff01}'..='\u{ff5d}' => char::from((u32::from(c) - 0xfee0) as u8),
        c if c.is_whitespace() => ' ',
        c => c,
    })
}

/// Names of HTML for the characters from U+00A0 on.
const LATIN: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
    sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde \
    Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde \
    Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
    egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
    ugrave uacute ucirc uuml yacute thorn yuml";
/// Names for others.
const NAMED: [(&str, char); 34] = [
    ("quot", '"'),
    ("amp", '&'),
    ("apos", '\''),
    ("lt", '<'),
    ("gt", '>'),
    ("ndash", '\u{2013}'),
    ("mdash", '\u{2014}'),
    ("minus", '\u{2212}'),
    ("hyphen", '\u{2010}'),
    ("dash", '\u{2010}'),
    ("horbar", '\u{2015}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
    ("zwnj", '\u{200c}'),
    ("zwj", '\u{200d}'),
    ("lrm", '\u{200e}'),
    ("rlm", '\u{200f}'),
    ("hellip", '\u{2026}'),
    ("lsquo", '\u{2018}'),
    ("rsquo", '\u{2019}'),
    ("sbquo", '\u{201a}'),
    ("ldquo", '\u{201c}'),
    ("rdquo", '\u{201d}'),
    ("bdquo", '\u{201e}'),
    ("lsaquo", '\u{2039}'),
    ("rsaquo", '\u{203a}'),
    ("rarr", '\u{2192}'),
    ("infin", '\u{221e}'),
    ("colon", ':'),
    ("period", '.'),
    ("half", '\u{bd}'),
    ("Scaron", '\u{160}'),
    ("scaron", '\u{161}'),
];

/// The character of the entity that a text begins with, and the bytes of the entity.
pub(super) fn entity(text: &str) -> Option<(char, usize)> {
    /// Longer than its name or number.
    const LONGER: usize = 10;
    let inside = text.strip_prefix('&')?;
    let end = inside.bytes().take(LONGER).position(|byte| byte == b';')?;
    let name = &inside[..end];
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            code.ok()
                .and_then(char::from_u32)
                .filter(|&c| !c.is_control())?
        }
        None => {
            let latin = || LATIN.split_whitespace().position(|known| known == name);
            let named = NAMED
                .iter()
                .find(|(known, _)| *known == name)
                .map(|&(_, c)| c);
            named.or_else(|| char::from_u32(0xa0 + latin()? as u32))?
        }
    };
    Some((c, end + 2))
}

/// A text with characters instead of entities.
pub(super) fn without_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        let (c, length) = entity(rest).unwrap_or((c, c.len_utf8()));
        out.push(c);
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

/// The first character of a text, and its bytes; an entity is one.
fn first_char(text: &str) -> Option<(char, usize)> {
    let c = text.chars().next()?;
    match c {
        '&' => entity(text).or(Some((c, 1))),
        _ => Some((c, c.len_utf8())),
    }
}

fn is_digit(c: char) -> bool {
    plain_char(c).is_some_and(|c| c.is_ascii_digit())
}

fn is_digit_or_blank(c: char) -> bool {
    c.is_whitespace() || is_digit(c)
}

/// A digit of an alphabet that has zero there.
fn digit(c: char, zero: u32) -> char {
    char::from(b'0' + ((u32::from(c) - zero) % 10) as u8)
}

/// A text in plain signs.
pub fn plain(text: &str) -> Cow<'_, str> {
    let has = |signs: &[&str]| signs.iter().any(|signs| text.contains(signs));
    let is_seldom = |c| matches!(c, '&' | '\u{1a}' | '>' | '_' | '~' | '\\');
    if text.is_ascii() && !has(&["--", "xx", "x-", "-x", "::"]) && !text.contains(is_seldom) {
        return Cow::Borrowed(text);
    }
    Signs::new(text, 0).map(|(_, sign)| sign).collect()
}

/// Where the sign stands in a text as it was written that is at this byte of the plain one.
pub fn written(text: &str, plain_at: usize) -> usize {
    let mut before = 0;
    let mut signs = Signs::new(text, 0);
    let found = signs.find(|(_, sign)| {
        before += sign.len_utf8();
        before > plain_at
    });
    found.map_or(text.len(), |(at, _)| at)
}

/// The words of a text as they were written.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut signs = Signs::new(text, 0);
    std::iter::from_fn(move || {
        signs = signs.past(char::is_whitespace);
        let begin = signs.at();
        signs = signs.past(|sign| !sign.is_whitespace());
        (begin < signs.at()).then(|| &text[begin..signs.at()])
    })
}

/// The plain signs of a text, each with the byte where it was written.
#[derive(Clone, Copy, Debug)]
pub struct Signs<'a> {
    text: &'a str,
    at: usize,
    /// Digits directly before.
    digits: usize,
}

impl<'a> Signs<'a> {
    /// Those from a byte of the text on.
    pub fn new(text: &'a str, at: usize) -> Signs<'a> {
        Signs {
            text,
            at,
            digits: 0,
        }
    }

    /// Where what comes next was written.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next sign, which stays the next one.
    pub fn peek(&self) -> Option<char> {
        { *self }.next().map(|(_, sign)| sign)
    }

    /// Steps over signs of a kind; returns the others that are left.
    #[must_use]
    pub fn past(mut self, is_wanted: impl Fn(char) -> bool) -> Signs<'a> {
        while let Some(sign) = self.peek()
            && is_wanted(sign)
        {
            self.next();
        }
        self
    }

    /// Steps over characters that are not seen; what they stand for between two digits.
    fn unseen(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let (mut after, mut has_hyphen) = (rest, false);
        let escapes =
            |rest: &str| self.digits > 0 && rest.starts_with(['-', '.', '*', '_', '~', '>']);
        while let Some((c, length)) = first_char(after)
            .filter(|&(c, _)| plain_char(c).is_none() || c == '\\' && escapes(&after[1..]))
        {
            has_hyphen |= c == '\u{ad}';
            after = &after[length..];
        }
        let gap = &rest[..rest.len() - after.len()];
        self.at += gap.len();
        let plain = after.chars().map_while(plain_char);
        let more = plain.take(3).take_while(char::is_ascii_digit).count();
        let runs_on = self.digits > 0 && more > 0 && self.digits + more > 2;
        let is_apart = !gap.is_empty() && runs_on;
        is_apart.then_some(if has_hyphen { '-' } else { ' ' })
    }
}

impl Iterator for Signs<'_> {
    /// A byte of the text as it was written, and the sign that stands there.
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        let begin = self.at;
        if let Some(sign) = self.unseen() {
            self.digits = 0;
            return Some((begin, sign));
        }
        let at = self.at;
        let (c, length) = first_char(&self.text[at..])?;
        self.at += length;
        let is_between = self.digits > 0;
        let sign = match c {
            '_' | '~' | '>' if is_between && self.text[self.at..].starts_with(is_digit) => '-',
            c => plain_char(c)?,
        };
        self.digits = if sign.is_ascii_digit() {
            self.digits + 1
        } else {
            0
        };
        // Doubled ones.
        if sign == '-' || matches!(sign, 'x' | ':') && is_between {
            let is_more = |c: char| match plain_char(c) {
                Some('x') => is_between && sign != ':',
                Some(':') => sign == ':',
                c => matches!(c, Some('-') if sign != ':') || c.is_none(),
            };
            while let Some((_, length)) =
                first_char(&self.text[self.at..]).filter(|&(c, _)| is_more(c))
            {
                self.at += length;
            }
            // An arrow, `32->28`.
            let behind = self.text[self.at..].strip_prefix('>');
            let is_arrow = |rest: &str| {
                let seen = rest.trim_start_matches(|c| plain_char(c).is_none());
                seen.starts_with(is_digit_or_blank)
            };
            if sign == '-' && behind.is_some_and(is_arrow) {
                self.at += 1;
            }
        }
        Some((at, sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_lookalike_becomes_its_plain_sign() {
        for (lookalikes, sign) in [
            ("-‐‑‒–—―−⁃﹣－﹘⸺〜─➖\u{96}⁻→⇒➔➜➡⟶", "-"),
            ("x×✕✖⨯╳хХχΧｘⅹ𝐱𝗑❌⊗", "x"),
            ("…．。․⋯\u{85}", "."),
            ("：∶꞉", ":"),
            ("＊∗", "*"),
            ("\u{a0}\u{2009}\u{202f}\u{3000}\u{2007}\u{1a}", " "),
            ("“”„«»＂", "\""),
            ("\u{ad}\u{200b}\u{feff}\u{2060}\u{200d}\u{fe0f}\u{200e}", ""),
            ("３３𝟑٣", "3"),
            ("！❗❕", "!"),
            ("？❓❔", "?"),
            ("（〔﹙", "("),
            ("］】", "]"),
        ] {
            for c in lookalikes.chars() {
                assert_eq!(plain(&c.to_string()), sign, "{c:?}");
            }
        }
        for (text, expected) in [
            ("32--28", "32-28"),
            ("32\u{2013}\u{ad}\u{2013}-28", "32-28"),
            ("3\u{200b}2-2\u{ad}8", "32-28"),
            ("32\u{ad}28", "32-28"),
            ("32-28\u{200b}\u{feff}19-23", "32-28 19-23"),
            ("32\u{ad}-28\u{200b} é ½", "32-28 é ½"),
            ("2✖️3", "2x3"),
            (
                "32_28 32~28 32>28 32\\-28 1\\. x_1 > 3",
                "32-28 32-28 32-28 32-28 1. x_1 > 3",
            ),
            (
                "32->28 32 -> 28 32→28 32\u{2013}> 28",
                "32-28 32 - 28 32-28 32- 28",
            ),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn the_place_as_written_is_found(text in "[0-9 \\-x–х…é\u{ad}\u{200b}]{0,20}") {
            let plain = plain(&text);
            for (at, sign) in plain.char_indices() {
                let found = written(&text, at);
                let c = text[found..].chars().next().unwrap();
                prop_assert!(plain_char(c).is_none_or(|c| c == sign), "{text:?} {at}");
            }
            prop_assert_eq!(written(&text, plain.len()), text.len());
            // What is plain stays.
            prop_assert_eq!(super::plain(&plain), plain.as_ref());
            let words: Vec<_> = words(&text).map(super::plain).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(words, plain.split_whitespace().collect::<Vec<_>>(), "{:?}", text);
        }
    }
}
