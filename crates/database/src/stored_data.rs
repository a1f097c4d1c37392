//! Describes what each table and file holds, why, for how long, and what an erasure does to it. It is data: the reference
//! `docs/reference/data.md` is written from it, and a test compares it with the tables of both engines.

/// How a table or file relates to customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Personal {
    /// It holds nothing about a customer.
    No,
    /// It holds ids, times or digests that lead to a customer only together with another table.
    Pseudonymous,
    /// It holds names, numbers of accounts, references or other data of customers.
    Yes,
    /// It holds data about the bank's own staff.
    Staff,
}

impl Personal {
    /// The word for the reference.
    pub const fn word(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Pseudonymous => "ids only",
            Self::Yes => "yes",
            Self::Staff => "of staff",
        }
    }
}

/// What the erasure of a customer does to the customer's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// There are no rows of a customer.
    NoRows,
    /// The rows are deleted.
    Deleted,
    /// The rows stay, for the ledger or a regulator, without personal data; the text says what stays.
    Pseudonymised(&'static str),
    /// The rows stay as they are; the text says why.
    Kept(&'static str),
}

/// A table or a file, and what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredData {
    /// The name of the table, or the path in the data folder.
    pub name: &'static str,
    /// What it holds.
    pub content: &'static str,
    /// How it relates to customers.
    pub personal: Personal,
    /// Why it is kept.
    pub purpose: &'static str,
    /// How long it is kept. A name of a setting is between grave accents.
    pub kept: &'static str,
    /// What an erasure does to it.
    pub erasure: Erasure,
}

/// Declares descriptions: name, content, relation to customers, purpose, time and erasure.
#[macro_export]
macro_rules! stored_data {
    ($($name:literal: $content:literal, $personal:ident, $purpose:literal, $kept:literal, $erasure:ident $(($text:literal))?;)+) => {
        &[$($crate::StoredData {
            name: $name,
            content: $content,
            personal: $crate::Personal::$personal,
            purpose: $purpose,
            kept: $kept,
            erasure: $crate::Erasure::$erasure $(($text))?,
        }),+]
    };
}
