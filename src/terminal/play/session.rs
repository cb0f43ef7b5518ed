use super::command::{Command, HELP, read};
use super::{Player, Setting};
use crate::board::Color;
use crate::engine::{Job, Thinker};
use crate::notation::moves::MoveError;
use crate::notation::{moves, picture};
use crate::rules::{Game, Move, Position, Status};
use crate::search::{Control, Outcome};
use crate::terminal::{analyze, input, words};
use std::io::{self, BufRead, Write};

/// Plays until the player leaves or the input ends.
///
/// # Errors
/// The input cannot be read or the output cannot be written.
pub fn run(
    thinker: &mut dyn Thinker,
    setting: Setting,
    source: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bottom = setting.bottom();
    let mut session = Session {
        game: Game::new(setting.start),
        setting,
        thinker,
        out,
        bottom,
        goes_on: false,
    };
    session.thinker.new_game();
    writeln!(
        session.out,
        "Damier plays draughts. Type a move such as 32-28, or help.\n"
    )?;
    session.show()?;
    loop {
        session.computer_moves()?;
        write!(session.out, "{}> ", session.game.position().turn())?;
        session.out.flush()?;
        let Some(line) = input::read_line(source)? else {
            return writeln!(session.out);
        };
        match read(&line) {
            Command::Quit => return Ok(()),
            command => session.obey(command)?,
        }
    }
}

struct Session<'a> {
    game: Game,
    setting: Setting,
    thinker: &'a mut dyn Thinker,
    out: &'a mut dyn Write,
    bottom: Color,
    /// The player has played on after a draw.
    goes_on: bool,
}

impl Session<'_> {
    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Move(text) => self.human_move(&text),
            Command::Moves => self.list_moves(),
            Command::Back => self.back(),
            Command::Hint => self.hint(),
            Command::Go => self.go(),
            Command::Swap => {
                self.setting.players.reverse();
                self.tell_seats()
            }
            Command::Seat(color, player) => {
                for c in Color::BOTH {
                    if color.is_none_or(|only| only == c) {
                        self.setting.players[c.index()] = player;
                    }
                }
                self.tell_seats()
            }
            Command::Level(level) => {
                self.setting.level = level;
                writeln!(self.out, "All right.")
            }
            Command::Fen(None) => {
                let fen = crate::notation::fen::format(self.game.position());
                writeln!(self.out, "{fen}")
            }
            Command::Fen(Some(text)) => match analyze::read_position(&text) {
                Ok(position) => self.begin(position),
                Err(error) => writeln!(self.out, "{error}"),
            },
            Command::New => self.begin(Position::start()),
            Command::Board => self.show(),
            Command::Flip => {
                self.bottom = !self.bottom;
                self.show()
            }
            Command::Game => self.list_game(),
            Command::Help => write!(self.out, "{HELP}"),
            Command::Unclear(sentence) => writeln!(self.out, "{sentence}"),
        }
    }

    fn begin(&mut self, position: Position) -> io::Result<()> {
        self.game = Game::new(position);
        self.goes_on = false;
        self.thinker.new_game();
        self.show()
    }

    /// The board, and the result if there is one.
    fn show(&mut self) -> io::Result<()> {
        let picture = picture::draw(self.game.position(), self.bottom, true);
        writeln!(self.out, "{picture}")?;
        self.tell_result()
    }

    fn tell_result(&mut self) -> io::Result<()> {
        let Some(verdict) = words::verdict(&self.game) else {
            return Ok(());
        };
        match self.game.status() {
            Status::Drawn(_) if self.goes_on => Ok(()),
            Status::Drawn(_) => {
                writeln!(self.out, "The game is a {verdict}.")?;
                writeln!(
                    self.out,
                    "You may play on: type a move or go; or back, new, quit.\n"
                )
            }
            _ => {
                writeln!(self.out, "The game is over, {verdict}.")?;
                writeln!(self.out, "Type back, new or quit.\n")
            }
        }
    }

    fn tell_seats(&mut self) -> io::Result<()> {
        let name = |player| match player {
            Player::Human => "human",
            Player::Computer => "computer",
        };
        let [white, black] = self.setting.players.map(name);
        writeln!(self.out, "White: {white}, black: {black}.")
    }

    fn player_to_move(&self) -> Player {
        self.setting.players[self.game.position().turn().index()]
    }

    /// Whether the computer should move without being asked.
    fn computer_is_due(&self) -> bool {
        let playable = match self.game.status() {
            Status::Playing => true,
            Status::WonBy(_) => false,
            // Two computers would go on for ever.
            Status::Drawn(_) => self.goes_on && self.setting.players.contains(&Player::Human),
        };
        playable && self.player_to_move() == Player::Computer
    }

    fn computer_moves(&mut self) -> io::Result<()> {
        while self.computer_is_due() {
            self.computer_move()?;
        }
        Ok(())
    }

    fn think(&mut self) -> Outcome {
        let job = Job::new(self.game.clone(), self.setting.level);
        self.thinker.run(&job, &Control::new(), &mut ())
    }

    fn computer_move(&mut self) -> io::Result<()> {
        let outcome = self.think();
        let position = *self.game.position();
        let legal = position.legal_moves();
        let Some(mv) = outcome.best.or(legal.first().copied()) else {
            return Ok(());
        };
        let turn = position.turn();
        let report = &outcome.report;
        let text = moves::short(&position, mv);
        write!(self.out, "The computer ({turn}) plays {text}")?;
        if report.depth > 0 && legal.len() > 1 {
            let meaning = words::meaning(report.score, turn);
            let seconds = report.time.as_secs_f64();
            write!(
                self.out,
                "   ({meaning}, depth {}, {seconds:.1} s)",
                report.depth
            )?;
        }
        writeln!(self.out, "\n")?;
        self.play(mv)
    }

    fn play(&mut self, mv: Move) -> io::Result<()> {
        self.game.play(mv);
        self.show()?;
        self.out.flush()
    }

    fn human_move(&mut self, text: &str) -> io::Result<()> {
        let position = self.game.position();
        let read = moves::parse(position, text).or_else(|error| {
            // With its number, as in 1. 32-28.
            match moves::parse_line(position, text) {
                Ok(line) if line.len() == 1 => Ok(line[0]),
                Err(line) if line.played.is_empty() && text.contains('.') => Err(line.error),
                _ => Err(error),
            }
        });
        match read {
            Ok(mv) => {
                self.goes_on = matches!(self.game.status(), Status::Drawn(_));
                writeln!(self.out)?;
                self.play(mv)
            }
            Err(error @ MoveError::Ambiguous(_)) => {
                writeln!(
                    self.out,
                    "Which one? {error}. Name the captured squares too."
                )
            }
            Err(error) => writeln!(self.out, "Not possible: {error}."),
        }
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let texts: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|&mv| moves::short(position, mv))
            .collect();
        if texts.is_empty() {
            return writeln!(self.out, "There is no legal move.");
        }
        for row in texts.chunks(10) {
            writeln!(self.out, "  {}", row.join("  "))?;
        }
        if position.must_capture() {
            writeln!(
                self.out,
                "A capture is compulsory, and the most pieces must be taken."
            )?;
        }
        Ok(())
    }

    /// Takes back to the last position where a human was to move; with no human in the game, one move.
    fn back(&mut self) -> io::Result<()> {
        let players = self.setting.players;
        let first = self.game.start().turn();
        let is_humans = |plies: usize| {
            let turn = if plies.is_multiple_of(2) {
                first
            } else {
                !first
            };
            !players.contains(&Player::Human) || players[turn.index()] == Player::Human
        };
        let plies = self.game.moves().len();
        let Some(target) = (0..plies).rev().find(|&earlier| is_humans(earlier)) else {
            return writeln!(self.out, "There is no move of yours to take back.");
        };
        for _ in target..plies {
            self.game.take_back();
        }
        if !players.contains(&Player::Human) {
            self.setting.players = [Player::Human; 2];
            self.tell_seats()?;
        }
        self.goes_on = false;
        self.show()
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.game.position().is_terminal() {
            return writeln!(self.out, "There is no legal move.");
        }
        let outcome = self.think();
        let position = self.game.position();
        let line = match (outcome.report.pv.as_slice(), outcome.best) {
            ([], Some(best)) => words::line(position, &[best]),
            (pv, _) => words::line(position, &pv[..pv.len().min(6)]),
        };
        let meaning = words::meaning(outcome.report.score, position.turn());
        writeln!(self.out, "I would play {line}   ({meaning})")
    }

    /// The computer makes this move. Where the other side was its own, the player gets that one.
    fn go(&mut self) -> io::Result<()> {
        if self.game.position().is_terminal() {
            return writeln!(self.out, "There is no legal move.");
        }
        self.goes_on = matches!(self.game.status(), Status::Drawn(_));
        let swapped = self.player_to_move() == Player::Human
            && self.setting.players.contains(&Player::Computer);
        if swapped {
            self.setting.players.reverse();
            self.tell_seats()?;
        }
        self.computer_move()
    }

    fn list_game(&mut self) -> io::Result<()> {
        let mut position = *self.game.start();
        let mut number = 0;
        let mut out = String::new();
        for &mv in self.game.moves() {
            if position.turn() == Color::White || number == 0 {
                number += 1;
                let dots = if position.turn() == Color::White {
                    "."
                } else {
                    "..."
                };
                out.push_str(&format!("{number}{dots} "));
            }
            out.push_str(&moves::short(&position, mv));
            out.push(' ');
            position = position.play(mv);
        }
        writeln!(self.out, "{}", out.trim_end())
    }
}
