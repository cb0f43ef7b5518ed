//! A game in progress.

use super::clocks::Clocks;
use crate::board::Color;
use crate::engine::{Clock, Level};
use crate::protocol::dxp::{GameReq, Name, Reason};
use crate::rules::{DrawRule, Game, Move, Status};
use crate::search::Report;
use std::time::{Duration, Instant};

/// Move time if no time was agreed.
const NO_CLOCK: Duration = Duration::from_secs(1);

/// A game with its players, clocks and limit.
#[derive(Clone, Debug)]
pub(super) struct Play {
    /// Number of the game in this conversation, from 1.
    pub number: u32,
    /// This side's colour.
    pub mine: Color,
    /// The players by colour.
    pub names: [Name; 2],
    pub game: Game,
    pub clocks: Clocks,
    /// Limit on the moves of each player.
    pub limit: Option<u16>,
    /// A draw that either side may claim at its turn, stored because the opponent's next move may end its condition.
    drawn: Option<DrawRule>,
    /// The report of this side's last search.
    pub last_report: Option<Report>,
}

/// The result of a game for this side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OwnResult {
    Won,
    Drawn,
    Lost,
    /// Unknown, or claimed without justification.
    Unknown,
}

/// The result of a game, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conclusion {
    pub result: OwnResult,
    pub why: String,
}

impl Play {
    /// The game of a request: `own` is this program's name and `mine` its colour.
    pub fn new(
        request: &GameReq,
        number: u32,
        mine: Color,
        own: &Name,
        other: &Name,
        now: Instant,
    ) -> Play {
        let mut names = [own.clone(), other.clone()];
        if mine == Color::Black {
            names.reverse();
        }
        let mut play = Play {
            number,
            mine,
            names,
            game: Game::new(request.start.position()),
            clocks: Clocks::new(request.minutes, now),
            limit: request.moves.get(),
            drawn: None,
            last_report: None,
        };
        play.note_draw();
        play
    }

    pub fn turn(&self) -> Color {
        self.game.position().turn()
    }

    pub fn is_mine(&self) -> bool {
        self.turn() == self.mine
    }

    /// Plays a legal move of the side to move.
    pub fn make(&mut self, mv: Move) {
        self.game.play(mv);
        self.note_draw();
    }

    /// Goes back to the position after this many plies, which must have been played.
    pub fn take_back(&mut self, plies: usize) {
        let mut game = Game::new(*self.game.start());
        self.game.moves()[..plies]
            .iter()
            .for_each(|&mv| game.play(mv));
        self.game = game;
        self.drawn = None;
        self.note_draw();
    }

    fn note_draw(&mut self) {
        if let Status::Drawn(rule) = self.game.status() {
            self.drawn.get_or_insert(rule);
        }
    }

    /// The result, at this side's turn, by the rules or by the agreed number of moves. None if the game goes on.
    pub fn conclusion(&self) -> Option<Conclusion> {
        if let Status::WonBy(winner) = self.game.status() {
            return Some(Conclusion {
                result: if winner == self.mine {
                    OwnResult::Won
                } else {
                    OwnResult::Lost
                },
                why: format!("{} has no legal move", !winner),
            });
        }
        if let Some(rule) = self.drawn {
            return Some(Conclusion {
                result: OwnResult::Drawn,
                why: rule.to_string(),
            });
        }
        let limit = self
            .limit
            .filter(|&limit| self.game.moves().len() >= 2 * usize::from(limit))?;
        Some(Conclusion {
            result: OwnResult::Unknown,
            why: format!("the agreed {limit} moves are played"),
        })
    }

    /// The result when the other side ends the game. The rules override its claim. A claim in its own favour that
    /// neither the rules nor the clock support counts as unknown.
    pub fn ended_by_other(&self, reason: Reason, now: Instant) -> Conclusion {
        let by_rules = self.conclusion();
        if let Some(conclusion) = by_rules.clone().filter(|v| v.result != OwnResult::Unknown) {
            return conclusion;
        }
        let (result, why) = match reason {
            Reason::Loss => (OwnResult::Won, "the opponent resigns"),
            Reason::Win if self.is_out_of_time(now) => (OwnResult::Lost, "out of time"),
            Reason::Draw => (
                OwnResult::Unknown,
                "the opponent claims a draw that the rules do not support",
            ),
            Reason::Win => (
                OwnResult::Unknown,
                "the opponent claims a win that the rules do not support",
            ),
            Reason::Unknown => (OwnResult::Unknown, "the opponent ends it"),
        };
        let why = match by_rules {
            Some(Conclusion { why: limit, .. }) => format!("{limit}; {why}"),
            None => why.to_owned(),
        };
        Conclusion { result, why }
    }

    /// Whether this side's clock has run out.
    fn is_out_of_time(&self, now: Instant) -> bool {
        let used = match self.is_mine() {
            true => now.saturating_duration_since(self.clocks.since()),
            false => Duration::ZERO,
        };
        let left = self.clocks.left(self.mine);
        left.is_some_and(|left| left <= used)
    }

    /// The GAMEEND reason for this result.
    pub fn reason(result: OwnResult) -> Reason {
        match result {
            OwnResult::Won => Reason::Win,
            OwnResult::Drawn => Reason::Draw,
            OwnResult::Lost => Reason::Loss,
            OwnResult::Unknown => Reason::Unknown,
        }
    }

    /// The level of this side's next search: the given one, or from the clock.
    pub fn level(&self, fixed: &Level) -> Level {
        if !fixed.is_infinite() {
            return *fixed;
        }
        let Some(time) = self.clocks.left(self.mine) else {
            return Level::move_time(NO_CLOCK);
        };
        Level {
            clock: Some(Clock {
                time: time.as_secs_f64(),
                increment: 0.0,
                moves: self.moves_left(),
            }),
            ..Level::INFINITE
        }
    }

    /// Moves that this side still has to make, if there is a limit.
    fn moves_left(&self) -> Option<u32> {
        let plies = self.game.moves().len();
        let first = self.game.start().turn() == self.mine;
        let made = if first { plies.div_ceil(2) } else { plies / 2 };
        let left = |limit| u32::from(limit).saturating_sub(u32::try_from(made).unwrap_or(u32::MAX));
        self.limit.map(|limit| left(limit).max(1))
    }

    /// The move number of a ply (counted from 0), with the dots that mark its side.
    pub fn label(&self, ply: usize) -> String {
        match self.game.start().turn() {
            Color::White if ply.is_multiple_of(2) => format!("{}.", ply / 2 + 1),
            Color::White => format!("{}...", ply / 2 + 1),
            Color::Black if ply.is_multiple_of(2) => format!("{}...", ply.div_ceil(2) + 1),
            Color::Black => format!("{}.", ply.div_ceil(2) + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, moves};
    use crate::protocol::dxp::{Minutes, MoveLimit, Start};

    fn play(text: &str, mine: Color, limit: u16) -> Play {
        let request = GameReq {
            name: Name::default(),
            follower: mine,
            minutes: Minutes::from_hundredths(100).expect("a minute"),
            moves: MoveLimit::new(limit).expect("small"),
            start: Start::Board(fen::parse(text).expect("a position")),
        };
        let (own, other) = (Name::from_text("own"), Name::from_text("other"));
        Play::new(&request, 1, mine, &own, &other, Instant::now())
    }

    fn make(play: &mut Play, text: &str) {
        for text in text.split(' ') {
            let mv = moves::parse(play.game.position(), text).expect(text);
            play.make(mv);
        }
    }

    #[test]
    fn a_draw_stays_one_when_the_other_side_plays_on() {
        let mut play = play("W:WK50,32:BK1,19", Color::White, 0);
        make(&mut play, "50-45 1-6 45-50 6-1 50-45 1-6 45-50 6-1");
        let conclusion = play.conclusion().expect("the third time");
        assert_eq!(conclusion.result, OwnResult::Drawn);
        make(&mut play, "32-28");
        assert_eq!(play.game.status(), Status::Playing);
        assert_eq!(play.conclusion(), Some(conclusion));
        let claim = play.ended_by_other(Reason::Win, Instant::now());
        assert_eq!(claim.result, OwnResult::Drawn);
        play.take_back(6);
        assert_eq!(play.conclusion(), None);
    }

    #[test]
    fn who_cannot_move_has_lost_whatever_is_said() {
        let mut play = play("W:W36:B22,27", Color::White, 0);
        make(&mut play, "36-31 27x36");
        let conclusion = play.ended_by_other(Reason::Draw, Instant::now());
        assert_eq!(conclusion.result, OwnResult::Lost);
        assert_eq!(Play::reason(conclusion.result), Reason::Loss);
    }

    #[test]
    fn the_moves_agreed_end_a_game_without_a_result() {
        let mut play = play("B:W31:B20", Color::Black, 1);
        assert_eq!(
            (play.moves_left(), play.label(0)),
            (Some(1), "1...".to_owned())
        );
        make(&mut play, "20-24");
        assert_eq!((play.conclusion(), play.label(1)), (None, "2.".to_owned()));
        make(&mut play, "31-27");
        assert_eq!(
            play.conclusion().map(|v| v.result),
            Some(OwnResult::Unknown)
        );
        let claim = play.ended_by_other(Reason::Loss, Instant::now());
        assert_eq!(claim.result, OwnResult::Won);
        assert_eq!(
            claim.why,
            "the agreed 1 moves are played; the opponent resigns"
        );
    }

    #[test]
    fn only_what_the_rules_or_the_clock_bear_out_is_believed() {
        let mut play = play("W:W31,32:B20", Color::White, 0);
        let now = play.clocks.since();
        for reason in [Reason::Win, Reason::Draw, Reason::Unknown] {
            let conclusion = play.ended_by_other(reason, now);
            assert_eq!(conclusion.result, OwnResult::Unknown, "{reason:?}");
        }
        let later = now + Duration::from_secs(61);
        let late = play.ended_by_other(Reason::Win, later);
        assert_eq!(late.result, OwnResult::Lost);
        // The opponent's clock has run out, not this side's.
        make(&mut play, "31-27");
        let early = play.ended_by_other(Reason::Win, later);
        assert_eq!(early.result, OwnResult::Unknown);
    }

    #[test]
    fn the_clock_makes_the_level_unless_one_is_given() {
        let mut play = play("W:W31,32:B20", Color::White, 10);
        let clock = play.level(&Level::INFINITE).clock.expect("a clock");
        assert_eq!((clock.time, clock.moves), (60.0, Some(10)));
        let later = play.clocks.since() + Duration::from_secs(61);
        play.clocks.press(Color::White, later);
        assert_eq!(play.level(&Level::INFINITE).limits().depth, Some(1));
        let fixed = Level::nodes(500);
        assert_eq!(play.level(&fixed), fixed);
        // Even with a single legal move: it may be pondered.
        let forced = self::play("W:W28,31:B22,1", Color::White, 10);
        assert_eq!(forced.level(&Level::INFINITE).limits().depth, None);
    }
}
