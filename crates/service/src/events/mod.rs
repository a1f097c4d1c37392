//! Events: raised with the change they tell of, offered until acknowledged. Source: EVT-*, SET-*.
//!
//! A use-case raises what happened through the [`Outbox`] of its context, inside the transaction that makes it happen;
//! storage wakes who waits after the commit. A poll goes through the [`EventPolling`].

mod accounts;
mod desk;
mod handed;
mod held;
mod lobby;
mod meters;
mod outbox;
mod parked;
mod upkeep;

#[cfg(test)]
mod tests;

pub use accounts::raise_account_changed;
pub use desk::{EventPolling, Page, PollingClient, Settings, Told};
pub use handed::DeliveryReceipt;
pub use lobby::Lobby;
pub use outbox::Outbox;
pub use parked::{parked, reported, requeue};
pub use upkeep::Keeping;
