//! The bank's names and identifiers, and ids that are derived from names.

use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, AccountScheme, BankIdentification};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use uuid::Uuid;

/// The bank's name.
pub const BANK_NAME: &str = "Lombard Sandbox Bank";
/// The bank's BIC.
pub const BANK_BIC: &str = "LMBDGB2LXXX";
/// The bank's legal entity identifier.
pub const BANK_LEI: &str = "9845LMBD00SANDBX0146";

/// The bank's identification as an agent.
pub fn own_agent() -> BankIdentification {
    BankIdentification {
        bic: Some(BANK_BIC.to_owned()),
        name: Some(BANK_NAME.to_owned()),
        address: None,
        lei: Some(BANK_LEI.to_owned()),
    }
}

/// The id of the ledger account for an account at another bank. The id does not contain the account number, because ids of ledger
/// accounts may be logged.
pub fn other_bank_account(account: &AccountIdentification, currency: Currency) -> BankAccountId {
    let number = format!("elsewhere/{}/{}", scheme(account.scheme), account.number);
    external_account(&derive_id(&number, Timestamp::UNIX_EPOCH), currency)
}

/// The name of a scheme in the input of derived ids.
const fn scheme(scheme: AccountScheme) -> &'static str {
    match scheme {
        AccountScheme::Bban => "bban",
        AccountScheme::Iban => "iban",
        AccountScheme::Pan => "pan",
        AccountScheme::Paym => "paym",
        AccountScheme::SortCodeAccountNumber => "uk",
        AccountScheme::Wallet => "wallet",
    }
}

/// The id of the ledger account of an external party in one currency. TPPs never see this account.
pub fn external_account(party: &str, currency: Currency) -> BankAccountId {
    BankAccountId::new(format!("outside:{party}:{}", currency.code()))
}

/// Derives an id from a name and a time (UUID version 7). The same input gives the same id.
pub fn derive_id(name: &str, at: Timestamp) -> String {
    let mut random = [0; 10];
    for (to, from) in random.iter_mut().zip(lombard_jose::sha256(name.as_bytes()).0) {
        *to = from;
    }
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
    let id: Uuid = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    id.to_string()
}

/// Derives a number between two bounds, both included, from a name.
pub fn derive_number(name: &str, least: i64, most: i64) -> i64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(lombard_jose::sha256(name.as_bytes()).0) {
        *to = from;
    }
    let choices = most.abs_diff(least).saturating_add(1);
    let choice = u64::from_be_bytes(bytes).checked_rem(choices).unwrap_or(0);
    least.min(most).saturating_add_unsigned(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_account_of_a_number_does_not_show_it() {
        let account = |number: &str| AccountIdentification::new(AccountScheme::Pan, number);
        let (one, other) = (account("4444333322221111"), account("4444333322221112"));
        let named = other_bank_account(&one, Currency::GBP);
        assert!(!named.as_str().contains("4444") && named.as_str().starts_with("outside:"), "{named}");
        assert_eq!(named, other_bank_account(&one, Currency::GBP));
        assert_ne!(named, other_bank_account(&other, Currency::GBP));
        assert_ne!(named, other_bank_account(&one, Currency::EUR));
    }

    #[test]
    fn what_is_derived_repeats_and_differs_by_name() {
        let at = Timestamp::UNIX_EPOCH;
        assert_eq!(derive_id("a", at), derive_id("a", at));
        assert_ne!(derive_id("a", at), derive_id("b", at));
        let draws: Vec<_> = (0..200).map(|n| derive_number(&format!("{n}"), -3, 3)).collect();
        assert_eq!((draws.iter().min(), draws.iter().max()), (Some(&-3), Some(&3)));
        assert_eq!(derive_number("x", 5, 5), 5);
    }
}
