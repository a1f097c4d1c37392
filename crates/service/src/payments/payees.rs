//! What a customer is told of a payee before the decision. The bank is asked; the TPP is told nothing of it.

use crate::Context;
use lombard_domain::account::AccountIdentification;
use lombard_domain::ids::BankAccountId;
use lombard_domain::order::{Instruction, PayeeConfirmation, UnconfirmedReason};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::BankError;
use std::future::Future;
use std::time::Duration;

/// How many of a customer's payees are read to know whether one is new.
const BENEFICIARIES_READ: usize = 200;

/// Whether the payee's name is that of the account, as the bank says within the time that the settings allow
/// ([`PaymentSettings::page_answer_within`](super::PaymentSettings)). A bank that fails or takes longer has not confirmed it: a customer can decide
/// without. `None` for what has no payee whose name can be checked.
pub async fn confirm_payee(context: &Context, instruction: &Instruction) -> Option<PayeeConfirmation> {
    let payee = instruction.payee_to_confirm()?;
    let asking = context.bank.confirm_payee(&context.call, payee);
    let answer = within(context.payments.page_answer_within, asking).await;
    Some(answer.unwrap_or(PayeeConfirmation::Unavailable(UnconfirmedReason::TimedOut)))
}

/// Whether the customer has paid this payee from none of these accounts before, by the beneficiaries that the bank keeps of them; `None` if that
/// is not known: the bank does not say in time, or keeps more of them than are read.
pub async fn is_new_payee(
    context: &Context,
    payee: &AccountIdentification,
    accounts: &[BankAccountId],
) -> Option<bool> {
    let window = ListWindow::first_page(BENEFICIARIES_READ);
    let asking = context.bank.beneficiaries(&context.call, accounts, &window);
    let page = within(context.payments.page_answer_within, asking).await?.page;
    let is_known = |it: &AccountIdentification| it.is_same_account(payee);
    if page.items.iter().any(|it| is_known(&it.payee)) {
        return Some(false);
    }
    page.next.is_none().then_some(true)
}

/// The answer, unless the bank fails or takes longer, which is logged.
async fn within<T>(limit: Duration, asking: impl Future<Output = Result<T, BankError>>) -> Option<T> {
    match tokio::time::timeout(limit, asking).await {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "the bank could not say anything of a payee");
            None
        }
        Err(_) => {
            tracing::warn!("the bank took too long to say anything of a payee");
            None
        }
    }
}
