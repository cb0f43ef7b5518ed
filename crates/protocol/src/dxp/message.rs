//! Messages and their encoding.

use super::MAX_MESSAGE;
use super::fields::{ChatText, Minutes, MoveLimit, MoveNumber, Name, Seconds};
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Move, Position};

/// The only version of the protocol.
pub(super) const VERSION: u8 = 1;

/// A message from one program to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: the initiator asks for a game.
    GameReq(GameReq),
    /// `A`: the follower's answer.
    GameAcc(GameAcc),
    /// `M`: a move.
    Move(MoveMsg),
    /// `E`: the end of the game. The side to move sends it instead of a move; the other side sends one to confirm.
    GameEnd(GameEnd),
    /// `C`: chat, at any time.
    Chat(ChatText),
    /// `B`: a request to take back moves.
    BackReq(BackReq),
    /// `K`: the answer to a BACKREQ.
    BackAcc(BackAnswer),
}

/// The game that the initiator asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameReq {
    /// Name of the initiator.
    pub name: Name,
    /// The colour that the follower is to play.
    pub follower: Color,
    /// Time of each player for the game.
    pub minutes: Minutes,
    /// Moves of each player in the game.
    pub moves: MoveLimit,
    /// The start position.
    pub start: Start,
}

/// The start position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start position, white to move.
    Usual,
    /// This position.
    Board(Position),
}

impl Start {
    /// Chooses the shortest encoding of a position.
    pub fn from_position(position: &Position) -> Start {
        if *position == Position::start() {
            Start::Usual
        } else {
            Start::Board(*position)
        }
    }

    /// The position.
    pub fn position(&self) -> Position {
        match self {
            Start::Usual => Position::start(),
            Start::Board(position) => *position,
        }
    }
}

/// The follower's answer to a GAMEREQ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameAcc {
    /// Name of the follower.
    pub name: Name,
    /// Whether it accepts.
    pub code: Acceptance,
}

/// Whether a follower accepts a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// `0`: it accepts.
    Accepted,
    /// `1`: it does not support this version of the protocol.
    Version,
    /// `2`: not this game, but perhaps another.
    NotThisGame,
    /// `3`: no game at all.
    NoGames,
}

/// A move. Captured squares may come in any order; the order is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveMsg {
    /// Time used for the move.
    pub time: Seconds,
    /// Origin of the piece.
    pub from: Square,
    /// Destination of the piece.
    pub to: Square,
    /// The captured pieces.
    pub captured: Bitboard,
}

impl MoveMsg {
    /// A move as a message.
    pub fn new(mv: Move, time: Seconds) -> MoveMsg {
        MoveMsg {
            time,
            from: mv.from(),
            to: mv.to(),
            captured: mv.captured(),
        }
    }

    /// The legal move meant by the message: the one with these squares. If no captured piece is named, the only legal
    /// move from and to these squares (the protocol lets programs leave captures implicit).
    pub fn legal(&self, position: &Position) -> Option<Move> {
        let mv = Move::new(self.from, self.to, self.captured);
        let legal = position.legal_moves();
        if legal.contains(&mv) {
            return Some(mv);
        }
        let mut fitting = legal
            .iter()
            .filter(|mv| mv.from() == self.from && mv.to() == self.to);
        match (fitting.next(), fitting.next()) {
            (Some(&only), None) if self.captured.is_empty() => Some(only),
            _ => None,
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// Why; [`Reason::Unknown`] in an answer.
    pub reason: Reason,
    /// Stop code: the sender ends the series of games.
    pub stop: bool,
}

/// Why the sender of a GAMEEND ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// `0`: no reason given.
    Unknown,
    /// `1`: the sender has lost or resigns.
    Loss,
    /// `2`: a draw.
    Draw,
    /// `3`: the sender has won.
    Win,
}

/// The position to go back to: the one in which `side` is to play its move of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackReq {
    /// Number of the move.
    pub number: MoveNumber,
    /// The side to move.
    pub side: Color,
}

impl BackReq {
    /// Plies left of a game that `first` began, if this request is granted; None if that is before its beginning.
    pub fn plies(&self, first: Color) -> Option<usize> {
        let whites = 2 * usize::from(self.number.get());
        let plies = whites + usize::from(self.side == Color::Black);
        plies.checked_sub(2 + usize::from(first == Color::Black))
    }
}

/// The answer to a BACKREQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAnswer {
    /// `0`: agreed.
    Accepted,
    /// `1`: this program does not support it.
    NotSupported,
    /// `2`: refused.
    Refused,
}

impl Message {
    /// The bytes, including the terminating NUL.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = match self {
            Message::GameReq(request) => encode_request(request),
            Message::GameAcc(GameAcc { name, code }) => {
                format!("A{}{}", name.field(), *code as u8)
            }
            Message::Move(mv) => encode_move(mv),
            Message::GameEnd(GameEnd { reason, stop }) => {
                format!("E{}{}", *reason as u8, u8::from(*stop))
            }
            Message::Chat(text) => format!("C{text}"),
            Message::BackReq(BackReq { number, side }) => {
                format!("B{:03}{}", number.get(), color_char(*side))
            }
            Message::BackAcc(answer) => format!("K{}", *answer as u8),
        }
        .into_bytes();
        debug_assert!(out.len() <= MAX_MESSAGE);
        out.push(0);
        out
    }
}

fn color_char(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'Z',
    }
}

fn encode_request(request: &GameReq) -> String {
    let mut out = format!(
        "R{VERSION:02}{}{}{}{:03}",
        request.name.field(),
        color_char(request.follower),
        request.minutes.field(),
        request.moves.raw(),
    );
    match &request.start {
        Start::Usual => out.push('A'),
        Start::Board(position) => {
            out.push('B');
            out.push(color_char(position.turn()));
            out.extend(Square::all().map(|square| piece_char(position, square)));
        }
    }
    out
}

fn piece_char(position: &Position, square: Square) -> char {
    let holds = |set: [Bitboard; 2]| set.map(|set| set.contains(square));
    let men = Color::BOTH.map(|color| position.men(color));
    let kings = Color::BOTH.map(|color| position.kings(color));
    match (holds(men), holds(kings)) {
        ([true, _], _) => 'w',
        ([_, true], _) => 'z',
        (_, [true, _]) => 'W',
        (_, [_, true]) => 'Z',
        _ => 'e',
    }
}

fn encode_move(mv: &MoveMsg) -> String {
    let mut out = format!(
        "M{:04}{:02}{:02}{:02}",
        mv.time.get(),
        mv.from.number(),
        mv.to.number(),
        mv.captured.len()
    );
    for square in mv.captured {
        out.push_str(&format!("{:02}", square.number()));
    }
    out
}
