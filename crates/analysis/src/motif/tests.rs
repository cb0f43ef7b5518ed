use super::*;
use crate::Stop;
use crate::evaluation::Look;
use crate::mine::Combination;
use damier_engine::{Engine, Level, Options};
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
        let found = Look::at(&game, Level::nodes(20_000)).run(&mut engine, &Stop::new());
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
