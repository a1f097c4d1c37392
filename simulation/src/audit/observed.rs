//! The state that the audit has observed so far.

use super::orders::PaymentAtBank;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::order::Order;
use std::collections::{BTreeMap, HashMap};

/// The limit of every query. An episode creates far fewer rows.
pub(super) const MOST: u32 = 10_000;

/// The observed state of an order.
#[derive(Debug)]
pub(super) struct ObservedOrder {
    pub(super) order: Order,
    /// The order's payments, by the bank's applied and pending status updates.
    pub(super) payments: BTreeMap<u32, PaymentAtBank>,
    /// Whether the order's state is final.
    pub(super) over: bool,
}

/// The audit with the state observed so far.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    pub(super) consents: HashMap<ConsentId, Consent>,
    pub(super) seen: BTreeMap<OrderId, ObservedOrder>,
    /// The number of events raised for each resource.
    pub(super) events: HashMap<String, usize>,
    /// The expected number of events for each consent.
    pub(super) decided: HashMap<ConsentId, usize>,
    /// The number of status updates of each order at the bank.
    pub(super) updates: HashMap<OrderId, u32>,
    /// The time at which each payment was priced at the rate of the day: when it was reserved, and then when it was debited.
    pub(super) priced_at: HashMap<(OrderId, u32), Timestamp>,
    /// Whether the bank accepted each order, by its first status update.
    pub(super) made: HashMap<OrderId, bool>,
}

impl Audit {
    /// The state of a consent at the last audit.
    pub(crate) fn stands(&self, id: &ConsentId) -> Option<ConsentState> {
        self.consents.get(id).map(|consent| consent.state)
    }

    /// Whether a consent may still change its state.
    pub(super) fn is_open(&self, id: &ConsentId) -> bool {
        self.consents.get(id).is_none_or(|consent| !is_final(consent))
    }

    /// The number of events raised for a resource.
    pub(super) fn event_count(&self, about: &str) -> usize {
        self.events.get(about).copied().unwrap_or(0)
    }
}

/// Whether a consent's state is final. A consent revoked at the bank may be authorised again.
pub(super) const fn is_final(consent: &Consent) -> bool {
    match consent.state {
        ConsentState::AwaitingUpload
        | ConsentState::AwaitingAuthorisation
        | ConsentState::Authorised
        | ConsentState::Revoked(_) => consent.deleted_at.is_some(),
        ConsentState::Rejected | ConsentState::Consumed => true,
    }
}
