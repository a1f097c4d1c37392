//! What was found by looking, from step to step.

use super::orders::PaymentAtBank;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::order::Order;
use std::collections::{BTreeMap, HashMap};

/// Most of anything that is read at once; an episode makes far less.
pub(super) const MOST: u32 = 10_000;

/// What is known of an order from looking.
#[derive(Debug)]
pub(super) struct ObservedOrder {
    pub(super) order: Order,
    /// Its payments as the bank has them: what was heard of them, and what was told and not heard yet.
    pub(super) payments: BTreeMap<u32, PaymentAtBank>,
    /// Whether nothing can happen to it any more.
    pub(super) over: bool,
}

/// What was found by looking so far.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    pub(super) consents: HashMap<ConsentId, Consent>,
    pub(super) seen: BTreeMap<OrderId, ObservedOrder>,
    /// How often a TPP was told of each resource.
    pub(super) events: HashMap<String, usize>,
    /// How often it should have been told of each consent.
    pub(super) decided: HashMap<ConsentId, usize>,
    /// How many news there were of each order at the bank.
    pub(super) updates: HashMap<OrderId, u32>,
    /// When the price of each payment of an order at the bank was that of the day: when it was reserved, and then debited.
    pub(super) priced_at: HashMap<(OrderId, u32), Timestamp>,
    /// Whether the bank made each order of its own, by the first that it told of it.
    pub(super) made: HashMap<OrderId, bool>,
}

impl Audit {
    /// How a consent stood when it was last looked at.
    pub(crate) fn stands(&self, id: &ConsentId) -> Option<ConsentState> {
        self.consents.get(id).map(|consent| consent.state)
    }

    /// Whether anything may still become of a consent.
    pub(super) fn is_open(&self, id: &ConsentId) -> bool {
        self.consents.get(id).is_none_or(|consent| !is_final(consent))
    }

    /// How often a TPP was told of a resource.
    pub(super) fn event_count(&self, about: &str) -> usize {
        self.events.get(about).copied().unwrap_or(0)
    }
}

/// Whether nothing can become of a consent any more. What was ended at the bank may be given again.
pub(super) const fn is_final(consent: &Consent) -> bool {
    match consent.state {
        ConsentState::AwaitingUpload
        | ConsentState::AwaitingAuthorisation
        | ConsentState::Authorised
        | ConsentState::Revoked(_) => consent.deleted_at.is_some(),
        ConsentState::Rejected | ConsentState::Consumed => true,
    }
}
