#![doc = include_str!("../README.md")]

pub mod cli;
pub mod config;
pub mod entropy;
pub mod operator_file;
pub mod ops_client;
pub mod reference;
pub mod server;
pub mod telemetry;
pub mod tour;

mod output;
mod stored_files;
