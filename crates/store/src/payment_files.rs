//! Payment files: uploads and the chunks of their bytes. Their payments are in `file_lines`.

use super::file_lines;
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::not_quarantined;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::value::{SqlRow, SqlValue};
use lombard_database::{locking, statements};
use lombard_domain::ids::{ClientId, ConsentId, UploadId};
use lombard_domain::payment::file::FileLine;
use lombard_ports::store::{NewUpload, PaymentFileStore, StoreError, UnusedUploads};

statements! { "uploads" =>
    BEGIN = both(
        "INSERT INTO uploads (id, begun_at, kept, client_id, consent_id, bytes, used) VALUES ($1, $2, 0, $3, $4, $5, 0)");
    // Creates the row that is then locked. A concurrent transaction waits here until the first one ends.
    SENDER_ENSURE = both("INSERT INTO upload_senders (client_id) VALUES ($1) ON CONFLICT (client_id) DO NOTHING");
    SENDER_LOCKED = locking!("SELECT client_id FROM upload_senders WHERE client_id = $1");
    UNUSED = both(
        "SELECT COUNT(*), CAST(COALESCE(SUM(uploads.bytes), 0) AS BIGINT) FROM uploads \
         LEFT JOIN consents ON consents.id = uploads.consent_id \
         WHERE uploads.client_id = $1 AND uploads.used = 0 \
         AND (uploads.kept = 0 OR consents.state NOT IN ('authorised', 'consumed'))");
    ENDED = both(
        "SELECT uploads.id, uploads.consent_id FROM uploads JOIN consents ON consents.id = uploads.consent_id \
         WHERE uploads.used = 0 AND uploads.kept = 1 AND uploads.id > $1 AND consents.state <> 'consumed' AND ( \
         (consents.state IN ('rejected', 'revoked-by-psu', 'revoked-by-bank') AND consents.state_changed_at <= $2) \
         OR consents.deleted_at <= $2 OR consents.expires_at <= $2) \
         ORDER BY uploads.id LIMIT $3");
    NOTE_USED = both(
        "UPDATE uploads SET used = 1 WHERE id IN (SELECT uploads.id FROM uploads \
         JOIN consents ON consents.id = uploads.consent_id \
         WHERE uploads.used = 0 AND uploads.kept = 1 AND consents.state = 'consumed' LIMIT $1)");
    IS_KEPT = both("SELECT kept FROM uploads WHERE id = $1");
    IS_KEPT_LOCKED = locking!("SELECT kept FROM uploads WHERE id = $1");
    // An upload whose removal has begun has `begun_at` 0 and can no longer be attached.
    MARK_KEPT = both("UPDATE uploads SET kept = 1, bytes = $1 WHERE id = $2 AND begun_at > 0");
    MARK_REMOVED = both("UPDATE uploads SET kept = 0, begun_at = 0 WHERE id = $1");
    RESIZE = both("UPDATE uploads SET bytes = $1 WHERE id = $2");
    ABANDONED = both(concat!(
        "SELECT id FROM uploads WHERE kept = 0 AND begun_at <= $1 AND ",
        not_quarantined!("quarantined_work", "upload", "uploads.id"),
        " ORDER BY begun_at, id LIMIT $2"));
    PIECE_APPEND = both("INSERT INTO upload_pieces (upload_id, piece, bytes) VALUES ($1, $2, $3)");
    PIECE = both("SELECT bytes FROM upload_pieces WHERE upload_id = $1 AND piece = $2");
    PIECES_REMOVE = both(
        "DELETE FROM upload_pieces WHERE upload_id = $1 AND piece IN \
         (SELECT piece FROM upload_pieces WHERE upload_id = $1 LIMIT $2)");
    LINES_REMOVE = both(
        "DELETE FROM file_lines WHERE upload_id = $1 AND number IN \
         (SELECT number FROM file_lines WHERE upload_id = $1 LIMIT $2)");
    REMOVE = both("DELETE FROM uploads WHERE id = $1");
}

/// The rows of an upload, and how many of each are removed per transaction, so that SQLite's writer is not blocked for long.
const PARTS: [(&SqlStatement, u32); 2] = [(&PIECES_REMOVE, 16), (&LINES_REMOVE, 500)];

impl Rows<'_, '_> {
    /// Removes a part of an upload, or its last part and its row. If a part is left, `begun_at` is set to the epoch, so the
    /// upload can no longer be attached and counts as abandoned. Returns whether the upload is gone.
    fn remove_some(&mut self, id: &UploadId) -> Result<bool, StoreError> {
        let mut is_all = true;
        for (part, rows_max) in PARTS {
            let removed = self.execute(part, &[id.into(), i64::from(rows_max).into()])?;
            is_all &= removed < u64::from(rows_max);
        }
        self.execute(if is_all { &REMOVE } else { &MARK_REMOVED }, &[id.into()])?;
        Ok(is_all)
    }
}

impl PaymentFileStore for Rows<'_, '_> {
    fn upload_begin(&mut self, upload: &NewUpload, now: Timestamp) -> Result<(), StoreError> {
        let NewUpload { id, client, consent, bytes_max } = upload;
        let parameters = [id.into(), now.into(), client.into(), consent.into(), stored_size(*bytes_max).into()];
        self.execute_later(&BEGIN, &parameters)
    }

    fn uploads_unused(&mut self, client: &ClientId) -> Result<UnusedUploads, StoreError> {
        self.execute_later(&SENDER_ENSURE, &[client.into()])?;
        self.one(&SENDER_LOCKED, &[client.into()], |row| row.id::<ClientId>())?;
        let read = |row: &mut SqlRow<'_>| Ok(UnusedUploads { files: row.number()?, bytes: row.number()? });
        Ok(self.one(&UNUSED, &[client.into()], read)?.unwrap_or_default())
    }

    fn upload_append(&mut self, id: &UploadId, piece: u32, bytes: &[u8]) -> Result<(), StoreError> {
        self.execute(&PIECE_APPEND, &[id.into(), i64::from(piece).into(), SqlValue::Bytes(bytes)]).map(drop)
    }

    fn upload_piece(&mut self, id: &UploadId, piece: u32) -> Result<Option<Vec<u8>>, StoreError> {
        self.one(&PIECE, &[id.into(), i64::from(piece).into()], |row| row.bytes().map(<[u8]>::to_vec))
    }

    fn file_lines_append(&mut self, id: &UploadId, lines: &[FileLine]) -> Result<u64, StoreError> {
        file_lines::append(self, id, lines)
    }

    fn upload_resize(&mut self, id: &UploadId, bytes: u64) -> Result<(), StoreError> {
        self.execute_on(&RESIZE, &[stored_size(bytes).into(), id.into()], id.as_str())
    }

    fn file_lines(&mut self, id: &UploadId, after: u32, limit: u32) -> Result<Vec<FileLine>, StoreError> {
        file_lines::after(self, id, after, limit)
    }

    fn upload_attach(&mut self, id: &UploadId, bytes: u64) -> Result<(), StoreError> {
        self.execute_on(&MARK_KEPT, &[stored_size(bytes).into(), id.into()], id.as_str())
    }

    fn upload_is_attached(&mut self, id: &UploadId) -> Result<bool, StoreError> {
        Ok(self.one(&IS_KEPT, &[id.into()], |row| row.flag())?.unwrap_or(false))
    }

    fn uploads_abandoned(&mut self, begun_before: Timestamp, limit: u32) -> Result<Vec<UploadId>, StoreError> {
        self.all(&ABANDONED, &[begun_before.into(), i64::from(limit).into()], |row| row.id())
    }

    fn upload_remove(&mut self, id: &UploadId) -> Result<bool, StoreError> {
        // The row is locked first, so that a consent which attaches the upload at the same time either does so first, or does not
        // find the upload.
        let is_kept = self.one_locked(&IS_KEPT, &IS_KEPT_LOCKED, &[id.into()], |row| row.flag())?;
        if is_kept != Some(false) {
            return Ok(true);
        }
        self.remove_some(id)
    }

    fn uploads_ended(
        &mut self,
        ended_before: Timestamp,
        after: &UploadId,
        limit: u32,
    ) -> Result<Vec<(UploadId, ConsentId)>, StoreError> {
        let parameters = [after.into(), ended_before.into(), i64::from(limit).into()];
        self.all(&ENDED, &parameters, |row| Ok((row.id()?, row.id()?)))
    }

    fn upload_remove_attached(&mut self, id: &UploadId) -> Result<(), StoreError> {
        self.remove_some(id).map(drop)
    }

    fn uploads_mark_consumed(&mut self, limit: u32) -> Result<u64, StoreError> {
        self.execute(&NOTE_USED, &[i64::from(limit).into()])
    }
}

/// Converts a number of bytes to the stored integer.
fn stored_size(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
