//! Files that are on the disk before anybody is told of them.
//!
//! The program writes its files here and nowhere else; `cargo xtask tidy` lists who does. A file is written under a temporary name,
//! synced and renamed, and its folder is synced, so that after a power cut it is the former one or the new one, and the new one once the
//! call has returned. This crate knows no file by name and no format.

mod access;
mod disk;
mod write;

#[cfg(test)]
mod tests;

pub use access::{FileAccess, FileLifetime};
pub use write::{create_file, create_folder, move_file, write_file};
