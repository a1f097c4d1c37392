//! What Basic permissions hide and how card numbers are masked: the one place. Source: T7, AIS-050 to AIS-054.

use lombard_domain::account::{Account, AccountScheme, CardInstrument, Identification, Transaction};
use lombard_domain::consent::{Permission, Permissions};

/// An account without what is not granted.
pub(super) fn account(mut account: Account, granted: Permissions) -> Account {
    if !granted.contains(Permission::ReadAccountsDetail) {
        account.identifications = Vec::new();
        account.servicer = None;
    }
    if !granted.contains(Permission::ReadPAN) {
        account.identifications.iter_mut().for_each(mask);
    }
    account
}

/// An entry without what is not granted. The card is Basic; only its number is at stake.
pub(super) fn transaction(mut entry: Transaction, granted: Permissions) -> Transaction {
    if !granted.contains(Permission::ReadTransactionsDetail) {
        entry.information = None;
        entry.balance = None;
        entry.merchant = None;
        entry.other_party = None;
    }
    if !granted.contains(Permission::ReadPAN) {
        if let Some(account) = entry.other_party.as_mut().and_then(|party| party.account.as_mut()) {
            mask(account);
        }
        if let Some(CardInstrument { number: Some(number), .. }) = &mut entry.card {
            *number = masked(number);
        }
    }
    entry
}

fn mask(identification: &mut Identification) {
    if identification.scheme == AccountScheme::Pan {
        identification.number = masked(&identification.number);
    }
}

/// All but the last four characters as stars; a number too short for that, wholly. Source: AIS-053.
fn masked(number: &str) -> String {
    let count = number.chars().count();
    let hidden = if count > 4 { count.saturating_sub(4) } else { count };
    number.chars().enumerate().map(|(index, digit)| if index < hidden { '*' } else { digit }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{full_account, full_transaction};
    use super::*;
    use lombard_domain::account::{OtherParty, Transaction};

    fn granted(permissions: &[Permission]) -> Permissions {
        permissions.iter().copied().collect()
    }

    #[test]
    fn ais_053_the_last_four_digits_stay_clear() {
        for (clear, shown) in [("4444333322221111", "************1111"), ("12345", "*2345"), ("1234", "****"), ("", "")]
        {
            assert_eq!(masked(clear), shown);
        }
    }

    #[test]
    fn t7_accounts_field_by_field() {
        use Permission::{ReadAccountsBasic, ReadAccountsDetail, ReadPAN};
        let full = full_account("b-1");
        let basic = Account { identifications: Vec::new(), servicer: None, ..full.clone() };
        let mut masked = full.clone();
        assert_eq!(masked.identifications[1].scheme, AccountScheme::Pan);
        masked.identifications[1].number = "************1111".into();
        for (permissions, expected) in [
            (vec![ReadAccountsBasic], &basic),
            (vec![ReadAccountsBasic, ReadPAN], &basic),
            (vec![ReadAccountsDetail], &masked),
            (vec![ReadAccountsBasic, ReadAccountsDetail], &masked),
            (vec![ReadAccountsDetail, ReadPAN], &full),
        ] {
            assert_eq!(&account(full.clone(), granted(&permissions)), expected, "{permissions:?}");
        }
    }

    #[test]
    fn t7_transactions_field_by_field() {
        use Permission::{ReadPAN, ReadTransactionsBasic, ReadTransactionsDetail};
        let full = full_transaction("b-1", "t-1", 0, -1);
        let hidden_card = CardInstrument { number: Some("************1111".into()), ..full.card.clone().unwrap() };
        let basic = Transaction { information: None, balance: None, merchant: None, other_party: None, ..full.clone() };
        let basic_masked = Transaction { card: Some(hidden_card.clone()), ..basic.clone() };
        let party = full.other_party.clone().unwrap();
        let hidden_account = Identification { number: "************2222".into(), ..party.account.clone().unwrap() };
        let masked = Transaction {
            card: Some(hidden_card),
            other_party: Some(OtherParty { account: Some(hidden_account), ..party }),
            ..full.clone()
        };
        for (permissions, expected) in [
            (vec![ReadTransactionsBasic], &basic_masked),
            (vec![ReadTransactionsBasic, ReadPAN], &basic),
            (vec![ReadTransactionsDetail], &masked),
            (vec![ReadTransactionsBasic, ReadTransactionsDetail], &masked),
            (vec![ReadTransactionsDetail, ReadPAN], &full),
        ] {
            assert_eq!(&transaction(full.clone(), granted(&permissions)), expected, "{permissions:?}");
        }
    }
}
