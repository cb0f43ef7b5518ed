//! Messages to bytes and back.

use super::error::{Field, ParseError, Problem, echo};
use super::fields::{ChatText, Minutes, MoveLimit, MoveNumber, Name, Seconds};
use super::{MAX_CAPTURED, MAX_MESSAGE};
use crate::board::{Bitboard, Color, Square};
use crate::rules::{Move, Position, Setup};

/// The only version of the protocol.
const VERSION: u8 = 1;

/// What one program says to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: the initiator asks for a game.
    GameReq(GameReq),
    /// `A`: the follower's answer.
    GameAcc(GameAcc),
    /// `M`: a move.
    Move(MoveMsg),
    /// `E`: the game is over; said in the place of a move by the side to move, and once by the other in answer.
    GameEnd(GameEnd),
    /// `C`: free text, at any time.
    Chat(ChatText),
    /// `B`: the wish to go back to an earlier position.
    BackReq(BackReq),
    /// `K`: the answer to that.
    BackAcc(BackAnswer),
}

/// The game that the initiator asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameReq {
    /// The initiator.
    pub name: Name,
    /// The colour that the follower is to play.
    pub follower: Color,
    /// Time of each player for the game.
    pub minutes: Minutes,
    /// Moves of each player in the game.
    pub moves: MoveLimit,
    /// Where it begins.
    pub start: Start,
}

/// Where a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start position, white to move.
    Usual,
    /// This position.
    Board(Position),
}

impl Start {
    /// The shorter way to say a position.
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
    /// The follower.
    pub name: Name,
    /// Whether it plays.
    pub code: Acceptance,
}

/// Whether a follower plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// `0`: it does.
    Accepted,
    /// `1`: it does not know this version of the protocol.
    Version,
    /// `2`: not this game, but perhaps another.
    NotThisGame,
    /// `3`: no game at all.
    NoGames,
}

/// A move. The captured squares come in any order, which is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveMsg {
    /// What the program used for it.
    pub time: Seconds,
    /// Where the piece stood.
    pub from: Square,
    /// Where it lands.
    pub to: Square,
    /// The captured pieces.
    pub captured: Bitboard,
}

impl MoveMsg {
    /// How a move is said.
    pub fn new(mv: Move, time: Seconds) -> MoveMsg {
        MoveMsg {
            time,
            from: mv.from(),
            to: mv.to(),
            captured: mv.captured(),
        }
    }

    /// The legal move that is meant: the one with these squares; where no captured piece is named, the only one with this
    /// beginning and end (the protocol allows programs that take captures for implied).
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
    /// The sender wants to play no more games.
    pub stop: bool,
}

/// Why the sender of a GAMEEND ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// `0`: it does not say.
    Unknown,
    /// `1`: it has lost, or gives up.
    Loss,
    /// `2`: it is a draw.
    Draw,
    /// `3`: it has won.
    Win,
}

/// Which position to go back to: the one in which this side is to make its move of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackReq {
    /// Number of the move.
    pub number: MoveNumber,
    /// The side to move.
    pub side: Color,
}

impl BackReq {
    /// How many plies of a game that `first` began are left when this wish is granted; None before its beginning.
    pub fn plies(&self, first: Color) -> Option<usize> {
        let whites = 2 * usize::from(self.number.get());
        let plies = whites + usize::from(self.side == Color::Black);
        plies.checked_sub(2 + usize::from(first == Color::Black))
    }
}

/// The answer to a BACKREQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAnswer {
    /// `0`: the moves are taken back.
    Accepted,
    /// `1`: this program cannot take back.
    NotSupported,
    /// `2`: it does not want to.
    Refused,
}

impl Message {
    /// The bytes, the NUL that ends them included.
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

    /// Reads a message without its NUL.
    ///
    /// # Errors
    /// It is none; the error names the field and the column.
    pub fn parse(bytes: &[u8]) -> Result<Message, ParseError> {
        let mut reader = Reader::new(bytes);
        let header = match bytes.first() {
            None => return Err(reader.error(Field::Header, Problem::Empty)),
            Some(_) if bytes.len() > MAX_MESSAGE => {
                return Err(reader.error(Field::End, Problem::TooLong(bytes.len())));
            }
            Some(header) => *header,
        };
        let message = match header {
            b'R' => reader.named("GAMEREQ").request().map(Message::GameReq)?,
            b'A' => reader.named("GAMEACC").answer().map(Message::GameAcc)?,
            b'M' => reader.named("MOVE").mv().map(Message::Move)?,
            b'E' => reader.named("GAMEEND").end().map(Message::GameEnd)?,
            b'C' => return Ok(Message::Chat(ChatText::read(&bytes[1..]))),
            b'B' => reader.named("BACKREQ").back().map(Message::BackReq)?,
            b'K' => reader
                .named("BACKACC")
                .back_answer()
                .map(Message::BackAcc)?,
            _ => {
                let found = echo(&bytes[..1]);
                return Err(reader.error(Field::Header, Problem::UnknownType(found)));
            }
        };
        reader.finish()?;
        Ok(message)
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

/// A message of which some fields are read.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    message: Option<&'static str>,
    /// Where the last field began.
    field_at: usize,
}

impl<'a> Reader<'a> {
    /// Behind the header.
    fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader {
            bytes,
            at: bytes.len().min(1),
            message: None,
            field_at: 0,
        }
    }

    fn named(&mut self, message: &'static str) -> &mut Self {
        self.message = Some(message);
        self
    }

    /// An error at the field read last.
    fn error(&self, field: Field, problem: Problem) -> ParseError {
        ParseError {
            message: self.message,
            field,
            column: self.field_at + 1,
            problem,
        }
    }

    fn take<const N: usize>(&mut self, field: Field) -> Result<&'a [u8; N], ParseError> {
        self.field_at = self.at;
        let found = self.bytes[self.at..].first_chunk();
        let taken = found.ok_or_else(|| self.error(field, Problem::Missing))?;
        self.at += N;
        Ok(taken)
    }

    fn finish(&mut self) -> Result<(), ParseError> {
        self.field_at = self.at;
        let rest = self.bytes[self.at..].trim_ascii();
        if rest.is_empty() {
            return Ok(());
        }
        Err(self.error(Field::End, Problem::Trailing(echo(rest))))
    }

    /// One of some characters, in the words of `wanted`.
    fn one_of<T>(
        &mut self,
        field: Field,
        wanted: &'static str,
        read: impl Fn(u8) -> Option<T>,
    ) -> Result<T, ParseError> {
        let found = self.take::<1>(field)?;
        let problem = || Problem::Expected(wanted, echo(found));
        read(found[0]).ok_or_else(|| self.error(field, problem()))
    }

    /// A digit below `values.len()`, as the value in that place.
    fn code<T: Copy>(
        &mut self,
        field: Field,
        wanted: &'static str,
        values: &[T],
    ) -> Result<T, ParseError> {
        self.one_of(field, wanted, |byte| {
            values.get(usize::from(byte.wrapping_sub(b'0'))).copied()
        })
    }

    fn color(&mut self, field: Field) -> Result<Color, ParseError> {
        self.one_of(field, "W or Z", |byte| match byte {
            b'W' => Some(Color::White),
            b'Z' => Some(Color::Black),
            _ => None,
        })
    }

    fn number<const N: usize>(&mut self, field: Field) -> Result<u16, ParseError> {
        let digits = self.take::<N>(field)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return Err(self.error(field, Problem::NotANumber(echo(digits))));
        }
        let value = |sum: u16, digit: &u8| 10 * sum + u16::from(digit - b'0');
        Ok(digits.iter().fold(0, value))
    }

    fn square(&mut self, field: Field) -> Result<Square, ParseError> {
        let digits = self.take::<2>(field)?;
        let number = |digits: &[u8; 2]| {
            let text = std::str::from_utf8(digits).ok()?;
            text.parse().ok()
        };
        number(digits).ok_or_else(|| self.error(field, Problem::NotASquare(echo(digits))))
    }

    fn name(&mut self) -> Result<Name, ParseError> {
        self.take::<{ Name::LENGTH }>(Field::Name)
            .map(|field| Name::read(field))
    }

    fn request(&mut self) -> Result<GameReq, ParseError> {
        let version = self.number::<2>(Field::Version)?;
        if version != u16::from(VERSION) {
            let version = u8::try_from(version).unwrap_or(u8::MAX);
            return Err(self.error(Field::Version, Problem::Version(version)));
        }
        let name = self.name()?;
        let follower = self.color(Field::FollowerColor)?;
        let field = self.take::<3>(Field::Minutes)?;
        let minutes = Minutes::read(field)
            .ok_or_else(|| self.error(Field::Minutes, Problem::NotANumber(echo(field))))?;
        let moves = self.number::<3>(Field::Moves)?;
        let start = self.one_of(Field::StartKind, "A or B", |byte| match byte {
            b'A' => Some(false),
            b'B' => Some(true),
            _ => None,
        })?;
        Ok(GameReq {
            name,
            follower,
            minutes,
            moves: MoveLimit::new(moves).unwrap_or_default(),
            start: if start { self.board()? } else { Start::Usual },
        })
    }

    fn board(&mut self) -> Result<Start, ParseError> {
        let mut setup = Setup::empty(self.color(Field::SideToMove)?);
        let board = self.at;
        for square in Square::all() {
            let piece = self.one_of(Field::Board, "one of w z W Z e", |byte| {
                b"wzWZe".contains(&byte).then_some(byte)
            })?;
            let set = match piece {
                b'w' => &mut setup.men[Color::White.index()],
                b'z' => &mut setup.men[Color::Black.index()],
                b'W' => &mut setup.kings[Color::White.index()],
                b'Z' => &mut setup.kings[Color::Black.index()],
                _ => continue,
            };
            *set |= Bitboard::of(square);
        }
        self.field_at = board;
        let position = Position::try_from(setup);
        position
            .map(Start::Board)
            .map_err(|error| self.error(Field::Board, Problem::Setup(error)))
    }

    fn answer(&mut self) -> Result<GameAcc, ParseError> {
        const CODES: [Acceptance; 4] = [
            Acceptance::Accepted,
            Acceptance::Version,
            Acceptance::NotThisGame,
            Acceptance::NoGames,
        ];
        let name = self.name()?;
        let code = self.code(Field::Code, "a digit from 0 to 3", &CODES)?;
        Ok(GameAcc { name, code })
    }

    fn mv(&mut self) -> Result<MoveMsg, ParseError> {
        let field = self.take::<4>(Field::Time)?;
        let time = Seconds::read(field)
            .ok_or_else(|| self.error(Field::Time, Problem::NotANumber(echo(field))))?;
        let from = self.square(Field::From)?;
        let to = self.square(Field::To)?;
        let count = self.number::<2>(Field::CapturedCount)?;
        if usize::from(count) > MAX_CAPTURED {
            let count = u8::try_from(count).unwrap_or(u8::MAX);
            return Err(self.error(Field::CapturedCount, Problem::TooMany(count)));
        }
        let mut captured = Bitboard::EMPTY;
        for _ in 0..count {
            let square = self.square(Field::Captured)?;
            if captured.contains(square) {
                return Err(self.error(Field::Captured, Problem::Twice(square)));
            }
            captured |= Bitboard::of(square);
        }
        Ok(MoveMsg {
            time,
            from,
            to,
            captured,
        })
    }

    fn end(&mut self) -> Result<GameEnd, ParseError> {
        const REASONS: [Reason; 4] = [Reason::Unknown, Reason::Loss, Reason::Draw, Reason::Win];
        Ok(GameEnd {
            reason: self.code(Field::Reason, "a digit from 0 to 3", &REASONS)?,
            stop: self.code(Field::StopCode, "0 or 1", &[false, true])?,
        })
    }

    fn back(&mut self) -> Result<BackReq, ParseError> {
        let number = self.number::<3>(Field::MoveNumber)?;
        let number = MoveNumber::new(number).ok_or_else(|| {
            self.error(Field::MoveNumber, Problem::NotANumber(number.to_string()))
        })?;
        let side = self.color(Field::SideToMove)?;
        Ok(BackReq { number, side })
    }

    fn back_answer(&mut self) -> Result<BackAnswer, ParseError> {
        const ANSWERS: [BackAnswer; 3] = [
            BackAnswer::Accepted,
            BackAnswer::NotSupported,
            BackAnswer::Refused,
        ];
        self.code(Field::Code, "a digit from 0 to 2", &ANSWERS)
    }
}
