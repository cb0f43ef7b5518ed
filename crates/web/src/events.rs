//! Converts events of a search to messages.

use super::messages::{Answer, Evaluation, Pv, SearchInfo};
use super::pdn;
use super::pool::{Event, Snapshot};
use super::rules;
use damier_analysis::annotate::AnnotatedGame;
use damier_analysis::json::{Distance, texts};
use damier_engine::eval::{Score, Wdl, WdlModel};
use damier_engine::search::Report;
use damier_rules::{Game, Position};

/// Maximum number of moves of a line.
const MAX_LINE: usize = 30;

/// The message for an event of a search of `game`.
pub(super) fn answer(game: &Game, event: Event, model: &WdlModel) -> Answer {
    match event {
        Event::Queued(ahead) => Answer::Queued { ahead },
        Event::Info(snapshot) => Answer::Info(search_info(game.position(), &snapshot, model)),
        Event::Best(best, snapshot) => Answer::Best {
            best: best.map(|mv| mv.to_string()),
            found: search_info(game.position(), &snapshot, model),
        },
        Event::Progress { done, total } => Answer::Progress { done, total },
        Event::Annotated(game) => annotated(&game, model),
        Event::Failed(why) => Answer::Error {
            message: format!("internal error in the search: {why}"),
        },
    }
}

fn annotated(game: &AnnotatedGame, model: &WdlModel) -> Answer {
    let positions = (0..=game.moves.len()).map(|ply| {
        let known = game.evaluation(ply);
        evaluation(known.score, known.wdl)
    });
    let by = concat!("Damier ", env!("CARGO_PKG_VERSION"));
    Answer::Annotated {
        positions: positions.collect(),
        game: Box::new(pdn::to_message(game.to_pdn(by), model)),
    }
}

fn search_info(position: &Position, snapshot: &Snapshot, model: &WdlModel) -> SearchInfo {
    let pieces = position.occupied().len();
    let line = |line: &Report| {
        let wdl = model.wdl(line.score, pieces);
        pv(position, line, wdl)
    };
    SearchInfo {
        depth: snapshot.lines.first().map_or(0, |line| line.depth),
        nodes: snapshot.nodes,
        time: snapshot.time.as_secs_f64(),
        safe: snapshot.safe,
        lines: snapshot.lines.iter().map(line).collect(),
    }
}

fn pv(position: &Position, report: &Report, wdl: Wdl) -> Pv {
    let line = &report.pv[..report.pv.len().min(MAX_LINE)];
    Pv {
        evaluation: evaluation(report.score, wdl),
        depth: report.depth,
        pv: texts(line),
        text: rules::texts(position, line),
    }
}

fn evaluation(score: Score, wdl: Wdl) -> Evaluation {
    Evaluation {
        score: score.men(),
        points: wdl.expected_rounded(),
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
        let evaluation = |score| evaluation(score, model.wdl(score, 40));
        let even = evaluation(Score::DRAW);
        assert_eq!(
            (even.points, even.distance.win_in, even.distance.loss_in),
            (0.5, None, None)
        );
        let ahead = evaluation(Score::new(100));
        assert!(
            ahead.points > 0.6 && ahead.wdl[0] > ahead.wdl[2],
            "{ahead:?}"
        );
        let won = evaluation(Score::win_in(5));
        assert_eq!(
            (won.points, won.distance.win_in, won.distance.table_win_in),
            (1.0, Some(5), None)
        );
        let lost = evaluation(-Score::table_win_in(4));
        assert_eq!(
            (lost.wdl, lost.distance.table_loss_in, lost.distance.loss_in),
            ([0.0, 0.0, 1.0], Some(4), None)
        );
        assert_eq!(evaluation(Score::loss_in(0)).distance.loss_in, Some(0));
    }
}
