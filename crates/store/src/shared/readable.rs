//! Rows of work that is due: one that cannot be read must not keep those behind it from being found.

use lombard_ports::store::StoreError;

/// The first rows that can be read, at most so many. `find` gives so many of the first rows; one that cannot be decoded is
/// left out, and the operator is told each time somebody looks. `decode` is asked in their order and may leave a row out
/// itself, without a word.
///
/// # Errors
/// What `find` fails with.
pub(crate) fn readable<F, T>(
    limit: u32,
    mut find: impl FnMut(i64) -> Result<Vec<F>, StoreError>,
    mut decode: impl FnMut(F) -> Result<Option<T>, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let (wanted, mut asked) = (usize::try_from(limit).unwrap_or(usize::MAX), i64::from(limit));
    loop {
        let found = find(asked)?;
        let count = found.len();
        let is_all = i64::try_from(count).unwrap_or(i64::MAX) < asked;
        let (mut rows, mut unreadable) = (Vec::with_capacity(count), Vec::new());
        for row in found {
            match decode(row) {
                Ok(row) => rows.extend(row),
                Err(error) => unreadable.push(error),
            }
        }
        if rows.len() >= wanted || is_all || rows.len() == count {
            unreadable.iter().for_each(tell);
            rows.truncate(wanted);
            return Ok(rows);
        }
        asked = asked.saturating_mul(2);
    }
}

fn tell(error: &StoreError) {
    let id = match error {
        StoreError::Corrupt { id, .. } => id.as_str(),
        StoreError::Contended | StoreError::Unavailable(_) | StoreError::Duplicate(_) => "",
    };
    tracing::error!(
        error = error as &dyn std::error::Error,
        row.id = id,
        "something due cannot be read and is left alone"
    );
    metrics::counter!("lombard_due_unreadable_total").increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(rows: &[u32], limit: u32) -> (Vec<u32>, usize) {
        let mut asked = 0;
        let find = |count: i64| {
            asked += 1;
            Ok(rows.iter().take(usize::try_from(count).unwrap()).copied().collect())
        };
        let decode = |row: u32| {
            let corrupt = StoreError::Corrupt { table: "t", id: row.to_string(), source: "odd".into() };
            if row.is_multiple_of(2) { Ok(Some(row).filter(|it| *it < 100)) } else { Err(corrupt) }
        };
        (readable(limit, find, decode).unwrap(), asked)
    }

    #[test]
    fn what_cannot_be_read_hides_nothing_behind_it() {
        assert_eq!(first(&[2, 4, 6], 2), (vec![2, 4], 1), "nothing is odd: one question");
        assert_eq!(first(&[2, 1, 4], 1), (vec![2], 1));
        assert_eq!(first(&[1, 3, 5, 2, 4], 1), (vec![2], 3));
        assert_eq!(first(&[1, 2, 3, 4, 6], 2), (vec![2, 4], 2));
        assert_eq!(first(&[1, 3, 5], 2), (vec![], 2));
        assert_eq!(first(&[], 2), (vec![], 1));
        assert_eq!(first(&[100, 2, 4], 1), (vec![2], 2), "nor does what is left out");
    }
}
