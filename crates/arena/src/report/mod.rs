//! The report of a match as text.

mod columns;
pub mod json;

use self::columns::COLUMNS;
use crate::plan::MatchPlan;
use crate::run::{MatchEnd, MatchResult};
use crate::standings::statistics::{Hypothesis, Interval, Sprt, Tally};
use crate::standings::{FaultNote, Standings};
use damier_rules::notation::fen;
use std::io::{self, Write};

/// Writes the report; with `per_opening`, also the results of each opening.
///
/// # Errors
/// The output cannot be written.
pub fn write(
    plan: &MatchPlan,
    result: &MatchResult,
    per_opening: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let standings = &result.standings;
    let total = plan.games();
    writeln!(
        out,
        "{} of {total} games, {}",
        standings.games,
        took(result)
    )?;
    if result.journal_damaged {
        writeln!(
            out,
            "the journal was damaged; unreadable games were played again"
        )?;
    }
    for warning in &result.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    if plan.repeats_games() {
        writeln!(
            out,
            "openings repeat, and engines at fixed nodes or depth repeat their games: the intervals are too narrow \
             (use --random-plies, or more of them, for different games)"
        )?;
    }
    match *plan.schedule.pairings() {
        [pairing] => {
            let names = [pairing.0, pairing.1].map(|engine| plan.engines[engine].name.as_str());
            head_to_head(names, standings.against(pairing), out)?;
        }
        _ => cross_table(plan, standings, out)?,
    }
    match &result.end {
        MatchEnd::Complete => {}
        MatchEnd::Sprt(sprt) => sprt_ended(plan, sprt, out)?,
        MatchEnd::Interrupted => cut_short(plan, "interrupted", out)?,
        MatchEnd::Broken(broken) => {
            let why = format!("{} fails to begin a game", broken.name);
            cut_short(plan, &why, out)?;
        }
    }
    if let (Some(bounds), false) = (plan.sprt, matches!(result.end, MatchEnd::Sprt(_))) {
        let sprt = standings.against(plan.schedule.pairings()[0]).sprt(bounds);
        let hypotheses = format!("{} {} and {}", bounds.unit, bounds.elo0, bounds.elo1);
        let limits = format!("bounds {:.2} and {:.2}", sprt.lower, sprt.upper);
        writeln!(
            out,
            "SPRT: undecided between {hypotheses}, LLR {:.2}, {limits}",
            sprt.llr
        )?;
    }
    engines(plan, result, out)?;
    endings(standings, out)?;
    if per_opening {
        openings(plan, standings, out)?;
    }
    faults(plan, standings, out)
}

fn cut_short(plan: &MatchPlan, why: &str, out: &mut dyn Write) -> io::Result<()> {
    match &plan.files.journal {
        Some(_) => writeln!(out, "{why}; --resume continues from the journal"),
        None => writeln!(out, "{why}"),
    }
}

fn took(result: &MatchResult) -> String {
    let seconds = result.elapsed.as_secs_f64();
    let before = result.standings.games.saturating_sub(result.played_now);
    let resumed = match before {
        0 => String::new(),
        n => format!(", {n} from the journal"),
    };
    let rate = result.played_now as f64 / seconds.max(1e-9);
    format!("{seconds:.1} s ({rate:.2} games/s){resumed}")
}

fn head_to_head(names: [&str; 2], tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
    let [won, drawn, lost] = tally.wdl();
    let [first, second] = names;
    writeln!(out, "{first} - {second}: +{won} ={drawn} -{lost}")?;
    if won + drawn + lost == 0 {
        return Ok(());
    }
    writeln!(out, "score           {:.2} %", 100.0 * tally.score())?;
    writeln!(out, "Elo             {}", interval(tally.elo()))?;
    writeln!(out, "normalised Elo  {}", interval(tally.normalised_elo()))?;
    if tally.pairs() > 0 {
        let [none, half, one, more, both] = tally.pentanomial();
        let counts = format!("{none} {half} {one} {more} {both}");
        writeln!(
            out,
            "pairs           {counts}, with 0, 0.5, 1, 1.5 and 2 points"
        )?;
    }
    writeln!(out, "LOS             {:.1} %", 100.0 * tally.los())?;
    writeln!(out, "draws           {:.1} %", 100.0 * tally.draw_rate())?;
    writeln!(
        out,
        "decisive pairs  {:.1} %",
        100.0 * tally.decisive_pair_rate()
    )
}

/// An Elo difference: `+12.3`, or `-infinite` or `+infinite` if all games were lost or won.
fn elo(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:+.1}"),
        false => format!("{}infinite", if value < 0.0 { '-' } else { '+' }),
    }
}

fn interval(interval: Option<Interval>) -> String {
    let Some(interval) = interval else {
        return "cannot be computed from these games".to_owned();
    };
    format!(
        "{}, 95 %: {} to {}",
        elo(interval.value),
        elo(interval.low),
        elo(interval.high)
    )
}

fn sprt_ended(plan: &MatchPlan, sprt: &Sprt, out: &mut dyn Write) -> io::Result<()> {
    let Some(test) = plan.sprt else {
        return Ok(());
    };
    let (which, elo) = match sprt.verdict {
        Some(Hypothesis::H1) => ("H1", test.elo1),
        _ => ("H0", test.elo0),
    };
    writeln!(
        out,
        "SPRT: {which} accepted ({} {elo}), LLR {:.2}, bounds {:.2} and {:.2}; games in progress were dropped",
        test.unit, sprt.llr, sprt.lower, sprt.upper
    )
}

/// The results of all engines against each other, the best engine first.
fn cross_table(plan: &MatchPlan, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let table = &standings.table;
    let mut order: Vec<usize> = (0..plan.engines.len()).collect();
    let score = |engine: &usize| table.total(*engine).score();
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let width = name_width(plan);
    let ratings = table.ratings();
    write!(
        out,
        "{:3} {:width$} {:>7} {:>7} {:>11}",
        "", "engine", "games", "score", "Elo"
    )?;
    (1..=order.len()).try_for_each(|rank| write!(out, " {rank:>11}"))?;
    writeln!(out)?;
    for (rank, &engine) in order.iter().enumerate() {
        let total = table.total(engine);
        let name = &plan.engines[engine].name;
        let (rank, score) = (rank + 1, 100.0 * total.score());
        let rating = ratings.as_ref().map(|all| all[engine]);
        let rating = rating.map_or_else(
            || "-".to_owned(),
            |rating| format!("{:+.0} ± {:.0}", rating.elo, rating.error),
        );
        let games = total.games();
        write!(
            out,
            "{rank:>3} {name:width$} {games:>7} {score:>5.1} % {rating:>11}"
        )?;
        for &other in &order {
            let cell = match table.against(engine, other).wdl() {
                [0, 0, 0] => "-".to_owned(),
                [won, drawn, lost] => format!("+{won}={drawn}-{lost}"),
            };
            write!(out, " {cell:>11}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Characters of the column of names.
fn name_width(plan: &MatchPlan) -> usize {
    let names = plan.engines.iter().map(|engine| engine.name.chars());
    names.map(Iterator::count).max().unwrap_or(0).max(6)
}

fn engines(plan: &MatchPlan, result: &MatchResult, out: &mut dyn Write) -> io::Result<()> {
    let width = name_width(plan);
    write!(out, "\n{:width$} {:>16}", "engine", "level")?;
    for column in COLUMNS {
        write!(out, " {:>1$}", column.heading, column.width)?;
    }
    writeln!(out)?;
    for (index, engine) in plan.engines.iter().enumerate() {
        let level = plan.levels[index].to_string();
        write!(out, "{:width$} {level:>16}", engine.name)?;
        for column in COLUMNS {
            let text = (column.text)(&result.standings.engines[index]);
            write!(out, " {text:>0$}", column.width)?;
        }
        writeln!(out)?;
    }
    for (engine, &count) in plan.engines.iter().zip(&result.restarts) {
        if count > 0 {
            writeln!(
                out,
                "{} was restarted {count} times before it could begin a game",
                engine.name
            )?;
        }
    }
    Ok(())
}

fn endings(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    if standings.endings.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = standings
        .endings
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    writeln!(out, "\nendings: {}", words.join(", "))
}

fn openings(plan: &MatchPlan, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let head_to_head = plan.schedule.pairings().len() == 1;
    let first = &plan.engines[plan.schedule.pairings()[0].0].name;
    write!(out, "\nwhite + = -")?;
    if head_to_head {
        write!(out, ", {first} + = -")?;
    }
    writeln!(out, ", opening")?;
    for (opening, stats) in plan.schedule.openings().iter().zip(&standings.openings) {
        let [won, drawn, lost] = stats.white();
        if won + drawn + lost == 0 {
            continue;
        }
        write!(out, "{won:>4} {drawn:>4} {lost:>4}")?;
        if head_to_head {
            let [won, drawn, lost] = stats.first();
            write!(out, "  {won:>4} {drawn:>4} {lost:>4}")?;
        }
        writeln!(out, "  {}", opening.name)?;
    }
    Ok(())
}

fn faults(plan: &MatchPlan, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    for (engine, stats) in plan.engines.iter().zip(&standings.engines) {
        if !stats.faults.is_empty() {
            let words: Vec<String> = stats
                .faults
                .iter()
                .map(|(kind, count)| format!("{} {count}", kind.name()))
                .collect();
            writeln!(out, "\nfaults of {}: {}", engine.name, words.join(", "))?;
        }
    }
    for note in &standings.faults {
        fault(plan, note, out)?;
    }
    if standings.more_faults > 0 {
        writeln!(out, "\nand {} more faults", standings.more_faults)?;
    }
    Ok(())
}

fn fault(plan: &MatchPlan, note: &FaultNote, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\ngame {}: {} lost against {}: {}",
        note.game.number(),
        plan.engines[note.engine].name,
        plan.engines[note.opponent].name,
        note.fault.what
    )?;
    writeln!(
        out,
        "    opening {}, after {} plies",
        note.opening, note.plies
    )?;
    writeln!(out, "    {}", fen::format(&note.fault.position))?;
    note.fault
        .lines
        .iter()
        .try_for_each(|line| writeln!(out, "    {line}"))
}
