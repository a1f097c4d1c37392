//! Consent drafts: validation by the rules that do not need the PSU, and creation of the consent.

use super::{Consent, ConsentKind, ConsentRequest, ConsentState};
use crate::ids::{ClientId, ConsentId};
use crate::refusal::{Fault, FaultCode, Field};
use crate::submitted::Submitted;
use jiff::Timestamp;

/// A consent request after parsing and before validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentDraft {
    /// The requested content.
    pub request: ConsentRequest,
    /// The requested expiration; absent means open-ended. Source: AIS-075.
    pub expires_at: Option<Timestamp>,
    /// The submitted `Data`, as it is echoed.
    pub submitted: Submitted,
}

impl ConsentDraft {
    /// Validates the draft by the rules that need neither a PSU nor an account (AIS-016, AIS-017, AIS-019, AIS-031 to
    /// AIS-035, CBP-005 to CBP-007).
    /// Payment requests are validated against the bank's offer before they become drafts
    /// ([`PaymentConsentRequest::faults`](crate::payment::order::PaymentConsentRequest::faults)).
    ///
    /// Returns every fault; an empty list means that the consent may be created.
    pub fn faults(&self, now: Timestamp) -> Vec<Fault> {
        let mut faults = match &self.request {
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

    /// Creates the consent. Its first state awaits authorisation, or the upload of its file. Source: FILE-001.
    pub fn into_consent(self, id: ConsentId, client: ClientId, now: Timestamp) -> Consent {
        let state = match self.request.kind() {
            ConsentKind::Payment(product) if product.requires_file() => ConsentState::AwaitingUpload,
            ConsentKind::Payment(_) | ConsentKind::AccountAccess | ConsentKind::FundsConfirmation => {
                ConsentState::AwaitingAuthorisation
            }
        };
        let mut terms = self.request;
        if let ConsentRequest::Payment(payment) = &mut terms {
            payment.conditions = std::mem::take(&mut payment.conditions).expected_from(now);
        }
        Consent {
            id,
            client,
            request: terms,
            submitted: self.submitted,
            state,
            state_changed_at: now,
            status_reason: None,
            authorised_at: None,
            authenticated_at: None,
            authentication_factors: Vec::new(),
            created_at: now,
            expires_at: self.expires_at,
            psu: None,
            accounts: Vec::new(),
            core_state: None,
            deleted_at: None,
            epoch: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::{AccountAccess, Permission};
    use crate::refusal::FaultLocation;
    use crate::version::Version;

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
        ConsentDraft { request: ConsentRequest::AccountAccess(access), expires_at: expires_at.map(at), submitted }
    }

    #[test]
    fn ais_016_017_the_dates_of_a_draft_are_judged_with_its_permissions() {
        let late = (FaultCode::FieldInvalidDate, Field::ConsentExpiration);
        let backwards = (FaultCode::FieldInvalidDate, Field::TransactionTo);
        let missing = (FaultCode::FieldExpected, Field::Permissions);
        let good = [Permission::ReadAccountsBasic];
        let bad = [Permission::ReadBalances];
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
}
