//! Legal moves with stable numbers, for file formats that store a move as its number.
//!
//! The order is part of those formats and independent of move generation: by origin, then destination, then captured
//! set; of two sets, the one without the highest square in which they differ comes first.

use super::quiets::men_targets;
use super::sides::{Black, White};
use super::{Move, MoveList, Position};
use crate::board::{Bitboard, Color, Square};

/// The legal moves of one position, each with its number. Reuse the value: it keeps its allocation.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// If the only moves are quiet moves of men, no list is built: the men that can step along the diagonals of step 6
    /// and step 7.
    steps: Option<Steps>,
    list: MoveList,
    capture: bool,
}

#[derive(Clone, Copy, Debug)]
struct Steps {
    six: u64,
    seven: u64,
    turn: Color,
}

impl Steps {
    fn new(position: &Position) -> Steps {
        let turn = position.turn();
        let (men, empty) = (position.men(turn).0, position.empty().0);
        let (six, seven) = match turn {
            Color::White => {
                let (six, seven) = men_targets::<White>(men, empty);
                (six << 6, seven << 7)
            }
            Color::Black => {
                let (six, seven) = men_targets::<Black>(men, empty);
                (six >> 6, seven >> 7)
            }
        };
        Steps { six, seven, turn }
    }

    #[inline(always)]
    fn len(self) -> usize {
        (Bitboard(self.six).len() + Bitboard(self.seven).len()) as usize
    }

    /// The steps of a man in order of their destinations, as (can step, distance).
    #[inline(always)]
    fn of(self, from: Square) -> [(bool, i32); 2] {
        let can = |set: u64| set >> from.bit() & 1 != 0;
        match self.turn {
            Color::White => [(can(self.seven), -7), (can(self.six), -6)],
            Color::Black => [(can(self.six), 6), (can(self.seven), 7)],
        }
    }

    #[inline]
    fn get(self, mut number: usize) -> Option<Move> {
        for from in Bitboard(self.six | self.seven) {
            let steps = self.of(from);
            let count = usize::from(steps[0].0) + usize::from(steps[1].0);
            if number >= count {
                number -= count;
                continue;
            }
            let (_, step) = steps[usize::from(!steps[0].0 || number == 1)];
            let to = Square::from_bit((from.bit() as i32 + step) as u32);
            return Some(Move::new(from, to, Bitboard::EMPTY));
        }
        None
    }
}

impl Choices {
    /// Generates the legal moves of a position.
    #[inline]
    pub fn take(&mut self, position: &Position) {
        self.capture = position.must_capture();
        if !self.capture && position.kings(position.turn()).is_empty() {
            self.steps = Some(Steps::new(position));
            return;
        }
        self.steps = None;
        position.legal_moves_into(&mut self.list);
        if self.list.len() > 1 {
            self.list
                .sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.captured().0));
        }
    }

    /// The number of moves.
    #[inline]
    pub fn len(&self) -> usize {
        self.steps.map_or(self.list.len(), Steps::len)
    }

    /// Whether there is no legal move: the side to move has lost.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The move with this number, counted from 0.
    #[inline]
    pub fn get(&self, number: usize) -> Option<Move> {
        match self.steps {
            Some(steps) => steps.get(number),
            None => self.list.get(number).copied(),
        }
    }

    /// The number of a move. None if it is not legal.
    pub fn number(&self, mv: Move) -> Option<usize> {
        (0..self.len()).find(|&number| self.get(number) == Some(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::zobrist::mix;

    /// Random games, which contain every kind of move, including captures with a choice and by kings.
    #[test]
    fn numbers_are_those_of_the_sorted_list() {
        let mut choices = Choices::default();
        let (mut seed, mut seen) = (1, [0; 3]);
        for _ in 0..300 {
            let mut position = Position::start();
            for _ in 0..150 {
                let mut sorted = position.legal_moves();
                sorted.sort_by_key(|mv| (mv.from(), mv.to(), mv.captured().0));
                choices.take(&position);
                assert_eq!(choices.len(), sorted.len());
                assert_eq!(choices.is_empty(), position.is_terminal());
                assert_eq!(choices.capture, position.must_capture());
                for (number, &mv) in sorted.iter().enumerate() {
                    assert_eq!(choices.get(number), Some(mv));
                    assert_eq!(choices.number(mv), Some(number));
                }
                assert_eq!(choices.get(sorted.len()), None);
                seen[0] += usize::from(choices.steps.is_some());
                seen[1] += usize::from(choices.capture && sorted.len() > 1);
                seen[2] += usize::from(!choices.capture && choices.steps.is_none());
                if sorted.is_empty() {
                    break;
                }
                seed = mix(seed);
                position = position.play(sorted[seed as usize % sorted.len()]);
            }
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }

    /// These numbers are stored in files: the order must never change.
    #[test]
    fn the_order_at_the_start_is_this() {
        let mut choices = Choices::default();
        choices.take(&Position::start());
        let texts: Vec<String> = (0..choices.len())
            .filter_map(|number| choices.get(number))
            .map(|mv| mv.to_string())
            .collect();
        let order = "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30";
        assert_eq!(texts.join(" "), order);
    }
}
