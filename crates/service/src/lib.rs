//! The use-cases of the bank: what happens when a consent is made, authorised, read, revoked; what an account shows.
//!
//! Every use-case takes the [`Context`] (or, inside somebody's transaction, the part of it it needs) and reads top to
//! bottom as the standard does. No HTTP, no JSON, no SQL.

pub mod accounts;
pub mod consents;
pub mod events;
pub mod funds;
pub mod payments;
pub mod workers;

mod failure;

pub use failure::Failure;

use lombard_domain::ids::FapiInteractionId;
use lombard_ports::bank::Bank;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::Ids;
use lombard_ports::store::Store;
use std::sync::Arc;

/// What every use-case works with. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Context {
    /// Storage.
    pub store: Store,
    /// The bank's core.
    pub bank: Arc<dyn Bank>,
    /// Both clocks.
    pub clocks: Clocks,
    /// Ids and secrets.
    pub ids: Ids,
    /// The key account ids of TPPs are derived with; the same on every node. Source: AIS-087.
    pub alias_key: Arc<[u8]>,
    /// Where events are raised.
    pub outbox: events::Outbox,
    /// What the bank decides about payments.
    pub payments: payments::PaymentSettings,
}

impl Context {
    /// The same context for the use-cases of one call: the call with this interaction id is the cause of their events.
    /// Source: SET-016.
    #[must_use]
    pub fn caused_by(&self, call: Option<&FapiInteractionId>) -> Self {
        Self { outbox: self.outbox.caused_by(call), ..self.clone() }
    }
}
