//! The payments of uploaded files.

use lombard_database::SqlTransaction;
use lombard_database::document;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::SqlRow;
use lombard_domain::ids::UploadId;
use lombard_domain::payment::file::FileLine;
use lombard_ports::store::StoreError;

statements! { "file_lines" =>
    APPEND = both("INSERT INTO file_lines (upload_id, number, line) VALUES ($1, $2, $3)");
    AFTER = both(
        "SELECT upload_id, number, line FROM file_lines WHERE upload_id = $1 AND number > $2 ORDER BY number LIMIT $3");
}

/// The storage overhead of a row in addition to its line, in bytes: the key and the engine's own data.
const ROW_BYTES: usize = 64;

/// The fraction of each page that the database leaves free, as its denominator (measured on SQLite: a ninth).
const FREE_PART: usize = 8;

pub(super) fn append(session: &mut SqlTransaction<'_>, id: &UploadId, lines: &[FileLine]) -> Result<u64, StoreError> {
    let mut bytes = 0_usize;
    let mut rows = Vec::with_capacity(lines.len());
    for line in lines {
        let text = document::write(line);
        bytes = bytes.saturating_add(text.len() + text.len() / FREE_PART + ROW_BYTES);
        rows.push(vec![id.into(), i64::from(line.number).into(), text.into()]);
    }
    session.execute_many(&APPEND, &rows)?;
    Ok(u64::try_from(bytes).unwrap_or(u64::MAX))
}

pub(super) fn after(
    session: &mut SqlTransaction<'_>,
    id: &UploadId,
    after: u32,
    limit: u32,
) -> Result<Vec<FileLine>, StoreError> {
    session.all(&AFTER, &[id.into(), i64::from(after).into(), i64::from(limit).into()], read)
}

fn read(row: &mut SqlRow<'_>) -> Result<FileLine, StoreError> {
    row.text()?;
    let number = row.number()?;
    row.parsed(|line| document::read(line).map(|line: FileLine| FileLine { number, ..line }))
}
