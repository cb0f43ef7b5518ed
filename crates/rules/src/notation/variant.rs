//! Which other game of draughts a text is, by its rules, where no header says it.

/// The game whose squares are named in a text that is no FEN of international draughts.
pub fn of_fen(text: &str) -> Option<&'static str> {
    let words = || {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    let is_named = |word: &str| {
        let word = word.as_bytes();
        let square = word.len().checked_sub(2).map(|at| &word[at..]);
        square.is_some_and(|square| matches!(square, [b'a'..=b'h', b'1'..=b'8']))
    };
    if words().filter(|word| is_named(word)).count() > 1 {
        return Some("on a board of 64 squares (a1 to h8)");
    }
    let numbers = || {
        words().filter_map(|word| {
            word.trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .parse()
                .ok()
        })
    };
    let is_large = |number: &u32| (51..=72).contains(number);
    if numbers().filter(is_large).count() > 1 && numbers().all(|number| (1..=72).contains(&number))
    {
        return Some("Canadian draughts or another on a board of 144 squares");
    }
    None
}
