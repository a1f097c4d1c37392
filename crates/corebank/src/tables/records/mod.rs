//! JSON documents in columns. The domain's types define the documents that hold a complete value. The records here belong to rows that
//! also hold some values in columns, by which queries find the rows. The tests compare documents of every kind with stored ones
//! verbatim.

mod account;
mod arrangement;
mod entry;
#[cfg(test)]
mod product;
mod statement;
#[cfg(test)]
mod tests;

pub(crate) use account::AccountRecord;
pub(crate) use arrangement::ArrangementRecord;
pub(crate) use entry::{EntryColumns, EntryRecord, column_status};
pub(crate) use statement::{StatementColumns, StatementRecord};
