//! The way from a damaged game to the next one, step by step where the input comes in pieces.

use crate::notation::pdn::events::{Event, Events};

/// Where in the moves of a damaged game a reader is.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::notation::pdn) struct Skip {
    /// Variations around it.
    depth: usize,
    /// Whether it is in a comment in braces.
    in_comment: bool,
}

impl Skip {
    /// Goes on to the beginning of the next game: behind the result that ends this one, or to a line that begins with a
    /// tag. False: it is not found before `until`, or before the end; the events are then there or a little behind.
    pub fn go(&mut self, events: &mut Events<'_>, until: usize) -> bool {
        loop {
            if self.in_comment {
                if !events.seek("}", until) {
                    // A line that begins with a tag, or no more to see.
                    return events.at < until;
                }
                events.at += 1;
                self.in_comment = false;
            }
            events.skip_blanks();
            if events.at >= until {
                return false;
            }
            if events.rest().starts_with('{') {
                events.at += 1;
                self.in_comment = true;
                continue;
            }
            let before = *events;
            match events.next() {
                None => return false,
                Some((place, Event::Tag { .. })) if events.begins_line(place.start) => {
                    *events = before;
                    return true;
                }
                Some((_, Event::Open)) => self.depth += 1,
                Some((_, Event::Close)) => self.depth = self.depth.saturating_sub(1),
                Some((_, Event::Result(_))) if self.depth == 0 => return true,
                _ => {}
            }
        }
    }
}
