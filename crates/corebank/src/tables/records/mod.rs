//! JSON documents in columns: records private to the bank's tables, so that no domain type can change what is stored by being
//! renamed. A record's member names never change their meaning; new members are optional.

mod account;
mod arrangement;
mod entry;
mod news;
mod party;
#[cfg(test)]
mod product;
mod statement;
mod sum;

pub(crate) use account::AccountRecord;
pub(crate) use arrangement::ArrangementRecord;
pub(crate) use entry::{EntryColumns, EntryRecord};
pub(crate) use news::StatusUpdateRecord;
pub(crate) use party::PartyRecord;
pub(crate) use statement::{StatementColumns, StatementRecord};
