//! What workers do whatever the rows look like that they find.

mod broken_rows;
mod rows;
mod tables;
