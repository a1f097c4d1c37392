//! Workers with corrupt rows.

mod broken_rows;
pub(crate) mod rows;
mod tables;
mod uploads;
