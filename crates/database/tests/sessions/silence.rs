//! A request waits only so long for an answer of the database. Each answer begins the wait anew.

use super::{NOTES, written};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::TestDatabase;
use lombard_database::value::SqlValue;
use lombard_database::{Database, SqlTransaction, StoreTimeouts, test_on_both_engines};
use lombard_ports::storage_wait::StorageWait;
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::sync::Arc;
use std::time::Duration;

/// The limits of this test. A node gives up after the longer one and half a second.
const LIMITS: StoreTimeouts = StoreTimeouts {
    connection: Duration::from_secs(1),
    statement: Duration::from_secs(1),
    lock: Duration::from_secs(1),
    idle_transaction: Duration::from_secs(60),
};

/// A statement that the server answers after the half of its limit.
static SLOW: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "SELECT text FROM notes WHERE text = $1",
    postgres: "SELECT text FROM notes, pg_sleep(0.5) WHERE text = $1",
};

/// More of these than fit into the wait for one answer.
const STATEMENTS: usize = 4;

fn ask(session: &mut SqlTransaction<'_>, times: usize) -> TransactionVerdict {
    for _ in 0..times {
        if session.all(&SLOW, &[SqlValue::from("a")], |row| row.id::<String>()).is_err() {
            return TransactionVerdict::RollBack;
        }
    }
    TransactionVerdict::Commit
}

async fn write(database: &Database, times: usize) -> Result<(), StoreError> {
    database.write(Box::new(move |session| ask(session, times))).await
}

async fn a_request_may_take_longer_than_the_wait_for_one_answer(database: Arc<TestDatabase>) {
    database.migrated(&[&NOTES]).await;
    let database = database.open_with(&[&NOTES], LIMITS).await;
    written(&database, "a").await;
    let one_transaction = write(&database, STATEMENTS);
    StorageWait::default().counted(one_transaction).await.unwrap();
    let several = async {
        for _ in 0..STATEMENTS {
            write(&database, 1).await?;
        }
        Ok::<_, StoreError>(())
    };
    StorageWait::default().counted(several).await.unwrap();
}
test_on_both_engines! {
    a_request_may_take_longer_than_the_wait_for_one_answer,
}
