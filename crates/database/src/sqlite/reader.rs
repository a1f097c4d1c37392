//! Reads, which run on the calling thread.

use super::connection::DatabaseFile;
use super::session::run_statement;
use crate::Work;
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess, TransactionEnding};
use lombard_ports::store::StoreError;

/// Runs a closure on a consistent snapshot.
pub(super) fn read(database: &DatabaseFile, scope: SnapshotScope, work: &mut Work) -> Result<(), StoreError> {
    // A connection is not reused after a panic or a failed statement, because its state is unknown.
    let connection = database.take_reader()?;
    let run = |work: &mut Work| SqlTransaction::new(&mut &connection, TransactionAccess::Read(scope)).run(work);
    let ending = match scope {
        SnapshotScope::Query => run(work),
        SnapshotScope::Transaction => {
            // The snapshot is taken by the first query and kept until the end.
            run_statement(&connection, "BEGIN DEFERRED")?;
            let ending = run(work);
            run_statement(&connection, "ROLLBACK")?;
            ending
        }
    };
    database.keep_reader(connection);
    match ending {
        TransactionEnding::Commit { .. } | TransactionEnding::RollBack => Ok(()),
        TransactionEnding::Again => Err(StoreError::Contended),
        TransactionEnding::Fail(error) => Err(error),
    }
}
