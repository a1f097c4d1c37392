//! Changes that the server and the bank report to each other outside requests: changes of consents and of accounts.

use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentKind, ConsentState};
use lombard_domain::event::AccountReason;
use lombard_domain::ids::{BankAccountId, ConsentId, FapiInteractionId, PsuId};
use lombard_domain::payment::vrp::ControlParameters;

/// The state of a consent after a change, as reported to a core that holds mandates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentChange {
    /// The consent.
    pub consent: ConsentId,
    /// Its kind.
    pub kind: ConsentKind,
    /// The number of the change: it increases with each change of the consent, with gaps. A core that has processed a higher
    /// number ignores the change.
    pub number: i64,
    /// When the change was reported first (bank clock).
    pub at: Timestamp,
    /// The change.
    pub change: ConsentChangeKind,
    /// The customer who authorised it.
    pub psu: Option<PsuId>,
    /// The accounts to which the consent gives access, or from which it allows payments.
    pub accounts: Vec<BankAccountId>,
    /// The limits of a VRP consent.
    pub limits: Option<ControlParameters>,
    /// When the consent expires (bank clock).
    pub expires_at: Option<Timestamp>,
}

/// The kind of a change of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentChangeKind {
    /// The customer authorised it for the first time.
    Authorised,
    /// The consent is still authorised, or authorised again, and one of its facts changed: its accounts, the time of
    /// authentication, its form.
    Changed,
    /// The consent gives no access any more: the customer or the bank revoked it, or the TPP deleted it.
    Revoked,
    /// The consent expired.
    Expired,
}

impl ConsentChangeKind {
    /// The change that is reported to a core; `None` if nothing changed that concerns the core. The consumption of a payment
    /// consent is not reported, because the core receives the order.
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
    /// The number of the last change of a consent. Its expiry has the next number.
    pub fn number_of(consent: &Consent) -> i64 {
        consent.epoch.saturating_mul(2)
    }

    /// The state of a consent after a change.
    pub fn new(consent: &Consent, number: i64, change: ConsentChangeKind, at: Timestamp) -> Self {
        let vrp = consent.request.payment().and_then(|payment| payment.terms.instruction.vrp());
        Self {
            consent: consent.id.clone(),
            kind: consent.request.kind(),
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

/// Whether the consent gives no access any more for a reason other than its expiry.
fn is_ended(consent: &Consent) -> bool {
    consent.deleted_at.is_some() || matches!(consent.state, ConsentState::Revoked(_))
}

/// A change of an account at the bank that its TPPs are notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountChange {
    /// The number of the change over the whole bank, from 1 without gaps. A number is never reused.
    pub number: u64,
    /// The account, which is not open to third parties any more.
    pub account: BankAccountId,
    /// When the change happened (bank clock).
    pub at: Timestamp,
    /// The reason that TPPs receive; `None` if the standard has no code for it (SET-040).
    pub reason: Option<AccountReason>,
    /// The interaction id of the request that caused the change, if there was one: the `txn` of the events. Source: SET-016.
    pub interaction_id: Option<FapiInteractionId>,
}
