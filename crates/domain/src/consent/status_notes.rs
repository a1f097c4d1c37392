//! Records why a consent has its state, and determines which deadline ended the consent. Source: V4-002, ERR-002 to ERR-006.

use super::{Consent, ConsentState, ConsentStatusReason};
use crate::payment::exchange::Quote;
use jiff::Timestamp;

impl ConsentStatusReason {
    /// The state that this reason explains.
    pub const fn state(self) -> ConsentState {
        match self {
            Self::InsufficientFunds | Self::NotKnown => ConsentState::AwaitingAuthorisation,
            Self::CredentialUnusable => ConsentState::Authorised,
            Self::AfterCutOff
            | Self::RateExpired
            | Self::AfterCompletionDate
            | Self::UndecidedTooLong
            | Self::DebtorAccountUnusable
            | Self::TooManyAuthorisers
            | Self::FileInvalid
            | Self::FileControlSum
            | Self::FileCount => ConsentState::Rejected,
        }
    }
}

impl Consent {
    /// Records why the consent has its present state; the state itself does not change. A reason that does not explain this state
    /// has no effect.
    ///
    /// Returns whether the consent changed. Source: ERR-002, ERR-003, ERR-005.
    pub fn note_status_reason(&mut self, reason: ConsentStatusReason) -> bool {
        let explains = reason.state() == self.state && self.deleted_at.is_none();
        explains && self.set_status_reason(Some(reason))
    }

    /// Removes the reason, because its circumstance no longer holds. Returns whether the consent changed.
    pub fn clear_status_reason(&mut self) -> bool {
        self.set_status_reason(None)
    }

    fn set_status_reason(&mut self, reason: Option<ConsentStatusReason>) -> bool {
        if self.status_reason == reason {
            return false;
        }
        self.status_reason = reason;
        self.touch();
        true
    }

    /// The deadline of a payment consent that has passed, if one has. Source: PIS-037, PIS-110.
    pub fn passed_deadline(&self, now: Timestamp) -> Option<ConsentStatusReason> {
        let payment = self.request.payment()?;
        if payment.conditions.is_too_late(now) {
            let rate_ends_at = payment.conditions.quote.as_ref().and_then(Quote::expires_at);
            let is_rate = rate_ends_at.is_some_and(|end| end <= now);
            let reason = if is_rate { ConsentStatusReason::RateExpired } else { ConsentStatusReason::AfterCutOff };
            return Some(reason);
        }
        let complete_by = payment.terms.authorisation.complete_by;
        complete_by.is_some_and(|by| by <= now).then_some(ConsentStatusReason::AfterCompletionDate)
    }
}

#[cfg(test)]
mod tests {
    use super::ConsentStatusReason as R;
    use super::*;
    use crate::consent::{AccountAccess, ConsentDraft, ConsentRequest, Permissions, SelectedAccount};
    use crate::submitted::Submitted;
    use crate::version::Version;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn consent() -> Consent {
        let access =
            AccountAccess { permissions: Permissions::default(), transactions_from: None, transactions_to: None };
        let submitted = Submitted { version: Version::V4_0, json: "{}".into() };
        let draft = ConsentDraft { request: ConsentRequest::AccountAccess(access), expires_at: None, submitted };
        draft.into_consent("c".into(), "t".into(), at(0))
    }

    #[test]
    fn err_002_err_003_err_005_a_reason_is_recorded_once_in_its_state() {
        let account = SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None };
        let mut it = consent();
        assert!(!it.note_status_reason(R::CredentialUnusable), "it is not authorised");
        assert!(it.note_status_reason(R::InsufficientFunds));
        let epoch = it.epoch;
        assert!(!it.note_status_reason(R::InsufficientFunds));
        assert_eq!((it.epoch, it.state_changed_at), (epoch, at(0)), "the same reason writes nothing");
        it.authorise(&"p".into(), vec![account], at(1)).unwrap();
        assert_eq!(it.status_reason, None, "the state has changed");
        assert!(it.note_status_reason(R::CredentialUnusable));
        assert_eq!((it.state, it.state_changed_at), (ConsentState::Authorised, at(1)), "RW-309");
        assert!(it.clear_status_reason() && !it.clear_status_reason());
        it.delete(at(2));
        assert!(!it.note_status_reason(R::CredentialUnusable), "a deleted consent stays as it is");
    }

    #[test]
    fn err_006_a_rejection_keeps_what_is_known_about_it() {
        let mut it = consent();
        it.note_status_reason(R::InsufficientFunds);
        assert!(it.reject(at(1)));
        assert_eq!(it.status_reason, None);
        let mut it = consent();
        assert!(it.reject_because(Some(R::UndecidedTooLong), at(1)));
        assert_eq!(it.status_reason, Some(R::UndecidedTooLong));
    }
}
