//! The bytes of a file in storage: kept as they come, piece by piece, and read again from there.

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

/// How large the pieces are that a file is kept in, in bytes. A piece is in memory a few times while it is written: as received,
/// and in the database's own buffers.
const PIECE: usize = 64 << 10;

/// What is counted for a file on its way, as a multiple of its bytes: itself, and the payments read from it, which are
/// stored beside it and take somewhat more.
const STORED_PER_BYTE: u64 = 3;

/// After how many seconds a client whose quota is used up may try again: customers decide in minutes.
const QUOTA_RETRY_SECS: i64 = 60;

/// A file that is being kept. Dropped before anybody wanted it, it is removed: its sender may be gone at any moment.
#[derive(Debug)]
pub(super) struct UploadWriter {
    store: Store,
    id: UploadId,
    pieces: u32,
    pending: Vec<u8>,
    /// What counts as taken for it.
    reserved: u64,
    /// Whether it is somebody's, or gone already.
    is_settled: bool,
}

impl Drop for UploadWriter {
    fn drop(&mut self) {
        // Without a runtime the process ends; the sweep finds it at the next start.
        if let (false, Ok(runtime)) = (self.is_settled, Handle::try_current()) {
            runtime.spawn(remove(self.store.clone(), self.id.clone()));
        }
    }
}

/// Removes what nobody took. What cannot be removed now is swept later.
async fn remove(store: Store, id: UploadId) {
    if let Err(error) = store.write(move |tx| Ok::<_, Failure>(tx.upload_remove(&id)?)).await {
        tracing::warn!(error = &error as &dyn std::error::Error, "an abandoned file was not removed");
    }
}

impl UploadWriter {
    /// Begins an upload of at most so many bytes that nobody knows of yet, and counts what it may take of storage as taken.
    /// The quota is looked at in the transaction that begins it, with the client's uploads locked, so that uploads at once
    /// cannot pass it together on any node.
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

    /// How many bytes of storage count as taken for it.
    pub(super) const fn reserved(&self) -> u64 {
        self.reserved
    }

    /// Keeps more of it.
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

    /// Keeps what is pending: nothing more will come.
    pub(super) async fn flush(&mut self) -> Result<(), Failure> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let (id, number, piece) = (self.id.clone(), self.pieces, std::mem::take(&mut self.pending));
        self.store.write(move |tx| Ok::<_, Failure>(tx.upload_append(&id, number, &piece)?)).await?;
        self.pieces = self.pieces.saturating_add(1);
        Ok(())
    }

    /// It is a consent's from now on.
    pub(super) fn mark_attached(mut self) {
        self.is_settled = true;
    }

    /// Forgets it. What cannot be removed now is swept later.
    pub(super) async fn forget(mut self) {
        remove(self.store.clone(), self.id.clone()).await;
        self.is_settled = true;
    }
}

/// # Errors
/// [`Failure::Refused`] if the client's uploads take more bytes than its quota has; otherwise storage's failure.
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

/// The bytes of an upload, for a reader that waits for them. It must not run where others wait for it to let go.
pub(super) struct StoredBytesReader {
    store: Store,
    runtime: Handle,
    id: UploadId,
    next: u32,
    piece: Vec<u8>,
    taken: usize,
    /// How many bytes are still to come.
    left: u64,
}

impl StoredBytesReader {
    /// All of an upload of this size.
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

/// A file as it is given back: its very bytes, as often as they are asked for. Source: FILE-020.
#[derive(Debug, Clone)]
pub struct StoredFile {
    /// The media type it came as, whole.
    pub media_type: String,
    store: Store,
    id: UploadId,
    bytes: u64,
}

impl StoredFile {
    /// Its bytes, piece by piece. A file that is removed meanwhile ends as one that is not found, never early.
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

/// The file of a consent, for the TPP that sent it, in every state that follows. Source: FILE-020.
///
/// # Errors
/// [`Failure::Refused`]: no such consent, another TPP's or not the token's; or not found while the file has not come.
/// Otherwise storage's failure.
pub async fn download_file(
    context: &Context,
    reader: impl Into<ReadCaller>,
    id: &ConsentId,
    through: Version,
) -> Result<StoredFile, Failure> {
    let consent = consents::read_payment_consent(context, reader, PaymentProduct::FilePayment, id, through).await?;
    let (_, file) = file_of(&consent).ok_or(Refusal::from_kind(RefusalKind::NotFound))?;
    let media_type = file.media_type.clone();
    Ok(StoredFile { media_type, store: context.store.clone(), id: file.id.clone(), bytes: file.bytes })
}

/// Reads a file of this client once more from its beginning. So many files are read at a time, and no more; clients take
/// turns.
///
/// # Errors
/// Storage's failure.
pub async fn reread_file<T: Send + 'static>(
    context: &Context,
    client: &ClientId,
    file: &UploadedFile,
    read: impl FnOnce(&mut dyn BufRead) -> T + Send + 'static,
) -> Result<T, Failure> {
    reading(context, client, file.id.clone(), file.bytes, move |mut stored, _| read(&mut stored)).await
}

/// Runs a reader on a thread for files, where it may wait, with a way to storage.
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
