use super::{DrawClock, DrawRule, Key, Move, Position};
use crate::board::Color;
use std::fmt;

/// A game: its initial position and the moves played, with the history that the draw rules need.
///
/// ```
/// use damier_rules::notation::moves;
/// use damier_rules::{DrawRule, Game, Status};
///
/// let mut game = Game::new("W:WK46:BK50".parse()?);
/// for text in ["46-41", "50-45", "41-46", "45-50"].repeat(2) {
///     game.play(moves::parse(game.position(), text)?);
/// }
/// assert_eq!(game.status(), Status::Drawn(DrawRule::Repetition));
/// game.take_back();
/// assert_eq!(game.status(), Status::Playing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// Keys of all positions, from the initial to the current one.
    keys: Vec<Key>,
    position: Position,
    clock: DrawClock,
}

/// The status of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Not over.
    Playing,
    /// The side to move has no legal move.
    WonBy(Color),
    /// Drawn by a rule. Moves may still be played.
    Drawn(DrawRule),
}

impl Game {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Game {
        let clock = DrawClock::new(&start);
        Game {
            start,
            moves: Vec::new(),
            keys: vec![start.key()],
            position: start,
            clock,
        }
    }

    /// The initial position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The counters of the draw rules in the current position.
    pub fn clock(&self) -> DrawClock {
        self.clock
    }

    /// Keys of all positions so far, the current one last.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The key of the current position.
    fn key(&self) -> Key {
        self.keys.last().copied().unwrap_or_default()
    }

    /// Plays a move, which must be legal in the current position; a drawn game may be continued.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.position.is_legal(mv));
        let (next, key) = self.position.play_keyed(self.key(), mv);
        self.clock = self.clock.after(&self.position, mv, &next);
        self.position = next;
        self.moves.push(mv);
        self.keys.push(key);
    }

    /// Takes back the last move and returns it.
    pub fn take_back(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        let moves = std::mem::take(&mut self.moves);
        *self = Game::new(self.start);
        moves.into_iter().for_each(|mv| self.play(mv));
        Some(last)
    }

    /// How often the current position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        let now = self.key();
        self.keys.iter().filter(|&&key| key == now).count()
    }

    /// Whether the game is not over.
    pub fn status(&self) -> Status {
        if self.position.is_terminal() {
            return Status::WonBy(!self.position.turn());
        }
        match self.clock.verdict() {
            Some(rule) => Status::Drawn(rule),
            None if self.occurrences() >= 3 => Status::Drawn(DrawRule::Repetition),
            None => Status::Playing,
        }
    }
}

/// The result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Win for the side.
    Win,
    /// Drawn.
    Draw,
    /// Loss for the side.
    Loss,
}

impl GameResult {
    /// For `color`, where `winner` has won.
    #[inline(always)]
    pub fn of(color: Color, winner: Option<Color>) -> GameResult {
        match winner {
            None => GameResult::Draw,
            Some(winner) if winner == color => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// For the other side.
    pub fn reversed(self) -> GameResult {
        match self {
            GameResult::Win => GameResult::Loss,
            GameResult::Draw => GameResult::Draw,
            GameResult::Loss => GameResult::Win,
        }
    }

    /// 0, 0.5 or 1.
    pub fn points(self) -> f32 {
        match self {
            GameResult::Loss => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Win => 1.0,
        }
    }
}

/// `win`, `draw` or `loss`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win => "win",
            GameResult::Draw => "draw",
            GameResult::Loss => "loss",
        })
    }
}
