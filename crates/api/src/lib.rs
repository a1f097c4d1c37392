#![doc = include_str!("../README.md")]

pub mod catalogue;
pub mod extract;
pub mod handlers;
