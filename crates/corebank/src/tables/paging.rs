//! Cuts one page out of several sorted lists, without access to storage.

use lombard_domain::page::{Direction, Position};
use std::cmp::Ordering;

/// A record that has a position in a list.
pub(crate) trait ListPosition {
    /// Compares two records by their order in the list.
    fn order(&self, other: &Self) -> Ordering;

    /// The position from which the neighbouring records are found.
    fn position(&self) -> Position;
}

/// One page of a list, with the positions from which its neighbouring pages are read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CutPage<T> {
    /// The records of the page, in the list's order.
    pub(crate) kept: Vec<T>,
    /// The position from which the previous page is read, if there is one.
    pub(crate) prev: Option<Position>,
    /// The position from which the next page is read, if there is one.
    pub(crate) next: Option<Position>,
}

/// Merges lists that each hold up to one record more than the page, nearest first, and returns the page.
///
/// `direction` tells on which side of the requested position the page lies; it is `None` for the first page. The record at that
/// position exists, so the page always has a neighbouring page on that side.
pub(crate) fn merge<T: ListPosition>(lists: Vec<Vec<T>>, direction: Option<Direction>, size: usize) -> CutPage<T> {
    let mut all: Vec<T> = lists.into_iter().flatten().collect();
    all.sort_by(T::order);
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
    CutPage {
        prev: all.first().filter(|_| before).map(T::position),
        next: all.last().filter(|_| after).map(T::position),
        kept: all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    impl ListPosition for (i64, &str) {
        fn order(&self, other: &Self) -> Ordering {
            other.cmp(self)
        }

        fn position(&self) -> Position {
            Position { at: Timestamp::from_second(self.0).unwrap(), id: self.1.to_owned() }
        }
    }

    fn at(second: i64, id: &str) -> Option<Position> {
        Some((second, id).position())
    }

    #[test]
    fn a_page_knows_its_neighbours() {
        let lists = || vec![vec![(9, "a"), (5, "a")], vec![(9, "b"), (1, "b")]];
        let first = merge(lists(), None, 3);
        assert_eq!(first.kept, [(9, "b"), (9, "a"), (5, "a")]);
        assert_eq!((first.prev, first.next), (None, at(5, "a")));
        assert_eq!((merge(lists(), None, 4).prev, merge(lists(), None, 4).next), (None, None), "it fits exactly");
        let next = merge(lists(), Some(Direction::Next), 4);
        assert_eq!((next.prev, next.next), (at(9, "b"), None), "the reader came from before");
    }

    #[test]
    fn a_page_before_is_the_nearest_part() {
        let lists = || vec![vec![(1, "x"), (4, "x")], vec![(2, "y"), (9, "y")]];
        let prev = merge(lists(), Some(Direction::Prev), 2);
        assert_eq!(prev.kept, [(2, "y"), (1, "x")]);
        assert_eq!((prev.prev, prev.next), (at(2, "y"), at(1, "x")));
        let all = merge(lists(), Some(Direction::Prev), 4);
        assert_eq!((all.prev, all.next), (None, at(1, "x")));
    }
}
