//! The payments of uploaded files.

use super::records::FileLineRecord;
use super::session::{Session, Sql};
use super::statement::{both, statements};
use super::value::Row;
use lombard_domain::file::FileLine;
use lombard_domain::ids::UploadId;
use lombard_ports::store::StoreError;

statements! { "file_lines" =>
    APPEND = both("INSERT INTO file_lines (upload_id, number, line) VALUES ($1, $2, $3)");
    AFTER = both(
        "SELECT upload_id, number, line FROM file_lines WHERE upload_id = $1 AND number > $2 ORDER BY number LIMIT $3");
}

pub(super) fn append<S: Sql>(session: &mut Session<S>, id: &UploadId, lines: &[FileLine]) -> Result<(), StoreError> {
    let row = |line: &'_ FileLine| vec![id.into(), i64::from(line.number).into(), FileLineRecord::write(line).into()];
    let rows: Vec<_> = lines.iter().map(row).collect();
    session.execute_many(&APPEND, &rows).map(drop)
}

pub(super) fn after<S: Sql>(
    session: &mut Session<S>,
    id: &UploadId,
    after: u32,
    limit: u32,
) -> Result<Vec<FileLine>, StoreError> {
    session.all(&AFTER, &[id.into(), i64::from(after).into(), i64::from(limit).into()], read)
}

fn read(row: &mut Row<'_>) -> Result<FileLine, StoreError> {
    row.text()?;
    let number = row.number()?;
    row.parsed(|line| FileLineRecord::read(line, number))
}
