//! The changes of a consent that raise events, derived from the consent before and after; shared by every kind.

use super::{Consent, ConsentKind, ConsentState};
use crate::event::{AccountReason, ChangeKind, EventResource, ResourceChange, ResourceType};
use crate::ids::{AccountId, BankAccountId};

impl Consent {
    /// The consent as the resource of an event.
    pub fn as_resource(&self) -> EventResource {
        let kind = match self.request.kind() {
            ConsentKind::AccountAccess => ResourceType::AccountAccessConsent,
            ConsentKind::Payment(product) => product.consent_resource_type(),
            ConsentKind::FundsConfirmation => ResourceType::FundsConfirmationConsent,
        };
        EventResource { kind, id: self.id.as_str().into(), version: self.submitted.version }
    }

    /// The changes since `before`, except those that the TPP made itself (SET-035). The matrix decides which of them
    /// raise events.
    pub fn changes_since(&self, before: &Self) -> Vec<ResourceChange> {
        let kind = match (before.state, self.state) {
            (ConsentState::AwaitingAuthorisation, ConsentState::Authorised) => Some(ChangeKind::Authorised),
            (ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation, ConsentState::Rejected) => {
                Some(ChangeKind::Rejected)
            }
            (ConsentState::Authorised, ConsentState::Revoked(_)) => Some(ChangeKind::Revoked),
            (ConsentState::Revoked(_), ConsentState::Authorised) => Some(ChangeKind::Reauthenticated),
            // The upload of the file and the consumption are acts of the TPP itself.
            (
                ConsentState::AwaitingUpload
                | ConsentState::AwaitingAuthorisation
                | ConsentState::Authorised
                | ConsentState::Rejected
                | ConsentState::Consumed
                | ConsentState::Revoked(_),
                ConsentState::AwaitingUpload
                | ConsentState::AwaitingAuthorisation
                | ConsentState::Authorised
                | ConsentState::Rejected
                | ConsentState::Consumed
                | ConsentState::Revoked(_),
            ) => None,
        };
        // The accounts of the first authorisation are part of it and no change of their own.
        let first = before.state == ConsentState::AwaitingAuthorisation;
        let accounts = if first { Vec::new() } else { self.accounts_changed_since(before) };
        let accounts = accounts.into_iter().map(|account| ChangeKind::AccountChanged { account, reason: None });
        kind.into_iter().chain(accounts).map(|kind| self.change(kind)).collect()
    }

    /// The change when an account was closed, switched or blocked; `None` if the consent does not include the account.
    /// Source: SET-032, SET-033.
    pub fn linked_account_change(
        &self,
        account: &BankAccountId,
        reason: Option<AccountReason>,
    ) -> Option<ResourceChange> {
        let selected = self.accounts.iter().find(|selected| selected.account == *account)?;
        let kind = match self.request.kind() {
            ConsentKind::AccountAccess | ConsentKind::FundsConfirmation => {
                ChangeKind::AccountChanged { account: selected.alias.clone(), reason }
            }
            ConsentKind::Payment(_) => ChangeKind::DebtorAccountUnusable { reason },
        };
        Some(self.change(kind))
    }

    /// The change when this consent expires; `None` if a GET shows the same status after the expiry, so that no event is raised.
    /// Source: AIS-072, SET-036.
    pub fn expiry_change(&self) -> Option<ResourceChange> {
        let change = self.change(ChangeKind::Expired);
        (!change.resource.events_for(&change.kind).is_empty()).then_some(change)
    }

    /// A change of this consent, caused by the current request.
    pub fn change(&self, kind: ChangeKind) -> ResourceChange {
        ResourceChange { client: self.client.clone(), resource: self.as_resource(), kind, interaction_id: None }
    }

    /// The accounts that were deselected or added.
    fn accounts_changed_since(&self, before: &Self) -> Vec<AccountId> {
        let missing = |from: &Self, to: &Self| {
            let gone = from.accounts.iter().filter(|one| to.accounts.iter().all(|other| other.account != one.account));
            gone.map(|selected| selected.alias.clone()).collect::<Vec<_>>()
        };
        let mut changed = missing(before, self);
        changed.extend(missing(self, before));
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::{AccountAccess, ConsentDraft, ConsentRequest, Permissions, RevokedBy, SelectedAccount};
    use crate::submitted::Submitted;
    use crate::version::Version;
    use jiff::Timestamp;

    fn consent() -> Consent {
        ConsentDraft {
            request: ConsentRequest::AccountAccess(AccountAccess {
                permissions: Permissions::default(),
                transactions_from: None,
                transactions_to: None,
            }),
            expires_at: None,
            submitted: Submitted { version: Version::V3_1, json: "{}".into() },
        }
        .into_consent("c".into(), "t".into(), Timestamp::UNIX_EPOCH)
    }

    fn accounts(names: &[&str]) -> Vec<SelectedAccount> {
        let selected = |name: &&str| SelectedAccount {
            account: (*name).into(),
            alias: format!("x-{name}").into(),
            core_state: None,
        };
        names.iter().map(selected).collect()
    }

    fn changes(now: &Consent, before: &Consent) -> Vec<ChangeKind> {
        now.changes_since(before).into_iter().map(|change| change.kind).collect()
    }

    #[test]
    fn decisions_of_the_psu_raise_events_and_the_first_includes_the_selection() {
        let before = consent();
        let mut given = before.clone();
        given.authorise(&"p".into(), accounts(&["a"]), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(changes(&given, &before), [ChangeKind::Authorised]);
        let mut refused = before.clone();
        assert!(refused.reject(Timestamp::UNIX_EPOCH));
        assert_eq!(changes(&refused, &before), [ChangeKind::Rejected]);
        let mut ended = given.clone();
        assert!(ended.revoke(RevokedBy::Bank, Timestamp::UNIX_EPOCH));
        assert_eq!(changes(&ended, &given), [ChangeKind::Revoked]);
        let mut again = ended.clone();
        again.authorise(&"p".into(), accounts(&["a"]), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(changes(&again, &ended), [ChangeKind::Reauthenticated]);
        let change = &again.changes_since(&ended)[0];
        assert_eq!((change.client.as_str(), &*change.resource.id), ("t", "c"));
    }

    #[test]
    fn each_account_deselected_or_added_later_raises_an_event() {
        let mut before = consent();
        before.authorise(&"p".into(), accounts(&["a", "b"]), Timestamp::UNIX_EPOCH).unwrap();
        let mut now = before.clone();
        now.authorise(&"p".into(), accounts(&["b", "c"]), Timestamp::UNIX_EPOCH).unwrap();
        let changed = |name: &str| ChangeKind::AccountChanged { account: name.into(), reason: None };
        assert_eq!(changes(&now, &before), [changed("x-a"), changed("x-c")]);
    }

    #[test]
    fn set_035_acts_of_the_tpp_itself_raise_no_event() {
        let before = consent();
        let mut deleted = before.clone();
        deleted.delete(Timestamp::UNIX_EPOCH);
        assert_eq!(changes(&deleted, &before), []);
        assert_eq!(changes(&before, &before), []);
    }
}
