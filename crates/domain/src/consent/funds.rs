//! Funds-confirmation consents: validation and view.

use super::{
    Consent, ConsentDraft, ConsentRequest, ConsentState, ConsentStatusReason, EffectiveConsentStatus,
    FundsConfirmationTerms,
};
use crate::account::{AccountIdentification, AccountScheme};
use crate::ids::ConsentId;
use crate::submitted::Submitted;
use jiff::Timestamp;

/// A funds-confirmation consent request after parsing and before validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundsConsentDraft {
    /// The account whose funds may be confirmed.
    pub account: AccountIdentification,
    /// The requested expiration; absent means open-ended. Source: CBP-016.
    pub expires_at: Option<Timestamp>,
    /// The submitted `Data`, as it is echoed.
    pub submitted: Submitted,
}

impl From<FundsConsentDraft> for ConsentDraft {
    fn from(it: FundsConsentDraft) -> Self {
        let terms = ConsentRequest::FundsConfirmation(FundsConfirmationTerms { account: it.account });
        Self { request: terms, expires_at: it.expires_at, submitted: it.submitted }
    }
}

/// A funds-confirmation consent as it is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundsConsentView {
    /// Its id.
    pub id: ConsentId,
    /// Its state.
    pub state: ConsentState,
    /// When the state last changed. Source: RW-309.
    pub state_changed_at: Timestamp,
    /// When it was first authorised.
    pub authorised_at: Option<Timestamp>,
    /// Its effective status.
    pub status: EffectiveConsentStatus,
    /// When the effective status began. Source: RW-309.
    pub status_since: Timestamp,
    /// Why the consent has its status, if the status alone does not show it. Source: V4-002.
    pub reason: Option<ConsentStatusReason>,
    /// When it was created.
    pub created_at: Timestamp,
    /// The account as the TPP named it; a card number is masked. Source: CBP-011.
    pub account: AccountIdentification,
    /// The submitted `Data`.
    pub submitted: Submitted,
}

impl Consent {
    /// The view of a funds-confirmation consent at an instant; `None` for a consent of another kind.
    pub fn funds_view(&self, at: Timestamp) -> Option<FundsConsentView> {
        let named = self.request.funds_confirmation()?;
        Some(FundsConsentView {
            id: self.id.clone(),
            state: self.state,
            state_changed_at: self.state_changed_at,
            authorised_at: self.authorised_at,
            status: self.status_at(at),
            status_since: self.status_since(at),
            reason: self.status_reason,
            created_at: self.created_at,
            account: shown(&named.account),
            submitted: self.submitted.clone(),
        })
    }
}

/// The account with a card number masked. Source: CBP-011.
fn shown(account: &AccountIdentification) -> AccountIdentification {
    let number = match account.scheme {
        AccountScheme::Pan => masked(&account.number),
        AccountScheme::Bban
        | AccountScheme::Iban
        | AccountScheme::Paym
        | AccountScheme::SortCodeAccountNumber
        | AccountScheme::Wallet => account.number.clone(),
    };
    AccountIdentification { number, ..account.clone() }
}

/// Masks all but the first and the last four digits; a card number has at least twelve.
fn masked(number: &str) -> String {
    let last = number.chars().count().saturating_sub(4);
    number.chars().enumerate().map(|(at, digit)| if (4..last).contains(&at) { '*' } else { digit }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::{NotAuthorisable, RevokedBy, SelectedAccount};
    use crate::event::{EventType, ResourceType};
    use crate::ids::PsuId;
    use crate::refusal::{FaultCode, FaultLocation, Field};
    use crate::version::Version;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn draft(scheme: AccountScheme, number: &str, secondary: Option<&str>) -> ConsentDraft {
        let account = AccountIdentification {
            secondary: secondary.map(str::to_owned),
            ..AccountIdentification::new(scheme, number)
        };
        let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
        FundsConsentDraft { account, expires_at: Some(at(100)), submitted }.into()
    }

    fn consent() -> Consent {
        draft(AccountScheme::SortCodeAccountNumber, "20000319825731", None).into_consent("c".into(), "t".into(), at(0))
    }

    fn selected(accounts: &[&str]) -> Vec<SelectedAccount> {
        accounts.iter().map(|&it| SelectedAccount { account: it.into(), alias: it.into(), core_state: None }).collect()
    }

    #[test]
    fn cbp_005_006_007_the_account_format_and_the_expiration_are_validated() {
        use AccountScheme as S;
        use FaultCode::{
            FieldInvalidDate, UnsupportedAccountIdentifier, UnsupportedAccountSecondaryIdentifier, UnsupportedScheme,
        };
        let found = |draft: ConsentDraft, now: i64| -> Vec<_> {
            draft.faults(at(now)).into_iter().map(|fault| (fault.code, fault.at)).collect()
        };
        let placed = |code, field| vec![(code, Some(FaultLocation::Field(field)))];
        assert_eq!(found(draft(S::SortCodeAccountNumber, "20000319825731", Some("R1")), 0), []);
        assert_eq!(found(draft(S::Iban, "GB33BUKB20201555555555", None), 0), []);
        assert_eq!(found(draft(S::Pan, "4444333322221111", None), 0), []);
        assert_eq!(found(draft(S::Wallet, "x", None), 0), placed(UnsupportedScheme, Field::FundsScheme));
        for (scheme, number) in [
            (S::SortCodeAccountNumber, "2000031982573"),
            (S::Iban, "GB34BUKB20201555555555"),
            (S::Pan, "4444333322221112"),
        ] {
            let wanted = placed(UnsupportedAccountIdentifier, Field::FundsIdentification);
            assert_eq!(found(draft(scheme, number, None), 0), wanted, "{scheme:?}");
        }
        let roll = draft(S::Pan, "4444333322221111", Some("R1"));
        assert_eq!(found(roll, 0), placed(UnsupportedAccountSecondaryIdentifier, Field::FundsSecondary));
        let late = draft(S::Iban, "GB33BUKB20201555555555", None);
        assert_eq!(found(late, 100), placed(FieldInvalidDate, Field::ConsentExpiration), "the boundary has passed");
    }

    #[test]
    fn cbp_008_it_is_agreed_to_with_exactly_one_account() {
        let psu = PsuId::from("p");
        for accounts in [&[][..], &["a", "b"]] {
            let mut it = consent();
            assert_eq!(it.authorise(&psu, selected(accounts), at(1)), Err(NotAuthorisable::NoAccount));
            assert_eq!(it, consent());
        }
        let mut it = consent();
        it.authorise(&psu, selected(&["a"]), at(1)).unwrap();
        assert_eq!(it.state, ConsentState::Authorised);
    }

    #[test]
    fn cbp_012_015_con_31_a_customer_revocation_is_final_and_a_banks_is_not() {
        let psu = PsuId::from("p");
        for (by, again) in [(RevokedBy::Psu, Err(NotAuthorisable::NotAwaitingAuthorisation)), (RevokedBy::Bank, Ok(()))]
        {
            let mut it = consent();
            it.authorise(&psu, selected(&["a"]), at(1)).unwrap();
            assert_eq!(it.authorise(&psu, selected(&["a"]), at(2)), Ok(()), "CBP-015");
            assert!(it.revoke(by, at(3)));
            assert!(it.check_access(at(4)).is_err());
            assert_eq!(it.authorise(&psu, selected(&["a"]), at(5)), again, "{by:?}");
        }
        let mut rejected = consent();
        assert!(rejected.reject(at(1)));
        assert_eq!(rejected.authorise(&psu, selected(&["a"]), at(2)), Err(NotAuthorisable::NotAwaitingAuthorisation));
        let mut expired = consent();
        assert_eq!(expired.authorise(&psu, selected(&["a"]), at(100)), Err(NotAuthorisable::Expired), "AIS-078");
    }

    #[test]
    fn set_040_its_revocation_is_an_update_and_a_revocation() {
        let before = consent();
        let mut agreed = before.clone();
        agreed.authorise(&"p".into(), selected(&["a"]), at(1)).unwrap();
        let mut revoked = agreed.clone();
        revoked.revoke(RevokedBy::Psu, at(2));
        let raised = |before: &Consent, after: &Consent| -> Vec<EventType> {
            let changes = after.changes_since(before);
            changes.iter().flat_map(|it| it.resource.events_for(&it.kind)).copied().collect()
        };
        assert_eq!(before.as_resource().kind, ResourceType::FundsConfirmationConsent);
        assert_eq!(raised(&before, &agreed), [EventType::ResourceUpdate]);
        assert_eq!(raised(&agreed, &revoked), [EventType::ResourceUpdate, EventType::ConsentAuthorizationRevoked]);
        assert_eq!(raised(&agreed, &agreed), []);
    }

    #[test]
    fn cbp_011_a_cards_number_is_masked_and_no_other() {
        let shown = |scheme, number: &str| {
            let it = draft(scheme, number, None).into_consent("c".into(), "t".into(), at(0));
            it.funds_view(at(0)).unwrap().account.number
        };
        assert_eq!(shown(AccountScheme::Pan, "4444333322221111"), "4444********1111");
        assert_eq!(shown(AccountScheme::Pan, "444433332222"), "4444****2222");
        assert_eq!(shown(AccountScheme::Iban, "GB33BUKB20201555555555"), "GB33BUKB20201555555555");
    }
}
