//! A consent and its state machine, one for every kind. Source: table T8, RW-300 to RW-309, AS-130.

use super::{ConsentRequest, Submitted};
use crate::ids::{AccountId, BankAccountId, ClientId, ConsentId, PsuId};
use crate::refusal::{Refusal, RefusalKind};
use jiff::Timestamp;

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

/// An account the PSU selected: the bank's account and the id this TPP knows it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedAccount {
    /// The bank's account.
    pub account: BankAccountId,
    /// What the TPP calls it. Source: AIS-087.
    pub alias: AccountId,
}

/// The state of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentState {
    /// The TPP has not sent the file it is about. Source: FILE-001.
    AwaitingUpload,
    /// The PSU has not decided.
    AwaitingAuthorisation,
    /// The PSU agreed.
    Authorised,
    /// The PSU refused, or could not be authenticated. Final. Source: RW-302.
    Rejected,
    /// Its one order was made. Final. Source: PIS-041.
    Consumed,
    /// Access was ended at the bank. v3.1 shows account-access consents as authorised still. Source: AIS-070, AIS-071.
    Revoked(RevokedBy),
}

/// Who ended access at the bank. For some kinds a revocation by the PSU is final. Source: CON-31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevokedBy {
    /// The PSU, on the bank's pages.
    Psu,
    /// The bank.
    Bank,
}

/// Why a consent cannot enter (or finish) an authorisation. The TPP receives only "invalid". Source: AS-078.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAuthorisable {
    /// It was deleted, refused or ended for good.
    #[error("the consent can no longer be authorised")]
    Final,
    /// Its end has passed.
    #[error("the consent has expired")]
    Expired,
    /// Somebody else authorised it. Source: AS-131.
    #[error("the consent belongs to another customer")]
    OtherPsu,
    /// No account was selected, or more than one to pay from. Source: AIS-080, PIS-032.
    #[error("the selected accounts do not suit the consent")]
    NoAccount,
    /// The last moment for the payment has passed. Source: PIS-037.
    #[error("the last moment for the payment has passed")]
    AfterCutOff,
    /// The file it is about has not come. Source: FILE-019.
    #[error("the file has not been uploaded")]
    NoFile,
}

impl Consent {
    /// Whether its end has passed.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Whether the PSU may be asked to decide. Source: AS-130.
    ///
    /// # Errors
    /// The [`NotAuthorisable`] that stands in the way.
    pub fn may_be_authorised(&self, now: Timestamp) -> Result<(), NotAuthorisable> {
        if self.deleted_at.is_some() {
            return Err(NotAuthorisable::Final);
        }
        if self.is_expired(now) {
            return Err(NotAuthorisable::Expired);
        }
        match (self.state, self.terms.kind().is_long_lived()) {
            (ConsentState::AwaitingUpload, _) => Err(NotAuthorisable::NoFile),
            (ConsentState::AwaitingAuthorisation, _) => self.is_in_time(now),
            (ConsentState::Authorised, true) => self.has_days_left(now),
            (ConsentState::Revoked(by), true) => self.may_return_from(by).and_then(|()| self.has_days_left(now)),
            (ConsentState::Authorised | ConsentState::Revoked(_), false)
            | (ConsentState::Rejected | ConsentState::Consumed, _) => Err(NotAuthorisable::Final),
        }
    }

    /// The bank's last moment and the TPP's own for everybody to agree. Source: PIS-037, PIS-110.
    fn is_in_time(&self, now: Timestamp) -> Result<(), NotAuthorisable> {
        let late = self.terms.payment().is_some_and(|payment| {
            let agreed_by = payment.terms.authorisation.complete_by;
            payment.conditions.is_too_late(now) || agreed_by.is_some_and(|by| by <= now)
        });
        if late { Err(NotAuthorisable::AfterCutOff) } else { self.has_days_left(now) }
    }

    /// Whether the days on which payments can be made under it have not passed. Source: VRP-022.
    fn has_days_left(&self, now: Timestamp) -> Result<(), NotAuthorisable> {
        let recurring = self.terms.payment().and_then(|payment| payment.terms.instruction.vrp());
        let ended = recurring.is_some_and(|terms| terms.controls.has_ended(now));
        if ended { Err(NotAuthorisable::Expired) } else { Ok(()) }
    }

    /// Whether access that was ended may be given again. Of payments only what is used again and again comes here.
    /// Source: CON-31, VRP-085.
    fn may_return_from(&self, by: RevokedBy) -> Result<(), NotAuthorisable> {
        match (&self.terms, by) {
            (ConsentRequest::AccountAccess(_) | ConsentRequest::Payment(_), RevokedBy::Psu | RevokedBy::Bank)
            | (ConsentRequest::FundsConfirmation(_), RevokedBy::Bank) => Ok(()),
            (ConsentRequest::FundsConfirmation(_), RevokedBy::Psu) => Err(NotAuthorisable::Final),
        }
    }

    /// The PSU agrees to share accounts, for the first time or again, and names them; or that one may be asked about
    /// (CBP-008).
    ///
    /// A repeated agreement keeps the state's time (RW-309) unless access had been ended.
    ///
    /// # Errors
    /// The [`NotAuthorisable`] that stands in the way; nothing has changed then.
    pub fn authorise(
        &mut self,
        psu: &PsuId,
        accounts: Vec<SelectedAccount>,
        now: Timestamp,
    ) -> Result<(), NotAuthorisable> {
        match self.terms {
            ConsentRequest::AccountAccess(_) => self.agree(psu, accounts, now),
            ConsentRequest::FundsConfirmation(_) if accounts.len() == 1 => self.agree(psu, accounts, now),
            // Who pays is said with the account: `authorise_payment`.
            ConsentRequest::FundsConfirmation(_) | ConsentRequest::Payment(_) => Err(NotAuthorisable::NoAccount),
        }
    }

    pub(super) fn agree(
        &mut self,
        psu: &PsuId,
        accounts: Vec<SelectedAccount>,
        now: Timestamp,
    ) -> Result<(), NotAuthorisable> {
        self.may_be_authorised(now)?;
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
        self.psu = Some(psu.clone());
        self.accounts = accounts;
        self.touch();
        Ok(())
    }

    /// The PSU refuses, cancels or fails to authenticate. Only a first authorisation can end a consent (RW-306).
    ///
    /// Returns whether anything changed.
    pub fn reject(&mut self, now: Timestamp) -> bool {
        let undecided = matches!(self.state, ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation);
        if !undecided || self.deleted_at.is_some() {
            return false;
        }
        self.state = ConsentState::Rejected;
        self.state_changed_at = now;
        self.touch();
        true
    }

    /// Access is ended at the bank. Only an authorised consent has access to end, and one that is used once cannot be
    /// taken back (PIS-035).
    ///
    /// Returns whether anything changed.
    pub fn revoke(&mut self, by: RevokedBy, now: Timestamp) -> bool {
        if self.state != ConsentState::Authorised || self.deleted_at.is_some() || !self.terms.kind().is_long_lived() {
            return false;
        }
        self.state = ConsentState::Revoked(by);
        self.state_changed_at = now;
        self.touch();
        true
    }

    /// The TPP deletes the consent, in whatever state (AIS-062).
    pub fn delete(&mut self, now: Timestamp) {
        if self.deleted_at.is_none() {
            self.deleted_at = Some(now);
            self.touch();
        }
    }

    /// Whether tokens on it open anything now. A consent that was used up answers for itself: its order may be sent again
    /// (PIS-064).
    ///
    /// # Errors
    /// [`RefusalKind::AccessEnded`] unless it is authorised or consumed, alive and before its end (AIS-066).
    pub fn gives_access(&self, now: Timestamp) -> Result<(), Refusal> {
        let given = matches!(self.state, ConsentState::Authorised | ConsentState::Consumed);
        let live = given && self.deleted_at.is_none() && !self.is_expired(now);
        if live { Ok(()) } else { Err(Refusal::from_kind(RefusalKind::AccessEnded)) }
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
            terms: ConsentRequest::AccountAccess(AccountAccess {
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
        vec![SelectedAccount { account: "b".into(), alias: "a".into() }]
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
    fn ais_078_the_boundary_instant_counts_as_expired() {
        let mut it = consent(Some(at(10)));
        it.authorise(&"p".into(), accounts(), at(1)).unwrap();
        assert!(it.gives_access(at(9)).is_ok());
        assert!(it.gives_access(at(10)).is_err());
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
                    prop_assert!(it.gives_access(at(second)).is_err());
                }
                prop_assert_eq!(it.epoch != before.epoch, it != before, "the epoch moves exactly with a change");
            }
        }
    }
}
