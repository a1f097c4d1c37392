//! JSON documents in columns. The types of the domain define the documents that hold a complete value; the records here
//! belong to rows of which some values are in columns, by which the rows are found. The tests compare documents of
//! every kind with stored ones verbatim.

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
