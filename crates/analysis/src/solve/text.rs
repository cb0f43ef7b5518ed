//! A solution in words.

use super::{Alternative, Defence, GoalSource, Solution, Status, Verdict};
use crate::numbered;
use damier_rules::notation::fen;
use damier_rules::{Move, Position};
use std::fmt;

/// Most plies of a line beside the main one.
const SHOWN: usize = 8;

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.problem;
        let start = &problem.start;
        writeln!(f, "{}", fen::format(start))?;
        let goal = match problem.goal {
            super::Goal::Win => "wins",
            super::Goal::Draw => "draws",
        };
        let source = match problem.source {
            GoalSource::Convention => " (the convention, as nothing says otherwise)",
            _ => "",
        };
        writeln!(
            f,
            "{} to move, {} {goal}{source}",
            start.turn(),
            problem.side
        )?;
        writeln!(f, "verdict    {}{}", self.verdict, self.reason())?;
        if let Some(refutation) = &self.refutation {
            let line = Shown(start, &refutation.path, &refutation.line);
            let what = match self.is_try(refutation) {
                true => "best try",
                false => "refutation",
            };
            writeln!(f, "{what:<10} {line}")?;
        }
        if !self.main_line.is_empty() {
            writeln!(f, "main line  {}", numbered(start, &[], &self.main_line))?;
            let how = if self.is_proven {
                "proven"
            } else {
                "by search"
            };
            writeln!(f, "score      {} ({how})", self.score)?;
        }
        for defence in &self.defences {
            writeln!(
                f,
                "defence    {}",
                Shown(start, &defence.path, &defence.line)
            )?;
            match defence.status {
                Status::Reached => {}
                Status::Unclear => writeln!(f, "           not clear")?,
                Status::Missed => writeln!(f, "           refutes the solution")?,
            }
        }
        for other in &self.alternatives {
            let line = Shown(start, &other.path, &other.line);
            writeln!(f, "{:<10} {line}{}", name(other), remark(other))?;
        }
        if !self.is_complete {
            writeln!(f, "not all defences were followed to the end")?;
        }
        Ok(())
    }
}

impl Solution {
    fn reason(&self) -> String {
        if self.verdict != Verdict::Refuted {
            return String::new();
        }
        let start = &self.problem.start;
        let defence = self.refutation.as_ref();
        let defence = defence
            .filter(|defence| !self.is_try(defence))
            .map(|defence| numbered(start, &defence.path, &defence.line[..1]));
        let failing = self.refuted_at.and_then(|ply| {
            let (&mv, path) = self.main_line.get(..ply)?.split_last()?;
            Some(numbered(start, path, &[mv]))
        });
        match (failing, defence) {
            (Some(mv), Some(defence)) => {
                format!(": {mv} does not reach the goal, because of {defence}")
            }
            (Some(mv), None) => format!(": {mv} does not reach the goal"),
            (None, Some(defence)) => format!(": nothing reaches the goal against {defence}"),
            (None, None) => ": no move reaches the goal".to_owned(),
        }
    }

    /// Whether a line is a try of the side that solves.
    fn is_try(&self, refutation: &Defence) -> bool {
        let problem = &self.problem;
        let begins = problem.start.turn() == problem.side;
        begins == refutation.path.len().is_multiple_of(2)
    }
}

fn name(other: &Alternative) -> &'static str {
    match other.is_first {
        true => "cook",
        false => "dual",
    }
}

fn remark(other: &Alternative) -> &'static str {
    match (other.status, other.is_last, other.in_main_line) {
        (Status::Reached, true, _) => "  (at the last move)",
        (Status::Reached, _, false) => "  (beside the main line)",
        (Status::Reached, ..) => "",
        _ => "  (not clear)",
    }
}

/// The beginning of a line behind other moves.
struct Shown<'a>(&'a Position, &'a [Move], &'a [Move]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(start, path, line) = self;
        let shown = &line[..line.len().min(SHOWN)];
        f.write_str(&numbered(start, path, shown))?;
        match shown.len() < line.len() {
            true => f.write_str(" ..."),
            false => Ok(()),
        }
    }
}
