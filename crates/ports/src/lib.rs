#![doc = include_str!("../README.md")]

pub mod bank;
pub mod clock;
pub mod controls;
pub mod entropy;
pub mod failed_work;
pub mod identity;
pub mod key_source;
mod known_bank_time;
pub mod logo_source;
pub mod notification;
pub mod sets;
pub mod staff;
pub mod storage_wait;
pub mod store;
pub mod wake;
