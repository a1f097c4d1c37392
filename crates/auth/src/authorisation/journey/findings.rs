//! Information that the decision page shows but the decision does not need: Confirmation of Payee, an estimate in pounds, and balances. If
//! the bank does not answer in time, the page is shown without it.

use super::account_options::{AccountOptions, SelectableAccount, offer, price};
use super::admission::JourneyError;
use crate::AuthorisationServer;
use crate::payee_answer::check_payee;
use lombard_domain::account::{Balance, BalanceType};
use lombard_domain::consent::{Consent, ConsentRequest, PaymentConsent};
use lombard_domain::ids::{BankAccountId, JourneyId, PsuId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::order::PayeeConfirmation;
use lombard_service::page_answers::answer_within;
use lombard_service::payments::consents::PricedDebit;
use lombard_service::payments::payees::is_new_payee;
use std::time::Duration;
use tokio::time::Instant;

/// Additional information about a payment, from the bank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentFindings {
    /// The result of Confirmation of Payee; `None` where there is no payee whose name can be checked.
    pub payee: Option<PayeeConfirmation>,
    /// Whether the payee is not among the beneficiaries of the PSU's accounts; `None` if this is not known or was not asked.
    pub is_new_payee: Option<bool>,
    /// The amount in pounds of a payment in another currency, unless the consent already fixes the currency of the account.
    pub in_pounds: Option<PricedDebit>,
}

/// The accounts on offer, and the additional information about the payment.
///
/// # Errors
/// The failures of [`offer`].
pub(super) async fn offer_and_findings(
    auth: &AuthorisationServer,
    journey: &JourneyId,
    psu: &PsuId,
    consent: &Consent,
) -> Result<(AccountOptions, PaymentFindings), JourneyError> {
    match &consent.request {
        ConsentRequest::Payment(payment) => {
            // One time limit covers all questions to the bank together.
            let began = Instant::now();
            let (offered, payee, in_pounds) = tokio::join!(
                offer(auth, journey, psu, consent),
                check_payee(auth, psu, &payment.terms.instruction),
                in_pounds(auth, payment)
            );
            let offered = offered?;
            let left = auth.context.payments.page_answer_within.saturating_sub(began.elapsed());
            let is_new_payee = newness(auth, payment, &offered, left).await;
            Ok((offered, PaymentFindings { payee, is_new_payee, in_pounds }))
        }
        ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => {
            let mut offered = offer(auth, journey, psu, consent).await?;
            if let AccountOptions::ToShare(accounts) = &mut offered {
                add_balances(auth, accounts).await;
            }
            Ok((offered, PaymentFindings::default()))
        }
    }
}

async fn newness(
    auth: &AuthorisationServer,
    payment: &PaymentConsent,
    offered: &AccountOptions,
    limit: Duration,
) -> Option<bool> {
    if !auth.context.payments.tells_new_payees {
        return None;
    }
    let payee = payment.terms.instruction.creditor()?;
    let accounts: Vec<_> = offered.accounts().into_iter().map(|offered| offered.account.id.clone()).collect();
    is_new_payee(&auth.context, payee, &accounts, limit).await
}

/// The amount that a payment in another currency debits from an account in pounds, unless the consent already fixes the currency of the
/// account.
async fn in_pounds(auth: &AuthorisationServer, payment: &PaymentConsent) -> Option<PricedDebit> {
    let transfer = payment.terms.instruction.transfer()?;
    let is_open = transfer.international_details()?.exchange.is_none();
    if !is_open || transfer.amount.currency() == Currency::GBP {
        return None;
    }
    let asking = price(auth, payment, Currency::GBP);
    answer_within(auth.context.payments.page_answer_within, "the price of a payment in pounds", asking)
        .await
        .ok()
        .flatten()
}

/// Adds the balance of each account, if the bank answers in time.
async fn add_balances(auth: &AuthorisationServer, accounts: &mut [SelectableAccount]) {
    let ids: Vec<_> = accounts.iter().map(|offered| offered.account.id.clone()).collect();
    let asking = auth.context.bank.list_balances(&auth.context.call, &ids);
    let limit = auth.context.payments.page_answer_within;
    let Ok(balances) = answer_within(limit, "what is on accounts", asking).await else { return };
    for offered in accounts {
        offered.balance = shown(&balances, &offered.account.id);
    }
}

/// The balance to show for an account: the booked one, or else the first that the bank returns.
fn shown(balances: &[Balance], account: &BankAccountId) -> Option<SignedAmount> {
    let of_account = || balances.iter().filter(|balance| balance.account == *account);
    let booked = of_account().find(|balance| balance.kind == BalanceType::InterimBooked);
    booked.or_else(|| of_account().next()).map(|balance| balance.sum)
}
