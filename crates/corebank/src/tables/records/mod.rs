//! JSON documents in columns. What stands in a document alone, the types of the domain say themselves; the records here are
//! rows of which a part is in columns, by which they are found. The tests keep documents of every kind to the letter.

mod account;
mod arrangement;
mod entry;
#[cfg(test)]
mod product;
mod statement;
mod status_update;
#[cfg(test)]
mod tests;

pub(crate) use account::AccountRecord;
pub(crate) use arrangement::ArrangementRecord;
pub(crate) use entry::{EntryColumns, EntryRecord, column_status};
pub(crate) use statement::{StatementColumns, StatementRecord};
pub(crate) use status_update::StatusUpdateRecord;
