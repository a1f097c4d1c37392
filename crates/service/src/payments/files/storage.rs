//! The bytes of a file in storage: stored piece by piece as they arrive, and read back piece by piece.

use super::file_of;
use crate::context::FileQuota;
use crate::payments::{ReadCaller, consents};
use crate::{Context, Failure};
use futures_util::{Stream, stream};
use lombard_domain::ids::{ClientId, ConsentId, UploadId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::file::UploadedFile;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::{NewUpload, ServerTransaction, Store};
use std::io::{self, BufRead, Read};
use tokio::runtime::Handle;

/// The size in bytes of the pieces in which a file is stored. While a piece is written, memory holds several copies: the received
/// bytes, and the buffers of the database.
const PIECE: usize = 64 << 10;

/// The storage that is reserved for a file during its upload, as a multiple of its bytes: the file itself, and its parsed
/// payments, which take somewhat more.
const STORED_PER_BYTE: u64 = 3;

/// The number of seconds after which a client whose quota is used up may retry; customers decide within minutes.
const QUOTA_RETRY_SECS: i64 = 60;

/// An upload in progress. If it is dropped before it is attached to a consent, it is removed, because its sender may disconnect
/// at any time.
#[derive(Debug)]
pub(super) struct UploadWriter {
    store: Store,
    id: UploadId,
    pieces: u32,
    pending: Vec<u8>,
    /// The number of bytes that are reserved for the upload.
    reserved: u64,
    /// Whether the upload is attached to a consent, or already removed.
    is_settled: bool,
}

impl Drop for UploadWriter {
    fn drop(&mut self) {
        // Without a runtime the process is ending; the upload is removed as abandoned after the next start.
        if let (false, Ok(runtime)) = (self.is_settled, Handle::try_current()) {
            runtime.spawn(remove(self.store.clone(), self.id.clone()));
        }
    }
}

/// Removes an upload that no consent has. If this fails, the upload is removed later as abandoned.
async fn remove(store: Store, id: UploadId) {
    if let Err(error) = store.write(move |tx| Ok::<_, Failure>(tx.upload_remove(&id)?)).await {
        tracing::warn!(error = &error as &dyn std::error::Error, "an abandoned file was not removed");
    }
}

impl UploadWriter {
    /// Begins an upload of at most this many bytes, and reserves the storage that it may use. The quota is checked in the same
    /// transaction, with the client's uploads locked, so that concurrent uploads on any node cannot exceed it together.
    ///
    /// # Errors
    /// [`Failure::Refused`] if the client's quota is used up; otherwise storage's failure.
    pub(super) async fn begin(
        context: &Context,
        client: &ClientId,
        consent: &ConsentId,
        bytes_max: u64,
    ) -> Result<Self, Failure> {
        let (store, now, quota) = (context.store.clone(), context.clocks.wall_now(), context.payments.file_quota);
        let id: UploadId = context.ids.ordered();
        let reserved = bytes_max.saturating_mul(STORED_PER_BYTE);
        let upload =
            NewUpload { id: id.clone(), client: client.clone(), consent: consent.clone(), bytes_max: reserved };
        let begin = move |tx: &mut dyn ServerTransaction| {
            if tx.uploads_unused(&upload.client)?.files >= quota.files_max {
                return Err(quota_is_used_up());
            }
            tx.upload_begin(&upload, now)?;
            require_quota(tx, &upload.client, quota)
        };
        store.write(begin).await?;
        Ok(Self { store, id, pieces: 0, pending: Vec::new(), reserved, is_settled: false })
    }

    pub(super) const fn id(&self) -> &UploadId {
        &self.id
    }

    /// The number of bytes of storage that are reserved for the upload.
    pub(super) const fn reserved(&self) -> u64 {
        self.reserved
    }

    /// Stores more bytes of the file.
    pub(super) async fn keep(&mut self, mut bytes: &[u8]) -> Result<(), Failure> {
        while !bytes.is_empty() {
            if self.pending.capacity() == 0 {
                self.pending.reserve_exact(PIECE);
            }
            let room = PIECE.saturating_sub(self.pending.len());
            let (now, later) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
            self.pending.extend_from_slice(now);
            bytes = later;
            if self.pending.len() >= PIECE {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Stores the pending bytes; no more bytes will follow.
    pub(super) async fn flush(&mut self) -> Result<(), Failure> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let (id, number, piece) = (self.id.clone(), self.pieces, std::mem::take(&mut self.pending));
        self.store.write(move |tx| Ok::<_, Failure>(tx.upload_append(&id, number, &piece)?)).await?;
        self.pieces = self.pieces.saturating_add(1);
        Ok(())
    }

    /// Marks the upload as attached to a consent, so that it is not removed.
    pub(super) fn mark_attached(mut self) {
        self.is_settled = true;
    }

    /// Removes the upload. If this fails, the upload is removed later as abandoned.
    pub(super) async fn forget(mut self) {
        remove(self.store.clone(), self.id.clone()).await;
        self.is_settled = true;
    }
}

/// # Errors
/// [`Failure::Refused`] if the client's uploads use more bytes than its quota allows; otherwise storage's failure.
pub(super) fn require_quota(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    quota: FileQuota,
) -> Result<(), Failure> {
    if tx.uploads_unused(client)?.bytes > quota.bytes_max { Err(quota_is_used_up()) } else { Ok(()) }
}

fn quota_is_used_up() -> Failure {
    Refusal::from_kind(RefusalKind::LimitReached { retry_after_secs: QUOTA_RETRY_SECS }).into()
}

/// The bytes of an upload as a blocking reader. It must run on a separate thread, never on a thread of the asynchronous runtime.
pub(super) struct StoredBytesReader {
    store: Store,
    runtime: Handle,
    id: UploadId,
    next: u32,
    piece: Vec<u8>,
    taken: usize,
    /// The number of bytes that remain.
    left: u64,
}

impl StoredBytesReader {
    /// A reader of a whole upload of this size.
    pub(super) fn of(store: Store, runtime: Handle, id: UploadId, bytes: u64) -> Self {
        Self { store, runtime, id, next: 0, piece: Vec::new(), taken: 0, left: bytes }
    }
}

impl BufRead for StoredBytesReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken >= self.piece.len() && self.left > 0 {
            let (id, number) = (self.id.clone(), self.next);
            let read = self.store.read(move |tx| Ok::<_, Failure>(tx.upload_piece(&id, number)?));
            let piece = self.runtime.block_on(read).map_err(io::Error::other)?;
            self.piece = piece.ok_or(io::ErrorKind::UnexpectedEof)?;
            self.taken = 0;
            self.next = self.next.saturating_add(1);
            let size = u64::try_from(self.piece.len()).unwrap_or(u64::MAX);
            self.left = self.left.checked_sub(size).ok_or(io::ErrorKind::InvalidData)?;
        }
        Ok(self.piece.get(self.taken..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.taken = self.taken.saturating_add(amount);
    }
}

impl Read for StoredBytesReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

/// A stored file for download: exactly the uploaded bytes, which can be read repeatedly. Source: FILE-020.
#[derive(Debug, Clone)]
pub struct StoredFile {
    /// The media type of the upload, with its parameters.
    pub media_type: String,
    store: Store,
    id: UploadId,
    bytes: u64,
}

impl StoredFile {
    /// The bytes of the file, piece by piece. If the file is removed during the download, the stream ends with a "not found"
    /// error and not with a silent truncation.
    pub fn pieces(&self) -> impl Stream<Item = Result<Vec<u8>, Failure>> + Send + 'static {
        let beginning = (self.store.clone(), self.id.clone(), 0_u32, self.bytes);
        stream::try_unfold(beginning, |(store, id, number, left)| async move {
            if left == 0 {
                return Ok(None);
            }
            let asked = id.clone();
            let piece = store.read(move |tx| Ok::<_, Failure>(tx.upload_piece(&asked, number)?)).await?;
            let piece = piece.ok_or(Refusal::from_kind(RefusalKind::NotFound))?;
            let left = left.saturating_sub(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            Ok(Some((piece, (store, id, number.saturating_add(1), left))))
        })
    }
}

/// Reads the file of a consent for the TPP that sent it, in every state after the upload. Source: FILE-020.
///
/// # Errors
/// [`Failure::Refused`]: no such consent, another TPP's or not the token's; or not found while the file is not uploaded, and after it
/// was purged. Otherwise storage's failure.
pub async fn download_file(
    context: &Context,
    reader: impl Into<ReadCaller>,
    id: &ConsentId,
    through: Version,
) -> Result<StoredFile, Failure> {
    let consent = consents::read_payment_consent(context, reader, PaymentProduct::FilePayment, id, through).await?;
    let (_, file) = file_of(&consent).ok_or(Refusal::from_kind(RefusalKind::NotFound))?;
    require_stored(context, &file.id).await?;
    let media_type = file.media_type.clone();
    Ok(StoredFile { media_type, store: context.store.clone(), id: file.id.clone(), bytes: file.bytes })
}

/// Reads a file of this client again from its beginning. The number of files that are read at a time is limited, and clients take
/// turns.
///
/// # Errors
/// [`Failure::Refused`] if the file was purged; otherwise storage's failure.
pub async fn reread_file<T: Send + 'static>(
    context: &Context,
    client: &ClientId,
    file: &UploadedFile,
    read: impl FnOnce(&mut dyn BufRead) -> T + Send + 'static,
) -> Result<T, Failure> {
    require_stored(context, &file.id).await?;
    reading(context, client, file.id.clone(), file.bytes, move |mut stored, _| read(&mut stored)).await
}

/// Refuses a file that was purged after its time.
async fn require_stored(context: &Context, id: &UploadId) -> Result<(), Failure> {
    let asked = id.clone();
    let is_stored = context.store.read(move |tx| Ok::<_, Failure>(tx.upload_is_attached(&asked)?)).await?;
    if is_stored { Ok(()) } else { Err(Refusal::from_kind(RefusalKind::NotFound).into()) }
}

/// Runs a reader on a thread for files, which may block, with access to storage.
pub(super) async fn reading<T: Send + 'static>(
    context: &Context,
    client: &ClientId,
    id: UploadId,
    bytes: u64,
    work: impl FnOnce(StoredBytesReader, Handle) -> T + Send + 'static,
) -> Result<T, Failure> {
    let (store, runtime) = (context.store.clone(), Handle::current());
    let work = move || work(StoredBytesReader::of(store, runtime.clone(), id, bytes), runtime);
    context.payments.file_threads.run(client, work).await
}
