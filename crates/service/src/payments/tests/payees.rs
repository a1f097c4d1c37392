//! Confirmation of Payee for a customer, whatever the bank answers.

use super::*;
use crate::payments::payees::confirm_payee;
use lombard_domain::payment::order::{PayeeConfirmation as C, UnconfirmedReason as R};
use lombard_ports::bank::PaymentCall;

#[tokio::test(start_paused = true)]
async fn a_payee_check_returns_the_banks_answer_and_is_unavailable_on_failure() {
    let world = World::new().await;
    let instruction = terms(now()).instruction;
    for said in [C::Match, C::CloseMatch { name: "Water Works".into() }, C::NoMatch] {
        world.bank.payment_script().payee = Some(said.clone());
        assert_eq!(confirm_payee(&world.context, &instruction).await, Some(said));
    }
    world.bank.payment_script().payee = None;
    assert_eq!(confirm_payee(&world.context, &instruction).await, Some(C::Unavailable(R::NotOffered)));
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::ConfirmPayee);
    assert_eq!(confirm_payee(&world.context, &instruction).await, Some(C::Unavailable(R::Failed)));
    world.bank.payment_script().unavailable_calls.clear();
    world.bank.payment_script().silent_calls.insert(PaymentCall::ConfirmPayee);
    assert_eq!(
        confirm_payee(&world.context, &instruction).await,
        Some(C::Unavailable(R::TimedOut)),
        "a page waits no longer"
    );
}
