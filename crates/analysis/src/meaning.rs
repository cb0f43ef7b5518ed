//! What the result of a search means to a person.

use super::Stop;
use damier_endgame::{Advice, MoveVerdict, Value, Verdict, View};
use damier_engine::eval::{Score, Wdl};
use damier_engine::search::{Outcome, Report};
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::{Game, Status};

/// Expected points that a move may lose and still hold the result.
pub const SAFE_MARGIN: f64 = 0.05;
/// The search for safe moves has one of so many nodes of the search before it.
const SHARE: u64 = 3;
/// Fewest nodes of the search for safe moves.
const FEWEST: u64 = 2_000;

/// How a value under the rules counts.
pub fn of_value(value: Value) -> Wdl {
    match value {
        Value::Win => Wdl::WIN,
        Value::Draw => Wdl::DRAW,
        Value::Loss => Wdl::LOSS,
    }
}

/// The score of a verdict of the endgame tables. Without a distance it is that of a position in the tables: 90.00 for a
/// win, -90.00 for a loss.
pub fn score_of(verdict: Verdict) -> Score {
    let win = verdict
        .distance
        .map_or(Score::table_win_in(0), Score::win_in);
    match verdict.value {
        Value::Win => win,
        Value::Draw => Score::DRAW,
        Value::Loss => -win,
    }
}

/// Chances of win, draw and loss in whole percentages that sum to 100.
pub fn percentages(wdl: Wdl) -> [u32; 3] {
    let [win, _, loss] = wdl.per_mille().map(|share| (share + 5) / 10);
    let loss = loss.min(100 - win);
    [win, 100 - win - loss, loss]
}

/// The chances of the side to move after a game that is over, none while it goes on.
pub fn of_status(game: &Game) -> Option<Wdl> {
    match game.status() {
        Status::Playing => None,
        Status::Drawn(_) => Some(Wdl::DRAW),
        Status::WonBy(color) if color == game.position().turn() => Some(Wdl::WIN),
        Status::WonBy(_) => Some(Wdl::LOSS),
    }
}

/// What the endgame tables say of every move. None where they do not know all.
pub fn advice(engine: &Engine, game: &Game) -> Option<Advice> {
    let most = u8::try_from(engine.options().bb_size).unwrap_or(u8::MAX);
    let view = View::new(engine.tables(), most);
    let advice = Advice::in_game(&view, game.position(), &game.clock(), game.keys())?;
    Some(match game.status() {
        Status::Drawn(_) => advice.drawn(),
        _ => advice,
    })
}

/// What the endgame tables say, where that settles every move.
pub fn settled(engine: &Engine, game: &Game) -> Option<Advice> {
    advice(engine, game)?.settled()
}

/// How many moves keep the value under the rules, as the endgame tables see it.
pub fn keeping(table: &Advice) -> usize {
    let keeps = |mv: &&MoveVerdict| mv.ruled.value == table.ruled.value;
    table.moves.iter().filter(keeps).count()
}

/// How many of these moves lose at most [`SAFE_MARGIN`] expected points against the best of them.
pub fn holding(lines: &[Report], points: impl Fn(&Report) -> f64) -> usize {
    let best = lines.iter().map(&points).fold(0.0, f64::max);
    let holds = |line: &&Report| points(line) >= best - SAFE_MARGIN;
    lines.iter().filter(holds).count()
}

/// The number of legal moves that hold the result: those that the endgame tables give the value of the best, or else
/// those that lose at most [`SAFE_MARGIN`] expected points. `outcome` is a search of the position; where it has not a
/// line for each move, another search, a third as long, gives each one a score. None where that is stopped.
pub fn safe_moves(
    engine: &mut Engine,
    game: &Game,
    outcome: &Outcome,
    table: Option<&Advice>,
    stop: &Stop,
) -> Option<usize> {
    if let Some(table) = table.filter(|table| table.certain) {
        return Some(keeping(table));
    }
    let moves = game.position().legal_moves().len();
    if moves <= 1 {
        return Some(moves);
    }
    let of = |engine: &Engine, lines: &[Report]| {
        let points = |line: &Report| engine.wdl(line.score, game.position()).expected();
        holding(lines, points)
    };
    if outcome.lines.len() >= moves {
        return Some(of(engine, &outcome.lines));
    }
    let level = Level::nodes((outcome.report.nodes / SHARE).max(FEWEST));
    let job = Job::new(game.clone(), level)
        .with_purpose(Purpose::Analyse)
        .with_lines(moves);
    let control = stop.control();
    let found = engine.run(&job, &control, &mut ());
    let is_whole = !control.is_stopped() && found.lines.len() >= moves;
    is_whole.then(|| of(engine, &found.lines))
}
