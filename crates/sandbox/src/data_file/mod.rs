//! The sandbox's data file: customers, accounts and histories that a team can keep in its own repository.
//!
//! `file` is the whole file, `records` declares the form of each record, and `shape` derives parsing, serialisation and the
//! schema from that declaration. `check` checks the records, `import` stores them, all or none, and `export` writes what
//! `import` reads. A file contains no secrets: a sandbox customer's password is the login.

mod check;
mod export;
mod faults;
mod file;
mod import;
mod iso;
mod node;
mod rebase;
mod records;
mod shape;
#[cfg(test)]
mod tests;
mod values;
mod words;

pub use export::export_data_file;
pub use import::{ImportError, ImportOptions, import_data_file};

/// The JSON schema of data files.
pub fn data_file_schema() -> String {
    String::from_utf8(file::File::schema()).unwrap_or_default()
}
