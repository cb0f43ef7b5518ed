//! Texts made to take long, and signs that stand for others.

use super::dialects::{FOUR, read_all};
use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "(",
        "[A \"x\" ",
        "[A 'x ",
        "{",
        "12 ",
        "(19-23 ",
        "32-28 (19-23) ",
        "x ",
        "46x12 ",
        "[pdn",
        "\u{ad}1",
        "1. (x) ",
        "[[",
        "- ",
        "* ",
        "[A x] ",
        "\n[A\n",
        "/FEN \"",
        "word ",
        "(a) ",
        "28x",
        "1-1 [A \"",
        "\u{200b}",
        "%\n",
        "12) ",
        "\n[A \"",
        "{a} ",
        "; x)\n",
        "(a; b) ",
        "8-12 ",
        "+ - ",
        "<x> ",
        "32-28 (19-23 ",
        "(2-0) ",
        "A) 1-2\n",
        "[A \"b\" ",
    ] {
        let time = |length: usize| {
            let text = piece.repeat(length / piece.len());
            let begun = Instant::now();
            read(&text).take(50).for_each(drop);
            read(&format!("1. 32-28 {text}")).take(50).for_each(drop);
            begun.elapsed()
        };
        // Sixteen times as long a text takes about sixteen times as long, in square time 256 times.
        let short = (0..3).map(|_| time(1 << 14)).max().unwrap_or_default();
        let (short, long) = (short.max(Duration::from_millis(20)), time(1 << 18));
        assert!(long < 64 * short, "{piece}: {short:?}, {long:?}");
    }
}

/// Signs that may stand for another.
fn lookalikes(sign: char) -> Vec<&'static str> {
    match sign {
        '-' => vec![
            "-",
            "--",
            "\u{2010}",
            "\u{2011}",
            "\u{2013}",
            "\u{2014}",
            "\u{2212}",
            "\u{ff0d}",
            "\u{2015}",
            "\u{fe63}",
            "\u{ad}-",
            "\u{2192}",
            "->",
            "\u{21d2}",
            "\u{27a1}\u{fe0f}",
        ],
        'x' => vec![
            "x", "X", ":", "\u{d7}", "\u{445}", "\u{425}", "\u{3c7}", "\u{ff58}", "\u{2715}",
            "\u{2a2f}", " x ", "*",
        ],
        ' ' => vec![
            " ",
            "\u{a0}",
            "\u{2009}",
            "\u{3000}",
            " \u{200b}",
            "\n",
            "\u{feff} ",
        ],
        '.' => vec![".", "...", "\u{2026}", ". ", ".\u{200b}"],
        '1' => vec!["1", "\u{ff11}", "1\u{200b}"],
        '2' => vec!["2", "\u{ff12}", "\u{ad}2"],
        '3' => vec!["3", "\u{ff13}", "\u{feff}3"],
        _ => Vec::new(),
    }
}

proptest! {
    #[test]
    fn lookalikes_give_the_same_moves(choices in prop::collection::vec(any::<prop::sample::Index>(), 64)) {
        let plain = "1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28 16-21 ";
        let text: String = plain.chars().zip(choices.iter().cycle()).map(|(sign, choice)| {
            let same = lookalikes(sign);
            if same.is_empty() { sign.to_string() } else { choice.get(&same).to_string() }
        }).collect();
        let read = read_all(&text);
        prop_assert_eq!(read.len(), 1, "{:?} {:?}", text, read);
        prop_assert_eq!(&read[0].0, &format!("{FOUR} 33-28 23x32 37x28 16-21"), "{:?} {:?}", text, read);
        let line = crate::notation::moves::parse_line(&Position::start(), &text);
        prop_assert_eq!(line.map(|line| line.len()).map_err(|error| error.to_string()), Ok(8), "{:?}", text);
    }
}
