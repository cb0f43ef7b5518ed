//! Names of combinations. A name is given only where the line has all that the definition asks for; docs/analysis.md
//! has the definitions in words.

use damier_rules::board::Color;
use damier_rules::notation::moves;
use damier_rules::{Move, Position};
use std::fmt;

/// A combination that has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Motif {
    /// Three men given by 23x34, and the capture 40x29x20x9x18x7.
    Royal,
    /// 18x27 and 32x21 take the man on 18 away, and the capture goes from 38 or 40 by 29 and 18 to 7.
    Philippe,
    /// A capture in zigzag, whose second man came before its first.
    Napoleon,
    /// A king stopped by a piece that it captured already, before a man whose support it captured too.
    Turc,
    /// A piece lured to the square that a man left is spared, and captured first by another.
    Manoury,
    /// A man is sent to the last row, and its king captured.
    King,
    /// The piece that takes back after a capture of several is the first of the next one.
    Ricochet,
    /// A man captures backwards, and the piece that lands where the man stood is the first of the next capture.
    Talon,
    /// A piece that captured is sent back where it came from, and captured there.
    Recall,
    /// Two gifts of two, the second one while a man moves to the enemy's and begins to capture there; then another one
    /// captures.
    Raphael,
    /// One man is led by 27 to 18, another one by 37 to 28, and the capture goes from 33 by 22 to 13.
    Express,
    /// A man captures three or more along one straight line.
    Enfilade,
}

impl Motif {
    /// All motifs.
    pub const ALL: [Motif; 12] = [
        Motif::Royal,
        Motif::Philippe,
        Motif::Napoleon,
        Motif::Turc,
        Motif::Manoury,
        Motif::King,
        Motif::Ricochet,
        Motif::Talon,
        Motif::Recall,
        Motif::Raphael,
        Motif::Express,
        Motif::Enfilade,
    ];

    /// Name of the motif, French in all languages.
    pub fn name(self) -> &'static str {
        match self {
            Motif::Royal => "coup royal",
            Motif::Philippe => "coup Philippe",
            Motif::Napoleon => "coup Napol\u{e9}on",
            Motif::Turc => "coup turc",
            Motif::Manoury => "coup Manoury",
            Motif::King => "envoi \u{e0} dame",
            Motif::Ricochet => "coup de ricochet",
            Motif::Talon => "coup de talon",
            Motif::Recall => "coup de rappel",
            Motif::Raphael => "coup Rapha\u{eb}l",
            Motif::Express => "coup de l\u{2019}express",
            Motif::Enfilade => "enfilade",
        }
    }

    fn is_in(self, plies: &[Ply]) -> bool {
        match self {
            Motif::Royal => is_royal(plies),
            Motif::Philippe => is_philippe(plies),
            Motif::Napoleon => is_napoleon(plies),
            Motif::Turc => plies.windows(2).any(is_turc),
            Motif::Manoury => plies.windows(5).any(is_manoury),
            Motif::King => is_king_sent(plies),
            Motif::Ricochet => plies.windows(3).any(is_ricochet),
            Motif::Talon => plies.windows(3).any(is_talon),
            Motif::Recall => is_recall(plies),
            Motif::Raphael => plies.windows(7).any(is_raphael),
            Motif::Express => is_express(plies),
            Motif::Enfilade => is_enfilade(plies),
        }
    }
}

impl fmt::Display for Motif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The motifs of a combination: its line from the first offer to the last capture.
pub fn motifs(start: &Position, line: &[Move]) -> Vec<Motif> {
    let Some(plies) = plies(start, line) else {
        return Vec::new();
    };
    let found = Motif::ALL.into_iter().filter(|motif| motif.is_in(&plies));
    let mut found: Vec<Motif> = found.collect();
    // Any other name says more.
    if found.len() > 1 {
        found.retain(|&motif| motif != Motif::Enfilade);
    }
    found
}

/// A square as the side that combines sees it if it were white.
type Place = u8;

/// A move, as the side that combines sees it.
struct Ply {
    /// Whether that side plays it.
    is_ours: bool,
    /// Where the piece stands on its way.
    way: Vec<Place>,
    /// What it captures, in order.
    captured: Vec<Place>,
    is_man: bool,
    promotes: bool,
    /// Other legal moves: from where, and what they capture.
    others: Vec<(Place, Vec<Place>)>,
}

impl Ply {
    fn from(&self) -> Place {
        self.way[0]
    }

    fn to(&self) -> Place {
        self.way[self.way.len() - 1]
    }

    fn takes(&self) -> usize {
        self.captured.len()
    }

    fn is_quiet(&self) -> bool {
        self.captured.is_empty()
    }
}

/// The moves of a line. None where a capture has several ways, of which one may have a name and another not.
fn plies(start: &Position, line: &[Move]) -> Option<Vec<Ply>> {
    let side = start.turn();
    let seen = |number: u8| match side {
        Color::White => number,
        Color::Black => 51 - number,
    };
    let captured = |mv: Move| {
        mv.captured()
            .into_iter()
            .map(|square| seen(square.number()))
            .collect::<Vec<Place>>()
    };
    let mut position = *start;
    let mut out = Vec::new();
    for &mv in line {
        let mut ways = moves::ways(&position, mv, 2);
        if ways.len() > 1 {
            return None;
        }
        let way: Vec<Place> = ways
            .pop()?
            .iter()
            .map(|square| seen(square.number()))
            .collect();
        let all = captured(mv);
        let jumps = way.windows(2).filter_map(|pair| {
            all.iter()
                .copied()
                .find(|&place| is_between(place, pair[0], pair[1]))
        });
        let legal = position.legal_moves();
        let others = legal.iter().filter(|&&other| other != mv);
        out.push(Ply {
            is_ours: position.turn() == side,
            captured: jumps.collect(),
            is_man: position.moves_man(mv),
            promotes: position.promotes(mv),
            others: others
                .map(|&other| (seen(other.from().number()), captured(other)))
                .collect(),
            way,
        });
        position = position.play(mv);
    }
    Some(out)
}

/// Row from above and column of a square.
fn at(place: Place) -> (i32, i32) {
    let index = i32::from(place) - 1;
    (index / 5, (index % 5) * 2 + i32::from(index / 5 % 2 == 0))
}

/// The step from a square towards another one on the same diagonal.
fn step(from: Place, to: Place) -> (i32, i32) {
    let ((row, column), (to_row, to_column)) = (at(from), at(to));
    ((to_row - row).signum(), (to_column - column).signum())
}

fn is_between(place: Place, from: Place, to: Place) -> bool {
    let ((row, column), (first, left), (last, right)) = (at(place), at(from), at(to));
    let along = (row - first).abs() == (column - left).abs() && step(from, place) == step(from, to);
    along
        && (row - first).abs() < (last - first).abs()
        && (column - left).abs() < (right - left).abs()
}

/// The square next to one in this direction.
fn next(place: Place, (down, right): (i32, i32)) -> Option<Place> {
    let (row, column) = at(place);
    (1..=50).find(|&other| at(other) == (row + down, column + right))
}

/// Our captures, each with the plies before it.
fn ours(plies: &[Ply]) -> impl Iterator<Item = (&[Ply], &Ply)> {
    let captures = plies
        .iter()
        .enumerate()
        .filter(|(_, ply)| ply.is_ours && !ply.is_quiet());
    captures.map(|(index, ply)| (&plies[..index], ply))
}

fn is_royal(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let given = before
            .iter()
            .any(|ply| !ply.is_ours && ply.from() == 23 && ply.to() == 34 && ply.takes() >= 3);
        given && capture.way.starts_with(&[40, 29, 20, 9, 18, 7])
    })
}

fn is_philippe(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let is_lured = before.windows(2).any(|pair| {
            let (theirs, ours) = (&pair[0], &pair[1]);
            ours.is_ours && theirs.way == [18, 27] && ours.way == [32, 21]
        });
        let ways = [[38, 29, 18, 7], [40, 29, 18, 7]];
        is_lured && ways.iter().any(|way| capture.way.starts_with(way))
    })
}

fn is_napoleon(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let steps: Vec<(i32, i32)> = capture
            .way
            .windows(2)
            .map(|pair| step(pair[0], pair[1]))
            .collect();
        let is_zigzag = matches!(steps[..], [(-1, a), (1, b), (-1, c), ..] if a == b && b == c);
        if !capture.is_man || capture.takes() < 4 || !is_zigzag {
            return false;
        }
        // When the men of the first two links came there.
        let came = |place| {
            before
                .iter()
                .rposition(|ply| !ply.is_ours && ply.to() == place)
        };
        let links = came(capture.captured[0]).zip(came(capture.captured[1]));
        links.is_some_and(|(first, second)| second < first)
    })
}

fn is_turc(pair: &[Ply]) -> bool {
    let (theirs, ours) = (&pair[0], &pair[1]);
    if theirs.is_ours || theirs.is_man || theirs.takes() < 4 || !ours.is_man || ours.is_quiet() {
        return false;
    }
    let (end, man) = (theirs.to(), ours.from());
    let is_captured =
        |place: Option<Place>| place.is_some_and(|place| theirs.captured.contains(&place));
    let last = theirs.way[theirs.way.len() - 2];
    let is_stopped = is_captured(next(end, step(last, end)));
    let is_unsupported = is_captured(next(man, step(end, man)));
    ours.captured[0] == end && is_stopped && is_unsupported
}

/// A man leaves a square and attacks, the enemy lands there, the attacked piece is captured although the one that
/// landed could be, the enemy captures, and another man captures, beginning with the one that landed.
fn is_manoury(plies: &[Ply]) -> bool {
    let [attack, lured, taken, back, last] = plies else {
        return false;
    };
    let could = taken
        .others
        .iter()
        .any(|(_, captured)| captured.contains(&attack.from()));
    attack.is_ours
        && attack.is_man
        && attack.is_quiet()
        && !lured.is_quiet()
        && lured.to() == attack.from()
        && !taken.is_quiet()
        && taken.from() == attack.to()
        && !taken.captured.contains(&lured.to())
        && could
        && !back.is_quiet()
        && back.from() != lured.to()
        && last.takes() > 1
        && last.captured[0] == lured.to()
        && last.captured.contains(&back.to())
}

/// The king is followed on its way.
fn is_king_sent(plies: &[Ply]) -> bool {
    (0..plies.len()).any(|begin| {
        let sent = &plies[begin];
        if sent.is_ours || !sent.promotes || sent.is_quiet() {
            return false;
        }
        let mut king = sent.to();
        for ply in &plies[begin + 1..] {
            if ply.is_ours && ply.captured.contains(&king) {
                return true;
            }
            if !ply.is_ours && ply.from() == king {
                king = ply.to();
            }
        }
        false
    })
}

fn is_ricochet(plies: &[Ply]) -> bool {
    let [first, back, second] = plies else {
        return false;
    };
    first.is_ours
        && first.takes() >= 2
        && back.captured.contains(&first.to())
        && second.takes() >= 2
        && second.captured[0] == back.to()
}

fn is_talon(plies: &[Ply]) -> bool {
    let [first, back, second] = plies else {
        return false;
    };
    // All the way towards the own side.
    let is_backward = first
        .way
        .windows(2)
        .all(|pair| step(pair[0], pair[1]).0 > 0);
    first.is_ours
        && first.is_man
        && !first.is_quiet()
        && is_backward
        && !back.is_quiet()
        && back.to() == first.from()
        && second.takes() >= 2
        && second.captured[0] == back.to()
}

/// A man captures forwards, and after an offer of ours backwards, where it is captured first.
fn is_recall(plies: &[Ply]) -> bool {
    plies.windows(4).any(|plies| {
        let [there, offer, back, last] = plies else {
            return false;
        };
        let is_back = back.way.windows(2).all(|pair| step(pair[0], pair[1]).0 < 0);
        !there.is_ours
            && there.is_man
            && !there.promotes
            && !there.is_quiet()
            && offer.is_quiet()
            && back.from() == there.to()
            && !back.is_quiet()
            && is_back
            && back.captured.contains(&offer.to())
            && last.takes() >= 2
            && last.captured[0] == back.to()
    })
}

/// The enemy captures two, and two again while one of our men moves next to an enemy; this man captures three or more,
/// is captured, and another one captures two or more, beginning with the piece that captured second.
fn is_raphael(plies: &[Ply]) -> bool {
    let [first, stick, second, capture, back, last] = &plies[1..] else {
        return false;
    };
    let is_gift = |ply: &Ply| !ply.is_ours && ply.takes() >= 2;
    plies[0].is_quiet()
        && is_gift(first)
        && stick.is_man
        && stick.is_quiet()
        && is_gift(second)
        && capture.from() == stick.to()
        && capture.takes() >= 3
        && back.captured.contains(&capture.to())
        && last.takes() >= 2
        && last.captured[0] == second.to()
}

fn is_express(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let led = |ways: &[[Place; 2]]| {
            let mut theirs = before.iter().filter(|ply| !ply.is_ours && ply.takes() == 1);
            theirs.any(|ply| ply.is_man && ways.iter().any(|way| ply.way == way))
        };
        let first = [led(&[[16, 27], [18, 27]]), led(&[[26, 37]])];
        led(&[[27, 18]])
            && led(&[[37, 28]])
            && first.contains(&true)
            && capture.way.starts_with(&[33, 22, 13])
    })
}

fn is_enfilade(plies: &[Ply]) -> bool {
    ours(plies).any(|(_, capture)| {
        let mut steps = capture.way.windows(2).map(|pair| step(pair[0], pair[1]));
        let first = steps.next();
        capture.is_man && capture.takes() >= 3 && steps.all(|step| Some(step) == first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stop;
    use crate::mine::Combination;
    use crate::searched::search;
    use damier_engine::{Engine, Options};
    use damier_rules::Game;
    use damier_rules::notation::{fen, moves};

    /// One position for each motif, and its line.
    const EXAMPLES: [(Motif, &str, &str); 12] = [
        (
            Motif::Royal,
            "W:W27,28,32,38,39,40,45:B12,13,14,16,18,19,23,24",
            "27-22 18x27 32x21 23x34 40x7 16x27",
        ),
        (
            Motif::Philippe,
            "W:W27,32,34,38,40,45:B12,16,18,23,25",
            "27-22 18x27 32x21 16x27 34-30 25x34 40x7",
        ),
        (
            Motif::Napoleon,
            "W:W26,28,29,31,36:B9,16,17,18,19",
            "29-23 18x29 28-22 17x28 26-21 16x27 31x4",
        ),
        (
            Motif::Turc,
            "W:W22,23,33,38,40,49:B8,14,19,K30",
            "40-34 30x29 33x2",
        ),
        (
            Motif::Manoury,
            "W:W31,36,37,39,43,49,50:B6,11,13,14,16,21,30",
            "39-34 30x48 31-26 48x31 26x17 11x22 36x20",
        ),
        (
            Motif::King,
            "W:W31,36,37,39,43,45:B13,14,22,30",
            "39-34 30x48 31-26 48x31 36x20",
        ),
        (
            Motif::Ricochet,
            "W:W27,28,32,33,34,35,36,37,38,39,40,41,42,43,45,46,47,48,49,50:\
             B1,2,3,4,5,6,7,8,9,10,11,13,14,15,16,18,19,21,23,25",
            "27-22 18x27 34-30 25x34 40x18 13x22 28x26 14-20 32x21 16x27",
        ),
        (
            Motif::Talon,
            "W:W22,28,32,34,37:B9,11,17,19,24",
            "34-29 24x33 28x39 17x28 32x3",
        ),
        (
            Motif::Recall,
            "W:W28,32,33,37,38:B8,18,19",
            "28-23 19x39 38-33 39x28 32x3",
        ),
        (
            Motif::Raphael,
            "W:W27,28,32,33,34,37,38,48,49:B12,13,16,17,19,21,23,24,26",
            "34-29 23x34 28-23 19x39 37-31 26x28 49-44 21x43 44x11 16x7 48x17",
        ),
        (
            Motif::Express,
            "W:W27,28,33,37,38,39:B3,9,11,14,16,26",
            "37-31 26x37 27-21 16x27 28-22 27x18 38-32 37x28 33x4",
        ),
        (
            Motif::Enfilade,
            "W:W31,37,41,48:B3,14,21,23",
            "31-27 21x32 37x10",
        ),
    ];

    #[test]
    fn each_example_has_its_motif_for_both_sides() {
        for (motif, text, line) in EXAMPLES {
            let start = fen::parse(text).expect("a position");
            let line = moves::parse_line(&start, line).expect("legal");
            let found = motifs(&start, &line);
            assert!(found.contains(&motif), "{motif}: {found:?}");
            let mut others = found.into_iter().filter(|other| *other != motif);
            let goes_along = motif == Motif::Manoury && others.next() == Some(Motif::King);
            assert!(goes_along || others.next().is_none(), "{motif}");
            let whole = Combination::of(&start, &line).map_or(0, |whole| whole.line.len());
            // That of Raphaël wins by the opposition, with equal material.
            assert!(
                whole + 3 >= line.len() || motif == Motif::Raphael,
                "{motif}"
            );
            // The same with colors swapped.
            let swapped = start.flipped();
            let mut position = swapped;
            let mirrored: Vec<Move> = line
                .iter()
                .map(|mv| {
                    let turned = |number: u8| 51 - number;
                    let legal = position.legal_moves();
                    let found = legal.iter().find(|other| {
                        let takes = mv
                            .captured()
                            .into_iter()
                            .map(|square| turned(square.number()));
                        let mut takes: Vec<u8> = takes.collect();
                        takes.sort_unstable();
                        other.from().number() == turned(mv.from().number())
                            && other.to().number() == turned(mv.to().number())
                            && other
                                .captured()
                                .into_iter()
                                .map(|square| square.number())
                                .eq(takes)
                    });
                    let mv = *found.expect("the same move");
                    position = position.play(mv);
                    mv
                })
                .collect();
            assert_eq!(motifs(&swapped, &mirrored), motifs(&start, &line));
        }
    }

    #[test]
    fn the_engine_plays_each_example() {
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        let mut engine = Engine::new(options).expect("an engine");
        for (motif, text, line) in EXAMPLES {
            let start = fen::parse(text).expect("a position");
            let line = moves::parse_line(&start, line).expect("legal");
            engine.new_game();
            let game = Game::new(start);
            let found = search(&mut engine, &game, &[], 20_000, &mut |_| {}, &Stop::new());
            let found = found.expect("not stopped");
            assert_eq!(found.line.first(), line.first(), "{motif}");
            assert!(found.points() > 0.55, "{motif}: {}", found.points());
        }
    }

    #[test]
    fn a_line_that_lacks_a_part_has_no_name() {
        for (text, line) in [
            // The capture goes 40x29x20x9 alone.
            (
                "W:W27,28,32,38,39,40,45:B14,16,18,19,23,24",
                "27-22 18x27 32x21 23x34 40x9",
            ),
            // Two in a line, and three of which the last is aside.
            ("W:W31,37,41,48:B3,21,23", "31-27 21x32 37x19"),
            ("W:W31,37,41,48:B3,13,21,23", "31-27 21x32 37x8"),
            // A direct shot.
            ("W:W28,32,33,37:B18,19,13", "28-23"),
        ] {
            let start = fen::parse(text).expect("a position");
            let line = moves::parse_line(&start, line).expect("legal");
            assert_eq!(motifs(&start, &line), [], "{text}");
        }
    }
}
