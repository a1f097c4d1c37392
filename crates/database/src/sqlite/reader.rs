//! Reads, which run on the calling thread. Each thread has its own connection to each database.

use super::connection::DatabaseFile;
use super::session::run_statement;
use crate::Work;
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess, TransactionEnding};
use lombard_ports::store::StoreError;
use rusqlite::Connection;
use std::cell::RefCell;
use std::sync::{Arc, Weak};

struct IdleConnection {
    database: u64,
    alive: Weak<()>,
    connection: Connection,
}

thread_local! {
    static CONNECTIONS: RefCell<Vec<IdleConnection>> = const { RefCell::new(Vec::new()) };
}

/// Runs a closure on a consistent snapshot.
pub(super) fn read(database: &DatabaseFile, scope: SnapshotScope, work: &mut Work) -> Result<(), StoreError> {
    // The connection is removed from its slot while in use: after a panic, or for a nested read, another one is opened.
    let connection = match take(database) {
        Some(connection) => connection,
        None => database.connect_reader()?,
    };
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
    keep(database, connection);
    match ending {
        TransactionEnding::Commit { .. } | TransactionEnding::RollBack => Ok(()),
        TransactionEnding::Again => Err(StoreError::Contended),
        TransactionEnding::Fail(error) => Err(error),
    }
}

fn take(database: &DatabaseFile) -> Option<Connection> {
    CONNECTIONS.with_borrow_mut(|all| {
        let place = all.iter().position(|kept| kept.database == database.number())?;
        Some(all.swap_remove(place).connection)
    })
}

fn keep(database: &DatabaseFile, connection: Connection) {
    CONNECTIONS.with_borrow_mut(|all| {
        all.retain(|kept| kept.alive.strong_count() > 0 && kept.database != database.number());
        all.push(IdleConnection { database: database.number(), alive: Arc::downgrade(database.alive()), connection });
    });
}
