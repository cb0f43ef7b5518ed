//! Lists of games that are found.

use super::{Hit, Order, Search};
use crate::{Base, BaseError, Header};
use damier_rules::notation::moves;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::ops::Range;

/// How many games are found, and some of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    /// All that are found.
    pub found: usize,
    /// Those of the part that is wanted.
    pub games: Vec<FoundGame>,
}

/// A game of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundGame {
    /// What is known of it.
    #[serde(flatten)]
    pub header: Header,
    /// Moves before the position that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Short text of the move that was played there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Games that are kept before they are sorted.
const UNSORTED: usize = 4096;

impl Base {
    /// Counts the games of a search, and lists a part of them.
    ///
    /// # Errors
    /// As [`Base::query`].
    pub fn list(&self, search: &Search, part: Range<usize>) -> Result<Found, BaseError> {
        // Sorted here: the index of days costs SQLite a look at another page for every game.
        let stored = Search {
            order: Order::Stored,
            ..search.clone()
        };
        let is_newest = search.order == Order::Newest;
        let sort = |hits: &mut Vec<Hit>| {
            hits.sort_unstable_by_key(|hit| Reverse((hit.day, hit.game)));
            hits.truncate(part.end);
        };
        let (mut found, mut hits) = (0, Vec::new());
        for hit in self.query(&stored)?.hits()? {
            let hit = hit?;
            if is_newest || part.contains(&found) {
                hits.push(hit);
            }
            found += 1;
            if is_newest && hits.len() >= part.end.saturating_mul(2).max(UNSORTED) {
                sort(&mut hits);
            }
        }
        if is_newest {
            sort(&mut hits);
            hits.drain(..part.start.min(hits.len()));
        }
        let listed = hits.iter().map(|hit| {
            let next = search.position.zip(hit.next);
            Ok(FoundGame {
                header: self.header(hit.game)?,
                ply: hit.ply,
                next: next.map(|(position, mv)| moves::short(&position, mv)),
            })
        });
        let games = listed.collect::<Result<_, _>>()?;
        Ok(Found { found, games })
    }
}
