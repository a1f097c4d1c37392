//! Payment files: their bytes as uploaded, and the payments parsed from them. No method handles a whole file.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, ConsentId, UploadId};
use lombard_domain::payment::file::FileLine;

/// A new upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUpload {
    /// Its id.
    pub id: UploadId,
    /// The client that uploads it.
    pub client: ClientId,
    /// The consent for which it is uploaded.
    pub consent: ConsentId,
    /// The maximum storage in bytes; counted against the quota until the size is known.
    pub bytes_max: u64,
}

/// The storage used by uploads that are not authorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnusedUploads {
    /// The number of uploads.
    pub files: u64,
    /// The bytes of storage that they use or may use.
    pub bytes: u64,
}

/// The bytes and payments of uploaded files. An upload that is not attached to a consent is abandoned, and is removed.
pub trait PaymentFileStore {
    /// Begins an upload.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn upload_begin(&mut self, upload: &NewUpload, now: Timestamp) -> Result<(), StoreError>;

    /// The storage used by a client's uploads whose consents are neither authorised nor consumed, including uploads in
    /// progress. The client's uploads are locked until the transaction ends, so a concurrent caller waits. Only in a
    /// writing transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_unused(&mut self, client: &ClientId) -> Result<UnusedUploads, StoreError>;

    /// Appends a piece of the bytes; pieces are numbered from 0.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if the piece exists, [`StoreError::Corrupt`] if the upload does not exist (any more).
    fn upload_append(&mut self, id: &UploadId, piece: u32, bytes: &[u8]) -> Result<(), StoreError>;

    /// A piece of the bytes; `None` after the last.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_piece(&mut self, id: &UploadId, piece: u32) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores parsed payments, whose numbers must be new. Returns the approximate bytes of storage that they use.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if a payment has the number, [`StoreError::Corrupt`] if the upload does not exist.
    fn file_lines_append(&mut self, id: &UploadId, lines: &[FileLine]) -> Result<u64, StoreError>;

    /// Sets the bytes of storage that an upload uses or may use.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the upload does not exist (any more).
    fn upload_resize(&mut self, id: &UploadId, bytes: u64) -> Result<(), StoreError>;

    /// The payments after a number, sorted by number; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn file_lines(&mut self, id: &UploadId, after: u32, limit: u32) -> Result<Vec<FileLine>, StoreError>;

    /// Marks an upload as attached to its consent, with the bytes of storage that it uses.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the upload does not exist (any more).
    fn upload_attach(&mut self, id: &UploadId, bytes: u64) -> Result<(), StoreError>;

    /// Whether an upload is attached to its consent and not removed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_is_attached(&mut self, id: &UploadId) -> Result<bool, StoreError>;

    /// Uploads begun at or before a time that are neither attached to a consent nor quarantined, oldest first; at most
    /// `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_abandoned(&mut self, begun_before: Timestamp, limit: u32) -> Result<Vec<UploadId>, StoreError>;

    /// Removes a bounded part of an upload that is not attached to a consent, and its row with the last part; an
    /// attached upload is unchanged. `false` if a part remains: the upload can no longer be attached and counts as
    /// abandoned.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_remove(&mut self, id: &UploadId) -> Result<bool, StoreError>;

    /// Attached uploads whose consents ended without an order at or before a time (bank clock): rejected, revoked,
    /// deleted or expired. Sorted by id after this one; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_ended(
        &mut self,
        ended_before: Timestamp,
        after: &UploadId,
        limit: u32,
    ) -> Result<Vec<(UploadId, ConsentId)>, StoreError>;

    /// Removes a bounded part of an attached upload. The rest counts as abandoned.
    ///
    /// # Errors
    /// [`StoreError`].
    fn upload_remove_attached(&mut self, id: &UploadId) -> Result<(), StoreError>;

    /// Marks a batch of uploads whose consents were consumed: they are kept permanently and not examined again. Returns
    /// the number marked.
    ///
    /// # Errors
    /// [`StoreError`].
    fn uploads_mark_consumed(&mut self, limit: u32) -> Result<u64, StoreError>;
}
