//! Variable recurring payments: reservation and release of limit usage, confirmation of funds, and deletion of the consent.
//! Consents and orders are created and read as for all other products. Source: section 7 of the rules.

use super::ReadCaller;
use super::consents::{check_token_consent, read_payment_consent};
use crate::{Context, Failure, funds};
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentKind, ConsentState};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::Order;
use lombard_domain::payment::vrp::{
    VrpCapabilities, VrpFundsConfirmationRequest, VrpFundsConfirmationResult, VrpPayment,
};
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::ServerTransaction;

const VRP: PaymentProduct = PaymentProduct::DomesticVrp;

/// Accepts an order under a consent that is locked in this transaction, and adds its amount to the usage of the limits. Of two
/// concurrent payments that exceed a limit together, the second is refused. The order is stored by the caller. Source: VRP-040,
/// VRP-050, VRP-055.
///
/// # Errors
/// [`Failure::Refused`] when the consent's state or its limits forbid the payment; nothing is counted then.
pub(super) fn accept_vrp_order(
    tx: &mut dyn ServerTransaction,
    consent: &Consent,
    order: OrderId,
    payment: &VrpPayment,
    now: Timestamp,
) -> Result<Order, Failure> {
    let counters = consent.vrp_limits().map(|vrp_limits| vrp_limits.counters(now)).unwrap_or_default();
    let usage = tx.vrp_usage(&consent.id, &counters)?;
    let (order, reservation) = consent.accept_vrp_order(order, payment, &usage, now)?;
    tx.vrp_reserve(&consent.id, &reservation)?;
    Ok(order)
}

/// Checks that the TPP may use the consent. A consent with a commercial type can be used only while commercial VRP is offered and
/// the TPP is a member of the agreement. Source: CVRP-007, CVRP-008.
///
/// # Errors
/// Permission missing.
pub(super) fn require_permitted(consent: &Consent, offer: &VrpCapabilities) -> Result<(), Refusal> {
    let terms = consent.request.payment().and_then(|payment| payment.terms.instruction.vrp());
    match terms {
        Some(terms) if !offer.permits_use(&consent.client, &terms.controls) => {
            Err(Refusal::from_kind(RefusalKind::PermissionMissing))
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether the customer who authorised the consent may still sign for the account without further authorisers; the bank may have
/// changed this. If no payment can be made from the account at all, the bank rejects the order itself. Source: VRP-020, VRP-087.
///
/// # Errors
/// The bank's failure.
pub(super) async fn may_still_sign(context: &Context, consent: &Consent) -> Result<bool, Failure> {
    let whole = (consent.request.payment(), consent.debtor(), &consent.psu);
    let (Some(payment), Some(debtor), Some(psu)) = whole else { return Ok(false) };
    let payer = context.bank.find_payer(&context.call, &debtor.account).await?;
    Ok(payer.is_none_or(|payer| payer.signatories.contains(psu) && payment.allows_authorisers(payer.authorisers)))
}

/// Releases the limit usage of a payment that no longer counts, because it was rejected or blocked, and reserves it again if it
/// counts after all. `counted` states whether the payment counted before. Counters are released one by one, each once, so a
/// concurrent payment may be refused too early but never accepted above a limit. Source: VRP-040.
///
/// # Errors
/// Storage's failure; [`Failure::Broken`] if the consent does not exist.
pub(super) fn update_vrp_usage(tx: &mut dyn ServerTransaction, counted: bool, order: &Order) -> Result<(), Failure> {
    let counts = order.uses_limits();
    let is_vrp = order.product.reuses_consents();
    let Some(transfer) = order.instruction.transfer().filter(|_| is_vrp && counted != counts) else {
        return Ok(());
    };
    let consent = tx.consent_any_owner(&order.consent)?;
    let consent = consent.ok_or_else(|| Failure::Broken("an order without its consent".into()))?;
    let Some(vrp_limits) = consent.vrp_limits() else { return Ok(()) };
    let reservation = vrp_limits.reservation(order.created_at, transfer.amount);
    let id = &consent.id;
    let shifted = if counts { tx.vrp_reserve(id, &reservation) } else { tx.vrp_release(id, &reservation) };
    Ok(shifted?)
}

/// Confirms funds for a VRP payment by the balance alone; the limits are not checked. Nothing is reserved or stored, except
/// that the request is counted. `bound` is the consent of the access token, `id` the one in the path. Source: PIS-006, VRP-041, VRP-070
/// to VRP-075, VRP-088, CVRP-008.
///
/// # Errors
/// [`Failure::Refused`] when ids, state or the request do not match the consent, or the day's limit of requests is reached;
/// otherwise the bank's or storage's failure.
pub async fn confirm_vrp_funds(
    context: &Context,
    bound: &Consent,
    id: &ConsentId,
    through: Version,
    question: VrpFundsConfirmationRequest,
) -> Result<VrpFundsConfirmationResult, Failure> {
    check_token_consent(context, bound, VRP, id, through).await?;
    require_permitted(bound, &context.payments.limits.vrp)?;
    let terms = bound.request.payment().and_then(|payment| payment.terms.instruction.vrp());
    let (ConsentState::Authorised, Some(terms), Some(debtor)) = (bound.state, terms, bound.debtor()) else {
        return Err(Refusal::from_kind(RefusalKind::ConsentState).into());
    };
    let mut faults = terms.funds_differences(&question);
    if question.consent != bound.id {
        let message = "The body names another consent than the path.";
        faults.push(Fault::field(FaultCode::ConsentMismatch, Field::ConsentId, message));
    }
    let payer = context.bank.find_payer(&context.call, &debtor.account).await?;
    if payer.as_ref().is_some_and(|payer| payer.account.currency != question.amount.currency()) {
        let message = "The account is kept in another currency.";
        faults.push(Fault::field(FaultCode::UnsupportedCurrency, Field::FundsCurrency, message));
    }
    if !faults.is_empty() {
        return Err(Refusal::invalid(faults).into());
    }
    let (inside, counted) = (context.clone(), bound.id.clone());
    context.store.write(move |tx| funds::count_question(tx, &inside, &counted)).await?;
    Ok(VrpFundsConfirmationResult {
        id: context.ids.ordered(),
        available: payer.is_some_and(|payer| payer.can_pay(question.amount)),
        created_at: context.clocks.bank_now(),
        question,
    })
}

/// Deletes a consent in any state on behalf of its TPP. Its tokens are revoked at once; orders that were accepted are still
/// executed.
/// Source: PIS-004, VRP-080 to VRP-083.
///
/// # Errors
/// [`Failure::Refused`]: not found, another TPP's, or not the token's; otherwise storage's failure.
pub async fn delete_vrp_consent(
    context: &Context,
    reader: impl Into<ReadCaller>,
    id: &ConsentId,
    through: Version,
) -> Result<(), Failure> {
    let consent = read_payment_consent(context, reader, VRP, id, through).await?;
    crate::consents::delete_consent(context, &consent.client, ConsentKind::Payment(VRP), id, through).await
}
