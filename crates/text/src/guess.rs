//! Which encoding bytes are in: the one whose characters stand where people put them.

use crate::Encoding;
use crate::letters::{EASTERN, Marked, WESTERN};

/// Single-byte encodings and their prior scores; the first wins a tie.
const CANDIDATES: [(Encoding, f32); 11] = [
    (Encoding::Windows1252, 1.0),
    (Encoding::Windows1251, 0.5),
    (Encoding::Cp866, 0.0),
    (Encoding::Koi8R, 0.0),
    (Encoding::Cp850, 0.0),
    (Encoding::Windows1250, 0.0),
    (Encoding::Iso8859_2, 0.0),
    (Encoding::Windows1257, 0.0),
    (Encoding::Web(encoding_rs::MACINTOSH), -1.0),
    (Encoding::Cp852, -1.2),
    (Encoding::Web(encoding_rs::KOI8_U), -0.5),
];

/// Russian letters, from the most frequent one on, with their frequency per thousand; Ukrainian and Belarusian ones
/// last.
const CYRILLIC: [(char, f32); 37] = [
    ('о', 109.),
    ('е', 85.),
    ('а', 80.),
    ('и', 74.),
    ('н', 67.),
    ('т', 63.),
    ('с', 55.),
    ('р', 47.),
    ('в', 45.),
    ('л', 44.),
    ('к', 35.),
    ('м', 32.),
    ('д', 30.),
    ('п', 28.),
    ('у', 26.),
    ('я', 20.),
    ('ы', 19.),
    ('ь', 17.),
    ('г', 17.),
    ('з', 16.),
    ('б', 16.),
    ('ч', 14.),
    ('й', 12.),
    ('х', 10.),
    ('ж', 9.),
    ('ш', 7.),
    ('ю', 6.),
    ('ц', 5.),
    ('щ', 4.),
    ('ф', 3.),
    ('э', 3.),
    ('ё', 5.),
    ('і', 10.),
    ('ї', 6.),
    ('є', 6.),
    ('ў', 5.),
    ('ъ', 1.),
];
const VOWELS: &str = "аеиоуыэюяёіїє";
/// Letters of Lithuanian, Latvian and Estonian.
const BALTIC: &str = "ąčęėįšųūžāēģīķļņõäöü";

/// The encoding of lines of which some are not UTF-8.
pub(crate) fn guess(bytes: &[u8]) -> Encoding {
    let lines = || bytes.split(|&byte| matches!(byte, b'\n' | b'\r'));
    let foreign = || lines().filter(|line| std::str::from_utf8(line).is_err());
    let mut best = (CANDIDATES[0].0, f32::NEG_INFINITY);
    for (encoding, prior) in CANDIDATES {
        let score = prior
            + foreign()
                .map(|line| plausibility(&in_use(encoding, line), letters_of(encoding)))
                .sum::<f32>();
        if score > best.1 {
            best = (encoding, score);
        }
    }
    best.0
}

/// A line in an encoding; letters that no language of it uses are signs.
fn in_use(encoding: Encoding, line: &[u8]) -> String {
    let mut text = encoding.text_of(line);
    if encoding == Encoding::Windows1257 {
        let is_foreign = |c| is_marked(c) && !BALTIC.contains(small(c));
        text = text.replace(is_foreign, "¤");
    }
    text
}

/// The letters with marks that languages of an encoding have.
fn letters_of(encoding: Encoding) -> &'static [Marked] {
    match encoding {
        Encoding::Windows1252 | Encoding::Cp850 => &WESTERN,
        Encoding::Web(encoding) if encoding == encoding_rs::MACINTOSH => &WESTERN,
        _ => &EASTERN,
    }
}

fn small(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// How well the characters beyond ASCII fit their places.
fn plausibility(line: &str, letters: &[Marked]) -> f32 {
    // What stands before and behind: two characters of blank.
    let chars: Vec<char> = "  "
        .chars()
        .chain(line.chars())
        .chain("  ".chars())
        .collect();
    let places = chars.windows(4).filter(|place| !place[2].is_ascii());
    places
        .map(|place| of_place(letters, [place[0], place[1], place[2], place[3]]))
        .sum()
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..'\u{530}')
}

/// A Latin letter with a mark.
fn is_marked(c: char) -> bool {
    c.is_alphabetic() && !c.is_ascii() && !is_cyrillic(c) && !matches!(c, 'ª' | 'º' | 'µ')
}

/// How well `c` stands behind `before` and `left` and before `right`.
fn of_place(letters: &[Marked], [before, left, c, right]: [char; 4]) -> f32 {
    let [is_behind, is_ahead] = [left, right].map(char::is_alphabetic);
    let is_inside = is_behind && is_ahead;
    let digits = left.is_ascii_digit() && right.is_ascii_digit();
    match c {
        _ if is_cyrillic(c) => of_cyrillic(before, left, c, right),
        _ if is_marked(c) => of_latin(letters, [before, left, c, right]),
        '\u{80}'..'\u{a0}' => -6.0,
        '×' if digits => 4.0,
        '½' | '¼' | '¾' if is_behind || is_ahead => -3.0,
        '½' => 3.0,
        '–' | '—' if digits => 3.0,
        '–' | '—' if is_inside && right.is_lowercase() => -2.0,
        '–' | '—' if is_inside || left == ' ' && right == ' ' => 1.0,
        '–' | '—' => 0.0,
        '’' if is_behind => 2.0,
        '’' if is_ahead => 0.5,
        '“' | '‘' | '„' | '‚' | '«' if !is_behind && is_ahead => 1.5,
        '”' | '“' | '’' | '‘' | '»' | '…' if is_behind && !is_ahead => 1.5,
        '”' | '»' | '“' if matches!(left, '.' | '!' | '?') && !is_ahead => 1.5,
        '…' if !is_inside => 0.5,
        '№' if !is_behind && (right == ' ' || right.is_ascii_digit()) => 0.5,
        '±' | '°' | '§' | '€' | '\u{a0}' if !is_inside => 0.5,
        '\u{a0}' => -0.5,
        // Frames.
        '─'..='╬' | '▀'..='■' if !is_behind && !is_ahead && (c == left || c == right) => {
            0.0
        }
        _ if is_inside => -4.0,
        _ if is_behind || is_ahead => -3.0,
        _ => -1.0,
    }
}

fn of_cyrillic(before: char, left: char, c: char, right: char) -> f32 {
    let Some(&(_, often)) = CYRILLIC.iter().find(|(letter, _)| *letter == small(c)) else {
        return -3.0;
    };
    if [left, right]
        .iter()
        .any(|c| c.is_ascii_alphabetic() || is_marked(*c))
    {
        return -4.0;
    }
    if !is_cyrillic(left) && !is_cyrillic(right) {
        // A word of one letter, or an initial.
        return match "авикосуя".contains(c) || c.is_uppercase() && right == '.' {
            true => 0.5,
            false => -1.5,
        };
    }
    let is_vowel = |c: char| VOWELS.contains(small(c));
    let alternates = match is_cyrillic(left) && is_vowel(left) != is_vowel(c) {
        true => 0.5,
        false => 0.0,
    };
    (often / 30.0).log2().max(-1.5) + 0.5 + alternates + of_case(before, left, c)
}

fn of_latin(letters: &[Marked], [before, left, c, right]: [char; 4]) -> f32 {
    if left.is_ascii_digit() || right.is_ascii_digit() || is_marked(left) && is_marked(right) {
        return -3.0;
    }
    if is_cyrillic(left) || is_cyrillic(right) {
        return -4.0;
    }
    let [begins, ends] = [left, right].map(|c| !c.is_alphabetic());
    if begins && ends {
        // A word of one letter, or an initial.
        return match c {
            'à' => 0.5,
            _ if c.is_uppercase() && right == '.' => 0.0,
            _ => -1.5,
        };
    }
    let Some(&(_, often, lefts, rights)) = letters.iter().find(|(letter, ..)| *letter == small(c))
    else {
        return -3.0;
    };
    // The most frequent neighbour counts most.
    let of_side = |beside: char, usual: &str| {
        let sign = match beside {
            _ if beside.is_ascii_alphabetic() => beside.to_ascii_lowercase(),
            _ if beside.is_alphabetic() => '#',
            _ => '-',
        };
        usual
            .chars()
            .position(|known| known == sign)
            .map_or(-1.5, |rank| 1.2 - 0.08 * rank as f32)
    };
    let is_turned = c.is_lowercase() && right.is_uppercase();
    let usual = 0.4 * (often / 10.0).log2() + of_side(left, lefts) + of_side(right, rights);
    // A word of letters with marks alone.
    let is_alone = ![left, right].iter().any(char::is_ascii_alphabetic);
    let usual = if is_alone { usual.min(0.0) } else { usual };
    usual + of_case(before, left, c) - if is_turned { 3.0 } else { 0.0 }
}

/// How well the case of a letter fits the two characters before it.
fn of_case(before: char, left: char, c: char) -> f32 {
    match (left.is_uppercase(), c.is_uppercase()) {
        (false, true) if left.is_lowercase() => -3.0,
        (true, true) => -0.5,
        (true, false) if before.is_uppercase() => -1.0,
        _ => 0.0,
    }
}
