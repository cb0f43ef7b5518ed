//! The judge: searches the positions of a game, the last one first, so that what follows is known when a move is
//! judged.

use super::{AnnotatedGame, Judged, Mark, MoveJudgement, PlayerSummary};
use crate::evaluation::Look;
use crate::{Evaluation, Stop, meaning};
use damier_endgame::{Advice, MoveVerdict};
use damier_engine::eval::Score;
use damier_engine::search::Stopped;
use damier_engine::{Engine, Level};
use damier_rules::notation::pdn::Game as PdnGame;
use damier_rules::{Game, Move};

/// Hundredths of a man that a move of the opening book may be worse than the best and still be left alone.
const BOOK_MARGIN: u32 = 10;
/// A move that seems to have lost something is judged again with so many times the time, nodes, or so many plies more.
const AGAIN: u32 = 3;
/// Nodes of a search for a line where the tables know the result.
const TABLE_NODES: u64 = 20_000;
/// Most moves of a line that are kept.
const LINE: usize = 30;

/// Judges the moves of games.
pub struct Annotator {
    engine: Engine,
    level: Level,
    /// Whether moves of the opening book are left alone.
    book: bool,
}

impl Annotator {
    /// An annotator that searches each position to this level with this engine.
    pub fn new(engine: Engine, level: Level) -> Annotator {
        Annotator {
            engine,
            level,
            book: true,
        }
    }

    /// Sets whether moves of the opening book are left unjudged (default: yes).
    pub fn with_book(self, book: bool) -> Annotator {
        Annotator { book, ..self }
    }

    /// From now on searches each position to this level.
    pub fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// The engine, for what it has to say of its tables and book.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Judges the moves of a game. `progress` gets the positions done and all of them.
    ///
    /// What is found depends on this game alone, with a level of nodes or depth always the same.
    ///
    /// # Errors
    /// It was stopped.
    pub fn annotate(
        &mut self,
        game: &PdnGame,
        stop: &Stop,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<AnnotatedGame, Stopped> {
        self.engine.new_game();
        let mut at = Game::new(game.start);
        game.moves
            .iter()
            .for_each(|annotated| at.play(annotated.mv));
        let total = at.moves().len() + 1;
        let last = self.evaluate(&at, self.level, stop)?;
        progress(1, total);
        let mut after = (at.clone(), last.clone());
        let mut moves = Vec::new();
        while let Some(mv) = at.take_back() {
            let judgement = self.judge(&at, mv, &after, stop)?;
            after = (at.clone(), judgement.before.clone());
            moves.push(judgement);
            progress(moves.len() + 1, total);
        }
        moves.reverse();
        Ok(AnnotatedGame {
            players: PlayerSummary::of_moves(&game.start, &moves),
            game: game.clone(),
            moves,
            last,
        })
    }

    /// Judges a move. `after`: the game and what is known with the move played.
    fn judge(
        &mut self,
        game: &Game,
        mv: Move,
        after: &(Game, Evaluation),
        stop: &Stop,
    ) -> Result<MoveJudgement, Stopped> {
        let left_alone = |judged, before| {
            Ok(MoveJudgement {
                mv,
                judged,
                before,
                loss: 0.0,
                table: None,
            })
        };
        if let Some(over) = Evaluation::of_end(game) {
            return left_alone(Judged::Over, over);
        }
        if game.position().legal_moves().len() == 1 {
            return left_alone(Judged::Forced, one_ply_earlier(mv, &after.1));
        }
        if let Some(before) = self.in_book(game, mv) {
            return left_alone(Judged::Book, before);
        }
        if let Some(advice) = meaning::settled(&self.engine, game) {
            return self.judge_by_table(game, mv, &advice, stop);
        }
        let before = self.evaluate(game, self.level, stop)?;
        let (before, loss) = self.loss(game, mv, before, after, stop)?;
        Ok(MoveJudgement {
            mv,
            judged: Judged::Search,
            before,
            loss,
            table: None,
        })
    }

    /// The expected points that a move lost, and what is known of the position after a second look at a move that
    /// seems to have lost some.
    fn loss(
        &mut self,
        game: &Game,
        mv: Move,
        mut before: Evaluation,
        after: &(Game, Evaluation),
        stop: &Stop,
    ) -> Result<(Evaluation, f64), Stopped> {
        let lost = |before: &Evaluation, after: &Evaluation| {
            before.points() - after.wdl.swapped().expected()
        };
        let mut loss = lost(&before, &after.1);
        let level = again(self.level);
        if before.line.first() == Some(&mv) {
            if loss < Mark::DUBIOUS {
                return Ok((before, 0.0));
            }
            // What follows shows that the move was worse than it looked: perhaps another one is better.
            before = self.evaluate(game, level, stop)?;
            loss = lost(&before, &after.1);
        }
        let best = before.line.first().copied();
        let Some(best) = best.filter(|best| *best != mv) else {
            return Ok((before, 0.0));
        };
        if loss >= Mark::DUBIOUS {
            // Both moves, from the positions behind them, so that neither is seen farther than the other.
            let mut better = game.clone();
            better.play(best);
            let better = self.evaluate(&better, level, stop)?;
            let played = self.evaluate(&after.0, level, stop)?;
            let second = one_ply_earlier(best, &better);
            loss = loss.min(lost(&second, &played));
            let table = before.table;
            before = Evaluation { table, ..second };
        }
        Ok((before, loss.max(0.0)))
    }

    /// What a position is worth: over, known to the tables, or searched.
    fn evaluate(&mut self, game: &Game, level: Level, stop: &Stop) -> Result<Evaluation, Stopped> {
        if let Some(over) = Evaluation::of_end(game) {
            return Ok(over);
        }
        match meaning::settled(&self.engine, game) {
            Some(advice) => self.by_table(game, &advice, stop),
            None => self.search(game, level, stop),
        }
    }

    fn search(&mut self, game: &Game, level: Level, stop: &Stop) -> Result<Evaluation, Stopped> {
        let mut found = Look::at(game, level).run(&mut self.engine, stop)?;
        found.line.truncate(LINE);
        Ok(found)
    }

    fn by_table(
        &mut self,
        game: &Game,
        advice: &Advice,
        stop: &Stop,
    ) -> Result<Evaluation, Stopped> {
        let searched = self.search(game, Level::nodes(TABLE_NODES), stop)?;
        let holds = searched.line.first().is_some_and(|first| {
            let known = advice.moves.iter().find(|known| known.mv == *first);
            known.is_some_and(|known| known.ruled.value == advice.ruled.value)
        });
        let line = match holds {
            true => searched.line.clone(),
            false => advice.best().take(1).collect(),
        };
        Ok(Evaluation {
            score: meaning::score_of(advice.ruled),
            wdl: meaning::of_value(advice.ruled.value),
            table: Some(advice.ruled),
            line,
            ..searched
        })
    }

    fn judge_by_table(
        &mut self,
        game: &Game,
        mv: Move,
        advice: &Advice,
        stop: &Stop,
    ) -> Result<MoveJudgement, Stopped> {
        let before = self.by_table(game, advice, stop)?;
        let points = |known: &MoveVerdict| meaning::of_value(known.ruled.value).expected();
        let played = advice.moves.iter().find(|known| known.mv == mv);
        let loss = played.map_or(0.0, |played| before.wdl.expected() - points(played));
        Ok(MoveJudgement {
            mv,
            judged: Judged::Table,
            before,
            loss: loss.max(0.0),
            table: played.map(|played| played.ruled),
        })
    }

    /// What the opening book says, where the move is as good there as any.
    fn in_book(&self, game: &Game, mv: Move) -> Option<Evaluation> {
        let entry = self
            .engine
            .book_entry(game.position())
            .filter(|_| self.book)?;
        let good = entry.within(BOOK_MARGIN);
        if !good.iter().any(|known| known.mv == mv) {
            return None;
        }
        let score = Score::new(good.first()?.score);
        Some(Evaluation {
            score,
            wdl: self.engine.wdl(score, game.position()),
            line: vec![mv],
            depth: entry.depth,
            nodes: 0,
            table: None,
        })
    }
}

/// What is known of the position before a move that is expected to be played there.
fn one_ply_earlier(mv: Move, after: &Evaluation) -> Evaluation {
    let mut before = after.one_ply_earlier(mv);
    before.line.truncate(LINE);
    before
}

/// The level of a second look.
fn again(level: Level) -> Level {
    const DEEPER: u32 = 2;
    Level {
        depth: level.depth.map(|depth| depth.saturating_add(DEEPER)),
        nodes: level
            .nodes
            .map(|nodes| nodes.saturating_mul(u64::from(AGAIN))),
        move_time: level.move_time.map(|time| time * f64::from(AGAIN)),
        clock: level.clock,
    }
}
