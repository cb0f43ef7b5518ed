//! The tables that a slice leads to, in memory.

use super::BuildError;
use super::initial::Missing;
use super::workers::on_this_cpu;
use crate::Slice;
use crate::pack::Kind;
use crate::store::EndgameTable;
use crate::verdict::{Source, Value, Verdict, captures, value_of_captures};
use damier_cpu::{Cpu, OnCpu};
use damier_rules::Position;
use std::sync::Arc;

/// The tables that a slice leads to, by [`Slice::id`].
pub(super) struct Children(Vec<Option<Arc<EndgameTable>>>);

impl Children {
    pub fn none() -> Children {
        Children((0..Slice::IDS).map(|_| None).collect())
    }

    pub fn add(&mut self, slice: Slice, table: Arc<EndgameTable>) {
        self.0[slice.id()] = Some(table);
    }

    /// Plays out the captures of all positions of a table once, and not whenever one of them is asked for.
    pub fn complete(&self, table: EndgameTable) -> Result<EndgameTable, BuildError> {
        Ok(on_this_cpu(Completing(table, self))?)
    }
}

impl Source for Children {
    #[inline(always)]
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        let table = self.0[slice.id()].as_ref()?;
        Some(table.verdict(position))
    }

    #[inline(always)]
    fn any(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        self.0[slice.id()].as_ref()?.any(position)
    }
}

/// A table whose captures are to be played out.
struct Completing<'a>(EndgameTable, &'a Children);

impl OnCpu for Completing<'_> {
    type Output = Result<EndgameTable, Missing>;

    fn on<C: Cpu>(self, cpu: C) -> Result<EndgameTable, Missing> {
        let Completing(mut table, children) = self;
        let kind = table.kind();
        table.complete(|position| {
            cpu.run(
                #[inline(always)]
                || {
                    if !position.must_capture() {
                        return Ok(None);
                    }
                    let code = match kind {
                        Kind::Distances => captures(children, position).and_then(Verdict::code),
                        Kind::Values => value_of_captures(cpu, children, position).map(Value::code),
                    };
                    code.map(Some).ok_or(Missing)
                },
            )
        })?;
        Ok(table)
    }
}
