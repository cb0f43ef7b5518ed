//! The moves of a game as bytes: from, to, and where several captures have both in common, 51 plus the rank of the move
//! among them by their captured squares.

use damier_rules::board::Square;
use damier_rules::{Move, Position};

/// First byte that is no square.
const RANKS: u8 = 51;

/// Appends a legal move. None where more captures lead from one square to another than a byte can tell apart.
pub(crate) fn push(bytes: &mut Vec<u8>, position: &Position, mv: Move) -> Option<()> {
    bytes.extend([mv.from().number(), mv.to().number()]);
    if mv.is_capture() {
        let alike = alike(position, mv.from(), mv.to());
        if alike.len() > 1 {
            let rank = alike.iter().position(|other| *other == mv)?;
            bytes.push(RANKS.checked_add(u8::try_from(rank).ok()?)?);
        }
    }
    Some(())
}

/// Captures with these squares, in the order of what they capture.
fn alike(position: &Position, from: Square, to: Square) -> Vec<Move> {
    let mut alike = position.legal_moves().to_vec();
    alike.retain(|mv| mv.from() == from && mv.to() == to);
    alike.sort_unstable_by_key(|mv| mv.captured().bits());
    alike
}

/// Plays the moves of a game. The bytes may be damaged.
pub(crate) struct Replay<'m> {
    pub position: Position,
    bytes: &'m [u8],
}

impl<'m> Replay<'m> {
    pub fn new(start: Position, bytes: &'m [u8]) -> Replay<'m> {
        Replay {
            position: start,
            bytes,
        }
    }

    /// The next move, not played yet; none where it is no legal capture or no quiet move at all.
    fn read(&mut self) -> Option<Move> {
        let (&[from, to], rest) = self.bytes.split_first_chunk()?;
        let (from, to) = (Square::new(from)?, Square::new(to)?);
        self.bytes = rest;
        if !self.position.must_capture() {
            return Some(Move::new(from, to, Default::default()));
        }
        let alike = alike(&self.position, from, to);
        if let [mv] = alike[..] {
            return Some(mv);
        }
        let (&rank, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        alike.get(usize::from(rank.checked_sub(RANKS)?)).copied()
    }

    /// Plays so many moves. None where there are fewer.
    pub fn advance(&mut self, plies: usize) -> Option<()> {
        (0..plies).try_for_each(|_| self.next().flatten().map(|_| ()))
    }
}

/// Each move; none in its place, and nothing after it, where the bytes are damaged.
impl Iterator for Replay<'_> {
    type Item = Option<Move>;

    fn next(&mut self) -> Option<Option<Move>> {
        if self.bytes.is_empty() {
            return None;
        }
        let mv = self.read();
        match mv {
            Some(mv) => self.position = self.position.play(mv),
            None => self.bytes = &[],
        }
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(position: Position, mv: Move) -> Vec<u8> {
        let mut bytes = Vec::new();
        push(&mut bytes, &position, mv).unwrap();
        bytes
    }

    #[test]
    fn every_move_comes_back() {
        // Two ways from 47 to 36, two from 36 to 47.
        for fen in [
            "start",
            "W:WK47:B13,18,19,20,29,30,38,41",
            "W:W31-35:B7,8,12,17,18,21,22,27,28",
        ] {
            let position = match fen {
                "start" => Position::start(),
                fen => fen.parse().unwrap(),
            };
            let legal = position.legal_moves();
            for &mv in &legal {
                let bytes = packed(position, mv);
                let mut replay = Replay::new(position, &bytes);
                assert_eq!(replay.next(), Some(Some(mv)));
                assert_eq!((replay.next(), replay.position), (None, position.play(mv)));
            }
            let mut all: Vec<_> = legal.iter().map(|&mv| packed(position, mv)).collect();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), legal.len(), "{fen}");
        }
    }

    #[test]
    fn damaged_bytes_are_no_moves() {
        for bytes in [&[32][..], &[0, 28], &[32, 51], &[32, 28, 60], &[255; 9]] {
            let mut replay = Replay::new(Position::start(), bytes);
            assert!(replay.by_ref().any(|mv| mv.is_none()), "{bytes:?}");
            assert_eq!(replay.next(), None);
        }
    }
}
