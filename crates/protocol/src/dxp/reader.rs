//! Parses messages field by field.

use super::error::{Field, ParseError, Problem, excerpt};
use super::fields::{ChatText, Minutes, MoveLimit, MoveNumber, Name, Seconds};
use super::message::{
    Acceptance, BackAnswer, BackReq, GameAcc, GameEnd, GameReq, Message, MoveMsg, Reason, Start,
    VERSION,
};
use super::{MAX_CAPTURED, MAX_MESSAGE};
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Position, Setup};

impl Message {
    /// Parses a message without its NUL.
    ///
    /// # Errors
    /// Not a valid message; the error names the field and the column.
    pub fn parse(bytes: &[u8]) -> Result<Message, ParseError> {
        let mut reader = FieldReader::new(bytes);
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
                let found = excerpt(&bytes[..1]);
                return Err(reader.error(Field::Header, Problem::UnknownType(found)));
            }
        };
        reader.finish()?;
        Ok(message)
    }
}

/// A partly parsed message.
struct FieldReader<'a> {
    bytes: &'a [u8],
    at: usize,
    message: Option<&'static str>,
    /// Start of the last field parsed.
    field_at: usize,
}

impl<'a> FieldReader<'a> {
    /// A reader placed after the type character.
    pub fn new(bytes: &'a [u8]) -> FieldReader<'a> {
        FieldReader {
            bytes,
            at: bytes.len().min(1),
            message: None,
            field_at: 0,
        }
    }

    pub fn named(&mut self, message: &'static str) -> &mut FieldReader<'a> {
        self.message = Some(message);
        self
    }

    /// An error at the last field parsed.
    pub fn error(&self, field: Field, problem: Problem) -> ParseError {
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

    pub fn finish(&mut self) -> Result<(), ParseError> {
        self.field_at = self.at;
        let rest = self.bytes[self.at..].trim_ascii();
        if rest.is_empty() {
            return Ok(());
        }
        Err(self.error(Field::End, Problem::Trailing(excerpt(rest))))
    }

    /// Reads a character of several; `wanted` names them for the error.
    fn one_of<T>(
        &mut self,
        field: Field,
        wanted: &'static str,
        read: impl Fn(u8) -> Option<T>,
    ) -> Result<T, ParseError> {
        let found = self.take::<1>(field)?;
        let problem = || Problem::Expected(wanted, excerpt(found));
        read(found[0]).ok_or_else(|| self.error(field, problem()))
    }

    /// A digit below `values.len()`, as an index into `values`.
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
            return Err(self.error(field, Problem::NotANumber(excerpt(digits))));
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
        number(digits).ok_or_else(|| self.error(field, Problem::NotASquare(excerpt(digits))))
    }

    fn name(&mut self) -> Result<Name, ParseError> {
        self.take::<{ Name::LENGTH }>(Field::Name)
            .map(|field| Name::read(field))
    }

    pub fn request(&mut self) -> Result<GameReq, ParseError> {
        let version = self.number::<2>(Field::Version)?;
        if version != u16::from(VERSION) {
            let version = u8::try_from(version).unwrap_or(u8::MAX);
            return Err(self.error(Field::Version, Problem::Version(version)));
        }
        let name = self.name()?;
        let follower = self.color(Field::FollowerColor)?;
        let field = self.take::<3>(Field::Minutes)?;
        let minutes = Minutes::read(field)
            .ok_or_else(|| self.error(Field::Minutes, Problem::NotANumber(excerpt(field))))?;
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

    pub fn answer(&mut self) -> Result<GameAcc, ParseError> {
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

    pub fn mv(&mut self) -> Result<MoveMsg, ParseError> {
        let field = self.take::<4>(Field::Time)?;
        let time = Seconds::read(field)
            .ok_or_else(|| self.error(Field::Time, Problem::NotANumber(excerpt(field))))?;
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

    pub fn end(&mut self) -> Result<GameEnd, ParseError> {
        const REASONS: [Reason; 4] = [Reason::Unknown, Reason::Loss, Reason::Draw, Reason::Win];
        Ok(GameEnd {
            reason: self.code(Field::Reason, "a digit from 0 to 3", &REASONS)?,
            stop: self.code(Field::StopCode, "0 or 1", &[false, true])?,
        })
    }

    pub fn back(&mut self) -> Result<BackReq, ParseError> {
        let number = self.number::<3>(Field::MoveNumber)?;
        let number = MoveNumber::new(number).ok_or_else(|| {
            self.error(Field::MoveNumber, Problem::NotANumber(number.to_string()))
        })?;
        let side = self.color(Field::SideToMove)?;
        Ok(BackReq { number, side })
    }

    pub fn back_answer(&mut self) -> Result<BackAnswer, ParseError> {
        const ANSWERS: [BackAnswer; 3] = [
            BackAnswer::Accepted,
            BackAnswer::NotSupported,
            BackAnswer::Refused,
        ];
        self.code(Field::Code, "a digit from 0 to 2", &ANSWERS)
    }
}
