//! Files of payments: their bytes as they came, and the payments read from them. Nothing here holds a whole file.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::file::FileLine;
use lombard_domain::ids::{ClientId, ConsentId, UploadId};

/// An upload that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUpload {
    /// Its id.
    pub id: UploadId,
    /// Who sends it.
    pub client: ClientId,
    /// The consent it is sent for.
    pub consent: ConsentId,
    /// Most bytes of storage it may take; they count as taken until its size is known.
    pub bytes_max: u64,
}

/// What uploads take that nobody has authorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnusedUploads {
    /// How many there are.
    pub files: u64,
    /// How many bytes of storage they take, or may take.
    pub bytes: u64,
}

/// The bytes and the payments of uploaded files. An upload that no consent took is as good as none, and is removed.
pub trait PaymentFileStore {
    /// Begins an upload.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn upload_begin(&mut self, upload: &NewUpload, now: Timestamp) -> Result<(), StoreError>;

    /// What the uploads of a client take whose consents are neither authorised nor used, those under way included. The
    /// client's uploads are locked until the transaction ends: whoever asks second waits. Only in a writing transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_unused(&mut self, client: &ClientId) -> Result<UnusedUploads, StoreError>;

    /// Adds the next piece of its bytes; pieces are counted from 0.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if there is such a piece, [`StoreError::Corrupt`] if there is no such upload (any more).
    fn upload_append(&mut self, id: &UploadId, piece: u32, bytes: &[u8]) -> Result<(), StoreError>;

    /// A piece of its bytes; `None` after the last.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_piece(&mut self, id: &UploadId, piece: u32) -> Result<Option<Vec<u8>>, StoreError>;

    /// Keeps payments that were read from it. Their numbers must be new. Returns how many bytes of storage they take, about.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if it has a payment of such a number, [`StoreError::Corrupt`] if there is no such upload.
    fn file_lines_append(&mut self, id: &UploadId, lines: &[FileLine]) -> Result<u64, StoreError>;

    /// Notes how many bytes of storage an upload may take, or takes.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if there is no such upload (any more).
    fn upload_resize(&mut self, id: &UploadId, bytes: u64) -> Result<(), StoreError>;

    /// Its payments after a number, by number; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn file_lines(&mut self, id: &UploadId, after: u32, limit: u32) -> Result<Vec<FileLine>, StoreError>;

    /// Notes that a consent took it, and how many bytes of storage it takes: it stays.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if there is no such upload (any more).
    fn upload_keep(&mut self, id: &UploadId, bytes: u64) -> Result<(), StoreError>;

    /// Uploads begun at or before a time that no consent took and that are not in quarantine, the oldest first; at most
    /// `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_abandoned(&mut self, begun_before: Timestamp, limit: u32) -> Result<Vec<UploadId>, StoreError>;

    /// Removes a bounded part of an upload that no consent took, and its row with the last part; one that a consent took stays
    /// as it is. `false` if something is left: no consent can take it any more, and it is among the abandoned ones.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_remove(&mut self, id: &UploadId) -> Result<bool, StoreError>;

    /// Uploads whose consents ended at or before a time (bank clock) without an order: rejected, revoked, deleted or expired.
    /// By id, after this one; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_ended(
        &mut self,
        ended_before: Timestamp,
        after: &UploadId,
        limit: u32,
    ) -> Result<Vec<(UploadId, ConsentId)>, StoreError>;

    /// Removes a bounded part of an upload that a consent took. What is left of it is among the abandoned ones.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_remove_kept(&mut self, id: &UploadId) -> Result<(), StoreError>;

    /// Notes of a batch of uploads that their consents were used: they stay for good, and are not looked at again. Returns of
    /// how many.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_note_used(&mut self, limit: u32) -> Result<u64, StoreError>;
}
