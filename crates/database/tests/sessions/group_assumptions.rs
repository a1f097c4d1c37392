//! Transactions of one owner that assume values are sent together, and none commits on a false assumption.

use super::{ADD_MARK, LABELS, NOTES, PATIENCE, all, later, statement, write, written};
use futures_util::future::join_all;
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{TestDatabase, on_postgres};
use lombard_database::value::SqlValue;
use lombard_database::{Database, SqlTransaction, assumed, test_on_both_engines};
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How many callers there are at once.
const CALLERS: usize = 64;

static HAS_MARK: SqlStatement = {
    let text = assumed!("SELECT 1 FROM marks WHERE mark = $1");
    SqlStatement { table: "marks", sqlite: text.sqlite, postgres: text.postgres }
};
/// As an idempotency key is claimed: whoever finds it taken waits for whoever took it.
static CLAIM: SqlStatement = {
    let text = assumed!(
        "INSERT INTO labels (text, note) VALUES ($1, $2) ON CONFLICT (text) DO UPDATE SET note = excluded.note \
         WHERE labels.note = 'nobody' RETURNING 1"
    );
    SqlStatement { table: "labels", sqlite: text.sqlite, postgres: text.postgres }
};
static CLAIM_READ: SqlStatement =
    super::of("labels", "INSERT INTO labels (text, note) VALUES ($1, $2) ON CONFLICT (text) DO NOTHING");
static REPLACE: SqlStatement = {
    let text = assumed!("UPDATE notes SET text = $1 WHERE text = $2 RETURNING 1");
    SqlStatement { table: "notes", sqlite: text.sqlite, postgres: text.postgres }
};
static REPLACE_READ: SqlStatement = statement("UPDATE notes SET text = $1 WHERE text = $2");

/// A database with a mark that can be assumed.
async fn marked(database: &TestDatabase) -> Database {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    written(&database, "mark").await;
    let mark = |session: &mut SqlTransaction<'_>| {
        session.execute_later(&super::ADD_LABEL, &["mark".into(), "mark".into()])?;
        session.execute_later(&ADD_MARK, &["red".into(), "mark".into()])
    };
    write(&database, mark).await.0.unwrap();
    database
}

/// Adds a note on the assumption that a mark exists; without it, the note says so.
async fn note_if(database: &Database, owner: Option<String>, mark: &'static str, text: String) {
    let work = move |session: &mut SqlTransaction<'_>| {
        if let Some(owner) = &owner {
            session.owned_by(owner);
        }
        if session.may_assume() {
            session.assume(&HAS_MARK, &[mark.into()])?;
            return later(session, &text);
        }
        later(session, &format!("{text} read"))
    };
    write(database, work).await.0.unwrap();
}

/// Whether this owner has claimed a key that was free, and replaced a note by another one, if one is given.
async fn claim(
    database: &Database,
    owner: &'static str,
    key: String,
    replaced: Option<[String; 2]>,
) -> Result<bool, StoreError> {
    let work = move |session: &mut SqlTransaction<'_>| {
        session.owned_by(owner);
        let claimed: [SqlValue<'_>; 2] = [(&key).into(), "mark".into()];
        if session.may_assume() {
            session.assume(&CLAIM, &claimed)?;
            if let Some([old, new]) = &replaced {
                session.assume(&REPLACE, &[new.into(), old.into()])?;
            }
            return Ok(true);
        }
        let is_new = session.execute(&CLAIM_READ, &claimed)? == 1;
        if let (true, Some([old, new])) = (is_new, &replaced) {
            session.execute_on(&REPLACE_READ, &[new.into(), old.into()], old)?;
        }
        Ok(is_new)
    };
    write(database, work).await.0
}

/// Those of one owner share round trips. Those of several do not, nor do those that name no owner.
async fn what_one_owner_assumes_is_proved_together(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = marked(&database).await;
    for case in ["one", "several", "none"] {
        let owner = |number| match case {
            "one" => Some(String::from("acme")),
            "several" => Some(format!("tpp-{number}")),
            _ => None,
        };
        let before = database.traffic();
        join_all((0..CALLERS).map(|it| note_if(&database, owner(it), "red", format!("{case} {it:02}")))).await;
        let round_trips = usize::try_from(database.traffic().since(before).round_trips).unwrap();
        let expected = match (is_remote, case) {
            (false, _) => 0..1,
            (true, "one") => 1..CALLERS / 2,
            (true, _) => CALLERS..CALLERS + 1,
        };
        assert!(expected.contains(&round_trips), "{case}: {round_trips}");
    }
    let mut expected: Vec<_> = ["none", "one", "several"]
        .iter()
        .flat_map(|case| (0..CALLERS).map(move |it| format!("{case} {it:02}")))
        .collect();
    expected.insert(0, "mark".into());
    let found: BTreeSet<_> = all(&database).await.into_iter().map(|it| it.replace(" read", "")).collect();
    assert_eq!(found, expected.into_iter().collect());
    assert_eq!(all(&database).await.iter().any(|it| it.ends_with(" read")), !is_remote);
}

/// Of a group, only those that were misled are run again without assumptions.
async fn of_a_group_those_that_were_misled_are_run_again(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = marked(&database).await;
    let is_wrong = |number: usize| number % 20 == 7;
    let callers = (0..CALLERS).map(|number| {
        let mark = if is_wrong(number) { "absent" } else { "red" };
        note_if(&database, Some("acme".into()), mark, format!("{number:02}"))
    });
    join_all(callers).await;
    let text =
        |number| if is_wrong(number) || !is_remote { format!("{number:02} read") } else { format!("{number:02}") };
    let expected: BTreeSet<_> = (0..CALLERS).map(text).chain([String::from("mark")]).collect();
    assert_eq!(all(&database).await.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// Of several in one group that claim the same, or change the same row, one does; the others go by what it has left.
async fn of_several_in_a_group_that_claim_the_same_one_does(database: Arc<TestDatabase>) {
    let database = marked(&database).await;
    for note in (0..4).map(|key| format!("old {key}")) {
        write(&database, move |session| later(session, &note)).await.0.unwrap();
    }
    let claim = |number: usize| {
        let key = number % 4;
        claim(&database, "acme", format!("key {key}"), Some([format!("old {key}"), format!("new {key}")]))
    };
    let claimed = join_all((0..CALLERS).map(claim)).await;
    assert_eq!(claimed.into_iter().filter(|it| *it.as_ref().unwrap()).count(), 4, "one of each key");
    assert_eq!(all(&database).await, ["mark", "new 0", "new 1", "new 2", "new 3"]);
}

/// A transaction beside the pool's that has claimed the key `held` and is not ended.
const HOLD: &str = "BEGIN; INSERT INTO labels (text, note) VALUES ('held', 'mark')";
/// How many wait for that transaction, asked within it.
const WAITING: &str =
    "SELECT count(*)::text FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid";

/// A database with a mark, whose connections wait this long for a lock.
async fn marked_with(database: &TestDatabase, lock: Duration) -> Database {
    drop(marked(database).await);
    let mut options = database.options.clone();
    options.waits.lock = lock;
    options.waits.statement = options.waits.statement.max(lock);
    Database::open(&options, &[&NOTES, &LABELS]).await.unwrap()
}

/// One owner's groups that wait for a lock hold up those of no other owner.
async fn those_that_wait_for_a_lock_hold_up_no_other_owner(database: Arc<TestDatabase>) {
    let connected = marked_with(&database, PATIENCE * 3).await;
    database.run(HOLD).await.unwrap();
    let waiting = {
        let connected = connected.clone();
        let claim = move |_| {
            let connected = connected.clone();
            async move { claim(&connected, "acme", "held".into(), None).await }
        };
        tokio::spawn(join_all((0..CALLERS).map(claim)))
    };
    let wait = async {
        while database.texts(WAITING).await == ["0"] {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, wait).await.unwrap();
    let others = join_all((0..CALLERS).map(|it| claim(&connected, "rival", format!("{it}"), None)));
    let others = timeout(PATIENCE, others).await.unwrap();
    assert!(others.iter().all(|it| matches!(it, Ok(true))), "{others:?}");
    database.run("ROLLBACK").await.unwrap();
    let claimed = waiting.await.unwrap();
    assert_eq!(claimed.into_iter().filter(|it| *it.as_ref().unwrap()).count(), 1);
}

/// Of a group, only those fail that have waited too long for a lock, while it is still held.
async fn those_that_wait_too_long_for_a_lock_fail_alone(database: Arc<TestDatabase>) {
    let connected = marked_with(&database, Duration::from_millis(100)).await;
    database.run(HOLD).await.unwrap();
    let key = |number: usize| if number % 20 == 7 { String::from("held") } else { format!("{number}") };
    let outcomes = join_all((0..CALLERS).map(|it| claim(&connected, "acme", key(it), None))).await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        match key(number).as_str() {
            "held" => assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{number}: {outcome:?}"),
            _ => assert!(matches!(outcome, Ok(true)), "{number}: {outcome:?}"),
        }
    }
    database.run("ROLLBACK").await.unwrap();
    assert!(claim(&connected, "acme", "held".into(), None).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_that_wait_for_a_lock_hold_up_no_other_owner_on_postgres() {
    on_postgres(those_that_wait_for_a_lock_hold_up_no_other_owner).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_that_wait_too_long_for_a_lock_fail_alone_on_postgres() {
    on_postgres(those_that_wait_too_long_for_a_lock_fail_alone).await;
}

test_on_both_engines! {
    what_one_owner_assumes_is_proved_together,
    of_a_group_those_that_were_misled_are_run_again,
    of_several_in_a_group_that_claim_the_same_one_does,
}
