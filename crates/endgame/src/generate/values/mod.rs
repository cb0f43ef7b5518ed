//! Builds slices of values only (win, draw, loss), of which the largest do not fit into memory: section by section
//! ([`men`], [`kings`], [`solver`]), each after those that its men lead to. The sections of a level are divided into
//! [`parts`], each a file, so that a build goes on where it was stopped, and several processes that share the folder
//! build a slice together.

mod bits;
mod kings;
mod men;
mod parts;
mod solver;

use super::BuildError;
use super::make::packed;
use super::plan::pair;
use super::workers::{PASSES, PAUSE, Workers, on_this_cpu};
use crate::Slice;
use crate::index::{Layout, Order, rank};
use crate::pack::{Kind, UNREAD};
use crate::store::{self, TableHeader};
use crate::verdict::{Source, Value};
use bits::bit;
use damier_cpu::{Cpu, OnCpu};
use damier_rules::board::Bitboard;
use damier_rules::internal::retro;
use kings::Kings;
use men::Sections;
use parts::{Part, Parts};
use rayon::prelude::*;
use solver::{KEPT, Solver, Step};
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// A slice and its opposite. White is the side to move of the slice.
struct Values {
    sections: Sections,
    kings: Kings,
    parts: Parts,
}

/// Bytes that threads take to solve sections.
pub(crate) fn memory(slice: Slice, threads: u64) -> u64 {
    let [_, _, own, other] = Layout::new(slice).sizes;
    let both = [(own, other, slice.kings), (other, own, slice.enemy_kings)];
    // For each thread seven tables with rows of whole words; the kings' moves, and which sets leave each path free.
    let bytes = both.map(|(rows, columns, kings)| {
        let words = columns.div_ceil(64);
        8 * (7 * threads * rows * words + rows * 13 * u64::from(kings) + 640 * words)
    });
    bytes.iter().sum()
}

/// Builds and checks a slice and its opposite, and writes them into a folder. Other processes may do the same at the
/// same time: each part is done by one of them. Returns when the slices are there, whoever wrote them.
pub(crate) fn build(
    dir: &Path,
    slice: Slice,
    source: &impl Source,
    workers: &Workers,
) -> Result<(), BuildError> {
    let (sections, kings) = (Sections::new(slice), Kings::new(slice));
    let parts = Parts::new(dir, slice, &sections, &kings);
    let mut values = Values {
        sections,
        kings,
        parts,
    };
    let is_there = |slice: Slice| store::path(dir, slice).is_file();
    let result = values.solve(dir, source, workers).and_then(|()| {
        let mut open: Vec<(usize, Slice)> = pair(slice).enumerate().collect();
        loop {
            open.retain(|&(_, slice)| !is_there(slice));
            if open.is_empty() {
                return Ok(());
            }
            let mut is_idle = true;
            for &(half, slice) in &open {
                is_idle &= !values.write(dir, half, slice, workers)?;
            }
            if is_idle {
                thread::sleep(PAUSE);
            }
        }
    });
    match pair(slice).all(is_there) {
        // Another process may have finished the slices and removed the parts.
        true => {
            values.parts.remove();
            Ok(())
        }
        false => result,
    }
}

impl Values {
    /// Solves the parts that are not there yet.
    fn solve(
        &mut self,
        dir: &Path,
        source: &impl Source,
        workers: &Workers,
    ) -> Result<(), BuildError> {
        let mut open: Vec<Part> = self.parts.all().collect();
        let slice = self.parts.slice;
        while let Some(&Part { level, .. }) = open.first() {
            if pair(slice).all(|slice| store::path(dir, slice).is_file()) {
                return Ok(());
            }
            let mut is_idle = true;
            for part in open
                .clone()
                .into_iter()
                .take_while(|part| part.level == level)
            {
                if !self.parts.is_done(part) {
                    let Some(claim) = self.parts.claim(part)? else {
                        continue;
                    };
                    let mut bytes = self.parts.blank(part);
                    let work = Work {
                        values: self,
                        part,
                        source,
                        workers,
                        bytes: &mut bytes,
                    };
                    on_this_cpu(work)?;
                    self.parts.write(claim, bytes)?;
                }
                is_idle = false;
                open.retain(|&other| other != part);
                self.count(part, workers);
            }
            if open.first().is_none_or(|part| part.level > level) {
                if level > 0 {
                    self.parts.close(level - 1);
                }
                self.parts.open(level)?;
            } else if is_idle {
                thread::sleep(PAUSE);
            }
        }
        Ok(())
    }

    /// Adds the positions of a part to those done.
    fn count(&self, part: Part, workers: &Workers) {
        let section = (self.kings.rows(0) * self.kings.rows(1)) as u64;
        let times = |at| {
            let men = self.sections.men(part.level, at);
            match self.sections.is_folded && !self.sections.is_twofold(men) {
                true => 1,
                false => 2,
            }
        };
        let times: u64 = match self.sections.is_folded {
            true => self.parts.sections(part).map(times).sum(),
            false => 2 * self.parts.sections(part).len() as u64,
        };
        workers.done.fetch_add(PASSES * times * section, Relaxed);
    }

    /// The steps of the men of a side.
    fn steps(&self, side: usize, ranks: [usize; 2], men: [Bitboard; 2]) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        let mut add = |after: Bitboard| {
            let mut ranks = ranks;
            ranks[side] = rank(side, after) as usize;
            if let Some(to) = after.without(men[side]).first() {
                let values = self.values(side, ranks);
                steps.push(Step { to, values });
            }
        };
        let occupied = men[0] | men[1];
        match side {
            0 => retro::each_step(men[0], occupied, add),
            _ => retro::each_step(men[1].rotated(), occupied.rotated(), |men| {
                add(men.rotated());
            }),
        }
        steps
    }

    /// Where the tables of a side begin in a section.
    fn table(&self, side: usize, number: usize) -> usize {
        let bytes = |side| self.kings.rows(side) * self.kings.bytes(side);
        side * KEPT * bytes(0) + number * bytes(side)
    }

    /// The wins and losses of the other side in a section, by sets of kings of a side.
    fn values(&self, side: usize, men: [usize; 2]) -> [Cow<'_, [u8]>; 2] {
        [1, 2].map(|number| match self.sections.place(men) {
            Some((level, at)) => {
                let from = self.table(side, number);
                Cow::from(self.parts.bytes(level, at).get(from..).unwrap_or_default())
            }
            None => Cow::from(self.turned(side, men, number)),
        })
    }

    /// The same where the section with the sides changed is stored.
    fn turned(&self, side: usize, men: [usize; 2], number: usize) -> Vec<u8> {
        let Some((level, at)) = self.sections.place(self.sections.turned(men)) else {
            return Vec::new();
        };
        let (kings, there) = (&self.kings, 1 - side);
        let table = &self.parts.bytes(level, at)[self.table(there, number)..];
        let mut values = vec![0; kings.rows(side) * kings.bytes(side)];
        for row in 0..kings.rows(there) {
            let to = kings.turned[there][row] as usize * kings.bytes(side);
            let columns = kings.rows(side);
            let from = row * kings.bytes(there);
            for (column, &turned) in kings.turned[side].iter().enumerate().take(columns) {
                if bit(&table[from..], column) {
                    values[to + turned as usize / 8] |= 1 << (turned % 8);
                }
            }
        }
        values
    }

    /// Packs one of the two slices. Whether this process could do it: otherwise another one does.
    fn write(
        &mut self,
        dir: &Path,
        half: usize,
        slice: Slice,
        workers: &Workers,
    ) -> Result<bool, BuildError> {
        let Some(claim) = store::claim(dir, slice, Kind::Values)? else {
            return Ok(false);
        };
        for level in 0..self.sections.levels() {
            self.parts.open(level)?;
        }
        let values = &*self;
        let codes =
            |order| move |first: usize, codes: &mut [u8]| values.codes(half, order, first, codes);
        let (order, packed) = packed(slice, Kind::Values, workers, codes)?;
        let header = TableHeader {
            slice,
            kind: Kind::Values,
            order,
            counts: self.counts(half, slice),
            longest: (0, 0),
        };
        store::complete(claim, dir, &header, &packed)?;
        Ok(true)
    }

    /// Wins, draws and losses of one half over all its positions.
    fn counts(&self, half: usize, slice: Slice) -> [u64; 3] {
        let mut counts = [0; 2];
        for part in self.parts.all() {
            for at in self.parts.sections(part) {
                let men = self.sections.men(part.level, at);
                let both = self.sections.is_twofold(men);
                // The values of a side are in the tables of the other.
                let sides = (0..2).filter(|&side| both || side == 1 - half);
                let bytes = self.parts.bytes(part.level, at);
                for side in sides {
                    for (number, count) in counts.iter_mut().enumerate() {
                        let table = self.table(side, 1 + number)..self.table(side, 2 + number);
                        *count += bits::count(&bytes[table]);
                    }
                }
            }
        }
        let [wins, losses] = counts;
        [wins, slice.positions() - wins - losses, losses]
    }

    /// The codes of one half in slots from the given one on.
    fn codes(&self, half: usize, order: Order, first: usize, codes: &mut [u8]) {
        let kings = &self.kings;
        // By the side to move of the half: white's tables, or those of black, who then sees the board from his side.
        let (rows, columns) = (kings.rows(half), kings.rows(1 - half));
        let men = self.sections.sets[1 - half].len();
        let (mut at, section) = (0, rows * columns);
        while at < codes.len() {
            let slot = first + at;
            let (ranks, within) = (slot / section, slot % section);
            let length = (section - within).min(codes.len() - at);
            self.section_codes(
                (half, order),
                [ranks / men, ranks % men],
                within,
                &mut codes[at..at + length],
            );
            at += length;
        }
    }

    /// The same within a section. The ranks are those of the side to move and of the other.
    fn section_codes(
        &self,
        (half, order): (usize, Order),
        ranks: [usize; 2],
        first: usize,
        codes: &mut [u8],
    ) {
        let seen = match half {
            0 => ranks,
            _ => self.sections.seen_by_white(ranks),
        };
        let place = self.sections.place(seen);
        // A folded section that is not stored: black's tables of the one that is.
        let (side, place) = match place {
            Some(place) => (half, Some(place)),
            None => (1 - half, self.sections.place(self.sections.turned(seen))),
        };
        let disjoint = self.sections.sets[0][seen[0]].is_disjoint(self.sections.sets[1][seen[1]]);
        let (Some((level, at)), true) = (place, disjoint) else {
            codes.fill(UNREAD);
            return;
        };
        let bytes = self.parts.bytes(level, at);
        let kings = &self.kings;
        let quiet = &bytes[self.table(side, 0)..];
        let [won, lost] = [1, 2].map(|number| &bytes[self.table(1 - side, number)..]);
        let (across, down) = (kings.bytes(side), kings.bytes(1 - side));
        let (rows, columns) = (kings.rows(side), kings.rows(1 - side));
        let (mut row, mut column) = match order {
            Order::EnemyKings => (first / columns, first % columns),
            Order::OwnKings => (first % rows, first / rows),
        };
        for code in codes {
            let (r, c) = match side {
                0 => (row, column),
                _ => (
                    kings.turned[1][row] as usize,
                    kings.turned[0][column] as usize,
                ),
            };
            *code = if !bit(&quiet[r * across..], c) {
                UNREAD
            } else if bit(&won[c * down..], r) {
                Value::Win.code()
            } else if bit(&lost[c * down..], r) {
                Value::Loss.code()
            } else {
                Value::Draw.code()
            };
            (row, column) = match order {
                Order::EnemyKings if column + 1 < columns => (row, column + 1),
                Order::EnemyKings => (row + 1, 0),
                Order::OwnKings if row + 1 < rows => (row + 1, column),
                Order::OwnKings => (0, column + 1),
            };
        }
    }
}

/// A part to solve.
struct Work<'a, S> {
    values: &'a Values,
    part: Part,
    source: &'a S,
    workers: &'a Workers<'a>,
    bytes: &'a mut [u8],
}

impl<S: Source> OnCpu for Work<'_, S> {
    type Output = Result<(), BuildError>;

    fn on<C: Cpu>(self, cpu: C) -> Result<(), BuildError> {
        let Values {
            sections,
            kings,
            parts,
        } = self.values;
        let numbers = parts.sections(self.part);
        let all: Vec<_> = numbers.zip(parts.sections_of(self.bytes)).collect();
        let solver = || Solver::new(cpu, kings, self.source);
        let solve = |solver: &mut Solver<S, C>, (at, out): (usize, &mut [u8])| {
            let ranks = sections.men(self.part.level, at);
            let men = [0, 1].map(|side| sections.sets[side][ranks[side]]);
            if !men[0].is_disjoint(men[1]) {
                return Ok(());
            }
            let steps = [0, 1].map(|side| self.values.steps(side, ranks, men));
            let slot = (ranks[0] * sections.sets[1].len() + ranks[1]) as u64;
            let inconsistent = || BuildError::Inconsistent(parts.slice, slot);
            solver.solve(men, &steps, out)?.ok_or_else(inconsistent)
        };
        let pool = self.workers.pool;
        pool.install(|| all.into_par_iter().try_for_each_init(solver, solve))
    }
}
