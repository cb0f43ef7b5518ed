//! Search inconsistencies that an engine reported: how many, where, and how it fared in those games.

use crate::record::PlyRecord;
use damier_rules::GameResult;

/// Searches, and what was detected in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DetectionCounts {
    /// Searches, of which each played a move.
    pub searches: u64,
    /// Iterations in which an inconsistency was detected.
    pub detections: u64,
    /// Searches whose move comes from such an iteration.
    pub decisive: u64,
}

/// The detections of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DetectionStats {
    /// Detections of all searches.
    pub all: DetectionCounts,
    /// By the pieces on the board, up to each of [`DetectionStats::PIECES`].
    pub by_pieces: [DetectionCounts; 4],
    /// By the score from the side to move, below each of [`DetectionStats::SCORES`] and from the last one on.
    pub by_score: [DetectionCounts; 5],
    /// Games with a detection: won, drawn, lost.
    pub games: [u64; 3],
    /// Games with a decisive one: won, drawn, lost.
    pub decisive_games: [u64; 3],
    /// What happened in the game at hand.
    game: DetectionCounts,
}

impl DetectionCounts {
    fn merge(&mut self, other: &DetectionCounts) {
        self.searches += other.searches;
        self.detections = self.detections.saturating_add(other.detections);
        self.decisive += other.decisive;
    }

    fn add(&mut self, ply: &PlyRecord) {
        self.searches += 1;
        // An engine may report any number.
        self.detections = self.detections.saturating_add(ply.detections.count);
        self.decisive += u64::from(ply.detections.decisive);
    }
}

impl DetectionStats {
    /// Most pieces of each phase of a game.
    pub const PIECES: [u32; 4] = [10, 20, 30, 40];
    /// Bounds between the classes of scores, in men.
    pub const SCORES: [f64; 4] = [-1.0, -0.3, 0.3, 1.0];

    /// Whether there was any.
    pub fn any(&self) -> bool {
        self.all.detections > 0
    }

    /// Adds those of other games.
    pub fn merge(&mut self, other: &DetectionStats) {
        let add = |mine: &mut [DetectionCounts], theirs: &[DetectionCounts]| {
            mine.iter_mut().zip(theirs).for_each(|(m, t)| m.merge(t));
        };
        self.all.merge(&other.all);
        add(&mut self.by_pieces, &other.by_pieces);
        add(&mut self.by_score, &other.by_score);
        for (mine, theirs) in [
            (&mut self.games, &other.games),
            (&mut self.decisive_games, &other.decisive_games),
        ] {
            mine.iter_mut().zip(theirs).for_each(|(m, t)| *m += t);
        }
    }

    /// Counts a search of a position with this many pieces.
    pub(super) fn add(&mut self, ply: &PlyRecord, pieces: u32) {
        let phase = Self::PIECES.iter().filter(|&&most| pieces > most).count();
        self.by_pieces[phase.min(Self::PIECES.len() - 1)].add(ply);
        if let Some(score) = ply.score {
            let class = Self::SCORES.iter().filter(|&&bound| score >= bound).count();
            self.by_score[class].add(ply);
        }
        self.all.add(ply);
        self.game.add(ply);
    }

    /// Counts the game whose searches were added since the last one; returns whether it had a decisive detection.
    pub(super) fn end_game(&mut self, result: GameResult) -> bool {
        let game = std::mem::take(&mut self.game);
        self.games[super::index(result)] += u64::from(game.detections > 0);
        self.decisive_games[super::index(result)] += u64::from(game.decisive > 0);
        game.decisive > 0
    }

    /// The share of the points in games won, drawn and lost; none without games.
    pub fn score([won, drawn, lost]: [u64; 3]) -> Option<f64> {
        let games = won + drawn + lost;
        (games > 0).then(|| (won as f64 + drawn as f64 / 2.0) / games as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::search::Detections;
    use damier_rules::Position;
    use std::time::Duration;

    #[test]
    fn searches_are_counted_by_phase_score_and_game() {
        let ply = |count, decisive, score| PlyRecord {
            mv: Position::start().legal_moves()[0],
            score: Some(score),
            depth: None,
            nodes: None,
            detections: Detections { count, decisive },
            elapsed: Duration::ZERO,
            overshoot: None,
        };
        let mut stats = DetectionStats::default();
        stats.add(&ply(0, false, 0.0), 40);
        assert!(!stats.any());
        assert!(!stats.end_game(GameResult::Win));
        stats.add(&ply(3, true, -1.01), 20);
        stats.add(&ply(1, false, 1.0), 21);
        assert!(stats.end_game(GameResult::Loss));
        stats.add(&ply(2, false, 0.3), 2);
        stats.end_game(GameResult::Draw);
        let counts = |searches, detections, decisive| DetectionCounts {
            searches,
            detections,
            decisive,
        };
        assert_eq!(stats.all, counts(4, 6, 1));
        let none = DetectionCounts::default();
        assert_eq!(
            stats.by_pieces,
            [
                counts(1, 2, 0),
                counts(1, 3, 1),
                counts(1, 1, 0),
                counts(1, 0, 0)
            ]
        );
        assert_eq!(
            stats.by_score,
            [
                counts(1, 3, 1),
                none,
                counts(1, 0, 0),
                counts(1, 2, 0),
                counts(1, 1, 0)
            ]
        );
        assert_eq!((stats.games, stats.decisive_games), ([0, 1, 1], [0, 0, 1]));
        let mut twice = stats;
        twice.merge(&stats);
        assert_eq!(twice.all, counts(8, 12, 2));
        assert_eq!(
            (twice.by_pieces[1], twice.games),
            (counts(2, 6, 2), [0, 2, 2])
        );
        assert_eq!(DetectionStats::score([0, 1, 1]), Some(0.25));
        assert_eq!(DetectionStats::score([0; 3]), None);
    }
}
