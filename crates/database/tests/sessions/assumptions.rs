//! A transaction that assumes the values of rows instead of reading them commits only if the assumptions are true.

use super::{ADD_LABEL, ADD_MARK, LABELS, NOTES, ONE, all, later, texts, write, written};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::TestDatabase;
use lombard_database::{Database, SqlTransaction, assumed, test_on_both_engines};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

static REPLACE: SqlStatement = {
    let text = assumed!("UPDATE notes SET text = $1 WHERE text = $2 RETURNING 1");
    SqlStatement { table: "notes", sqlite: text.sqlite, postgres: text.postgres }
};
static REPLACE_READ: SqlStatement = super::statement("UPDATE notes SET text = $1 WHERE text = $2");
/// Locks the rows, on an engine with several writers.
static LOCK: SqlStatement = super::statement("UPDATE notes SET text = text");
static CLEAR_LABELS: SqlStatement = super::of("labels", "DELETE FROM labels");
static HAS_MARK: SqlStatement = {
    let text = assumed!("SELECT 1 FROM marks WHERE mark = $1");
    SqlStatement { table: "marks", sqlite: text.sqlite, postgres: text.postgres }
};

/// Replaces a note that it knows, or the one that it reads if it may assume nothing.
fn replace(session: &mut SqlTransaction<'_>, known: &str, by: &str) -> Result<(), StoreError> {
    if session.may_assume() {
        return session.assume(&REPLACE, &[by.into(), known.into()]);
    }
    let found = texts(session)?.into_iter().next_back().unwrap();
    session.execute_on(&REPLACE_READ, &[by.into(), found.as_str().into()], &found)
}

/// What is true is committed by one statement together with what is inserted; what is not is found out, and nothing of it is committed.
async fn what_is_assumed_is_proved_when_it_is_committed(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    written(&database, "old").await;
    for (known, by, label, statements) in [("old", "new", "first", 1), ("wrong", "newer", "second", 6)] {
        let runs = Arc::new(AtomicUsize::new(0));
        let (counted, before) = (Arc::clone(&runs), database.traffic());
        let work = move |session: &mut SqlTransaction<'_>| {
            counted.fetch_add(1, Ordering::Relaxed);
            replace(session, known, by)?;
            session.execute_later(&ADD_LABEL, &[by.into(), label.into()])
        };
        // The label refers to the note that is replaced in the same statement.
        write(&database, work).await.0.unwrap();
        assert_eq!(database.traffic().since(before).statements, if is_remote { statements } else { 0 }, "{known}");
        assert_eq!(runs.load(Ordering::Relaxed) == 1, known == "old" || !is_remote);
        assert_eq!(all(&database).await, [by]);
        write(&database, |session| session.execute(&CLEAR_LABELS, &[])).await.0.unwrap();
    }
}

/// The same if the closure reads something after it has assumed something.
async fn what_is_assumed_is_proved_before_what_is_read(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    for (known, by) in [("old", "new"), ("wrong", "newer")] {
        if known == "old" {
            written(&database, "old").await;
        }
        let work = move |session: &mut SqlTransaction<'_>| {
            replace(session, known, by)?;
            session.one(&ONE, &[by.into()], |row| row.id::<String>())
        };
        assert_eq!(write(&database, work).await.0.unwrap().as_deref(), Some(by));
        assert_eq!(all(&database).await, [by]);
    }
}

/// A closure that does not commit may have been misled: what it returns is what it returned without assumptions. So is one that fails
/// because of another row.
async fn what_is_refused_is_refused_without_assumptions(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    written(&database, "taken").await;
    let refusing = |session: &mut SqlTransaction<'_>| {
        let has_assumed = session.may_assume();
        if has_assumed {
            session.assume(&HAS_MARK, &["red".into()])?;
        }
        Err::<(), _>(StoreError::Unavailable(format!("assumed: {has_assumed}").into()))
    };
    let refused = write(&database, refusing).await.0.unwrap_err();
    assert!(matches!(&refused, StoreError::Unavailable(cause) if cause.to_string() == "assumed: false"), "{refused:?}");
    // What is assumed is true, and a row is refused: in one statement, and in several.
    let marked = |session: &mut SqlTransaction<'_>| {
        session.execute_later(&ADD_LABEL, &["taken".into(), "label".into()])?;
        session.execute_later(&ADD_MARK, &["red".into(), "label".into()])
    };
    write(&database, marked).await.0.unwrap();
    for reads in [false, true] {
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&runs);
        let twice = move |session: &mut SqlTransaction<'_>| {
            let may_assume = session.may_assume();
            counted.fetch_add(usize::from(!may_assume), Ordering::Relaxed);
            if may_assume {
                session.assume(&HAS_MARK, &["red".into()])?;
            }
            if reads {
                texts(session)?;
            }
            later(session, "taken")
        };
        assert!(matches!(write(&database, twice).await.0, Err(StoreError::Duplicate("notes"))));
        assert!(runs.load(Ordering::Relaxed) > 0, "it was run without assumptions");
    }
    assert_eq!(all(&database).await, ["taken"]);
}

/// A closure that assumes what it may not fails, instead of being run again without end.
async fn nothing_is_assumed_without_asking(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    let stubborn = |session: &mut SqlTransaction<'_>| session.assume(&REPLACE, &["new".into(), "absent".into()]);
    assert!(matches!(write(&database, stubborn).await.0, Err(StoreError::Unavailable(_))));
    let stubborn = |session: &mut SqlTransaction<'_>| session.announce_assumption();
    assert!(matches!(write(&database, stubborn).await.0, Err(StoreError::Unavailable(_))));
}

/// An assumption that was announced and is not proved by the end commits nothing.
async fn what_is_announced_must_be_proved(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = database.migrated(&[&NOTES]).await;
    for (name, is_proved) in [("left", false), ("proved", true)] {
        let work = move |session: &mut SqlTransaction<'_>| {
            let may_assume = session.may_assume();
            if may_assume {
                session.announce_assumption()?;
            }
            later(session, &format!("{name} {may_assume}"))?;
            if may_assume && is_proved {
                session.assume_announced(&REPLACE, &["changed".into(), format!("{name} true").into()])?;
            }
            Ok(())
        };
        write(&database, work).await.0.unwrap();
    }
    let proved = if is_remote { "changed" } else { "proved false" };
    let mut expected = ["left false", proved];
    expected.sort_unstable();
    assert_eq!(all(&database).await, expected);
}

/// Of many at once that assume the same, one is right; the others go by what it has left.
async fn of_many_that_assume_the_same_one_is_right(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "0").await;
    let count = async |database: &Database| {
        let work = |session: &mut SqlTransaction<'_>| {
            if session.may_assume() {
                return session.assume(&REPLACE, &["1".into(), "0".into()]);
            }
            session.execute(&LOCK, &[])?;
            let found = texts(session)?.remove(0);
            let next = (found.parse::<usize>().unwrap() + 1).to_string();
            session.execute_on(&REPLACE_READ, &[next.as_str().into(), found.as_str().into()], &found)
        };
        write(database, work).await.0.unwrap();
    };
    futures_util::future::join_all((0..20).map(|_| count(&database))).await;
    assert_eq!(all(&database).await, ["20"]);
}

test_on_both_engines! {
    what_is_assumed_is_proved_when_it_is_committed,
    what_is_assumed_is_proved_before_what_is_read,
    what_is_refused_is_refused_without_assumptions,
    nothing_is_assumed_without_asking,
    what_is_announced_must_be_proved,
    of_many_that_assume_the_same_one_is_right,
}
