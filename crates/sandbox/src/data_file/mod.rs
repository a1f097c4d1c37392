//! The sandbox's data file: customers, accounts and histories that a team can keep in its own repository.
//!
//! `file` defines the whole file. Its records are those of the core API (`lombard-core-api`); `records` adds the records that only the
//! sandbox has. `check` checks the records, `import` stores either all of them or none, and `export` writes a file that `import` accepts.
//! A file contains no secrets: a sandbox customer's password is the login.

mod check;
mod export;
mod file;
mod import;
mod rebase;
mod records;
#[cfg(test)]
mod tests;

pub use export::export_data_file;
pub use import::{ImportError, ImportOptions, import_data_file};

/// The JSON schema of data files.
pub fn data_file_schema() -> String {
    String::from_utf8(file::File::schema()).unwrap_or_default()
}
