//! Confirmation of funds (CBPII): the account of the consent, and the yes or no answers.
//!
//! Funds-confirmation consents are created, read, deleted and revoked like those to account information
//! ([`consents`](crate::consents)).

use crate::consents::{AuthorisedSelection, require_owned};
use crate::{Context, Failure};
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::account::Account;
use lombard_domain::calendar::{london_date, london_midnight};
use lombard_domain::consent::{Consent, FundsConfirmationTerms};
use lombard_domain::funds::{FundsConfirmationRequest, FundsConfirmationResult};
use lombard_domain::ids::{BankAccountId, ConsentId, PsuId};
use lombard_domain::money::Amount;
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use lombard_ports::bank::Payer;
use lombard_ports::store::ServerTransaction;

/// The account that a consent names, if this customer can pay from it. No other account may be selected. Source: CBP-008,
/// CBP-009.
///
/// # Errors
/// The bank's failure.
pub async fn find_funds_account(
    context: &Context,
    psu: &PsuId,
    named: &FundsConfirmationTerms,
) -> Result<Option<Account>, Failure> {
    let payers = context.bank.list_payers(&context.call, psu).await?;
    let theirs = payers.into_iter().find(|it| it.signatories.contains(psu) && named.names_account(&it.account));
    Ok(theirs.map(|payer| payer.account))
}

/// The selection with which this customer authorises the consent; `None` if the customer cannot pay from the account
/// ([`find_funds_account`]).
///
/// # Errors
/// The bank's failure.
pub async fn select_funds_account(
    context: &Context,
    psu: &PsuId,
    named: &FundsConfirmationTerms,
) -> Result<Option<AuthorisedSelection>, Failure> {
    Ok(find_funds_account(context, psu, named).await?.map(|account| AuthorisedSelection::FundsAccount(account.into())))
}

/// Confirms whether the account of the token's consent has sufficient funds. Nothing is reserved. The request is not idempotent:
/// each request needs its own reference and is answered separately. Source: CBP-031 to CBP-041.
///
/// # Errors
/// [`Failure::Refused`]: another consent, one that gives no access, another currency than the account's, a reference that was
/// used before, or the day's limit of requests is reached; otherwise the bank's or storage's failure.
pub async fn confirm_funds(
    context: &Context,
    bound: &Consent,
    question: FundsConfirmationRequest,
) -> Result<FundsConfirmationResult, Failure> {
    let now = context.clocks.bank_now();
    let account = asked_about(bound, &question, now)?;
    let payer = context.bank.find_payer(&context.call, account).await?;
    if payer.as_ref().is_some_and(|payer| payer.account.currency != question.amount.currency()) {
        let message = "The account is kept in another currency.";
        return Err(refused(FaultCode::UnsupportedCurrency, Field::FundsCurrency, message).into());
    }
    let answer = FundsConfirmationResult {
        id: context.ids.ordered(),
        available: payer.is_some_and(|payer| has(&payer, question.amount)),
        created_at: now,
        question,
    };
    let (client, consent, inside) = (bound.client.clone(), bound.id.clone(), context.clone());
    context
        .store
        .write(move |tx| {
            // The consent may have ended while the bank was called.
            let still = require_owned(tx.consent(&client, &consent)?).map_err(|_| ended())?;
            asked_about(&still, &answer.question, inside.clocks.read_bank_time(tx)?)?;
            if !tx.funds_confirmation_insert(&answer)? {
                let message = "The reference was used before under this consent.";
                return Err(refused(FaultCode::DuplicateReference, Field::FundsReference, message).into());
            }
            count_question(tx, &inside, &consent)?;
            Ok(answer.clone())
        })
        .await
}

/// Counts a funds request under a consent of any kind, unless the day's limit is reached. Without a limit, a TPP could determine
/// a balance to the penny by repeated requests. Days are those of London by the wall clock, as for all rate limits. The count is
/// stored in a row, which all nodes share and which survives a restart. Source: RW-112.
///
/// # Errors
/// [`RefusalKind::LimitReached`] with the seconds to the next day; otherwise storage's failure.
pub(crate) fn count_question(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    consent: &ConsentId,
) -> Result<(), Failure> {
    let Some(most) = context.payments.funds_requests_per_day_max else { return Ok(()) };
    let now = context.clocks.wall_now();
    let day = london_date(now);
    if tx.funds_question_count(consent, day, most)? {
        return Ok(());
    }
    metrics::counter!("lombard_funds_questions_refused_total").increment(1);
    let ends_at = london_midnight(day.tomorrow().unwrap_or(Date::MAX));
    // The delay is rounded up to whole seconds, so that it is never too short.
    let retry_after_secs = ends_at.duration_since(now).as_secs().saturating_add(1);
    Err(Refusal::from_kind(RefusalKind::LimitReached { retry_after_secs }).into())
}

/// The account to which a funds request under this consent refers. Source: CBP-031, CBP-038.
fn asked_about<'a>(
    bound: &'a Consent,
    question: &FundsConfirmationRequest,
    now: Timestamp,
) -> Result<&'a BankAccountId, Refusal> {
    if bound.id != question.consent || bound.request.funds_confirmation().is_none() {
        let message = "The token was issued for another consent.";
        return Err(refused(FaultCode::ConsentMismatch, Field::ConsentId, message));
    }
    bound.check_access(now).map_err(|_| ended())?;
    bound.accounts.first().map(|selected| &selected.account).ok_or_else(ended)
}

/// Whether the payer has this amount. A zero amount is always available, also from an overdrawn account. Source: CBP-040,
/// CBP-041.
fn has(payer: &Payer, amount: Amount) -> bool {
    amount.minor() == 0 || payer.can_pay(amount)
}

fn ended() -> Refusal {
    refused(FaultCode::InvalidConsentStatus, Field::ConsentId, "The consent gives no access.")
}

fn refused(code: FaultCode, field: Field, message: &'static str) -> Refusal {
    Refusal::invalid(vec![Fault::field(code, field, message)])
}
