//! Confirmation of Payee for a customer before the decision. The bank is asked; the TPP is not told the result.

use crate::Context;
use crate::page_answers::{NoAnswer, answer_within};
use lombard_domain::account::{AccountIdentification, Beneficiary};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::ListWindow;
use lombard_domain::payment::order::{Instruction, PayeeConfirmation, UnconfirmedReason};
use lombard_ports::bank::read_list;
use std::time::Duration;

/// How many of a customer's payees are read to know whether one is new.
const BENEFICIARIES_READ: usize = 200;

/// Whether the payee's name is that of the account, as the bank says within the time that the settings allow
/// ([`PaymentSettings::page_answer_within`](super::PaymentSettings)). A bank that fails or takes longer has not confirmed it: a customer can decide
/// without. `None` for what has no payee whose name can be checked.
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

/// Whether the payee is none of the beneficiaries that the bank keeps of these accounts; `None` if that is not known: the bank does not say within
/// the limit, or keeps more of them than are read.
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
