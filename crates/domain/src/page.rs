//! Paging over a list that is sorted newest first, or by id. Source: RW-271 to RW-278.

use jiff::Timestamp;

/// A position in a list: the sort key and the id that breaks ties.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The sort key; lists that are sorted by id alone use the Unix epoch.
    pub at: Timestamp,
    /// The record's id.
    pub id: String,
}

/// The direction of a page from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The records after the position, in list order.
    Next,
    /// The records before the position, in list order as well.
    Prev,
}

/// The requested part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListWindow {
    /// The position from which to continue; absent for the start.
    pub from: Option<(Direction, Position)>,
    /// The sequence number of the list when the first page was read; newer records are omitted. Absent for the first page.
    pub as_of: Option<i64>,
    /// The largest number of records.
    pub size: usize,
}

impl ListWindow {
    /// The first page.
    pub const fn first_page(size: usize) -> Self {
        Self { from: None, as_of: None, size }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The records, in list order.
    pub items: Vec<T>,
    /// The position of the first record, if there are records before it.
    pub prev: Option<Position>,
    /// The position of the last record, if there are records after it.
    pub next: Option<Position>,
    /// The sequence number of the list when the first page was read.
    pub as_of: i64,
}

impl<T> Page<T> {
    /// A page that contains the whole list.
    pub const fn single_page(items: Vec<T>) -> Self {
        Self { items, prev: None, next: None, as_of: 0 }
    }

    /// Whether this page is the whole list.
    pub const fn is_single_page(&self) -> bool {
        self.prev.is_none() && self.next.is_none()
    }

    /// The same page with its items converted.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(change).collect(),
            prev: self.prev,
            next: self.next,
            as_of: self.as_of,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_271_a_page_is_the_whole_list_if_nothing_lies_before_or_after_it() {
        assert_eq!(ListWindow::first_page(7), ListWindow { from: None, as_of: None, size: 7 });
        let position = || Some(Position { at: Timestamp::UNIX_EPOCH, id: "r".into() });
        for (prev, next) in [(None, None), (position(), None), (None, position()), (position(), position())] {
            let page = Page { prev, next, as_of: 3, ..Page::single_page(vec![1, 2]) };
            assert_eq!(page.is_single_page(), page.prev.is_none() && page.next.is_none());
            let expected = Page { items: vec![2, 4], prev: page.prev.clone(), next: page.next.clone(), as_of: 3 };
            assert_eq!(page.map(|item| item * 2), expected);
        }
    }
}
