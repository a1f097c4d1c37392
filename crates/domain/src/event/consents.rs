//! What a consent's client is told about it, from how it was before and how it is now: one place for every kind.

use super::{AccountReason, ChangeKind, EventResource, ResourceChange, ResourceType};
use crate::consent::{Consent, ConsentKind, ConsentState};
use crate::ids::{AccountId, BankAccountId};

impl Consent {
    /// The consent as events speak of it.
    pub fn as_resource(&self) -> EventResource {
        let kind = match self.terms.kind() {
            ConsentKind::AccountAccess => ResourceType::AccountAccessConsent,
            ConsentKind::Payment(product) => product.consent(),
            ConsentKind::FundsConfirmation => ResourceType::FundsConfirmationConsent,
        };
        EventResource { kind, id: self.id.as_str().into(), version: self.submitted.version }
    }

    /// What happened to the consent since it was as it was before, the TPP's own doings left out (SET-035). Each becomes
    /// an event or nothing by the matrix.
    pub fn changes_since(&self, before: &Self) -> Vec<ResourceChange> {
        let happening = match (before.state, self.state) {
            (ConsentState::AwaitingAuthorisation, ConsentState::Authorised) => Some(ChangeKind::Authorised),
            (ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation, ConsentState::Rejected) => {
                Some(ChangeKind::Rejected)
            }
            (ConsentState::Authorised, ConsentState::Revoked(_)) => Some(ChangeKind::Revoked),
            (ConsentState::Revoked(_), ConsentState::Authorised) => Some(ChangeKind::Reauthenticated),
            // That its file has come, and that it is consumed, is its TPP's own doing.
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
        // Accounts named with the first agreement are part of it.
        let first = before.state == ConsentState::AwaitingAuthorisation;
        let accounts = if first { Vec::new() } else { self.accounts_changed_since(before) };
        let accounts = accounts.into_iter().map(|account| ChangeKind::AccountChanged { account, reason: None });
        happening.into_iter().chain(accounts).map(|happening| self.change(happening)).collect()
    }

    /// What its client is told when an account of it was closed, switched or barred; `None` if it is not one of its accounts.
    /// Source: SET-032, SET-033.
    pub fn account_lost(&self, account: &BankAccountId, reason: Option<AccountReason>) -> Option<ResourceChange> {
        let selected = self.accounts.iter().find(|selected| selected.account == *account)?;
        let happening = match self.terms.kind() {
            ConsentKind::AccountAccess | ConsentKind::FundsConfirmation => {
                ChangeKind::AccountChanged { account: selected.alias.clone(), reason }
            }
            ConsentKind::Payment(_) => ChangeKind::DebtorAccountUnusable { reason },
        };
        Some(self.change(happening))
    }

    /// Something that happened to this consent. The call in which it happens is its cause.
    pub fn change(&self, happening: ChangeKind) -> ResourceChange {
        ResourceChange { client: self.client.clone(), resource: self.as_resource(), kind: happening, cause: None }
    }

    /// Accounts deselected or added.
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
    use crate::consent::{
        AccountAccess, ConsentDraft, ConsentRequest, Permissions, RevokedBy, SelectedAccount, Submitted,
    };
    use crate::version::Version;
    use jiff::Timestamp;

    fn consent() -> Consent {
        ConsentDraft {
            terms: ConsentRequest::AccountAccess(AccountAccess {
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
        let selected = |name: &&str| SelectedAccount { account: (*name).into(), alias: format!("x-{name}").into() };
        names.iter().map(selected).collect()
    }

    fn happenings(now: &Consent, before: &Consent) -> Vec<ChangeKind> {
        now.changes_since(before).into_iter().map(|change| change.kind).collect()
    }

    #[test]
    fn decisions_of_the_psu_are_told_and_selections_with_the_first_are_part_of_it() {
        let before = consent();
        let mut given = before.clone();
        given.authorise(&"p".into(), accounts(&["a"]), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(happenings(&given, &before), [ChangeKind::Authorised]);
        let mut refused = before.clone();
        assert!(refused.reject(Timestamp::UNIX_EPOCH));
        assert_eq!(happenings(&refused, &before), [ChangeKind::Rejected]);
        let mut ended = given.clone();
        assert!(ended.revoke(RevokedBy::Bank, Timestamp::UNIX_EPOCH));
        assert_eq!(happenings(&ended, &given), [ChangeKind::Revoked]);
        let mut again = ended.clone();
        again.authorise(&"p".into(), accounts(&["a"]), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(happenings(&again, &ended), [ChangeKind::Reauthenticated]);
        let change = &again.changes_since(&ended)[0];
        assert_eq!((change.client.as_str(), &*change.resource.id), ("t", "c"));
    }

    #[test]
    fn accounts_deselected_or_added_later_are_told_each() {
        let mut before = consent();
        before.authorise(&"p".into(), accounts(&["a", "b"]), Timestamp::UNIX_EPOCH).unwrap();
        let mut now = before.clone();
        now.authorise(&"p".into(), accounts(&["b", "c"]), Timestamp::UNIX_EPOCH).unwrap();
        let changed = |name: &str| ChangeKind::AccountChanged { account: name.into(), reason: None };
        assert_eq!(happenings(&now, &before), [changed("x-a"), changed("x-c")]);
    }

    #[test]
    fn set_035_what_the_tpp_did_itself_is_not_told() {
        let before = consent();
        let mut deleted = before.clone();
        deleted.delete(Timestamp::UNIX_EPOCH);
        assert_eq!(happenings(&deleted, &before), []);
        assert_eq!(happenings(&before, &before), []);
    }
}
