//! Checkpoints of the write-ahead log on a background thread, so that no caller waits for them.

use super::connection::DatabaseFile;
use super::read_mark::ReadMark;
use super::session::unavailable;
use lombard_ports::store::StoreError;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// The number of pages in the log above which a checkpoint is run: 8 MiB.
const PAGES_WORTH_COPYING: i32 = 1024;

/// The number of pages in the log above which the writer pauses until the log is reset: 64 MiB. Under a constant load the log
/// would otherwise never be reset.
const PAGES_TOO_MANY: i32 = 8 * 1024;

/// The background thread's handle. Dropping it waits for the thread, so that nothing has the database open after the
/// store is gone.
#[derive(Debug)]
pub(super) struct Checkpointer {
    pages: Arc<AtomicI32>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread and registers a hook for the writer's commits.
    pub(super) fn start(
        writer: &mut Connection,
        database: &DatabaseFile,
        read_mark: Arc<ReadMark>,
    ) -> Result<Self, StoreError> {
        let pages = Arc::new(AtomicI32::new(0));
        let counted = Arc::clone(&pages);
        let count = move |_: &mut rusqlite::hooks::Wal, pages| {
            counted.store(pages, Ordering::Relaxed);
            Ok(())
        };
        writer.wal_hook(Some(count)).map_err(unavailable)?;
        let connection = database.connect_checkpointer()?;
        // One queued call is enough, because it covers all commits before it.
        let (wake, calls) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name(String::from("store-checkpoint"))
            .spawn(move || serve(&connection, &read_mark, &calls))
            .map_err(|source| StoreError::Unavailable(source.into()))?;
        Ok(Self { pages, wake: Some(wake), thread: Some(thread) })
    }

    /// Called after every commit, on the writer's thread.
    pub(super) fn after_commit(&self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages >= PAGES_TOO_MANY {
            checkpoint(writer, "PRAGMA wal_checkpoint(RESTART)");
        } else if pages >= PAGES_WORTH_COPYING {
            // If the channel is full, a call is queued already.
            let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        drop(self.wake.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn serve(connection: &Connection, read_mark: &ReadMark, calls: &Receiver<()>) {
    while calls.recv().is_ok() {
        checkpoint(connection, "PRAGMA wal_checkpoint(PASSIVE)");
        read_mark.renew();
    }
}

fn checkpoint(connection: &Connection, sql: &str) {
    if let Err(error) = connection.query_row(sql, [], |_| Ok(())) {
        tracing::warn!(error = &error as &dyn std::error::Error, "the write-ahead log could not be copied");
    }
}
