//! Changes that server and bank report to each other outside any request: changes of consents and of accounts.

use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentKind, ConsentState};
use lombard_domain::event::AccountReason;
use lombard_domain::ids::{BankAccountId, ConsentId, FapiInteractionId, PsuId};
use lombard_domain::payment::vrp::ControlParameters;

/// How a consent stands after a change, as a core that holds mandates is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentChange {
    /// The consent.
    pub consent: ConsentId,
    /// Its kind.
    pub kind: ConsentKind,
    /// The number of the change: it rises with each change of the consent, with gaps. A core that has taken a higher one ignores
    /// the change.
    pub number: i64,
    /// When it was reported first (bank clock).
    pub at: Timestamp,
    /// The change.
    pub change: ConsentChangeKind,
    /// The customer who authorised it.
    pub psu: Option<PsuId>,
    /// The accounts it gives access to, or from which it allows payments.
    pub accounts: Vec<BankAccountId>,
    /// The limits of a VRP consent.
    pub limits: Option<ControlParameters>,
    /// When it expires (bank clock).
    pub expires_at: Option<Timestamp>,
}

/// What became of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentChangeKind {
    /// The customer authorised it for the first time.
    Authorised,
    /// It is authorised still, or again, and something about it changed: its accounts, the time of authentication, its form.
    Changed,
    /// It gives no access any more: the customer or the bank revoked it, or the TPP deleted it.
    Revoked,
    /// It expired.
    Expired,
}

impl ConsentChangeKind {
    /// What a core is told when a consent changes; `None` if nothing that concerns it did. A payment consent that is consumed is
    /// told by its order.
    pub fn between(before: &Consent, after: &Consent) -> Option<Self> {
        after.authorised_at?;
        if before.authorised_at.is_none() {
            return Some(Self::Authorised);
        }
        if is_ended(after) {
            return (!is_ended(before)).then_some(Self::Revoked);
        }
        let of_consent = |it: &Consent| (it.state, it.authenticated_at, it.expires_at, it.submitted.version);
        let is_same = of_consent(before) == of_consent(after) && before.accounts == after.accounts;
        (after.state == ConsentState::Authorised && !is_same).then_some(Self::Changed)
    }
}

impl ConsentChange {
    /// The number of the last change of a consent. That of its expiry is the next.
    pub fn number_of(consent: &Consent) -> i64 {
        consent.epoch.saturating_mul(2)
    }

    /// How a consent stands after a change.
    pub fn new(consent: &Consent, number: i64, change: ConsentChangeKind, at: Timestamp) -> Self {
        let vrp = consent.terms.payment().and_then(|payment| payment.terms.instruction.vrp());
        Self {
            consent: consent.id.clone(),
            kind: consent.terms.kind(),
            number,
            at,
            change,
            psu: consent.psu.clone(),
            accounts: consent.accounts.iter().map(|selected| selected.account.clone()).collect(),
            limits: vrp.map(|vrp| vrp.controls.clone()),
            expires_at: consent.access_ends_at(),
        }
    }
}

/// Whether it gives no access any more, but for its expiry.
fn is_ended(consent: &Consent) -> bool {
    consent.deleted_at.is_some() || matches!(consent.state, ConsentState::Revoked(_))
}

/// A change of an account at the bank that its TPPs are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountChange {
    /// The number of the change over the whole bank, from 1 without gaps. A number is never given again.
    pub number: u64,
    /// The account, which is not open to third parties any more.
    pub account: BankAccountId,
    /// When it happened (bank clock).
    pub at: Timestamp,
    /// The reason that TPPs are told; `None` for one that the standard has no code for (SET-040).
    pub reason: Option<AccountReason>,
    /// The interaction id of the request in which it happened, if there was one: the `txn` of the events. Source: SET-016.
    pub interaction_id: Option<FapiInteractionId>,
}
