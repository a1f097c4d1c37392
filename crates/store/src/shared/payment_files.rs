//! Files of payments: uploads and the pieces of their bytes. The payments in them are in `file_lines`.

use super::file_lines;
use super::session::{Session, Sql};
use super::statement::{Statement, both, locking, statements};
use super::value::Value;
use jiff::Timestamp;
use lombard_domain::file::FileLine;
use lombard_domain::ids::UploadId;
use lombard_ports::store::{PaymentFileStore, StoreError};

statements! { "uploads" =>
    BEGIN = both("INSERT INTO uploads (id, begun_at, kept) VALUES ($1, $2, 0)");
    IS_KEPT = both("SELECT kept FROM uploads WHERE id = $1");
    IS_KEPT_LOCKED = locking!("SELECT kept FROM uploads WHERE id = $1");
    KEEP = both("UPDATE uploads SET kept = 1 WHERE id = $1");
    ABANDONED = both(
        "SELECT id FROM uploads WHERE kept = 0 AND begun_at <= $1 ORDER BY begun_at, id LIMIT $2");
    PIECE_APPEND = both("INSERT INTO upload_pieces (upload_id, piece, bytes) VALUES ($1, $2, $3)");
    PIECE = both("SELECT bytes FROM upload_pieces WHERE upload_id = $1 AND piece = $2");
    PIECES_REMOVE = both("DELETE FROM upload_pieces WHERE upload_id = $1");
    LINES_REMOVE = both("DELETE FROM file_lines WHERE upload_id = $1");
    REMOVE = both("DELETE FROM uploads WHERE id = $1");
}

/// What an upload consists of, those that refer to others first.
const PARTS: [&Statement; 3] = [&PIECES_REMOVE, &LINES_REMOVE, &REMOVE];

impl<S: Sql> PaymentFileStore for Session<S> {
    fn upload_begin(&mut self, id: &UploadId, now: Timestamp) -> Result<(), StoreError> {
        self.execute(&BEGIN, &[id.into(), now.into()]).map(drop)
    }

    fn upload_append(&mut self, id: &UploadId, piece: u32, bytes: &[u8]) -> Result<(), StoreError> {
        self.execute(&PIECE_APPEND, &[id.into(), i64::from(piece).into(), Value::Bytes(bytes)]).map(drop)
    }

    fn upload_piece(&mut self, id: &UploadId, piece: u32) -> Result<Option<Vec<u8>>, StoreError> {
        self.one(&PIECE, &[id.into(), i64::from(piece).into()], |row| row.bytes().map(<[u8]>::to_vec))
    }

    fn file_lines_append(&mut self, id: &UploadId, lines: &[FileLine]) -> Result<(), StoreError> {
        file_lines::append(self, id, lines)
    }

    fn file_lines(&mut self, id: &UploadId, after: u32, limit: u32) -> Result<Vec<FileLine>, StoreError> {
        file_lines::after(self, id, after, limit)
    }

    fn upload_keep(&mut self, id: &UploadId) -> Result<(), StoreError> {
        self.execute_on(&KEEP, &[id.into()], id.as_str())
    }

    fn uploads_abandoned(&mut self, begun_before: Timestamp, limit: u32) -> Result<Vec<UploadId>, StoreError> {
        self.all(&ABANDONED, &[begun_before.into(), i64::from(limit).into()], |row| row.id())
    }

    fn upload_remove(&mut self, id: &UploadId) -> Result<(), StoreError> {
        // Locked first: a consent that takes it at this moment comes before or finds nothing.
        let is_kept = self.one(self.may_lock(&IS_KEPT, &IS_KEPT_LOCKED), &[id.into()], |row| row.flag())?;
        if is_kept != Some(false) {
            return Ok(());
        }
        PARTS.into_iter().try_for_each(|part| self.execute(part, &[id.into()]).map(drop))
    }
}
