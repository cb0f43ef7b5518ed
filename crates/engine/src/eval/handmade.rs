use super::{Evaluator, Score};
use damier_cpu::Baseline;
use damier_rules::Position;
use damier_rules::board::{Bitboard, Color, Square, rays};

/// Written by hand: material, value of kings, tempo, centre, wings, mobility of kings, simple draw knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handmade;

/// Sums over the men, white minus black.
#[derive(Default)]
struct Men {
    /// Value of men by square, middle game.
    value: i32,
    /// Rows advanced.
    tempo: i32,
    /// Men on the right wing minus men on the left, each side seen from itself: (white, black).
    skew: [i32; 2],
}

const MAN: i32 = 100;
const FIRST_KING: i32 = 250;
const FURTHER_KING: i32 = 140;
const KING_MOBILITY: i32 = 2;
const MAIN_DIAGONAL: i32 = 15;
const SKEW: i32 = 2;
/// Value of a tempo on an empty board; it falls to 0 with 40 men.
const TEMPO: i32 = 4;

/// Bonus of a man's row, from white's back row to its last.
const ROW: [i32; 10] = [4, 0, 0, 1, 2, 3, 3, 4, 8, 0];
/// Bonus of a man's column: the centre controls more.
const COLUMN: [i32; 10] = [-4, 0, 1, 2, 3, 3, 2, 1, 0, -4];

const fn man_value(square: Square) -> i32 {
    MAN + ROW[9 - square.row() as usize] + COLUMN[square.column() as usize]
}

const fn tables() -> ([i16; 64], [i8; 64], [i8; 64]) {
    let (mut value, mut tempo, mut skew) = ([0; 64], [0; 64], [0; 64]);
    let mut number = 1;
    while number <= 50 {
        if let Some(square) = Square::new(number) {
            value[square.bit()] = man_value(square) as i16;
            tempo[square.bit()] = 9 - square.row() as i8;
            skew[square.bit()] = 2 * square.column() as i8 - 9;
        }
        number += 1;
    }
    (value, tempo, skew)
}

static TABLES: ([i16; 64], [i8; 64], [i8; 64]) = tables();

impl Men {
    fn of(position: &Position) -> Men {
        let mut sums = Men::default();
        for color in Color::BOTH {
            for square in position.men(color) {
                sums.add(color, square);
            }
        }
        sums
    }

    fn add(&mut self, color: Color, square: Square) {
        let (bit, sign) = match color {
            Color::White => (square.bit(), 1),
            Color::Black => (square.rotated().bit(), -1),
        };
        self.value += sign * i32::from(TABLES.0[bit & 63]);
        self.tempo += sign * i32::from(TABLES.1[bit & 63]);
        self.skew[color.index()] += i32::from(TABLES.2[bit & 63]);
    }
}

impl Evaluator for Handmade {
    type Cpu = Baseline;
    type Scratch = ();

    fn cpu(&self) -> Baseline {
        Baseline
    }

    fn scratch(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _: u32, position: &Position) -> Score {
        let sums = Men::of(position);
        let men = position.men(Color::White).len() + position.men(Color::Black).len();
        let mut score = sums.value + sums.tempo * TEMPO * (40 - (men as i32).min(40)) / 40;
        score -= SKEW * (sums.skew[0].abs() - sums.skew[1].abs()) / 4;
        if !position.all_kings().is_empty() {
            score += kings(position, Color::White) - kings(position, Color::Black);
            score = drawish(position, score);
        }
        let limit = Score::EVAL_MAX.centimen();
        let score = Score::new(score.clamp(-limit, limit));
        if position.turn() == Color::White {
            score
        } else {
            -score
        }
    }
}

/// Value of a side's kings.
fn kings(position: &Position, color: Color) -> i32 {
    let kings = position.kings(color);
    let count = kings.len() as i32;
    if count == 0 {
        return 0;
    }
    let occupied = position.occupied();
    let mobility: i32 = kings
        .into_iter()
        .map(|k| rays::king_reach(k, occupied).len() as i32)
        .sum();
    let on_diagonal = i32::from(!kings.is_disjoint(main_diagonal()));
    FIRST_KING + FURTHER_KING * (count - 1) + KING_MOBILITY * mobility + MAIN_DIAGONAL * on_diagonal
}

/// The long diagonal 5-46.
fn main_diagonal() -> Bitboard {
    const CORNER: Square = Square::new(46).unwrap();
    rays::ray(2, CORNER) | Bitboard::of(CORNER)
}

/// Scales down the score of endings that are drawn, or nearly so, in spite of the material: few pieces against a king.
fn drawish(position: &Position, score: i32) -> i32 {
    let leader = if score >= 0 {
        Color::White
    } else {
        Color::Black
    };
    let chaser = position.pieces(leader).len();
    let defends = !position.kings(!leader).is_empty();
    if !defends {
        return score;
    }
    if chaser <= 3 {
        return score / 8;
    }
    let kings = |c: Color| position.kings(c).len() as i32;
    let men = |c: Color| position.men(c).len() as i32;
    let holds_diagonal = !position.kings(!leader).is_disjoint(main_diagonal());
    if chaser <= 4 && holds_diagonal {
        return score / 4;
    }
    let level = kings(leader) == kings(!leader) && (men(leader) - men(!leader)).abs() <= 1;
    if level { score / 2 } else { score }
}
