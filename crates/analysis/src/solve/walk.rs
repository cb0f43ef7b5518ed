//! Walks through a composition: the main line first, then every other reply.

use super::judge::{Judge, Judged};
use super::{Alternative, Defence, Solution, Status, Verdict};
use damier_engine::search::Stopped;
use damier_rules::{Game, Move, Status as GameStatus};

/// Longest line that is followed, in plies.
const MOST_PLIES: usize = 80;
/// Most searches for one composition; then no further reply is followed.
const MOST_SEARCHES: usize = 400;
/// Most alternatives to one move after the first.
const MOST_OTHERS: usize = 4;
/// Where so many moves reach the goal and nothing can be captured, a line without a composer is over.
const PLENTY: usize = 3;
/// How deep replies to replies are followed where a search is not enough.
const MOST_LEVELS: usize = 3;

/// A line with what was found on it.
#[derive(Default)]
struct Branch {
    /// The moves from where it begins.
    moves: Vec<Move>,
    /// Moves of the side that solves: place among the moves, and what a search says, unless it was the only one.
    choices: Vec<(usize, Option<Status>)>,
    /// Replies beside the line: place among the moves.
    replies: Vec<(usize, Vec<Move>)>,
    alternatives: Vec<Alternative>,
    end: Option<Judged>,
}

/// A branch with the replies beside it.
struct Explored {
    branch: Branch,
    defences: Vec<Defence>,
    /// Alternatives to the answers to them.
    beside: Vec<Alternative>,
    status: Status,
    refuted_at: Option<usize>,
    is_complete: bool,
}

/// Solves.
pub(super) fn solve(judge: &mut Judge) -> Result<Solution, Stopped> {
    let hint = judge.problem.intended.clone();
    let start = Game::new(judge.problem.start);
    let explored = explore(judge, &start, &hint, 0)?;
    let verdict = verdict(&explored);
    let refutation = match verdict {
        Verdict::Refuted => refutation(judge, &start, &explored)?,
        _ => None,
    };
    let end = explored.branch.end;
    let end = end.unwrap_or_else(|| unreachable!("every line that was followed has one"));
    let mut alternatives = explored.branch.alternatives;
    alternatives.extend(explored.beside);
    Ok(Solution {
        verdict,
        problem: judge.problem.clone(),
        main_line: explored.branch.moves,
        score: end.score,
        is_proven: end.is_proven,
        defences: explored.defences,
        alternatives,
        refuted_at: explored.refuted_at,
        refutation,
        is_complete: explored.is_complete,
        nodes: judge.nodes,
    })
}

/// The defence against the move that fails, or against everything where the other side begins; else the best try, where
/// no move reaches the goal. The line that follows comes with it.
fn refutation(
    judge: &mut Judge,
    start: &Game,
    explored: &Explored,
) -> Result<Option<Defence>, Stopped> {
    let moves = &explored.branch.moves;
    let begins = judge.solves(start.position());
    let ply = explored.refuted_at.or((!begins).then_some(0));
    let (path, rest) = moves.split_at(ply.unwrap_or(moves.len()));
    let refutes = |defence: &&Defence| defence.path == path && defence.status == Status::Missed;
    let mut line = match explored.defences.iter().find(refutes) {
        Some(defence) => defence.line.clone(),
        // The main line has it.
        None if ply == Some(0) => rest.to_vec(),
        None => Vec::new(),
    };
    // A move and the answer to it; a search may know its first move alone.
    while line.len() < 2 {
        let mut game = start.clone();
        path.iter().chain(&line).for_each(|&mv| game.play(mv));
        let next = judge.position(&game, &[])?.line;
        if next.is_empty() {
            break;
        }
        line.extend(next);
    }
    Ok((!line.is_empty()).then(|| Defence {
        ply: path.len() + 1,
        path: path.to_vec(),
        line,
        status: Status::Missed,
    }))
}

fn verdict(explored: &Explored) -> Verdict {
    let end = explored.branch.end.as_ref().map(|end| end.status);
    let unclear = |defence: &Defence| defence.status == Status::Unclear;
    let flawed = |status, first| {
        let flaws = explored.branch.alternatives.iter();
        let mut flaws = flaws.filter(|other| !other.is_accepted());
        flaws.any(|other| other.status == status && other.is_first == first)
    };
    if explored.refuted_at.is_some() || explored.status == Status::Missed {
        Verdict::Refuted
    } else if flawed(Status::Reached, true) {
        Verdict::Cook
    } else if explored.status != Status::Reached
        || end != Some(Status::Reached)
        || explored.defences.iter().any(unclear)
        || flawed(Status::Unclear, true)
        || flawed(Status::Unclear, false)
    {
        Verdict::Unsolved
    } else if flawed(Status::Reached, false) {
        Verdict::Dual
    } else {
        Verdict::Sound
    }
}

/// Follows a line and, where they matter, the replies beside it.
fn explore(
    judge: &mut Judge,
    game: &Game,
    hint: &[Move],
    level: usize,
) -> Result<Explored, Stopped> {
    let branch = follow(judge, game, hint, level == 0)?;
    let by_search = branch.choices.first().and_then(|(_, status)| *status);
    let wanted = level == 0 || level < MOST_LEVELS && by_search != Some(Status::Reached);
    let mut explored = Explored {
        status: Status::Unclear,
        branch,
        defences: Vec::new(),
        beside: Vec::new(),
        refuted_at: None,
        is_complete: true,
    };
    let mut worst = Vec::new();
    if wanted {
        for (place, replies) in explored.branch.replies.clone() {
            let mut before = game.clone();
            let moves = explored.branch.moves[..place].iter();
            moves.for_each(|&mv| before.play(mv));
            let mut least = Status::Reached;
            for reply in replies {
                if judge.searches >= MOST_SEARCHES {
                    explored.is_complete = false;
                    break;
                }
                let mut after = before.clone();
                after.play(reply);
                let answer = explore(judge, &after, &[], level + 1)?;
                least = least.min(answer.status);
                explored.is_complete &= answer.is_complete;
                let mut line = vec![reply];
                line.extend(answer.branch.moves);
                explored.beside.extend(answer.branch.alternatives);
                explored.defences.push(Defence {
                    ply: after.moves().len(),
                    path: before.moves().to_vec(),
                    line,
                    status: answer.status,
                });
            }
            worst.push((place, least));
        }
    }
    settle(&mut explored, &worst, game.moves().len());
    Ok(explored)
}

/// Decides from the end of a line to its beginning whether it reaches the goal. `worst`: the best reply at each place;
/// `plies`: those before the line.
fn settle(explored: &mut Explored, worst: &[(usize, Status)], plies: usize) {
    let branch = &explored.branch;
    let end = branch.end.as_ref();
    let mut status = end.map_or(Status::Unclear, |end| end.status);
    let mut refuted_at = None;
    for place in (0..branch.moves.len()).rev() {
        if let Some(&(_, least)) = worst.iter().find(|(at, _)| *at == place) {
            status = status.min(least);
        }
        let Some(&(_, by_search)) = branch.choices.iter().find(|(at, _)| *at == place) else {
            continue;
        };
        let reply = worst.iter().find(|(at, _)| *at == place + 1);
        let is_refuted = reply.is_some_and(|(_, least)| *least == Status::Missed);
        if !is_refuted && by_search == Some(Status::Reached) {
            status = Status::Reached;
        }
        if status == Status::Missed {
            refuted_at = Some(plies + place + 1);
        }
    }
    (explored.status, explored.refuted_at) = (status, refuted_at);
}

/// Whether the side that solves has moved.
fn has_begun(judge: &Judge, game: &Game) -> bool {
    let first = usize::from(!judge.solves(game.start()));
    game.moves().len() > first
}

/// Follows one line: the composer's, or the best moves of both sides.
fn follow(judge: &mut Judge, game: &Game, hint: &[Move], is_main: bool) -> Result<Branch, Stopped> {
    let mut game = game.clone();
    let mut branch = Branch::default();
    while game.status() == GameStatus::Playing && game.moves().len() < MOST_PLIES {
        let place = branch.moves.len();
        let hinted = hint.get(place).copied();
        if place > 0 && hinted.is_none() && !hint.is_empty() {
            break;
        }
        let mine = judge.solves(game.position());
        if mine && has_begun(judge, &game) && judge.is_plain(&game) {
            // What the composer still gives needs no check.
            for &mv in hint.get(place..).unwrap_or_default() {
                game.play(mv);
                branch.moves.push(mv);
            }
            break;
        }
        let next = match mine {
            true => choose(judge, &game, hinted, is_main, &mut branch)?,
            false => reply(judge, &game, hinted, &mut branch)?,
        };
        let Some(mv) = next else {
            break;
        };
        game.play(mv);
        branch.moves.push(mv);
    }
    let last = branch.choices.last().map(|&(place, _)| place);
    let begin = game.moves().len() - branch.moves.len();
    for alternative in &mut branch.alternatives {
        alternative.is_last = !alternative.is_first && last == Some(alternative.ply - 1 - begin);
    }
    branch
        .alternatives
        .retain(|other| is_main || !other.is_last);
    branch.end = Some(judge.position(&game, &[])?);
    Ok(branch)
}

/// The move of the side that solves; none where no move reaches the goal, or so many do that the solution is over.
fn choose(
    judge: &mut Judge,
    game: &Game,
    hinted: Option<Move>,
    is_main: bool,
    branch: &mut Branch,
) -> Result<Option<Move>, Stopped> {
    let place = branch.moves.len();
    let position = game.position();
    let legal = position.legal_moves();
    if let [only] = legal[..] {
        branch.choices.push((place, None));
        return Ok(Some(only));
    }
    let known: Vec<Move> = hinted.into_iter().collect();
    let is_first = !has_begun(judge, game);
    // Beside the main line the first answer must be the only one, if any.
    let most = match is_main || place == 0 {
        _ if is_first => legal.len(),
        true => MOST_OTHERS,
        false => 1,
    };
    let mut good = judge.others(game, &known, most)?;
    let chosen = match hinted {
        Some(mv) => judge.move_of(game, mv)?,
        None if good.is_empty() => return Ok(None),
        None => good.remove(0),
    };
    let is_quiet = !position.must_capture() && !position.can_capture(!position.turn());
    let reached = good.iter().filter(|other| other.status == Status::Reached);
    let is_over = !is_first && is_quiet && reached.count() + 1 >= PLENTY;
    // Nothing is gained by following moves of the engine that are not clear, or plenty of them.
    if hinted.is_none() && (is_over || chosen.status != Status::Reached) {
        return Ok(None);
    }
    branch.choices.push((place, Some(chosen.status)));
    for other in good {
        branch.alternatives.push(Alternative {
            ply: game.moves().len() + 1,
            path: game.moves().to_vec(),
            line: other.line,
            status: other.status,
            score: other.score,
            is_first,
            is_last: false,
            in_main_line: is_main,
        });
    }
    Ok(chosen.line.first().copied())
}

/// The reply of the other side in the line; the rest of them is kept for later.
fn reply(
    judge: &mut Judge,
    game: &Game,
    hinted: Option<Move>,
    branch: &mut Branch,
) -> Result<Option<Move>, Stopped> {
    let legal = game.position().legal_moves();
    let mv = match (hinted, &legal[..]) {
        (Some(mv), _) => mv,
        (None, &[only]) => only,
        (None, _) => {
            let judged = judge.position(game, &[])?;
            judged.line.first().copied().unwrap_or(legal[0])
        }
    };
    let others: Vec<Move> = legal.into_iter().filter(|other| *other != mv).collect();
    if !others.is_empty() {
        branch.replies.push((branch.moves.len(), others));
    }
    Ok(Some(mv))
}
