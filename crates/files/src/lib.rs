#![doc = include_str!("../README.md")]

mod access;
mod disk;
mod write;

#[cfg(test)]
mod tests;

pub use access::{FileAccess, FileLifetime};
pub use write::{create_file, create_folder, move_file, write_file};
