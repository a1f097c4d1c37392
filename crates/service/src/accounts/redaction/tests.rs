//! Compares Basic with Detail, member by member.

use super::super::tests::{
    full_account, full_beneficiary, full_scheduled_payment, full_standing_order, full_statement, full_transaction,
};
use super::*;
use lombard_domain::account::OtherParty;

fn granted(permissions: &[Permission]) -> Permissions {
    permissions.iter().copied().collect()
}

#[test]
fn ais_053_the_last_four_digits_stay_clear() {
    for (clear, shown) in [("4444333322221111", "************1111"), ("12345", "*2345"), ("1234", "****"), ("", "")] {
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
    let hidden_account = AccountIdentification { number: "************2222".into(), ..party.account.clone().unwrap() };
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

/// Checks a record that names a payee against the expected rest after redaction.
macro_rules! payee {
    ($test:ident, $full:ident, $redact:ident, $basic:ident, $detail:ident) => {
        #[test]
        fn $test() {
            use Permission::{ReadPAN, $basic, $detail};
            let full = $full("b-1");
            let clear = full.payee.clone();
            assert_eq!(clear.scheme, AccountScheme::Pan);
            let hidden = AccountIdentification { number: "************1111".into(), ..clear.clone() };
            for (permissions, payee) in [
                (vec![$basic], None),
                (vec![$basic, ReadPAN], None),
                (vec![$detail], Some(hidden.clone())),
                (vec![$basic, $detail], Some(hidden)),
                (vec![$detail, ReadPAN], Some(clear)),
            ] {
                let mut expected = full.clone().map_payee(|_| payee.clone());
                assert!(expected.agent.is_some());
                expected.agent = expected.agent.filter(|_| payee.is_some());
                assert_eq!($redact(full.clone(), granted(&permissions)), expected, "{permissions:?}");
            }
        }
    };
}

payee!(t7_payees_field_by_field, full_beneficiary, beneficiary, ReadBeneficiariesBasic, ReadBeneficiariesDetail);
payee!(
    t7_standing_orders_field_by_field,
    full_standing_order,
    standing_order,
    ReadStandingOrdersBasic,
    ReadStandingOrdersDetail
);
payee!(
    t7_scheduled_payments_field_by_field,
    full_scheduled_payment,
    scheduled_payment,
    ReadScheduledPaymentsBasic,
    ReadScheduledPaymentsDetail
);

#[test]
fn t7_and_ais_148_of_statements_only_the_amounts_are_detail() {
    use Permission::{ReadStatementsBasic, ReadStatementsDetail};
    let full = full_statement("b-1", "s-1", 0, 24);
    assert!(!full.amounts.is_empty() && full.total.is_some());
    let basic = Statement { amounts: Vec::new(), ..full.clone() };
    assert_eq!(statement(full.clone(), granted(&[ReadStatementsBasic])), basic);
    for permissions in [vec![ReadStatementsDetail], vec![ReadStatementsBasic, ReadStatementsDetail]] {
        assert_eq!(statement(full.clone(), granted(&permissions)), full);
    }
}
