//! Cutting one page out of several sorted lists. Pure.

use lombard_domain::page::{Direction, Position};
use std::cmp::Reverse;

/// A page cut out of a list, with the positions its neighbours are found by.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut<T> {
    pub(super) kept: Vec<T>,
    pub(super) prev: Option<Position>,
    pub(super) next: Option<Position>,
}

/// Merges lists that each hold, nearest first, up to one record more than the page, and cuts the page off.
///
/// `direction` is the way the page lies from the position it was asked from; `None` for the first page. The record at
/// that position exists, so there is always a neighbour on the side the reader came from.
pub(super) fn merge<T>(
    lists: Vec<Vec<T>>,
    direction: Option<Direction>,
    size: usize,
    position: impl Fn(&T) -> Position,
) -> Cut<T> {
    let mut all: Vec<T> = lists.into_iter().flatten().collect();
    all.sort_by_cached_key(|item| Reverse(position(item)));
    let more = all.len() > size;
    let (before, after) = match direction {
        None => (false, more),
        Some(Direction::Next) => (true, more),
        Some(Direction::Prev) => (more, true),
    };
    if direction == Some(Direction::Prev) {
        // The nearest records are the last ones.
        all.drain(..all.len().saturating_sub(size));
    } else {
        all.truncate(size);
    }
    Cut {
        prev: all.first().filter(|_| before).map(&position),
        next: all.last().filter(|_| after).map(&position),
        kept: all,
    }
}
