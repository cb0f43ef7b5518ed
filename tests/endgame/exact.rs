//! Exact play in endings of few pieces, by brute force: every position of a class is solved backwards from the end,
//! with nothing of the engine but its rules: an independent check of the endgame tables, slow and large.
//!
//! The move counters of article 6 are ignored; [`Exact::value`] gives the plies, so that a caller can see whether a win
//! comes in time.

use damier::board::{Bitboard, Color, Square, rays};
use damier::rules::{Position, Setup};
use std::collections::HashMap;

/// The value of a position for the side to move, with the plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The opponent has no move in so many plies.
    Win(u8),
    /// The side to move has no move in so many plies.
    Loss(u8),
    /// Neither side can force a win.
    Draw,
}

/// Men and kings of the side to move, then of the other side.
type Class = [usize; 4];

const UNKNOWN: u8 = 255;

/// Plies to the end by index: even numbers are losses, odd ones wins.
struct Solved {
    plies: Vec<u8>,
}

/// Solves classes when they are needed, and keeps them.
#[derive(Default)]
pub struct Exact {
    classes: HashMap<Class, Solved>,
}

impl Exact {
    /// The value of a position of at most four pieces.
    pub fn value(&mut self, position: &Position) -> Value {
        let white = white_to_move(position);
        let class = class_of(&white);
        self.solve(class);
        decode(self.look_up(&white))
    }

    /// Plies to the end of a position with white to move, whose class has been solved.
    fn look_up(&self, white: &Position) -> u8 {
        let class = class_of(white);
        if class[0] + class[1] == 0 {
            return 0;
        }
        if class[2] + class[3] == 0 {
            return if white.is_terminal() { 0 } else { 1 };
        }
        self.classes[&class].plies[index_of(white)]
    }

    fn solve(&mut self, class: Class) {
        let [a, b, c, d] = class;
        if a + b == 0 || c + d == 0 || self.classes.contains_key(&class) {
            return;
        }
        assert!(a + b + c + d <= 4, "too many pieces: {class:?}");
        // First the classes that captures and promotions lead to, for both sides.
        for [a, b, c, d] in [[a, b, c, d], [c, d, a, b]] {
            if a > 0 {
                self.solve([c, d, a - 1, b + 1]);
                self.solve([a - 1, b + 1, c, d]);
            }
            for (c, d) in fewer(c, d) {
                self.solve([c, d, a, b]);
                self.solve([a, b, c, d]);
                if a > 0 {
                    self.solve([c, d, a - 1, b + 1]);
                }
            }
        }
        self.solve_pair(class);
    }

    /// Solves a class and its opposite, which quiet moves lead to.
    fn solve_pair(&mut self, class: Class) {
        let mirror = [class[2], class[3], class[0], class[1]];
        let pair = if class == mirror {
            vec![class]
        } else {
            vec![class, mirror]
        };
        for &class in &pair {
            let plies = vec![UNKNOWN; 50usize.pow(class.iter().sum::<usize>() as u32)];
            self.classes.insert(class, Solved { plies });
        }
        let mut layers: Vec<Vec<Position>> = vec![Vec::new(); 256];
        for &class in &pair {
            for_each_position(class, &mut |position| {
                if let Some(plies) = self.judge(&position) {
                    layers[usize::from(plies)].push(position);
                }
            });
        }
        let mut ply = 0;
        while ply < usize::from(UNKNOWN) {
            for position in std::mem::take(&mut layers[ply]) {
                let slot = self.slot(&position);
                if *slot != UNKNOWN {
                    continue;
                }
                *slot = ply as u8;
                for_each_quiet_parent(&position, &mut |parent| {
                    if *self.slot(&parent) == UNKNOWN
                        && let Some(plies) = self.judge(&parent)
                    {
                        layers[usize::from(plies).max(ply + 1)].push(parent);
                    }
                });
            }
            ply += 1;
        }
    }

    fn slot(&mut self, white: &Position) -> &mut u8 {
        let solved = self.classes.get_mut(&class_of(white));
        &mut solved.expect("solved before").plies[index_of(white)]
    }

    /// The fastest known win of a position, or its slowest loss once all moves lose.
    fn judge(&self, white: &Position) -> Option<u8> {
        let (mut win, mut loss) = (None::<u8>, Some(0));
        for mv in white.legal_moves() {
            let plies = self.look_up(&white.play(mv).flipped());
            match decode(plies) {
                Value::Loss(_) => win = Some(win.map_or(plies + 1, |best| best.min(plies + 1))),
                Value::Win(_) => loss = loss.map(|worst| worst.max(plies + 1)),
                Value::Draw => loss = None,
            }
        }
        win.or(loss)
    }
}

fn decode(plies: u8) -> Value {
    match plies {
        UNKNOWN => Value::Draw,
        plies if plies % 2 == 0 => Value::Loss(plies),
        plies => Value::Win(plies),
    }
}

fn white_to_move(position: &Position) -> Position {
    match position.turn() {
        Color::White => *position,
        Color::Black => position.flipped(),
    }
}

/// What is left of men and kings after a capture.
fn fewer(men: usize, kings: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..=men)
        .flat_map(move |m| (0..=kings).map(move |k| (m, k)))
        .filter(move |&left| left != (men, kings))
}

fn sets(position: &Position) -> [Bitboard; 4] {
    let [us, them] = [Color::White, Color::Black];
    [
        position.men(us),
        position.kings(us),
        position.men(them),
        position.kings(them),
    ]
}

fn class_of(position: &Position) -> Class {
    sets(position).map(|set| set.len() as usize)
}

/// The squares of all pieces as digits to the base 50.
fn index_of(position: &Position) -> usize {
    sets(position)
        .into_iter()
        .flatten()
        .fold(0, |index, square| {
            index * 50 + usize::from(square.number()) - 1
        })
}

/// Every position of a class, white to move.
pub fn for_each_position(class: Class, each: &mut impl FnMut(Position)) {
    place(class, 0, 0, Setup::empty(Color::White), each);
}

fn place(left: Class, kind: usize, from: u8, setup: Setup, each: &mut impl FnMut(Position)) {
    if kind == 4 {
        if let Ok(position) = Position::try_from(setup) {
            each(position);
        }
        return;
    }
    if left[kind] == 0 {
        return place(left, kind + 1, 0, setup, each);
    }
    let taken = setup.men[0] | setup.men[1] | setup.kings[0] | setup.kings[1];
    for number in from + 1..=50 {
        let Some(square) = Square::new(number).filter(|s| !taken.contains(*s)) else {
            continue;
        };
        let (mut setup, mut left) = (setup, left);
        let side = kind / 2;
        match kind % 2 {
            0 => setup.men[side] |= Bitboard::of(square),
            _ => setup.kings[side] |= Bitboard::of(square),
        }
        left[kind] -= 1;
        place(left, kind, number, setup, each);
    }
}

/// Every position of the same pieces, turned so that white is to move, from which a quiet move leads to this one.
fn for_each_quiet_parent(white: &Position, each: &mut impl FnMut(Position)) {
    let mover = Color::Black;
    let setup = Setup::from(white);
    for to in white.pieces(mover) {
        let is_king = white.kings(mover).contains(to);
        for from in rays::king_reach(to, white.occupied()) {
            let mut before = setup;
            before.turn = mover;
            let sets = if is_king {
                &mut before.kings
            } else {
                &mut before.men
            };
            // A black man comes from the row above, one step away.
            if !is_king && from.row() + 1 != to.row() {
                continue;
            }
            sets[mover.index()] =
                sets[mover.index()].without(Bitboard::of(to)) | Bitboard::of(from);
            if let Ok(parent) = Position::try_from(before)
                && !parent.must_capture()
            {
                each(parent.flipped());
            }
        }
    }
}
