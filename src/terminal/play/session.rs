//! Reads and executes commands.

use super::clocks::Clocks;
use super::command::{HELP, PlayCommand, level_name, read};
use super::{Exit, PlaySettings, PlayerKind, won_by};
use crate::board::Color;
use crate::engine::{JobId, Level, Options, ThinkEvent, Thinker, Thread};
use crate::notation::pdn::{self, Outcome as GameOutcome};
use crate::notation::text::for_terminal;
use crate::rules::{Game, Move, Position, Status};
use crate::terminal::analyze;
use crate::terminal::input::{LOOK, LineReader};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

/// Plays until the player leaves, the input ends or the user interrupts.
///
/// # Errors
/// The input cannot be read, the output cannot be written, or the system has no thread to give.
pub fn run<T: Thinker + 'static>(
    thinker: T,
    setting: PlaySettings,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let mut session = PlaySession::start(thinker, setting, input, out)?;
    match session.play() {
        Ok(never) => match never {},
        Err(stop) => session.leave(stop),
    }
}

/// What a session waits for.
pub(super) enum PlayEvent {
    /// A line of the input, or its end.
    Line(io::Result<Option<String>>),
    Think(JobId, ThinkEvent),
}

/// Why a session ends.
pub(super) enum SessionEnd {
    Quit,
    InputEnded,
    Interrupted,
    Io(io::Error),
}

impl From<io::Error> for SessionEnd {
    fn from(error: io::Error) -> SessionEnd {
        SessionEnd::Io(error)
    }
}

/// A game that ended, though not by the rules of the board.
pub(super) struct Ended {
    pub outcome: GameOutcome,
    pub why: String,
}

pub(super) struct PlaySession<'a, T: Thinker + 'static> {
    pub game: Game,
    pub setting: PlaySettings,
    /// How strong the computer plays; 0: as well as it can.
    pub elo: u32,
    pub engine: Thread<T>,
    inbox: Receiver<PlayEvent>,
    reader: LineReader,
    /// A line was asked for and has not come yet.
    is_asked: bool,
    has_input_ended: bool,
    /// Lines that have not been executed yet.
    pub pending: VecDeque<String>,
    pub out: &'a mut dyn Write,
    pub bottom: Color,
    pub clocks: Option<Clocks>,
    pub ended: Option<Ended>,
    /// The player has played on after a draw.
    pub plays_on: bool,
    /// The game has changed since it was saved.
    pub is_unsaved: bool,
    /// The game of a file that this one goes on from, with all that stands in it.
    pub loaded: Option<pdn::Game>,
    /// Where this game was saved.
    pub file: Option<PathBuf>,
    /// A line that would lose the game, and has been asked about.
    unconfirmed: Option<String>,
}

impl<'a, T: Thinker + 'static> PlaySession<'a, T> {
    fn start(
        thinker: T,
        setting: PlaySettings,
        input: impl BufRead + Send + 'static,
        out: &'a mut dyn Write,
    ) -> io::Result<PlaySession<'a, T>> {
        let (lines, inbox) = channel();
        let thoughts = lines.clone();
        // The session may be over.
        let reader = LineReader::start(input, move |line| drop(lines.send(PlayEvent::Line(line))))?;
        let listener = move |id, event| drop(thoughts.send(PlayEvent::Think(id, event)));
        let elo = thinker.options().elo;
        let engine = Thread::start(thinker, listener)?;
        engine.new_game();
        let now = Instant::now();
        Ok(PlaySession {
            game: Game::new(setting.start),
            elo,
            engine,
            inbox,
            reader,
            is_asked: false,
            has_input_ended: false,
            pending: VecDeque::new(),
            out,
            bottom: setting.bottom(),
            clocks: setting.clock.map(|control| Clocks::new(control, now)),
            ended: None,
            plays_on: false,
            is_unsaved: false,
            loaded: None,
            file: None,
            unconfirmed: None,
            setting,
        })
    }

    fn play(&mut self) -> Result<Infallible, SessionEnd> {
        writeln!(
            self.out,
            "Damier plays draughts. Type a move such as 32-28, or help.\n"
        )?;
        if self.elo > 0 && self.setting.live {
            self.show_elo()?;
            writeln!(
                self.out,
                "Type elo off for its full strength, or elo 1600 for another level.\n"
            )?;
        }
        self.show()?;
        loop {
            // What was typed while the computer thought comes first.
            if self.pending.is_empty() && self.computer_is_due() {
                self.computer_move()?;
                continue;
            }
            write!(self.out, "{}> ", self.game.position().turn())?;
            self.out.flush()?;
            let line = self.next_line()?;
            self.execute_line(&line)?;
        }
    }

    /// Ends the session; an unsaved game is saved.
    fn leave(&mut self, stop: SessionEnd) -> io::Result<Exit> {
        let (exit, failed) = match stop {
            SessionEnd::Quit => return Ok(Exit::Left),
            SessionEnd::InputEnded => (Exit::Left, None),
            SessionEnd::Interrupted => (Exit::Interrupted, None),
            // Such as a terminal whose window was closed.
            SessionEnd::Io(error) => (Exit::Left, Some(error)),
        };
        let told = writeln!(self.out);
        // The end of a script is meant.
        if exit == Exit::Interrupted || self.setting.live {
            self.rescue()?;
        }
        failed.map_or(told, Err)?;
        self.out.flush()?;
        Ok(exit)
    }

    /// The next line of the player, who may take any time.
    fn next_line(&mut self) -> Result<String, SessionEnd> {
        loop {
            if let Some(line) = self.pending.pop_front() {
                return Ok(line);
            }
            self.ask_for_line();
            self.check_clock()?;
            match self.next_event()? {
                Some(PlayEvent::Line(line)) => self.take_line(line)?,
                // What is left of a search that was stopped.
                Some(PlayEvent::Think(..)) | None => {}
            }
            if self.has_input_ended && self.pending.is_empty() {
                return Err(SessionEnd::InputEnded);
            }
        }
    }

    /// Waits for an event, but not long: none when there was none.
    pub(super) fn next_event(&mut self) -> Result<Option<PlayEvent>, SessionEnd> {
        if (self.setting.asked_to_end)() {
            return Err(SessionEnd::Interrupted);
        }
        match self.inbox.recv_timeout(LOOK) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(SessionEnd::InputEnded),
        }
    }

    /// Has a line read, unless that is under way.
    pub(super) fn ask_for_line(&mut self) {
        if !self.is_asked && !self.has_input_ended {
            self.is_asked = true;
            self.reader.ask();
        }
    }

    /// Puts a line to those that wait.
    pub(super) fn take_line(&mut self, line: io::Result<Option<String>>) -> Result<(), SessionEnd> {
        self.is_asked = false;
        match line? {
            Some(line) => self.pending.push_back(line),
            None if self.setting.live => return Err(SessionEnd::InputEnded),
            None => self.has_input_ended = true,
        }
        Ok(())
    }

    fn execute_line(&mut self, line: &str) -> Result<(), SessionEnd> {
        let command = read(line);
        if self.would_lose(&command) && self.unconfirmed.as_deref() != Some(line) {
            writeln!(
                self.out,
                "This game is not saved. Type save FILE to keep it, or {} again to go on without.",
                for_terminal(line)
            )?;
            self.unconfirmed = Some(line.to_owned());
            return Ok(());
        }
        self.unconfirmed = None;
        self.execute(command)
    }

    /// Whether a command would end a game of which nothing is kept.
    fn would_lose(&self, command: &PlayCommand) -> bool {
        let ends = matches!(
            command,
            PlayCommand::Quit | PlayCommand::New | PlayCommand::Fen(Some(_)) | PlayCommand::Load(_)
        );
        ends && self.setting.live && self.is_unsaved && !self.game.moves().is_empty()
    }

    fn execute(&mut self, command: PlayCommand) -> Result<(), SessionEnd> {
        match command {
            PlayCommand::Quit => return Err(SessionEnd::Quit),
            PlayCommand::Move(text) => self.human_move(&text)?,
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Go => self.go()?,
            PlayCommand::Draw => self.offer_draw()?,
            PlayCommand::Resign => self.resign()?,
            PlayCommand::Back => self.back()?,
            PlayCommand::Swap => {
                self.setting.players.reverse();
                self.show_players()?;
            }
            PlayCommand::Seat(color, player) => {
                for side in Color::BOTH {
                    if color.is_none_or(|only| only == side) {
                        self.setting.players[side.index()] = player;
                    }
                }
                self.show_players()?;
            }
            PlayCommand::SetClock(control) => {
                self.setting.clock = control;
                self.clocks = control.map(|control| Clocks::new(control, Instant::now()));
                self.show_clocks()?;
            }
            PlayCommand::Fen(Some(text)) => match analyze::read_position(&text) {
                Ok(position) => self.begin(Game::new(position))?,
                Err(error) => writeln!(self.out, "{error}")?,
            },
            PlayCommand::Load(text) => self.load(&text)?,
            PlayCommand::Elo(Some(elo)) => self.set_elo(elo)?,
            PlayCommand::New => self.begin(Game::new(Position::start()))?,
            harmless => self.execute_harmless(harmless)?,
        }
        Ok(())
    }

    /// Executes a command that leaves the game as it is, also while the computer thinks.
    pub(super) fn execute_harmless(&mut self, command: PlayCommand) -> io::Result<()> {
        match command {
            PlayCommand::Moves => self.list_moves(),
            PlayCommand::Level(level) => self.set_level(level),
            PlayCommand::Elo(None) => self.show_elo(),
            PlayCommand::ShowClock => self.show_clocks(),
            PlayCommand::Fen(None) => {
                let fen = crate::notation::fen::format(self.game.position());
                writeln!(self.out, "{fen}")
            }
            PlayCommand::Save(name) => self.save(name),
            PlayCommand::Board => self.show(),
            PlayCommand::Flip => {
                self.bottom = !self.bottom;
                self.show()
            }
            PlayCommand::Game => self.list_game(),
            PlayCommand::Help => write!(self.out, "{HELP}"),
            PlayCommand::Unclear(sentence) => writeln!(self.out, "{sentence}"),
            PlayCommand::Stop => writeln!(self.out, "The computer is not thinking."),
            _ => Ok(()),
        }
    }

    fn set_level(&mut self, level: Level) -> io::Result<()> {
        self.setting.level = level;
        match self.clocks {
            Some(_) => writeln!(self.out, "That counts once there is no clock: clock off."),
            None => writeln!(self.out, "All right."),
        }
    }

    fn set_elo(&mut self, elo: u32) -> io::Result<()> {
        let set = self.engine.with(move |engine| {
            let options = Options {
                elo,
                ..engine.options().clone()
            };
            engine.set_options(options)
        });
        let set = set.map_err(io::Error::other)?;
        if let Err(problem) = set {
            return writeln!(self.out, "{problem}");
        }
        self.elo = elo;
        self.show_elo()
    }

    fn show_elo(&mut self) -> io::Result<()> {
        match self.elo {
            0 => writeln!(self.out, "The computer plays as well as it can."),
            elo => {
                let name = level_name(elo).map(|name| format!(" ({name})"));
                let name = name.unwrap_or_default();
                writeln!(self.out, "The computer plays at level {elo}{name}.")
            }
        }
    }

    /// Begins a game, at its last position.
    pub(super) fn begin(&mut self, game: Game) -> io::Result<()> {
        self.game = game;
        self.ended = None;
        self.plays_on = false;
        self.is_unsaved = false;
        self.loaded = None;
        self.file = None;
        let control = self.setting.clock;
        self.clocks = control.map(|control| Clocks::new(control, Instant::now()));
        self.engine.new_game();
        self.show()
    }

    pub(super) fn player_to_move(&self) -> PlayerKind {
        self.setting.players[self.game.position().turn().index()]
    }

    /// Whether the computer should move without being asked.
    fn computer_is_due(&self) -> bool {
        let playable = match self.game.status() {
            Status::Playing => true,
            Status::WonBy(_) => false,
            // Two computers would go on for ever.
            Status::Drawn(_) => self.plays_on && self.setting.has_human(),
        };
        playable && self.ended.is_none() && self.player_to_move() == PlayerKind::Computer
    }

    /// Ends the game of a side whose time is up.
    pub(super) fn check_clock(&mut self) -> io::Result<bool> {
        let turn = self.game.position().turn();
        let is_on = self.game.status() == Status::Playing && self.ended.is_none();
        let Some(clocks) = self.clocks.filter(|_| is_on) else {
            return Ok(false);
        };
        let is_up = clocks.left(turn, Instant::now()).is_none();
        if is_up {
            writeln!(self.out)?;
            self.end(won_by(!turn), format!("the time of {turn} is up"))?;
        }
        Ok(is_up)
    }

    pub(super) fn end(&mut self, outcome: GameOutcome, why: String) -> io::Result<()> {
        self.ended = Some(Ended { outcome, why });
        self.is_unsaved = true;
        self.show_result()
    }

    /// Plays a legal move.
    pub(super) fn play_move(&mut self, mv: Move) -> io::Result<()> {
        let turn = self.game.position().turn();
        if let Some(clocks) = &mut self.clocks {
            clocks.press(turn, Instant::now());
        }
        self.game.play(mv);
        self.is_unsaved = true;
        self.show()?;
        self.out.flush()
    }

    /// The player goes on with a game that is over.
    pub(super) fn play_on(&mut self) {
        self.plays_on = matches!(self.game.status(), Status::Drawn(_));
        // Whose time was up would have none for its next move.
        if self.ended.take().is_some() {
            self.clocks = None;
        }
    }
}
