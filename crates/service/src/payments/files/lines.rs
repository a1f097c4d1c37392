//! The payments of a file: parsed from its stored bytes, stored while they are parsed, and read back by number.

use super::storage::{UploadWriter, reading, require_quota};
use crate::context::FileQuota;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, UploadId};
use lombard_domain::payment::file::{FileInitiation, FileLine, FileTotals, FileType, UploadedFile};
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::refusal::Fault;
use lombard_ports::store::{ServerTransaction, Store};
use std::io::{self, BufRead};
use std::sync::Arc;
use tokio::runtime::Handle;

/// The number of payments that are stored at a time.
const BATCH: usize = 200;

/// The receiver takes no more lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineSinkClosed;

/// Why a file was not parsed to its end.
#[derive(Debug)]
pub enum FileReadError {
    /// The content is invalid; at least one fault. Source: FILE-012.
    Refused(Vec<Fault>),
    /// The bytes of the file could not be read.
    Input(io::Error),
    /// The receiver of the lines stopped.
    Stopped(LineSinkClosed),
}

/// A function that parses a file of a type and passes its payments to a receiver, in their order.
///
/// # Errors
/// [`FileReadError`]; lines that were passed before must be discarded.
pub type LineReader = Box<
    dyn FnOnce(
            FileType,
            &mut dyn BufRead,
            &mut dyn FnMut(FileLine) -> Result<(), LineSinkClosed>,
        ) -> Result<FileTotals, FileReadError>
        + Send,
>;

/// Why no lines were stored.
pub(super) enum LineReadError {
    /// The TPP's mistake.
    Refused(Vec<Fault>),
    /// A failure of the server.
    Failed(Failure),
}

/// The parsed content of a file, and the bytes of storage that the file uses with its payments.
pub(super) struct StoredLines {
    pub(super) totals: FileTotals,
    pub(super) bytes: u64,
}

/// Parses an upload of this size and stores its payments with it, within its client's quota.
pub(super) async fn read(
    context: &Context,
    client: &ClientId,
    keeping: &UploadWriter,
    bytes: u64,
    terms: &FileInitiation,
    read: LineReader,
) -> Result<StoredLines, LineReadError> {
    let (store, upload, kind) = (context.store.clone(), keeping.id().clone(), terms.kind);
    let size =
        StoredSize { client: client.clone(), quota: context.payments.file_quota, reserved: keeping.reserved(), bytes };
    let judged = UnpayableCounter {
        terms: terms.clone(),
        limits: context.payments.limits.clone(),
        now: context.clocks.bank_now(),
        unmade: 0,
    };
    let work = move |mut stored, runtime| {
        let mut storing = LineWriter {
            store,
            runtime,
            upload,
            unpayable_counter: judged,
            size,
            batch: Vec::with_capacity(BATCH),
            failed: None,
        };
        let found = read(kind, &mut stored, &mut |line| storing.take(line));
        if found.is_ok() {
            storing.flush().unwrap_or_default();
        }
        match (storing.failed, found) {
            (Some(failure), _) => Err(LineReadError::Failed(failure)),
            (None, Ok(totals)) => {
                let totals = FileTotals { unpayable: storing.unpayable_counter.unmade, ..totals };
                Ok(StoredLines { totals, bytes: storing.size.bytes })
            }
            (None, Err(FileReadError::Refused(faults))) => Err(LineReadError::Refused(faults)),
            (None, Err(FileReadError::Input(error))) => Err(LineReadError::Failed(Failure::Unavailable(error.into()))),
            (None, Err(FileReadError::Stopped(_))) => {
                Err(LineReadError::Failed(Failure::Broken("the reading of a file was stopped".into())))
            }
        }
    };
    reading(context, client, keeping.id().clone(), bytes, work).await.map_err(LineReadError::Failed)?
}

/// Receives parsed lines and stores them.
struct LineWriter {
    store: Store,
    runtime: Handle,
    upload: UploadId,
    unpayable_counter: UnpayableCounter,
    size: StoredSize,
    batch: Vec<FileLine>,
    failed: Option<Failure>,
}

/// Counts the parsed payments that would not be executed, which the customer is shown before deciding.
struct UnpayableCounter {
    terms: FileInitiation,
    limits: Arc<PaymentLimits>,
    now: Timestamp,
    unmade: u32,
}

/// The part of its client's quota that a file uses.
#[derive(Clone)]
struct StoredSize {
    client: ClientId,
    quota: FileQuota,
    /// The number of bytes that are reserved for the file.
    reserved: u64,
    /// The number of bytes that the file uses.
    bytes: u64,
}

impl StoredSize {
    /// Adds the bytes of stored payments. If the file uses more than was reserved, the excess must fit into the quota as well.
    fn grow(mut self, tx: &mut dyn ServerTransaction, upload: &UploadId, bytes: u64) -> Result<Self, Failure> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.reserved {
            self.reserved = self.bytes;
            tx.upload_resize(upload, self.reserved)?;
            require_quota(tx, &self.client, self.quota)?;
        }
        Ok(self)
    }
}

impl LineWriter {
    fn take(&mut self, line: FileLine) -> Result<(), LineSinkClosed> {
        let UnpayableCounter { terms, limits, now, unmade } = &mut self.unpayable_counter;
        if line.unexecuted_reason(terms, *now, limits).is_some() {
            *unmade = unmade.saturating_add(1);
        }
        self.batch.push(line);
        if self.batch.len() < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), LineSinkClosed> {
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        if batch.is_empty() {
            return Ok(());
        }
        let (upload, size) = (self.upload.clone(), self.size.clone());
        let stored = self.store.write(move |tx| {
            let bytes = tx.file_lines_append(&upload, &batch)?;
            size.clone().grow(tx, &upload, bytes)
        });
        self.size = self.runtime.block_on(stored).map_err(|failure| {
            self.failed = Some(failure);
            LineSinkClosed
        })?;
        Ok(())
    }
}

/// The payments of a file after a number, sorted by number; at most `limit`.
///
/// # Errors
/// Storage's failure.
pub async fn read_stored_lines(
    context: &Context,
    file: &UploadedFile,
    after: u32,
    limit: u32,
) -> Result<Vec<FileLine>, Failure> {
    let id = file.id.clone();
    context.store.read(move |tx| Ok::<_, Failure>(tx.file_lines(&id, after, limit)?)).await
}
