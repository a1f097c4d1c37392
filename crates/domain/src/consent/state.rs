//! A consent and its state machine, shared by all kinds. Source: table T8, RW-300 to RW-309, AS-130.

use super::{ConsentRequest, ConsentStatusReason, RevokedBy};
use crate::authentication::AuthenticationFactor;
use crate::core_state::CoreState;
use crate::ids::{AccountId, BankAccountId, ClientId, ConsentId, PsuId};
use crate::refusal::{Refusal, RefusalKind};
use crate::submitted::Submitted;
use jiff::{SignedDuration, Timestamp};

/// A consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// Its id.
    pub id: ConsentId,
    /// The TPP that created it; no other TPP may read it.
    pub client: ClientId,
    /// The requested content.
    pub request: ConsentRequest,
    /// The submitted `Data` and its version.
    pub submitted: Submitted,
    /// Its state.
    pub state: ConsentState,
    /// When the state last changed; at first the creation time. Source: RW-309.
    pub state_changed_at: Timestamp,
    /// Why the consent has its state, if the state alone does not show it. Source: V4-002.
    pub status_reason: Option<ConsentStatusReason>,
    /// When it was first authorised.
    pub authorised_at: Option<Timestamp>,
    /// When the PSU last authenticated to authorise it (bank clock).
    pub authenticated_at: Option<Timestamp>,
    /// The factors of that authentication; empty if they are unknown.
    pub authentication_factors: Vec<AuthenticationFactor>,
    /// When it was created (bank clock).
    pub created_at: Timestamp,
    /// When it expires (bank clock). The consent counts as expired at this exact instant. Source: AIS-078.
    pub expires_at: Option<Timestamp>,
    /// The PSU who authorised it.
    pub psu: Option<PsuId>,
    /// The accounts that the PSU selected and has not deselected since.
    pub accounts: Vec<SelectedAccount>,
    /// The state that the core keeps with the consent.
    pub core_state: Option<CoreState>,
    /// When the TPP deleted it; a deleted consent is treated as not found. Source: RW-304.
    pub deleted_at: Option<Timestamp>,
    /// Incremented by every change; a cached caller is valid only for the same epoch. Source: AS-116.
    pub epoch: i64,
}

/// An account that the PSU selected: the bank's account and its `AccountId` for this TPP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedAccount {
    /// The bank's account.
    pub account: BankAccountId,
    /// The `AccountId` by which this TPP knows the account. Source: AIS-087.
    pub alias: AccountId,
    /// The state that the core kept with the account when the PSU selected it.
    pub core_state: Option<CoreState>,
}

/// The state of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentState {
    /// The TPP has not uploaded the payment file. Source: FILE-001.
    AwaitingUpload,
    /// The PSU has not decided yet.
    AwaitingAuthorisation,
    /// The PSU authorised it.
    Authorised,
    /// The PSU rejected it, or could not be authenticated. Final. Source: RW-302.
    Rejected,
    /// Its one order was created. Final. Source: PIS-041.
    Consumed,
    /// Access was revoked at the bank. v3.1 still shows such an account-access consent as authorised. Source: AIS-070,
    /// AIS-071.
    Revoked(RevokedBy),
}

crate::code::codes! {
    ConsentState {
        ConsentState::AwaitingUpload => "awaiting-upload" => ConsentState::AwaitingUpload,
        ConsentState::AwaitingAuthorisation => "awaiting-authorisation" => ConsentState::AwaitingAuthorisation,
        ConsentState::Authorised => "authorised" => ConsentState::Authorised,
        ConsentState::Rejected => "rejected" => ConsentState::Rejected,
        ConsentState::Consumed => "consumed" => ConsentState::Consumed,
        ConsentState::Revoked(RevokedBy::Psu) => "revoked-by-psu" => ConsentState::Revoked(RevokedBy::Psu),
        ConsentState::Revoked(RevokedBy::Bank) => "revoked-by-bank" => ConsentState::Revoked(RevokedBy::Bank),
    }
}

/// Why a consent cannot be authorised. The TPP receives only "invalid". Source: AS-078.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAuthorisable {
    /// The consent is deleted, or its state allows no authorisation any more.
    #[error("the consent can no longer be authorised")]
    NotAwaitingAuthorisation,
    /// Its expiration, or the last day of its control parameters, has passed.
    #[error("the consent has expired")]
    Expired,
    /// Another PSU authorised the consent before. Source: AS-131.
    #[error("the consent belongs to another customer")]
    OtherPsu,
    /// No account was selected, or a payment has more than one debtor account. Source: AIS-080, PIS-032.
    #[error("the selected accounts do not suit the consent")]
    NoAccount,
    /// The cut-off of the payment, or the TPP's completion deadline, has passed. Source: PIS-037.
    #[error("the last moment for the payment has passed")]
    AfterCutOff,
    /// The payment file has not been uploaded. Source: FILE-019.
    #[error("the file has not been uploaded")]
    NoFile,
}

impl Consent {
    /// Whether its expiration has passed.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Checks that the PSU may be asked for authorisation. Source: AS-130.
    ///
    /// # Errors
    /// The [`NotAuthorisable`] reason.
    pub fn check_authorisable(&self, now: Timestamp) -> Result<(), NotAuthorisable> {
        if self.deleted_at.is_some() {
            return Err(NotAuthorisable::NotAwaitingAuthorisation);
        }
        if self.is_expired(now) {
            return Err(NotAuthorisable::Expired);
        }
        match (self.state, self.request.kind().is_long_lived()) {
            (ConsentState::AwaitingUpload, _) => Err(NotAuthorisable::NoFile),
            (ConsentState::AwaitingAuthorisation, _) => self.check_deadlines(now),
            (ConsentState::Authorised, true) => self.check_last_day(now),
            (ConsentState::Revoked(by), true) => self.check_reauthorisable(by).and_then(|()| self.check_last_day(now)),
            (ConsentState::Authorised | ConsentState::Revoked(_), false)
            | (ConsentState::Rejected | ConsentState::Consumed, _) => Err(NotAuthorisable::NotAwaitingAuthorisation),
        }
    }

    /// Checks the bank's cut-off and the TPP's `CompletionDateTime`. Source: PIS-037, PIS-110.
    fn check_deadlines(&self, now: Timestamp) -> Result<(), NotAuthorisable> {
        if self.passed_deadline(now).is_some() { Err(NotAuthorisable::AfterCutOff) } else { self.check_last_day(now) }
    }

    /// Checks that the control parameters still allow payments on some day. Source: VRP-022.
    fn check_last_day(&self, now: Timestamp) -> Result<(), NotAuthorisable> {
        let recurring = self.request.payment().and_then(|payment| payment.terms.instruction.vrp());
        let ended = recurring.is_some_and(|terms| terms.controls.has_ended(now));
        if ended { Err(NotAuthorisable::Expired) } else { Ok(()) }
    }

    /// Whether a revoked consent may be authorised again. Of payment consents, only VRP consents can be revoked.
    /// Source: CON-31, VRP-085.
    fn check_reauthorisable(&self, by: RevokedBy) -> Result<(), NotAuthorisable> {
        match (&self.request, by) {
            (ConsentRequest::AccountAccess(_) | ConsentRequest::Payment(_), RevokedBy::Psu | RevokedBy::Bank)
            | (ConsentRequest::FundsConfirmation(_), RevokedBy::Bank) => Ok(()),
            (ConsentRequest::FundsConfirmation(_), RevokedBy::Psu) => Err(NotAuthorisable::NotAwaitingAuthorisation),
        }
    }

    /// Authorises an account-access consent with the accounts that the PSU selected, for the first time or again; or a
    /// funds-confirmation consent with its one account (CBP-008).
    ///
    /// Re-authentication keeps the time of the state (RW-309), unless access had been revoked.
    ///
    /// # Errors
    /// The [`NotAuthorisable`] reason; the consent is unchanged then.
    pub fn authorise(
        &mut self,
        psu: &PsuId,
        accounts: Vec<SelectedAccount>,
        now: Timestamp,
    ) -> Result<(), NotAuthorisable> {
        match self.request {
            ConsentRequest::AccountAccess(_) => self.agree(psu, accounts, now),
            ConsentRequest::FundsConfirmation(_) if accounts.len() == 1 => self.agree(psu, accounts, now),
            // A payment needs its debtor as well: `authorise_payment`.
            ConsentRequest::FundsConfirmation(_) | ConsentRequest::Payment(_) => Err(NotAuthorisable::NoAccount),
        }
    }

    pub(super) fn agree(
        &mut self,
        psu: &PsuId,
        accounts: Vec<SelectedAccount>,
        now: Timestamp,
    ) -> Result<(), NotAuthorisable> {
        self.check_authorisable(now)?;
        if self.psu.as_ref().is_some_and(|owner| owner != psu) {
            return Err(NotAuthorisable::OtherPsu);
        }
        if accounts.is_empty() {
            return Err(NotAuthorisable::NoAccount);
        }
        if self.state != ConsentState::Authorised {
            self.state = ConsentState::Authorised;
            self.state_changed_at = now;
            self.authorised_at = Some(self.authorised_at.unwrap_or(now));
        }
        self.status_reason = None;
        self.authenticated_at = Some(now);
        self.psu = Some(psu.clone());
        self.accounts = accounts;
        self.touch();
        Ok(())
    }

    /// The PSU rejects or cancels, or fails to authenticate. Only a first authorisation can reject a consent (RW-306).
    ///
    /// Returns whether the consent changed.
    pub fn reject(&mut self, now: Timestamp) -> bool {
        self.reject_because(None, now)
    }

    /// As [`Consent::reject`], with what is known about the rejection; `None` if the PSU refused or could not be authenticated.
    pub fn reject_because(&mut self, reason: Option<ConsentStatusReason>, now: Timestamp) -> bool {
        let undecided = matches!(self.state, ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation);
        if !undecided || self.deleted_at.is_some() {
            return false;
        }
        self.state = ConsentState::Rejected;
        self.status_reason = reason;
        self.state_changed_at = now;
        self.touch();
        true
    }

    /// Revokes access at the bank. Only an authorised consent can be revoked; a consent for a single order cannot (PIS-035).
    ///
    /// Returns whether the consent changed.
    pub fn revoke(&mut self, by: RevokedBy, now: Timestamp) -> bool {
        if self.state != ConsentState::Authorised || self.deleted_at.is_some() || !self.request.kind().is_long_lived() {
            return false;
        }
        self.state = ConsentState::Revoked(by);
        self.status_reason = None;
        self.state_changed_at = now;
        self.touch();
        true
    }

    /// Deletes the consent on request of the TPP, in any state (AIS-062).
    pub fn delete(&mut self, now: Timestamp) {
        if self.deleted_at.is_none() {
            self.deleted_at = Some(now);
            self.touch();
        }
    }

    /// Checks that tokens under it give access now. A consumed consent still does, because the order request may be
    /// repeated (PIS-064).
    ///
    /// # Errors
    /// [`RefusalKind::AccessEnded`] unless it is authorised or consumed, not deleted and not expired (AIS-066).
    pub fn check_access(&self, now: Timestamp) -> Result<(), Refusal> {
        let given = matches!(self.state, ConsentState::Authorised | ConsentState::Consumed);
        let live = given && self.deleted_at.is_none() && !self.is_expired(now);
        if live { Ok(()) } else { Err(Refusal::from_kind(RefusalKind::AccessEnded)) }
    }

    /// Whether the PSU has to authenticate again before the TPP may read account data: the last authentication is at least
    /// `after_days` days ago. Other kinds of consents never lapse this way (VRP-021, PIS-036). Source: RW-108, ERR-009.
    pub fn awaits_reauthentication(&self, after_days: i64, now: Timestamp) -> bool {
        let ConsentRequest::AccountAccess(_) = self.request else { return false };
        let last = self.authenticated_at.or(self.authorised_at);
        let after = SignedDuration::from_secs(after_days.saturating_mul(24 * 60 * 60));
        last.is_some_and(|last| now.duration_since(last) >= after)
    }

    pub(super) fn touch(&mut self) {
        self.epoch = self.epoch.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::{AccountAccess, ConsentDraft, Permissions};
    use crate::version::Version;
    use proptest::prelude::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn consent(expires_at: Option<Timestamp>) -> Consent {
        ConsentDraft {
            request: ConsentRequest::AccountAccess(AccountAccess {
                permissions: Permissions::default(),
                transactions_from: None,
                transactions_to: None,
            }),
            expires_at,
            submitted: Submitted { version: Version::V3_1, json: "{}".into() },
        }
        .into_consent("c".into(), "t".into(), at(0))
    }

    fn accounts() -> Vec<SelectedAccount> {
        vec![SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None }]
    }

    #[test]
    fn rw_306_only_a_first_authorisation_can_end_in_rejected() {
        let mut it = consent(None);
        it.authorise(&"p".into(), accounts(), at(1)).unwrap();
        assert!(!it.reject(at(2)));
        assert_eq!(it.state, ConsentState::Authorised);
    }

    #[test]
    fn rw_309_authenticating_again_does_not_move_the_status_time() {
        let mut it = consent(None);
        it.authorise(&"p".into(), accounts(), at(1)).unwrap();
        it.authorise(&"p".into(), accounts(), at(5)).unwrap();
        assert_eq!(it.state_changed_at, at(1));
    }

    #[test]
    fn as_131_another_psu_cannot_take_over() {
        let mut it = consent(None);
        it.authorise(&"p".into(), accounts(), at(1)).unwrap();
        assert_eq!(it.authorise(&"q".into(), accounts(), at(2)), Err(NotAuthorisable::OtherPsu));
        assert_eq!(it.psu, Some("p".into()));
    }

    #[test]
    fn rw_108_err_009_access_lapses_a_set_time_after_last_authentication() {
        let day = 24 * 60 * 60;
        let mut it = consent(None);
        assert!(!it.awaits_reauthentication(90, at(1_000 * day)), "nobody has authenticated yet");
        it.authorise(&"p".into(), accounts(), at(0)).unwrap();
        assert!(!it.awaits_reauthentication(90, at(90 * day - 1)));
        assert!(it.awaits_reauthentication(90, at(90 * day)));
        it.authorise(&"p".into(), accounts(), at(90 * day)).unwrap();
        assert!(!it.awaits_reauthentication(90, at(180 * day - 1)), "counted from the last one");
        it.authenticated_at = None;
        assert!(it.awaits_reauthentication(90, at(90 * day)), "a consent of an earlier release has the first one");
    }

    #[test]
    fn ais_078_the_boundary_instant_counts_as_expired() {
        let mut it = consent(Some(at(10)));
        it.authorise(&"p".into(), accounts(), at(1)).unwrap();
        assert!(it.check_access(at(9)).is_ok());
        assert!(it.check_access(at(10)).is_err());
    }

    #[derive(Debug, Clone)]
    enum ConsentAction {
        Authorise,
        Reject,
        Revoke,
        Delete,
    }

    proptest! {
        #[test]
        fn rw_302_and_rw_304_final_states_stay_final(steps in prop::collection::vec(
            prop_oneof![Just(ConsentAction::Authorise), Just(ConsentAction::Reject), Just(ConsentAction::Revoke), Just(ConsentAction::Delete)], 0..24)) {
            let mut it = consent(None);
            for (second, step) in (1..).zip(steps) {
                let before = it.clone();
                match step {
                    ConsentAction::Authorise => { let _ = it.authorise(&"p".into(), accounts(), at(second)); }
                    ConsentAction::Reject => { it.reject(at(second)); }
                    ConsentAction::Revoke => { it.revoke(RevokedBy::Psu, at(second)); }
                    ConsentAction::Delete => it.delete(at(second)),
                }
                if before.state == ConsentState::Rejected || before.deleted_at.is_some() {
                    prop_assert_eq!(before.state, it.state);
                    prop_assert!(it.check_access(at(second)).is_err());
                }
                prop_assert_eq!(it.epoch != before.epoch, it != before, "the epoch moves exactly with a change");
            }
        }
    }
}
