//! Confirmation of Payee for a customer before the decision. The bank is queried; the result is not disclosed to the TPP.

use crate::Context;
use crate::page_answers::{NoAnswer, answer_within};
use lombard_domain::account::{AccountIdentification, Beneficiary};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::ListWindow;
use lombard_domain::payment::order::{Instruction, PayeeConfirmation, UnconfirmedReason};
use lombard_ports::bank::read_list;
use std::time::Duration;

/// The number of a customer's beneficiaries that are read to determine whether a payee is new.
const BENEFICIARIES_READ: usize = 200;

/// The bank's answer whether the payee's name is that of the account. If the bank fails or takes longer than the settings allow
/// ([`PaymentSettings::page_answer_within`](super::PaymentSettings)), the name counts as unconfirmed, and the customer can still
/// decide. `None` for an instruction without a payee whose name can be checked.
pub async fn confirm_payee(context: &Context, instruction: &Instruction) -> Option<PayeeConfirmation> {
    let payee = instruction.payee_to_confirm()?;
    let asking = context.bank.confirm_payee(&context.call, payee);
    let answer = answer_within(context.payments.page_answer_within, "the payee's name", asking).await;
    Some(answer.unwrap_or_else(|none| {
        PayeeConfirmation::Unavailable(match none {
            NoAnswer::Failed => UnconfirmedReason::Failed,
            NoAnswer::TimedOut => UnconfirmedReason::TimedOut,
        })
    }))
}

/// Whether the payee is not among the bank's beneficiaries of these accounts. `None` if this is unknown: the bank does not answer
/// in time, or has more beneficiaries than are read.
pub async fn is_new_payee(
    context: &Context,
    payee: &AccountIdentification,
    accounts: &[BankAccountId],
    limit: Duration,
) -> Option<bool> {
    let window = ListWindow::first_page(BENEFICIARIES_READ);
    let asking = read_list::<Beneficiary>(&*context.bank, &context.call, accounts, &window);
    let page = answer_within(limit, "the payees of accounts", asking).await.ok()?.page;
    let is_known = |it: &AccountIdentification| it.is_same_account(payee);
    if page.items.iter().any(|it| is_known(&it.payee)) {
        return Some(false);
    }
    page.next.is_none().then_some(true)
}
