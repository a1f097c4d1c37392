//! Tests of SQLite's own behaviour, on a table of the tests.

use super::connection::DatabaseFile;
use super::read_mark::ReadMark;
use super::{migrate, open};
use crate::engine::Engine;
use crate::session::SnapshotScope;
use crate::statement::SqlStatement;
use crate::{Migration, Schema};
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of a test step.
const PATIENCE: Duration = Duration::from_secs(60);

static NOTES: Schema = Schema {
    history: "note_migrations",
    migrations: &[
        Migration {
            number: 1,
            name: "0001_notes",
            sqlite: "CREATE TABLE notes (text TEXT NOT NULL PRIMARY KEY) STRICT",
            postgres: "",
            works_from: 0,
        },
        Migration {
            number: 2,
            name: "0002_authors",
            sqlite: "ALTER TABLE notes ADD COLUMN author TEXT",
            postgres: "",
            works_from: 0,
        },
    ],
    expands_after: 2,
    before: None,
};

static ADD: SqlStatement =
    SqlStatement { table: "notes", sqlite: "INSERT INTO notes (text) VALUES ($1)", postgres: "" };

static ALL: SqlStatement =
    SqlStatement { table: "notes", sqlite: "SELECT text FROM notes ORDER BY text", postgres: "" };

#[test]
fn many_processes_migrate_at_once_and_one_does_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    let start = std::sync::Barrier::new(6);
    let mut applied: Vec<_> = std::thread::scope(|scope| {
        let node = || {
            start.wait();
            migrate(&DatabaseFile::at(&path), &[&NOTES]).unwrap().len()
        };
        let nodes: Vec<_> = (0..6).map(|_| scope.spawn(node)).collect();
        nodes.into_iter().map(|node| node.join().unwrap()).collect()
    });
    applied.sort_unstable();
    assert_eq!(applied, [0, 0, 0, 0, 0, NOTES.migrations.len()]);
}

#[test]
fn a_new_database_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    migrate(&DatabaseFile::at(&path), &[&NOTES]).unwrap();
    let _open = open(DatabaseFile::at(&path), &[&NOTES], PATIENCE, None).unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.file_name());
    }
}

#[test]
fn a_temporary_database_leaves_nothing_behind() {
    let database = DatabaseFile::temporary().unwrap();
    migrate(&database, &[&NOTES]).unwrap();
    let folder = database.folder().to_owned();
    assert!(folder.exists());
    drop(open(database, &[&NOTES], PATIENCE, None).unwrap());
    assert!(!folder.exists(), "dropping the last handle waits for the writer, then removes the files");
}

async fn add(database: &Arc<dyn Engine>, text: &'static str) -> Result<(), StoreError> {
    let work = move |session: &mut crate::SqlTransaction<'_>| match session.execute(&ADD, &[text.into()]) {
        Ok(_) => TransactionVerdict::Commit,
        Err(_) => TransactionVerdict::RollBack,
    };
    database.write(Box::new(work)).await
}

async fn all(database: &Arc<dyn Engine>) -> Vec<String> {
    let found = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let inside = Arc::clone(&found);
    let work = move |session: &mut crate::SqlTransaction<'_>| {
        *inside.lock() = session.all(&ALL, &[], |row| row.id()).unwrap();
        TransactionVerdict::Commit
    };
    database.read(SnapshotScope::Transaction, Box::new(work)).await.unwrap();
    let found = found.lock();
    found.clone()
}

/// If another process locks the database (a backup, a shell), callers wait up to the limit. A transaction that failed because of
/// the limit is not executed later.
#[tokio::test]
async fn a_transaction_whose_turn_comes_too_late_is_not_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    migrate(&DatabaseFile::at(&path), &[&NOTES]).unwrap();
    let database = open(DatabaseFile::at(&path), &[&NOTES], Duration::ZERO, None).unwrap();
    let late = add(&database, "late").await;
    assert!(matches!(late, Err(StoreError::Unavailable(_))), "{late:?}");
    drop(database);
    let database = open(DatabaseFile::at(&path), &[&NOTES], PATIENCE, None).unwrap();
    add(&database, "in time").await.unwrap();
    assert_eq!(all(&database).await, ["in time"]);
}

static ADD_NEW: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "INSERT INTO notes (text, author) VALUES ($1, $2) ON CONFLICT (text) DO NOTHING RETURNING text",
    postgres: "",
};

/// Adds notes with these numbers by one author, as a set; returns the new ones.
async fn add_set(database: &Arc<dyn Engine>, numbers: std::ops::Range<usize>, keep: bool) -> Vec<String> {
    let added = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let inside = Arc::clone(&added);
    let work = move |session: &mut crate::SqlTransaction<'_>| {
        let rows: Vec<_> = numbers.clone().map(|it| vec![format!("{it:04}").into(), "me".into()]).collect();
        *inside.lock() = session.all_of_set(&ADD_NEW, &rows, |row| row.id()).unwrap();
        if keep { TransactionVerdict::Commit } else { TransactionVerdict::RollBack }
    };
    database.write(Box::new(work)).await.unwrap();
    let mut added = std::mem::take(&mut *added.lock());
    added.sort();
    added
}

/// Rows are added several at a time, and the remaining rows one by one. A transaction without others in its group is rolled back
/// as a whole.
#[tokio::test]
async fn a_set_of_rows_is_added_once_and_undone_as_a_whole() {
    let database = DatabaseFile::temporary().unwrap();
    migrate(&database, &[&NOTES]).unwrap();
    let database = open(database, &[&NOTES], PATIENCE, None).unwrap();
    let names = |numbers: std::ops::Range<usize>| numbers.map(|it| format!("{it:04}")).collect::<Vec<_>>();
    let many = super::row_sets::ROWS * 2 + 3;
    assert_eq!(add_set(&database, 0..many, false).await, names(0..many));
    assert_eq!(all(&database).await, [""; 0]);
    assert_eq!(add_set(&database, 0..many, true).await, names(0..many));
    assert_eq!(add_set(&database, 10..many + 10, true).await, names(many..many + 10), "others are there already");
    assert_eq!(all(&database).await, names(0..many + 10));
}

/// A row with one value too many would shift the values of later rows into other columns.
#[tokio::test]
async fn rows_of_different_lengths_are_no_set() {
    let database = DatabaseFile::temporary().unwrap();
    migrate(&database, &[&NOTES]).unwrap();
    let database = open(database, &[&NOTES], PATIENCE, None).unwrap();
    let work = |session: &mut crate::SqlTransaction<'_>| {
        let row = |it: usize| vec![format!("{it:04}").into(), "me".into()];
        let mut rows: Vec<Vec<crate::value::SqlValue<'_>>> = (0..super::row_sets::ROWS).map(row).collect();
        let surplus = rows[1].pop().unwrap();
        rows[0].push(surplus);
        assert!(session.all_of_set(&ADD_NEW, &rows, |row| row.id::<String>()).is_err());
        TransactionVerdict::Commit
    };
    assert!(database.write(Box::new(work)).await.is_err());
    assert_eq!(all(&database).await, [""; 0]);
}

/// The read marks of this database that are locked for other processes: mark 0 is used when the whole log is in the database
/// file.
fn locked_read_marks(path: &Path) -> Vec<u64> {
    // The bytes of the log's index that SQLite locks for its five marks (`WAL_READ_LOCK` in its file format, section 2.3.1).
    const FIRST: u64 = 123;
    const LAST: u64 = 127;
    let index = path.with_extension("db-shm").metadata().unwrap().ino().to_string();
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    let of_index = locks.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace().rev();
        let (end, begin, inode) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?);
        (inode.rsplit(':').next() == Some(&index)).then_some(begin..=end)
    });
    let mut marks: Vec<u64> =
        of_index.flatten().filter(|byte| (FIRST..=LAST).contains(byte)).map(|it| it - FIRST).collect();
    marks.sort_unstable();
    marks
}

/// Reads lock no file while another read of this process holds their mark.
#[test]
fn the_mark_of_the_last_commit_is_held_while_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    let database = DatabaseFile::at(&path);
    migrate(&database, &[&NOTES]).unwrap();
    let writer = database.connect_writer().unwrap();
    let checkpoint = || writer.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
    checkpoint();
    let mark = ReadMark::open(&database).unwrap();
    assert_eq!(locked_read_marks(&path), [0]);
    mark.release();
    assert_eq!(locked_read_marks(&path), [0; 0]);
    mark.renew();
    assert_eq!(locked_read_marks(&path), [0; 0], "none was held");
    writer.execute("INSERT INTO notes (text) VALUES ('a')", []).unwrap();
    mark.hold();
    let held = locked_read_marks(&path);
    assert!(held.len() == 1 && held != [0], "{held:?}");
    checkpoint();
    assert_eq!(locked_read_marks(&path), held);
    mark.renew();
    assert_eq!(locked_read_marks(&path), [0]);
}

/// The held mark must not prevent the restart of a large log. A commit of another connection is visible in the meantime.
#[tokio::test]
async fn the_log_does_not_grow_for_the_mark_that_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    migrate(&DatabaseFile::at(&path), &[&NOTES]).unwrap();
    let database = open(DatabaseFile::at(&path), &[&NOTES], PATIENCE, None).unwrap();
    let other = DatabaseFile::at(&path).connect_writer().unwrap();
    for (number, text) in ["a", "b", "c"].into_iter().enumerate() {
        add(&database, text).await.unwrap();
        other.execute("INSERT INTO notes (text) VALUES ($1)", [format!("other {text}")]).unwrap();
        assert_eq!(all(&database).await.len(), 2 * (number + 1));
    }
    let megabytes = |length: usize| "x".repeat(length << 20);
    for number in 0..50 {
        let work = move |session: &mut crate::SqlTransaction<'_>| {
            let text = format!("{number} {}", megabytes(4));
            session.execute(&ADD, &[text.as_str().into()]).unwrap();
            TransactionVerdict::Commit
        };
        database.write(Box::new(work)).await.unwrap();
        let log = path.with_extension("db-wal").metadata().unwrap().len();
        assert!(log < 100 << 20, "{log} bytes after {number} transactions");
    }
}
