//! Tests of Confirmation of Payee for this bank's accounts and for accounts of other banks.

use super::*;
use lombard_domain::payment::order::{PayeeConfirmation as C, UnconfirmedReason as R};

#[tokio::test]
async fn the_names_of_this_banks_accounts_are_compared_and_no_others_are_known() {
    let world = world().await;
    let call = CallContext { psu: Some("ann".into()), ..CallContext::default() };
    let stranger = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "20000319825731");
    let ours = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08070699999999");
    for (number, name, said) in [
        (number_of("bob"), "HOLDER of bob", C::Match),
        (number_of("bob"), "Holder of bop", C::CloseMatch { name: "Holder of bob".into() }),
        (number_of("bob"), "Somebody Else", C::NoMatch),
        (number_of("gone"), "Holder of gone", C::Unavailable(R::AccountNotFound)),
        (number_of("barred"), "Holder of barred", C::Unavailable(R::AccountNotFound)),
        (ours, "Holder of bob", C::Unavailable(R::AccountNotFound)),
        (stranger, "Holder of bob", C::Unavailable(R::BankNotTakingPart)),
    ] {
        let payee = NamedAccount::under_name(number, name.to_owned());
        assert_eq!(world.bank.confirm_payee(&call, &payee).await.unwrap(), said, "{name}");
    }
}
