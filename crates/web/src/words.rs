//! What a search has found, as messages.

use super::messages::{Answer, Found, Pv, Worth};
use super::pdn;
use super::pool::{Event, Snapshot};
use damier_analysis::annotate::AnnotatedGame;
use damier_analysis::json::{Distance, short_texts, texts};
use damier_engine::eval::{Score, Wdl, WdlModel};
use damier_engine::search::Report;
use damier_rules::{Game, Position};

/// Most moves of a line that are told.
const LINE: usize = 30;

/// The message for an event of a search of this game. `meaning`: what scores mean.
pub(super) fn answer(game: &Game, event: Event, meaning: &WdlModel) -> Answer {
    match event {
        Event::Queued(ahead) => Answer::Queued { ahead },
        Event::Info(snapshot) => Answer::Info(found(game.position(), &snapshot, meaning)),
        Event::Best(best, snapshot) => Answer::Best {
            best: best.map(|mv| mv.to_string()),
            found: found(game.position(), &snapshot, meaning),
        },
        Event::Progress { done, total } => Answer::Progress { done, total },
        Event::Annotated(game) => annotated(&game),
        Event::Failed(why) => Answer::Error {
            message: format!("internal error in the search: {why}"),
        },
    }
}

fn annotated(game: &AnnotatedGame) -> Answer {
    let positions = (0..=game.moves.len()).map(|ply| {
        let known = game.evaluation(ply);
        worth(known.score, known.wdl)
    });
    let by = concat!("Damier ", env!("CARGO_PKG_VERSION"));
    Answer::Annotated {
        positions: positions.collect(),
        game: Box::new(pdn::told(game.to_pdn(by))),
    }
}

fn found(position: &Position, snapshot: &Snapshot, meaning: &WdlModel) -> Found {
    let pieces = position.occupied().len();
    let line = |line: &Report| {
        let wdl = meaning.wdl(line.score, pieces);
        pv(position, line, wdl)
    };
    Found {
        depth: snapshot.lines.first().map_or(0, |line| line.depth),
        nodes: snapshot.nodes,
        time: snapshot.time.as_secs_f64(),
        safe: snapshot.safe,
        lines: snapshot.lines.iter().map(line).collect(),
    }
}

fn pv(position: &Position, report: &Report, wdl: Wdl) -> Pv {
    let line = &report.pv[..report.pv.len().min(LINE)];
    Pv {
        worth: worth(report.score, wdl),
        depth: report.depth,
        pv: texts(line),
        text: short_texts(position, line),
    }
}

/// What a score means.
fn worth(score: Score, wdl: Wdl) -> Worth {
    Worth {
        score: score.men(),
        points: (wdl.expected() * 1e3).round() / 1e3,
        wdl: wdl.rounded(),
        distance: Distance::of(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_say_what_they_prove() {
        let model = WdlModel::default();
        let worth = |score| worth(score, model.wdl(score, 40));
        let even = worth(Score::DRAW);
        assert_eq!(
            (even.points, even.distance.win_in, even.distance.loss_in),
            (0.5, None, None)
        );
        let ahead = worth(Score::new(100));
        assert!(
            ahead.points > 0.6 && ahead.wdl[0] > ahead.wdl[2],
            "{ahead:?}"
        );
        let won = worth(Score::win_in(5));
        assert_eq!(
            (won.points, won.distance.win_in, won.distance.table_win_in),
            (1.0, Some(5), None)
        );
        let lost = worth(-Score::table_win_in(4));
        assert_eq!(
            (lost.wdl, lost.distance.table_loss_in, lost.distance.loss_in),
            ([0.0, 0.0, 1.0], Some(4), None)
        );
        assert_eq!(worth(Score::loss_in(0)).distance.loss_in, Some(0));
    }
}
