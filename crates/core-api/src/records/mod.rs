//! The form of a bank's records: the standard's response objects, with additional members of the bank.

mod account;
mod arrangement;
mod entry;
mod frequency;
mod full;
mod product;
mod product_charges;
mod statement;

pub use account::PartyAddress;
pub(crate) use account::describe_account;
pub(crate) use frequency::AnyFrequency;
pub use full::{FullAccount, FullEntry, FullStandingOrder};
