//! Cuts pages of a list that is completely in memory. Source: RW-271 to RW-278.

use lombard_domain::page::{Direction, ListWindow, Page, Position};

/// The window's part of a list that is sorted by `position`. The position is computed only at the ends of the page.
pub(super) fn page<T>(items: Vec<T>, window: &ListWindow, position: impl Fn(&T) -> Position) -> Page<T> {
    if window.from.is_none() && items.len() <= window.size {
        return Page::single_page(items);
    }
    let positions: Vec<_> = items.iter().map(position).collect();
    let (start, end) = match &window.from {
        None => (0, window.size),
        Some((Direction::Next, from)) => {
            let start = positions.partition_point(|position| position <= from);
            (start, start.saturating_add(window.size))
        }
        Some((Direction::Prev, from)) => {
            let end = positions.partition_point(|position| position < from);
            (end.saturating_sub(window.size), end)
        }
    };
    let end = end.min(items.len());
    let at = |wanted: bool, index: usize| positions.get(index).filter(|_| wanted && start < end).cloned();
    let prev = at(start > 0, start);
    let next = at(end < items.len(), end.saturating_sub(1));
    let items = items.into_iter().skip(start).take(end.saturating_sub(start)).collect();
    Page { items, prev, next, as_of: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use proptest::prelude::*;

    fn position(id: u32) -> Position {
        Position { at: Timestamp::UNIX_EPOCH, id: format!("{id:04}") }
    }

    proptest! {
        #[test]
        fn rw_276_walking_forth_and_back_meets_every_record_once(count in 0_u32..40, size in 1_usize..12) {
            let all: Vec<u32> = (0..count).collect();
            let get = |window: &ListWindow| page(all.clone(), window, |id| position(*id));
            let mut window = ListWindow::first_page(size);
            let (mut forth, mut pages) = (Vec::new(), Vec::new());
            loop {
                let page = get(&window);
                prop_assert!(page.items.len() <= size);
                prop_assert_eq!(page.prev.is_none(), pages.is_empty(), "RW-272");
                forth.extend(page.items.clone());
                window.from = page.next.clone().map(|next| (Direction::Next, next));
                pages.push(page);
                if window.from.is_none() { break; }
            }
            prop_assert_eq!(&forth, &all);
            while let Some(page) = pages.pop() {
                let Some(prev) = page.prev else { break };
                window.from = Some((Direction::Prev, prev));
                prop_assert_eq!(&get(&window).items, &pages.last().unwrap().items);
            }
        }
    }
}
