//! The report of a match as JSON.

use super::columns::COLUMNS;
use crate::plan::MatchPlan;
use crate::run::{BrokenEngine, MatchEnd, MatchResult};
use crate::standings::statistics::{Hypothesis, Interval, Sprt, Tally};
use crate::standings::{DetectionCounts, DetectionStats, FaultNote};
use damier_rules::notation::fen;
use serde_json::{Map, Value, json};

/// The report as an object. Times are in seconds. Elo is null if there is no game. If all games were won or lost it is
/// the text `Infinity` or `-Infinity`; so is the end of an interval that is unbounded.
pub fn object(plan: &MatchPlan, result: &MatchResult) -> Value {
    let standings = &result.standings;
    let name = |engine: usize| plan.engines[engine].name.as_str();
    let pairings: Vec<Value> = plan
        .schedule
        .pairings()
        .iter()
        .map(|&(first, second)| {
            let mut object = results(standings.against((first, second)));
            object.insert("first".to_owned(), name(first).into());
            object.insert("second".to_owned(), name(second).into());
            Value::Object(object)
        })
        .collect();
    let openings: Vec<Value> = plan
        .schedule
        .openings()
        .iter()
        .zip(&standings.openings)
        .filter(|(_, stats)| stats.white().iter().sum::<u64>() > 0)
        .map(|(opening, stats)| {
            json!({"name": opening.name, "white": stats.white(), "first": stats.first()})
        })
        .collect();
    json!({
        "games": standings.games,
        "games_planned": plan.games(),
        "games_played_now": result.played_now,
        "games_repeat": plan.repeats_games(),
        "seconds": result.elapsed.as_secs_f64(),
        "end": match &result.end {
            MatchEnd::Complete => "complete",
            MatchEnd::Sprt(_) => "sprt",
            MatchEnd::Interrupted => "interrupted",
            MatchEnd::Broken(_) => "broken",
        },
        "broken": match &result.end {
            MatchEnd::Broken(BrokenEngine { name, fault, lines }) => {
                json!({"engine": name, "what": fault.to_string(), "lines": lines})
            }
            _ => Value::Null,
        },
        "sprt": sprt(plan, result),
        "pairings": pairings,
        "engines": (0..plan.engines.len()).map(|i| engine(plan, result, i)).collect::<Vec<_>>(),
        "endings": standings.endings,
        "openings": openings,
        "faults": standings.faults.iter().map(|note| fault(plan, note)).collect::<Vec<_>>(),
        "more_faults": standings.more_faults,
        "warnings": result.warnings,
        "settings": plan.settings,
    })
}

/// The results of one side, with the same keys for a pairing and for an engine against all others.
fn results(tally: &Tally) -> Map<String, Value> {
    let [wins, draws, losses] = tally.wdl();
    let some = wins + draws + losses > 0;
    let number = |value: f64| if some { json!(value) } else { Value::Null };
    let interval = |interval: Option<Interval>| {
        interval.map(|i| json!({"low": elo(i.low), "value": elo(i.value), "high": elo(i.high)}))
    };
    let object = json!({
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pairs": tally.pentanomial(),
        "score": number(tally.score()),
        "elo": interval(tally.elo()),
        "normalised_elo": interval(tally.normalised_elo()),
        "los": number(tally.los()),
        "draw_rate": number(tally.draw_rate()),
        "decisive_pair_rate": number(tally.decisive_pair_rate()),
    });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// An Elo difference. JSON has no infinity, so that is written as a text that Python's `float` and JavaScript's
/// `Number` parse.
fn elo(value: f64) -> Value {
    match value {
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        value => value.into(),
    }
}

fn sprt(plan: &MatchPlan, result: &MatchResult) -> Value {
    let Some(bounds) = plan.sprt else {
        return Value::Null;
    };
    let now: Sprt = match &result.end {
        MatchEnd::Sprt(sprt) => *sprt,
        _ => {
            let pairing = plan.schedule.pairings()[0];
            result.standings.against(pairing).sprt(bounds)
        }
    };
    json!({
        "elo0": bounds.elo0,
        "elo1": bounds.elo1,
        "unit": bounds.unit.name(),
        "llr": now.llr,
        "lower": now.lower,
        "upper": now.upper,
        "accepted": now.verdict.map(|hypothesis| match hypothesis {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        }),
    })
}

fn engine(plan: &MatchPlan, result: &MatchResult, index: usize) -> Value {
    let stats = &result.standings.engines[index];
    let faults: Map<String, Value> = stats
        .faults
        .iter()
        .map(|(kind, &count)| (kind.name().to_owned(), count.into()))
        .collect();
    let mut object = results(&result.standings.table.total(index));
    for (name, value) in COLUMNS.iter().flat_map(|column| column.fields) {
        object.insert((*name).to_owned(), value(stats));
    }
    let more = json!({
        "name": plan.engines[index].name,
        "level": plan.levels[index].to_string(),
        "restarts": result.restarts[index],
        "faults": faults,
        "detections": stats.detections.any().then(|| detections(&stats.detections)),
    });
    if let Value::Object(more) = more {
        object.extend(more);
    }
    Value::Object(object)
}

/// The search inconsistencies that an engine reported.
fn detections(stats: &DetectionStats) -> Value {
    let counts = |counts: &DetectionCounts| {
        let mut object = Map::new();
        object.insert("searches".to_owned(), counts.searches.into());
        object.insert("detections".to_owned(), counts.detections.into());
        object.insert("decisive".to_owned(), counts.decisive.into());
        object
    };
    let phases = DetectionStats::PIECES.iter().zip(&stats.by_pieces);
    let phases = phases.map(|(most, part)| {
        let mut object = counts(part);
        object.insert("pieces".to_owned(), (*most).into());
        Value::Object(object)
    });
    let bounds = DetectionStats::SCORES.iter().copied().map(Some);
    let classes = bounds.chain([None]).zip(&stats.by_score);
    let classes = classes.map(|(below, part)| {
        let mut object = counts(part);
        object.insert("below".to_owned(), below.into());
        Value::Object(object)
    });
    let mut object = counts(&stats.all);
    object.insert("games".to_owned(), stats.games.to_vec().into());
    object.insert(
        "decisive_games".to_owned(),
        stats.decisive_games.to_vec().into(),
    );
    object.insert("by_pieces".to_owned(), phases.collect());
    object.insert("by_score".to_owned(), classes.collect());
    Value::Object(object)
}

fn fault(plan: &MatchPlan, note: &FaultNote) -> Value {
    json!({
        "game": note.game.number(),
        "engine": plan.engines[note.engine].name,
        "opponent": plan.engines[note.opponent].name,
        "kind": note.fault.kind.name(),
        "what": note.fault.what,
        "opening": note.opening,
        "plies": note.plies,
        "fen": fen::format(&note.fault.position),
        "lines": note.fault.lines,
    })
}
