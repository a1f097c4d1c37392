//! The sandbox's data file: customers, accounts and histories that a team keeps in its own repository.
//!
//! `file` is the whole of it, `records` says how each record stands there, and `shape` makes reading, writing and the
//! schema of that one description. `check` judges what a file says, `import` brings it in, all or nothing, and `export`
//! writes what `import` reads. Nothing secret is ever in a file: a customer's password in the sandbox is the login.

mod check;
mod export;
mod faults;
mod file;
mod import;
mod node;
mod rebase;
mod records;
mod shape;
#[cfg(test)]
mod tests;
mod values;
mod words;

pub use export::export_data_file;
pub use import::{ImportError, import_data_file};

/// The JSON schema of data files.
pub fn data_file_schema() -> String {
    String::from_utf8(file::File::schema()).unwrap_or_default()
}
