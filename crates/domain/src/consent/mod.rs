//! Consents: what a TPP asks for, who authorised it, and whether it still gives access.
//!
//! One type and one state machine for every kind; what differs between kinds is data in [`ConsentRequest`].

mod funds;
mod payment;
mod permissions;
mod state;
mod status;

pub use funds::{FundsConfirmation, FundsConsentDraft, FundsConsentView};
pub use payment::{PaymentConsent, PaymentSource};
pub use permissions::{Permission, Permissions};
pub use state::{ConsentState, NotAuthorisable, RevokedBy};
pub use status::{ConsentView, EffectiveConsentStatus};

use crate::ids::{AccountId, BankAccountId, ClientId, ConsentId, PsuId};
use crate::order::PaymentProduct;
use crate::refusal::{Fault, FaultCode, Field};
use crate::scope::Scope;
use crate::version::Version;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a consent is for. One variant per kind; no match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsentRequest {
    /// Account information. Source: `OBReadConsent1/Data`.
    AccountAccess(AccountAccess),
    /// A payment of one of the products.
    Payment(Box<PaymentConsent>),
    /// Whether there is enough money in an account. Source: CBP-001.
    FundsConfirmation(FundsConfirmation),
}

/// The kind of a consent, without its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentKind {
    /// Account information.
    AccountAccess,
    /// A payment.
    Payment(PaymentProduct),
    /// Confirmation of funds.
    FundsConfirmation,
}

impl ConsentKind {
    /// The kind's name, as it is stored and logged.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AccountAccess => "account-access",
            Self::Payment(product) => product.consent().name(),
            Self::FundsConfirmation => "funds-confirmation",
        }
    }

    /// The scope that goes with the kind. Source: AS-050.
    pub const fn scope(self) -> Scope {
        match self {
            Self::AccountAccess => Scope::Accounts,
            Self::Payment(product) => product.consent().scope(),
            Self::FundsConfirmation => Scope::FundsConfirmations,
        }
    }

    /// Whether the PSU may authenticate again while it is authorised. Source: RW-305, AS-130.
    pub const fn is_long_lived(self) -> bool {
        match self {
            Self::AccountAccess | Self::FundsConfirmation => true,
            Self::Payment(product) => product.reuses_consents(),
        }
    }
}

impl ConsentRequest {
    /// Which kind of consent these are the terms of.
    pub const fn kind(&self) -> ConsentKind {
        match self {
            Self::AccountAccess(_) => ConsentKind::AccountAccess,
            Self::Payment(payment) => ConsentKind::Payment(payment.terms.product()),
            Self::FundsConfirmation(_) => ConsentKind::FundsConfirmation,
        }
    }

    /// The terms of an account-access consent, if they are that.
    pub const fn account_access(&self) -> Option<&AccountAccess> {
        match self {
            Self::AccountAccess(access) => Some(access),
            Self::Payment(_) | Self::FundsConfirmation(_) => None,
        }
    }

    /// The terms of a payment consent, if they are that.
    pub const fn payment(&self) -> Option<&PaymentConsent> {
        match self {
            Self::Payment(payment) => Some(payment),
            Self::AccountAccess(_) | Self::FundsConfirmation(_) => None,
        }
    }

    /// The terms of a funds-confirmation consent, if they are that.
    pub const fn funds_confirmation(&self) -> Option<&FundsConfirmation> {
        match self {
            Self::FundsConfirmation(named) => Some(named),
            Self::AccountAccess(_) | Self::Payment(_) => None,
        }
    }
}

/// The terms of an account-access consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountAccess {
    /// What may be read.
    pub permissions: Permissions,
    /// Entries booked before this are not covered; inclusive bound. Source: AIS-090, AIS-091.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub transactions_from: Option<Timestamp>,
    /// Entries booked after this are not covered; inclusive bound.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub transactions_to: Option<Timestamp>,
}

/// A consent as a TPP asks for it, read but not yet judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentDraft {
    /// What is asked for.
    pub terms: ConsentRequest,
    /// When it shall end; absent means open-ended. Source: AIS-075.
    pub expires_at: Option<Timestamp>,
    /// What the TPP submitted, in the form it will be shown again.
    pub submitted: Submitted,
}

/// What the TPP submitted: the `Data` member in its version's own form, for echoing. The facts are in the domain types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The version it was submitted in: the consent's provenance. Source: RW-015.
    pub version: Version,
    /// A JSON object.
    pub json: String,
}

/// An account the PSU selected: the bank's account and the id this TPP knows it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedAccount {
    /// The bank's account.
    pub account: BankAccountId,
    /// What the TPP calls it. Source: AIS-087.
    pub alias: AccountId,
}

/// A consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// Its id.
    pub id: ConsentId,
    /// The TPP that made it; nobody else may see it.
    pub client: ClientId,
    /// What is asked for.
    pub terms: ConsentRequest,
    /// What the TPP submitted, and in which version.
    pub submitted: Submitted,
    /// Where it stands.
    pub state: ConsentState,
    /// When its state last changed; the creation time at first. Source: RW-309.
    pub state_changed_at: Timestamp,
    /// When it was first authorised.
    pub authorised_at: Option<Timestamp>,
    /// When it was made (bank clock).
    pub created_at: Timestamp,
    /// When it ends (bank clock). The boundary instant counts as ended. Source: AIS-078.
    pub expires_at: Option<Timestamp>,
    /// Who authorised it.
    pub psu: Option<PsuId>,
    /// The accounts the PSU selected and still shares.
    pub accounts: Vec<SelectedAccount>,
    /// When the TPP deleted it; a deleted consent is as good as absent. Source: RW-304.
    pub deleted_at: Option<Timestamp>,
    /// Moves on every change; cached callers are checked against it. Source: AS-116.
    pub epoch: i64,
}

impl ConsentDraft {
    /// Judges the draft by the rules that need no PSU and no account (AIS-016, AIS-017, AIS-019, AIS-031 to AIS-035,
    /// CBP-005 to CBP-007).
    /// Payments are judged by what the bank offers, before they become drafts
    /// ([`PaymentConsentRequest::faults`](crate::order::PaymentConsentRequest::faults)).
    ///
    /// Returns every fault found; an empty list means the draft may become a consent.
    pub fn faults(&self, now: Timestamp) -> Vec<Fault> {
        let mut faults = match &self.terms {
            ConsentRequest::AccountAccess(access) => access.faults(),
            ConsentRequest::Payment(_) => Vec::new(),
            ConsentRequest::FundsConfirmation(named) => named.faults(),
        };
        if self.expires_at.is_some_and(|end| end <= now) {
            faults.push(Fault::field(
                FaultCode::FieldInvalidDate,
                Field::ConsentExpiration,
                "The expiration must be in the future.",
            ));
        }
        faults
    }

    /// Makes the consent, awaiting authorisation, or its file before that. Source: FILE-001.
    pub fn into_consent(self, id: ConsentId, client: ClientId, now: Timestamp) -> Consent {
        let state = match self.terms.kind() {
            ConsentKind::Payment(product) if product.requires_file() => ConsentState::AwaitingUpload,
            ConsentKind::Payment(_) | ConsentKind::AccountAccess | ConsentKind::FundsConfirmation => {
                ConsentState::AwaitingAuthorisation
            }
        };
        let mut terms = self.terms;
        if let ConsentRequest::Payment(payment) = &mut terms {
            payment.conditions = std::mem::take(&mut payment.conditions).expected_from(now);
        }
        Consent {
            id,
            client,
            terms,
            submitted: self.submitted,
            state,
            state_changed_at: now,
            authorised_at: None,
            created_at: now,
            expires_at: self.expires_at,
            psu: None,
            accounts: Vec::new(),
            deleted_at: None,
            epoch: 0,
        }
    }
}

impl AccountAccess {
    fn faults(&self) -> Vec<Fault> {
        let mut faults = self.permissions.faults();
        if let (Some(from), Some(to)) = (self.transactions_from, self.transactions_to)
            && from > to
        {
            faults.push(Fault::field(
                FaultCode::FieldInvalidDate,
                Field::TransactionTo,
                "The last transaction date must not lie before the first.",
            ));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::FaultLocation;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn draft(permissions: &[Permission], period: (Option<i64>, Option<i64>), expires_at: Option<i64>) -> ConsentDraft {
        let access = AccountAccess {
            permissions: permissions.iter().copied().collect(),
            transactions_from: period.0.map(at),
            transactions_to: period.1.map(at),
        };
        let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
        ConsentDraft { terms: ConsentRequest::AccountAccess(access), expires_at: expires_at.map(at), submitted }
    }

    #[test]
    fn ais_016_017_the_dates_of_a_draft_are_judged_with_its_permissions() {
        let late = (FaultCode::FieldInvalidDate, Field::ConsentExpiration);
        let backwards = (FaultCode::FieldInvalidDate, Field::TransactionTo);
        let missing = (FaultCode::FieldExpected, Field::Permissions);
        let (good, bad) = ([Permission::ReadAccountsBasic], [Permission::ReadBalances]);
        for (permissions, period, expires_at, expected) in [
            (&good, (None, None), None, vec![]),
            (&good, (None, None), Some(11), vec![]),
            (&good, (None, None), Some(10), vec![late]),
            (&good, (None, None), Some(9), vec![late]),
            (&good, (Some(5), Some(5)), None, vec![]),
            (&good, (Some(5), Some(6)), None, vec![]),
            (&good, (Some(6), Some(5)), None, vec![backwards]),
            (&good, (Some(99), None), None, vec![]),
            (&good, (None, Some(1)), None, vec![]),
            (&bad, (Some(6), Some(5)), Some(1), vec![missing, backwards, late]),
        ] {
            let faults = draft(permissions, period, expires_at).faults(at(10)).into_iter();
            let expected: Vec<_> =
                expected.into_iter().map(|(code, at)| (code, Some(FaultLocation::Field(at)))).collect();
            assert_eq!(faults.map(|fault| (fault.code, fault.at)).collect::<Vec<_>>(), expected, "{period:?}");
        }
    }

    #[test]
    fn as_050_each_kind_of_consent_has_its_scope_and_its_terms() {
        let it = draft(&[Permission::ReadAccountsBasic], (None, None), None);
        assert_eq!((it.terms.kind(), it.terms.kind().scope()), (ConsentKind::AccountAccess, Scope::Accounts));
        assert!(
            it.terms.account_access().is_some_and(|access| access.permissions.contains(Permission::ReadAccountsBasic))
        );
        assert!(it.terms.payment().is_none() && it.terms.funds_confirmation().is_none());
        assert_eq!(ConsentKind::FundsConfirmation.scope(), Scope::FundsConfirmations);
        assert!(
            PaymentProduct::ALL.into_iter().all(|product| ConsentKind::Payment(product).scope() == Scope::Payments)
        );
        let mut names: Vec<_> =
            PaymentProduct::ALL.into_iter().map(|product| ConsentKind::Payment(product).name()).collect();
        names.extend([ConsentKind::AccountAccess.name(), ConsentKind::FundsConfirmation.name()]);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 10, "they are stored: {names:?}");
    }
}
