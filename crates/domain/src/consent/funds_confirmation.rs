//! The content of a funds-confirmation consent: the debtor account.

use crate::account::{Account, AccountFields, AccountIdentification, AccountScheme, identification_faults};
use crate::refusal::{Fault, Field};
use serde::{Deserialize, Serialize};

/// The terms of a funds-confirmation consent: the one account whose funds may be confirmed, as the TPP named it.
/// Source: CBP-001, CBP-008, `OBFundsConfirmationConsent1/Data`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FundsConfirmationTerms {
    /// The debtor account.
    pub account: AccountIdentification,
}

const PLACE: AccountFields =
    AccountFields { scheme: Field::FundsScheme, number: Field::FundsIdentification, secondary: Field::FundsSecondary };

impl FundsConfirmationTerms {
    /// The account schemes that a request may use: the schemes in which the bank's accounts have numbers. Source: CBP-005.
    pub const SCHEMES: [AccountScheme; 3] =
        [AccountScheme::SortCodeAccountNumber, AccountScheme::Iban, AccountScheme::Pan];

    /// Whether this is the account that the consent names. Source: CBP-009, PIS-118.
    pub fn names_account(&self, account: &Account) -> bool {
        account.identifications.iter().any(|number| number.is_same_account(&self.account))
    }

    /// Validates the form of the account. Whether the account exists is checked when the PSU authorises. Source:
    /// CBP-005, CBP-006.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        identification_faults(&self.account, &Self::SCHEMES, &PLACE, &mut faults);
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{AccountStatus, AccountSubType, AccountType};
    use crate::money::Currency;
    use jiff::Timestamp;

    #[test]
    fn cbp_009_an_account_is_named_by_any_of_its_numbers_and_by_no_other() {
        let number = |scheme, number: &str| AccountIdentification::new(scheme, number);
        let account = Account {
            id: "b-1".into(),
            status: AccountStatus::Enabled,
            status_changed_at: Timestamp::UNIX_EPOCH,
            currency: Currency::GBP,
            account_type: AccountType::Personal,
            sub_type: AccountSubType::CurrentAccount,
            description: None,
            nickname: None,
            opened_on: None,
            matures_on: None,
            switch_status: None,
            identifications: vec![
                number(AccountScheme::SortCodeAccountNumber, "20201555555555"),
                number(AccountScheme::Pan, "4444333322221111"),
            ],
            servicer: None,
            lei: None,
            statement_delivery: Vec::new(),
            core_state: None,
        };
        let names = |scheme, text| FundsConfirmationTerms { account: number(scheme, text) }.names_account(&account);
        assert!(names(AccountScheme::SortCodeAccountNumber, "20201555555555"));
        assert!(names(AccountScheme::Iban, "GB33BUKB20201555555555"), "PIS-118");
        assert!(names(AccountScheme::Pan, "4444333322221111"));
        assert!(!names(AccountScheme::SortCodeAccountNumber, "20201555555556"));
        assert!(!names(AccountScheme::Pan, "20201555555555"));
    }
}
