//! What workers do whatever the rows look like that they find.

mod broken_rows;
pub(crate) mod rows;
mod tables;
