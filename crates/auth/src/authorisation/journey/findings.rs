//! What the page of a decision shows beside the consent, and the decision itself does not need: what the bank says of the payee, an estimate in
//! pounds, balances. A bank that does not say it in time keeps nobody from deciding.

use super::account_options::{AccountOptions, SelectableAccount, offer, price};
use super::admission::JourneyError;
use crate::AuthorisationServer;
use lombard_domain::account::{Balance, BalanceType};
use lombard_domain::consent::{Consent, ConsentRequest, PaymentConsent};
use lombard_domain::ids::{BankAccountId, JourneyId, PsuId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::order::PayeeConfirmation;
use lombard_service::payments::consents::PricedDebit;
use lombard_service::payments::payees::{confirm_payee, is_new_payee};

/// What is known of a payment beside its consent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentFindings {
    /// What the bank says of the payee's name; `None` where there is no payee whose name can be checked.
    pub payee: Option<PayeeConfirmation>,
    /// Whether the PSU has not paid the payee before; `None` if that is not known or not asked for.
    pub is_new_payee: Option<bool>,
    /// What it comes to from an account in pounds, of a payment in another currency whose account is not settled.
    pub in_pounds: Option<PricedDebit>,
}

/// The accounts on offer, and what is known beside them.
///
/// # Errors
/// The failures of [`offer`].
pub(super) async fn offer_and_findings(
    auth: &AuthorisationServer,
    journey: &JourneyId,
    psu: &PsuId,
    consent: &Consent,
) -> Result<(AccountOptions, PaymentFindings), JourneyError> {
    match &consent.terms {
        ConsentRequest::Payment(payment) => {
            let (offered, payee) = tokio::join!(
                offer(auth, journey, psu, consent),
                confirm_payee(&auth.context, &payment.terms.instruction)
            );
            let offered = offered?;
            let (is_new_payee, in_pounds) = tokio::join!(newness(auth, payment, &offered), in_pounds(auth, payment));
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

async fn newness(auth: &AuthorisationServer, payment: &PaymentConsent, offered: &AccountOptions) -> Option<bool> {
    if !auth.context.payments.tells_new_payees {
        return None;
    }
    let payee = payment.terms.instruction.creditor()?;
    let accounts: Vec<_> = offered.accounts().into_iter().map(|offered| offered.account.id.clone()).collect();
    is_new_payee(&auth.context, payee, &accounts).await
}

/// What a payment in another currency takes from an account in pounds, unless the account's currency is settled.
async fn in_pounds(auth: &AuthorisationServer, payment: &PaymentConsent) -> Option<PricedDebit> {
    let transfer = payment.terms.instruction.transfer()?;
    let is_open = transfer.international_details()?.exchange.is_none();
    if !is_open || transfer.amount.currency() == Currency::GBP {
        return None;
    }
    let asking = price(auth, payment, Currency::GBP);
    match tokio::time::timeout(auth.context.payments.page_answer_within, asking).await {
        Ok(Ok(priced)) => priced,
        Ok(Err(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "a payment could not be estimated in pounds");
            None
        }
        Err(_) => {
            tracing::warn!("the bank took too long to price a payment in pounds");
            None
        }
    }
}

/// Adds what is on each account, if the bank says it in time.
async fn add_balances(auth: &AuthorisationServer, accounts: &mut [SelectableAccount]) {
    let ids: Vec<_> = accounts.iter().map(|offered| offered.account.id.clone()).collect();
    let asking = auth.context.bank.balances(&auth.context.call, &ids);
    let balances = match tokio::time::timeout(auth.context.payments.page_answer_within, asking).await {
        Ok(Ok(balances)) => balances,
        Ok(Err(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "the bank could not say what is on accounts");
            return;
        }
        Err(_) => {
            tracing::warn!("the bank took too long to say what is on accounts");
            return;
        }
    };
    for offered in accounts {
        offered.balance = shown(&balances, &offered.account.id);
    }
}

/// The balance that a customer knows an account by: what is booked now, or else the first that the bank names.
fn shown(balances: &[Balance], account: &BankAccountId) -> Option<SignedAmount> {
    let of_account = || balances.iter().filter(|balance| balance.account == *account);
    let booked = of_account().find(|balance| balance.kind == BalanceType::InterimBooked);
    booked.or_else(|| of_account().next()).map(|balance| balance.sum)
}
