//! Lists that omit corrupt rows instead of failing.

use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::collections::BTreeSet;

/// The largest number of corrupt rows that are logged, each once; further corrupt rows are counted but not logged.
const TOLD_MAX: usize = 1_000;

/// The readable rows, in their order. A corrupt row is omitted; it is counted each time and logged once.
pub fn leave_out<T>(found: Vec<Result<T, StoreError>>) -> Vec<T> {
    found.into_iter().filter_map(|row| row.map_err(|error| log_unreadable(&error)).ok()).collect()
}

/// The first `limit` readable rows. `find` returns the given number of first rows, readable or not.
///
/// # Errors
/// The error of `find`.
pub fn first_readable<T>(
    limit: u32,
    mut find: impl FnMut(i64) -> Result<Vec<Result<T, StoreError>>, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let (wanted, mut asked) = (usize::try_from(limit).unwrap_or(usize::MAX), i64::from(limit));
    loop {
        let found = find(asked)?;
        let is_all = i64::try_from(found.len()).unwrap_or(i64::MAX) < asked;
        if is_all || found.iter().filter(|row| row.is_ok()).count() >= wanted {
            let mut rows = leave_out(found);
            rows.truncate(wanted);
            return Ok(rows);
        }
        asked = asked.saturating_mul(2);
    }
}

fn log_unreadable(error: &StoreError) {
    static TOLD: Mutex<BTreeSet<(&'static str, String)>> = Mutex::new(BTreeSet::new());
    metrics::counter!("lombard_rows_unreadable_total").increment(1);
    let StoreError::Corrupt { table, id, .. } = error else { return };
    let mut told = TOLD.lock();
    if told.len() < TOLD_MAX && told.insert((table, id.clone())) {
        tracing::error!(
            error = error as &dyn std::error::Error,
            row.table = table,
            row.id = id,
            "a row cannot be read and is left out"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(rows: &[u32], limit: u32) -> (Vec<u32>, usize) {
        let mut asked = 0;
        let decode = |row: &u32| {
            let corrupt = StoreError::Corrupt { table: "t", id: row.to_string(), source: "odd".into() };
            if row.is_multiple_of(2) { Ok(*row) } else { Err(corrupt) }
        };
        let find = |count: i64| {
            asked += 1;
            Ok(rows.iter().take(usize::try_from(count).unwrap()).map(decode).collect())
        };
        (first_readable(limit, find).unwrap(), asked)
    }

    #[test]
    fn what_cannot_be_read_hides_nothing_behind_it() {
        assert_eq!(first(&[2, 4, 6], 2), (vec![2, 4], 1), "nothing is odd: one question");
        assert_eq!(first(&[2, 1, 4], 1), (vec![2], 1));
        assert_eq!(first(&[1, 3, 5, 2, 4], 1), (vec![2], 3));
        assert_eq!(first(&[1, 2, 3, 4, 6], 2), (vec![2, 4], 2));
        assert_eq!(first(&[1, 3, 5], 2), (vec![], 2));
        assert_eq!(first(&[], 2), (vec![], 1));
    }
}
